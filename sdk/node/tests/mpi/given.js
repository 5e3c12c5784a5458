// What is given to a call: numbers, arrays, types, and what was freed before. All of it is an error in the user's words.
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Datatype, ElementType, File, MpiBuffer, Replace, Request, SharedWindow, Sum, Window,
} from "upcall/mpi";

/** What is no count, and how it is told. */
const NO_COUNTS = [
  ["1", 'the text "1"'], [1n, "the bigint 1n"], [null, "null"], [true, "true"], [{}, "an object"], [Symbol("1"), "a symbol"],
  [1.5, "1.5"], [NaN, "NaN"], [-1, "-1"], [Infinity, "Infinity"],
];

/** It is refused, with the call, the parameter's name and what was given. */
function refuses(call, name, values = NO_COUNTS) {
  for (const [wrong, told] of values) {
    assert.throws(() => call(wrong), (error) => {
      assert.equal(error.constructor, typeof wrong === "number" ? RangeError : TypeError, `${name}: ${error.stack}`);
      assert.ok(error.message.includes(`\`${name}\` has to be`) && error.message.endsWith(`, and ${told} is given`), error.message);
      return true;
    });
  }
}

function numbers(world, mpi) {
  const { size, rank } = world;
  const one = Float64Array.of(1);
  const ranks = Array(size).fill(1);
  // Those of one rank.
  for (const send of ["send", "sendSynchronous", "sendReady", "sendObject", "startSend", "startSendObject", "sendInit", "sendBuffered"]) {
    refuses((x) => world[send](one, x), "to");
    refuses((x) => world[send](one, rank, x), "tag");
  }
  const froms = {
    receive: (x, t) => world.receive(Float64Array, x, t), receiveInto: (x, t) => world.receiveInto(one, x, t),
    receiveObject: (x, t) => world.receiveObject(x, t), probe: (x, t) => world.probe(x, t), tryProbe: (x, t) => world.tryProbe(x, t),
    matched: (x, t) => world.matched(x, t), startReceive: (x, t) => world.startReceive(Float64Array, 1, x, t),
    startReceiveInto: (x, t) => world.startReceiveInto(one, x, t), startReceiveObject: (x, t) => world.startReceiveObject(x, t),
    startReceiveAnySize: (x, t) => world.startReceiveAnySize(Float64Array, x, t), receiveInit: (x, t) => world.receiveInit(Float64Array, 1, x, t),
  };
  for (const call of Object.values(froms)) {
    refuses((x) => call(x), "from");
    refuses((x) => call(rank, x), "tag");
  }
  refuses((x) => world.sendReceive(one, x, 0, one), "to");
  refuses((x) => world.sendReceive(one, 0, x, one), "sendTag");
  refuses((x) => world.sendReceive(one, 0, 0, one, 0, x), "receiveTag");
  refuses((x) => world.startReceive(Float64Array, x), "length");
  refuses((x) => world.receiveInit(Float64Array, x), "length");
  refuses((x) => world.partitionedSendInit(one, x, 0), "partitions");
  refuses((x) => world.partitionedReceiveInit(one, 1, x), "from");
  refuses((x) => mpi.attachBuffer(x), "bytes");
  refuses((x) => new MpiBuffer(Float64Array, x), "length");
  refuses((x) => new ElementType("Odd", x), "size");
  refuses((x) => world.abort(x), "code", NO_COUNTS.filter(([wrong]) => wrong !== -1));
  refuses((x) => world.group().include([0, x]), "ranks[1]");
  assert.throws(() => world.send(one, 3_000_000_000), /`to` has to be a rank, a whole number from 0 to 2147483647, and 3000000000 is given$/);
  // Those of all ranks, which are refused before anybody waits.
  for (const call of ["broadcast", "broadcastObject", "gather", "gatherParts", "gatherObjects", "startGather", "gatherInit"]) {
    refuses((x) => world[call](one, x), "root");
  }
  for (const call of ["reduce", "startReduce", "reduceInit"]) refuses((x) => world[call](one, Sum, x), "root");
  refuses((x) => world.scatter(Float64Array, one, x), "root");
  refuses((x) => world.startScatter(Float64Array, one, x), "length");
  refuses((x) => world.startAllGatherParts(one, [...ranks, x]), `counts[${size}]`);
  refuses((x) => world.startScatterParts(Float64Array, [one], [x]), "counts[0]");
  refuses((x) => world.reduceScatter(one, Sum, [x]), "counts[0]");
  refuses((x) => world.startReduceScatter(one, Sum, [x]), "counts[0]");
  refuses((x) => world.agree(x), "flags", NO_COUNTS.filter(([wrong]) => wrong !== -1));
  refuses((x) => world.intercommunicator(0, world, x), "remoteLeader");
  refuses((x) => world.cartesian([size, x]), "sizes[1]", NO_COUNTS.filter(([wrong]) => wrong !== -1));
  refuses((x) => Window.allocate(world, Float64Array, x), "count");
  refuses((x) => SharedWindow.allocate(world, Float64Array, x), "count");
  // The others wait for this rank, and hear that there was something wrong.
  for (const wrong of ["1", 1.5, -1, 1n]) {
    const kind = typeof wrong === "number" ? RangeError : TypeError;
    assert.throws(() => world.split(wrong), kind);
    assert.throws(() => world.graphAdjacent([wrong], [rank]), kind);
    assert.throws(() => world.graphAdjacent([rank], [rank], { sourceWeights: [wrong] }), kind);
    if (wrong !== -1) assert.throws(() => world.split(0, wrong), kind);
    assert.throws(() => world.graph(new Map([[rank, [wrong]]])), /make a graph: `edges.values\(\)\[0\]` has to be a rank/);
  }
  for (const wrong of [null, 5, "12", undefined]) {
    assert.throws(() => world.graph(new Map([[rank, [rank]], [0, wrong]].slice(rank === 0 ? 1 : 0))), /`edges.values\(\)\[[01]\]` has to be a list/);
    assert.throws(() => world.graph(wrong), /`edges` has to be a Map/);
  }
  if (size > 1) {
    // It is an error there as well.
    const elsewhere = (call, says) => assert.throws(() => call(rank === 1), rank === 1 ? says : (error) => error.name === "MpiError");
    elsewhere((bad) => world.intercommunicator(bad ? -1 : 0, world, 1), /join two groups: `leader` has to be a rank.* -1 is given/);
    elsewhere((bad) => world.intercommunicator(0, world, bad ? 1.5 : 1), /`remoteLeader`.* 1.5 is given/);
    elsewhere((bad) => world.intercommunicator(0, world, 1, bad ? "7" : 7), /`tag`.* the text "7" is given/);
    elsewhere((bad) => world.intercommunicator(0, bad ? { native: world.native } : world, 1), /join two groups: wanted is a Communicator, and an object/);
    elsewhere((bad) => world.graph(new Map([[rank, bad ? null : [rank]]])), /make a graph: `edges.values\(\)\[0\]` has to be a list, and null is given/);
    elsewhere((bad) => world.graph(bad ? [] : new Map([[rank, [rank]]])), /make a graph: `edges` has to be a Map/);
    for (const kind of [Window, SharedWindow]) {
      elsewhere((bad) => kind.allocate(world, Float64Array, bad ? -1 : 3), /make a window: `count` has to be .* -1 is given/);
      elsewhere((bad) => kind.allocate(world, bad ? null : Float64Array, 3), /make a window: wanted is a type of arrays/);
    }
    assert.throws(() => world.split(rank === 0 ? "red" : 0), rank === 0 ? /the text "red" is given/ : { kind: "usage" });
    assert.throws(() => world.split(0, rank === 0 ? 0.5 : 0), rank === 0 ? /`key`.*0.5 is given/ : { kind: "usage" });
  }
  const window = Window.allocate(world, Float64Array, 3);
  refuses((x) => window.lock(x), "rank");
  refuses((x) => window.access(x), "ranks[0]");
  refuses((x) => window.expose(x), "ranks[0]");
  refuses((x) => window.put(one, rank, x), "at");
  refuses((x) => window.get(rank, 0, x), "count");
  const epoch = window.lockAll();
  for (const [name, call] of Object.entries({
    put: (r, at) => epoch.put(one, r, at), get: (r, at) => epoch.get(one, r, at), fetch: (r, at) => epoch.fetch(r, at, 1),
    accumulate: (r, at) => epoch.accumulate(one, r, at, Sum), fetchAndOp: (r, at) => epoch.fetchAndOp(1, r, at, Sum),
    getAccumulate: (r, at) => epoch.getAccumulate(one, one, r, at, Replace), load: (r, at) => epoch.load(r, at),
  })) {
    assert.equal(typeof epoch[name], "function");
    refuses((x) => call(x, 0), "rank");
    refuses((x) => call(rank, x), "at");
  }
  epoch.end();
  window.free();
  const path = join(tmpdir(), `upcall-mpi-given-${process.ppid}-${size}`);
  const file = File.open(world, path, { read: true, write: true, create: true, deleteOnClose: true });
  refuses((x) => file.readAt(Float64Array, x, 1), "offset");
  refuses((x) => file.readAt(Float64Array, 0, x), "count");
  refuses((x) => file.writeAtAll(one, x), "offset");
  refuses((x) => file.startReadAt(Float64Array, 0, x), "count");
  refuses((x) => file.setSize(x), "bytes");
  refuses((x) => file.seek(x), "offset", NO_COUNTS.filter(([wrong]) => wrong !== -1));
  refuses((x) => file.viewBlocks(Float64Array, 0, x), "block");
  refuses((x) => file.viewSubarray(Float64Array, 0, [4], [x], [0]), "part[0]");
  file.close();
}

/** What is no array, no type or no operation. */
function others(world) {
  const one = Float64Array.of(1);
  for (const wrong of [null, undefined, "text", {}, [1], () => 1]) {
    const calls = [
      () => world.send(wrong, 0), () => world.receiveInto(wrong), () => world.startSend(wrong, 0), () => world.broadcast(wrong),
      () => world.gather(wrong), () => world.allGather(wrong), () => world.allToAll(wrong), () => world.gatherParts(wrong),
      () => world.allReduce(wrong, Sum), () => world.scan(wrong, (a, b) => a), () => world.reduceScatter(wrong, Sum),
      () => world.allReduceInto(one, wrong, Sum), () => world.startAllReduce(wrong, Sum), () => world.startBroadcast(wrong),
      () => world.startGather(wrong), () => world.sendInit(wrong, 0), () => world.allToAllPartsInit(wrong, [], []), () => Window.create(world, wrong),
      () => world.allReduceReproducible(wrong), () => world.allToAllParts(Float64Array, [wrong]),
    ];
    for (const call of calls) assert.throws(call, /^TypeError: .*: wanted is a (typed array|Float64Array)/, String(call));
    assert.throws(() => world.allToAllParts(Float64Array, typeof wrong === "object" && wrong?.length ? null : wrong), /`parts` has to be a list/);
    const of = typeof wrong === "function" ? null : wrong;
    for (const call of [
      () => world.receive(of), () => world.scatter(of, one), () => world.startReceive(of, 1), () => world.startScatter(of, one, 1),
      () => Window.allocate(world, of, 1), () => new MpiBuffer(of, 1), () => world.startReceiveAnySize(of),
    ]) {
      assert.throws(call, /^TypeError: .*: wanted is a type of arrays, as Float64Array/, String(call));
    }
    if (typeof wrong !== "function") {
      for (const call of [() => world.allReduce(one, wrong), () => world.startAllReduce(one, wrong), () => world.reduceInto(one, one, wrong)]) {
        assert.throws(call, /^TypeError: reduce: wanted is an operation, as `Sum`, or a function/, String(call));
      }
    }
    assert.throws(() => Window.allocate(wrong, Float64Array, 1), /wanted is a Communicator/);
    assert.throws(() => File.open(wrong, "file"), /wanted is a Communicator/);
    assert.throws(() => world.create(wrong), /create a communicator: `group` has to be a Group of processes, and /);
    assert.throws(() => world.group().union(wrong), /unite groups: `other` has to be a Group of processes, and /);
    assert.throws(() => world.group().translate([0], wrong), /translate ranks: `other` has to be a Group/);
    for (const like of [wrong, { native: world.native }, world.group()]) assert.throws(() => world.compare(like), /^TypeError: compare communicators: wanted is a Communicator, and /);
  }
  // Elements that are others on the two sides.
  const into = new BigInt64Array(world.size);
  for (const call of [
    () => world.allGatherInto(one, into), () => world.gatherInto(one, into), () => world.scatterInto(one, into, world.rank),
    () => world.allToAllInto(new Float64Array(world.size), into), () => world.allReduceInto(one, into.subarray(0, 1), Sum),
    () => world.reduceInto(one, into.subarray(0, 1), Sum),
  ]) {
    assert.throws(call, /^TypeError: .*the elements of a Float64Array are given, and the array for what comes of them is a BigInt64Array/, String(call));
  }
  // Bytes are room for anything.
  const bytes = Buffer.alloc(8 * world.size);
  world.allGatherInto(one, bytes);
  assert.equal(bytes.readDoubleLE(0), 1);
  assert.throws(() => world.cartesian([1], false, "yes"), /^TypeError: cartesian: `reorder` must be a boolean/);
  assert.throws(() => (world.name = 5), /^TypeError: set name: `name` must be a string/);
}

const give = (array) => structuredClone(array, { transfer: [array.buffer] });

/** Memory that goes away, or is smaller than it was. */
function memory(world) {
  const { rank } = world;
  const gone = /^TypeError: .*: the array lies in a buffer that was transferred or made smaller/;
  for (const Type of [Float64Array, Uint8Array]) {
    const away = new Type(4);
    give(away);
    for (const call of [
      () => world.send(away, rank), () => world.receiveInto(away), () => world.broadcast(away), () => world.startSend(away, rank),
      () => world.allReduce(away, Sum), () => world.allReduce(away, (a, b) => a), () => world.sendInit(away, rank), () => world.startAllReduce(away, Sum),
      () => Window.create(world, away), () => world.gather(away),
    ]) {
      assert.throws(call, gone, String(call));
    }
    // While it is lent.
    const lent = new Type(1);
    const receive = world.startReceiveInto(lent, rank, 70);
    give(lent);
    world.send(new Type(1), rank, 70);
    assert.throws(() => receive.wait(), gone);
    assert.throws(() => receive.wait(), gone);
    const sent = Type.of(7);
    const send = world.startSend(sent, rank, 71);
    give(sent);
    assert.equal(world.receive(Type, rank, 71).data[0], 7);
    send.wait();
    const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
    const [tracking, behind] = [new Type(buffer), new Type(buffer, 32, 1)];
    const requests = [world.startReceiveInto(tracking, rank, 72), world.startReceiveInto(behind, rank, 73), world.startReceiveInto(tracking, rank, 74)];
    buffer.resize(16);
    if (buffer.byteLength === 16) {
      world.send(new Uint8Array(64), rank, 72);
      world.send(new Type(1), rank, 73);
      world.send(new Uint8Array(16).fill(9), rank, 74);
      assert.throws(() => requests[0].wait(), { kind: "type", message: /64 bytes, and there is room for 16/ });
      assert.throws(() => requests[1].wait(), gone);
      assert.deepEqual([requests[2].wait().bytes, new Uint8Array(buffer)[15]], [16, 9]);
      assert.throws(() => world.send(behind, rank), gone);
      assert.throws(() => world.allReduceInto(behind, behind, Sum), gone);
    }
    const shared = new Type(new SharedArrayBuffer(32)).fill(3);
    assert.deepEqual([...world.allReduce(shared, Sum)], Array(shared.length).fill(3 * world.size));
    world.allReduceInto(shared, shared, (from, into) => into.set(from));
    const both = world.startSend(Type.of(5), rank, 75);
    world.receiveInto(shared, rank, 75);
    both.wait();
    assert.deepEqual([shared[0], shared[1]], [5, 3]);
  }
  const view = new DataView(new ArrayBuffer(8));
  give(view);
  assert.throws(() => world.send(view, rank), TypeError);
  // Of a window, and of a chunk.
  const window = Window.allocate(world, Float64Array, 4);
  const local = window.local();
  try {
    give(local.array);
  } catch {
    // It may refuse.
  }
  local.end();
  assert.equal(window.get(rank, 0, 4).length, 4);
  const epoch = window.lock(rank);
  const into = new Float64Array(4);
  epoch.get(into, rank);
  give(into);
  assert.throws(() => epoch.end(), gone);
  world.barrier();
  window.free();
  world.allReduce(Float64Array.of(1), (from, into) => {
    try {
      give(from);
    } catch {
      // As above.
    }
  });
}

/** Every method and property of an object that was freed says so, or does nothing, and knows none of our inner names. */
function says(object, name, fails, freed) {
  let said = 0;
  const names = new Set();
  for (let of = Object.getPrototypeOf(object); of !== Object.prototype; of = Object.getPrototypeOf(of)) {
    for (const name of Object.getOwnPropertyNames(of)) if (name !== "constructor") names.add(name);
  }
  for (const method of names) {
    for (const given of [[], [Float64Array.of(1), 0, 0], [Float64Array, 0, 0], [0, 0, 0], [Float64Array.of(1), Sum, 0]]) {
      try {
        const found = object[method];
        if (typeof found === "function") found.apply(object, given);
      } catch (error) {
        assert.doesNotMatch(String(error), /upcall/i, `${name}.${method}: ${error}`);
        said += error.kind === "lifecycle" && freed.test(error.message);
      }
    }
  }
  assert.ok(said > 0, name);
}

function freed(world, mpi, fails) {
  const { rank } = world;
  const made = world.duplicate();
  const grid = world.cartesian([world.size]);
  const [group, checked] = [world.group(), world.checked(true)];
  const datatype = new Datatype(world, new ElementType("f64", 8));
  const window = Window.allocate(world, Float64Array, 1);
  const file = File.open(world, join(tmpdir(), `mpi-freed-${process.ppid}`), { write: true, create: true, deleteOnClose: true });
  const buffer = new MpiBuffer(Float64Array, 1);
  const room = mpi.attachBuffer(10);
  const rounds = world.sendInit(Float64Array.of(1), rank);
  world.startSend(Float64Array.of(1), rank, 80);
  for (const one of [made, grid, group, checked, datatype, buffer, rounds]) one.free();
  window.free();
  file.close();
  room.detach();
  fails(() => made.barrier(), "lifecycle", /^use a communicator: it was freed$/);
  fails(() => world.compare(made), "lifecycle", /^use a communicator: it was freed$/);
  fails(() => group.union(world.group()), "lifecycle", /^use a group: it was freed$/);
  fails(() => world.create(group), "lifecycle", /^use a group: it was freed$/);
  fails(() => world.sendTyped(new Uint8Array(8), datatype, rank), "lifecycle", /^use a datatype: it was freed$/);
  fails(() => window.fence(), "lifecycle", /^use a window: it was freed$/);
  fails(() => file.readAt(Uint8Array, 0, 1), "lifecycle", /^use a file: it is closed$/);
  fails(() => buffer.array, "lifecycle", /^use a buffer: it was freed$/);
  fails(() => room.used, "lifecycle", /^use a buffer for sends: it was detached$/);
  fails(() => rounds.start(), "lifecycle", /^use a persistent request: it was freed$/);
  for (const [name, one] of Object.entries({ made, grid, group, checked, datatype, window, file, buffer, room, rounds })) {
    says(one, name, fails, /it (was freed|is closed|was detached)$/);
  }
  // A second time does nothing.
  for (const one of [made, grid, group, checked, datatype, buffer, rounds, window]) one.free();
  file.close();
  room.detach();
  const message = world.matched(rank, 80);
  message.discard();
  message.discard();
  fails(() => message.receive(Float64Array), "usage", /it has been received/);
  assert.throws(() => Request.waitAny([]), RangeError);
  // The library's messages name what is here as it is called here.
  fails(() => world.sendBuffered(Float64Array.of(1), rank), "buffer", /attach one first/);
  if (world.size > 1) fails(() => world.allToAll(new Float64Array(world.size + 1)), "usage", /use the form with parts/);
  // One that is forgotten is in nobody's way.
  (() => void mpi.attachBuffer(10))();
}

export function given(world, mpi, fails) {
  numbers(world, mpi);
  others(world);
  memory(world);
  freed(world, mpi, fails);
}
