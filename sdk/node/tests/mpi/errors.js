// What is wrong is an error that says what: each rank goes on after it.
import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { Any, each, Environment, json, LogicalAnd, MpiError, Request, Sum, Window } from "upcall/mpi";
import { forgotten } from "./between.js";
import { given } from "./given.js";
import { wrongs } from "./windows.js";

/** It fails with this kind, and its message says this. */
function fails(call, kind, message) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof MpiError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  });
}

assert.throws(() => Environment.start({ threads: "many" }), /there is no thread level many/);
const mpi = Environment.start();
const { world } = mpi;
const { rank, size } = world;
const one = Float64Array.of(1);

fails(() => Environment.start(), "lifecycle", /started before/);
fails(() => world.send(one, size), "rank", new RegExp(`${size}`));
fails(() => world.startSend(one, size), "rank", new RegExp(`${size}`));
fails(() => world.reduce(one, Sum, size), "rank", new RegExp(`${size}`));
assert.throws(() => world.send({ x: 1 }, 0), /wanted is a typed array.*`Object`/);
assert.throws(() => world.allReduce(one, "sum"), TypeError);
fails(() => world.allReduce(one, LogicalAnd), "usage", /for integers/);
fails(() => world.allReduce(Uint8ClampedArray.of(1), Sum), "usage", /Uint8ClampedArray by Sum/);
fails(() => world.allGatherInto(one, new Float64Array(size + 1)), "usage", /./);
fails(() => world.allToAllParts(Float64Array, []), "usage", /./);
fails(() => world.reduceScatter(new Float64Array(3), Sum, Array(size).fill(2)), "usage", /no parts/);
if (size > 1) fails(() => world.reduceScatter(new Float64Array(size * 2 + 1), Sum), "usage", /no parts/);
if (size > 1) fails(() => world.scatter(Float64Array, rank === 1 ? new Float64Array(size + 1) : undefined, 1), "usage", /multiple/);

fails(() => world.startBroadcast(one, size), "rank", new RegExp(`${size}`));
fails(() => world.startAllGatherParts(one, Array(size).fill(2)), "usage", /bytes are sent/);
fails(() => world.startAllGatherParts(one, []), "usage", /0 counts/);
fails(() => world.startReduceScatter(new Float64Array(3), Sum, Array(size).fill(2)), "usage", /no parts/);
if (size > 1) fails(() => world.startAllToAll(new Float64Array(size + 1)), "usage", /multiple/);
assert.throws(() => world.startAllReduce(one, "sum"), TypeError);
assert.throws(() => Request.waitAny([]), RangeError);

// A message that is larger than the room for it, and one that is no array of the type.
let send = world.startSend(new Float64Array(10), rank, 1);
fails(() => world.receiveInto(new Float64Array(9), rank, 1), "truncated", /./);
send.wait();
send = world.startSend(new Float64Array(10), rank, 2);
const receive = world.startReceiveInto(new Float64Array(9), rank, 2);
await assert.rejects(async () => await receive, { name: "MpiError", kind: "truncated" });
fails(() => receive.wait(), "truncated", /./);
send.wait();
send = world.startSend(new Uint8Array(10), rank, 3);
fails(() => world.receive(Float64Array, rank, 3), "type", /10 bytes have arrived/);
assert.equal(world.tryProbe(Any, 3), undefined);
send.wait();

// A function that throws: the collective ends, and where it has thrown is known.
const thrown = new Error("not today");
const bad = each((a, b) => {
  if (a + b > 0) throw thrown;
  return 0;
});
let failed = 0;
try {
  world.allReduce(one, bad);
} catch (error) {
  assert.deepEqual([error.kind, error.cause], ["operation", thrown]);
  failed = 1;
}
assert.ok(size === 1 || world.allReduce(failed, Sum) > 0);
if (size > 1) fails(() => world.allReduceChecked(one, bad), "operation", /./);
if (size > 1) {
  try {
    world.reduce(one, async () => {}, 0);
    world.reduce(one, () => world.barrier(), 0);
    if (rank === 0) assert.fail("it was called");
  } catch (error) {
    assert.equal(error.kind, "operation");
    assert.ok(error.cause instanceof TypeError);
  }
}
let asked;
const asks = (from, into) => {
  try {
    world.barrier();
  } catch (error) {
    asked = error;
  }
};
world.allReduce(one, asks);
if (asked !== undefined) assert.deepEqual([asked.kind, /in a function of a reduction/.test(asked.message)], ["usage", true]);
world.barrier();

// What cannot be written is an error for all that would get it.
const unwritable = () => 1;
fails(() => world.sendObject(unwritable, 0), "type", /could not be cloned/);
if (rank === 0) fails(() => world.broadcastObject(unwritable, 0), "type", /could not be cloned/);
else fails(() => world.broadcastObject(undefined, 0), "usage", /rank 0 has failed/);
fails(() => world.allGatherObjects(rank === 0 ? unwritable : 1), "type", rank === 0 ? /could not be cloned/ : /rank 0/);
fails(() => world.allReduceObjects(rank === size - 1 ? unwritable : 1, (a, b) => a + b), rank > 0 && rank < size - 1 ? "usage" : rank === size - 1 && rank > 0 ? "usage" : "type", /./);
if (size > 1) {
  const add = () => {
    throw thrown;
  };
  if (rank === 0) assert.throws(() => world.allReduceObjects(1, add), { kind: "operation", cause: thrown });
  else fails(() => world.allReduceObjects(1, add), "usage", /rank 0 has failed/);
}
world.serializer = json;
fails(() => world.sendObject(undefined, 0), "type", /has no form in JSON/);
fails(() => world.sendObject(1n, 0), "type", /BigInt/);

wrongs(world, fails);
given(world, mpi, fails);

// Requests that are forgotten, and collected, do no harm.
for (let many = 0; many < 200; many++) world.startReceive(Float64Array, 1000, rank, 50);
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 20));
for (let many = 0; many < 20; many++) world.startSend(new Float64Array(1000), rank, 51);
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 20));
for (let many = 0; many < 20; many++) assert.equal(world.receive(Float64Array, rank, 51).data.length, 1000);

await forgotten(mpi);

const worker = new Worker(new URL("worker.js", import.meta.url));
const [refusal, ...runs] = await new Promise((resolve) => worker.once("message", resolve));
assert.match(refusal, /this is a worker/);
assert.deepEqual(runs, [true, false]);
await worker.terminate();

world.barrier();
const late = world.startReceive(Float64Array, 1, rank, 60);
// MPI is not finalized within an epoch.
const left = Window.allocate(world, Int32Array, 1);
const open = left.lockAll();
fails(() => mpi.finish(), "synchronization", /1 epochs or guards of windows are open/);
open.end();
mpi.finish();
mpi.finish();
fails(() => world.send(one, 0), "lifecycle", /finalized/);
fails(() => world.allReduce(1, Sum), "lifecycle", /finalized/);
fails(() => late.wait(), "lifecycle", /finalized/);
fails(() => left.lockAll(), "lifecycle", /finalized/);
fails(() => left.free(), "lifecycle", /finalized/);
assert.deepEqual([Environment.isInitialized, Environment.isFinalized], [false, true]);
fails(() => Environment.start(), "lifecycle", /started before/);
fails(() => mpi.attachBuffer(10), "lifecycle", /finalized/);
assert.equal(world.rank, rank);
console.log("well");
