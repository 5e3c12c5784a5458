import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as simd from "upcall/simd";

const NUMBERS = [
  Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array,
];
const BIGINTS = [BigInt64Array, BigUint64Array];
const LENGTHS = [1, 2, 15, 16, 17, 63, 64, 65, 130, 1000];

test("a number that no element can be is an error, not an infinity", () => {
  assert.equal(simd.contains(Float32Array.of(Infinity), Infinity), true);
  assert.throws(() => simd.contains(Float32Array.of(Infinity), 1e300), RangeError);
});

/** Whole numbers, whose sums are exact in every order. */
function some(Type, length) {
  const number = BIGINTS.includes(Type) ? BigInt : Number;
  return Type.from({ length }, (_, index) => number((index * 7919) % 101));
}

for (const Type of [...NUMBERS, ...BIGINTS]) {
  test(`every reduction of a ${Type.name} agrees with a plain loop`, () => {
    for (const length of LENGTHS) {
      const values = some(Type, length);
      const plain = [...values];
      const total = plain.reduce((sum, value) => sum + Number(value), 0);
      const wrapped = Type.of(BIGINTS.includes(Type) ? BigInt(total) : total)[0];
      assert.equal(simd.sum(values), wrapped);
      assert.equal(simd.sumInOrder(values), wrapped);
      assert.equal(simd.sumPairwise(values), wrapped);
      assert.equal(simd.sumLong(values), Type.name.startsWith("Float") ? total : BigInt(total));
      assert.equal(simd.mean(values), total / length);
      const min = plain.reduce((least, value) => (value < least ? value : least));
      const max = plain.reduce((greatest, value) => (value > greatest ? value : greatest));
      assert.deepEqual([simd.min(values), simd.max(values)], [min, max]);
      assert.deepEqual([simd.minNumber(values), simd.maxNumber(values)], [min, max]);
      assert.deepEqual(simd.minMax(values), { min, max });
      assert.deepEqual(simd.minMaxNumber(values), { min, max });
      const last = plain[length - 1];
      const absent = BIGINTS.includes(Type) ? 102n : 102;
      assert.equal(simd.indexOf(values, last), values.indexOf(last));
      assert.equal(simd.indexOf(values, absent), -1);
      assert.equal(simd.contains(values, last), true);
      assert.equal(simd.countEqual(values, last), plain.filter((value) => value === last).length);
      const other = values.slice();
      assert.equal(simd.equal(values, other), true);
      other[length - 1] = absent;
      assert.equal(simd.equal(values, other) || simd.equal(values, values.subarray(1)), false);
    }
  });
}

test("a sum that overflows wraps, or is refused", () => {
  const values = new Int32Array(100).fill(2 ** 31 - 1);
  assert.equal(simd.sum(values), ((2 ** 31 - 1) * 100) | 0);
  assert.equal(simd.sumLong(values), 100n * (2n ** 31n - 1n));
  assert.throws(() => simd.checkedSum(values), { name: "RangeError", message: /the sum does not fit into i32/ });
  assert.equal(simd.checkedSum(values.subarray(0, 1)), 2 ** 31 - 1);
});

test("NaN decides unless numbers are asked for", () => {
  const values = some(Float64Array, 100);
  values[50] = NaN;
  assert.deepEqual([simd.min(values), simd.max(values), simd.sum(values)], [NaN, NaN, NaN]);
  assert.deepEqual(simd.minMaxNumber(values), { min: 0, max: 100 });
  assert.equal(simd.contains(values, NaN) || simd.equal(values, values), false);
});

test("what is empty is a RangeError", () => {
  const none = new Float32Array();
  for (const reduction of [simd.min, simd.max, simd.minMax, simd.mean, simd.minNumber]) {
    assert.throws(() => reduction(none), RangeError);
  }
  assert.equal(simd.sum(none), 0);
});

test("a Buffer is an array of bytes, and what is not an array of numbers a TypeError", () => {
  assert.equal(simd.sum(Buffer.from("abc")), (97 + 98 + 99) % 256);
  for (const wrong of [[1, 2], new DataView(new ArrayBuffer(8)), null, "abc"]) {
    assert.throws(() => simd.sum(wrong), TypeError);
  }
  assert.throws(() => simd.equal(new Int8Array(2), new Int16Array(2)), TypeError);
});

test("the accurate sum is near where the sum in order is not", () => {
  const tenths = new Float32Array(10_000_000).fill(0.1);
  assert.ok(Math.abs(simd.sumPairwise(tenths) - 1_000_000) < 0.2);
  assert.ok(Math.abs(simd.sumInOrder(tenths) - 1_000_000) > 80_000);
});

test("a Worker may be the first to import it", () => {
  const { UPCALL_LIBRARY, ...env } = process.env;
  const worker = `
    import { parentPort } from "node:worker_threads";
    import { sum } from "upcall/simd";
    parentPort.postMessage(sum(Int8Array.of(3, 4)));`;
  const program = `
    import { Worker } from "node:worker_threads";
    const worker = new Worker(${JSON.stringify(worker)}, { eval: true });
    worker.on("message", async (sum) => {
      // The program itself may use it afterwards.
      const simd = await import("upcall/simd");
      console.log(sum, simd.sum(Int8Array.of(5, 6)));
    });`;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const node = ["--input-type=module", "--eval", program];
  assert.equal(execFileSync(process.execPath, node, { env, cwd, encoding: "utf8" }), "7 11\n");
});

test("importing leaves the environment as it was", () => {
  const { UPCALL_LIBRARY, ...env } = process.env;
  const program = `
    const before = { ...process.env };
    await import("upcall/simd");
    console.log(JSON.stringify(before) === JSON.stringify({ ...process.env }));`;
  // In the package's own folder it is found by its name.
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const node = ["--input-type=module", "--eval", program];
  const said = execFileSync(process.execPath, node, { env, cwd, encoding: "utf8" });
  assert.equal(said, "true\n");
});
