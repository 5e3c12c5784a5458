// Every operation against a plain model, with one random stream on all ranks.
import assert from "node:assert/strict";
import {
  Any, BitAnd, BitOr, BitXor, each, Environment, json, LogicalAnd, LogicalOr, LogicalXor, Max, Min, notCommutative, Product, Request, Sum,
} from "upcall/mpi";
import { operations } from "./operations.js";
import { begun, buffered, modes, partitioned, reduced, rounds } from "./begun.js";
import { between, ports, processes, values } from "./between.js";
import { Stream } from "./random.js";
import { windows } from "./windows.js";

const INTEGERS = [
  Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array, BigInt64Array, BigUint64Array, Buffer,
];
const TYPES = [...INTEGERS, Float32Array, Float64Array];
const mpi = Environment.start();
const { world } = mpi;
const { rank, size } = world;
const draw = new Stream(Number(process.argv[2] ?? 42));
const ranks = Array.from({ length: size }, (_, rank) => rank);

const truth = (Type, is) => (Type.name.startsWith("Big") ? BigInt(is) : Number(is));
const OPERATIONS = [
  [Sum, (a, b) => a + b],
  [Product, (a, b) => a * b],
  [Min, (a, b) => (a < b ? a : b)],
  [Max, (a, b) => (a > b ? a : b)],
  [LogicalAnd, (a, b, T) => truth(T, a != 0 && b != 0)],
  [LogicalOr, (a, b, T) => truth(T, a != 0 || b != 0)],
  [LogicalXor, (a, b, T) => truth(T, (a != 0) !== (b != 0))],
  [BitAnd, (a, b) => a & b],
  [BitOr, (a, b) => a | b],
  [BitXor, (a, b) => a ^ b],
];

/** What a reduction of these comes to, in arithmetic of their type. */
function folded(arrays, Type, by) {
  const into = Type.from(arrays[0]);
  // In one element of the type, as it wraps.
  for (const array of arrays.slice(1)) into.forEach((value, at) => (into[at] = by(value, array[at], Type)));
  return into;
}

function same(found, wanted) {
  assert.deepEqual(found, wanted);
  if (ArrayBuffer.isView(wanted)) assert.equal(found.constructor, wanted.constructor);
}

function messages() {
  const Type = draw.of(TYPES);
  const all = ranks.map(() => draw.array(Type, draw.below(draw.of([5, 3000]))));
  const [shift, tag] = [draw.below(size), draw.below(100)];
  const [to, from] = [(rank + shift) % size, (rank + size - shift) % size];
  const theirs = all[from];
  const room = Type === Buffer ? Buffer.alloc(4000) : new Type(4000);

  let status = world.sendReceive(all[rank], to, tag, room, from, tag);
  assert.deepEqual([status.source, status.tag, status.count(Type), status.cancelled], [from, tag, theirs.length, false]);
  same(room.subarray(0, theirs.length), theirs);

  const send = draw.below(2) ? world.startSend(all[rank], to, tag) : world.startSendSynchronous(all[rank], to, tag);
  // It is copied.
  const kept = Type.from(all[rank]);
  all[rank].fill(Type.name.startsWith("Big") ? 0n : 0);
  const received = world.receive(Type, draw.of([from, Any]), draw.of([tag, Any]));
  all[rank].set(kept);
  same(received.data, shift === 0 ? kept : theirs);
  assert.deepEqual([received.source, received.tag], [from, tag]);
  send.wait();
  assert.equal(send.hasEnded, true);
  world.barrier();

  // Requests that wait on this thread, in pieces.
  const receives = [1, 2, 3].map((number) => world.startReceiveInto(room.subarray(number * 1000, number * 1000 + 1000), from, number));
  const short = all.map((array) => array.subarray(0, 900));
  const sends = [3, 1, 2].map((number) => world.startSend(short[rank], to, number));
  for (const status of Request.waitAll(receives)) assert.equal(status.count(Type), short[from].length);
  Request.waitAll(sends);
  for (const number of [1, 2, 3]) same(room.subarray(number * 1000, number * 1000 + short[from].length), short[from]);

  // Looked at first, and taken.
  const later = world.startSend(all[rank], to, tag);
  assert.equal(world.probe(from, tag).bytes, theirs.byteLength);
  assert.equal(world.tryProbe(from, tag).source, from);
  const message = world.matched(from, tag);
  assert.equal(world.tryMatched(from, tag), undefined);
  same(message.receive(Type).data, theirs);
  assert.throws(() => message.receive(Type), { name: "MpiError", kind: "usage" });
  later.wait();
  // What follows has messages with this tag too, and none may come while one is looked for in vain.
  world.barrier();
}

async function awaited() {
  const Type = draw.of(TYPES);
  const all = ranks.map(() => draw.array(Type, draw.below(3000)));
  const turns = [];
  let goes = true;
  setImmediate(function turn() {
    turns.push(1);
    if (goes) setImmediate(turn);
  });
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const receive = world.startReceive(Type, 3000, before, 5);
  const object = world.startReceiveObject(before, 6);
  await new Promise((resolve) => setTimeout(resolve, draw.below(4)));
  const sends = [world.startSend(all[rank], next, 5), world.startSendObject({ rank }, next, 6)];
  const [array, { value }] = await Promise.all([receive, object, ...sends]);
  same(array.data, all[before]);
  assert.deepEqual([array.source, array.tag, value], [before, 5, { rank: before }]);
  assert.equal(await receive, array);
  assert.equal(receive.test().value, array);
  goes = false;
  assert.ok(turns.length > 0);
  // One that nobody answers is given up.
  const never = world.startReceive(Type, 10, Any, 77);
  const none = world.startReceiveObject(Any, 77);
  assert.equal(never.test(), undefined);
  never.cancel();
  none.cancel();
  const [given, nothing] = await Promise.all([never, none]);
  assert.deepEqual([given.cancelled, given.data.length, nothing.cancelled, nothing.value], [true, 0, true, undefined]);
  world.barrier();
}

function collectives() {
  const Type = draw.of(TYPES);
  const [length, root] = [draw.below(draw.of([4, 700])), draw.below(size)];
  const all = ranks.map(() => draw.array(Type, length));
  const mine = Type.from(all[rank]);
  const chained = (parts) => Type.from(parts.flatMap((part) => [...part]));

  world.broadcast(mine, root);
  same(mine, all[root]);
  same(world.gather(all[rank], root), rank === root ? chained(all) : undefined);
  same(world.allGather(all[rank]), chained(all));
  const room = draw.array(Type, length * size);
  world.gatherInto(all[rank], rank === root ? room : undefined, root);
  if (rank === root) same(room, chained(all));
  world.allGatherInto(all[rank], room);
  same(room, chained(all));

  same(world.scatter(Type, rank === root ? chained(all) : undefined, root), all[rank]);
  if (length > 0) mine.fill(all[0][0]);
  world.scatterInto(rank === root ? chained(all) : undefined, mine, root);
  same(mine, all[rank]);
  const boxes = ranks.map(() => ranks.map(() => draw.array(Type, length)));
  same(world.allToAll(chained(boxes[rank])), chained(boxes.map((of) => of[rank])));
  world.allToAllInto(chained(boxes[rank]), room);
  same(room, chained(boxes.map((of) => of[rank])));

  const parts = ranks.map(() => ranks.map(() => draw.array(Type, draw.below(50))));
  same(world.gatherParts(parts[0][rank], root), rank === root ? parts[0] : undefined);
  same(world.allGatherParts(parts[0][rank]), parts[0]);
  same(world.scatterParts(Type, rank === root ? parts[0] : undefined, root), parts[0][rank]);
  same(world.allToAllParts(Type, parts[rank]), parts.map((of) => of[rank]));
}

function reductions() {
  const [named, model] = draw.of(OPERATIONS);
  const Type = draw.of([Sum, Product, Min, Max].includes(named) ? TYPES : INTEGERS);
  const [length, root] = [draw.below(draw.of([4, 700])), draw.below(size)];
  const all = ranks.map(() => draw.array(Type, length));
  const before = Type.from(all[rank]);
  let calls = 0;
  const chunk = (from, into) => {
    calls++;
    assert.equal(from.constructor, Type);
    for (let at = 0; at < into.length; at++) into[at] = model(from[at], into[at], Type);
  };
  for (const by of [named, each((a, b) => model(a, b, Type)), chunk]) {
    const whole = folded(all, Type, model);
    same(world.reduce(all[rank], by, root), rank === root ? whole : undefined);
    same(world.allReduce(all[rank], by), whole);
    same(world.allReduceChecked(all[rank], by), whole);
    const place = Type.from(all[rank]);
    world.allReduceInto(place, place, by);
    same(place, whole);
    same(world.scan(all[rank], by), folded(all.slice(0, rank + 1), Type, model));
    same(world.exclusiveScan(all[rank], by), rank === 0 ? undefined : folded(all.slice(0, rank), Type, model));
    const cuts = ranks.map(() => draw.below(length + 1)).sort((a, b) => a - b);
    cuts[size - 1] = length;
    const counts = cuts.map((cut, at) => cut - (at === 0 ? 0 : cuts[at - 1]));
    same(Type.from(world.reduceScatter(all[rank], by, counts)), Type.from(whole.subarray(cuts[rank] - counts[rank], cuts[rank])));
  }
  same(all[rank], before);
  if (length > 0 && size > 1 && rank === size - 1) assert.ok(calls > 0 && calls < 100, `${calls} calls`);

  // The digits of a number are put one behind the other, which does not commute.
  const digits = notCommutative(each((lower, higher) => lower * 10 ** String(higher).length + higher));
  const text = ranks.map((rank) => rank + 1).join("");
  same(world.allReduce(Float64Array.of(rank + 1, rank + 1), digits), Float64Array.of(Number(text), Number(text)));
  same(world.scan(Float64Array.of(rank + 1), digits), Float64Array.of(Number(text.slice(0, rank + 1))));

  assert.equal(world.allReduce(rank + 0.5, Sum), (size * size) / 2);
  assert.equal(world.allReduce(BigInt(rank) - 2n, Min), -2n);
  assert.equal(world.allReduce(rank + 1, (a, b) => a * b), ranks.reduce((all, rank) => all * (rank + 1), 1));
  assert.equal(world.reduce(rank, Max, root), rank === root ? size - 1 : undefined);
  assert.equal(world.scan(1, Sum), rank + 1);
  assert.equal(world.exclusiveScan(1n, Sum), rank === 0 ? undefined : BigInt(rank));
}

function objects() {
  const root = draw.below(size);
  const all = ranks.map(() => draw.object());
  const boxes = ranks.map(() => ranks.map(() => draw.object(1)));
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const send = world.startSendObject(all[rank], next, 3);
  const received = world.receiveObject(before, 3);
  assert.deepEqual(received.value, all[before]);
  assert.deepEqual([received.source, received.tag], [before, 3]);
  send.wait();
  assert.deepEqual(world.broadcastObject(rank === root ? all[root] : "not looked at", root), all[root]);
  assert.deepEqual(world.gatherObjects(all[rank], root), rank === root ? all : undefined);
  assert.deepEqual(world.allGatherObjects(all[rank]), all);
  assert.deepEqual(world.scatterObjects(rank === root ? all : undefined, root), all[rank]);
  assert.deepEqual(world.allToAllObjects(boxes[rank]), boxes.map((of) => of[rank]));

  const words = ranks.map((rank) => `${draw.below(1000)}-${rank} `);
  const glue = (lower, higher) => lower + higher;
  assert.equal(world.reduceObjects(words[rank], glue, root), rank === root ? words.join("") : undefined);
  assert.equal(world.allReduceObjects(words[rank], glue), words.join(""));
  assert.equal(world.scanObjects(words[rank], glue), words.slice(0, rank + 1).join(""));
  assert.equal(world.exclusiveScanObjects(words[rank], glue), rank === 0 ? undefined : words.slice(0, rank).join(""));
}

function communicators() {
  const colors = ranks.map(() => draw.of([undefined, 0, 1]));
  const keys = ranks.map(() => draw.below(3));
  const part = world.split(colors[rank], keys[rank]);
  const members = ranks.filter((other) => colors[other] === colors[rank]).sort((a, b) => keys[a] - keys[b] || a - b);
  if (colors[rank] === undefined) {
    assert.equal(part, undefined);
  } else {
    assert.deepEqual([part.rank, part.size], [members.indexOf(rank), members.length]);
    assert.deepEqual(part.allGatherObjects(rank), members);
    part.free();
  }
  const other = world.duplicate();
  assert.deepEqual([other.rank, other.size], [rank, size]);
  // Messages of one do not reach the other.
  const send = world.startSend(Uint8Array.of(1), rank, 9);
  assert.equal(other.tryProbe(rank, 9), undefined);
  same(world.receive(Uint8Array, rank, 9).data, Uint8Array.of(1));
  send.wait();
  other.free();
  assert.throws(() => other.barrier());
  assert.deepEqual([mpi.self.rank, mpi.self.size], [0, 1]);
}

function known() {
  assert.deepEqual([Environment.isInitialized, Environment.isFinalized, mpi.isMainThread], [true, false, true]);
  assert.equal(mpi.threadsWanted, "funneled");
  assert.ok(mpi.timeResolution > 0 && mpi.timeResolution < 1);
  assert.equal(typeof mpi.timeIsGlobal, "boolean");
  assert.ok((mpi.universeSize ?? size) >= 1);
  assert.deepEqual([mpi.programNumber ?? 0, mpi.ioRank, mpi.hostRank], [0, Any, undefined]);
  assert.equal(mpi.has("partitioned"), mpi.standard >= "4");
  assert.equal(mpi.has("faultTolerance"), false);
  assert.throws(() => mpi.has("wings"), TypeError);
}
known();

for (let round = 0; round < 12; round++) {
  messages();
  await awaited();
  collectives();
  reductions();
  objects();
  communicators();
  await begun(world, draw, draw.of(TYPES));
  await reduced(world, draw);
}
operations(world, draw);
await rounds(world);
buffered(mpi, world);
modes(world);
partitioned(mpi, world);
// More show nothing new, and MPICH's spin while they wait for each other.
if (size <= 3) windows(world, draw);
between(mpi);
processes(mpi);
ports(mpi);
values(mpi);
world.serializer = json;
assert.deepEqual(world.allGatherObjects({ rank, none: undefined }), ranks.map((rank) => ({ rank })));
assert.ok(mpi.time() <= mpi.time() && mpi.processor.length > 0 && world.largestTag >= 32767);
assert.match(mpi.library, /MPI/i);
assert.match(mpi.standard, /^[3-9]\.\d$/);
mpi.finish();
console.log("well");
