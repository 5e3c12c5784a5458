/** Messages from rank to rank. */

import { type ArrayType, bytesOf, made, type TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import { anyTagOf, bytesFor, rankOf, sizeOf, sourceOf, tagOf } from "./given.js";
import type { Key } from "./key.js";
import { checked, native, type NativeCommunicator, type NativeMessage, type NativeRequest } from "./native.js";
import { type Going, Request } from "./request.js";
import { Any, Received, ReceivedObject, room, type Status, told } from "./status.js";
import { type Serializer, structured, unwritten } from "./serializer.js";

const { Standard, Synchronous, Ready } = native.UpcallMpiMode;

/** A message that is this process's to receive: nobody else gets it. */
export class Message {
  private taken = false;

  /** @internal */
  constructor(
    private readonly message: NativeMessage,
    /** Who has sent it, with which tag, and how large it is. */
    readonly status: Status,
    private readonly serializer: Serializer,
  ) {}

  /** Receives it. What is no whole number of such elements is thrown away, with an `MpiError`. */
  receive<A extends TypedArray>(of: ArrayType<A>): Received<A> {
    let data: A;
    sizeOf(of, "receive");
    try {
      data = made(of, this.status.bytes, "receive");
    } catch (thrown) {
      // Its sender may wait until it is received.
      this.discard();
      throw thrown;
    }
    return new Received(data, this.receiveInto(data));
  }

  /** Throws it away. */
  discard(): void {
    this.taken = true;
    checked(() => this.message.release());
  }

  /** Receives it into an array that may have room for more. Where it is larger it is thrown away, with an `MpiError`. */
  receiveInto(into: ArrayBufferView): Status {
    this.take(bytesOf(into, "receive"));
    return this.status;
  }

  /** Receives an object. */
  receiveObject<T = unknown>(): ReceivedObject<T> {
    const bytes = new Uint8Array(this.status.bytes);
    this.take(bytes);
    return new ReceivedObject(this.serializer.read(bytes) as T, this.status);
  }

  private take(into: Uint8Array): void {
    checked(() => {
      if (this.taken) throw new MpiError("usage", "receive a message that was matched: it has been received");
      this.taken = true;
      this.message.receive_into(into);
      this.message.release();
    });
  }
}

export abstract class Messages {
  /** This process's rank, from 0 on. */
  readonly rank: number;
  /** How many processes there are. */
  readonly size: number;
  /** Writes and reads objects. All ranks have the same. */
  serializer: Serializer = structured;

  /** @internal */
  constructor(/** @internal */ readonly native: NativeCommunicator) {
    this.rank = native.rank();
    this.size = native.size();
  }

  /** The largest tag that messages may have: 32,767 or more. */
  get largestTag(): number {
    return checked(() => this.native.largest_tag());
  }

  /**
   * Keeps a value with this communicator, on this process, instead of what was there under this key. It is let go of when it is
   * replaced or removed, or the communicator is freed.
   */
  set<T>(key: Key<T>, value: T): void {
    key.set(this.native, value);
  }

  /** What is kept with this communicator under a key; `undefined` where nothing is. */
  get<T>(key: Key<T>): T | undefined {
    return key.get(this.native);
  }

  /** Takes away what is kept with this communicator under a key. Returns whether there was anything. */
  remove(key: Key<unknown>): boolean {
    return key.remove(this.native);
  }

  /** Sends an array. Returns when it may be changed again, which may be before or after it is received. */
  send(data: ArrayBufferView, to: number, tag = 0): void {
    this.sent(data, to, tag, Standard);
  }

  /** As `send`; returns when the receiver has begun to receive. */
  sendSynchronous(data: ArrayBufferView, to: number, tag = 0): void {
    this.sent(data, to, tag, Synchronous);
  }

  /** As `send`, where the receiver is known to wait already. */
  sendReady(data: ArrayBufferView, to: number, tag = 0): void {
    this.sent(data, to, tag, Ready);
  }

  /** @internal */
  protected sent(data: ArrayBufferView, to: number, tag: number, mode: number): void {
    const bytes = bytesOf(data, "send");
    const [rank, number] = [rankOf(to, "send", "to"), tagOf(tag, "send", "tag")];
    checked(() => this.native.send(bytes, rank, number, mode));
  }

  /** Sends an object. */
  sendObject(value: unknown, to: number, tag = 0): void {
    this.send(this.written(value), to, tag);
  }

  /** Receives into an array that may have room for more. */
  receiveInto(into: ArrayBufferView, from: number | Any = Any, tag: number | Any = Any): Status {
    const bytes = bytesOf(into, "receive");
    const [source, number] = [sourceOf(from, "receive", "from"), anyTagOf(tag, "receive", "tag")];
    checked(() => this.native.receive_into(bytes, source, number, room));
    return told();
  }

  /** Receives an array of any length, in an array of this type. */
  receive<A extends TypedArray>(of: ArrayType<A>, from: number | Any = Any, tag: number | Any = Any): Received<A> {
    sizeOf(of, "receive");
    return this.matched(from, tag).receive(of);
  }

  /** Receives an object. */
  receiveObject<T = unknown>(from: number | Any = Any, tag: number | Any = Any): ReceivedObject<T> {
    return this.matched(from, tag).receiveObject<T>();
  }

  /** Sends to one rank and receives from another in one call, which cannot block each other. */
  sendReceive(
    data: ArrayBufferView, to: number, sendTag: number,
    into: ArrayBufferView, from: number | Any = Any, receiveTag: number | Any = Any,
  ): Status {
    const what = "send and receive";
    const [bytes, target] = [bytesOf(data, what), bytesOf(into, what)];
    const [rank, number] = [rankOf(to, what, "to"), tagOf(sendTag, what, "sendTag")];
    const [source, other] = [sourceOf(from, what, "from"), anyTagOf(receiveTag, what, "receiveTag")];
    checked(() => this.native.send_receive(bytes, rank, number, target, source, other, room));
    return told();
  }

  /** Waits until there is a message, and looks at it without receiving it. */
  probe(from: number | Any = Any, tag: number | Any = Any): Status {
    return this.looked(from, tag, true)!;
  }

  /** As `probe`, where one has arrived already. */
  tryProbe(from: number | Any = Any, tag: number | Any = Any): Status | undefined {
    return this.looked(from, tag, false);
  }

  private looked(from: number | Any, tag: number | Any, wait: boolean): Status | undefined {
    const what = "look for a message";
    const [source, number] = [sourceOf(from, what, "from"), anyTagOf(tag, what, "tag")];
    return checked(() => this.native.probe(source, number, wait, room)) ? told() : undefined;
  }

  /** Waits for a message and takes it, to be received later: nobody else gets it. */
  matched(from: number | Any = Any, tag: number | Any = Any): Message {
    return this.match(from, tag, true)!;
  }

  /** As `matched`, where one has arrived already. */
  tryMatched(from: number | Any = Any, tag: number | Any = Any): Message | undefined {
    return this.match(from, tag, false);
  }

  private match(from: number | Any, tag: number | Any, wait: boolean): Message | undefined {
    const what = "look for a message";
    const [source, number] = [sourceOf(from, what, "from"), anyTagOf(tag, what, "tag")];
    return checked(() => {
      const message = new native.UpcallMpiMessage();
      if (!this.native.matched(source, number, wait, message)) {
        message.release();
        return undefined;
      }
      message.status(room);
      return new Message(message, told(), this.serializer);
    });
  }

  /** Begins to send an array, which may be changed at once. */
  startSend(data: ArrayBufferView, to: number, tag = 0): Request<void> {
    return this.started(data, to, tag, Standard);
  }

  /** As `startSend`; ends when the receiver has begun to receive. */
  startSendSynchronous(data: ArrayBufferView, to: number, tag = 0): Request<void> {
    return this.started(data, to, tag, Synchronous);
  }

  /** Begins to send an object. */
  startSendObject(value: unknown, to: number, tag = 0): Request<void> {
    return this.started(this.written(value), to, tag, Standard);
  }

  /** @internal */
  protected started(data: ArrayBufferView, to: number, tag: number, mode: number): Request<void> {
    const what = "begin to send";
    const bytes = bytesOf(data, what);
    const [rank, number] = [rankOf(to, what, "to"), tagOf(tag, what, "tag")];
    const request = checked(() => this.native.start_send(bytes, rank, number, mode));
    return new Request(new Transfer(request, () => undefined));
  }

  /** Begins to receive at most `length` elements. */
  startReceive<A extends TypedArray>(
    of: ArrayType<A>, length: number, from: number | Any = Any, tag: number | Any = Any,
  ): Request<Received<A>> {
    return this.receiving(bytesFor(of, length, "begin to receive", "length"), from, tag, (request, status) => {
      const data = made(of, status.bytes, "receive");
      request.copy(bytesOf(data, "receive"));
      return new Received(data, status);
    });
  }

  /** Begins to receive into an array that may have room for more. It is written when the request is found to have ended. */
  startReceiveInto(into: ArrayBufferView, from: number | Any = Any, tag: number | Any = Any): Request<Status> {
    const bytes = bytesOf(into, "begin to receive").length;
    return this.receiving(bytes, from, tag, (request, status) => {
      request.copy(bytesOf(into, "receive"));
      return status;
    });
  }

  private receiving<T>(
    bytes: number, from: number | Any, tag: number | Any, result: (request: NativeRequest, status: Status) => T,
  ): Request<T> {
    const what = "begin to receive";
    const [source, number] = [sourceOf(from, what, "from"), anyTagOf(tag, what, "tag")];
    const request = checked(() => this.native.start_receive(bytes, source, number));
    return new Request(new Transfer(request, result));
  }

  /**
   * Begins to receive an object, of any size. It is looked for from now on, and other receives that fit it may take it first.
   * What was cancelled has no value.
   */
  startReceiveObject<T = unknown>(from: number | Any = Any, tag: number | Any = Any): Request<ReceivedObject<T | undefined>> {
    return this.matching(
      from, tag, (message) => message.receiveObject<T>(), () => new ReceivedObject<T | undefined>(undefined, NOTHING));
  }

  /**
   * Begins to receive an array of any length, in an array of this type, as `startReceiveObject`. What was cancelled is an empty one.
   */
  startReceiveAnySize<A extends TypedArray>(
    of: ArrayType<A>, from: number | Any = Any, tag: number | Any = Any,
  ): Request<Received<A>> {
    sizeOf(of, "begin to receive");
    return this.matching(from, tag, (message) => message.receive(of), () => new Received(made(of, 0, "receive"), NOTHING));
  }

  private matching<T>(from: number | Any, tag: number | Any, read: (message: Message) => T, nothing: () => T): Request<T> {
    sourceOf(from, "begin to receive", "from");
    anyTagOf(tag, "begin to receive", "tag");
    let found: Message | undefined;
    let cancelled = false;
    return new Request<T>({
      test: () => cancelled || (found ??= this.tryMatched(from, tag)) !== undefined,
      wait: () => {
        if (!cancelled) found ??= this.matched(from, tag);
      },
      cancel: () => void (cancelled = found === undefined),
      result: () => (found === undefined ? nothing() : read(found)),
    });
  }

  private written(value: unknown): Uint8Array {
    try {
      return this.serializer.write(value);
    } catch (thrown) {
      throw unwritten(thrown);
    }
  }
}

const NOTHING = { source: -1, tag: -1, bytes: 0, cancelled: true } as Status;

/** A request of the library's. */
export class Transfer<T> implements Going<T> {
  constructor(
    private readonly request: NativeRequest,
    private readonly then: (request: NativeRequest, status: Status) => T,
  ) {}

  test(): boolean {
    return checked(() => this.request.test(room));
  }

  wait(): void {
    checked(() => this.request.wait(room));
  }

  cancel(): void {
    checked(() => this.request.cancel());
  }

  result(): T {
    const status = told();
    return checked(() => {
      const result = this.then(this.request, status);
      this.request.release();
      return result;
    });
  }
}
