/** Types of elements: messages that say theirs, and structs that MPI knows field by field. */

import { type ArrayType, bytesOf, copied, type TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import { anyTagOf, communicatorOf, countOf, rankOf, sourceOf, tagOf } from "./given.js";
import { checked, native, type NativeCommunicator, type NativeDatatype, type NativeElementType } from "./native.js";
import { numberOf } from "./operation.js";
import { Reproducible } from "./reproducible.js";
import { type Any, Received, room, told } from "./status.js";

/** One field of a struct. */
export interface TypeField {
  readonly name: string;
  /** The name of its type in Rust, as `f64`; of an array, of the array's elements. */
  readonly type: string;
  /** Bytes from the start of the struct. */
  readonly offset: number;
  /** Its bytes. */
  readonly size: number;
}

/**
 * A type of elements as programs in other languages have it: what messages of a `Checked` communicator compare, and what a
 * `Datatype` is made of. Typed arrays have theirs; a struct, which is bytes here, is described:
 *
 * ```js
 * const reading = new ElementType("Reading", 16, [
 *   { name: "sensor", type: "u32", offset: 0, size: 4 },
 *   { name: "value", type: "f64", offset: 8, size: 8 },
 * ]);
 * ```
 *
 * Types are the same where their names, sizes and fields are: of a struct in Rust its own names.
 */
export class ElementType {
  /** @internal */
  readonly native: NativeElementType;

  constructor(
    readonly name: string,
    /** The bytes of an element. */
    readonly size: number,
    fields: readonly TypeField[] = [],
  ) {
    const bytes = countOf(size, "describe a type", "size");
    this.native = checked(() => new native.UpcallMpiElementType(name, bytes));
    for (const field of fields) checked(() => this.native.field(field.name, field.type, field.offset, field.size));
  }

  /** @internal That of an array. */
  static of(array: ArrayBufferView): ElementType {
    const number = numberOf((array as TypedArray)[Symbol.toStringTag]);
    if (number === undefined) throw new MpiError("usage", "send or receive elements with their type: give an ElementType for them");
    let type = NUMBERS.get(number);
    if (type === undefined) {
      type = new ElementType(number, (array as TypedArray).BYTES_PER_ELEMENT);
      NUMBERS.set(number, type);
    }
    return type;
  }
}

const NUMBERS = new Map<string, ElementType>();

/**
 * A struct as MPI knows it: its fields, each a number at its place. What C programs make with `MPI_Type_create_struct` matches it
 * where their numbers do, in the order of the fields, wherever these lie. Padding does not travel.
 */
export class Datatype {
  /** @internal */
  readonly native: NativeDatatype;

  constructor(communicator: Typed, type: ElementType) {
    this.native = checked(() => new native.UpcallMpiDatatype(communicatorOf(communicator as never, "make a datatype"), type.native));
  }

  /** Bytes from one element to the next. */
  get extent(): number {
    return checked(() => this.native.extent());
  }

  /** Frees it. */
  free(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

export abstract class Typed extends Reproducible {
  /** @internal */
  get handle(): NativeCommunicator {
    return this.native;
  }

  /** Sends elements, as bytes, field by field. */
  sendTyped(data: ArrayBufferView, of: Datatype, to: number, tag = 0): void {
    const [bytes, rank, number] = [bytesOf(data, "send"), rankOf(to, "send", "to"), tagOf(tag, "send", "tag")];
    checked(() => this.native.send_typed(bytes, of.native, rank, number));
  }

  /** Receives elements field by field, however many there are, as bytes. Padding is zero. */
  receiveTyped(of: Datatype, from: number | Any, tag: number | Any): Received<Uint8Array> {
    const [rank, number] = [sourceOf(from, "receive", "from"), anyTagOf(tag, "receive", "tag")];
    const owned = checked(() => this.native.receive_typed(of.native, rank, number, room));
    const status = told();
    try {
      return new Received(copied(Uint8Array, owned.array, "receive"), status);
    } finally {
      owned.release();
    }
  }

  /** Receives elements field by field into bytes that may have room for more, and returns how many there were. Padding stays. */
  receiveTypedInto(into: ArrayBufferView, of: Datatype, from: number | Any, tag: number | Any): number {
    const [bytes, rank, number] = [bytesOf(into, "receive"), sourceOf(from, "receive", "from"), anyTagOf(tag, "receive", "tag")];
    return Number(checked(() => this.native.receive_typed_into(bytes, of.native, rank, number, room)));
  }

  /** Gives all ranks the elements of one, of which all have as many, field by field. */
  broadcastTyped(data: ArrayBufferView, of: Datatype, root = 0): void {
    const [bytes, rank] = [bytesOf(data, "broadcast"), rankOf(root, "broadcast", "root")];
    checked(() => this.native.broadcast_typed(bytes, of.native, rank));
  }
}

/** The element type of what is received. */
export function typeFor<A extends TypedArray>(of: ArrayType<A> | ElementType): ElementType {
  return of instanceof ElementType ? of : ElementType.of(new of(0));
}
