/** What vertex programs are, and what they see of a graph. */

import type { Answer } from "../handler.js";
import type { Context, Log } from "../context.js";
import type { Numeric } from "../numbers.js";
import type { Vertices } from "./vertices.js";

/** The graph, as far as a program knows it before it sees any vertex. */
export interface GraphSize {
  /** How many vertices there are. */
  readonly vertices: number;
  /** How many edges, each direction counted where they have none. */
  readonly edges: number;
  /** Whether edges have a direction. If they have none, those that come in and those that go out are the same. */
  readonly directed: boolean;
}

/** What a vertex program learns when it is opened. */
export interface GraphContext extends Context, GraphSize {}

/**
 * The neighbours of a vertex in one direction, in ascending order. It is a cursor, as {@link Vertex} is. An index outside of
 * `0 <= index < length` is a `RangeError`.
 */
export interface Neighbours<Shown extends Numeric = number, Edge extends Numeric = number> {
  /** How many edges there are. */
  readonly length: number;
  /** The number of the vertex at the other end of an edge. */
  id(index: number): number;
  /** What that vertex showed in the last iteration. */
  shown(index: number): Shown;
  /** The value of the edge, of a program that declares `edge`. */
  value(index: number): Edge;
}

/** The neighbours to which edges go out of a vertex. */
export interface OutgoingNeighbours<Shown extends Numeric = number, Edge extends Numeric = number> extends Neighbours<Shown, Edge> {
  /**
   * Sets the value that the edge has from the next iteration on, for the vertex at its other end and for this one, of a program that
   * declares `writes`. Until then `value` is that of the last iteration; what is not set stays as it is. In a program that declares
   * `selective`, a value that is another one has the vertex at the other end updated.
   */
  setValue(index: number, value: Edge): void;
}

/** What is known of a vertex when it begins. */
export interface StartVertex<Shown extends Numeric = number, Own extends Numeric = number> {
  /** Its number. */
  readonly id: number;
  /** What it keeps to itself, of a program that declares `own`. */
  own: Own;
  /** What it showed in the last iteration: at the start 0. */
  readonly shown: Shown;
  /** How many edges come in. */
  readonly inDegree: number;
  /** How many edges go out. */
  readonly outDegree: number;
  /** Shows a value to its neighbours from the next iteration on. Without it, it goes on showing what it did. */
  show(value: Shown): void;
  /** Has this vertex updated in the next iteration, or another one, of a program that declares `selective`. */
  schedule(id?: number): void;
}

/**
 * A vertex that is being updated. It is a cursor: one object that goes from vertex to vertex, and can be used until `update` has
 * returned. Numbers of 64 bits are bigints; where one is written, an integer will do.
 */
export interface Vertex<Shown extends Numeric = number, Own extends Numeric = number, Edge extends Numeric = number>
  extends StartVertex<Shown, Own> {
  /** The edges that come in. */
  readonly incoming: Neighbours<Shown, Edge>;
  /** The edges that go out, of a program that declares `outgoing` or `writes`. */
  readonly outgoing: OutgoingNeighbours<Shown, Edge>;
}

/** What is the same for all vertices of an iteration. */
export interface VertexContext extends GraphSize {
  /** The number of the iteration, from 0 on. */
  readonly iteration: number;
  /** What was added by `addTotal` in the last iteration, or at the start. */
  readonly total: number;
  readonly log: Log;
  /** Adds to the iteration's residual: how far the program is from its end. */
  addResidual(amount: number): void;
  /** Adds to the iteration's total, which all vertices see in the next one. */
  addTotal(amount: number): void;
}

/** An iteration that has ended. */
export interface Iteration {
  /** Its number, from 0 on. */
  readonly number: number;
  /** How many vertices were updated. */
  readonly updated: number;
  /** How many are scheduled for the next one. */
  readonly scheduled: number;
  /** The sum of what was added by `addResidual`. */
  readonly residual: number;
  /** The sum of what was added by `addTotal`. */
  readonly total: number;
}

/**
 * Vertices that are updated together, and what that has come to: all of the graph's in Jacobi's way, and so many of them, one interval
 * after the other, in Gauss-Seidel's.
 */
export interface Interval {
  /** The number of the iteration, from 0 on. */
  readonly iteration: number;
  /** Its first vertex. */
  readonly first: number;
  /** The vertex behind its last. */
  readonly end: number;
  /** How often it was updated in this iteration before. */
  readonly pass: number;
  /** How many of its vertices were updated in this pass; here and below 0 before they are. */
  readonly updated: number;
  /** The sum of what they have added by `addResidual`. */
  readonly residual: number;
  /** The sum of what they have added by `addTotal`. */
  readonly total: number;
}

interface Program<Shown extends Numeric, Own extends Numeric> {
  /** Called once, before anything else. */
  open?(context: GraphContext): Answer;
  /** What a vertex begins with: called once for each. Without it all values are 0. */
  start?(vertex: StartVertex<Shown, Own>, context: VertexContext): void;
  /**
   * Called before an instance updates its first vertex of an iteration, for what is the same for all of them: with the iteration's
   * number, from 0 on, and what was added by `addTotal` in the last one, or at the start.
   */
  beforeIteration?(iteration: number, total: number): void;
  /** Called before an instance updates its first vertex of an interval, also before each further pass over it. */
  beforeInterval?(interval: Interval): void;
  /** Called on one instance when all vertices of an interval were updated. */
  afterInterval?(interval: Interval): Answer;
  /**
   * Called then on the same instance: true where its vertices are to be updated once more before others are. They then see what all of
   * the interval show now. Those of a program that declares `selective` are updated that have seen a change or were scheduled; where
   * there are none, the interval is done. In a program that declares `writes` true is an error.
   */
  repeatUpdates?(interval: Interval): boolean | void | Promise<boolean | void>;
  /**
   * Called between iterations; true where this was the last one. Each worker has an instance of the program, and all are told the
   * same, so that what it changes in the instance is the same in all.
   */
  afterIteration?(iteration: Iteration): boolean | void | Promise<boolean | void>;
  /** Called last. */
  close?(): Answer;
}

/** A program that is called for each vertex. Its class declares `static shown`, and what else it has. */
export interface VertexProgram<Shown extends Numeric = number, Own extends Numeric = number, Edge extends Numeric = number>
  extends Program<Shown, Own> {
  update(vertex: Vertex<Shown, Own, Edge>, context: VertexContext): void;
}

/**
 * A program that is called for each vertex with what its incoming neighbours show, put together as `static gather` says: `sum`,
 * `count`, `min` or `max`; of none 0, or the largest or the least number there is.
 */
export interface GatherProgram<
  Shown extends Numeric = number, Own extends Numeric = number, Edge extends Numeric = number, Gathered extends Numeric = number,
> extends Program<Shown, Own> {
  apply(vertex: Vertex<Shown, Own, Edge>, gathered: Gathered, context: VertexContext): void;
}

/** A program that is called with many vertices at once, as typed arrays. */
export interface IntervalProgram<Shown extends Numeric = number, Own extends Numeric = number> extends Program<Shown, Own> {
  interval(vertices: Vertices, context: VertexContext): Answer;
}

/** Any of the three. */
export type AnyProgram = Program<any, any> & Partial<
  & Pick<VertexProgram<any, any, any>, "update">
  & Pick<GatherProgram<any, any, any, any>, "apply">
  & Pick<IntervalProgram, "interval">
>;
