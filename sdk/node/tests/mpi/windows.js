// Memory of ranks that others read and write, against a plain model, and arrays on huge pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  BitXor, Max, MpiBuffer, MpiError, Product, Replace, Request, SharedWindow, Sum, Window,
} from "upcall/mpi";

const MODELS = [
  [Int32Array, Sum, (a, b) => a + b],
  [Float64Array, Max, (a, b) => Math.max(a, b)],
  [BigInt64Array, BitXor, (a, b) => a ^ b],
  [Int16Array, Sum, (a, b) => a + b],
  [Float32Array, Product, (a, b) => a * b],
];

function buffers(world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const [sent, received] = [new MpiBuffer(Float64Array, 70_000), new MpiBuffer(Float64Array, 70_000)];
  assert.equal(sent.array.some((value) => value !== 0), false);
  sent.array.forEach((_, at) => (sent.array[at] = at + rank));
  world.sendReceive(sent.array, next, 1, received.array, before, 1);
  assert.deepEqual([received.array[0], received.array[69_999]], [before, 69_999 + before]);
  const send = world.startSend(sent.array, next, 2);
  const receive = world.startReceiveInto(received.array, before, 2);
  assert.equal(receive.wait().count(Float64Array), 70_000);
  send.wait();
  assert.equal(world.allReduce(sent.array, Sum)[5], 5 * size + (size * (size - 1)) / 2);
  const stale = sent.array;
  sent.free();
  sent.free();
  assert.throws(() => sent.array, { kind: "lifecycle" });
  // Nobody's any more.
  assert.equal(stale[9], 0);
  received.free();
  // Where the system gives any.
  const given = !readFileSync("/sys/kernel/mm/transparent_hugepage/enabled", "utf8").includes("[never]");
  let found = false;
  // Where memory is in small pieces at the moment, some are given none.
  for (let left = given ? 100 : 1; left > 0 && !found; left--) {
    const huge = new MpiBuffer(Uint8Array, 4 << 20);
    assert.equal(huge.hasHugePages, false);
    huge.array.fill(1);
    found = huge.hasHugePages;
    huge.free();
    if (!found) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  assert.equal(found, given);
  assert.equal(new MpiBuffer(Uint8Array, 0).array.length, 0);
  assert.throws(() => new MpiBuffer(Uint8Array, -1), RangeError);
  assert.throws(() => new MpiBuffer(Float64Array, 2 ** 49), MpiError);
}

function modelled(world, draw, [Type, operation, model]) {
  const { rank, size } = world;
  const lengths = Array.from({ length: size }, () => 6 + draw.below(40));
  const whole = lengths.map((length) => new Type(length));
  const window = Window.allocate(world, Type, lengths[rank]);
  assert.deepEqual(lengths.map((_, rank) => window.length(rank)), lengths);
  for (let turn = 0; turn < 4; turn++) {
    const fence = turn === 0 ? window.fence() : undefined;
    for (let other = 0; other < size; other++) {
      const to = draw.below(size);
      // Each rank has its own part, as what overlaps has no order.
      const room = Math.floor(lengths[to] / size);
      const count = 1 + draw.below(room);
      const at = room * other + draw.below(room - count + 1);
      const values = draw.array(Type, count);
      values.forEach((value, index) => (whole[to][at + index] = turn === 3 ? model(whole[to][at + index], value) : value));
      if (other !== rank) continue;
      if (fence !== undefined) {
        fence.put(values, to, at);
      } else if (turn === 1) {
        window.put(values, to, at);
        assert.deepEqual(window.get(to, at, count), values);
      } else if (turn === 2) {
        const epoch = window.lock(to, "exclusive");
        epoch.put(values, to, at);
        epoch.flush(to);
        assert.deepEqual(epoch.fetch(to, at, count), values);
        epoch.end();
      } else {
        const epoch = window.lockAll();
        epoch.accumulate(values, to, at, operation);
        epoch.flushLocal();
        epoch.end();
      }
    }
    fence?.end();
    world.barrier();
    const source = draw.below(size);
    const into = new Type(lengths[source]);
    const last = window.fence();
    last.get(into, source);
    last.end();
    assert.deepEqual(into, whole[source], `${Type.name}, turn ${turn}`);
  }
  const mine = window.local();
  assert.deepEqual(Type.from(mine.array), whole[rank]);
  mine.end();
  window.free();
}

function begun(world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const values = (of) => Int32Array.from({ length: 6 }, (_, at) => 100 * of + at);
  const whole = Int32Array.from(Array.from({ length: size }, (_, of) => [...values(of)]).flat());
  const window = Window.allocate(world, Int32Array, 6 * size);
  const epoch = window.lockAll();
  const puts = Array.from({ length: size }, (_, to) => epoch.startPut(values(rank), to, 6 * rank));
  Request.waitAll(puts);
  epoch.flush();
  world.barrier();
  const [all, part] = [epoch.startGet(next, 0, 6 * size), epoch.startGet(next, 6 * rank, 6)];
  assert.deepEqual(Request.waitAll([all, part]), [whole, values(rank)]);
  world.barrier();
  // Those are waited for by the epoch's end.
  epoch.startAccumulate(values(rank), next, 6 * rank, Sum);
  const last = epoch.startGet(next, 0, 1);
  assert.throws(() => epoch.startPut(whole, size), { name: "MpiError", kind: "rank", message: /no rank/ });
  assert.throws(() => epoch.startGet(next, 1, 6 * size), { name: "MpiError", kind: "range", message: /elements/ });
  assert.throws(() => epoch.startPut(new Float64Array(1), next), { name: "MpiError", kind: "type", message: /Int32Array/ });
  assert.throws(() => epoch.startAccumulate(whole, next, 0, () => {}), { name: "MpiError", kind: "usage", message: /function/ });
  epoch.end();
  assert.ok(last.test());
  assert.throws(() => epoch.startPut(whole, next), { name: "MpiError", kind: "synchronization", message: /ended/ });
  world.barrier();
  assert.deepEqual(window.get(rank, 6 * before, 6), values(before).map((value) => 2 * value));
  world.barrier();
  window.free();
}

function atOnce(world) {
  const { rank, size } = world;
  const rounds = 15;
  const window = Window.allocate(world, BigInt64Array, rank === 0 ? 3 : 0);
  let mine = 0n;
  let epoch = window.lockAll();
  for (let round = 0; round < rounds; round++) {
    mine += epoch.fetchAndOp(1n, 0, 0, Sum);
    // A lock of one's own.
    while (epoch.compareAndSwap(0n, BigInt(rank + 1), 0, 1) !== 0n);
    assert.equal(epoch.fetchAndOp(0n, 0, 1, Replace), BigInt(rank + 1));
  }
  epoch.end();
  const all = BigInt(rounds * size);
  assert.equal(world.allReduce(mine, Sum), (all * (all - 1n)) / 2n);
  const [before, one, swapped] = [new BigInt64Array(2), new BigInt64Array(1), new BigInt64Array(1)];
  let fence = window.fence();
  if (rank === 0) fence.getAccumulate(BigInt64Array.of(5n, 7n), before, 0, 0, Sum);
  fence.end();
  assert.deepEqual(before, rank === 0 ? BigInt64Array.of(all, 0n) : new BigInt64Array(2));
  fence = window.fence();
  if (rank === size - 1) {
    fence.fetchAndOpInto(1n, one, 0, 0, Sum);
    fence.compareAndSwapInto(7n, 70n, swapped, 0, 1);
  }
  fence.end();
  if (rank === size - 1) {
    assert.deepEqual([one[0], swapped[0]], [all + 5n, 7n]);
    epoch = window.lock(0);
    assert.deepEqual(epoch.fetchAndAccumulate(BigInt64Array.of(1n, 1n, 1n), 0, 0, Product), BigInt64Array.of(all + 6n, 70n, 0n));
    assert.equal(epoch.load(0, 1), 70n);
    assert.deepEqual(epoch.loadAll(0, 0, 3), BigInt64Array.of(all + 6n, 70n, 0n));
    epoch.end();
  }
  window.free();
}

function some(world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const window = Window.create(world, Int32Array.of(1, 2, 3));
  const exposure = window.expose(before);
  const epoch = window.access(next);
  epoch.put(Int32Array.of(rank + 10), next, 1);
  if (size > 2) assert.throws(() => epoch.put(Int32Array.of(0), before), { kind: "synchronization" });
  epoch.end();
  exposure.wait();
  exposure.wait();
  assert.equal(exposure.test(), true);
  const local = window.local();
  assert.deepEqual(Array.from(local.array), [1, before + 10, 3]);
  local.end();
  window.free();
  const array = Float64Array.of(0.5, rank);
  const over = Window.create(world, array);
  over.put(Float64Array.of(rank + 0.5), next, 1);
  world.barrier();
  over.free();
  assert.deepEqual(array, Float64Array.of(0.5, before + 0.5));
}

function shared(world) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  const table = SharedWindow.allocate(world, Float64Array, 4 + rank);
  const mine = table.local();
  mine.array.fill(rank + 0.5);
  mine.end();
  const all = table.together();
  for (let other = 0; other < size; other++) {
    assert.deepEqual(Float64Array.from(all.at(other)), new Float64Array(4 + other).fill(other + 0.5));
  }
  assert.throws(() => all.at(size), { kind: "rank" });
  all.end();
  const theirs = table.memoryOf(next);
  theirs.array[3] = 100 * rank;
  theirs.end();
  world.barrier();
  const epoch = table.lock(before);
  assert.deepEqual(epoch.fetch(before, 3, 1), Float64Array.of(100 * ((before + size - 1) % size)));
  epoch.end();
  table.free();
}

/** Everything that goes well. */
export function windows(world, draw) {
  buffers(world);
  for (const model of MODELS) modelled(world, draw, model);
  begun(world);
  atOnce(world);
  some(world);
  shared(world);
}

/** What is wrong, by `fails(call, kind, message)`. */
export function wrongs(world, fails) {
  const { rank, size } = world;
  const next = (rank + 1) % size;
  // Nobody here can have the elements of an array that was given away; the window is freed all the same.
  const given = new Int32Array(4);
  const over = Window.create(world, given);
  structuredClone(given, { transfer: [given.buffer] });
  over.free();
  const window = Window.allocate(world, Int32Array, 3);
  const [one, two] = [Int32Array.of(1), Int32Array.of(1, 2)];
  fails(() => window.length(size), "rank", /no rank/);
  const epoch = window.lock(next);
  fails(() => epoch.put(two, next, 2), "range", /put 2 elements at 2 of rank \d: that rank's window has 3 elements/);
  fails(() => epoch.get(new Int32Array(4), next), "range", /has 3 elements/);
  fails(() => epoch.accumulate(one, next, Number.MAX_SAFE_INTEGER, Sum), "range", /has 3 elements/);
  fails(() => epoch.put(one, size), "rank", /no rank/);
  fails(() => epoch.put(new Float64Array(1), next), "type", /Int32Array/);
  fails(() => epoch.accumulate(one, next, 0, (a, b) => a + b), "usage", /a function/);
  fails(() => epoch.fetchAndOp(1.5, next, 0, Sum), "type", /1.5 is no element/);
  fails(() => epoch.compareAndSwap("1", 2, next, 0), "type", /no element/);
  fails(() => window.lock(next, "exclusiv"), "usage", /exclusiv/);
  // One at a time, and the window ends after it.
  fails(() => window.fence(), "synchronization", /locked; end that first/);
  fails(() => window.lock(next), "synchronization", /locked/);
  fails(() => window.free(), "synchronization", /locked; end that first/);
  epoch.end();
  epoch.end();
  fails(() => epoch.put(one, next), "synchronization", /has ended/);
  const local = window.local();
  const stale = local.array;
  local.end();
  fails(() => local.array, "synchronization", /has ended/);
  const numbers = Window.allocate(world, Float64Array, 1);
  const some = numbers.lockAll();
  fails(() => some.compareAndSwap(1, 2, 0, 0), "type", /no integers/);
  some.end();
  numbers.free();
  assert.throws(() => world.allReduce(one, Replace), TypeError);
  window.free();
  window.free();
  fails(() => window.fence(), "lifecycle", /freed/);
  // What was a window's memory is nobody's now.
  stale[0] = 1;
  // One that is forgotten stays until MPI ends.
  Window.allocate(world, Int32Array, 1);
  globalThis.gc?.();
}
