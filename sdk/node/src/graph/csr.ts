/** A graph in memory, made from a list of its edges. */

import type { Numeric } from "../numbers.js";
import { told } from "../told.js";

/** An edge: the vertex that it comes from, the one that it goes to, and its value, if it has one. */
export type Edge = readonly [source: number, destination: number, value?: Numeric];

export interface GraphOptions {
  /** How many vertices there are: one more than the largest number in the list without it. */
  readonly vertices?: number;
  /** Whether edges have a direction, which they have without it. If not, each is there in both directions, a loop once. */
  readonly directed?: boolean;
}

/** The edges of all vertices in one direction: those of `v` are at `begins[v] <= e < begins[v + 1]`. */
export interface Side {
  readonly begins: Uint32Array;
  /** The vertices at the other ends, in ascending order. */
  readonly ids: Uint32Array;
  /** Which edge of the list, and so of {@link Csr.values}, each one is. */
  readonly of: Uint32Array;
}

export class Csr {
  readonly vertices: number;
  readonly edges: number;
  readonly directed: boolean;
  readonly incoming: Side;
  readonly outgoing: Side;
  /** The values of edges, as they were given; those of an undirected graph for each direction. */
  readonly values: readonly (Numeric | undefined)[];
  readonly outDegrees: Uint32Array;

  constructor(list: Iterable<Edge>, { vertices, directed = true }: GraphOptions = {}) {
    const [from, into, values]: [number[], number[], (Numeric | undefined)[]] = [[], [], []];
    let least = 0;
    for (const [source, destination, value] of list) {
      for (const end of [source, destination]) {
        if (!(typeof end === "number" && end >>> 0 === end)) {
          throw new RangeError(`edge ${values.length}: ${told(end)} is not a vertex: give a number from 0 on`);
        }
        least = Math.max(least, end + 1);
      }
      const add = (one: number, other: number): void => {
        from.push(one);
        into.push(other);
        values.push(value);
      };
      add(source, destination);
      if (!directed && source !== destination) add(destination, source);
    }
    if (vertices !== undefined && !(Number.isSafeInteger(vertices) && vertices >= least)) {
      throw new RangeError(`a graph of ${told(vertices)} vertices, and its edges name ${least - 1}: give ${least} or more`);
    }
    this.vertices = vertices ?? least;
    this.edges = values.length;
    this.directed = directed;
    this.values = values;
    this.incoming = sorted(this.vertices, into, from);
    // Without a direction the other ends are the same, but the edges are those that go there.
    this.outgoing = sorted(this.vertices, from, into);
    const { begins } = this.outgoing;
    this.outDegrees = Uint32Array.from({ length: this.vertices }, (_, vertex) => begins[vertex + 1]! - begins[vertex]!);
  }
}

/** The edges by one of their ends and then by the other; those that have both the same stay in their order. */
function sorted(vertices: number, major: readonly number[], minor: readonly number[]): Side {
  const byMinor = places(vertices, minor, Uint32Array.from(minor.keys()));
  const of = places(vertices, major, byMinor.order);
  return { begins: of.begins, ids: Uint32Array.from(of.order, (edge) => minor[edge]!), of: of.order };
}

/** Puts edges in the order of what they have as their key, without changing that of equal ones. */
function places(vertices: number, keys: readonly number[], edges: Uint32Array): { begins: Uint32Array; order: Uint32Array } {
  const begins = new Uint32Array(vertices + 1);
  for (const key of keys) begins[key + 1]! += 1;
  for (let vertex = 0; vertex < vertices; vertex++) begins[vertex + 1]! += begins[vertex]!;
  const next = begins.slice();
  const order = new Uint32Array(edges.length);
  for (const edge of edges) order[next[keys[edge]!]!++] = edge;
  return { begins, order };
}
