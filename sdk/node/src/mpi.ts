/**
 * Message passing between processes, over the MPI of the machine.
 *
 * ```js
 * import { Environment, Sum } from "upcall/mpi";
 *
 * const mpi = Environment.start();
 * const { world } = mpi;
 * const all = world.allReduce(Float64Array.of(world.rank), Sum); // the sum of all ranks
 * mpi.finish();
 * ```
 */

export type { ArrayType, BigInts, Element, Numbers, TypedArray } from "./mpi/arrays.js";
export type { Checked } from "./mpi/checked.js";
export { Communicator, type GraphOptions } from "./mpi/communicator.js";
export { Environment, type OptionalPart, type SendBuffer, type Threads } from "./mpi/environment.js";
export { MpiError, type MpiErrorKind } from "./mpi/error.js";
export {
  Epoch, type Exchange, type Exposure, type LocalMemory, type Neighbors, type PassiveEpoch, Replace, type WindowOperation,
} from "./mpi/epoch.js";
export { File, type FileOptions, type From, type ViewElement } from "./mpi/file.js";
export { type Comparison, Group, type RankRange } from "./mpi/group.js";
export { type HandlerOptions, ofHandler, type OfHandler } from "./mpi/handler.js";
export { Intercommunicator } from "./mpi/intercommunicator.js";
export { Key } from "./mpi/key.js";
export { MpiBuffer } from "./mpi/memory.js";
export type { Message } from "./mpi/messages.js";
export type { CombineObjects } from "./mpi/objects.js";
export {
  BitAnd, BitOr, BitXor, type Combine, each, LogicalAnd, LogicalOr, LogicalXor, Max, Min, type Named, notCommutative, type Operation,
  type Ordered, Product, Sum,
} from "./mpi/operation.js";
export type { PartitionedReceive, PartitionedSend } from "./mpi/partitioned.js";
export { MaxWithPlace, MinWithPlace, type Placed, type WithPlace } from "./mpi/placed.js";
export type { Port, Published } from "./mpi/port.js";
export type { SpawnedProgram } from "./mpi/processes.js";
export type { NumberOperation } from "./mpi/reductions.js";
export { ExactSum, type Reals } from "./mpi/reproducible.js";
export { Request } from "./mpi/request.js";
export type { Root } from "./mpi/root.js";
export { json, type Serializer, structured } from "./mpi/serializer.js";
export { Persistent } from "./mpi/together.js";
export { SharedWindow, Window } from "./mpi/window.js";
export { Any, type Received, type ReceivedObject, type Status } from "./mpi/status.js";
export { Cartesian, Graph, Neighborhood } from "./mpi/topology.js";
export { Datatype, ElementType, type TypeField } from "./mpi/typed.js";
