/** The events of some pools. */

import { checked, type NativeWatch } from "./bindings.js";
import type { Signal } from "../flow/object.js";
import type { NumberType } from "../numbers.js";
import { isAborted, reasonOf, whenAborted } from "./signal.js";
import { eventsOf, type FlowEvent } from "./values.js";

/**
 * The events of some pools, from the moment when it was made: `for await (const event of watch)`. It ends with the flow, with a loop
 * that walks it, or by `close()`. Where several walk it at the same time, each event goes to one of them. One that is walked too
 * slowly is told how many events of a pool it has missed, and never holds up the flow.
 */
export class Watch implements AsyncIterableIterator<FlowEvent> {
  private seen: FlowEvent[] = [];
  private next_ = 0;
  private over = false;
  /** Calls of `next()` that have not ended, and the last of them. */
  private waiting = 0;
  private tail: Promise<unknown> = Promise.resolve();
  /** Ends a wait. */
  private wake = (): void => {};
  private deafen = (): void => {};
  private why: { readonly reason: unknown } | undefined;

  /** @internal */
  constructor(
    private readonly watch: NativeWatch,
    private readonly numbers: ReadonlyMap<string, NumberType>,
    signal?: Signal,
  ) {
    if (signal === undefined) return;
    const aborted = (): void => {
      this.why = { reason: reasonOf(signal) };
      this.close();
    };
    if (isAborted(signal)) aborted();
    else this.deafen = whenAborted(signal, aborted);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * The next event. Waits until there is one; aborted, it rejects with the reason of its signal. Calls that wait at the same time are
   * given events in their order.
   */
  next(): Promise<IteratorResult<FlowEvent, undefined>> {
    const take = () => this.take();
    // One asks the engine at a time: it wakes only who asked last.
    const taken = this.waiting++ === 0 ? take() : this.tail.then(take, take);
    this.tail = taken;
    return taken;
  }

  private async take(): Promise<IteratorResult<FlowEvent, undefined>> {
    try {
      return await this.event();
    } finally {
      this.waiting--;
    }
  }

  private async event(): Promise<IteratorResult<FlowEvent, undefined>> {
    while (!this.over) {
      if (this.next_ < this.seen.length) return { done: false, value: this.seen[this.next_++]! };
      // Asked first: what comes before the end is there then.
      const ended = checked(() => this.watch.has_ended());
      let woken = (): void => {};
      const more = new Promise<void>((resolve) => (woken = resolve));
      const given = checked(() => this.watch.poll(woken));
      this.seen = eventsOf(given.array, this.numbers);
      this.next_ = 0;
      given.release();
      if (this.seen.length > 0) continue;
      if (ended) this.close();
      else {
        this.wake = woken;
        await more;
      }
    }
    const { why } = this;
    this.why = undefined;
    if (why !== undefined) throw why.reason;
    return { done: true, value: undefined };
  }

  /** Ends it, as a loop does that is left. */
  async return(): Promise<IteratorResult<FlowEvent, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Ends it: a wait for the next event ends too. */
  close(): void {
    if (this.over) return;
    this.over = true;
    this.deafen();
    this.seen = [];
    this.watch.release();
    this.wake();
  }
}
