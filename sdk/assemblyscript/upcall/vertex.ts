import { Edges, VertexFrame, at, length, nextValues } from "./abi";
import { schedule } from "./context";
import { None, place, sizeOf } from "./number";

/** The number of the vertex that is being called for. */
let current: u64 = 0;

/** Whether its program sets values of edges. */
let writes: bool = false;

/** Behind a call of it is `unreachable`, which tells the compiler that the loop does not go on from there: a call that returns costs a
 * loop over neighbours its registers, even where it is never taken. */
function outside(index: i32, count: i32): void {
  const neighbours = count == 1 ? "neighbour" : "neighbours";
  throw new RangeError(`vertex ${current} has ${count} ${neighbours} there, and that at ${index} was asked for`);
}

function hidden(starts: bool, declared: bool): void {
  if (starts) {
    throw new Error(
      "look at edges at the start: neighbours show nothing yet, and only the number of edges is known; " +
        "look at them, and set their values, in update",
    );
  }
  throw new Error(
    declared
      ? "look at incoming edges: the engine gives none to a program that has them gathered; extend VertexProgram"
      : "look at outgoing edges: the program does not declare that; add `outgoing: bool = true` to it",
  );
}

function unset(): void {
  throw new Error(
    writes
      ? `set the value of an incoming edge of vertex ${current}: values are set on outgoing edges, by the vertex that they come from`
      : "set values of edges: the program does not declare that; add `writes: bool = true` to it",
  );
}

/** The other ends of a vertex's edges in one direction, in ascending order. They end with the call. */
@unmanaged
export class Neighbours<Shown, Edge = None> {
  private count: i32 = 0;
  private ids: usize = 0;
  private at: usize = 0;
  private all: usize = 0;
  private values: usize = 0;
  private places: usize = 0;
  /** Of the frame. */
  private edges: usize = 0;
  private begins: usize = 0;
  private ends: usize = 0;
  private valuesLength: u64 = 0;
  /** Where the values that the vertex's edges have next are written, and those of the vertex behind it; 0 where none are. */
  private sets: usize = 0;
  private setsNext: usize = 0;

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
    return load<u32>(this.ids + (<usize>index << 2));
  }

  /** What one of them shows. */
  @inline
  shown(index: i32): Shown {
    if (<u32>index >= <u32>this.count) {
      outside(index, this.count);
      unreachable();
    }
    return load<Shown>(place<Shown>(this.all, load<u32>(this.at + (<usize>index << 2))));
  }

  /** The value of the edge between them. */
  @inline
  value(index: i32): Edge {
    if (isReference<Edge>()) ERROR("look at the values of edges: declare their type, `extends VertexProgram<f64, None, f64>`");
    if (<u32>index >= <u32>this.count) {
      outside(index, this.count);
      unreachable();
    }
    if (this.places == 0) return load<Edge>(place<Edge>(this.values, index));
    const where = load<u64>(this.places + (<usize>index << 3));
    // A place that is none is a damaged file's.
    return where < this.valuesLength ? load<Edge>(place<Edge>(this.values, <usize>where)) : <Edge>0;
  }

  /** Sets the value that the edge has from the next iteration on, for the vertex at its other end and for this one: of outgoing edges, of
   * a program that declares `writes`. Until then `value` is that of the last iteration; what is not set stays. */
  @inline
  setValue(index: i32, value: Edge): void {
    if (isReference<Edge>()) ERROR("set values of edges: declare their type, `extends VertexProgram<f64, None, f64>`");
    if (<u32>index >= <u32>this.count) {
      outside(index, this.count);
      unreachable();
    }
    if (this.sets == 0) {
      unset();
      unreachable();
    }
    store<Edge>(place<Edge>(this.sets, index), value);
  }

  /** The driver's: those of a frame come, whose values are set there. */
  open(edges: usize, shown: usize, sets: usize = 0): void {
    this.sets = 0;
    this.setsNext = sets;
    this.edges = edges;
    this.begins = at(edges + Edges.BEGINS);
    this.ends = at(edges + Edges.ENDS);
    this.all = shown;
    this.valuesLength = isReference<Edge>() ? 0 : <u64>(length(edges + Edges.VALUES) / sizeOf<Edge>());
    this.count = 0;
  }

  /** The driver's: those of the vertex at an index of the frame. */
  @inline
  move(index: usize): void {
    const begin = <usize>load<u64>(this.begins + (index << 3));
    const end = <usize>load<u64>(this.ends + (index << 3));
    const edges = this.edges;
    // Where all of a frame's vertices have no edge, theirs are nowhere, and not at its beginning.
    if (begin > end || (end > length(edges + Edges.IDS) && begin < end)) {
      throw new Error("the edges of a vertex are not within those of the frame: the engine breaks the rules");
    }
    this.count = <i32>(end - begin);
    this.ids = at(edges + Edges.IDS) + (begin << 2);
    this.at = at(edges + Edges.AT) + (begin << 2);
    if (!isReference<Edge>()) {
      const scattered = length(edges + Edges.PLACES) != 0;
      this.places = scattered ? at(edges + Edges.PLACES) + (begin << 3) : 0;
      this.values = scattered ? at(edges + Edges.VALUES) : place<Edge>(at(edges + Edges.VALUES), begin);
    }
  }

  /** The driver's: where their values are set is behind those of the vertex before. */
  @inline
  room(): void {
    this.sets = this.setsNext;
    this.setsNext = place<Edge>(this.setsNext, this.count);
  }

  /** The driver's: the call has ended. */
  close(): void {
    this.count = 0;
  }
}

/** One vertex of a graph. It is the next one in the next call. */
@unmanaged
export class Vertex<Shown, Own = None, Edge = None> {
  private number: u64 = 0;
  private index: usize = 0;
  private owns: usize = 0;
  private before: usize = 0;
  private next: usize = 0;
  private outDegrees: usize = 0;
  private begins: usize = 0;
  private ends: usize = 0;
  private first: u64 = 0;
  private ids: usize = 0;
  private starts: bool = false;
  private comesIn: bool = false;
  private goesOut: bool = false;
  private from: Neighbours<Shown, Edge>;
  private to: Neighbours<Shown, Edge>;

  constructor() {
    this.from = new Neighbours<Shown, Edge>();
    this.to = new Neighbours<Shown, Edge>();
  }

  /** Its number. */
  @inline
  get id(): u64 {
    return this.number;
  }

  /** What it keeps to itself. */
  @inline
  get own(): Own {
    if (isReference<Own>()) ERROR("keep something: declare its type behind that of what is shown, `extends VertexProgram<f64, f64>`");
    return load<Own>(place<Own>(this.owns, this.index));
  }

  @inline
  set own(value: Own) {
    if (isReference<Own>()) ERROR("keep something: declare its type behind that of what is shown, `extends VertexProgram<f64, f64>`");
    store<Own>(place<Own>(this.owns, this.index), value);
  }

  /** What it has shown in the last iteration; at the start 0. */
  @inline
  get shown(): Shown {
    return this.starts ? <Shown>0 : load<Shown>(place<Shown>(this.before, this.index));
  }

  /** Shows a value to its neighbours, from the next iteration on. Otherwise it goes on showing what it did. */
  @inline
  show(value: Shown): void {
    store<Shown>(place<Shown>(this.next, this.index), value);
  }

  /** How many edges go out of it. */
  @inline
  get outDegree(): u32 {
    return load<u32>(this.outDegrees + (this.index << 2));
  }

  /** How many edges come in. */
  @inline
  get inDegree(): u64 {
    if (this.begins == 0) {
      hidden(false, true);
      unreachable();
    }
    return load<u64>(this.ends + (this.index << 3)) - load<u64>(this.begins + (this.index << 3));
  }

  /** The vertices that it has edges from. */
  @inline
  get incoming(): Neighbours<Shown, Edge> {
    if (!this.comesIn) {
      hidden(this.starts, true);
      unreachable();
    }
    return this.from;
  }

  /** The vertices that it has edges to, of a program that declares `outgoing` or `writes`. */
  @inline
  get outgoing(): Neighbours<Shown, Edge> {
    if (!this.goesOut) {
      hidden(this.starts, false);
      unreachable();
    }
    return this.to;
  }

  /** Has it updated in the next iteration of a program that is `selective`, or another vertex by its number. */
  schedule(id: u64 = this.number): void {
    schedule(id);
  }

  /** The driver's: the vertices of a frame come, some of whose edges are there. */
  open(frame: usize, starts: bool, outgoing: usize, sets: bool): void {
    const incoming = frame + VertexFrame.INCOMING;
    this.first = load<u64>(frame, VertexFrame.FIRST);
    this.ids = length(frame + VertexFrame.IDS) == 0 ? 0 : at(frame + VertexFrame.IDS);
    this.owns = at(frame + VertexFrame.OWN);
    this.before = at(frame + VertexFrame.BEFORE);
    this.next = at(frame + VertexFrame.NEXT);
    this.outDegrees = at(frame + VertexFrame.OUT_DEGREES);
    const known = length(incoming + Edges.BEGINS) != 0;
    this.begins = known ? at(incoming + Edges.BEGINS) : 0;
    this.ends = at(incoming + Edges.ENDS);
    this.starts = starts;
    // Of a program that has its neighbours gathered, the engine may leave out which they are.
    const count = <usize>load<u64>(frame, VertexFrame.COUNT);
    const none = count == 0 || (known && load<u64>(this.ends + ((count - 1) << 3)) == load<u64>(this.begins));
    this.comesIn = !starts && known && (none || length(incoming + Edges.IDS) != 0);
    this.goesOut = !starts && outgoing != 0;
    if (this.comesIn) this.from.open(incoming, at(frame + VertexFrame.SHOWN));
    if (this.goesOut) this.to.open(outgoing, at(frame + VertexFrame.SHOWN), sets ? at(nextValues(frame)) : 0);
    writes = sets;
  }

  /** The driver's: it is the one at an index of the frame. Its distance from the frame's first vertex. */
  @inline
  move(index: usize): u64 {
    const number = this.ids == 0 ? this.first + index : <u64>load<u32>(this.ids + (index << 2));
    this.index = index;
    this.number = number;
    current = number;
    if (this.comesIn) this.from.move(index);
    if (this.goesOut) {
      this.to.move(index);
      if (!isReference<Edge>() && writes) this.to.room();
    }
    return number - this.first;
  }

  /** The driver's: the call has ended, and whoever has kept it finds nothing of another's. */
  close(): void {
    const nothing = memory.data(16);
    this.index = 0;
    this.owns = nothing;
    this.before = nothing;
    this.next = nothing;
    this.outDegrees = nothing;
    this.begins = nothing;
    this.ends = nothing;
    this.from.close();
    this.to.close();
  }
}
