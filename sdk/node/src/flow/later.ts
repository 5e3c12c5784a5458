/** Objects whose handler answers later: each has a frame of its own, and many are open at a time. */

import { About, Cancelled, FlowFrame, Item, Status } from "../abi.js";
import { Failing, isPromise } from "../body.js";
import { CancelledError, ClosedError, type Ended, reason, TimedOutError } from "../ended.js";
import type { Engine } from "../engine.js";
import type { Answer, ObjectHandler } from "../handler.js";
import type { Memory } from "../memory.js";
import { FlowBody } from "./body.js";
import { Emitter, type Mark } from "./emit.js";
import { OpenObject } from "./object.js";

/** A call that is not answered yet. */
interface Call {
  readonly frame: number;
  readonly object: OpenObject;
  readonly emit: Emitter;
  /** Where the output stood before it. */
  readonly start: Mark;
}

/** Answers a call that was left open: well, or with what went wrong. */
export type Complete = (frame: number, failing?: Failing) => void;

/** Of a handler that is called once per object and answers later. */
export class LaterBody extends FlowBody {
  override readonly form = "object";
  declare protected readonly handler: ObjectHandler;
  /** By the offset of their frames. */
  private readonly calls = new Map<number, Call>();

  constructor(
    memory: Memory,
    engine: Engine,
    handler: ObjectHandler,
    private readonly complete: Complete,
  ) {
    super(memory, engine, handler);
  }

  override describe(say: (about: number, key: string, value: string) => void): void {
    super.describe(say);
    say(About.ANSWERS_LATER, "", "");
  }

  run(frame: number): void | Status.PENDING {
    const { memory, names } = this;
    const object = new OpenObject(memory, names);
    const item = this.item(frame);
    const emit = new Emitter(memory, names, this.engine, frame);
    emit.item = 0;
    const call = { frame, object, emit, start: emit.mark() };
    let answer: Answer;
    try {
      object.show(item);
      answer = this.handler.onObject(object, emit);
    } catch (thrown) {
      throw this.undone(call, thrown);
    }
    if (answer === undefined || !isPromise(answer)) {
      this.done(call);
      return;
    }
    this.calls.set(frame, call);
    // What only looks like a promise may call back as often as it likes.
    Promise.resolve(answer).then(
      () => {
        if (!this.take(call)) return;
        this.done(call);
        this.complete(frame);
      },
      (thrown: unknown) => {
        if (this.take(call)) this.complete(frame, this.undone(call, thrown));
      },
    );
    return Status.PENDING;
  }

  /** The frame's only item. What it points to may lie anywhere. */
  private item(frame: number): number {
    const { memory } = this;
    const item = memory.u64(frame + FlowFrame.items);
    memory.see(item + Item.$bytes);
    for (const slice of [item + Item.key, item + Item.value]) memory.see(memory.u64(slice) + memory.u64(slice + 8));
    return item;
  }

  /** Whether it is still open, which it is no longer. The offset of its frame may be that of another one by now. */
  private take(call: Call): boolean {
    return this.calls.get(call.frame) === call && this.calls.delete(call.frame);
  }

  private done({ frame, object, emit }: Call): void {
    object.finish();
    emit.finish();
    emit.store();
    // Behind all that the object has emitted.
    this.memory.setU32(frame + FlowFrame.done, 1);
  }

  private undone({ object, emit, start }: Call, thrown: unknown, why: Ended = ClosedError): Failing {
    object.finish(why);
    emit.finish(why);
    emit.truncate(start);
    return new Failing({ thrown, item: 0 });
  }

  override cancel(frame: number, why: number): void {
    const call = this.calls.get(frame);
    if (call !== undefined) this.abort(call, why === Cancelled.TIMED_OUT ? TimedOutError : CancelledError);
  }

  override close(): Answer {
    for (const call of [...this.calls.values()]) this.abort(call, ClosedError);
    return super.close();
  }

  /** Answers a call in its handler's place, and then tells the handler. */
  private abort(call: Call, why: Ended): void {
    // One that was told has ended others.
    if (!this.take(call)) return;
    const error = reason(why);
    this.complete(call.frame, this.undone(call, error, why));
    call.object.tell(error);
  }
}
