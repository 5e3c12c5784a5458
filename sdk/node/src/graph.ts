/**
 * Graphs inside a Node program: the engine is loaded, and calls a vertex program of the program's own, on its event loop. An update may be
 * a closure, which changes what lies around it.
 *
 * ```js
 * import { Graph } from "upcall/graph";
 *
 * const graph = Graph.map("links.graph");
 * const { own, iterations } = await graph.run(PageRank, { settings: { damping: 0.9 } });
 * ```
 */

export { Graph, GraphError, type GraphErrorKind, type GraphProgram, type GraphRun, type ProgramObject, type RunOptions } from "./embedded/graph.js";
export type {
  GatherProgram, GraphContext, GraphSize, Interval, IntervalProgram, Iteration, Neighbours, OutgoingNeighbours, StartVertex, Vertex,
  VertexContext, VertexProgram,
} from "./graph/program.js";
export type { Vertices } from "./graph/vertices.js";
export type { NumberArray } from "./numbers.js";
