/** What an engine of graphs has in memory: the graph, and what vertices keep and show. */

import type { Memory } from "../memory.js";
import { misfit } from "../numbers.js";
import { Arrays } from "./arrays.js";
import type { Csr, Side } from "./csr.js";
import type { Declared } from "./declared.js";

/** Vertices that add to one tally. */
export const BLOCK = 1024;

/** Memory that frames and what they point to are put into. */
export interface Room {
  readonly memory: Memory;
  /** So many bytes, all zero. */
  give(bytes: number): number;
  /** A frame's head, and room for the whole of it. */
  head(kind: number, bytes: number): number;
}

/** Where the edges in one direction are: first edges in 8 bytes, other ends in 4, places of values in 8. */
export interface Edged {
  readonly side: Side;
  readonly begins: number;
  readonly ids: number;
  /** 0 where values are in the order of these edges. */
  readonly places: number;
}

export class Columns {
  readonly own: number;
  readonly outDegrees: number;
  readonly incoming: Edged;
  readonly outgoing: Edged;
  readonly tallies: number;
  readonly woken: number;
  /** What vertices show: what is read in an iteration, and what is written. */
  private both: readonly [now: number, next: number];
  /** The values of edges, in the order of incoming ones; of a program that writes them in that of outgoing ones, and twice as well. */
  private ofEdges: readonly [now: number, next: number];
  private seen: Arrays;

  constructor(readonly room: Room, readonly csr: Csr, private readonly declared: Declared) {
    const { own, shown, edge, writes } = declared;
    const { vertices, edges } = csr;
    this.own = room.give(vertices * (own?.bytes ?? 0));
    this.both = [room.give(vertices * shown.bytes), room.give(vertices * shown.bytes)];
    this.outDegrees = room.give(4 * vertices);
    const values = room.give(edges * (edge?.bytes ?? 0));
    this.ofEdges = [values, writes ? room.give(edges * edge!.bytes) : values];
    const place = (side: Side, elsewhere: boolean): Edged => ({
      side, begins: room.give(8 * (vertices + 1)), ids: room.give(4 * edges), places: elsewhere ? room.give(8 * edges) : 0,
    });
    this.incoming = place(csr.incoming, writes);
    // Without a direction both sides have the same edges, and these the same values until a program writes them.
    this.outgoing = place(csr.outgoing, !writes && csr.directed);
    this.tallies = room.give(16 * Math.ceil(vertices / BLOCK));
    this.woken = room.give(4 * vertices);
    this.seen = new Arrays(room.memory.bytes.buffer as ArrayBuffer);
    this.fill();
  }

  private fill(): void {
    const { csr, room: { memory }, declared: { edge, writes } } = this;
    const { u32 } = this.arrays;
    u32.set(csr.outDegrees, this.outDegrees / 4);
    const placeOf = new Uint32Array(csr.edges);
    (writes ? csr.outgoing : csr.incoming).of.forEach((edge, place) => (placeOf[edge] = place));
    for (const { side, begins, ids, places } of [this.incoming, this.outgoing]) {
      side.begins.forEach((begin, vertex) => (u32[begins / 4 + 2 * vertex] = begin));
      u32.set(side.ids, ids / 4);
      if (places !== 0) side.of.forEach((edge, at) => (u32[places / 4 + 2 * at] = placeOf[edge]!));
    }
    // A program that writes values needs none that were there before.
    if (edge === undefined || (writes && csr.values.every((value) => value === undefined))) return;
    csr.values.forEach((value, index) => {
      if (value === undefined) {
        throw new TypeError(`edge ${index} has no value, and the program declares edge: give each edge one`);
      }
      const fits = edge.write(memory, this.values + edge.bytes * placeOf[index]!, value);
      if (!fits) throw new RangeError(`edge ${index}: ${misfit(value, edge)}`);
    });
  }

  /** All memory, which may have been made larger meanwhile. */
  get arrays(): Arrays {
    const window = this.room.memory.bytes.buffer as ArrayBuffer;
    if (window !== this.seen.window) this.seen = new Arrays(window);
    return this.seen;
  }

  /** What neighbours see. */
  get shown(): number {
    return this.both[0];
  }

  /** What they see from the next iteration on. */
  get next(): number {
    return this.both[1];
  }

  /** The values of edges. */
  get values(): number {
    return this.ofEdges[0];
  }

  /** What they are from the next iteration on. */
  get nextValues(): number {
    return this.ofEdges[1];
  }

  /** Where among the values that of an edge is. */
  placeOf({ places }: Edged, edge: number): number {
    return places === 0 ? edge : this.arrays.u32[places / 4 + 2 * edge]!;
  }

  /** An iteration begins: what vertices show and edges have goes on as it is. */
  begin(): void {
    const { csr, declared: { shown, edge, writes }, room: { memory: { bytes } } } = this;
    bytes.copyWithin(this.next, this.shown, this.shown + shown.bytes * csr.vertices);
    if (writes) bytes.copyWithin(this.nextValues, this.values, this.values + edge!.bytes * csr.edges);
  }

  /** These vertices have added nothing up. */
  clear(first: number, end: number): void {
    const [from, to] = this.talliesOf(first, end);
    this.arrays.f64.fill(0, from, to);
  }

  /** What these vertices have added up to the residual, or to the total: that of all blocks, in their order. */
  sum(which: 0 | 1, first: number, end: number): number {
    const [from, to] = this.talliesOf(first, end);
    const { f64 } = this.arrays;
    let sum = 0;
    for (let at = from; at < to; at += 2) sum += f64[at + which]!;
    return sum;
  }

  /** Where the tallies of whole blocks are. */
  private talliesOf(first: number, end: number): [from: number, to: number] {
    return [this.tallies / 8 + (2 * first) / BLOCK, this.tallies / 8 + 2 * Math.ceil(end / BLOCK)];
  }

  /** What these vertices have come to show is what others see from now on. */
  publish(first: number, end: number): void {
    const { bytes: size } = this.declared.shown;
    this.room.memory.bytes.copyWithin(this.shown + size * first, this.next + size * first, this.next + size * end);
  }

  /** The start has ended: what was shown is read. */
  swap(): void {
    this.both = [this.next, this.shown];
  }

  /** An iteration has ended: what was written is read. */
  end(): void {
    this.swap();
    this.ofEdges = [this.nextValues, this.values];
  }
}
