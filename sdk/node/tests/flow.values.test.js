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
  assert.throws(() => Flow.describe().on("/in"), /a handler is a function, a class or an instance of one, and this is undefined/);
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
