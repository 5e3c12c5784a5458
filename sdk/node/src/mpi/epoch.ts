/** What is done to windows between two points in time. */

import { type ArrayType, bytesOf, type Element, like, made as roomOf, type TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import { countOf, placeOf, rankOf } from "./given.js";
import { Transfer } from "./messages.js";
import { told, viewed } from "./memory.js";
import { checked, native, type NativeCombining, type NativeEpoch, type NativeExposure } from "./native.js";
import { Named } from "./operation.js";
import { Request } from "./request.js";

/** What windows combine by: an operation of MPI's own, or {@link Replace}. */
export type WindowOperation = Named | Exchange;

/** An operation of windows alone. */
export class Exchange {
  /** @internal */
  constructor(readonly name: string) {}
}

/** What is there is replaced. */
export const Replace = new Exchange("Replace");
const Nothing = new Exchange("Nothing");

const made = new Map<string, NativeCombining>();

function combining(operation: WindowOperation, number: string | undefined, what: string): NativeCombining {
  if (!(operation instanceof Named || operation instanceof Exchange)) {
    throw new MpiError("usage", `${what}: a function is run by nobody at the rank whose memory it is; use an operation of MPI's own, as Sum`);
  }
  if (number === undefined) throw new MpiError("usage", `${what}: MPI has no such numbers`);
  const name = `${operation.name} ${number}`;
  let found = made.get(name);
  if (found === undefined) {
    found = checked(() => new native.UpcallMpiCombining(operation.name, number));
    made.set(name, found);
  }
  return found;
}

/** What a window's elements are. */
export interface ElementsOf<A extends TypedArray> {
  readonly type: ArrayType<A>;
  /** The number of MPI's; none where it has none. */
  readonly number: string | undefined;
}

/** What is open on a window from its beginning until `end`, or the end of `using`. */
export abstract class Span<A extends TypedArray> {
  private open: NativeEpoch | undefined;
  /** @internal It is there as long. */
  protected readonly window: object;

  /** @internal */
  constructor(window: object, epoch: NativeEpoch, /** @internal */ protected readonly of: ElementsOf<A>) {
    this.window = window;
    this.open = epoch;
  }

  /** Ends it: what was begun is done. A second call does nothing. Throws an {@link MpiError} where what was begun has failed. */
  end(): void {
    const epoch = this.open;
    if (epoch === undefined) return;
    try {
      checked(() => epoch.end());
      this.ended();
    } finally {
      // A call that was refused has left it open.
      if (epoch.has_ended()) {
        this.open = undefined;
        epoch.release();
      }
    }
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** @internal */
  protected ended(): void {}

  /** @internal The epoch, which is open. */
  protected get epoch(): NativeEpoch {
    if (this.open === undefined) throw new MpiError("synchronization", "use an epoch of a window: it has ended; begin another");
    return this.open;
  }

  /** @internal */
  protected memory(rank: number): A {
    const [epoch, number] = [this.epoch, rankOf(rank, "find a window's memory", "rank")];
    checked(() => epoch.memory(number, told));
    return viewed(this.of.type, told);
  }
}

/**
 * What is done to other ranks' memory between two points in time: see {@link Window}. What was given is copied, and may be changed at
 * once; what is fetched is there when the epoch has ended.
 */
export class Epoch<A extends TypedArray> extends Span<A> {
  private readonly then: (() => void)[] = [];

  /** Writes elements at a rank, from its element `at` on. */
  put(data: A, rank: number, at = 0): void {
    const [epoch, bytes, to, place] = [this.epoch, this.bytes(data, "put"), rankOf(rank, "put", "rank"), placeOf(at, "put", "at")];
    checked(() => epoch.put(bytes, to, place));
  }

  /** Reads elements of a rank's, from its element `at` on, into an array, which is filled when the epoch has ended. */
  get(into: A, rank: number, at = 0): void {
    const [epoch, from, place] = [this.epoch, rankOf(rank, "get", "rank"), placeOf(at, "get", "at")];
    const room = this.room(into, "get");
    checked(() => epoch.get_lent(native.addressOf(room), room.length, from, place, () => void room));
  }

  /**
   * Combines elements into those of a rank's, each at once, by `Sum` and its like or {@link Replace}. Several ranks may do so to the
   * same elements, with one operation.
   */
  accumulate(data: A, rank: number, at: number, operation: WindowOperation): void {
    const what = "accumulate";
    const [epoch, bytes, to, place] = [this.epoch, this.bytes(data, what), rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(operation, this.of.number, what);
    checked(() => epoch.accumulate(bytes, to, place, by));
  }

  /** As `accumulate`; `before` has what was there before, when the epoch has ended. */
  getAccumulate(data: A, before: A, rank: number, at: number, operation: WindowOperation): void {
    const what = "get and accumulate";
    const [epoch, bytes, to, place] = [this.epoch, this.bytes(data, what), rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(operation, this.of.number, what);
    const room = this.room(before, what);
    checked(() => epoch.get_accumulate_lent(bytes, native.addressOf(room), room.length, to, place, by, () => void room));
  }

  /** Combines one number into one of a rank's at once; `before`, of one element, is what was there, when the epoch has ended. */
  fetchAndOpInto(value: Element<A>, before: A, rank: number, at: number, operation: WindowOperation): void {
    const what = "fetch and combine";
    const [epoch, to, place] = [this.epoch, rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(operation, this.of.number, what);
    const [one, room] = [bytesOf(this.one(value), what), this.room(before, what)];
    checked(() => epoch.fetch_and_op_lent(one, native.addressOf(room), room.length, to, place, by, () => void room));
  }

  /**
   * Writes an integer at a rank if what is there is `expected`, at once; `before`, of one element, is what was there, when the epoch
   * has ended.
   */
  compareAndSwapInto(expected: Element<A>, value: Element<A>, before: A, rank: number, at: number): void {
    const what = "compare and swap";
    const [epoch, to, place] = [this.epoch, rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(Replace, this.of.number, what);
    const [wanted, one] = [bytesOf(this.one(expected), what), bytesOf(this.one(value), what)];
    const room = this.room(before, what);
    checked(() => epoch.compare_and_swap_lent(wanted, one, native.addressOf(room), room.length, to, place, by, () => void room));
  }

  /** @internal */
  protected override ended(): void {
    for (const fill of this.then.splice(0)) fill();
  }

  /** @internal The bytes of an array that has the window's elements. */
  protected bytes(data: A, what: string): Uint8Array {
    const bytes = bytesOf(data, what);
    const wanted = this.of.type.name === "Buffer" ? "Uint8Array" : this.of.type.name;
    if (data[Symbol.toStringTag] !== wanted) {
      throw new MpiError("type", `${what}: the window has the elements of a ${wanted}, and given is a ${data[Symbol.toStringTag]}`);
    }
    return bytes;
  }

  /** @internal An array of one element. */
  protected one(value: Element<A>): A {
    const one = this.made(1);
    (one as unknown as Element<A>[])[0] = value;
    const is = one[0] as Element<A>;
    const same = one instanceof Float32Array ? Math.fround(Number(value)) : value;
    if (typeof value !== typeof is || !(Object.is(is, same) || is === same)) {
      throw new MpiError("type", `access a window of ${this.of.type.name}: ${String(value)} is no element of it`);
    }
    return one;
  }

  /** An array of so many elements, which are zero. */
  protected made(count: number): A {
    return roomOf(this.of.type, count * (this.of.type.BYTES_PER_ELEMENT ?? 1), "access a window");
  }

  /** Memory that nobody else knows, from which an array is filled at the end. */
  private room(into: A, what: string): Uint8Array {
    const room = new Uint8Array(this.bytes(into, what).length);
    this.then.push(() => bytesOf(into, what).set(room));
    return room;
  }
}

/** An epoch of locks, whose operations may be completed before it ends, and which has such as are complete when they return. */
export class PassiveEpoch<A extends TypedArray> extends Epoch<A> {
  /** Completes what was begun with a rank, or with all: there too. */
  flush(rank?: number): void {
    this.flushed(rank, false);
  }

  /** Completes what was begun with a rank, or with all, on this side only: what was put may not be there yet. */
  flushLocal(rank?: number): void {
    this.flushed(rank, true);
  }

  private flushed(rank: number | undefined, local: boolean): void {
    const [epoch, number] = [this.epoch, rank === undefined ? native.UPCALL_MPI_ANY : rankOf(rank, "flush", "rank")];
    checked(() => epoch.flush(number, local));
  }

  /** Elements of a rank's. */
  fetch(rank: number, at: number, count: number): A {
    const into = this.made(countOf(count, "fetch", "count"));
    const [epoch, from, place] = [this.epoch, rankOf(rank, "fetch", "rank"), placeOf(at, "fetch", "at")];
    checked(() => epoch.fetch(bytesOf(into, "fetch"), from, place));
    return into;
  }

  /** Combines elements into those of a rank's, each at once: what was there before. */
  fetchAndAccumulate(data: A, rank: number, at: number, operation: WindowOperation): A {
    const what = "fetch and accumulate";
    const [epoch, bytes, to, place] = [this.epoch, this.bytes(data, what), rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(operation, this.of.number, what);
    const before = like(data, data.length);
    checked(() => epoch.fetch_and_accumulate(bytes, bytesOf(before, what), to, place, by));
    return before;
  }

  /** Combines one number into one of a rank's at once: what was there before. */
  fetchAndOp(value: Element<A>, rank: number, at: number, operation: WindowOperation): Element<A> {
    return this.fetched(this.one(value), rank, at, operation);
  }

  /**
   * Begins to write elements at a rank, which may be changed at once; they are there when the epoch has ended, or after a `flush`. A
   * request that nobody waits for ends with the epoch, as do those below.
   */
  startPut(data: A, rank: number, at = 0): Request<void> {
    const what = "begin to put";
    const [epoch, bytes, to, place] = [this.epoch, this.bytes(data, what), rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    return new Request(new Transfer(checked(() => epoch.start_put(bytes, to, place)), () => undefined));
  }

  /** Begins to read elements of a rank's, which the request brings. */
  startGet(rank: number, at: number, count: number): Request<A> {
    const what = "begin to get";
    const [epoch, from, place, into] = [this.epoch, rankOf(rank, what, "rank"), placeOf(at, what, "at"), this.made(countOf(count, what, "count"))];
    const request = checked(() => epoch.start_get(into.byteLength, from, place));
    return new Request(new Transfer(request, (came) => (came.copy(bytesOf(into, what)), into)));
  }

  /** Begins to combine elements into those of a rank's, as `accumulate`; they may be changed at once. */
  startAccumulate(data: A, rank: number, at: number, operation: WindowOperation): Request<void> {
    const what = "begin to accumulate";
    const [epoch, bytes, to, place] = [this.epoch, this.bytes(data, what), rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(operation, this.of.number, what);
    return new Request(new Transfer(checked(() => epoch.start_accumulate(bytes, to, place, by)), () => undefined));
  }

  /** One number of a rank's, read at once, whatever others combine into it meanwhile. */
  load(rank: number, at: number): Element<A> {
    return this.fetched(this.made(1), rank, at, Nothing);
  }

  /** Numbers of a rank's, each read at once, whatever others combine into them meanwhile. */
  loadAll(rank: number, at: number, count: number): A {
    return this.fetchAndAccumulate(this.made(countOf(count, "load", "count")), rank, at, Nothing);
  }

  private fetched(one: A, rank: number, at: number, operation: WindowOperation): Element<A> {
    const what = "fetch and combine";
    const [epoch, to, place] = [this.epoch, rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(operation, this.of.number, what);
    const before = this.made(1);
    checked(() => epoch.fetch_and_op(bytesOf(one, what), bytesOf(before, what), to, place, by));
    return before[0] as Element<A>;
  }

  /** Writes an integer at a rank if what is there is `expected`, at once: what was there. */
  compareAndSwap(expected: Element<A>, value: Element<A>, rank: number, at: number): Element<A> {
    const what = "compare and swap";
    const [epoch, to, place] = [this.epoch, rankOf(rank, what, "rank"), placeOf(at, what, "at")];
    const by = combining(Replace, this.of.number, what);
    const [wanted, one, before] = [this.one(expected), this.one(value), this.made(1)];
    checked(() => epoch.compare_and_swap(bytesOf(wanted, what), bytesOf(one, what), bytesOf(before, what), to, place, by));
    return before[0] as Element<A>;
  }
}

/** A rank's memory, in place: no other rank reads or writes it until this ends. */
export class LocalMemory<A extends TypedArray> extends Span<A> {
  private seen: A | undefined;

  /** @internal */
  constructor(window: object, epoch: NativeEpoch, of: ElementsOf<A>, private readonly rank: number) {
    super(window, epoch, of);
  }

  /** The elements, not to be used when this has ended. */
  get array(): A {
    void this.epoch;
    return (this.seen ??= this.memory(this.rank));
  }
}

/** The memory of all ranks of a shared window, to read and not to write, while nobody writes it. */
export class Neighbors<A extends TypedArray> extends Span<A> {
  /** A rank's elements, not to be used when this has ended. */
  at(rank: number): A {
    return this.memory(rank);
  }
}

/** This rank's memory, which others access until it is waited for, as the end of `using` does. */
export class Exposure {
  private open: NativeExposure | undefined;
  /** @internal It is there as long. */
  protected readonly window: object;

  /** @internal */
  constructor(window: object, exposure: NativeExposure) {
    this.window = window;
    this.open = exposure;
  }

  /** Waits until all ranks that it is for have ended their access. A second call does nothing. */
  wait(): void {
    const exposure = this.open;
    if (exposure === undefined) return;
    checked(() => exposure.wait());
    this.ended(exposure);
  }

  /** Whether they have, which ends it. */
  test(): boolean {
    const exposure = this.open;
    if (exposure === undefined) return true;
    if (!checked(() => exposure.test())) return false;
    this.ended(exposure);
    return true;
  }

  private ended(exposure: NativeExposure): void {
    this.open = undefined;
    exposure.release();
  }

  [Symbol.dispose](): void {
    this.wait();
  }
}
