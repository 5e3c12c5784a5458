/** A dumped interval in memory, and the frames of its vertices. */

import { Edges, Kind, Phase, VertexFrame } from "../abi.js";
import { BLOCK } from "../graph/columns.js";
import { type Declared, gatheredOf } from "../graph/declared.js";
import type { Call } from "../graph/engine.js";
import type { GraphSize } from "../graph/program.js";
import type { NumberType, Numeric } from "../numbers.js";
import type { Arena } from "./arena.js";
import type { Stored } from "./caller.js";
import type { Dump, Ends, Row } from "./dump.js";
import { type Column, Watched, writtenBy } from "./watched.js";

/** The edges of the rows in one direction, those of each behind those of the one before. */
interface Recording {
  /** Where the first edge of each row is, and behind the last row where all end: in 8 bytes each. */
  readonly begins: number;
  readonly ids: number;
  /** Where in what was shown is what the other end of each edge showed. */
  readonly at: number;
  readonly values: number;
  /** Where the value of each edge is, in 8 bytes, where the engine says so; otherwise 0. */
  readonly places: number;
  readonly edges: number;
}

const NONE: Ends = { ids: [], shown: [], values: [] };

/** Each vertex has what is known of it at the place of its row; what was shown is there once for each edge. */
export class Recorded implements Stored {
  readonly size: GraphSize;
  private readonly rowOf: ReadonlyMap<number, number>;
  private readonly frame: number;
  private readonly ids: number;
  private readonly own: number;
  private readonly before: number;
  private readonly next: number;
  private readonly outDegrees: number;
  private readonly gathered: number;
  private readonly shown: number;
  private readonly incoming: Recording;
  private readonly outgoing: Recording;
  /** What outgoing edges have from then on, of a program that writes it: in the order of their values. */
  private readonly nextValues: number;
  private readonly tally: number;
  private readonly woken: number;
  /** How many vertices the rows may schedule, as under the engine: each itself and one for each of its edges. */
  private readonly room: number;

  constructor(private readonly arena: Arena, private readonly declared: Declared, private readonly dump: Dump) {
    const { rows, vertices, edges, directed } = dump;
    const { own, shown } = declared;
    this.size = { vertices, edges, directed };
    this.rowOf = new Map(rows.map(({ id }, row) => [id, row]));
    this.frame = arena.head(Kind.VERTEX, VertexFrame.$bytes);
    this.ids = this.words(rows.map(({ id }) => id));
    this.own = own === undefined ? 0 : this.column(own, rows.map((row) => row.own!));
    const showed = rows.map((row) => row.shown);
    this.before = this.column(shown, showed);
    this.next = this.column(shown, showed);
    this.outDegrees = this.words(rows.map(({ outDegree }) => outDegree));
    const gathered = gatheredOf(declared);
    this.gathered = gathered === undefined ? 0 : this.column(gathered, rows.map((row) => row.gathered!));
    const sides = [rows.map((row) => row.incoming), rows.map((row) => row.outgoing ?? NONE)] as const;
    this.shown = this.column(shown, sides.flat().flatMap((ends) => ends.shown));
    const { writes, edge } = declared;
    this.incoming = this.recording(sides[0], 0, writes);
    this.outgoing = this.recording(sides[1], this.incoming.edges, !writes && directed);
    this.nextValues = writes ? this.column(edge!, sides[1].flatMap((ends) => ends.values)) : 0;
    this.tally = arena.give(16);
    const room = rows.reduce((sum, { incoming, outDegree }) => sum + 1 + incoming.ids.length + outDegree, 0);
    // More than there are it need not be, as each counts once.
    this.room = declared.selective ? Math.min(room, vertices) : 0;
    this.woken = arena.give(4 * this.room);
  }

  private column(type: NumberType, values: readonly Numeric[]): number {
    const at = this.arena.give(type.bytes * values.length);
    values.forEach((value, index) => type.write(this.arena.memory, at + type.bytes * index, value));
    return at;
  }

  private words(values: readonly number[]): number {
    const at = this.arena.give(4 * values.length);
    values.forEach((value, index) => this.arena.memory.setU32(at + 4 * index, value));
    return at;
  }

  private recording(all: readonly Ends[], before: number, placed: boolean): Recording {
    const { arena, declared: { edge } } = this;
    const ids = all.flatMap((ends) => ends.ids);
    const begins = arena.give(8 * (all.length + 1));
    let end = 0;
    all.forEach((ends, row) => arena.memory.setU64(begins + 8 * (row + 1), (end += ends.ids.length)));
    const places = placed ? arena.give(8 * ids.length) : 0;
    if (placed) ids.forEach((_, edge) => arena.memory.setU64(places + 8 * edge, edge));
    return {
      begins,
      places,
      ids: this.words(ids),
      at: this.words(ids.map((_, place) => before + place)),
      values: edge === undefined ? 0 : this.column(edge, all.flatMap((ends) => ends.values)),
      edges: ids.length,
    };
  }

  /** The frames of all rows: of each one, or of all together for a program with `interval`. */
  *calls(): Generator<Call, void> {
    const { dump: { rows, iteration }, frame } = this;
    const together = this.declared.method === "interval" && rows.length > 0 ? [rows] : rows.map((row) => [row]);
    let first = 0;
    for (const part of together) {
      this.put(first, part);
      yield { frame, phase: Phase.UPDATE, iteration, ids: part.map(({ id }) => id) };
      first += part.length;
    }
  }

  private slice(place: number, at: number, length: number): void {
    this.arena.memory.setU64(this.frame + place, length === 0 ? 0 : at);
    this.arena.memory.setU64(this.frame + place + 8, length);
  }

  /** Makes the frame that of the rows from one on. */
  private put(first: number, { length, 0: row }: readonly Row[]): void {
    const { arena: { memory }, declared: { own, shown, edge, seesOut, writes }, dump, frame } = this;
    const block = Math.floor(row!.id / BLOCK) * BLOCK;
    memory.setU32(frame + VertexFrame.phase, Phase.UPDATE);
    memory.setU32(frame + VertexFrame.block, BLOCK);
    memory.setU64(frame + VertexFrame.iteration, dump.iteration);
    memory.view.setFloat64(frame + VertexFrame.total, dump.total, true);
    memory.setU64(frame + VertexFrame.intervalFirst, dump.interval.first);
    memory.setU64(frame + VertexFrame.intervalEnd, dump.interval.end);
    memory.setU64(frame + VertexFrame.pass, dump.interval.pass);
    memory.setU64(frame + VertexFrame.first, block);
    memory.setU64(frame + VertexFrame.count, length);
    const lastId = dump.rows[first + length - 1]!.id;
    // As under the engine: without numbers where they are those from the block's first one on.
    this.slice(VertexFrame.ids, this.ids + 4 * first, lastId - block + 1 === length ? 0 : length);
    if (own !== undefined) this.slice(VertexFrame.own, this.own + own.bytes * first, own.bytes * length);
    this.slice(VertexFrame.before, this.before + shown.bytes * first, shown.bytes * length);
    this.slice(VertexFrame.next, this.next + shown.bytes * first, shown.bytes * length);
    this.slice(VertexFrame.outDegrees, this.outDegrees + 4 * first, length);
    this.slice(VertexFrame.shown, this.shown, shown.bytes * (this.incoming.edges + this.outgoing.edges));
    this.edges(VertexFrame.incoming, this.incoming, first, length);
    if (seesOut) this.edges(VertexFrame.outgoing, this.outgoing, first, length);
    if (writes) {
      const [begin, end] = [this.outBegin(first), this.outBegin(first + length)];
      this.slice(VertexFrame.nextValues, this.nextValues + edge!.bytes * begin, edge!.bytes * (end - begin));
    }
    const gathered = gatheredOf(this.declared)?.bytes;
    if (gathered !== undefined) this.slice(VertexFrame.gathered, this.gathered + gathered * first, gathered * length);
    this.slice(VertexFrame.tallies, this.tally, 1);
    this.slice(VertexFrame.woken, this.woken, this.room);
  }

  private edges(place: number, { begins, ids, at, values, places, edges }: Recording, first: number, length: number): void {
    this.slice(place + Edges.begins, begins + 8 * first, length);
    this.slice(place + Edges.ends, begins + 8 * (first + 1), length);
    this.slice(place + Edges.ids, ids, edges);
    this.slice(place + Edges.at, at, edges);
    if (this.declared.edge === undefined) return;
    this.slice(place + Edges.values, values, this.declared.edge.bytes * edges);
    if (places !== 0) this.slice(place + Edges.places, places, edges);
  }

  /** The first of a row's outgoing edges. */
  private outBegin(row: number): number {
    return this.arena.memory.u64(this.outgoing.begins + 8 * row);
  }

  private at(column: number, { bytes }: NumberType, vertex: number): number {
    return column + bytes * this.rowOf.get(vertex)!;
  }

  keptBy(vertex: number): Numeric | undefined {
    const { own } = this.declared;
    return own?.read(this.arena.memory, this.at(this.own, own, vertex));
  }

  shownBy(vertex: number): Numeric {
    const { shown } = this.declared;
    return shown.read(this.arena.memory, this.at(this.before, shown, vertex));
  }

  nextOf(vertex: number): Numeric {
    const { shown } = this.declared;
    return shown.read(this.arena.memory, this.at(this.next, shown, vertex));
  }

  setBy(vertex: number): Numeric[] {
    const { arena: { memory }, declared: { edge, writes } } = this;
    const row = this.rowOf.get(vertex)!;
    const [begin, end] = writes ? [this.outBegin(row), this.outBegin(row + 1)] : [0, 0];
    return Array.from({ length: end - begin }, (_, index) => edge!.read(memory, this.nextValues + edge!.bytes * (begin + index)));
  }

  answered(): void {
    // All is written where it is read.
  }

  /** All but what a program may write, which is all of vertices that it is given. */
  watch(): Watched {
    const { declared: { shown, edge }, dump: { rows } } = this;
    const ofRow = (row: number): string => ` of vertex ${rows[row]!.id}`;
    const atPlace = (place: number): string => ` at ${place}`;
    const column = (name: string, at: number, bytes: number, count: number, whose: Column["whose"]): Column => ({
      name, at, bytes, count, written: false, whose,
    });
    const side = (name: string, { ids, at, values, edges }: Recording): Column[] => [
      column(`ids of ${name} edges`, ids, 4, edges, atPlace),
      column(`at of ${name} edges`, at, 4, edges, atPlace),
      column(`values of ${name} edges`, values, edge?.bytes ?? 0, edges, atPlace),
    ];
    return new Watched(this.arena.memory, [
      column("what vertices showed", this.before, shown.bytes, rows.length, ofRow),
      column("outDegrees", this.outDegrees, 4, rows.length, ofRow),
      column("ids of the interval", this.ids, 4, rows.length, atPlace),
      column("shown of the interval", this.shown, shown.bytes, this.incoming.edges + this.outgoing.edges, atPlace),
      ...side("incoming", this.incoming),
      ...side("outgoing", this.outgoing),
    ], writtenBy(this.declared));
  }
}
