/** What a program gives, as the library takes it; or an error that says what was given as what. */

import { told } from "../told.js";
import type { ArrayType, TypedArray } from "./arrays.js";
import { native, type NativeCommunicator } from "./native.js";
import { Any } from "./status.js";

/** The least and the most of whole numbers of 32 bits. */
const [LEAST, MOST] = [-(2 ** 31), 2 ** 31 - 1];

/**
 * A whole number within bounds. What is none is a `TypeError`, and a number outside of them a `RangeError`; both say which call it
 * is, the parameter's name, what it has to be and what was given.
 */
function whole(given: unknown, what: string, name: string, least: number, most: number, is: string): number {
  if (typeof given === "number" && Number.isInteger(given) && given >= least && given <= most) return given;
  throw wrong(given, what, name, is);
}

function wrong(given: unknown, what: string, name: string, is: string): TypeError | RangeError {
  const said = `${what}: \`${name}\` has to be ${is}, and ${told(given)} is given`;
  return typeof given === "number" ? new RangeError(said) : new TypeError(said);
}

/** A rank. Whether there is one such the library says. */
export function rankOf(rank: unknown, what: string, name: string): number {
  return whole(rank, what, name, 0, MOST, "a rank, a whole number from 0 to 2147483647");
}

/** A rank, or any. */
export function sourceOf(rank: unknown, what: string, name: string): number {
  return rank === Any ? native.UPCALL_MPI_ANY : whole(rank, what, name, 0, MOST, "a rank, a whole number from 0 to 2147483647, or Any");
}

/** A tag. Whether it is too large the library says. */
export function tagOf(tag: unknown, what: string, name: string): number {
  return whole(tag, what, name, 0, MOST, "a tag, a whole number from 0 to 2147483647");
}

/** A tag, or any. */
export function anyTagOf(tag: unknown, what: string, name: string): number {
  return tag === Any ? native.UPCALL_MPI_ANY : whole(tag, what, name, 0, MOST, "a tag, a whole number from 0 to 2147483647, or Any");
}

/** A whole number of 32 bits. */
export function wholeOf(number: unknown, what: string, name: string): number {
  return whole(number, what, name, LEAST, MOST, "a whole number of 32 bits");
}

/** How much goes along an edge of a graph. */
export function weightOf(weight: unknown, what: string, name: string): number {
  return whole(weight, what, name, 0, MOST, "a weight, a whole number from 0 to 2147483647");
}

/** How many of something there are, or where it is. */
export function countOf(count: unknown, what: string, name: string): number {
  return whole(count, what, name, 0, Number.MAX_SAFE_INTEGER, "a whole number from 0 to 9007199254740991");
}

/** The same, as the library takes large ones. */
export function placeOf(place: unknown, what: string, name: string): bigint {
  return BigInt(countOf(place, what, name));
}

/** How far something is moved, onward or back. */
export function offsetOf(offset: unknown, what: string, name: string): bigint {
  return BigInt(whole(offset, what, name, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "a whole number"));
}

/** One count for each rank, or of each dimension. */
export function countsOf(counts: unknown, what: string, name: string): number[] {
  return listOf(counts, what, name, (count, name) => countOf(count, what, name));
}

/** Several, each named by where it is. */
export function listOf<T>(list: unknown, what: string, name: string, one: (given: unknown, name: string) => T): T[] {
  const several = list as Iterable<unknown> | null | undefined;
  if (typeof several?.[Symbol.iterator] !== "function" || typeof list === "string") {
    throw new TypeError(`${what}: \`${name}\` has to be a list, and ${told(list)} is given`);
  }
  return Array.from(several, (given, index) => one(given, `${name}[${index}]`));
}

/** A type of arrays, and the bytes of its elements. */
export function sizeOf<A extends TypedArray>(of: ArrayType<A>, what: string): number {
  if (typeof of === "function") return of.BYTES_PER_ELEMENT ?? 1;
  throw new TypeError(`${what}: wanted is a type of arrays, as Float64Array, and ${told(of)} is given`);
}

/** The bytes of so many elements. */
export function bytesFor<A extends TypedArray>(of: ArrayType<A>, length: unknown, what: string, name: string): number {
  return countOf(length, what, name) * sizeOf(of, what);
}

/** An array of elements, as what is gathered or combined is. */
export function elementsOf<A extends TypedArray>(data: A, what: string): A {
  if (ArrayBuffer.isView(data) && !(data instanceof DataView)) return data;
  throw new TypeError(`${what}: wanted is a typed array, and ${told(data)} is given; the calls with \`Object\` in their names take any value`);
}

/** Throws where two arrays that are to have the same elements have others. Bytes are room for any. */
export function alike(data: ArrayBufferView, into: ArrayBufferView, what: string): void {
  if (data?.constructor === into?.constructor) return;
  const [from, to] = [data, into].map((array) => (array as { readonly [Symbol.toStringTag]?: string } | null | undefined)?.[Symbol.toStringTag]);
  if (from === to || [from, to].some((tag) => tag === undefined || tag === "Uint8Array" || tag === "DataView")) return;
  throw new TypeError(`${what}: the elements of a ${from} are given, and the array for what comes of them is a ${to}`);
}

interface OfCommunicator {
  readonly native: NativeCommunicator;
}

/** Classes whose objects are given, and whose modules need this one: they say here what they are. */
export const classes = {} as { Communicator: abstract new (...given: never[]) => OfCommunicator };

/** The communicator that something is made on. */
export function communicatorOf(given: OfCommunicator, what: string): NativeCommunicator {
  if (given instanceof classes.Communicator) return given.native;
  throw new TypeError(`${what}: wanted is a Communicator, and ${told(given)} is given`);
}

/** Takes what was given, or something else that the library refuses on all ranks where it is wrong. */
export type Wrong = <T>(take: () => T, otherwise: T) => T;

/**
 * A call of all ranks that wait for this one even where it was given something wrong: the others are told by the library, and here
 * it is said what was given.
 */
export function together<T>(call: (wrong: Wrong) => T): T {
  let first: { readonly thrown: unknown } | undefined;
  const wrong: Wrong = (take, otherwise) => {
    try {
      return take();
    } catch (thrown) {
      first ??= { thrown };
      return otherwise;
    }
  };
  try {
    return call(wrong);
  } catch (thrown) {
    throw first === undefined ? thrown : first.thrown;
  }
}
