/**
 * Flows inside a Node program: the engine is loaded, and calls handlers of the program's own, on its event loop.
 *
 * ```js
 * import { Flow } from "upcall/flow";
 *
 * const flow = await Flow.describe({ name: "words" })
 *   .pool("/lines", { kind: "trigger" })
 *   .pool("/lengths", { type: "u64" })
 *   .on("/lines", "/lengths", (line, emit) => emit.put(line.key, line.value.length))
 *   .start();
 *
 * await flow.pool("/lines").put("1", "In the beginning");
 * await flow.drain();
 * console.log(flow.pool("/lengths").get("1").number); // 16n
 * await flow.close();
 * ```
 */

export type { FlowBuilder, FlowOptions, HandlerOptions, PoolOptions, Time, TypedOptions } from "./embedded/builder.js";
export { FlowError, type Kind } from "./embedded/error.js";
export { Flow } from "./embedded/flow.js";
export type { Pool } from "./embedded/pool.js";
export type { WaitOptions } from "./embedded/task.js";
export type { DeadLetter, FlowEvent, PutEvent, Seen } from "./embedded/values.js";
export type { Watch } from "./embedded/watch.js";
export type { Found } from "./flow/object.js";
