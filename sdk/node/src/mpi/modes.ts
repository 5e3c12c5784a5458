/** Messages in each of MPI's modes that go on, and those that are made ready once and started again and again. */

import { type ArrayType, bytesOf, made, type TypedArray } from "./arrays.js";
import { anyTagOf, bytesFor, rankOf, sourceOf, tagOf } from "./given.js";
import { Messages } from "./messages.js";
import { checked, native } from "./native.js";
import type { Request } from "./request.js";
import { Any, Received, told } from "./status.js";
import { Persistent } from "./together.js";

const { Standard, Synchronous, Ready, Buffered } = native.UpcallMpiMode;

export abstract class Modes extends Messages {
  /**
   * As `send`, of a copy in the buffer of sends: it returns whether or not anybody receives it. `Environment.attachBuffer` gives it
   * room; without, an `MpiError` is thrown, `buffer`, and nothing is sent.
   */
  sendBuffered(data: ArrayBufferView, to: number, tag = 0): void {
    this.sent(data, to, tag, Buffered);
  }

  /** As `sendReady`, with a request: the array may be changed at once. */
  startSendReady(data: ArrayBufferView, to: number, tag = 0): Request<void> {
    return this.started(data, to, tag, Ready);
  }

  /** As `sendBuffered`, with a request that has ended when it is begun. */
  startSendBuffered(data: ArrayBufferView, to: number, tag = 0): Request<void> {
    return this.started(data, to, tag, Buffered);
  }

  /** Makes a `send` ready. */
  sendInit(data: ArrayBufferView, to: number, tag = 0): Persistent<void> {
    return this.sends(data, to, tag, Standard);
  }

  /** As `sendInit`; a round ends when the receiver has begun to receive. */
  sendSynchronousInit(data: ArrayBufferView, to: number, tag = 0): Persistent<void> {
    return this.sends(data, to, tag, Synchronous);
  }

  /** As `sendInit`, where the receiver is known to wait already when a round is started. */
  sendReadyInit(data: ArrayBufferView, to: number, tag = 0): Persistent<void> {
    return this.sends(data, to, tag, Ready);
  }

  /**
   * As `sendInit`; each round copies the array into the buffer of sends, and has ended then. That there is no room for it is thrown by
   * `start`.
   */
  sendBufferedInit(data: ArrayBufferView, to: number, tag = 0): Persistent<void> {
    return this.sends(data, to, tag, Buffered);
  }

  private sends(data: ArrayBufferView, to: number, tag: number, mode: number): Persistent<void> {
    const what = "make a send ready";
    const [bytes, rank, number] = [bytesOf(data, what).length, rankOf(to, what, "to"), tagOf(tag, what, "tag")];
    return new Persistent(checked(() => this.native.send_init(bytes, rank, number, mode)), data, () => undefined);
  }

  /** Makes a receive of at most `length` elements ready. */
  receiveInit<A extends TypedArray>(
    of: ArrayType<A>, length: number, from: number | Any = Any, tag: number | Any = Any,
  ): Persistent<Received<A>> {
    const what = "make a receive ready";
    const [source, number] = [sourceOf(from, what, "from"), anyTagOf(tag, what, "tag")];
    const request = checked(() => this.native.receive_init(bytesFor(of, length, what, "length"), source, number));
    return new Persistent(request, undefined, (into) => {
      const status = told();
      const data = made(of, status.bytes, "receive");
      into(data);
      return new Received(data, status);
    });
  }
}
