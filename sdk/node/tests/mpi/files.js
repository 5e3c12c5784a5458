// Groups, grids, graphs and files of all ranks, against plain arithmetic.
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Environment, File, MpiError } from "upcall/mpi";
import { Stream } from "./random.js";

const mpi = Environment.start({ threads: "multiple" });
const { world } = mpi;
const { rank, size } = world;
const draw = new Stream(size * 17);
const ranks = Array.from({ length: size }, (_, rank) => rank);
const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];

/** It fails with this kind, and its message says this. */
function fails(call, kind, message = /./) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof MpiError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
    return true;
  });
}

function groups() {
  const even = ranks.filter((rank) => rank % 2 === 0).reverse();
  const all = world.group();
  assert.deepEqual([all.rank, all.size], [rank, size]);
  const [some, others] = [all.include(even), all.exclude(even)];
  const both = some.union(others);
  assert.deepEqual([some.size, others.size, both.size], [even.length, size - even.length, size]);
  assert.equal(some.rank, rank % 2 === 0 ? even.indexOf(rank) : undefined);
  assert.equal(some.intersection(others).size, 0);
  assert.equal(both.difference(some).compare(others), "identical");
  assert.equal(some.compare(all), size === 1 ? "identical" : "unequal");
  assert.deepEqual(some.translate(even.keys(), all), even);
  assert.deepEqual(others.translate(Array(others.size).keys(), some), Array(others.size).fill(undefined));
  fails(() => all.include([size]), "rank");
  assert.throws(() => all.exclude([-1]), RangeError);
  assert.equal(all.includeRanges([{ first: even[0], last: 0, step: -2 }]).compare(some), "identical");
  assert.equal(all.excludeRanges([{ first: 0, last: size - 1, step: 2 }]).compare(others), "identical");
  assert.throws(() => all.includeRanges([{ first: 0, last: -1 }]), /`ranges\[0\].last`/);
  assert.throws(() => all.includeRanges([{ first: 0, last: 0, step: 0.5 }]), RangeError);
  assert.throws(() => all.includeRanges([7]), TypeError);
  const made = world.create(some);
  assert.equal(made === undefined, rank % 2 !== 0);
  if (made !== undefined) {
    assert.deepEqual([...made.allGather(Int32Array.of(rank))], even);
    const again = world.createGroup(some, 3);
    assert.equal(made.compare(again), "congruent");
    made.free();
  }
  const twin = world.duplicate();
  const machine = world.splitSharedMemory();
  assert.deepEqual([world.compare(twin), machine.size], ["congruent", size]);
  twin.name = "twin ä";
  assert.equal(twin.name, "twin ä");
  some.free();
  assert.throws(() => some.include([0]), /it was freed/);
}

function grids() {
  const sizes = world.dimensions([0, 0]);
  const [rows, columns] = sizes;
  assert.equal(rows * columns, size);
  for (const around of [false, true]) {
    const at = (row, column) => {
      const there = row >= 0 && row < rows && column >= 0 && column < columns;
      return there || around ? ((row + rows) % rows) * columns + ((column + columns) % columns) : undefined;
    };
    const grid = world.cartesian(sizes, around);
    const [x, y] = grid.coordinates;
    assert.deepEqual([grid.sizes, grid.periodic, [x, y]], [sizes, [around, around], [Math.floor(rank / columns), rank % columns]]);
    for (const rank of ranks) assert.equal(grid.rankOf(grid.coordinatesOf(rank)), rank);
    assert.equal(grid.rankOf([-1, 0]), at(-1, 0));
    const neighbors = [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)];
    assert.deepEqual([grid.sources, grid.targets], [neighbors, neighbors]);
    assert.deepEqual(grid.shift(0), { source: neighbors[0], target: neighbors[1] });
    assert.deepEqual(grid.shift(1, -1), { source: neighbors[3], target: neighbors[2] });
    assert.deepEqual([...grid.neighborAllGather(Float64Array.of(rank + 0.5))], neighbors.map((rank) => (rank ?? -0.5) + 0.5));
    const parts = grid.neighborAllGatherParts(new Int16Array(rank).fill(rank));
    assert.deepEqual(parts, neighbors.map((rank) => new Int16Array(rank ?? 0).fill(rank ?? 0)));
    // To each neighbor goes in which direction it is; from the one above comes what it has for the one below.
    const sent = Int32Array.from([0, 1, 2, 3], (direction) => rank * 4 + direction);
    const wanted = neighbors.map((rank, index) => (rank === undefined ? undefined : rank * 4 + (index ^ 1)));
    assert.deepEqual([...grid.neighborAllToAll(sent)], wanted.map((number) => number ?? 0));
    const into = new Int32Array(4).fill(-1);
    grid.neighborAllToAllInto(sent, into);
    assert.deepEqual([...into], wanted.map((number) => number ?? -1));
    const given = [...sent].map((number, index) => new Int32Array(index).fill(number));
    const back = grid.neighborAllToAllParts(Int32Array, given);
    assert.deepEqual(back, wanted.map((number, index) => new Int32Array(number === undefined ? 0 : index ^ 1).fill(number ?? 0)));
    const twin = grid.duplicate();
    assert.deepEqual([...twin.neighborAllToAll(sent)], wanted.map((number) => number ?? 0));
    const row = grid.subGrid([false, true]);
    assert.deepEqual([row.size, row.rank, row.sizes], [columns, y, [columns]]);
    fails(() => grid.subGrid([true]), "usage");
    fails(() => grid.shift(2), "usage");
    fails(() => grid.rankOf([0]), "usage");
    fails(() => grid.coordinatesOf(size), "rank");
    fails(() => grid.neighborAllGatherInto(Int32Array.of(1), new Int32Array(3)), "usage");
    fails(() => grid.neighborAllToAll(new Int32Array(5)), "usage", /no multiple/);
    fails(() => grid.neighborAllToAllParts(Int32Array, []), "usage");
    assert.equal(grid.split(0).constructor, world.constructor);
  }
  assert.equal(world.cartesian([1]) === undefined, rank !== 0);
  fails(() => world.cartesian([size + 1]), "usage");
  fails(() => world.cartesian([size], []), "usage");
  fails(() => world.dimensions([size + 1]), "usage");
}

function graphs() {
  for (const ring of [
    world.graphAdjacent([before], [next]), world.graph(new Map([[rank, [next]]])),
    world.graphAdjacent([before], [next], { sourceWeights: [3], targetWeights: [3], reorder: true }),
  ]) {
    const from = ring.sources[0];
    assert.deepEqual([...ring.neighborAllGather(Float32Array.of(ring.rank, 1.5))], [from, 1.5]);
    assert.deepEqual(ring.neighborAllToAllParts(Uint8Array, [new Uint8Array(ring.rank)]), [new Uint8Array(from)]);
    const twin = ring.duplicate();
    assert.deepEqual([twin.sources, twin.targets], [ring.sources, ring.targets]);
    ring.free();
    assert.throws(() => ring.neighborAllGather(Float32Array.of(1)), /it was freed/);
  }
  fails(() => world.graphAdjacent([size], []), "rank");
  fails(() => world.graphAdjacent([], [], { targetWeights: [1] }), "usage");
  // What one rank alone gets wrong is told to all.
  if (rank === 0) assert.throws(() => world.graphAdjacent([-1], []), /^RangeError: make a graph: `sources\[0\]`/);
  else fails(() => world.graphAdjacent([], []), "usage");
}

const path = (name) => join(tmpdir(), `upcall-node-${name}-${world.broadcastObject(process.pid)}`);

async function ways() {
  const at = path("ways");
  const file = File.open(world, at, { read: true, write: true, createNew: true, deleteOnClose: true, hints: { cb_nodes: "1" } });
  assert.equal(file.path, at);
  const each = 40;
  for (const Type of [Float64Array, Int16Array, BigInt64Array]) {
    const all = draw.array(Type, size * each);
    const of = (rank) => all.slice(rank * each, (rank + 1) * each);
    file.view(Type, 3);
    const here = rank * each;
    const writes = [
      () => file.writeAt(of(rank), here),
      () => file.writeAtAll(of(rank), here),
      () => {
        assert.equal(file.seek(here), here);
        file.write(of(rank));
        assert.equal(file.position, here + each);
      },
      () => {
        file.seek(here);
        file.writeAll(of(rank));
      },
      () => {
        file.seekShared(0);
        file.writeOrdered(of(rank));
        world.barrier();
        assert.equal(file.positionShared, size * each);
      },
      () => {
        const data = of(rank);
        const writing = file.startWriteAt(data, here);
        // It was copied.
        data.fill(Type === BigInt64Array ? 0n : 0);
        return writing;
      },
    ];
    for (const write of writes) {
      file.setSize(3);
      await write();
      file.sync();
      world.barrier();
      assert.equal(file.size, 3 + all.byteLength);
      const other = (rank + draw.below(size)) % size;
      const [there, wanted] = [other * each, of(other)];
      assert.deepEqual(file.readAt(Type, there, each), wanted);
      assert.deepEqual(file.readAtAll(Type, there, each), wanted);
      file.seek(there);
      assert.deepEqual(file.read(Type, each), wanted);
      file.seek(-each, "current");
      const into = new Type(each);
      assert.equal(file.readAllInto(into), each);
      assert.deepEqual(into, wanted);
      assert.deepEqual(await file.startReadAt(Type, there, each), wanted);
      file.seekShared(0);
      assert.deepEqual(file.readOrdered(Type, each), of(rank));
      world.barrier();
      file.seekShared(0);
      const found = file.readShared(Type, each);
      assert.ok(ranks.some((rank) => of(rank).every((value, at) => value === found[at])));
      world.barrier();
      // Fewer than are asked for.
      assert.equal(file.readAt(Type, size * each - 5, 9).length, 5);
      assert.equal(file.readAtAll(Type, size * each, 9).length, 0);
      assert.equal((await file.startReadAt(Type, size * each - 2, 9)).length, 2);
      world.barrier();
    }
    file.seekShared(0);
    file.writeShared(of(0));
    world.barrier();
    assert.deepEqual(file.readAtAll(Type, here, each), of(0));
  }
  file.close();
  world.barrier();
  assert.ok(!existsSync(at));
}

function views() {
  const at = path("views");
  {
    const file = File.open(world, at, { read: true, write: true, create: true, truncate: true });
    const all = draw.array(Int32Array, size * 6);
    const mine = Int32Array.from({ length: 6 }, (_, at) => all[(at >> 1) * 2 * size + 2 * rank + (at & 1)]);
    file.viewBlocks(Int32Array, 8, 2);
    file.writeAtAll(mine, 0);
    file.sync();
    file.view(Int32Array, 8);
    assert.deepEqual(file.readAtAll(Int32Array, 0, all.length), all);
    // The file as 6 rows of as many columns as ranks.
    file.viewStrided(Int32Array, 8, rank, 1, size);
    const column = Int32Array.from({ length: 6 }, (_, row) => all[row * size + rank]);
    assert.deepEqual(file.readAtAll(Int32Array, 0, 6), column);
    file.viewSubarray(Int32Array, 8, [6, size], [4, 1], [1, rank]);
    assert.deepEqual(file.readAtAll(Int32Array, 0, 4), column.slice(1, 5));
    fails(() => file.readOrdered(Int32Array, 1), "usage");
    file.view(12, 8);
    assert.deepEqual(file.readAt(Int32Array, 1, 3), all.slice(3, 6));
    fails(() => file.readAt(Int32Array, 0, 2), "type", /elements of 12/);
    // What one rank alone gets wrong is told to all.
    fails(() => file.viewBlocks(4, 0, rank === 0 ? 0 : 1), "usage");
    assert.throws(() => file.view(Int32Array, -1), RangeError);
    file.setAtomic(true);
    assert.equal(file.atomic, true);
    file.preallocate(4096);
    assert.equal(file.size, 4096);
    assert.equal(typeof file.hints, "object");
  }
  world.barrier();
  if (rank === 0) File.delete(world, at);
  world.barrier();
  assert.ok(!existsSync(at));
}

async function errors() {
  const at = path("errors");
  fails(() => File.open(world, at), "not found", /open .*upcall-node-errors.*`create`/);
  fails(() => File.delete(world, at), "not found");
  fails(() => File.create(world, join(at, "in", "none")), "not found");
  fails(() => File.open(world, at, {}), "usage");
  fails(() => File.open(world, at, { read: true, hints: { "": "x" } }), "usage");
  const file = File.create(world, at);
  fails(() => file.readAt(Uint8Array, 0, 1), "access");
  fails(() => file.seek(-1), "range");
  assert.throws(() => file.writeAt(Uint8Array.of(1), 0.5), RangeError);
  assert.throws(() => file.writeAt("text", 0), TypeError);
  const writing = file.startWriteAt(new Uint8Array(100_000), 0);
  file.close();
  file.close();
  await writing;
  fails(() => file.writeAt(Uint8Array.of(1), 0), "lifecycle", /closed/);
  fails(() => file.view(4), "lifecycle", /closed/);
  fails(() => file.startReadAt(Uint8Array, 0, 1), "lifecycle", /closed/);
  fails(() => File.open(world, at, { write: true, createNew: true }), "exists");
  const full = File.open(world, "/dev/full", { write: true });
  fails(() => full.writeAt(new Uint8Array(10), 0), "no space");
  await assert.rejects(async () => await full.startWriteAt(new Uint8Array(10), 0), { name: "MpiError", kind: "no space" });
  full.close();
  // One that is left open is closed with MPI.
  const left = File.open(world, at);
  world.barrier();
  if (rank === 0) rmSync(at);
  return left;
}

groups();
grids();
graphs();
await ways();
views();
const left = await errors();
mpi.finish();
fails(() => left.size, "lifecycle");
fails(() => left.close(), "lifecycle");
console.log("well");
