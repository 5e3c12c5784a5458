/** Typed arrays whose every index is looked at. */

import type { NumberArray } from "../numbers.js";

/** What an array is seen through. */
export type See = <A extends NumberArray>(name: string, array: A) => A;

/** As it is. */
export const plain: See = (_, array) => array;

/** So that an index that is not in it is an error, which names it: a typed array says nothing of itself. */
export const ranged: See = (name, array) => {
  const check = (key: string | symbol): void => {
    if (typeof key !== "string" || Object.hasOwn(array, key)) return;
    // What was no number, and what is none that it has.
    if (key !== "NaN" && key !== "undefined" && (key.trim() === "" || Number.isNaN(Number(key)))) return;
    throw new RangeError(`${name} of the interval has ${array.length} elements, and ${key} was asked for`);
  };
  return new Proxy(array, {
    get(of, key) {
      check(key);
      const value = Reflect.get(of, key, of) as unknown;
      return typeof value === "function" && key !== "constructor" ? (value as (...given: unknown[]) => unknown).bind(of) : value;
    },
    set(of, key, value) {
      check(key);
      return Reflect.set(of, key, value, of);
    },
  });
};
