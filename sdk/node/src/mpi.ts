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
export { Communicator } from "./mpi/communicator.js";
export { Environment, type Threads } from "./mpi/environment.js";
export { MpiError, type MpiErrorKind } from "./mpi/error.js";
export { type HandlerOptions, ofHandler, type OfHandler } from "./mpi/handler.js";
export type { Message } from "./mpi/messages.js";
export type { CombineObjects } from "./mpi/objects.js";
export {
  BitAnd, BitOr, BitXor, type Combine, each, LogicalAnd, LogicalOr, LogicalXor, Max, Min, type Named, notCommutative, type Operation,
  type Ordered, Product, Sum,
} from "./mpi/operation.js";
export { MaxWithPlace, MinWithPlace, type Placed, type WithPlace } from "./mpi/placed.js";
export type { NumberOperation } from "./mpi/reductions.js";
export { Request } from "./mpi/request.js";
export { ExactSum, type Reals } from "./mpi/reproducible.js";
export { json, type Serializer, structured } from "./mpi/serializer.js";
export { Any, type Received, type ReceivedObject, type Status } from "./mpi/status.js";
export { Datatype, ElementType, type TypeField } from "./mpi/typed.js";
