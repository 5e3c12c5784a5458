import { Edges, VertexFrame, VertexTally, at, length, nextValues } from "./abi";
import { None, place, sizeOf } from "./number";

function outside(index: i32, count: i32): void {
  throw new RangeError(`a column of the call has ${count} values, and that at ${index} was asked for`);
}

function unset(): void {
  throw new Error("set values of edges: the program does not declare that; add `writes: bool = true` to it");
}

/** Values of a call, side by side. They end with it. */
@unmanaged
export class Column<T> {
  private start: usize = 0;
  private count: i32 = 0;

  /** How many there are. */
  @inline
  get length(): i32 {
    return this.count;
  }

  @inline
  @operator("[]")
  private get(index: i32): T {
    if (<u32>index >= <u32>this.count) {
      outside(index, this.count);
      unreachable();
    }
    return load<T>(place<T>(this.start, index));
  }

  /** Counts for `own`, `next` and `nextValues` only: others are copies. */
  @inline
  @operator("[]=")
  private set(index: i32, value: T): void {
    if (<u32>index >= <u32>this.count) {
      outside(index, this.count);
      unreachable();
    }
    store<T>(place<T>(this.start, index), value);
  }

  /** The driver's: of a slice with so many. */
  open(slice: usize, count: usize): void {
    this.start = at(slice);
    this.count = <i32>count;
  }

  /** The driver's: the call has ended. */
  close(): void {
    this.count = 0;
  }
}

/** Edges in one direction, of all vertices of a call. Those of the vertex at `k` are `begins[k]` to `ends[k]`, in ascending order of their
 * other ends. */
@unmanaged
export class Side<Edge = None> {
  begins: Column<u64>;
  ends: Column<u64>;
  /** The numbers of their other ends. */
  ids: Column<u32>;
  /** What these show is at `vertices.shown[at[edge]]`. */
  at: Column<u32>;
  /** The value of an edge is at `values[edge]`, or where there are places at `values[places[edge]]`. */
  values: Column<Edge>;
  places: Column<u64>;

  constructor() {
    this.begins = new Column<u64>();
    this.ends = new Column<u64>();
    this.ids = new Column<u32>();
    this.at = new Column<u32>();
    this.values = new Column<Edge>();
    this.places = new Column<u64>();
  }

  /** The driver's: of a frame. */
  open(edges: usize): void {
    this.begins.open(edges + Edges.BEGINS, length(edges + Edges.BEGINS));
    this.ends.open(edges + Edges.ENDS, length(edges + Edges.ENDS));
    this.ids.open(edges + Edges.IDS, length(edges + Edges.IDS));
    this.at.open(edges + Edges.AT, length(edges + Edges.AT));
    this.values.open(edges + Edges.VALUES, isReference<Edge>() ? 0 : length(edges + Edges.VALUES) / sizeof<Edge>());
    this.places.open(edges + Edges.PLACES, length(edges + Edges.PLACES));
  }

  /** The driver's: the call has ended. */
  close(): void {
    this.begins.close();
    this.ends.close();
    this.ids.close();
    this.at.close();
    this.values.close();
    this.places.close();
  }
}

/** Edges that go out of the vertices of a call. */
@unmanaged
export class OutgoingSide<Edge = None> extends Side<Edge> {
  private writes: bool = false;
  private sets: Column<Edge>;

  constructor() {
    super();
    this.sets = new Column<Edge>();
  }

  /** What edges have from the next iteration on, of a program that declares `writes`: the same until it is written. One for each edge of
   * these vertices, those of one vertex behind those of the one before, not at the places that `begins` and `ends` name. */
  @inline
  get nextValues(): Column<Edge> {
    if (!this.writes) {
      unset();
      unreachable();
    }
    return this.sets;
  }

  /** The driver's: their values are set there, of a program that sets any. */
  writable(slice: usize): void {
    this.writes = true;
    this.sets.open(slice, isReference<Edge>() ? 0 : length(slice) / sizeOf<Edge>());
  }

  /** The driver's: the call has ended. */
  end(): void {
    this.close();
    this.sets.close();
  }
}

/** All vertices of a call, side by side: what is at `k` of each column belongs to one. They end with it. */
@unmanaged
export class Vertices<Shown, Own = None, Edge = None> {
  private count: i32 = 0;
  private first: u64 = 0;
  private ids: usize = 0;
  private tallies: usize = 0;
  private shift: u64 = 0;
  /** What each keeps to itself. */
  own: Column<Own>;
  /** What each has shown in the last iteration. */
  before: Column<Shown>;
  /** What each shows from the next iteration on: the same until it is written. */
  next: Column<Shown>;
  /** How many edges go out of each. */
  outDegrees: Column<u32>;
  /** What neighbours show. */
  shown: Column<Shown>;
  incoming: Side<Edge>;
  /** Empty unless the program declares `outgoing` or `writes`. */
  outgoing: OutgoingSide<Edge>;

  constructor() {
    this.own = new Column<Own>();
    this.before = new Column<Shown>();
    this.next = new Column<Shown>();
    this.outDegrees = new Column<u32>();
    this.shown = new Column<Shown>();
    this.incoming = new Side<Edge>();
    this.outgoing = new OutgoingSide<Edge>();
  }

  /** How many there are. */
  @inline
  get length(): i32 {
    return this.count;
  }

  /** The number of one of them. */
  @inline
  id(index: i32): u64 {
    if (<u32>index >= <u32>this.count) {
      outside(index, this.count);
      unreachable();
    }
    return this.ids == 0 ? this.first + index : <u64>load<u32>(this.ids + (<usize>index << 2));
  }

  /** Adds to the residual, for one of them: results are the same, whatever the calls, if vertices add in ascending order. */
  @inline
  addResidual(index: i32, amount: f64): void {
    const tally = this.tally(index);
    store<f64>(tally, load<f64>(tally, VertexTally.RESIDUAL) + amount, VertexTally.RESIDUAL);
  }

  /** Adds to the total, for one of them. */
  @inline
  addTotal(index: i32, amount: f64): void {
    const tally = this.tally(index);
    store<f64>(tally, load<f64>(tally, VertexTally.TOTAL) + amount, VertexTally.TOTAL);
  }

  @inline
  private tally(index: i32): usize {
    return this.tallies + <usize>((this.id(index) - this.first) >> this.shift) * VertexTally.SIZE;
  }

  /** The driver's: those of a frame come, some of whose outgoing edges are there. */
  open(frame: usize, outgoing: usize, sets: bool): void {
    const count = <usize>load<u64>(frame, VertexFrame.COUNT);
    this.count = <i32>count;
    this.first = load<u64>(frame, VertexFrame.FIRST);
    this.ids = length(frame + VertexFrame.IDS) == 0 ? 0 : at(frame + VertexFrame.IDS);
    this.tallies = at(frame + VertexFrame.TALLIES);
    this.shift = ctz(<u64>load<u32>(frame, VertexFrame.BLOCK));
    this.own.open(frame + VertexFrame.OWN, isReference<Own>() ? 0 : count);
    this.before.open(frame + VertexFrame.BEFORE, count);
    this.next.open(frame + VertexFrame.NEXT, count);
    this.outDegrees.open(frame + VertexFrame.OUT_DEGREES, count);
    this.shown.open(frame + VertexFrame.SHOWN, length(frame + VertexFrame.SHOWN) / sizeOf<Shown>());
    this.incoming.open(frame + VertexFrame.INCOMING);
    if (outgoing != 0) this.outgoing.open(outgoing);
    if (sets) this.outgoing.writable(nextValues(frame));
  }

  /** The driver's: the call has ended. */
  close(): void {
    this.count = 0;
    this.own.close();
    this.before.close();
    this.next.close();
    this.outDegrees.close();
    this.shown.close();
    this.incoming.close();
    this.outgoing.end();
  }
}
