/** What is known of a message. */

import type { ArrayType, TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import { native, type NativeStatus } from "./native.js";

/** Any rank, or any tag. */
export const Any: unique symbol = Symbol("any");
export type Any = typeof Any;

/** What is known of a message. */
export class Status {
  constructor(
    /** The rank that has sent it; -1 where the receive was cancelled. */
    readonly source: number,
    /** Its tag. */
    readonly tag: number,
    /** How many bytes it has. */
    readonly bytes: number,
    /** Whether the receive was cancelled before anything arrived. */
    readonly cancelled: boolean,
  ) {}

  /** How many elements of this type it has. Throws an {@link MpiError} where they are not whole. */
  count(of: Pick<ArrayType<TypedArray>, "name" | "BYTES_PER_ELEMENT">): number {
    const size = of.BYTES_PER_ELEMENT ?? 1;
    if (this.bytes % size === 0) return this.bytes / size;
    throw new MpiError("type", `count the elements of a message: its ${this.bytes} bytes are not whole elements of a ${of.name}`);
  }
}

/** An array that has arrived. */
export class Received<A> extends Status {
  constructor(
    readonly data: A,
    { source, tag, bytes, cancelled }: Status,
  ) {
    super(source, tag, bytes, cancelled);
  }
}

/** An object that has arrived. */
export class ReceivedObject<T> extends Status {
  constructor(
    readonly value: T,
    { source, tag, bytes, cancelled }: Status,
  ) {
    super(source, tag, bytes, cancelled);
  }
}

/** Where the library writes a status: read before the next call. */
export const room: NativeStatus = new native.UpcallMpiStatus();

export function told(): Status {
  return new Status(room.source, room.tag_, Number(room.bytes), room.cancelled !== 0n);
}
