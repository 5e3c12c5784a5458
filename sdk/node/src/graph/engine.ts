/** The engine of graphs in a few lines: the same iterations over the same frames, for a harness and for the simulator. */

import { Kind, Phase, VertexFrame } from "../abi.js";
import type { NumberArray, NumberType, Numeric } from "../numbers.js";
import type { Arrays } from "./arrays.js";
import { Columns, type Room } from "./columns.js";
import type { Csr } from "./csr.js";
import type { Declared } from "./declared.js";
import { Frames } from "./frames.js";
import type { Interval, Iteration } from "./program.js";

/** A frame that is to be answered before the run goes on. */
export interface Call {
  readonly frame: number;
  readonly phase: Phase;
  readonly iteration: number;
  /** The vertices in it. */
  readonly ids: readonly number[];
  /** What the iteration has come to, once it has ended. */
  readonly done?: Iteration;
}

export interface Cut {
  /** How many vertices a frame has at most: a multiple of a block, or 1. */
  readonly interval: number;
  /** How many vertices are updated before others see what they show, a multiple of a block; all of them in Jacobi's way. */
  readonly gaussSeidel?: number | undefined;
  /** Whether every other frame is put together as it is for a process: what neighbours show behind each other. */
  readonly copies: boolean;
}

export class Engine {
  private readonly frame: number;
  /** The graph, and what vertices keep and show. */
  readonly columns: Columns;
  private readonly frames: Frames;
  private scheduled: Uint8Array;
  /** Of this iteration; those before `behind` had their turn. */
  private waiting: Uint8Array;
  private behind = Infinity;

  constructor(
    private readonly room: Room,
    private readonly csr: Csr,
    private readonly declared: Declared,
    private readonly cut: Cut,
  ) {
    this.frame = room.head(Kind.VERTEX, VertexFrame.$bytes);
    this.columns = new Columns(room, csr, declared);
    this.frames = new Frames(this.columns, this.frame, declared, cut.copies);
    this.scheduled = new Uint8Array(csr.vertices);
    this.waiting = this.scheduled;
  }

  /** What each vertex keeps to itself, as an array of its own; `undefined` where that is nothing. */
  kept(): NumberArray | undefined {
    const { own } = this.declared;
    return own === undefined ? undefined : this.copied(own, this.columns.own);
  }

  /** What each vertex shows, as an array of its own. */
  shown(): NumberArray {
    return this.copied(this.declared.shown, this.columns.shown);
  }

  /** The values of edges in the order of incoming ones, as an array of its own; `undefined` where the program writes none. */
  edges(): NumberArray | undefined {
    const { columns, csr, declared: { edge, writes } } = this;
    if (!writes) return undefined;
    const values = this.copied(edge!, columns.values, csr.edges);
    const all = values.slice();
    for (let edge = 0; edge < csr.edges; edge++) all[edge] = values[columns.placeOf(columns.incoming, edge)]!;
    return all;
  }

  /** What a vertex keeps to itself, shows, and shows from the next iteration on. */
  keptBy(vertex: number): Numeric | undefined {
    return this.declared.own?.read(this.room.memory, this.columns.own + this.declared.own.bytes * vertex);
  }

  shownBy(vertex: number): Numeric {
    const { shown } = this.declared;
    return shown.read(this.room.memory, this.columns.shown + shown.bytes * vertex);
  }

  nextOf(vertex: number): Numeric {
    const { shown } = this.declared;
    return shown.read(this.room.memory, this.columns.next + shown.bytes * vertex);
  }

  /** A call was answered: what it has written is there before the run goes on. */
  answered(): void {
    this.frames.back();
  }

  /** What its outgoing edges have from the next iteration on; nothing where the program writes no values. */
  setBy(vertex: number): Numeric[] {
    const { columns, csr: { outgoing: { begins } }, declared: { edge, writes }, room: { memory } } = this;
    if (!writes) return [];
    const [begin, end] = [begins[vertex]!, begins[vertex + 1]!];
    return Array.from({ length: end - begin }, (_, index) => edge!.read(memory, columns.nextValues + edge!.bytes * (begin + index)));
  }

  private copied(type: NumberType, at: number, count = this.csr.vertices): NumberArray {
    return new type.array(this.room.memory.copy(at, type.bytes * count).buffer as ArrayBuffer);
  }

  /** Runs the program: each frame that it yields is to be called before it goes on. Returns how many iterations there were. */
  *run(iterations: number): Generator<Call, number> {
    const { selective } = this.declared;
    for (const ids of this.parts(this.all())) {
      this.frames.put(ids, 0);
      yield { frame: this.frame, phase: Phase.START, iteration: 0, ids };
      this.take(Phase.START, ids);
    }
    // What was shown at the start is read from now on.
    this.columns.swap();
    let total = this.columns.sum(1, 0, this.csr.vertices);
    for (let iteration = 0; iteration < iterations; iteration++) {
      if (selective && !this.scheduled.includes(1)) return iteration;
      const done = yield* this.iterate(iteration, total);
      total = done.total;
      this.frames.after(done);
      yield { frame: this.frame, phase: Phase.AFTER, iteration, ids: [], done };
      if (this.saysSo()) return iteration + 1;
    }
    return iterations;
  }

  /** What the program has answered to a frame that asks it. */
  private saysSo(): boolean {
    return this.room.memory.u32(this.frame + VertexFrame.ended) !== 0;
  }

  private all(): number[] {
    return Array.from({ length: this.csr.vertices }, (_, vertex) => vertex);
  }

  private *iterate(iteration: number, total: number): Generator<Call, Iteration> {
    const { csr: { vertices }, columns, declared } = this;
    columns.begin();
    [this.waiting, this.scheduled] = [this.scheduled, new Uint8Array(vertices)];
    let updated = 0;
    const size = this.cut.gaussSeidel ?? Infinity;
    for (let first = 0; first < vertices; first = this.behind) {
      this.behind = first + size;
      const end = Math.min(this.behind, vertices);
      const ids: number[] = [];
      for (let vertex = first; vertex < end; vertex++) if (!declared.selective || this.waiting[vertex] === 1) ids.push(vertex);
      updated += yield* this.updates({ iteration, first, end, pass: 0, updated: 0, residual: 0, total: 0 }, total, ids);
    }
    this.behind = Infinity;
    columns.end();
    return {
      number: iteration,
      updated,
      scheduled: declared.selective ? this.scheduled.reduce((sum, one) => sum + one, 0) : vertices,
      residual: columns.sum(0, 0, vertices),
      total: columns.sum(1, 0, vertices),
    };
  }

  /** Updates these vertices of an interval, and again as long as the program says so. How many were updated. */
  private *updates(about: Interval, total: number, vertices: number[]): Generator<Call, number> {
    const { columns, csr, declared: { selective, writes }, frame, frames } = this;
    const { iteration, first, end } = about;
    let [updated, ids] = [0, vertices];
    for (let interval = about; ; interval = { ...interval, pass: interval.pass + 1 }) {
      columns.clear(first, end);
      for (const part of this.parts(ids)) {
        frames.put(part, total, interval);
        yield { frame, phase: Phase.UPDATE, iteration, ids: part };
        this.take(Phase.UPDATE, part);
      }
      updated += ids.length;
      frames.told({ ...interval, updated: ids.length, residual: columns.sum(0, first, end), total: columns.sum(1, first, end) });
      yield { frame, phase: Phase.INTERVAL, iteration, ids: [] };
      let again = this.saysSo();
      if (again && writes) {
        throw new Error("it writes values of edges, which are seen in the next iteration: its updates are not repeated");
      }
      if (again && selective) {
        ids = this.handOver(first, end);
        again = ids.length > 0;
      }
      if (again || end < csr.vertices) columns.publish(first, end);
      if (!again) return updated;
    }
  }

  /** Those of these vertices that were to be updated in the next iteration, which need not wait for it. */
  private handOver(first: number, end: number): number[] {
    const ids: number[] = [];
    for (let vertex = first; vertex < end; vertex++) if (this.scheduled[vertex] === 1) ids.push(vertex);
    this.scheduled.fill(0, first, end);
    return ids;
  }

  /** The vertices of each frame. */
  private *parts(ids: readonly number[]): Generator<readonly number[]> {
    const { interval } = this.cut;
    let part: number[] = [];
    for (const id of ids) {
      if (part.length > 0 && Math.floor(id / interval) !== Math.floor(part[0]! / interval)) {
        yield part;
        part = [];
      }
      part.push(id);
    }
    if (part.length > 0) yield part;
  }

  /** What the program has written into the frame. */
  private take(phase: Phase, ids: readonly number[]): void {
    const { columns, declared: { shown, edge, outgoing, selective, writes } } = this;
    for (const id of this.frames.take()) this.schedule(id);
    if (phase !== Phase.UPDATE || !selective) return;
    const { arrays } = columns;
    for (const id of ids) {
      if (writes) this.tell(arrays, edge!.bytes, id);
      if (same(arrays, shown.bytes * id, columns.shown, columns.next, shown.bytes)) continue;
      this.wake(this.csr.outgoing, id);
      if (outgoing && this.csr.directed) this.wake(this.csr.incoming, id);
    }
  }

  /** Schedules the vertices at the other ends of a vertex's outgoing edges that have another value. */
  private tell(arrays: Arrays, bytes: number, vertex: number): void {
    const { columns, csr: { outgoing: { begins, ids } } } = this;
    for (let edge = begins[vertex]!; edge < begins[vertex + 1]!; edge++) {
      if (!same(arrays, bytes * edge, columns.values, columns.nextValues, bytes)) this.schedule(ids[edge]!);
    }
  }

  private wake({ begins, ids }: Csr["incoming"], vertex: number): void {
    for (let edge = begins[vertex]!; edge < begins[vertex + 1]!; edge++) this.schedule(ids[edge]!);
  }

  /** Those that are updated later in this iteration need not wait for the next. */
  private schedule(vertex: number): void {
    (vertex < this.behind ? this.scheduled : this.waiting)[vertex] = 1;
  }
}

/** Whether an element of so many bytes, a word or two, has the same bits in two columns. */
function same({ u32 }: Arrays, at: number, now: number, next: number, bytes: number): boolean {
  const [one, other] = [(now + at) / 4, (next + at) / 4];
  return u32[one] === u32[other] && (bytes === 4 || u32[one + 1] === u32[other + 1]);
}
