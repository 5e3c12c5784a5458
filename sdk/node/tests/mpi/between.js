// Two groups, processes that are started, ports, and values that are kept with communicators.
import assert from "node:assert/strict";
import { each, Key, Max, Sum } from "upcall/mpi";
import { program } from "./launch.js";

const side = (world, odd) => Array.from({ length: world.size }, (_, rank) => rank).filter((rank) => rank % 2 === odd);
const fails = (call, kind, says = /./) => assert.throws(call, (error) => error.kind === kind && says.test(error.message));
const sum = (ranks) => ranks.reduce((sum, rank) => sum + rank, 0);

/** What two groups do. */
export function between({ world }) {
  const { rank, size } = world;
  if (size === 1) return fails(() => world.intercommunicator(1, world, 0), "rank");
  const odd = rank % 2;
  const theirs = side(world, 1 - odd);
  const mine = world.split(odd);
  fails(() => mine.intercommunicator(mine.size, world, 0), "rank");
  const both = mine.intercommunicator(0, world, 1 - odd, 7);
  assert.deepEqual([both.rank, both.size, both.remoteSize], [mine.rank, mine.size, theirs.length]);
  assert.deepEqual(both.remoteGroup().translate(theirs.keys(), world.group()), theirs);
  assert.equal(both.group().compare(mine.group()), "identical");
  both.name = "both";
  const like = both.duplicate();
  assert.deepEqual([both.name, both.compare(like)], ["both", "congruent"]);
  for (const wrong of [undefined, null, world]) {
    assert.throws(() => both.compare(wrong), /^TypeError: compare intercommunicators: wanted is an Intercommunicator, and (undefined|null|a Communicator) is given$/);
  }
  like.disconnect();

  // Each rank of one side sends to each of the other.
  const sent = theirs.map((_, peer) => both.startSend(Int32Array.of(rank, peer), peer, 3));
  theirs.forEach((_, peer) => both.sendObject({ from: rank }, peer, 4));
  theirs.forEach((from, peer) => {
    assert.deepEqual(both.receive(Int32Array, peer, 3).data, Int32Array.of(from, mine.rank));
    assert.deepEqual(both.receiveObject(peer, 4).value, { from });
  });
  for (const request of sent) request.wait();
  fails(() => both.send(Int32Array.of(1), theirs.length), "rank", /the other group/);
  both.barrier();

  for (const from of [0, 1]) {
    const last = side(world, from).length - 1;
    const root = from !== odd ? last : mine.rank === last ? "here" : "beside";
    const [here, remote] = [root === "here", from !== odd];
    const row = Float64Array.of(here ? 0.5 : 0, 0);
    both.broadcast(row, root);
    assert.equal(row[0], here || remote ? 0.5 : 0);
    assert.deepEqual(both.broadcastObject(here ? { hello: 1n } : undefined, root), remote ? { hello: 1n } : undefined);
    const room = new Int32Array(theirs.length);
    both.gatherInto(remote ? Int32Array.of(rank) : undefined, here ? room : undefined, root);
    if (here) assert.deepEqual([...room], theirs);
    const parts = both.gatherParts(Int32Array, remote ? new Int32Array(mine.rank).fill(rank) : undefined, root);
    assert.deepEqual(parts, here ? theirs.map((rank, at) => new Int32Array(at).fill(rank)) : undefined);
    assert.deepEqual(both.gatherObjects(remote ? `rank ${rank}` : undefined, root), here ? theirs.map((rank) => `rank ${rank}`) : undefined);
    const own = new Int32Array(1);
    both.scatterInto(here ? Int32Array.from(theirs, (_, at) => at * 3) : undefined, remote ? own : undefined, root);
    assert.equal(own[0], remote ? mine.rank * 3 : 0);
    const arrays = here ? theirs.map((_, at) => new Int32Array(at).fill(9)) : undefined;
    assert.deepEqual(both.scatterParts(Int32Array, arrays, root), remote ? new Int32Array(mine.rank).fill(9) : undefined);
    assert.equal(both.scatterObjects(here ? theirs.map((_, at) => `part ${at}`) : undefined, root), remote ? `part ${mine.rank}` : undefined);
    for (const [operation, wanted] of [[Sum, sum(theirs)], [Max, Math.max(...theirs)], [each((a, b) => a + b), sum(theirs)]]) {
      const into = here ? new Float64Array(2) : undefined;
      both.reduceInto(remote ? Float64Array.of(rank, rank) : undefined, into, operation, root);
      if (here) assert.deepEqual([...into], [wanted, wanted]);
    }
    assert.equal(both.reduceObjects(remote ? String(rank) : undefined, (a, b) => a + b, root), here ? theirs.join("") : undefined);
    // What the root cannot write is told to the other group.
    if (here) fails(() => both.broadcastObject(() => 1, root), "type", /could not be cloned/);
    else if (remote) fails(() => both.broadcastObject(undefined, root), "usage", /has failed to give one/);
    else assert.equal(both.broadcastObject(undefined, root), undefined);
  }
  const room = new Int32Array(theirs.length);
  both.allGatherInto(Int32Array.of(rank), room);
  assert.deepEqual([...room], theirs);
  assert.deepEqual(both.allGatherParts(new Int32Array(rank).fill(rank)), theirs.map((rank) => new Int32Array(rank).fill(rank)));
  assert.deepEqual(both.allGatherObjects({ rank }), theirs.map((rank) => ({ rank })));
  both.allToAllInto(Int32Array.from(theirs, (_, peer) => rank * 100 + peer), room);
  assert.deepEqual([...room], theirs.map((rank) => rank * 100 + mine.rank));
  const exchanged = both.allToAllParts(Int32Array, theirs.map((_, peer) => new Int32Array(peer).fill(rank)));
  assert.deepEqual(exchanged, theirs.map((rank) => new Int32Array(mine.rank).fill(rank)));
  assert.deepEqual(both.allToAllObjects(theirs.map((_, peer) => `${rank} to ${peer}`)), theirs.map((rank) => `${rank} to ${mine.rank}`));
  assert.deepEqual([...both.allReduce(Int32Array.of(rank), Sum)], [sum(theirs)]);
  assert.deepEqual([...both.allReduce(Int32Array.of(rank), each((a, b) => a + b))], [sum(theirs)]);
  assert.equal(both.allReduceObjects(String(rank), (a, b) => a + b), theirs.join(""));

  const twin = both.duplicate();
  assert.deepEqual(twin.allGatherObjects(rank), theirs);
  twin.free();
  const merged = both.merge(odd === 1);
  assert.deepEqual(merged.allGatherObjects(rank), [...side(world, 0), ...side(world, 1)]);
  merged.free();
  assert.throws(() => both.broadcast(room, -1), /^RangeError: broadcast: `root` has to be a rank/);
  assert.throws(() => both.broadcast(room, "everywhere"), /^TypeError: broadcast: `root` .*the text "everywhere"/);
  both.disconnect();
  fails(() => both.barrier(), "usage", /disconnected/);
  fails(() => both.disconnect(), "usage");
  both.free();
  mine.free();
}

/** What starts processes, and what cannot. */
export function processes(mpi) {
  const { world } = mpi;
  const root = world.size - 1;
  fails(() => world.spawn({ path: "/no/program", processes: 2 }, root), "spawn", /there is no program \/no\/program/);
  fails(() => world.spawn({ path: "true", directory: "/no/folder" }, root), "spawn", /there is no folder/);
  fails(() => world.spawn([], root), world.rank === root ? "usage" : "spawn", /there are none/);
  assert.equal(mpi.parent, undefined);
  if (world.size !== 2) return;
  const child = (name) => ({ path: process.execPath, arguments: [program("child.js"), name] });
  let children;
  try {
    children = world.spawn([child("first"), child("second")], root);
  } catch (error) {
    // Debian's MPICH has no way to ask its launcher.
    assert.match(mpi.library, /^MPICH/);
    assert.equal(error.kind, "spawn");
    return;
  }
  children.broadcastObject("hello", world.rank === root ? "here" : "beside");
  assert.deepEqual(children.allGatherObjects(`parent ${world.rank}`), ["first", "second"]);
  const all = children.merge(false);
  assert.equal(all.allReduce(1, Sum), 4);
  all.free();
  children.disconnect();
}

/** Two halves that find each other. */
export function ports(mpi) {
  const { world } = mpi;
  fails(() => mpi.lookUp("upcall-no-such-service"), "port");
  let port;
  if (world.rank === 0) {
    try {
      port = mpi.openPort();
    } catch (error) {
      // MPICH over UCX has none.
      assert.match(mpi.library, /^MPICH/);
      assert.match(error.kind, /unsupported|port/);
    }
  }
  if (!world.broadcastObject(port !== undefined) || world.size === 1) return port?.close();
  const service = world.broadcastObject(`upcall-node-${process.pid}`);
  const published = port?.publish(service);
  world.barrier();
  const odd = world.rank % 2;
  const half = world.split(odd);
  const both = odd === 1 ? half.connect(mpi.lookUp(service)) : half.accept(port?.name ?? "");
  assert.deepEqual(both.allGatherObjects(world.rank), side(world, 1 - odd));
  both.disconnect();
  published?.close();
  world.barrier();
  fails(() => mpi.lookUp(service), "port");
  port?.close();
  port?.close();
  half.free();
}

const stays = new Key();
const copied = new Key({ copied: true });

/** What is kept with communicators, and calls for when a process has died. */
export function values({ world }) {
  const comm = world.duplicate();
  assert.equal(comm.get(stays), undefined);
  const value = { rank: world.rank };
  comm.set(stays, value);
  comm.set(copied, "one");
  assert.equal(comm.get(stays), value);
  comm.set(copied, "two");
  const twin = comm.duplicate();
  assert.deepEqual([twin.get(stays), twin.get(copied)], [undefined, "two"]);
  twin.set(copied, "three");
  assert.equal(comm.get(copied), "two");
  twin.free();
  assert.deepEqual([comm.remove(stays), comm.remove(stays), comm.get(stays)], [true, false, undefined]);
  comm.free();
  assert.throws(() => comm.get(copied));
  for (const call of [
    () => world.revoke(), () => world.isRevoked, () => world.shrink(), () => world.agree(3), () => world.acknowledgeFailures(),
    () => world.failedRanks(), () => world.acknowledgedFailures(),
  ]) fails(call, "unsupported");
  // What one rank gets wrong is told to all.
  const last = world.rank === world.size - 1;
  fails(() => world.split(last ? 2 ** 31 : 0), "usage");
  assert.equal(world.allReduce(1, Sum), world.size);
}

/** What a communicator lets go of the collector takes. */
export async function forgotten({ world }) {
  const comm = world.duplicate();
  const kept = keep(comm);
  globalThis.gc?.();
  assert.ok(kept.deref());
  comm.free();
  for (let round = 0; round < 50 && kept.deref(); round++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    globalThis.gc?.();
  }
  assert.ok(!globalThis.gc || !kept.deref());
}

function keep(comm) {
  const value = { large: new Uint8Array(1000) };
  comm.set(stays, value);
  return new WeakRef(value);
}
