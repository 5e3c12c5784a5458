import assert from "node:assert/strict";
import test from "node:test";
import { Failed, Harness } from "upcall/testing";

const said = (harness) => harness.emitted.map(({ pool, key, text }) => [pool, key, text]);

test("a handler is given key, value and what belongs to them", async () => {
  class Looks {
    onObject(object, emit) {
      assert.deepEqual([...object.keyBytes], [...Buffer.from(object.key)]);
      const { version, time, pool, sender } = object;
      assert.deepEqual([typeof version, typeof time, pool, sender], ["number", "bigint", "/in", "outside"]);
      assert.equal(Number(time), version);
      emit.put(object.key, object.value);
      emit.put(`${object.key}!`, object.text());
    }
  }
  const harness = new Harness(new Looks(), { pools: ["/out"] });
  const objects = [["a", "first"], ["ключ", "значение"], ["", ""], ["long".repeat(100), "x".repeat(5000)]];
  await harness.batch(objects);
  assert.deepEqual(said(harness), objects.flatMap(([key, text]) => [["/out", key, text], ["/out", `${key}!`, text]]));
});

test("keys that look alike are told apart, whatever was seen before", async () => {
  class Keys {
    onObject(object, emit) {
      emit.put(object.key, "");
    }
  }
  const harness = new Harness(new Keys(), { pools: ["/out"] });
  const keys = ["abc", "abd", "ab", "abcd", "äb", "abc", "Abc", "äb"];
  await harness.batch(keys.map((key) => [key, ""]));
  assert.deepEqual(harness.emitted.map(({ key }) => key), keys);
});

test("keys of any length are themselves, more of them than are remembered", async () => {
  class Keys {
    onObject(object, emit) {
      emit.put(object.key, "");
    }
  }
  const harness = new Harness(new Keys(), { pools: ["/out"] });
  const tails = ["", "x", "xy", "ä", "→", "🎉", "xyz1", "a".repeat(31), "ä".repeat(20)];
  const keys = Array.from({ length: 20_000 }, (_, index) => index.toString(36) + tails[index % tails.length]);
  for (const each of [keys, ["", "a", "b", "ä", ...keys.slice(0, 100)]]) {
    harness.emitted.length = 0;
    await harness.batch(each.map((key) => [key, ""]));
    assert.deepEqual(harness.emitted.map(({ key }) => key), each);
  }
});

test("values are text, bytes of any view, and numbers where the pool declares a type", async () => {
  class Emits {
    onObject(object, emit) {
      emit.put("text", "grüße 🎉 ".repeat(20));
      emit.put("bytes", Uint8Array.of(1, 2, 3));
      emit.put("floats", Float64Array.of(1.5));
      emit.put("buffer", new ArrayBuffer(100));
      emit.put(Buffer.from("key"), new DataView(new ArrayBuffer(2)));
      for (const [pool, value] of [["/u64", 2 ** 52], ["/i64", -5n], ["/f32", 1.5], ["/i16", -3], ["/u8", 255]]) {
        emit.putTo(pool, "n", value);
      }
      emit.putTo("/u64", "all", 2n ** 64n - 1n);
    }
  }
  const pools = { "/out": "", "/u64": "u64", "/i64": "i64", "/f32": "f32", "/i16": "i16", "/u8": "u8" };
  const harness = new Harness(new Emits(), { pools });
  await harness.put("1");
  const [text, bytes, floats, buffer, view] = harness.emitted;
  assert.equal(text.text, "grüße 🎉 ".repeat(20));
  assert.deepEqual([[...bytes.value], floats.value.length, buffer.value.length, view.key], [[1, 2, 3], 8, 100, "key"]);
  assert.deepEqual(harness.numbers("/u64"), { n: BigInt(2 ** 52), all: 2n ** 64n - 1n });
  assert.deepEqual(harness.numbers("/i64"), { n: -5n });
  assert.deepEqual([harness.numbers("/f32"), harness.numbers("/i16"), harness.numbers("/u8")], [{ n: 1.5 }, { n: -3 }, { n: 255 }]);
});

for (const [what, emitted, pools, message] of [
  ["no output pool", (emit) => emit.put("a", "b"), {}, /no output pool/],
  ["another pool", (emit) => emit.putTo("/else", "a", "b"), { "/out": "" }, /pool \/else is not declared by this handler; it has \/out: add \/else to its `to`/],
  ["a number without a type", (emit) => emit.put("a", 1), { "/out": "" }, /1 is a number, and the pool declares no number type/],
  ["a number that is too large", (emit) => emit.put("a", 256), { "/out": "u8" }, /256 is not a value of the type u8/],
  ["a fraction", (emit) => emit.put("a", 1.5), { "/out": "u64" }, /1.5 is not a value of the type u64/],
  ["a negative number", (emit) => emit.put("a", -1), { "/out": "u64" }, /-1 is not a value of the type u64/],
  ["what has no bytes", (emit) => emit.put("a", {}), { "/out": "" }, /a value is text, bytes or a number, and this is an object: give its bytes/],
  ["nothing", (emit) => emit.put("a", null), { "/out": "" }, /a value is text, bytes or a number, and this is null/],
]) {
  test(`emitting fails the object, and nothing of it is kept: ${what}`, async () => {
    class Emits {
      onObject(object, emit) {
        if (pools["/out"] === "") emit.put("before", "");
        emitted(emit);
      }
    }
    const harness = new Harness(new Emits(), { pools });
    await assert.rejects(harness.put("1"), (failed) => message.test(failed.message) && failed.item === 0);
    assert.deepEqual(harness.emitted, []);
  });
}

test("what is thrown fails its object, and those before it count", async () => {
  class Fails {
    onObject(object, emit) {
      emit.put(object.key, "");
      if (object.key === "c") throw new TypeError("it was told to", { cause: new Error("the cause") });
    }
  }
  const harness = new Harness(new Fails(), { pools: ["/out"] });
  const failed = await harness.batch([["a", ""], ["b", ""], ["c", ""], ["d", ""]]).catch((failed) => failed);
  assert.ok(failed instanceof Failed);
  assert.deepEqual([failed.typeName, failed.message, failed.done, failed.item], ["TypeError", "it was told to: the cause", 2, 2]);
  assert.match(failed.trace, /at Fails.onObject .*objects.test.js[^]*caused by Error: the cause/);
  assert.deepEqual(harness.emitted.map(({ key }) => key), ["a", "b"]);
});

test("whatever is thrown can be shown", async () => {
  const hostile = new Error();
  Object.defineProperty(hostile, "message", { get() { throw hostile; } });
  for (const [thrown, type] of [["text", "string"], [undefined, "undefined"], [Symbol("s"), "symbol"], [hostile, "Error"]]) {
    class Throws {
      onObject() {
        throw thrown;
      }
    }
    await assert.rejects(new Harness(new Throws()).put("1"), { typeName: type });
  }
});

test("output goes on in other chunks, and an object that fails takes back what it emitted there", async () => {
  class Much {
    onObject(object, emit) {
      for (let index = 0; index < 50; index++) emit.put(`${object.key} ${index}`, "v".repeat(10_000));
      if (object.key === "bad") throw new Error("too much");
      emit.put("large", new Uint8Array(3_000_000).fill(7));
    }
  }
  const harness = new Harness(new Much(), { pools: ["/out"] });
  await assert.rejects(harness.batch([["a", ""], ["b", ""], ["bad", ""]]), { done: 2, item: 2 });
  assert.equal(harness.emitted.length, 102);
  assert.ok(harness.emitted[50].value.every((byte) => byte === 7));
  assert.equal(harness.emitted[101].value.length, 3_000_000);
});

test("views end with their call", async () => {
  class Keeps {
    kept = [];
    onObject(object, emit) {
      this.kept.push(object, emit, object.value);
    }
  }
  const handler = new Keeps();
  const harness = new Harness(handler, { pools: ["/out"] });
  await harness.put("key", "value");
  const [object, emit, value] = handler.kept;
  assert.throws(() => object.key, /an object was used after its call had ended/);
  assert.throws(() => object.value, /an object was used after its call had ended/);
  assert.throws(() => emit.put("a", "b"), /`emit` was used after its call had ended/);
  assert.throws(() => value.slice(), TypeError);
  assert.equal(value.length, 0);
});

test("settings, the log, flush and close", async () => {
  const seen = [];
  class Whole {
    open(context) {
      seen.push(context.name, context.settings.greeting, context.workers, context.pool("/out").emits);
      assert.throws(() => context.pool("/else"), /pool \/else is not declared by this handler; it has \/in, \/out/);
      context.log.info("opened");
      this.log = context.log;
    }
    onObject() {
      this.log.error("seen");
    }
    flush(emit) {
      emit.put("all", "done");
    }
    close() {
      seen.push("closed");
    }
  }
  const harness = new Harness(new Whole(), { settings: { greeting: "hello" }, pools: ["/out"] });
  await harness.put("1");
  await harness.flush();
  await harness.close();
  assert.deepEqual(seen, ["handler", "hello", 1, true, "closed"]);
  assert.deepEqual(harness.logged, [[3, "opened"], [1, "seen"]]);
  assert.deepEqual(said(harness), [["/out", "all", "done"]]);
});

test("a handler that does not open says why", async () => {
  class Refuses {
    async open(context) {
      throw new RangeError(`no setting in ${JSON.stringify(context.settings)}`);
    }
    onObject() {}
  }
  await assert.rejects(new Harness(new Refuses()).put("1"), { typeName: "RangeError", message: "no setting in {}" });
});

test("pools are read as they are and as they were", async () => {
  class Reads {
    onObject(object, emit) {
      const found = emit.read("/accounts", object.key);
      emit.put("now", found === null ? "none" : `${found.number} at ${found.version}`);
      emit.put("then", String(emit.readAt("/accounts", "ada", 1)?.number));
      emit.put("by time", String(emit.readByTime("/accounts", "ada", 2n)?.number));
      emit.put("keys", emit.list("/accounts", "a").join());
      emit.putIf("ada", "50", found?.version ?? 0);
    }
  }
  const reads = { "/accounts": { ada: [50, 70, 90], alan: 1, grace: 2 } };
  const harness = new Harness(new Reads(), { pools: ["/out"], reads, readTypes: { "/accounts": "i64" } });
  await harness.put("ada");
  const texts = harness.emitted.map(({ text }) => text);
  assert.deepEqual(texts, ["90 at 3", "50", "70", "ada,alan", "50"]);
  assert.equal(harness.emitted[4].previous, 3);
  await harness.put("nobody");
  assert.deepEqual([harness.emitted[5].text, harness.emitted[9].previous], ["none", 0]);
});

test("what cannot be read says so", async () => {
  const attempts = {
    undeclared: (emit) => emit.read("/else", "a"),
    forgotten: (emit) => emit.readAt("/past", "a", 1),
    twice: (emit) => [emit.putIf("a", "", 0), emit.putIf("a", "", 0)],
    version: (emit) => emit.putIf("a", "", -1),
  };
  class Attempts {
    onObject(object, emit) {
      attempts[object.key](emit);
    }
    flush(emit) {
      emit.putIf("a", "", 0);
    }
  }
  const harness = new Harness(new Attempts(), { pools: ["/out"], reads: { "/past": { a: [null, "b"] } } });
  await assert.rejects(harness.put("undeclared"), /pool \/else is not declared by this handler; it has \/past: add \/else to its `read`/);
  await assert.rejects(harness.put("forgotten"), /read a as it was: that is no longer kept; raise `keep`/);
  await assert.rejects(harness.put("twice"), /emit on condition twice for one object/);
  await assert.rejects(harness.put("version"), /-1 is not a version/);
  await assert.rejects(harness.flush(), /emit on condition for no object in particular/);
  assert.deepEqual(harness.emitted, []);
});
