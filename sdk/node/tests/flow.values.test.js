import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Flow } from "upcall/flow";
import { Failed, Harness } from "upcall/testing";

class Trade {
  static pack() {
    return Uint8Array.of(1);
  }
}
class Plain {}

/** A handler that is a function. */
class Does {
  constructor(onObject) {
    this.does = onObject;
  }
  onObject(object, emit) {
    this.does(object, emit);
  }
}

test("events of a watch have numbers where their pool declares a type, also when the flow has ended", async () => {
  const flow = await Flow.describe().pool("/n/u64", { type: "u64" }).pool("/n/f32", { type: "f32" }).pool("/n/bytes").start();
  const watch = flow.watch("/n");
  await flow.pool("/n/u64").put("a", 2n ** 63n);
  await flow.pool("/n/f32").put("b", -1.5);
  await flow.pool("/n/bytes").put("c", "text");
  await flow.pool("/n/u64").remove("a");
  await flow.close();
  const seen = [];
  for await (const { what, key, number } of watch) seen.push([what, key, number]);
  assert.deepEqual(seen, [["put", "a", 2n ** 63n], ["put", "b", -1.5], ["put", "c", undefined], ["removed", "a", undefined]]);
});

test("half of a surrogate pair is refused and not replaced", async () => {
  const flow = await Flow.describe().pool("/in").start();
  const pool = flow.pool("/in");
  const halves = [
    () => pool.put("a\ud800", "v"), () => pool.put("k", "\udc00"), () => pool.putMany([["a\ud800", "v"]]), () => pool.remove("a\ud800"),
  ];
  for (const half of halves) await assert.rejects(half(), /which is half of a surrogate pair/, String(half));
  assert.throws(() => pool.tryPut("a\ud800", "v"), { name: "TypeError", message: /^a text has \\ud800 at 1, which is half of/ });
  assert.throws(() => pool.get("a\ud800"), /half of a surrogate pair/);
  assert.throws(() => pool.list("\udc00"), /half of a surrogate pair/);
  await pool.put("\u{1f600}", "v");
  assert.deepEqual(pool.list(), ["\u{1f600}"]);
  await flow.close();
});

test("half of a surrogate pair is not emitted, and not read", async () => {
  const uses = [
    (emit) => emit.put("a\ud800", "v"), (emit) => emit.put("k", "\udc00"), (emit) => emit.put("k", `${"long".repeat(50)}\udc00`),
    (emit) => emit.putIf("\ud800", "v", 0), (emit) => emit.read("/read", "\ud800"), (emit) => emit.list("/read", "\ud800"),
  ];
  for (const use of uses) {
    const harness = new Harness(new Does((object, emit) => use(emit)), { pools: ["/out"], reads: { "/read": {} } });
    await assert.rejects(harness.put("k"), (error) => error instanceof Failed && /half of a surrogate pair/.test(error.message), String(use));
    assert.deepEqual(harness.emitted, []);
  }
  const harness = new Harness(new Does((object, emit) => emit.put("\u{1f600}", "\u{1f600}".repeat(50))), { pools: ["/out"] });
  await harness.put("k");
  assert.equal(harness.emitted[0].text, "\u{1f600}".repeat(50));
});

test("an object that is given as a value is told how it becomes bytes", async () => {
  const flow = await Flow.describe().pool("/in").start();
  const pool = flow.pool("/in");
  await assert.rejects(pool.put("k", new Trade()), { message: "a value is text, bytes or a number, and this is a Trade: give its bytes, Trade.pack(value)" });
  await assert.rejects(pool.put("k", new Plain()), /this is a Plain: give its bytes, by `pack` of its class where upcall bindgen writes one, or a text, as JSON.stringify makes it/);
  await assert.rejects(pool.put("k", null), { message: "a value is text, bytes or a number, and this is null" });
  await pool.put("k", Trade.pack(new Trade()));
  await flow.close();
  for (const [value, said] of [[new Trade(), "a Trade: give its bytes, Trade.pack(value)"], [{}, "an object: give its bytes"], [true, "true"]]) {
    const harness = new Harness(new Does((object, emit) => emit.put("k", value)), { pools: ["/out"] });
    await assert.rejects(harness.put("k"), (error) => error.message.includes(`a value is text, bytes or a number, and this is ${said}`));
  }
});

test("an emitter that was kept emits nothing while others have their turn between two objects", async () => {
  const emitted = [];
  let kept;
  const uses = [];
  const flow = await Flow.describe({ workers: 1 }).pool("/in").pool("/out")
    .on("/in", "/out", (object, emit) => {
      kept = emit;
      const until = performance.now() + 7; // longer than others wait for their turn
      while (performance.now() < until);
      emit.put(object.key, "");
    })
    .start();
  const late = setInterval(() => {
    if (kept === undefined) return;
    try {
      kept.put("late", "");
      uses.push("emitted");
    } catch (error) {
      uses.push(error.name);
    }
  }, 1);
  await flow.pool("/in").putMany(Array.from({ length: 20 }, (_, index) => [String(index), ""]));
  await flow.drain();
  clearInterval(late);
  emitted.push(...flow.pool("/out").list());
  await flow.close();
  assert.equal(emitted.includes("late"), false);
  assert.equal(emitted.length, 20);
  assert.deepEqual([...new Set(uses)], ["ClosedError"]);
});

test("a program of CommonJS imports the package as the README says", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, program] = /^```cjs\n([^]*?)^```/m.exec(readme);
  const folder = mkdtempSync(join(tmpdir(), "upcall-cjs-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules/upcall"));
    writeFileSync(join(folder, "notes.cjs"), program);
    const said = execFileSync(process.execPath, ["notes.cjs"], { cwd: folder, encoding: "utf8", timeout: 30_000 });
    assert.equal(said, "one\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a handler that emits nothing needs no outputs", async () => {
  const seen = [];
  const note = (object) => void seen.push(object.text());
  const flow = await Flow.describe().pool("/in").pool("/out")
    .on("/in", note).on("/in", new Does(note), { name: "second" }).on("/in", class { onObject(object) { note(object); } })
    .on("/in", async (object) => note(object), { inFlight: 2 }).start();
  await flow.pool("/in").put("a", "b");
  await flow.drain();
  await flow.close();
  assert.deepEqual(seen, ["b", "b", "b", "b"]);
  const no = (told) => ({ message: `a handler is a function, a class or an instance of one, and this is ${told}` });
  assert.throws(() => Flow.describe().on("/in"), no("undefined"));
  assert.throws(() => Flow.describe().on("/in", "/out"), no("undefined"));
  assert.throws(() => Flow.describe().on("/in", 3), no("3"));
  assert.throws(() => Flow.describe().on("/in", 3, note), no("3"));
});

test("a version and a time of another type are refused by name", async () => {
  const flow = await Flow.describe().pool("/in", { keep: 2 }).start();
  const pool = flow.pool("/in");
  await pool.put("a", "b");
  assert.throws(() => pool.getAt("a", 1n), /^TypeError: getAt: its version is a whole number, 0 or more, and this is the bigint 1n$/);
  assert.throws(() => pool.getByTime("a", Date.now()), /^TypeError: getByTime: its time is a bigint, in nanoseconds since the Unix epoch, and this is \d+$/);
  assert.equal(pool.getByTime("a", pool.get("a").time).text(), "b");
  await flow.close();
});

test("putMany says how many objects are put where one is refused", async () => {
  // The engine is handed so much at a time that each call has one of them.
  const large = "x".repeat(70_000);
  for (let refused = 0; refused < 4; refused++) {
    const flow = await Flow.describe().pool("/texts", { type: "text" }).start();
    const pool = flow.pool("/texts");
    const objects = [0, 1, 2, 3].map((index) => [`k${index}`, index === refused ? new Uint8Array(70_000).fill(0xff) : large]);
    await assert.rejects(pool.putMany(objects), (error) => {
      assert.ok(error.message.startsWith(`put many objects: ${refused} are put; the next: `), error.message);
      assert.deepEqual([error.name, error.kind, error.objectsPut], ["FlowError", "bad value", refused]);
      return true;
    });
    assert.deepEqual(pool.list(), ["k0", "k1", "k2", "k3"].slice(0, refused));
    await flow.close();
  }
});

test("putMany puts what comes before an object that has no bytes, and says how many those are", async () => {
  const flow = await Flow.describe().pool("/n", { type: "u8" }).start();
  const pool = flow.pool("/n");
  let returned = 0;
  function* objects(bad) {
    try {
      yield* [["a", 1], ["b", 2], bad, ["d", 3]];
    } finally {
      returned++;
    }
  }
  const refusals = [
    [["c", 256], "bad value", "RangeError", "put c into /n: 256 is not a value of the type u8"],
    [["c", "1"], "bad value", "TypeError", 'put c into /n: its values are u8, and this is the text "1": give a number'],
    [[7, 1], "bad key", "TypeError", "a key is text or a Uint8Array, and this is 7"],
  ];
  for (const [bad, kind, cause, message] of refusals) {
    await assert.rejects(pool.putMany(objects(bad)), (error) => {
      assert.deepEqual([error.name, error.kind, error.objectsPut, error.cause.name], ["FlowError", kind, 2, cause]);
      assert.equal(error.message, `put many objects: 2 are put; the next: ${message}`);
      return true;
    });
    assert.deepEqual(pool.list(), ["a", "b"]);
    for (const key of pool.list()) await pool.remove(key);
  }
  assert.equal(returned, refusals.length);
  await flow.close();
});

test("putMany puts what comes before its iterable throws, and throws the same", async () => {
  const flow = await Flow.describe().pool("/n", { type: "u8" }).start();
  const other = await Flow.describe().pool("/n").start();
  await other.close();
  const gone = new Error("the disk is gone");
  const fails = [() => { throw gone; }, () => other.pool("/n").tryPut("k", "")];
  for (const fail of fails) {
    let thrown;
    function* objects() {
      yield* [["a", 1], ["b", 2]];
      try {
        fail();
      } catch (error) {
        thrown = error;
        throw error;
      }
    }
    await assert.rejects(flow.pool("/n").putMany(objects()), (error) => error === thrown);
    assert.deepEqual(flow.pool("/n").list(), ["a", "b"]);
    for (const key of ["a", "b"]) await flow.pool("/n").remove(key);
  }
  await flow.close();
});

test("text is not stored as a number, whose bytes it may have by chance", async () => {
  const flow = await Flow.describe().pool("/n", { type: "u64" }).start();
  const pool = flow.pool("/n");
  const said = { name: "TypeError", message: 'put k into /n: its values are u64, and this is the text "12345678": give a number' };
  const puts = [() => pool.put("k", "12345678"), () => pool.putIf("k", "12345678", 0), () => pool.trigger("k", "12345678")];
  for (const put of puts) await assert.rejects(put(), said, String(put));
  await assert.rejects(pool.putMany([["k", "12345678"]]), { kind: "bad value", message: `put many objects: 0 are put; the next: ${said.message}` });
  assert.throws(() => pool.tryPut("k", "12345678"), said);
  await pool.put("k", Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0));
  assert.equal(pool.get("k").number, 7n);
  await flow.close();
  for (const use of [(emit) => emit.put("k", "12345678"), (emit) => emit.putIf("k", "12345678", 0)]) {
    const harness = new Harness(new Does((object, emit) => use(emit)), { pools: { "/n": "u64" } });
    const message = 'emit k into /n: its values are u64, and this is the text "12345678": give a number';
    await assert.rejects(harness.put("1"), { typeName: "TypeError", message });
    assert.deepEqual(harness.emitted, []);
  }
});

test("text is not stored as a value of a class, whose bytes it may have by chance", async () => {
  const types = [[{ blittable: "Reading", size: 8 }, "blittable Reading 8"], [{ packed: "Order" }, "packed Order"]];
  for (const [type, told] of types) {
    const flow = await Flow.describe().pool("/values", { type }).start();
    const pool = flow.pool("/values");
    const said = { name: "TypeError", message: `put k into /values: its values are ${told}, and this is the text "12345678": give the bytes of one` };
    for (const put of [() => pool.put("k", "12345678"), () => pool.putIf("k", "12345678", 0), () => pool.trigger("k", "12345678")]) {
      await assert.rejects(put(), said, String(put));
    }
    await assert.rejects(pool.putMany([["k", "12345678"]]), { kind: "bad value", message: `put many objects: 0 are put; the next: ${said.message}` });
    assert.throws(() => pool.tryPut("k", "12345678"), said);
    await pool.put("k", new TextEncoder().encode("12345678"));
    assert.equal(pool.get("k").text(), "12345678");
    await flow.close();
  }
});

test("a number that its pool's type does not have is told with pool and key", async () => {
  const flow = await Flow.describe().pool("/u8", { type: "u8" }).pool("/f32", { type: "f32" }).pool("/f64", { type: "f64" }).pool("/b").start();
  const put = (pool, value) => flow.pool(pool).put("k", value);
  await assert.rejects(put("/u8", 256), { name: "RangeError", message: "put k into /u8: 256 is not a value of the type u8" });
  await assert.rejects(put("/b", 1), /^TypeError: put k into \/b: 1 is a number, and the pool declares no number type/);
  for (const large of [1e300, -1e39, 2n ** 128n]) {
    await assert.rejects(put("/f32", large), { message: `put k into /f32: ${large} is not a value of the type f32` });
  }
  await assert.rejects(put("/f64", 10n ** 400n), /is not a value of the type f64$/);
  for (const value of [Infinity, -Infinity, 3.4028234663852886e38, 1e-300]) {
    await put("/f32", value);
    assert.equal(flow.pool("/f32").get("k").number, Math.fround(value));
  }
  await flow.close();
  for (const [of, value] of [["u8", 256], ["f32", 1e300], ["i64", 2 ** 60]]) {
    const harness = new Harness(new Does((object, emit) => emit.put("k", value)), { pools: { "/n": of } });
    await assert.rejects(harness.put("1"), { typeName: "RangeError", message: `emit k into /n: ${value} is not a value of the type ${of}` });
  }
});

test("options are the keys of a flow's file", async () => {
  let settings;
  const seen = [];
  class Sees {
    open(context) {
      ({ settings } = context);
    }
    onObject(object) {
      seen.push([object.key, object.text(), object.version]);
      if (object.version > 0) throw new Error("buried");
    }
  }
  const described = { memory: "64 MiB", credit: { bytes: "1 MiB" }, deadLetters: { items: 1, bytes: "1 MiB" }, delay: "50 ms" };
  const given = { whole: 2 ** 53, least: -5, large: 2 ** 64, half: 0.5, list: [1, "a"], object: { a: true } };
  const flow = await Flow.describe(described).pool("/in")
    .on("/in", Sees, { warm: { key: "w", value: "warm" }, order: "single", settings: given }).start();
  await flow.pool("/in").putMany([["a", ""], ["b", ""]]);
  await flow.drain();
  assert.deepEqual(seen[0], ["w", "warm", 0]);
  assert.equal(flow.deadLetters("/in").length, 1);
  await flow.close();
  const { whole, least, large, half, list, object } = settings;
  assert.deepEqual([whole, least, half, list, object], ["9007199254740992", "-5", "0.5", '[1,"a"]', '{"a":true}']);
  assert.equal(Number(large), 2 ** 64);
  assert.throws(() => Flow.describe({ memory: -1 }), { message: 'Flow.describe: memory is bytes, or a text like "64 MiB", and this is -1' });
  assert.throws(() => Flow.describe({ deadLetters: { item: 3 } }), /Flow.describe, deadLetters: there is no option item; did you mean items\?/);
  assert.throws(() => Flow.describe().on("/in", Sees, { warm: { valu: "" } }), /warm: there is no option valu; did you mean value\?/);
});
