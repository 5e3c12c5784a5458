import { Edges, NO_ITEM, VertexFrame, VertexTally, at, length } from "./abi";
import { Body } from "./body";
import { Context, failure, hasFailed } from "./context";
import { failed } from "./failure";
import { GraphBody } from "./graph";
import { AnyHandler } from "./handler";
import { None, numberName, place } from "./number";
import { Vertex } from "./vertex";
import { Vertices } from "./vertices";

/** An iteration that has ended. */
export class Iteration {
  constructor(
    /** Its number, from 0 on. */
    public number: u64,
    /** How many vertices were updated. */
    public updated: u64,
    /** How many are scheduled for the next one. */
    public scheduled: u64,
    /** What all vertices have added to the residual. */
    public residual: f64,
    /** What they have added to the total. */
    public total: f64,
  ) {}
}

/** Vertices that are updated together, and what that has come to: all of the graph's in Jacobi's way, and so many of them, one interval
 * after the other, in Gauss-Seidel's. */
export class Interval {
  constructor(
    /** The number of the iteration, from 0 on. */
    public iteration: u64,
    /** Its first vertex. */
    public first: u64,
    /** The vertex behind its last. */
    public end: u64,
    /** How often it was updated in this iteration before. */
    public pass: u64,
    /** How many of its vertices were updated in this pass; here and below 0 before they are. */
    public updated: u64,
    /** What they have added to the residual in it. */
    public residual: f64,
    /** What they have added to the total in it. */
    public total: f64,
  ) {}
}

/** What the engine puts together of what a vertex's incoming neighbours show. */
export enum Gather {
  NONE,
  SUM,
  MIN,
  MAX,
  COUNT,
}

/** What a field had before the class that declares it made it. The compiler has a class that extends it, and has a constructor, set its
 * own fields first, which may be the same ones; only the runtime `incremental` hands out memory in which they are 0 until then. */
// @ts-ignore: decorator
@inline
function kept<T>(value: T): T {
  return ASC_RUNTIME == 2 ? value : <T>0;
}

/** What all vertex programs have: extend `VertexProgram`, `GatherProgram` or `IntervalProgram`. Whatever a vertex shows, its neighbours
 * see in the next iteration, so that it does not matter in which order vertices are updated. */
export abstract class AnyProgram<Shown, Own = None, Edge = None> extends AnyHandler {
  /** Whether it looks at outgoing edges. */
  outgoing: bool = kept(this.outgoing);
  /** Whether only vertices are updated that see a change, and those that were scheduled. */
  selective: bool = kept(this.selective);
  /** Whether it sets values of outgoing edges, whose type it declares. */
  writes: bool = kept(this.writes);

  /** What a vertex begins with; zeroes if this is not overridden. Of its edges only the number is known. */
  start(vertex: Vertex<Shown, Own, Edge>, context: Context): void {}

  /** Called before a worker updates its first vertex of an iteration, with the iteration's number, from 0 on, and what all vertices have
   * added to the total in the last one, or at the start. */
  beforeIteration(iteration: u64, total: f64): void {}

  /** Called before a worker updates its first vertex of an interval, also before each further pass over it. */
  beforeInterval(interval: Interval): void {}

  /** Called on one worker when all vertices of an interval were updated. */
  afterInterval(interval: Interval): void {}

  /** Called then on the same worker: whether they are to be updated once more before others are. They then see what all of the interval
   * show now. Of a `selective` program those are updated that have seen a change or were scheduled; where there are none, the interval is
   * done. A program that `writes` values of edges cannot: the engine ends the run. */
  repeatUpdates(interval: Interval): bool {
    return false;
  }

  /** Called after each iteration, on every worker with the same numbers: whether it was the last one. */
  afterIteration(iteration: Iteration): bool {
    return false;
  }

  body(): Body {
    return new GraphBody<Shown, Own, Edge>(this);
  }

  /** The driver's: how vertices are handed over. */
  abstract form(): string;

  /** The driver's: by what neighbours are gathered, and to which type. */
  gathers(): Gather {
    return Gather.NONE;
  }

  gathered(): string {
    return "";
  }

  /** The driver's: where a frame has the outgoing edges that the program sees; 0 where it sees none. Where edges have no direction, these
   * may be the same as those that come in. */
  outgoingOf(frame: usize, directed: bool): usize {
    if (!this.outgoing && !this.writes) return 0;
    const own = directed || length(frame + VertexFrame.OUTGOING + Edges.BEGINS) != 0;
    return frame + (own ? VertexFrame.OUTGOING : VertexFrame.INCOMING);
  }

  /** The driver's: updates the vertices of a frame; a status. */
  abstract handOver(frame: usize, count: usize, vertex: Vertex<Shown, Own, Edge>, context: Context): i32;
}

/** A program that is called for each vertex. */
export abstract class VertexProgram<Shown, Own = None, Edge = None> extends AnyProgram<Shown, Own, Edge> {
  /** Updates one vertex. */
  abstract update(vertex: Vertex<Shown, Own, Edge>, context: Context): void;

  form(): string {
    return "vertex";
  }

  handOver(frame: usize, count: usize, vertex: Vertex<Shown, Own, Edge>, context: Context): i32 {
    const tallies = at(frame + VertexFrame.TALLIES);
    const shift = ctz(load<u32>(frame, VertexFrame.BLOCK));
    for (let index: usize = 0; index < count; index++) {
      context.tally = tallies + <usize>(vertex.move(index) >> shift) * VertexTally.SIZE;
      this.update(vertex, context);
      if (hasFailed()) return failed(frame, <u32>index, failure!);
    }
    return 0;
  }
}

/** A program that is called for each vertex with what its incoming neighbours come to, which the engine has put together. `Gathered` is
 * `f64` for a sum or a count, and the type of what is shown for the least or the greatest. */
export abstract class GatherProgram<Shown, Own = None, Gathered = f64, Edge = None> extends AnyProgram<Shown, Own, Edge> {
  /** By what they are gathered. */
  gather: Gather = kept(this.gather);

  /** Updates one vertex. */
  abstract apply(vertex: Vertex<Shown, Own, Edge>, gathered: Gathered, context: Context): void;

  form(): string {
    return "gather";
  }

  gathers(): Gather {
    return this.gather;
  }

  gathered(): string {
    return numberName<Gathered>();
  }

  handOver(frame: usize, count: usize, vertex: Vertex<Shown, Own, Edge>, context: Context): i32 {
    const tallies = at(frame + VertexFrame.TALLIES);
    const shift = ctz(load<u32>(frame, VertexFrame.BLOCK));
    const gathered = at(frame + VertexFrame.GATHERED);
    for (let index: usize = 0; index < count; index++) {
      context.tally = tallies + <usize>(vertex.move(index) >> shift) * VertexTally.SIZE;
      this.apply(vertex, load<Gathered>(place<Gathered>(gathered, index)), context);
      if (hasFailed()) return failed(frame, <u32>index, failure!);
    }
    return 0;
  }
}

/** A program that is called for many vertices at once. */
export abstract class IntervalProgram<Shown, Own = None, Edge = None> extends AnyProgram<Shown, Own, Edge> {
  private all: Vertices<Shown, Own, Edge> = new Vertices<Shown, Own, Edge>();

  /** Updates all vertices of a call. */
  abstract interval(vertices: Vertices<Shown, Own, Edge>, context: Context): void;

  form(): string {
    return "interval";
  }

  handOver(frame: usize, count: usize, vertex: Vertex<Shown, Own, Edge>, context: Context): i32 {
    context.tally = at(frame + VertexFrame.TALLIES);
    this.all.open(frame, this.outgoingOf(frame, context.directed), this.writes);
    this.interval(this.all, context);
    this.all.close();
    return hasFailed() ? failed(frame, NO_ITEM, failure!) : 0;
  }
}
