/** From a FLOW frame to a handler's methods and back. */

import { About, ErrorSlot, FlowFrame, FlowOpen, Item, Kind, OpenFrame, Output, PoolEntry, Access, type Status } from "../abi.js";
import { awaited, type Body, type Failed, Failing, isPromise } from "../body.js";
import { type Context, Names, log } from "../context.js";
import type { Engine } from "../engine.js";
import type { Answer, BatchHandler, HandlerClass, ObjectHandler } from "../handler.js";
import type { Memory } from "../memory.js";
import { NUMBERS } from "../numbers.js";
import { BatchView } from "./batch.js";
import { Emitter } from "./emit.js";
import { ObjectView } from "./object.js";
import { Forms } from "./typed.js";

/** A flow's pools and senders, as OPEN says them. */
export abstract class FlowBody implements Body {
  readonly kind = Kind.FLOW;
  readonly least = FlowFrame.$bytes;
  protected names = new Names();
  private readonly forms: Forms;

  abstract readonly form: string;

  constructor(
    protected readonly memory: Memory,
    protected readonly engine: Engine,
    protected readonly handler: ObjectHandler | BatchHandler,
  ) {
    const forms = Forms.of(handler.constructor as HandlerClass);
    // One that says something wrong of itself is no handler.
    this.forms = forms instanceof Forms ? forms : Forms.NONE;
  }

  describe(say: (about: number, key: string, value: string) => void): void {
    say(About.FORM, this.form, "");
    const { takes, gives } = this.forms;
    if (takes !== undefined) say(About.TAKES, takes.name, "");
    for (const { name } of gives) say(About.GIVES, name, "");
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
      this.forms,
    );
    const { names } = this;
    this.forms.check(names.pools);
    const answer = this.handler.open?.({
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
    return awaited(answer);
  }

  abstract run(frame: number): Answer | Status.PENDING;

  cancel(_frame: number, _why: number): void {
    // Nothing is left open, unless a body says so.
  }

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
      (thrown) => end({ thrown, item: ErrorSlot.NO_ITEM }),
    );
  }

  close(): Answer {
    return awaited(this.handler.close?.());
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

/** The event loop's time, which handlers share with all else that runs on it. */
export interface Turn {
  /** Whether it has stood still for long enough. */
  isOver(): boolean;
  /** Once it has gone round. */
  next(): Promise<void>;
}

/** Objects that are handled at least between two looks at the clock, where they are quick. */
const LOOK = 16;

/** A batch that is being handled. */
interface Handling {
  readonly frame: number;
  readonly items: number;
  readonly count: number;
  readonly emit: Emitter;
  readonly object: ObjectView;
  index: number;
}

/** Of a handler that is called once per object and answers at once. */
export class ObjectBody extends FlowBody {
  override readonly form = "object";
  declare protected readonly handler: ObjectHandler;

  constructor(
    memory: Memory,
    engine: Engine,
    handler: ObjectHandler,
    private readonly turn?: Turn,
  ) {
    super(memory, engine, handler);
  }

  run(frame: number): Answer {
    const { memory, names } = this;
    const items = memory.u64(frame + FlowFrame.items);
    const count = memory.u64(frame + FlowFrame.items + 8);
    const emit = new Emitter(memory, names, this.engine, frame);
    const handling = { frame, items, count, emit, object: new ObjectView(memory, names), index: 0 };
    return this.turn === undefined ? this.handle(handling, count) : this.inTurns(handling, this.turn);
  }

  private inTurns(handling: Handling, turn: Turn): Answer {
    // Slow ones are looked at one by one.
    for (let step = 1; handling.index < handling.count; step = Math.min(2 * step, LOOK)) {
      this.handle(handling, Math.min(handling.index + step, handling.count));
      if (handling.index < handling.count && turn.isOver()) {
        handling.emit.pause();
        return turn.next().then(() => {
          handling.emit.resume();
          return this.inTurns(handling, turn);
        });
      }
    }
  }

  /** Handles those before `until`. */
  private handle(handling: Handling, until: number): void {
    const { memory, names, handler } = this;
    const { frame, items, emit, object } = handling;
    const typed = names.forms.takes !== undefined;
    const done = (frame + FlowFrame.done) >>> 2;
    const chunk = (frame + FlowFrame.out + Output.chunk) >>> 2;
    // Where the output stood before the object.
    let startAt = emit.at;
    let startChunk = memory.words[chunk]!;
    let { index } = handling;
    let ended = true;
    try {
      for (let at = items + Item.$bytes * index; index < until; at += Item.$bytes) {
        if (typed) object.show(at);
        else object.at = at;
        emit.item = index;
        const answer = handler.onObject(object, emit) as Answer;
        if (answer !== undefined && isPromise(answer)) throw promised(answer);
        if (emit.at !== startAt) {
          emit.store();
          startAt = emit.at;
          startChunk = memory.words[chunk]!;
        }
        index += 1;
        // Behind all that the object has emitted.
        memory.words[done] = index;
      }
      ended = until === handling.count;
      handling.index = index;
    } catch (thrown) {
      emit.truncate({ at: startAt, chunk: startChunk });
      throw new Failing({ thrown, item: index });
    } finally {
      object.at = 0;
      if (ended) emit.finish();
    }
  }
}

/** What is wrong with an answer that comes later, of which nobody knew. */
function promised(answer: Promise<void>): TypeError {
  // What it comes to is nobody's any more.
  Promise.resolve(answer).then(undefined, () => {});
  return new TypeError(
    "onObject returned a promise, and nothing says that it answers later: write `async onObject`, or " +
      "`static answersLater = true` in its class",
  );
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
        throw new Failing({ thrown, item: ErrorSlot.NO_ITEM });
      },
    );
  }
}
