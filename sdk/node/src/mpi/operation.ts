/** What a reduction does with two elements. */

import type { Element, TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import type { OfHandler } from "./handler.js";
import { checked, native, type NativeOperation } from "./native.js";

/** An operation of MPI's, on the numbers of any typed array. */
export class Named {
  private readonly made = new Map<string, NativeOperation>();

  /** @internal */
  constructor(readonly name: string) {}

  /** @internal The one for arrays of this type. */
  of(array: TypedArray): NativeOperation {
    const type = array[Symbol.toStringTag];
    let operation = this.made.get(type);
    if (operation === undefined) {
      const number = TYPES.get(type);
      if (number === undefined) {
        throw new MpiError("usage", `reduce a ${type} by ${this.name}: MPI has no such numbers; a function can do it`);
      }
      operation = checked(() => new native.UpcallMpiOperation(this.name, number));
      this.made.set(type, operation);
    }
    return operation;
  }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["Int8Array", "i8"],
  ["Int16Array", "i16"],
  ["Int32Array", "i32"],
  ["BigInt64Array", "i64"],
  ["Uint8Array", "u8"],
  ["Uint16Array", "u16"],
  ["Uint32Array", "u32"],
  ["BigUint64Array", "u64"],
  ["Float32Array", "f32"],
  ["Float64Array", "f64"],
]);

/** What MPI calls the numbers of a type of arrays; `undefined` where it has none such. */
export function numberOf(type: string): string | undefined {
  return TYPES.get(type);
}

/** Integers wrap at their own width. */
export const Sum = new Named("Sum");
export const Product = new Named("Product");
export const Min = new Named("Min");
export const Max = new Named("Max");
/** 1 where both are not 0. Logical and bitwise operations are for integers. */
export const LogicalAnd = new Named("LogicalAnd");
export const LogicalOr = new Named("LogicalOr");
export const LogicalXor = new Named("LogicalXor");
export const BitAnd = new Named("BitAnd");
export const BitOr = new Named("BitOr");
export const BitXor = new Named("BitXor");

/**
 * Combines `from` into `into`, element by element; both are as long. It is called once per chunk, on the thread that waits for
 * the reduction, and calls no MPI. The arrays are MPI's: they end with the call. It is associative, and commutative unless
 * {@link notCommutative} says otherwise; where the order matters, `from` is what lower ranks have.
 */
export type Combine<A extends TypedArray> = (from: A, into: A) => void;

/** A function and what is known of it. */
export class Ordered<A extends TypedArray> {
  /** @internal */
  constructor(readonly combine: Combine<A>) {}
}

/** What a reduction does with two elements: an operation of MPI's, a handler, or a function. */
export type Operation<A extends TypedArray> = Named | OfHandler | Combine<A> | Ordered<A>;

/** An operation that combines two elements: `each((a, b) => a + b)`. The loop over a chunk is here. */
export function each<A extends TypedArray>(combine: (from: Element<A>, into: Element<A>) => Element<A>): Combine<A> {
  return (from, into) => {
    // Which of both kinds of elements they are is the same to the loop.
    const [source, target] = [from, into] as unknown as [Element<A>[], Element<A>[]];
    for (let index = 0; index < target.length; index++) {
      target[index] = combine(source[index]!, target[index]!);
    }
  };
}

/** A function for which the order of the ranks matters. */
export function notCommutative<A extends TypedArray>(combine: Combine<A>): Ordered<A> {
  return new Ordered(combine);
}
