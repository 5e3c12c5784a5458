/** The smallest and the largest number, and where it is. */

import { bytesOf, like, type TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import type { NativeOperation } from "./native.js";
import { Named } from "./operation.js";

/** Numbers and their places, which may be ranks or indices: each number with the place at its index. */
export interface Placed<A extends TypedArray> {
  readonly values: A;
  readonly places: Int32Array;
}

/** An operation on numbers with places. */
export class WithPlace {
  private readonly named: Named;
  private numbers: TypedArray | undefined;

  /** @internal */
  constructor(readonly name: string) {
    this.named = new Named(name);
  }

  /** @internal The same, on pairs of these numbers. */
  on(numbers: TypedArray): WithPlace {
    const on = Object.create(this) as WithPlace;
    on.numbers = numbers;
    return on;
  }

  /** @internal The one for these pairs. */
  of(array: TypedArray): NativeOperation {
    if (this.numbers === undefined) {
      throw new MpiError("usage", `reduce a ${array[Symbol.toStringTag]} by ${this.name}: give { values, places }`);
    }
    return this.named.of(this.numbers);
  }
}

/** The smallest number and where it is; of equal ones the lowest place, and a number before NaN. */
export const MinWithPlace = new WithPlace("MinWithPlace");
/** The largest number and where it is, as `MinWithPlace`. */
export const MaxWithPlace = new WithPlace("MaxWithPlace");

/** Where a place lies in a pair of MPI's, and the bytes of one: as C lays them out. */
function layout(numbers: TypedArray): [place: number, size: number] {
  const align = Math.max(numbers.BYTES_PER_ELEMENT, 4);
  return [align, Math.ceil((align + 4) / align) * align];
}

/** As MPI's pairs. */
export function placedPairs(data: unknown): Uint8Array {
  const { values, places } = data as Partial<Placed<TypedArray>>;
  if (!ArrayBuffer.isView(values) || !(places instanceof Int32Array) || values.length !== places.length) {
    throw new MpiError("usage", "reduce numbers with places: give { values, places }, a typed array and an Int32Array of the same length");
  }
  const [at, size] = layout(values);
  const [pairs, bytes, each] = [new Uint8Array(values.length * size), bytesOf(values, "reduce"), values.BYTES_PER_ELEMENT];
  const view = new DataView(pairs.buffer);
  places.forEach((place, index) => {
    pairs.set(bytes.subarray(index * each, (index + 1) * each), index * size);
    view.setInt32(index * size + at, place, LITTLE);
  });
  return pairs;
}

/** Of MPI's pairs, with numbers like these. */
export function placedOf(pairs: Uint8Array, { values }: Placed<TypedArray>): Placed<TypedArray> {
  const [at, size] = layout(values);
  const numbers = like(values, pairs.length / size);
  const [bytes, each] = [bytesOf(numbers, "reduce"), values.BYTES_PER_ELEMENT];
  const places = new Int32Array(numbers.length);
  const view = new DataView(pairs.buffer, pairs.byteOffset);
  for (let index = 0; index < places.length; index++) {
    bytes.set(pairs.subarray(index * size, index * size + each), index * each);
    places[index] = view.getInt32(index * size + at, LITTLE);
  }
  return { values: numbers, places };
}

const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
