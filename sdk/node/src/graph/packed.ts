/**
 * What the neighbours of some of a frame's vertices show, side by side. A loop in JavaScript that looks each one up where it is waits for
 * memory: V8's code has a few look-ups under way at a time, native code has dozens.
 */

import type { Engine } from "../engine.js";
import type { NumberArray } from "../numbers.js";
import type { Arrays } from "./arrays.js";
import type { Declared } from "./declared.js";
import type { EdgePlaces, Places } from "./places.js";

/** How many there are at a time, unless a vertex has more: few enough that they are still in the core's own cache when they are read. */
const MANY = 4096;

/** How many there are at most. A vertex that sees more looks them up where they are. */
const MOST = 2 ** 18;

export class Packed {
  readonly array: NumberArray;

  constructor(private readonly declared: Declared, private readonly engine: Engine) {
    const { array: Type, bytes } = declared.shown;
    this.array = new Type(new ArrayBuffer(bytes * MOST), 0, MOST);
  }

  /** Puts there what the next of the vertices from this one on see. The vertex behind them. */
  fill(arrays: Arrays, places: Places, from: number): number {
    const { method, outgoing: looksOut } = this.declared;
    const { incoming, outgoing, count } = places;
    const words = arrays.u32;
    const into = method === "update" && incoming.at >= 0;
    // A program that only writes edges seldom asks what is at their other ends: it looks that up where it is.
    const outOf = looksOut && outgoing.at >= 0;
    places.middle = 0;
    places.packed = true;
    if (!into && !outOf) return count;
    const degree = ({ begins, ends }: EdgePlaces, k: number): number => words[ends + 2 * k]! - words[begins + 2 * k]!;
    let to = from;
    let edges = 0;
    let before = 0;
    for (; to < count; to++) {
      const incomes = into ? degree(incoming, to) : 0;
      const more = edges + incomes + (outOf ? degree(outgoing, to) : 0);
      if (more > MANY && to > from) break;
      edges = more;
      before += incomes;
    }
    places.packed = edges <= MOST;
    if (!places.packed) return to;
    if (into) this.write(arrays, places, incoming, from, to, 0);
    if (outOf) this.write(arrays, places, outgoing, from, to, before);
    places.middle = before;
    return to;
  }

  /** Puts there what is at the other ends of the edges of these vertices, from the element `at` on. */
  private write(arrays: Arrays, places: Places, edges: EdgePlaces, from: number, to: number, at: number): void {
    const { array, engine, declared: { shown: { name, bytes } } } = this;
    const [begins, ends] = [edges.begins + 2 * from, edges.ends + 2 * from];
    const { shown, shownCount } = places;
    if (engine.gather !== undefined) {
      const into = array.buffer as ArrayBuffer;
      const [begin, end] = [4 * begins, 4 * ends];
      engine.gather(arrays.window, into, at, begin, end, to - from, 4 * edges.at, bytes * shown, shownCount, bytes);
      return;
    }
    const words = arrays.u32;
    const shows = arrays[name as "f64"];
    let done = at;
    for (let k = 0; k < to - from; k++) {
      const last = words[ends + 2 * k]!;
      for (let edge = words[begins + 2 * k]!; edge < last; edge++) array[done++] = shows[shown + words[edges.at + edge]!]!;
    }
  }
}
