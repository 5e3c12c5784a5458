/**
 * Handlers of an Upcall flow, and vertex programs over a graph, in JavaScript and TypeScript.
 *
 * ```js
 * export class Shout {
 *   onObject(object, emit) {
 *     emit.put(object.key, object.text().toUpperCase());
 *   }
 * }
 * ```
 *
 * What a class needs are its methods: nothing has to be imported but types, and the errors that tell why an item has ended.
 */

export { CancelledError, ClosedError, TimedOutError } from "./ended.js";
export type { Context, Log, Pool, PoolName } from "./context.js";
export type { Key } from "./engine.js";
export type { Batch } from "./flow/batch.js";
export type { Emit, Value } from "./flow/emit.js";
export type { FlowObject, Found, Signal } from "./flow/object.js";
export type { Packer } from "./flow/typed.js";
export type { BatchHandler, CombineHandler, HandlerClass, ObjectHandler, Parameter } from "./handler.js";
export type { Gather, ValueType } from "./graph/declared.js";
export type {
  GatherProgram, GraphContext, GraphSize, Interval, IntervalProgram, Iteration, Neighbours, OutgoingNeighbours, StartVertex, Vertex,
  VertexContext, VertexProgram,
} from "./graph/program.js";
export type { EdgeArrays, OutgoingArrays, Vertices } from "./graph/vertices.js";
export type { NumberArray, Numeric } from "./numbers.js";
