/** Where everything of a VERTEX frame is. */

import { Edges, FrameHead, VertexFrame } from "../abi.js";
import type { Memory } from "../memory.js";
import { type Declared, gatheredOf } from "./declared.js";

/** The edges of a frame's vertices in one direction: indices of elements, and -1 of what is not there. */
export interface EdgePlaces {
  begins: number;
  ends: number;
  ids: number;
  at: number;
  values: number;
  places: number;
  /** How many edges the arrays hold. */
  edges: number;
  /** How many values there are. */
  valueCount: number;
}

/** A frame: indices of elements, each counted in elements of its array's type; -1 of what is not there. */
export interface Places {
  phase: number;
  count: number;
  first: number;
  /** The logarithm of how many vertices add to one tally. */
  shift: number;
  iteration: number;
  total: number;
  ids: number;
  own: number;
  before: number;
  next: number;
  outDegrees: number;
  shown: number;
  /** How many values there are. */
  shownCount: number;
  /** Whether what neighbours show is put side by side, and where that of outgoing edges begins. */
  packed: boolean;
  middle: number;
  incoming: EdgePlaces;
  outgoing: EdgePlaces;
  gathered: number;
  /** What outgoing edges have from the next iteration on: of the vertex that comes next, and where the room ends. */
  nextValues: number;
  nextValuesEnd: number;
  tallies: number;
  woken: number;
  /** How many vertices `woken` has room for. */
  room: number;
}

const edgesNowhere = (): EdgePlaces => ({
  begins: -1, ends: -1, ids: -1, at: -1, values: -1, places: -1, edges: 0, valueCount: 0,
});

/** A record for {@link read}. */
export function nowhere(): Places {
  return {
    phase: 0, count: 0, first: 0, shift: 0, iteration: 0, total: 0, ids: -1, own: -1, before: -1, next: -1, outDegrees: -1,
    shown: -1, shownCount: 0, packed: false, middle: 0, incoming: edgesNowhere(), outgoing: edgesNowhere(), gathered: -1,
    nextValues: -1, nextValuesEnd: -1, tallies: -1, woken: -1, room: 0,
  };
}

/** The bytes of a frame as ABI 2 began with it; what was appended since is read where a frame has it. */
export const LEAST: number = VertexFrame.nextValues;

/** Reads a frame into a record. */
export function read(memory: Memory, frame: number, declared: Declared, into: Places): void {
  // The element at which a slice begins. It is less than 2 ** 30, and V8 is told so: with floats an index costs a nanosecond or two.
  const of = (at: number, bytes: number): number => (memory.u64(at + 8) === 0 ? -1 : (memory.u64(at) / bytes) | 0);
  const edges = (at: number, to: EdgePlaces): void => {
    to.begins = of(at + Edges.begins, 4);
    to.ends = of(at + Edges.ends, 4);
    to.ids = of(at + Edges.ids, 4);
    to.at = of(at + Edges.at, 4);
    to.values = of(at + Edges.values, declared.edge?.bytes ?? 1);
    to.places = of(at + Edges.places, 4);
    to.edges = memory.u64(at + Edges.ids + 8);
    to.valueCount = memory.u64(at + Edges.values + 8) / (declared.edge?.bytes ?? 1);
  };
  const shown = declared.shown.bytes;
  into.phase = memory.u32(frame + VertexFrame.phase);
  // Numbers of vertices have 32 bits.
  into.count = memory.u32(frame + VertexFrame.count);
  into.first = memory.u32(frame + VertexFrame.first);
  into.shift = 31 - Math.clz32(memory.u32(frame + VertexFrame.block));
  into.iteration = memory.u64(frame + VertexFrame.iteration);
  into.total = memory.view.getFloat64(frame + VertexFrame.total, true);
  into.ids = of(frame + VertexFrame.ids, 4);
  into.own = of(frame + VertexFrame.own, declared.own?.bytes ?? 1);
  into.before = of(frame + VertexFrame.before, shown);
  into.next = of(frame + VertexFrame.next, shown);
  into.outDegrees = of(frame + VertexFrame.outDegrees, 4);
  into.shown = of(frame + VertexFrame.shown, shown);
  into.shownCount = memory.u64(frame + VertexFrame.shown + 8) / shown;
  edges(frame + VertexFrame.incoming, into.incoming);
  edges(frame + VertexFrame.outgoing, into.outgoing);
  into.gathered = of(frame + VertexFrame.gathered, gatheredOf(declared)?.bytes ?? 1);
  const next = declared.writes && memory.u32(frame + FrameHead.size) >= VertexFrame.nextValues + 16;
  const edge = declared.edge?.bytes ?? 1;
  into.nextValues = next ? of(frame + VertexFrame.nextValues, edge) : -1;
  into.nextValuesEnd = into.nextValues < 0 ? -1 : into.nextValues + memory.u64(frame + VertexFrame.nextValues + 8) / edge;
  into.tallies = of(frame + VertexFrame.tallies, 8);
  into.woken = of(frame + VertexFrame.woken, 4);
  into.room = memory.u64(frame + VertexFrame.woken + 8);
}
