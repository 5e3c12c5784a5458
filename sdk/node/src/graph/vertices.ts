/** Many vertices at once, as typed arrays. */

import { ended } from "../ended.js";
import type { Memory } from "../memory.js";
import type { NumberArray, NumberType } from "../numbers.js";
import { told } from "../told.js";
import type { Declared } from "./declared.js";
import { inwardArray, lacking, notANumber, outOf, short, stray } from "./errors.js";
import type { EdgePlaces, Places } from "./places.js";
import type { GraphSize } from "./program.js";
import type { See } from "./ranged.js";
import type { Woken } from "./woken.js";

/**
 * The edges of many vertices in one direction: those of the vertex at `k` are at `begins[k] <= e < ends[k]` of the arrays
 * of edges, in ascending order of their other ends.
 */
export interface EdgeArrays {
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
  /** The numbers of the vertices at the other ends. */
  readonly ids: Uint32Array;
  /** Where in `shown` of the vertices is what these show. */
  readonly at: Uint32Array;
  /** The values of edges: that of the edge `e` is at `places[e]`, or at `e` where `places` is empty. */
  readonly values: NumberArray;
  readonly places: Uint32Array;
}

/** The edges that go out of many vertices. */
export interface OutgoingArrays extends EdgeArrays {
  /**
   * What edges have from the next iteration on, of a program that declares `writes`: as it is, until it is written. One for each edge of
   * these vertices, those of one vertex behind those of the one before: not at the places that `begins` and `ends` name.
   */
  readonly nextValues: NumberArray;
}

/**
 * Many vertices, as `interval` is given them. What it has can be used until `interval` has returned, or its promise has settled: then
 * the arrays are empty. The vertex at `k` has all that is at `k` of each array of vertices.
 */
export class Vertices {
  /** How many vertices there are. */
  readonly length: number;
  /** The first of them where `ids` is empty: then the vertex at `k` is `first + k`. */
  readonly first: number;
  /** The numbers of the vertices, in ascending order; empty where they are consecutive. */
  readonly ids: Uint32Array;
  /** What each showed in the last iteration. Only to be read. */
  readonly before: NumberArray;
  /** What each shows from the next iteration on: as `before`, until it is written. */
  readonly next: NumberArray;
  /** How many edges go out of each. */
  readonly outDegrees: Uint32Array;
  /** What neighbours show, at the places that `at` of their edges names. */
  readonly shown: NumberArray;
  /** The edges that come in. */
  readonly incoming: EdgeArrays;
  readonly #own: NumberArray | undefined;
  readonly #outgoing: OutgoingArrays | undefined;
  readonly #tallies: Float64Array;
  readonly #shift: number;
  readonly #tallyOf: number;
  readonly #declared: Declared;
  readonly #graph: GraphSize;
  #woken: Woken | undefined;

  /** @internal */
  constructor(lent: Lent, at: Places, declared: Declared, graph: GraphSize, woken: Woken, see: See) {
    const { count, first } = at;
    this.length = count;
    this.first = first;
    this.ids = see("ids", lent.words(at.ids, at.ids < 0 ? 0 : count));
    this.before = see("before", lent.array(declared.shown, at.before, count));
    this.next = see("next", lent.array(declared.shown, at.next, count));
    this.outDegrees = see("outDegrees", lent.words(at.outDegrees, count));
    this.shown = see("shown", lent.array(declared.shown, at.shown, at.shownCount));
    this.incoming = edges(lent, at.incoming, count, declared, see, inwardArray);
    this.#own = declared.own === undefined ? undefined : see("own", lent.array(declared.own, at.own, count));
    this.#outgoing = declared.seesOut ? this.#edgesOut(lent, at, declared, see) : undefined;
    this.#shift = at.shift;
    this.#tallyOf = first;
    const last = count === 0 ? first : this.id(count - 1);
    this.#tallies = lent.floats(at.tallies, 2 * (((last - first) >>> at.shift) + 1));
    this.#declared = declared;
    this.#graph = graph;
    this.#woken = woken;
    if (at.woken >= 0) woken.begin(lent.words(at.woken, at.room), 0, at.room);
    else woken.begin(this.ids, 0, 0);
  }

  #edgesOut(lent: Lent, at: Places, declared: Declared, see: See): OutgoingArrays {
    if (!declared.writes) return edges(lent, at.outgoing, this.length, declared, see, () => lacking("writes"));
    const all = edges(lent, at.outgoing, this.length, declared, see, () => next);
    const room = all.ends.reduce((sum, end, k) => sum + end - all.begins[k]!, 0);
    if (room > at.nextValuesEnd - at.nextValues) throw short();
    // Lent now, as it must not be when the call has ended.
    const next = see("nextValues", lent.array(declared.edge!, at.nextValues, room));
    return all;
  }

  /** What each keeps to itself, of a program that declares `own`. */
  get own(): NumberArray {
    return this.#own ?? lacking("own");
  }

  /** The edges that go out, of a program that declares `outgoing` or `writes`. */
  get outgoing(): OutgoingArrays {
    return this.#outgoing ?? lacking("outgoing");
  }

  /** The number of the vertex at `k`. */
  id(k: number): number {
    if (!(k >>> 0 === k && k < this.length)) throw outOf(this.length, k);
    return this.ids.length === 0 ? this.first + k : this.ids[k]!;
  }

  /** Adds to the iteration's residual, for the vertex at `k`: once for each, in their order, and the sum is the same in all runs. */
  addResidual(k: number, amount: number): void {
    this.#add(k, 0, amount);
  }

  /** Adds to the iteration's total, for the vertex at `k`, in the same way. */
  addTotal(k: number, amount: number): void {
    this.#add(k, 1, amount);
  }

  #add(k: number, which: number, amount: number): void {
    if (this.#woken === undefined) throw ended("the interval");
    if (typeof amount !== "number") throw new TypeError(`add to a sum: ${told(amount)} is not a number`);
    this.#tallies[2 * ((this.id(k) - this.#tallyOf) >>> this.#shift) + which]! += amount;
  }

  /** Has a vertex updated in the next iteration, of a program that declares `selective`. */
  schedule(id: number): void {
    if (this.#woken === undefined) throw ended("the interval");
    if (!this.#declared.selective) lacking("selective");
    const { vertices } = this.#graph;
    if (!(typeof id === "number" && id >>> 0 === id && id < vertices)) throw stray(id, vertices);
    this.#woken.add(id);
  }

  /** @internal The frame has ended. */
  end(): void {
    this.#woken = undefined;
  }
}

/** Those that add nothing to a sum that is no number. */
export class NumberedVertices extends Vertices {
  override addResidual(k: number, amount: number): void {
    if (Number.isNaN(amount)) throw notANumber(this.id(k), "addResidual");
    super.addResidual(k, amount);
  }

  override addTotal(k: number, amount: number): void {
    if (Number.isNaN(amount)) throw notANumber(this.id(k), "addTotal");
    super.addTotal(k, amount);
  }
}

function edges(
  lent: Lent, at: EdgePlaces, count: number, { edge }: Declared, see: See, next: () => NumberArray,
): OutgoingArrays {
  let values: NumberArray | undefined;
  return {
    begins: see("begins", lent.low(at.begins, count)),
    ends: see("ends", lent.low(at.ends, count)),
    ids: see("ids of edges", lent.words(at.ids, at.edges)),
    at: see("at", lent.words(at.at, at.edges)),
    get values(): NumberArray {
      if (edge === undefined) return lacking("edge");
      return (values ??= see("values", lent.array(edge, at.values, at.valueCount)));
    },
    places: see("places", lent.low(at.places, at.edges)),
    get nextValues(): NumberArray {
      return next();
    },
  };
}

/** Typed arrays over memory that ends with the frame. */
export class Lent {
  constructor(private readonly memory: Memory) {}

  /** So many elements from an element's index on; none where the index is below 0. */
  array(type: NumberType, index: number, count: number): NumberArray {
    if (index < 0) return new type.array(new ArrayBuffer(0));
    const { lent, from } = this.memory.loan(index * type.bytes, count * type.bytes);
    return new type.array(lent, index * type.bytes - from, count);
  }

  words(index: number, count: number): Uint32Array {
    return this.array(WORD, index, count) as Uint32Array;
  }

  floats(index: number, count: number): Float64Array {
    return this.array(FLOAT, index, count) as Float64Array;
  }

  /** The lower halves of numbers of 64 bits, copied: they are places in memory, of which a frame has less than 4 GiB. */
  low(index: number, count: number): Uint32Array {
    const both = this.words(index, 2 * count);
    return Uint32Array.from({ length: both.length / 2 }, (_, k) => both[2 * k]!);
  }
}

const WORD = { bytes: 4, array: Uint32Array } as unknown as NumberType;
const FLOAT = { bytes: 8, array: Float64Array } as unknown as NumberType;
