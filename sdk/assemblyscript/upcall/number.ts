/** A value that a vertex program has not: the type of what it does not keep, or of edges whose values it does not look at. It is known
 * everywhere, as the compiler looks for a type that is left out where the program is written, and not where its default is. */
// @ts-ignore: decorator
@global
export abstract class None {}

/** The name of a type of values, as a graph has it; nothing for `None`. */
export function numberName<T>(): string {
  if (isReference<T>()) {
    if (nameof<T>() != "None") ERROR("the values of vertices and edges are f32, f64, i32, i64, u32 or u64");
    return "";
  }
  if (isBoolean<T>() || sizeof<T>() < 4) ERROR("the values of vertices and edges are f32, f64, i32, i64, u32 or u64");
  if (isFloat<T>()) return sizeof<T>() == 4 ? "f32" : "f64";
  if (isSigned<T>()) return sizeof<T>() == 4 ? "i32" : "i64";
  return sizeof<T>() == 4 ? "u32" : "u64";
}

/** Bytes of a value. */
// @ts-ignore: decorator
@inline
export function sizeOf<T>(): usize {
  return isReference<T>() ? 0 : sizeof<T>();
}

/** Where the value at an index is. */
// @ts-ignore: decorator
@inline
export function place<T>(array: usize, index: usize): usize {
  return array + (index << alignof<T>());
}
