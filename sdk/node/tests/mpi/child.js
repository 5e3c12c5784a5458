// What the test of processes starts.
import assert from "node:assert/strict";
import { Environment, Sum } from "upcall/mpi";

const mpi = Environment.start();
const { parent } = mpi;
assert.equal(parent.broadcastObject(undefined, parent.remoteSize - 1), "hello");
assert.deepEqual(parent.allGatherObjects(process.argv[2]), ["parent 0", "parent 1"]);
const all = parent.merge(true);
assert.equal(all.allReduce(1, Sum), 4);
all.free();
parent.disconnect();
assert.throws(() => parent.barrier(), { kind: "usage" });
mpi.finish();
