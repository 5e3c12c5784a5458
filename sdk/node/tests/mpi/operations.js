// Numbers with places, sums with the same bits, handlers as operations, types that are checked, fields.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  Any, Datatype, ElementType, ExactSum, LogicalOr, MaxWithPlace, MinWithPlace, MpiError, ofHandler, Sum,
} from "upcall/mpi";

const NUMBERS = [
  Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array,
];
const root = new URL("../../../../", import.meta.url);
const at = (path) => fileURLToPath(new URL(path, root));

/** Runs all of it. */
export function operations(world, draw) {
  const { rank, size } = world;
  const ranks = Array.from({ length: size }, (_, rank) => rank);

  for (const Type of NUMBERS) {
    const length = draw.below(20);
    const all = ranks.map(() => draw.array(Type, length));
    const places = Int32Array.from({ length }, () => rank);
    const chosen = (better) => Array.from({ length }, (_, index) =>
      ranks.reduce((best, other) => (better(all[other][index], all[best][index]) ? other : best), 0));
    const [least, most] = [chosen((a, b) => a < b), chosen((a, b) => a > b)];
    const given = { values: all[rank], places };
    const found = world.allReduce(given, MinWithPlace);
    assert.deepEqual(found, { values: Type.from(least, (whose, index) => all[whose][index]), places: Int32Array.from(least) });
    assert.deepEqual(world.reduce(given, MaxWithPlace, size - 1)?.places, rank === size - 1 ? Int32Array.from(most) : undefined);
    assert.equal(world.exclusiveScan(given, MaxWithPlace) === undefined, rank === 0);
  }
  const wrong = (kind, call, message) => assert.throws(call, (error) =>
    error instanceof MpiError && error.kind === kind && (message === undefined || message.test(error.message)) || assert.fail(error));
  assert.deepEqual(
    world.allReduce({ values: Float64Array.of(rank === 0 ? 1 : NaN), places: Int32Array.of(rank) }, MaxWithPlace),
    { values: Float64Array.of(1), places: Int32Array.of(0) });
  wrong("usage", () => world.allReduce(new Float64Array(2), MinWithPlace), /give \{ values, places \}/);
  wrong("usage", () => world.allReduce({ values: new Float64Array(2), places: new Int32Array(3) }, MinWithPlace), /of the same length/);
  wrong("usage", () => world.allReduce({ values: new Float64Array(2), places: new Int32Array(2) }, Sum), /MinWithPlace or MaxWithPlace/);

  sums(world, draw, ranks, wrong);
  if (size === 2 || size === 3) handlers(world, wrong);
  checks(world, draw, ranks, wrong);
  fields(world, wrong);
}

const SCALE = 400n;
/** A number times 2 ** 400, where that is whole. */
function scaled(number) {
  let [mantissa, shift] = [number, Number(SCALE)];
  while (!Number.isInteger(mantissa)) [mantissa, shift] = [mantissa * 2, shift - 1];
  return shift >= 0 ? BigInt(mantissa) << BigInt(shift) : BigInt(mantissa) >> BigInt(-shift);
}

/** The nearest number of so many bits to a sum; of two that are as near the even one. */
function nearest(sum, bits) {
  const size = sum < 0n ? -sum : sum;
  const drop = BigInt(Math.max(0, size.toString(2).length - bits));
  let kept = size >> drop;
  const [rest, half] = [size - (kept << drop), drop === 0n ? 1n : 1n << (drop - 1n)];
  if (rest > half || (drop > 0n && rest === half && (kept & 1n) === 1n)) kept += 1n;
  return (sum < 0n ? -1 : 1) * Number(kept) * 2 ** Number(drop - SCALE);
}

function sums(world, draw, ranks, wrong) {
  const { rank, size } = world;
  const real = () => (draw.below(2 ** 30) / 2 ** 30 - 0.5) * 2 ** (draw.below(160) - 80);
  for (const [Type, bits] of [[Float64Array, 53], [Float32Array, 24]]) {
    const length = draw.below(100);
    const all = ranks.map(() => Type.from({ length }, real));
    const exactly = (numbers) => nearest(numbers.reduce((sum, number) => sum + scaled(number), 0n), bits);
    const wanted = Type.from({ length }, (_, index) => exactly(all.map((of) => of[index])));
    assert.deepEqual(world.allReduceReproducible(all[rank]), wanted);
    assert.deepEqual(world.reduceReproducible(all[rank], size - 1), rank === size - 1 ? wanted : undefined);
    const whole = exactly(all.flatMap((of) => [...of]));
    assert.equal(world.sumReproducible(all[rank]) + 0, whole + 0);
    const [sum, half] = [new ExactSum(Type), new ExactSum(Type)];
    for (const number of all[rank].subarray(0, length >> 1)) half.add(number);
    sum.add(all[rank].subarray(length >> 1));
    sum.merge(half);
    assert.equal(sum.value + 0, exactly([...all[rank]]) + 0);
    world.allReduceExact(sum);
    assert.equal(sum.value + 0, whole + 0);
    wrong("usage", () => sum.merge(sum), /with itself/);
    wrong("usage", () => sum.add(Type === Float64Array ? new Float32Array(1) : new Float64Array(1)), /other numbers/);
  }
  wrong("usage", () => new ExactSum().merge(new ExactSum(Float32Array)));
  assert.throws(() => world.sumReproducible(new Int32Array(3)), /^TypeError: .*wanted is a Float64Array.*an Int32Array is given/);
  if (size > 1) wrong("usage", () => world.allReduceReproducible(new Float64Array(rank === 0 ? 2 : 3)));
}

function handlers(world, wrong) {
  const { rank, size } = world;
  const python = at("crates/cli/tests/handlers/combines.py");
  const guests = [
    ["native", at("build/tests/handlers"), "failure: after "],
    ["python", python, "ArithmeticError: after "],
    ["node", at("sdk/node/tests/mpi/sums.mjs"), "RangeError: after a NaN"],
  ];
  // Those in JavaScript have processes of their own, which take a while to start.
  for (const [guest, file, thrown] of guests.slice(0, size === 2 ? 3 : 2)) {
    const sums = ofHandler(guest, file, "Sums", { settings: { a: "b" } });
    for (const length of [1, 100, 10_000]) {
      const found = world.allReduce(Float64Array.from({ length }, (_, index) => index + rank), sums);
      assert.deepEqual(found, Float64Array.from({ length }, (_, index) => index * size + (size * (size - 1)) / 2));
    }
    let failed;
    try {
      world.allReduceChecked(Float64Array.of(rank === size - 1 ? NaN : 1), sums);
    } catch (error) {
      failed = error;
    }
    assert.equal(failed?.kind, "operation", failed?.stack);
    const combined = failed.message.includes(thrown);
    assert.ok(combined || failed.message.includes("on another rank"), failed.message);
    assert.equal(world.allReduce(Uint8Array.of(combined ? 1 : 0), LogicalOr)[0], 1);
    assert.equal(world.allReduce(2, sums), 2 * size);
  }
  const first = ofHandler("python", python, "First");
  assert.deepEqual(world.allReduce(new Uint32Array(1000).fill(7 + rank), first), new Uint32Array(1000).fill(7));
  const one = new Float64Array(1);
  wrong("usage", () => world.allReduce(one, ofHandler("pyton", python, "Sums")), /no guest pyton \(`python`\?\)/);
  wrong("operation", () => world.allReduce(one, ofHandler("python", python, "Nobody")), /handler Nobody/);
  wrong("operation", () => world.allReduce(one, ofHandler("python", "nothing.py", "Sums")), /nothing\.py/);
  wrong("type", () => world.allReduce(new Float32Array(1), ofHandler("python", python, "Sums")), /it combines f64/);
}

const PAIR = new ElementType("Pair", 16, [
  { name: "sensor", type: "u32", offset: 0, size: 4 },
  { name: "value", type: "f64", offset: 8, size: 8 },
]);
const OTHER = new ElementType("Pair", 16, [
  { name: "value", type: "f64", offset: 0, size: 8 },
  { name: "sensor", type: "u32", offset: 8, size: 4 },
]);

/** Some structs. Padding is zero. */
function pairs(count, whose) {
  const view = new DataView(new ArrayBuffer(16 * count));
  for (let index = 0; index < count; index++) {
    view.setUint32(16 * index, index, true);
    view.setFloat64(16 * index + 8, whose * 0.5, true);
  }
  return new Uint8Array(view.buffer);
}

function checks(world, draw, ranks, wrong) {
  const { rank, size } = world;
  const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
  for (const on of [true, false]) {
    const checked = world.checked(on);
    assert.deepEqual([checked.isOn, checked.rank, checked.size], [on, rank, size]);
    const room = new Int32Array(9);
    const status = checked.sendReceive(Int32Array.of(rank, 7), next, 1, room, before, 1);
    assert.deepEqual([status.count(Int32Array), room[0]], [2, before]);
    if (rank === 0) {
      for (const other of ranks.slice(1)) {
        checked.send(Float32Array.of(1.5 * other), other, 9);
        checked.send(BigInt64Array.of(BigInt(other)), other, 9);
        checked.send(pairs(3, other), other, 9, PAIR);
      }
    } else {
      const received = checked.receive(Float32Array, 0, Any);
      assert.deepEqual([received.data, received.source, received.tag], [Float32Array.of(1.5 * rank), 0, 9]);
      const into = new BigInt64Array(4);
      assert.equal(checked.receiveInto(into, Any, 9).count(BigInt64Array), 1);
      assert.equal(into[0], BigInt(rank));
      assert.deepEqual(checked.receive(PAIR, 0, 9).data, pairs(3, rank));
    }
    assert.equal(checked.together(Float64Array).allReduce(2, Sum), 2 * size);
    checked.free();
  }
  const checked = world.checked(true);
  if (size > 1) {
    wrong("type", () => checked.together(rank === 0 ? Int32Array : BigInt64Array), /call a collective on i(32|64)/);
    if (rank === 1) {
      checked.send(new Float64Array(2), 0, 3);
      checked.send(pairs(1, 1), 0, 4, PAIR);
      checked.send(new Float64Array(2), 0, 5);
    } else if (rank === 0) {
      wrong("type", () => checked.receive(Float32Array, 1, 3),
        /^receive from rank 1 with tag 3: it sent f64 of 8 bytes, and this rank receives f32 of 4 bytes$/);
      wrong("type", () => checked.receive(OTHER, 1, 4), /it sent Pair of 16 bytes with other fields/);
      wrong("truncated", () => checked.receiveInto(new Float64Array(1), 1, 5));
    }
  }
  wrong("rank", () => checked.send(new Float64Array(1), size, 0));
  wrong("usage", () => checked.send(new DataView(new ArrayBuffer(8)), 0, 0), /give an ElementType/);
  wrong("usage", () => new ElementType("Nothing", 0));
  checked.free();
  assert.throws(() => checked.send(new Float64Array(1), 0, 0));
}

function fields(world, wrong) {
  const { rank, size } = world;
  const pair = new Datatype(world, PAIR);
  assert.equal(pair.extent, 16);
  if (rank === 1) {
    world.sendTyped(pairs(3, 1), pair, 0, 2);
    world.sendTyped(pairs(3, 1), pair, 0, 3);
  } else if (rank === 0 && size > 1) {
    const received = world.receiveTyped(pair, 1, 2);
    assert.deepEqual([received.data, received.source], [pairs(3, 1), 1]);
    const room = new Uint8Array(64);
    assert.equal(world.receiveTypedInto(room, pair, 1, 3), 3);
    assert.deepEqual(room.subarray(0, 48), pairs(3, 1));
  }
  const all = rank === 0 ? pairs(4, 9) : pairs(4, 0);
  world.broadcastTyped(all, pair, 0);
  assert.deepEqual(all, pairs(4, 9));
  wrong("usage", () => world.sendTyped(new Uint8Array(7), pair, 0));
  const overlaps = [{ name: "a", type: "i32", offset: 0, size: 4 }, { name: "b", type: "i16", offset: 2, size: 2 }];
  wrong("usage", () => new Datatype(world, new ElementType("Union", 4, overlaps)), /overlap/);
  wrong("usage", () => new ElementType("Short", 4, [{ name: "a", type: "f64", offset: 0, size: 8 }]));
  pair.free();
  assert.throws(() => world.sendTyped(pairs(1, 1), pair, 0));
}
