/** What a vertex's neighbours come to, as the engine puts it together. */

import { type NumberArray, type NumberType, type Numeric } from "../numbers.js";
import type { Gather } from "./declared.js";

/** The least number and the largest of a type. */
const ENDS: Readonly<Record<string, readonly [least: Numeric, largest: Numeric]>> = {
  f32: [-Infinity, Infinity],
  f64: [-Infinity, Infinity],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
};

/** Puts together what is shown at these places, in their order. What is no number is neither least nor largest. */
export function gather(by: Gather, { name }: NumberType, shown: NumberArray, places: Uint32Array): Numeric {
  if (by === "count") return places.length;
  if (by === "sum") {
    let sum = 0;
    for (const place of places) sum += Number(shown[place]);
    return sum;
  }
  const [least, largest] = ENDS[name]!;
  let found = by === "min" ? largest : least;
  for (const place of places) {
    const one = shown[place]!;
    if (by === "min" ? one < found : one > found) found = one;
  }
  return found;
}
