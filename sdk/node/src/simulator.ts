/**
 * Runs a vertex program without the engine: the same class, the same iterations and the same bits, in JavaScript alone, with checks
 * that are too slow for the engine, and a vertex at a time for who wants to look.
 *
 * ```js
 * import { Simulator } from "upcall/simulator";
 *
 * const simulator = new Simulator(PageRank, { edges: [[0, 1], [1, 2], [2, 0]] });
 * for (const step of simulator.steps()) {
 *   if (step.vertex === 2) console.log(step.iteration, step.before, step.shows);
 * }
 * ```
 */

export type { Edge, GraphOptions } from "./graph/csr.js";
export type { Iteration } from "./graph/program.js";
export { readEdges } from "./simulator/edges.js";
export { ProgramError } from "./simulator/error.js";
export type { CallerOptions, Step } from "./simulator/caller.js";
export { type Difference, Replay, type ReplayOptions, Replayed } from "./simulator/replay.js";
export { type Ran, Simulator, type SimulatorOptions } from "./simulator/simulator.js";
