/** Messages that say which type their elements have. */

import { type ArrayType, bytesOf, copied, type TypedArray } from "./arrays.js";
import { anyTagOf, rankOf, sourceOf, tagOf } from "./given.js";
import { checked, type NativeChecked, type NativeCommunicator } from "./native.js";
import { type Any, Received, room, type Status, told } from "./status.js";
import { ElementType, typeFor } from "./typed.js";

/**
 * A communicator whose messages say which type their elements have: where the receiver's is another, it is an `MpiError` that names
 * both, in place of numbers that mean nothing.
 *
 * It is on where all of its ranks want it, which they tell each other when it is made; otherwise it costs nothing. Where it is on,
 * messages have a head of 64 bytes, so nothing else is sent on it. Typed arrays have a type; of other bytes give an `ElementType`.
 */
export class Checked<C> {
  /** Whether types are checked. */
  readonly isOn: boolean;

  /** @internal */
  constructor(
    private readonly native: NativeChecked,
    /** This process's rank, from 0 on. */
    readonly rank: number,
    /** How many processes there are. */
    readonly size: number,
    private readonly made: (communicator: NativeCommunicator) => C,
  ) {
    this.isOn = checked(() => native.is_on());
  }

  /** Sends an array. Returns when it may be changed again. */
  send(data: ArrayBufferView, to: number, tag = 0, type?: ElementType): void {
    const [bytes, rank, number] = [bytesOf(data, "send"), rankOf(to, "send", "to"), tagOf(tag, "send", "tag")];
    const of = (type ?? ElementType.of(data)).native;
    checked(() => this.native.send(bytes, of, rank, number));
  }

  /** Receives elements of a type, however many there are: of an `ElementType` their bytes. Where the sender's type is another the message is gone. */
  receive(of: ElementType, from: number | Any, tag: number | Any): Received<Uint8Array>;
  receive<A extends TypedArray>(of: ArrayType<A>, from: number | Any, tag: number | Any): Received<A>;
  receive<A extends TypedArray>(of: ArrayType<A> | ElementType, from: number | Any, tag: number | Any): Received<TypedArray> {
    const [rank, number, type] = [sourceOf(from, "receive", "from"), anyTagOf(tag, "receive", "tag"), typeFor(of)];
    const owned = checked(() => this.native.receive(type.native, rank, number, room));
    const status = told();
    try {
      const array: TypedArray = of instanceof ElementType
        ? copied(Uint8Array, owned.array, "receive")
        : copied(of, owned.array, "receive");
      return new Received(array, status);
    } finally {
      owned.release();
    }
  }

  /** Receives into an array that may have room for more. */
  receiveInto(into: ArrayBufferView, from: number | Any, tag: number | Any, type?: ElementType): Status {
    const [bytes, rank, number] = [bytesOf(into, "receive"), sourceOf(from, "receive", "from"), anyTagOf(tag, "receive", "tag")];
    const of = (type ?? ElementType.of(into)).native;
    checked(() => this.native.receive_into(bytes, of, rank, number, room));
    return told();
  }

  /** Sends an array to one rank and receives one, maybe of another type, from another, which cannot block each other. */
  sendReceive(
    data: TypedArray, to: number, sendTag: number, into: TypedArray, from: number | Any, receiveTag: number | Any,
  ): Status {
    const what = "send and receive";
    const [bytes, of, rank, number] = [bytesOf(data, what), ElementType.of(data).native, rankOf(to, what, "to"), tagOf(sendTag, what, "sendTag")];
    const [room_, intoOf, source, tag] = [bytesOf(into, what), ElementType.of(into).native, sourceOf(from, what, "from"), anyTagOf(receiveTag, what, "receiveTag")];
    checked(() => this.native.send_receive(bytes, of, rank, number, room_, intoOf, source, tag, room));
    return told();
  }

  /**
   * The communicator for what all ranks do together with elements of a type, which they compare: one small exchange, where types are
   * checked. Where a rank has another type it is an `MpiError` on all of them. What is sent from rank to rank on it is not checked.
   */
  together(of: ArrayType<TypedArray> | ElementType): C {
    return this.made(checked(() => this.native.together(typeFor(of).native)));
  }

  /** Frees it, which all its ranks do in the same order. */
  free(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
