/** Adds: a handler that ranks reduce by. */
export class Sums {
  static element = "f64";
  static commutative = true;

  combine(source, into) {
    for (let at = 0; at < into.length; at++) {
      if (Number.isNaN(source[at]) || Number.isNaN(into[at])) throw new RangeError("after a NaN");
      into[at] += source[at];
    }
  }
}
