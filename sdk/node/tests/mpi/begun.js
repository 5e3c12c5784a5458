// What all ranks do together while the program works, once or in rounds, against a plain model.
import assert from "node:assert/strict";
import { each, Max, MpiError, notCommutative, Persistent, Request, Sum } from "upcall/mpi";

const join = (Type, arrays) => Type.from(arrays.flatMap((array) => [...array]));

/** What has come is of this type, and these elements. */
function same(found, wanted) {
  assert.deepEqual(found, wanted);
  if (ArrayBuffer.isView(wanted)) assert.equal(found.constructor, wanted.constructor);
}

/** Cuts an array. */
function parts(array, counts) {
  let at = 0;
  return counts.map((count) => array.slice(at, (at += count)));
}

export async function begun(world, draw, Type) {
  const { rank, size } = world;
  const ranks = Array.from({ length: size }, (_, rank) => rank);
  const [root, count] = [draw.below(size), draw.below(40)];
  const counts = ranks.map(() => draw.below(20));
  const shares = ranks.map(() => ranks.map(() => draw.below(9)));
  const all = ranks.map(() => draw.array(Type, count));
  const toAll = ranks.map(() => draw.array(Type, count * size));
  const varied = counts.map((count) => draw.array(Type, count));
  const shared = shares.map((share) => draw.array(Type, share.reduce((a, b) => a + b, 0)));
  const copy = rank === root ? Type.from(all[root]) : Type.from({ length: count }, () => all[root][0] ?? 0);
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const pieces = parts(Type.from(shared[rank]), shares[rank]);
  const left = notCommutative((from, into) => into.set(from));
  const requests = [
    world.startBarrier(),
    world.startBroadcast(copy, root),
    world.startGather(all[rank], root),
    world.startAllGather(all[rank]),
    world.startScatter(Type, rank === root ? join(Type, all) : undefined, count, root),
    world.startAllToAll(toAll[rank]),
    world.startGatherParts(varied[rank], counts, root),
    world.startAllGatherParts(varied[rank], counts),
    world.startScatterParts(Type, rank === root ? varied : undefined, counts, root),
    world.startAllToAllParts(Type, pieces, shares.map((share) => share[rank])),
    world.startReceiveAnySize(Type, before, 11),
    world.startSend(varied[rank], next, 11),
    world.startReduce(all[rank], left, root),
    world.startAllReduce(all[rank], left),
    world.startScan(all[rank], left),
    world.startExclusiveScan(all[rank], left),
    world.startReduceScatter(toAll[rank], left),
  ];
  // What was given may be changed.
  const mine = Type.from(all[rank]);
  all[rank].fill(all[rank][0] ?? (Type.name.startsWith("Big") ? 0n : 0));
  all[rank] = mine;
  const how = draw.below(4);
  let come;
  if (how === 0) come = Request.waitAll(requests);
  else if (how === 1) come = await Promise.all(requests);
  else {
    const going = [...requests];
    while (going.length > 0) {
      const ended = how === 2 ? Request.waitSome(going) : [Request.waitAny(going)];
      for (const index of ended.reverse()) going.splice(index, 1);
    }
    come = Request.testAll(requests);
  }
  assert.equal(Request.testAny(requests), 0);
  const [, broadcast, gathered, allGathered, scattered, exchanged, gatheredParts, allParts, own, exchangedParts, received] = come;
  assert.equal(broadcast, copy);
  same(copy, all[root]);
  same(gathered, rank === root ? join(Type, all) : undefined);
  same(allGathered, join(Type, all));
  same(scattered, all[rank]);
  same(exchanged, join(Type, toAll.map((array) => array.slice(count * rank, count * (rank + 1)))));
  assert.deepEqual(gatheredParts, rank === root ? varied : undefined);
  assert.deepEqual(allParts, varied);
  same(own, varied[rank]);
  assert.deepEqual(exchangedParts, ranks.map((of) => parts(shared[of], shares[of])[rank]));
  same(received.data, varied[before]);
  assert.equal(received.source, before);
  const [reduced, allReduced, scanned, exclusive, share] = come.slice(12);
  same(reduced, rank === root ? all[0] : undefined);
  same(allReduced, all[0]);
  same(scanned, all[0]);
  same(exclusive, rank === 0 ? undefined : all[0]);
  same(share, toAll[0].slice(count * rank, count * (rank + 1)));
}

/** Those that MPI combines, and what throws. */
export async function reduced(world, draw) {
  const { rank, size } = world;
  const values = Array.from({ length: size }, () => draw.array(Float64Array, 6));
  const total = (to) => Float64Array.from({ length: 6 }, (_, at) => values.slice(0, to).reduce((sum, array) => sum + array[at], 0));
  const counts = Array.from({ length: size }, (_, of) => (of === 0 ? 6 : 0));
  const [sum, scan, exclusive, at0, scattered] = await Promise.all([
    world.startAllReduce(values[rank], Sum), world.startScan(values[rank], Sum), world.startExclusiveScan(values[rank], Sum),
    world.startReduce(values[rank], Sum), world.startReduceScatter(values[rank], Sum, counts),
  ]);
  assert.deepEqual([sum, scan, exclusive], [total(size), total(rank + 1), rank === 0 ? undefined : total(rank)]);
  assert.deepEqual([at0, scattered], rank === 0 ? [total(size), total(size)] : [undefined, new Float64Array(0)]);
  if (size > 1) {
    const cause = new Error("not these");
    const request = world.startAllReduce(values[rank], each(() => {
      throw cause;
    }));
    assert.throws(() => request.wait(), { name: "MpiError", kind: "operation", cause });
    assert.throws(() => request.test(), { kind: "operation", cause });
  }
}

export async function rounds(world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const counts = Array.from({ length: size }, (_, of) => of + 1);
  const data = new Float64Array(3);
  const part = new Int32Array(rank + 1);
  const shared = new Uint8Array(4);
  const side = new Int32Array(counts.reduce((a, b) => a + b, 0));
  const given = new Int32Array((rank + 1) * size);
  const send = world.sendInit(data, next, 4);
  const receive = world.receiveInit(Float64Array, 5, before, 4);
  const sum = world.allReduceInit(data, Sum);
  const broadcast = world.broadcastInit(shared, size - 1);
  const all = [
    receive, send, sum, broadcast, world.barrierInit(), world.allGatherInit(data), world.gatherInit(data, 0),
    world.allGatherPartsInit(part, counts), world.scanInit(data, Max), world.exclusiveScanInit(data, Sum),
    world.reduceInit(data, each((a, b) => a + b)), world.scatterInit(Float64Array, new Float64Array(size).fill(7), 1),
    world.allToAllInit(new Float64Array(size).fill(rank)), world.gatherPartsInit(part, counts, 0),
    world.scatterPartsInit(Int32Array, side, counts, 0),
    world.allToAllPartsInit(given, Array(size).fill(rank + 1), counts), world.reduceScatterInit(new Float64Array(size).fill(1), Sum),
  ];
  for (let round = 0; round < 4; round++) {
    const value = (of) => of * 2 + round;
    const of = Array.from({ length: size }, (_, of) => value(of));
    data.fill(value(rank));
    part.fill(value(rank));
    shared.fill(rank === size - 1 ? round : 99);
    side.fill(round);
    given.fill(value(rank));
    const started = all.map((request) => request.start());
    assert.ok(all.every((request) => request.isActive));
    assert.throws(() => sum.start(), { name: "MpiError", kind: "usage", message: /under way|active|is started/ });
    const come = round % 2 === 0 ? Request.waitAll(started) : await Promise.all(started);
    assert.ok(!sum.isActive);
    const total = of.reduce((a, b) => a + b, 0);
    assert.deepEqual([come[0].data, come[0].source], [new Float64Array(3).fill(value(before)), before]);
    assert.deepEqual(come[2], new Float64Array(3).fill(total));
    assert.deepEqual([come[3], shared], [shared, new Uint8Array(4).fill(round)]);
    const gathered = Float64Array.from(of.flatMap((value) => [value, value, value]));
    assert.deepEqual(come[5], gathered);
    assert.deepEqual(come[6], rank === 0 ? gathered : undefined);
    const variedParts = counts.map((count, rank) => new Int32Array(count).fill(value(rank)));
    assert.deepEqual(come[7], variedParts);
    assert.deepEqual(come[8], new Float64Array(3).fill(value(rank)));
    assert.deepEqual(come[9], rank === 0 ? undefined : new Float64Array(3).fill(of.slice(0, rank).reduce((a, b) => a + b, 0)));
    assert.deepEqual(come[10], rank === 0 ? new Float64Array(3).fill(total) : undefined);
    assert.deepEqual(come[11], Float64Array.of(7));
    assert.deepEqual(come[12], Float64Array.from({ length: size }, (_, rank) => rank));
    assert.deepEqual(come[13], rank === 0 ? variedParts : undefined);
    assert.deepEqual(come[14], new Int32Array(rank + 1).fill(round));
    assert.deepEqual(come[15], variedParts);
    assert.deepEqual(come[16], Float64Array.of(size));
  }
  for (const request of all) request.free();
  assert.throws(() => send.start(), { name: "MpiError", kind: "lifecycle", message: /freed/ });
  // One that is under way.
  const left = world.receiveInit(Float64Array, 1, before, 5);
  const going = left.start();
  left.free();
  left.free();
  assert.throws(() => going.wait(), { name: "MpiError", kind: "lifecycle", message: /freed/ });
}

export function buffered(mpi, world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const much = new Float64Array(100_000).fill(rank);
  assert.throws(() => world.sendBuffered(much, next), { name: "MpiError", kind: "buffer" });
  const buffer = mpi.attachBuffer(1 << 20);
  assert.throws(() => mpi.attachBuffer(1), { name: "MpiError", kind: "usage" });
  assert.throws(() => world.sendBuffered(new Uint8Array(2 << 20), next), { name: "MpiError", kind: "buffer" });
  world.sendBuffered(much, next, 6);
  assert.ok(buffer.used >= 0);
  assert.deepEqual(world.receive(Float64Array, before, 6).data, new Float64Array(100_000).fill(before));
  // With a request, which has ended already, and in rounds.
  const turn = Int32Array.of(rank);
  assert.ok(world.startSendBuffered(turn, next, 7).test());
  const rounds = world.sendBufferedInit(turn, next, 7);
  for (let round = 0; round < 3; round++) {
    turn[0] = 10 + round;
    const request = rounds.start();
    assert.throws(() => rounds.start(), { name: "MpiError", kind: "usage" });
    turn[0] = -1;
    request.wait();
  }
  for (const wanted of [before, 10, 11, 12]) assert.equal(world.receive(Int32Array, before, 7).data[0], wanted);
  const large = world.sendBufferedInit(new Uint8Array(2 << 20), next);
  assert.throws(() => large.start(), { name: "MpiError", kind: "buffer" });
  large.free();
  buffer.detach();
  buffer.detach();
  assert.throws(() => buffer.used, MpiError);
  assert.throws(() => rounds.start(), { name: "MpiError", kind: "buffer" });
  assert.throws(() => world.startSendBuffered(turn, next), { name: "MpiError", kind: "buffer" });
  rounds.free();
}

export function modes(world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const [data, wanted] = [Float64Array.of(rank, -rank), Float64Array.of(before, -before)];
  const [ready, rounds] = [world.sendReadyInit(data, next, 8), world.receiveInit(Float64Array, 2, before, 8)];
  for (let round = 0; round < 3; round++) {
    const receive = world.startReceive(Float64Array, 2, before, 9);
    world.barrier();
    world.startSendReady(data, next, 9).wait();
    assert.deepEqual(receive.wait().data, wanted);
    const come = rounds.start();
    world.barrier();
    Persistent.startAll([ready])[0].wait();
    assert.throws(() => Persistent.startAll([rounds]), { name: "MpiError", kind: "usage" });
    assert.deepEqual(come.wait().data, wanted);
  }
  // One that is received has ended, and not before.
  const request = world.startSendSynchronous(data, next, 9);
  world.barrier();
  assert.equal(request.test(), undefined);
  world.barrier();
  assert.deepEqual(world.receive(Float64Array, before, 9).data, wanted);
  request.wait();
  assert.throws(() => world.startSendReady(data, size), { name: "MpiError", kind: "rank" });
  assert.throws(() => world.sendReadyInit(data, size), { name: "MpiError", kind: "rank" });
  ready.free();
  rounds.free();
}

export function partitioned(mpi, world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const [sent, come] = [new Int32Array(12), new Int32Array(12)];
  if (mpi.standard.startsWith("3")) {
    assert.throws(() => world.partitionedSendInit(sent, 4, 0), { kind: "unsupported", message: /MPI_Psend_init/ });
    return;
  }
  assert.throws(() => world.partitionedSendInit(sent, 5, next), { kind: "usage" });
  const [send, receive] = [world.partitionedSendInit(sent, 4, next, 7), world.partitionedReceiveInit(come, 3, before, 7)];
  assert.throws(() => send.ready(0), { kind: "usage" });
  assert.throws(() => receive.wait(), { kind: "usage" });
  for (let round = 0; round < 3; round++) {
    receive.start();
    send.start();
    assert.throws(() => send.start(), { kind: "usage" });
    for (const part of [3, 0, 2]) {
      sent.fill(rank * 100 + round * 10 + part, part * 3, part * 3 + 3);
      send.ready(part);
      assert.throws(() => send.ready(part), { kind: "usage" });
    }
    assert.throws(() => send.ready(4), { name: "RangeError", message: /`partition` is 4, and there are 4/ });
    sent.fill(-1, 3, 6);
    send.wait();
    while (![0, 1, 2].every((part) => receive.arrived(part)));
    assert.ok(receive.isActive);
    receive.wait();
    const part = (part) => (part === 1 ? -1 : before * 100 + round * 10 + part);
    assert.deepEqual(come, Int32Array.from({ length: 12 }, (_, at) => part(Math.floor(at / 3))));
  }
  send.free();
  receive.free();
  assert.throws(() => send.start(), { kind: "lifecycle", message: /freed/ });
}
