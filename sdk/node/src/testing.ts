/**
 * Runs a handler without an engine: the real driver, the real frames, one worker.
 *
 * ```js
 * const harness = new Harness(new Counter(), { pools: { "/counts": "u64" } });
 * await harness.batch([["a", ""], ["a", ""]]);
 * assert.deepEqual(harness.numbers("/counts"), { a: 2n });
 *
 * const adds = new CombineHarness(new Add());
 * assert.deepEqual([...(await adds.combine([1, 2], [3, 4]))], [4, 6]);
 * ```
 */

export { CombineHarness } from "./testing/combine.js";
export { CancelledError, ClosedError, TimedOutError } from "./ended.js";
export { Failed } from "./testing/engine.js";
export { type GraphHarnessOptions, type Ran, VertexHarness } from "./testing/vertex.js";
export { type Emitted, Harness, type Options } from "./testing/flow.js";
