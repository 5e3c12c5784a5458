/** Puts VERTEX frames together, and takes out what a program has written. */

import { Edges, ErrorSlot, FrameHead, Phase, VertexFrame } from "../abi.js";
import { BLOCK, type Columns, type Edged } from "./columns.js";
import { type Declared, gatheredOf } from "./declared.js";
import { gather } from "./gather.js";
import type { Interval, Iteration } from "./program.js";

/** What lies elsewhere while a frame's vertices do not lie side by side: where from, and where it is meanwhile. */
interface Moved {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** An edge: the vertex at its other end, and where its value is. */
interface Seen {
  readonly id: number;
  readonly value: number;
}

export class Frames {
  /** Where frames are put together of what does not lie side by side, and how much of it is used. */
  private readonly scratch: number;
  private at = 0;
  private count = 0;
  private moved: Moved[] = [];
  private ids: readonly number[] = [];

  constructor(
    private readonly columns: Columns,
    private readonly frame: number,
    private readonly declared: Declared,
    /** Whether every other frame is put together as it is for a process. */
    private readonly copies: boolean,
  ) {
    const { vertices, edges } = columns.csr;
    // Of each vertex and edge all that a frame can have, and what is lost between them.
    this.scratch = columns.room.give(vertices * (4 * 8 + 4 + 4 + 4 * 8) + 2 * edges * (4 + 4 + 8 + 8) + 8 * edges + 16 * 32);
  }

  private get memory(): Columns["room"]["memory"] {
    return this.columns.room.memory;
  }

  private take16(bytes: number): number {
    const at = this.at;
    this.at = Math.ceil((at + bytes) / 16) * 16;
    return at;
  }

  private slice(place: number, at: number, length: number): void {
    this.memory.setU64(this.frame + place, length === 0 ? 0 : at);
    this.memory.setU64(this.frame + place + 8, length);
  }

  /** Empties the frame, but for where the text of an error may be. */
  private clear(phase: Phase, iteration: number, total: number): void {
    const { memory, frame } = this;
    const text = frame + FrameHead.error + ErrorSlot.text;
    const [head, room] = [memory.bytes.slice(frame, frame + 8), memory.bytes.slice(text, text + 16)];
    memory.bytes.fill(0, frame, frame + VertexFrame.$bytes);
    memory.bytes.set(head, frame);
    memory.bytes.set(room, text);
    memory.setU32(frame + VertexFrame.phase, phase);
    memory.setU32(frame + VertexFrame.block, BLOCK);
    memory.setU64(frame + VertexFrame.iteration, iteration);
    memory.view.setFloat64(frame + VertexFrame.total, total, true);
  }

  /** A frame that tells what an iteration has come to. */
  after(done: Iteration): void {
    const { memory, frame } = this;
    this.clear(Phase.AFTER, done.number, done.total);
    memory.setU64(frame + VertexFrame.updated, done.updated);
    memory.setU64(frame + VertexFrame.scheduled, done.scheduled);
    memory.view.setFloat64(frame + VertexFrame.residual, done.residual, true);
  }

  /** A frame that tells what an interval has come to. */
  told(interval: Interval): void {
    const { memory, frame } = this;
    this.clear(Phase.INTERVAL, interval.iteration, interval.total);
    this.of(interval);
    memory.setU64(frame + VertexFrame.updated, interval.updated);
    memory.view.setFloat64(frame + VertexFrame.residual, interval.residual, true);
  }

  /** Which interval the frame is about. */
  private of({ first, end, pass }: Interval): void {
    const { memory, frame } = this;
    memory.setU64(frame + VertexFrame.intervalFirst, first);
    memory.setU64(frame + VertexFrame.intervalEnd, end);
    memory.setU64(frame + VertexFrame.pass, pass);
  }

  /** A frame of these vertices, in ascending order: to begin, or to be updated with others of an interval. */
  put(ids: readonly number[], total: number, interval?: Interval): void {
    const { columns, declared, memory, frame } = this;
    const { own, shown } = declared;
    const phase = interval === undefined ? Phase.START : Phase.UPDATE;
    this.clear(phase, interval?.iteration ?? 0, total);
    if (interval !== undefined) this.of(interval);
    this.ids = ids;
    this.at = this.scratch;
    this.moved = [];
    this.count += 1;
    const first = Math.floor(ids[0]! / BLOCK) * BLOCK;
    const last = ids[ids.length - 1]!;
    memory.setU64(frame + VertexFrame.first, first);
    memory.setU64(frame + VertexFrame.count, ids.length);
    if (ids[0] !== first || last - first + 1 !== ids.length) {
      const at = this.take16(4 * ids.length);
      columns.arrays.u32.set(ids, at / 4);
      this.slice(VertexFrame.ids, at, ids.length);
    }
    const column = (place: number, at: number, bytes: number, elements: boolean, back: boolean): void =>
      this.slice(place, this.column(at, bytes, back), elements ? ids.length : bytes * ids.length);
    if (own !== undefined) column(VertexFrame.own, columns.own, own.bytes, false, true);
    column(VertexFrame.next, columns.next, shown.bytes, false, true);
    column(VertexFrame.outDegrees, columns.outDegrees, 4, true, false);
    if (phase === Phase.UPDATE) column(VertexFrame.before, columns.shown, shown.bytes, false, false);
    this.slice(VertexFrame.tallies, columns.tallies + (16 * first) / BLOCK, Math.floor((last - first) / BLOCK) + 1);
    if (declared.selective) this.slice(VertexFrame.woken, columns.woken, columns.csr.vertices);
    this.edges(phase);
    if (phase === Phase.UPDATE && declared.writes) this.nextValues();
    if (phase === Phase.UPDATE && declared.gather !== undefined) this.gathered();
  }

  /** Whether what is known of the vertices lies side by side. */
  private get together(): boolean {
    const { ids } = this;
    return ids[ids.length - 1]! - ids[0]! + 1 === ids.length;
  }

  /** Where a column of the vertices is: where it lies, or put together. */
  private column(at: number, bytes: number, back: boolean): number {
    const { ids } = this;
    if (this.together) return at + bytes * ids[0]!;
    const from = this.take16(bytes * ids.length);
    ids.forEach((id, k) => {
      this.memory.bytes.copyWithin(from + bytes * k, at + bytes * id, at + bytes * (id + 1));
      if (back) this.moved.push({ from: from + bytes * k, to: at + bytes * id, bytes });
    });
    return from;
  }

  private edges(phase: Phase): void {
    const { columns, declared: { shown, seesOut } } = this;
    const sides: [place: number, side: Edged][] = [[VertexFrame.incoming, columns.incoming]];
    if (seesOut) sides.push([VertexFrame.outgoing, columns.outgoing]);
    if (phase === Phase.UPDATE && this.copies && this.count % 2 === 0) {
      const edges = sides.map(([, side]) => this.edgesOf(side));
      const all = edges.flat();
      const at = this.take16(shown.bytes * all.length);
      all.forEach(({ id }, index) => {
        const from = columns.shown + shown.bytes * id;
        this.memory.bytes.copyWithin(at + shown.bytes * index, from, from + shown.bytes);
      });
      this.slice(VertexFrame.shown, at, shown.bytes * all.length);
      sides.forEach(([place, side], index) => this.copied(place, side, edges[index]!, index === 0 ? 0 : edges[0]!.length));
      return;
    }
    for (const [place, { side, begins, ids, places }] of sides) {
      this.slice(place + Edges.begins, this.column(begins, 8, false), this.ids.length);
      this.slice(place + Edges.ends, this.column(begins + 8, 8, false), this.ids.length);
      if (phase !== Phase.UPDATE) continue;
      this.slice(place + Edges.ids, ids, side.ids.length);
      this.slice(place + Edges.at, ids, side.ids.length);
      if (this.declared.edge === undefined) continue;
      this.slice(place + Edges.values, columns.values, this.declared.edge.bytes * side.ids.length);
      if (places !== 0) this.slice(place + Edges.places, places, side.ids.length);
    }
    if (phase === Phase.UPDATE) this.slice(VertexFrame.shown, columns.shown, shown.bytes * columns.csr.vertices);
  }

  /** The edges of the vertices: their other ends, and where their values are. */
  private edgesOf(edged: Edged): Seen[] {
    const { side } = edged;
    return this.ids.flatMap((vertex) => {
      const [begin, end] = [side.begins[vertex]!, side.begins[vertex + 1]!];
      return Array.from({ length: end - begin }, (_, index) => ({
        id: side.ids[begin + index]!, value: this.columns.placeOf(edged, begin + index),
      }));
    });
  }

  /** The edges as a process sees them: behind each other, with what their other ends show from `before` on. */
  private copied(place: number, { side }: Edged, edges: readonly Seen[], before: number): void {
    const { columns, declared: { edge }, memory } = this;
    const [begins, ids, at] = [this.take16(8 * (this.ids.length + 1)), this.take16(4 * edges.length), this.take16(4 * edges.length)];
    const { u32 } = columns.arrays;
    let end = 0;
    memory.setU64(begins, 0);
    this.ids.forEach((vertex, k) => {
      end += side.begins[vertex + 1]! - side.begins[vertex]!;
      memory.setU64(begins + 8 * (k + 1), end);
    });
    edges.forEach(({ id }, index) => {
      u32[ids / 4 + index] = id;
      u32[at / 4 + index] = before + index;
    });
    this.slice(place + Edges.begins, begins, this.ids.length);
    this.slice(place + Edges.ends, begins + 8, this.ids.length);
    this.slice(place + Edges.ids, ids, edges.length);
    this.slice(place + Edges.at, at, edges.length);
    if (edge === undefined) return;
    const values = this.take16(edge.bytes * edges.length);
    edges.forEach(({ value }, index) => {
      const from = columns.values + edge.bytes * value;
      memory.bytes.copyWithin(values + edge.bytes * index, from, from + edge.bytes);
    });
    this.slice(place + Edges.values, values, edge.bytes * edges.length);
  }

  /** Where the values of outgoing edges are written, as they are until then: where they lie, or put together. */
  private nextValues(): void {
    const { columns, declared: { edge }, ids, memory } = this;
    const { begins } = columns.csr.outgoing;
    const valuesOf = (vertex: number): [at: number, bytes: number] =>
      [columns.nextValues + edge!.bytes * begins[vertex]!, edge!.bytes * (begins[vertex + 1]! - begins[vertex]!)];
    const length = ids.reduce((sum, vertex) => sum + valuesOf(vertex)[1], 0);
    if (this.together) {
      this.slice(VertexFrame.nextValues, valuesOf(ids[0]!)[0], length);
      return;
    }
    let from = this.take16(length);
    this.slice(VertexFrame.nextValues, from, length);
    for (const vertex of ids) {
      const [to, bytes] = valuesOf(vertex);
      memory.bytes.copyWithin(from, to, to + bytes);
      this.moved.push({ from, to, bytes });
      from += bytes;
    }
  }

  private gathered(): void {
    const { columns, declared, memory } = this;
    const type = gatheredOf(declared)!;
    const at = this.take16(type.bytes * this.ids.length);
    const { side } = columns.incoming;
    const { shown } = declared;
    const all = new shown.array(columns.arrays.window, columns.shown, columns.csr.vertices);
    this.ids.forEach((vertex, k) => {
      const places = side.ids.subarray(side.begins[vertex], side.begins[vertex + 1]);
      type.write(memory, at + type.bytes * k, gather(declared.gather!, shown, all, places));
    });
    this.slice(VertexFrame.gathered, at, type.bytes * this.ids.length);
  }

  /** Puts back what was written elsewhere. */
  back(): void {
    for (const { from, to, bytes } of this.moved) this.memory.bytes.copyWithin(to, from, from + bytes);
    this.moved = [];
  }

  /** The same. The vertices that were scheduled. */
  take(): Uint32Array {
    const { columns, memory, frame } = this;
    this.back();
    return columns.arrays.u32.slice(columns.woken / 4, columns.woken / 4 + memory.u64(frame + VertexFrame.wakes));
  }
}
