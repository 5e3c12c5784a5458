/** From a FLOW frame to a handler's methods and back. */

import { About, FlowFrame, FlowOpen, Item, Kind, None, OpenFrame, Output, PoolEntry, Access } from "../abi.js";
import { type Body, type Failed, Failing } from "../body.js";
import { type Context, Names, log } from "../context.js";
import type { Engine } from "../engine.js";
import type { Answer, BatchHandler, ObjectHandler } from "../handler.js";
import type { Memory } from "../memory.js";
import { NUMBERS } from "../numbers.js";
import { BatchView } from "./batch.js";
import { Emitter } from "./emit.js";
import { type Begun, type Run, runLater } from "./later.js";
import { ObjectView } from "./object.js";

/** Objects that run at a time unless the handler says so. */
const IN_FLIGHT = 100;

/** A flow's pools and senders, as OPEN says them. */
abstract class FlowBody implements Body {
  readonly kind = Kind.FLOW;
  readonly least = FlowFrame.$bytes;
  protected names = new Names();

  abstract readonly form: string;

  constructor(
    protected readonly memory: Memory,
    protected readonly engine: Engine,
    protected readonly handler: ObjectHandler | BatchHandler,
  ) {}

  describe(say: (about: number, key: string, value: string) => void): void {
    say(About.FORM, this.form, "");
  }

  open(frame: number, context: Omit<Context, "log" | "pool" | "pools" | "senders">): Answer {
    const { memory } = this;
    const added = memory.u64(frame + OpenFrame.added);
    if (memory.u64(frame + OpenFrame.added + 8) < FlowOpen.$bytes) {
      throw new Error("OPEN has no pools: build engine and handler with the same version");
    }
    const pool = (index: number) => {
      const at = memory.u64(added + FlowOpen.pools) + PoolEntry.$bytes * index;
      const access = memory.u32(at + PoolEntry.access);
      const valueType = memory.text(at + PoolEntry.valueType);
      return {
        id: memory.u32(at + PoolEntry.id),
        path: memory.text(at + PoolEntry.path),
        valueType,
        number: NUMBERS.get(valueType),
        watched: (access & Access.WATCH) !== 0,
        emits: (access & Access.EMIT) !== 0,
        readable: (access & Access.READ) !== 0,
      };
    };
    const sender = (index: number) => memory.text(memory.u64(added + FlowOpen.senders) + 16 * index);
    const count = (at: number) => ({ length: memory.u64(added + at + 8) });
    this.names = new Names(
      Array.from(count(FlowOpen.pools), (_, index) => pool(index)),
      Array.from(count(FlowOpen.senders), (_, index) => sender(index)),
    );
    const { names } = this;
    return this.handler.open?.({
      ...context,
      pools: names.pools,
      senders: names.senders,
      log: log(this.engine),
      pool: (path) => {
        const found = names.find(path);
        if (found !== undefined) return found;
        const there = names.pools.map((each) => each.path).join(", ");
        throw new Error(`pool ${path} is not declared by this handler; it has ${there}`);
      },
    });
  }

  abstract run(frame: number): Answer;

  flush(frame: number): Answer {
    const { handler } = this;
    if (handler.flush === undefined) return;
    const emit = new Emitter(this.memory, this.names, this.engine, frame);
    const start = emit.mark();
    const end = (failed?: Failed): void => {
      emit.finish();
      if (failed !== undefined) emit.truncate(start);
      emit.store();
      if (failed !== undefined) throw new Failing(failed);
    };
    return ended(
      () => handler.flush?.(emit),
      () => end(),
      (thrown) => end({ thrown, item: None.ITEM }),
    );
  }

  close(): Answer {
    return this.handler.close?.();
  }
}

/** Calls, and then one of the others, whenever the call has ended. */
function ended(call: () => Answer, well: () => void, badly: (thrown: unknown) => void): Answer {
  let answer: Answer;
  try {
    answer = call();
  } catch (thrown) {
    return badly(thrown);
  }
  if (!isPromise(answer)) return well();
  return answer.then(well, badly);
}

function isPromise(answer: unknown): answer is Promise<void> {
  return typeof (answer as { then?: unknown } | undefined)?.then === "function";
}

/** Of a handler that is called once per object. */
export class ObjectBody extends FlowBody {
  override readonly form = "object";
  declare protected readonly handler: ObjectHandler;
  /** Whether it has ever answered with a promise. */
  private later = false;
  private readonly most: number;

  constructor(memory: Memory, engine: Engine, handler: ObjectHandler, inFlight: number | undefined) {
    super(memory, engine, handler);
    this.most = inFlight ?? IN_FLIGHT;
    if (!Number.isInteger(this.most) || this.most < 1) {
      throw new RangeError(`static inFlight is ${this.most}: write how many objects may run at a time, 1 at least`);
    }
  }

  run(frame: number): Answer {
    const { memory, names, engine, handler } = this;
    const items = memory.u64(frame + FlowFrame.items);
    const count = memory.u64(frame + FlowFrame.items + 8);
    const emit = new Emitter(memory, names, engine, frame);
    if (this.later) return this.runLater(frame, items, count, emit, 0);
    const object = new ObjectView(memory, names);
    const done = (frame + FlowFrame.done) >>> 2;
    const chunk = (frame + FlowFrame.out + Output.chunk) >>> 2;
    // Where the output stood before the object.
    let startAt = emit.at;
    let startChunk = memory.words[chunk]!;
    let index = 0;
    try {
      for (let at = items; index < count; at += Item.$bytes) {
        object.at = at;
        emit.item = index;
        const answer = handler.onObject(object, emit) as Answer;
        if (answer !== undefined && isPromise(answer)) {
          this.later = true;
          emit.hold();
          const out = new Emitter(memory, names, engine, frame);
          out.moveTo(emit);
          const start = { at: startAt, chunk: startChunk };
          return this.runLater(frame, items, count, out, index, { view: object, emit, answer, start });
        }
        if (emit.at !== startAt) {
          emit.store();
          startAt = emit.at;
          startChunk = memory.words[chunk]!;
        }
        index += 1;
        // Behind all that the object has emitted.
        memory.words[done] = index;
      }
    } catch (thrown) {
      emit.truncate({ at: startAt, chunk: startChunk });
      throw new Failing({ thrown, item: index });
    } finally {
      if (!this.later) {
        object.at = 0;
        emit.finish();
      }
    }
  }

  private async runLater(
    frame: number,
    items: number,
    count: number,
    out: Emitter,
    first: number,
    begun?: Begun,
  ): Promise<void> {
    const { memory, names, engine, handler, most } = this;
    const finished = (index: number): void => {
      out.store();
      memory.setU32(frame + FlowFrame.done, index + 1);
    };
    const run: Run = { memory, names, engine, handler, frame, items, count, most, out, finished };
    const stopped = await runLater(run, first, begun);
    out.finish();
    // What it emitted before it answered was written at once, as nothing was before it.
    if (begun !== undefined && stopped?.index === first) out.truncate(begun.start);
    if (stopped !== undefined) throw new Failing({ thrown: stopped.thrown, item: stopped.index });
  }
}

/** Of a handler that takes the whole batch. */
export class BatchBody extends FlowBody {
  override readonly form = "batch";
  declare protected readonly handler: BatchHandler;

  run(frame: number): Answer {
    const emit = new Emitter(this.memory, this.names, this.engine, frame);
    const batch = new BatchView(this.memory, this.names, frame, emit);
    return ended(
      () => this.handler.onBatch(batch, emit),
      () => {
        batch.done(batch.length);
        batch.finish();
        emit.finish();
      },
      (thrown) => {
        batch.finish();
        emit.finish();
        emit.truncate(batch.kept);
        throw new Failing({ thrown, item: None.ITEM });
      },
    );
  }
}
