/** Arrays of numbers, and the bytes that they are. */

import { told } from "../told.js";
import { MpiError } from "./error.js";
import { listOf } from "./given.js";

/** The arrays of numbers. */
export type Numbers =
  | Int8Array | Int16Array | Int32Array | Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array | Float32Array | Float64Array;
/** The arrays of bigints. */
export type BigInts = BigInt64Array | BigUint64Array;
/** What has elements. A `Buffer` is a `Uint8Array`. */
export type TypedArray = Numbers | BigInts;
/** What an array holds. */
export type Element<A extends TypedArray> = A extends BigInts ? bigint : number;

/** What makes such arrays: `Float64Array`, `Buffer`, … */
export interface ArrayType<A extends TypedArray> {
  readonly name: string;
  readonly BYTES_PER_ELEMENT?: number;
  new (length: number): A;
}

/** The bytes of an array, in place. */
export function bytesOf(array: ArrayBufferView, what: string): Uint8Array {
  if (!ArrayBuffer.isView(array)) {
    throw new TypeError(`${what}: wanted is a typed array, a DataView or a Buffer, and ${told(array)} is given; the calls with \`Object\` in their names take any value`);
  }
  if (array.byteLength === 0) there(array, what);
  if (array instanceof Uint8Array) return array;
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Throws where an array without elements had some: its buffer has been transferred, or made smaller than where it lies. */
function there(array: ArrayBufferView, what: string): void {
  try {
    // JavaScript asks the same before it lists what is in an array.
    if (!(array instanceof DataView)) keys.call(array);
  } catch {
    throw new TypeError(`${what}: the array lies in a buffer that was transferred or made smaller: it has no memory any more`);
  }
}

const keys = (Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array).keys;

/** Makes an array for so many bytes. */
export function made<A extends TypedArray>(of: ArrayType<A>, bytes: number, what: string): A {
  const size = of.BYTES_PER_ELEMENT ?? 1;
  if (bytes % size !== 0) {
    throw new MpiError("type", `${what}: ${bytes} bytes have arrived, which are not whole elements of a ${of.name}, of ${size} bytes each`);
  }
  // `new Buffer` is not to be used any more.
  const from = of as unknown as { alloc?: (bytes: number) => A };
  return from.alloc === undefined ? new of(bytes / size) : from.alloc(bytes);
}

/** Makes one of the same type. */
export function like<A extends TypedArray>(array: A, length: number): A {
  const of = array.constructor as ArrayType<A>;
  return made(of, length * array.BYTES_PER_ELEMENT, "make an array");
}

/** A copy of some elements. The `slice` of a Buffer is none. */
export function copyOf<A extends TypedArray>(array: A, first: number, length: number): A {
  const copy = like(array, length);
  const from = first * array.BYTES_PER_ELEMENT;
  bytesOf(copy, "copy").set(bytesOf(array, "copy").subarray(from, from + copy.byteLength));
  return copy;
}

/** A copy of some bytes of the library's, as an array. */
export function copied<A extends TypedArray>(of: ArrayType<A>, bytes: Uint8Array, what: string): A {
  const array = made(of, bytes.length, what);
  bytesOf(array, what).set(bytes);
  return array;
}

/** Arrays one behind the other, and how many bytes each has. */
export function joined(parts: readonly ArrayBufferView[], what: string): { data: Uint8Array; counts: BigUint64Array } {
  const all = listOf(parts, what, "parts", (part) => bytesOf(part as ArrayBufferView, what));
  const data = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    data.set(part, at);
    at += part.length;
  }
  return { data, counts: BigUint64Array.from(all, (part) => BigInt(part.length)) };
}

/** Copies of the parts that bytes consist of. */
export function parted(data: Uint8Array, counts: BigUint64Array): Uint8Array[] {
  let at = 0;
  return Array.from(counts, (count) => data.slice(at, (at += Number(count))));
}
