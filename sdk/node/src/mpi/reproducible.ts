/** Sums of floating-point numbers that have the same bits whatever the number of ranks. */

import { told } from "../told.js";
import { bytesOf, like, type TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import { rankOf } from "./given.js";
import { checked, native, type NativeCommunicator, type NativeExactSum } from "./native.js";
import { Processes } from "./processes.js";

/** Arrays of floating-point numbers. */
export type Reals = Float32Array | Float64Array;

const { Single, Double } = native.UpcallMpiReal;

function realOf(array: TypedArray): number {
  if (array instanceof Float64Array) return Double;
  if (array instanceof Float32Array) return Single;
  throw new TypeError(`sum numbers reproducibly: wanted is a Float64Array or a Float32Array, and ${told(array)} is given`);
}

/**
 * A sum that is exact until it is read: the same bits in whichever order, and in whatever parts, numbers are added. Its `value` is
 * the number that is nearest to it, as if it had been computed with infinite precision and rounded once. Infinite numbers make it
 * infinite, or NaN where both are among them.
 */
export class ExactSum {
  private readonly sum: NativeExactSum;
  private readonly real: number;

  /** One of nothing: 0. Of `Float32Array` its value is a number of 32 bits. */
  constructor(of: typeof Float64Array | typeof Float32Array = Float64Array) {
    this.real = realOf(new of(0));
    this.sum = checked(() => new native.UpcallMpiExactSum(this.real));
  }

  /** Adds a number, or all of an array of the sum's type. */
  add(numbers: number | Reals): void {
    if (typeof numbers === "number") {
      checked(() => this.sum.add(numbers));
      return;
    }
    if (realOf(numbers) !== this.real) {
      throw new MpiError("usage", `add a ${numbers[Symbol.toStringTag]} to an exact sum: it is one of other numbers`);
    }
    const bytes = bytesOf(numbers, "add");
    checked(() => this.sum.add_all(bytes));
  }

  /** Adds what another of the same numbers has. */
  merge(other: ExactSum): void {
    if (other === this) throw new MpiError("usage", "merge an exact sum with itself: make another");
    checked(() => this.sum.merge(other.sum));
  }

  /** The number that is nearest to the sum; of two that are as near, the even one. */
  get value(): number {
    return checked(() => this.sum.value());
  }

  /** @internal */
  allReduce(comm: NativeCommunicator): void {
    checked(() => this.sum.all_reduce(comm));
  }
}

export abstract class Reproducible extends Processes {
  /**
   * Sums the elements of all ranks, of which all have as many, element by element, without rounding but that of each result: the
   * same bits whatever the number of ranks, which `Sum` does not promise. It takes longer than that: of a thousand elements and
   * more 10 to 35 times. Where each rank has many numbers for one sum, `sumReproducible` costs next to nothing.
   */
  allReduceReproducible<A extends Reals>(data: A): A {
    const real = realOf(data);
    const into = like(data, data.length) as A;
    const [bytes, to] = [bytesOf(data, "reduce"), bytesOf(into, "reduce")];
    checked(() => this.native.all_reduce_reproducible(bytes, to, real));
    return into;
  }

  /** As `allReduceReproducible`, for one rank. The others get nothing. */
  reduceReproducible<A extends Reals>(data: A, root = 0): A | undefined {
    const [rank, real] = [rankOf(root, "reduce", "root"), realOf(data)];
    const into = like(data, this.rank === rank ? data.length : 0) as A;
    const [bytes, to] = [bytesOf(data, "reduce"), bytesOf(into, "reduce")];
    checked(() => this.native.reduce_reproducible(bytes, to, real, rank));
    return this.rank === rank ? into : undefined;
  }

  /**
   * The sum of all elements of all ranks, which may have different numbers of them: the same bits whatever the number of ranks,
   * however the elements are cut among them, and in whichever order they are.
   */
  sumReproducible(data: Reals): number {
    const [real, bytes] = [realOf(data), bytesOf(data, "sum")];
    return checked(() => this.native.sum_reproducible(bytes, real));
  }

  /** Adds up the sums of all ranks: afterwards each has that of all. */
  allReduceExact(sum: ExactSum): void {
    sum.allReduce(this.native);
  }
}
