import assert from "node:assert/strict";
import test from "node:test";
import { CombineHarness, Harness } from "upcall/testing";

test("a batch has keys, values and objects", async () => {
  class Sees {
    onBatch(batch, emit) {
      assert.deepEqual([batch.length, batch.get(1).key, batch.keys()], [3, "b", ["a", "b", "c"]]);
      assert.deepEqual(batch.values(), BigUint64Array.of(1n, 2n, 3n));
      for (const object of batch) emit.put(object.key, object.number);
      assert.throws(() => batch.get(3), /object 3 of a batch of 3/);
    }
  }
  const harness = new Harness(new Sees(), { pools: { "/out": "u64" }, inputType: "u64" });
  await harness.batch([["a", 1], ["b", 2], ["c", 3]]);
  assert.deepEqual(harness.numbers("/out"), { a: 1n, b: 2n, c: 3n });
});

test("values without a number type are views that end with the call", async () => {
  class Keeps {
    onBatch(batch) {
      this.values = batch.values();
      assert.deepEqual(this.values.map(String), ["97", "98,98"]);
      this.batch = batch;
    }
  }
  const handler = new Keeps();
  await new Harness(handler).batch([["1", "a"], ["2", "bb"]]);
  assert.throws(() => handler.values[0].slice(), TypeError);
  assert.throws(() => handler.batch.length, /a batch was used after its call had ended/);
});

test("columns say where keys and values lie, and end with the call", async () => {
  const objects = [["a", "first"], ["ключ", ""], ["", "значение"], ["long".repeat(100), "x".repeat(5000)]];
  class Looks {
    onBatch(batch) {
      const { bytes, keys, keyLengths, values, valueLengths } = batch.columns();
      const text = (at, length) => Buffer.from(bytes.subarray(at, at + length)).toString();
      const seen = objects.map((_, index) => [text(keys[index], keyLengths[index]), text(values[index], valueLengths[index])]);
      assert.deepEqual(seen, objects);
      assert.equal(keys.length, batch.length);
      Object.assign(this, { batch, bytes, keys });
    }
  }
  const handler = new Looks();
  await new Harness(handler).batch(objects);
  assert.equal(handler.bytes.length, 0);
  assert.equal(handler.keys.length, objects.length);
  assert.throws(() => handler.batch.columns(), /a batch was used after its call had ended/);
});

test("the objects of a batch are each their own, and end with the call", async () => {
  class Keeps {
    onBatch(batch) {
      this.objects = [...batch, batch.get(0)];
      assert.deepEqual(this.objects.map(({ key }) => key), ["a", "b", "a"]);
      this.iterator = batch[Symbol.iterator]();
    }
  }
  const handler = new Keeps();
  await new Harness(handler).batch([["a", "1"], ["b", "2"]]);
  for (const object of handler.objects) assert.throws(() => object.key, /an object was used after its call had ended/);
  assert.throws(() => handler.iterator.next(), /a batch was used after its call had ended/);
});

test("what was emitted before a report is kept, what came later is not", async () => {
  class Fails {
    async onBatch(batch, emit) {
      emit.put("first", "");
      batch.done(1);
      await undefined;
      emit.put("second", "x".repeat(100_000));
      batch.done(2);
      emit.put("third", "x".repeat(100_000));
      assert.throws(() => batch.done(1), /report 1 objects as done: 2 of 3 are/);
      throw new Error("half-way");
    }
  }
  const harness = new Harness(new Fails(), { pools: ["/out"] });
  const batch = harness.batch([["a", ""], ["b", ""], ["c", ""]]);
  await assert.rejects(batch, { message: "half-way", done: 2, item: undefined });
  assert.deepEqual(harness.emitted.map(({ key }) => key), ["first", "second"]);
});

test("arrays are combined, and end with the call", async () => {
  class Adds {
    static element = "f64";
    static commutative = true;
    combine(source, into) {
      this.kept = into;
      for (let index = 0; index < into.length; index++) into[index] += source[index];
      if (source[0] < 0) throw new Error("negative");
    }
  }
  const handler = new Adds();
  const harness = new CombineHarness(handler);
  assert.deepEqual(await harness.combine([1, 2], [3, 4]), Float64Array.of(4, 6));
  assert.equal(handler.kept.length, 0);
  await assert.rejects(harness.combine([-1], [0]), { message: "negative" });
  const described = (await harness.describe()).map(([, key]) => key);
  assert.deepEqual(described, ["COMBINE", "f64", ""]);
  await assert.rejects(new CombineHarness(handler, { element: "i32" }).combine([1], [1]), /combines i32, and this handler f64/);
});

test("a handler says what it is", async () => {
  class Sample {
    static parameters = { every: { type: "u64", default: 10, range: "1..=1000" }, name: { type: "text" } };
    onObject() {}
  }
  assert.deepEqual(await new Harness(new Sample()).describe(), [
    [1, "FLOW", "16"],
    [2, "object", ""],
    [8, "every", "u64\n=10\n1..=1000"],
    [8, "name", "text\n\n"],
  ]);
});

test("what is no handler is told", () => {
  const wrong = (of) => assert.throws(() => new Harness(new of()), TypeError);
  wrong(class {});
  wrong(class { onObject() {} onBatch() {} });
  wrong(class { static element = "f65"; combine() {} });
});
