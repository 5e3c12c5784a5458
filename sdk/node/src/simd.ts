/**
 * Reductions of typed arrays, by the vector instructions of the machine.
 *
 * ```ts
 * import * as simd from "upcall/simd";
 *
 * const heights = new Float32Array([1.5, -2, 8.25]);
 * simd.max(heights); // 8.25
 * simd.indexOf(heights, -2); // 1
 * ```
 *
 * The rules are the same in all languages: `sum` of integers wraps, `sumLong` does not, a NaN anywhere is the `min`
 * and the `max`, and `minNumber` and `maxNumber` pass over it; NaN equals nothing. What is empty has neither a least
 * value nor a mean, which is a `RangeError`. Elements of 64-bit arrays are bigints. Nothing is copied.
 */

import { bindings } from "./find.js";

/** The arrays of numbers. */
export type Numbers =
  | Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
/** The arrays of bigints. */
export type BigInts = BigInt64Array | BigUint64Array;
/** An array that can be reduced. */
export type Values = Numbers | BigInts;
/** What an array holds. */
export type Element<A extends Values> = A extends BigInts ? bigint : number;
/** The sum of it in 64 bits. */
export type Long<A extends Values> = A extends Float32Array | Float64Array ? number : bigint;

/** The least value and the greatest. */
export interface Ends<T> {
  readonly min: T;
  readonly max: T;
}

const TYPES = {
  Int8Array: "i8",
  Int16Array: "i16",
  Int32Array: "i32",
  BigInt64Array: "i64",
  Uint8Array: "u8",
  Uint16Array: "u16",
  Uint32Array: "u32",
  BigUint64Array: "u64",
  Float32Array: "f32",
  Float64Array: "f64",
} as const;

type Function = (...given: unknown[]) => unknown;
type Functions = Readonly<Record<string, Function | undefined>>;

const native = bindings();

/** The function for each type of array. */
function functions(name: string): Functions {
  const entries = Object.entries(TYPES).map(([array, number]) => [array, native[`upcall_${name}_${number}`]]);
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(entries))) as Functions;
}

function call(table: Functions, values: Values, ...given: unknown[]): unknown {
  // Not the constructor: a Buffer is a Uint8Array.
  const found = ArrayBuffer.isView(values) ? table[values[Symbol.toStringTag]] : undefined;
  if (found === undefined) {
    throw new TypeError("reducing an array: wanted is a typed array of numbers or bigints");
  }
  return found(values, ...given);
}

/** A failure of the library as JavaScript has it. */
function orRangeError(table: Functions, values: Values): unknown {
  try {
    return call(table, values);
  } catch (error) {
    // Others are mistakes: in the call, or in libupcall.
    const { code, message } = error as { code?: unknown; message: string };
    if (code === native["UPCALL_NO_ELEMENTS"] || code === native["UPCALL_NO_SUM"]) {
      throw new RangeError(message);
    }
    throw error;
  }
}

function ends<A extends Values>(table: Functions, values: A): Ends<Element<A>> {
  const { min, max } = orRangeError(table, values) as Ends<Element<A>>;
  return { min, max };
}

const SUM = functions("sum");
const SUM_IN_ORDER = functions("sum_in_order");
const SUM_PAIRWISE = functions("sum_pairwise");
const SUM_LONG = functions("sum_long");
const CHECKED_SUM = functions("checked_sum");
const MEAN = functions("mean");
const MIN = functions("min");
const MAX = functions("max");
const MIN_MAX = functions("min_max");
const MIN_NUMBER = functions("min_number");
const MAX_NUMBER = functions("max_number");
const MIN_MAX_NUMBER = functions("min_max_number");
const INDEX_OF = functions("index_of");
const COUNT_EQUAL = functions("count_equal");
const EQUAL = functions("equal");

/** The sum. Integers wrap at their own width; floats are added in 256 bytes' worth of lanes. */
export function sum<A extends Values>(values: A): Element<A> {
  return call(SUM, values) as Element<A>;
}

/** The sum, to the bit what a loop over numbers of this type gives. */
export function sumInOrder<A extends Values>(values: A): Element<A> {
  return call(SUM_IN_ORDER, values) as Element<A>;
}

/** The sum, whose error grows with the logarithm of the length, where that of `sum` grows with a 64th of the length. */
export function sumPairwise<A extends Values>(values: A): Element<A> {
  return call(SUM_PAIRWISE, values) as Element<A>;
}

/** The sum in 64 bits: a bigint of integers, a number of floats. */
export function sumLong<A extends Values>(values: A): Long<A> {
  return call(SUM_LONG, values) as Long<A>;
}

/** The sum; a `RangeError` if the type of the elements cannot hold it, or if it is not finite. */
export function checkedSum<A extends Values>(values: A): Element<A> {
  return orRangeError(CHECKED_SUM, values) as Element<A>;
}

/** The arithmetic mean. It does not overflow. */
export function mean(values: Values): number {
  return orRangeError(MEAN, values) as number;
}

/** The least value; NaN if there is one. */
export function min<A extends Values>(values: A): Element<A> {
  return orRangeError(MIN, values) as Element<A>;
}

/** The greatest value; NaN if there is one. */
export function max<A extends Values>(values: A): Element<A> {
  return orRangeError(MAX, values) as Element<A>;
}

/** The least value and the greatest; NaN if there is one. */
export function minMax<A extends Values>(values: A): Ends<Element<A>> {
  return ends(MIN_MAX, values);
}

/** The least number; NaN if all are. */
export function minNumber<A extends Values>(values: A): Element<A> {
  return orRangeError(MIN_NUMBER, values) as Element<A>;
}

/** The greatest number; NaN if all are. */
export function maxNumber<A extends Values>(values: A): Element<A> {
  return orRangeError(MAX_NUMBER, values) as Element<A>;
}

/** The least number and the greatest; NaN if all are. */
export function minMaxNumber<A extends Values>(values: A): Ends<Element<A>> {
  return ends(MIN_MAX_NUMBER, values);
}

/** Whether an element equals `wanted`. NaN equals nothing. */
export function contains<A extends Values>(values: A, wanted: Element<A>): boolean {
  return indexOf(values, wanted) >= 0;
}

/** The index of the first element that equals `wanted`; -1 if there is none. */
export function indexOf<A extends Values>(values: A, wanted: Element<A>): number {
  return call(INDEX_OF, values, wanted) as number;
}

/** How many elements equal `wanted`. NaN equals nothing. */
export function countEqual<A extends Values>(values: A, wanted: Element<A>): number {
  return call(COUNT_EQUAL, values, wanted) as number;
}

/** Whether two arrays of the same type hold equal elements in the same order. */
export function equal<A extends Values>(one: A, other: A): boolean {
  return call(EQUAL, one, other) as boolean;
}
