import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { Flow, FlowError } from "upcall/flow";

/** Counts what it is given by key, as `upcall run` would have it. */
class Count {
  counts = new Map();

  onObject(word, emit) {
    const count = (this.counts.get(word.key) ?? 0) + 1;
    this.counts.set(word.key, count);
    emit.put(word.key, count);
  }
}

function kind(wanted) {
  return (error) => error instanceof FlowError && error.kind === wanted;
}

test("words are counted by a function, a class, an instance and an object", async () => {
  const split = (line, emit) => line.text().split(" ").forEach((word) => emit.put(word, ""));
  const seen = [];
  const counter = new Count();
  const flow = await Flow.describe({ name: "words", workers: 1, credit: { bytes: 1 << 20, items: 1000 }, delay: 10 })
    .pool("/lines", { kind: "trigger" })
    .pool("/words", { kind: "trigger" })
    .pool("/counts", { type: "u64" })
    .pool("/again", { type: "u64" })
    .on("/lines", "/words", split)
    .on("/words", "/counts", Count)
    .on("/words", "/again", counter, { name: "an instance" })
    .on("/counts", [], { onObject: (count) => seen.push([count.key, count.number]) })
    .start();
  assert.deepEqual(flow.pools, ["/lines", "/words", "/counts", "/again"]);
  await flow.pool("/lines").put("1", "a rose is a rose");
  await flow.drain();
  assert.deepEqual(flow.pool("/counts").list().map((key) => [key, flow.pool("/counts").get(key).number]), [["a", 2n], ["is", 1n], ["rose", 2n]]);
  assert.equal(flow.pool("/again").get("rose").number, 2n);
  assert.deepEqual(counter.counts, new Map([["a", 2], ["rose", 2], ["is", 1]]));
  assert.deepEqual(seen.filter(([key]) => key === "a"), [["a", 1n], ["a", 2n]]);
  assert.equal(flow.inFlight, 0);
  const { handlers } = flow.report();
  assert.deepEqual(handlers.map(({ name, items }) => [name, items]), [["split", 1], ["Count", 5], ["an instance", 5], ["handler", 5]]);
  await flow.close();
});

test("a file names a handler, which runs in this process, and leaves another to the program", async () => {
  const folder = mkdtempSync(join(tmpdir(), "upcall-flow-"));
  try {
    writeFileSync(join(folder, "where.mjs"), "export class Where { onObject(object, emit) { emit.put(object.key, String(process.pid)); } }\n");
    writeFileSync(join(folder, "flow.toml"), `
      [pool."/in"]
      kind = "trigger"
      [pool."/pids"]
      [pool."/loud"]
      [[handler]]
      name = "where"
      on = "/in"
      to = "/pids"
      node = "where.mjs"
      class = "Where"
      [[handler]]
      name = "shout"
      on = "/in"
      to = "/loud"
    `);
    const flow = await Flow.fromFile(join(folder, "flow.toml"))
      .give("shout", (object, emit) => emit.put(object.key, object.text().toUpperCase()))
      .start();
    await flow.pool("/in").put("a", "quiet");
    await flow.settle();
    assert.equal(flow.pool("/pids").get("a").text(), String(process.pid));
    assert.equal(flow.pool("/loud").get("a").text(), "QUIET");
    await flow.close();

    writeFileSync(join(folder, "flow.toml"), `[pool."/in"]\n[[handler]]\nname = "where"\non = "/in"\nnode = "where.mjs"\nclass = "Here"\n`);
    await assert.rejects(Flow.fromFile(join(folder, "flow.toml")).start(), (error) => {
      assert.equal(error.kind, "load");
      assert.match(error.message, /Here.*where\.mjs.*it holds Where/s);
      return true;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a class that a file does not hold is told once, with the nearest that it does", async () => {
  const folder = mkdtempSync(join(tmpdir(), "upcall-"));
  try {
    writeFileSync(join(folder, "h.mjs"), "export class Greeter { onObject() {} }\nexport class Broken { constructor() { throw new Error('not today'); } onObject() {} }\n");
    const file = (name) => Flow.fromToml(`[pool."/in"]\n[[handler]]\nname = "h"\non = "/in"\nnode = "h.mjs"\nclass = "${name}"\n`, join(folder, "flow.toml"));
    await assert.rejects(file("Greter").start(), (error) => {
      const said = error.message.replaceAll(folder, "…");
      assert.equal(said, "load handler h: load JavaScript handler Greter from …/h.mjs: there is no such class among its exports; it holds Broken, Greeter; did you mean Greeter?");
      return true;
    });
    await assert.rejects(file("Broken").start(), (error) => {
      assert.equal(error.message.match(/Broken (of|from)/g).length, 1, error.message);
      assert.match(error.message, /not today/);
      return true;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("mistakes in a description are told without a file that is not there, and given names that fit nothing first", async () => {
  const twice = Flow.describe().pool("/a").pool("/a", { kind: "trigger" });
  await assert.rejects(twice.start(), (error) => {
    assert.equal(error.kind, "invalid");
    assert.match(error.message, /pool \/a is described twice\n --> the flow's description:\d+:\d+/);
    return true;
  });
  const toml = `[pool."/in"]\n[[handler]]\nname = "greet"\non = "/in"\n`;
  await assert.rejects(Flow.fromToml(toml).give("gret", () => {}).start(), (error) => {
    assert.equal(error.message, "give handler gret: the flow has no such handler; it has greet; did you mean greet?");
    return true;
  });
  const none = Flow.describe().pool("/in").give("greet", () => {}).start();
  await assert.rejects(none, { message: "give handler greet: the flow has no such handler; it has none" });
});

test("versions are put on condition, kept and removed", async () => {
  const flow = await Flow.describe().pool("/notes", { type: "text", keep: 3 }).pool("/numbers", { type: "f64" }).start();
  const notes = flow.pool("/notes");
  assert.equal(notes.valueType, "text");
  assert.equal(flow.pool("/notes"), notes);
  const first = await notes.putIf("a", "one", 0);
  await assert.rejects(notes.putIf("a", "two", 0), kind("conflict"));
  const second = await notes.putIf(Buffer.from("a"), "two", first);
  assert.ok(second > first);
  assert.equal(notes.get("a").text(), "two");
  assert.equal(notes.getAt("a", first).text(), "one");
  assert.equal(notes.getByTime("a", notes.get("a").time).version, second);
  assert.equal(notes.get("b"), null);
  const gone = await notes.remove("a");
  assert.equal(notes.get("a"), null);
  assert.deepEqual(notes.versions("a").map(({ version, removed }) => [version, removed]), [[first, false], [second, false], [gone, true]]);
  await notes.put("long", "x".repeat(100_000));
  assert.equal(notes.get("long").text().length, 100_000);
  assert.deepEqual(notes.list("lo"), ["long"]);
  await flow.pool("/numbers").put("pi", 3.25);
  assert.equal(flow.pool("/numbers").get("pi").number, 3.25);
  await assert.rejects(notes.put("n", 5), /declares no number type/);
  await assert.rejects(notes.put("n", new Uint8Array([0xff])), kind("bad value"));
  assert.throws(() => notes.tryPut(5, "x"), /a key is text/);
  assert.throws(() => flow.pool("/none"), kind("no pool"));
  await flow.close();
});

test("a handler has its batches, settings, reads, lists, log and last words, and may emit more than a chunk holds", async () => {
  const log = [];
  class Batches {
    async open(context) {
      await turn();
      log.push(["open", context.settings.greeting, context.name]);
      context.log.debug("open");
    }
    async onBatch(batch, emit) {
      await turn();
      for (const object of batch) {
        emit.put(object.key, `${emit.read("/known", "a")?.text()} of ${emit.list("/known").join("+")}, ${emit.read("/known", "none")}`);
        emit.putTo("/large", object.key, "x".repeat(3_000_000));
        batch.done(1 + batch.keys().indexOf(object.key));
      }
    }
    flush(emit) {
      emit.put("flushed", "");
    }
    async close() {
      await turn();
      log.push(["close"]);
    }
  }
  const flow = await Flow.describe()
    .pool("/in", { kind: "trigger" }).pool("/known").pool("/out").pool("/large")
    .on("/in", ["/out", "/large"], Batches, { reads: ["/known"], settings: { greeting: "hello" }, order: "single", batch: 8 })
    .start();
  await flow.pool("/known").put("a", "one");
  await flow.pool("/known").put("b", "two");
  await flow.pool("/in").putMany(new Map([["1", ""], ["2", ""], ["3", ""]]));
  await flow.drain();
  assert.deepEqual(flow.deadLetters("/in"), []);
  assert.deepEqual(flow.pool("/out").list(), ["1", "2", "3", "flushed"]);
  assert.equal(flow.pool("/out").get("2").text(), "one of a+b, null");
  assert.equal(flow.pool("/large").get("3").value.length, 3_000_000);
  await flow.close();
  assert.deepEqual(log, [["open", "hello", "Batches"], ["close"]]);
});

test("functions and classes take and give values of classes", async () => {
  class Order {
    constructor(items) {
      this.items = items;
    }
    static pack = ({ items }) => Uint8Array.of(items);
    static unpack = ([items]) => new Order(items);
  }
  const flow = await Flow.describe()
    .pool("/orders", { kind: "trigger", type: { packed: "Order" } }).pool("/more", { type: { packed: "Order" } })
    .on("/orders", "/more", (order, emit) => emit.put(order.key, new Order(order.value.items + 1)), { takes: Order, gives: Order })
    .start();
  await flow.pool("/orders").put("a", Order.pack(new Order(4)));
  await flow.settle();
  assert.deepEqual(flow.pool("/more").get("a").value, Uint8Array.of(5));
  await flow.close();
});

test("a handler that is async has many objects open, those of a key in their order, and reads pools meanwhile", async () => {
  let open = 0;
  let most = 0;
  const order = [];
  const flow = await Flow.describe()
    .pool("/in", { kind: "trigger" }).pool("/out").pool("/known")
    .on("/in", "/out", async (object, emit) => {
      most = Math.max(most, ++open);
      await sleep(20);
      order.push(object.text());
      emit.put(object.key, emit.read("/known", "a").text() + "x".repeat(300_000));
      open--;
    }, { inFlight: 40, reads: ["/known"] })
    .start();
  await flow.pool("/known").put("a", "known");
  const puts = [];
  for (let index = 0; index < 100; index++) puts.push(flow.pool("/in").put(String(index % 50), String(index)));
  await Promise.all(puts);
  await flow.drain();
  assert.equal(most, 40);
  assert.equal(flow.pool("/out").list().length, 50);
  assert.equal(flow.pool("/out").get("7").value.length, 300_005);
  assert.ok(order.indexOf("7") < order.indexOf("57"));
  await flow.close();
});

test("what handlers throw and reject with makes a dead letter with name, message and place, and nothing else fails", async () => {
  class TooLong extends Error {}
  const flow = await Flow.describe()
    .pool("/in").pool("/out").pool("/later")
    .on("/in", "/out", function careful(object, emit) {
      emit.put(object.key, "kept only where it ends well");
      if (object.key === "bad") throw new TooLong("17 words");
    })
    .on("/in", "/later", async function rejects(object, emit) {
      emit.put(object.key, "");
      await turn();
      if (object.key === "bad") throw "no Error at all";
    }, { retry: 2, retryDelay: 1 })
    .start();
  await flow.pool("/in").putMany([["good", "1"], ["bad", "2"], ["fine", "3"]]);
  await flow.drain();
  const letters = flow.deadLetters("/in").sort((one, other) => one.attempts - other.attempts);
  assert.deepEqual(letters.map(({ pool, key, attempts, typeName, message }) => [pool, key, attempts, typeName, message]), [
    ["/in", "bad", 1, "TooLong", "17 words"],
    ["/in", "bad", 3, "string", "something that is no Error was thrown: no Error at all"],
  ]);
  const [letter] = letters;
  assert.match(letter.stack, /^\s+at .*careful.*flow\.test\.js:\d+/);
  assert.equal(Buffer.from(letter.value).toString(), "2");
  assert.equal(letter.time, flow.pool("/in").get("bad").time);
  assert.deepEqual(letter.trace.slice(-2), ["/in", "careful"]);
  assert.deepEqual(flow.pool("/out").list(), ["fine", "good"]);
  assert.deepEqual(flow.pool("/later").list(), ["fine", "good"]);
  await flow.close();
});

test("the event loop goes on while many objects wait to be handled", async () => {
  let [ticks, handled, together, most] = [0, 0, 0, 0];
  const flow = await Flow.describe().pool("/in", { kind: "trigger" })
    .on("/in", [], () => {
      handled++;
      together++;
      for (const end = performance.now() + 1; performance.now() < end; );
    })
    .start();
  const puts = flow.pool("/in").putMany(Array.from({ length: 400 }, (_, index) => [String(index), ""]));
  const settled = puts.then(() => flow.settle());
  let over = false;
  settled.then(() => (over = true));
  while (!over) {
    await turn();
    ticks++;
    most = Math.max(most, together);
    together = 0;
  }
  assert.equal(handled, 400);
  assert.ok(ticks > 20, `the event loop went round ${ticks} times`);
  assert.ok(most < 60, `${most} objects of a millisecond each without a turn`);
  await flow.close();
});

test("what a handler promises is done before its next call, and timers have their turn however quickly calls come", async () => {
  let [open, broken, calls] = [false, 0, 0];
  const flow = await Flow.describe({ workers: 1 })
    .pool("/in", { kind: "trigger" })
    .on("/in", [], {
      onBatch(batch) {
        if (open) broken += 1;
        open = true;
        void Promise.resolve().then(() => (open = false));
        calls += batch.length;
      },
    })
    .start();
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const pool = flow.pool("/in");
  for (let round = 0; round < 20; round++) {
    const puts = Array.from({ length: 500 }, (_, index) => pool.put(`${index}`, ""));
    await Promise.all(puts);
    await flow.drain();
  }
  clearInterval(timer);
  await flow.close();
  assert.deepEqual([calls, broken], [10_000, 0]);
  assert.ok(ticks > 3, `${ticks}`);
});

test("a put waits for credit and gives the event loop its turn", async () => {
  let handled = 0;
  const flow = await Flow.describe({ credit: { bytes: 1 << 20, items: 4 } })
    .pool("/in", { kind: "trigger" })
    .on("/in", [], async () => {
      await turn();
      handled++;
    })
    .start();
  const pool = flow.pool("/in");
  let refused = false;
  for (let index = 0; index < 100 && !refused; index++) refused = !pool.tryPut("same", "");
  assert.ok(refused);
  await Promise.all(Array.from({ length: 50 }, (_, index) => pool.put(String(index), "")));
  await pool.putMany(Array.from({ length: 50 }, (_, index) => [String(index), ""]));
  await pool.trigger("last", "");
  await flow.settle();
  assert.ok(handled >= 102, String(handled));
  await flow.close();
});

test("a watch is walked until the flow ends, tells what it missed, and ends with its loop or its signal", async () => {
  const flow = await Flow.describe().pool("/a").pool("/a/b").start();
  const all = flow.watch("/a");
  const left = flow.watch("/a");
  const slow = flow.watch("/a", { buffer: 4 });
  const aborts = new AbortController();
  const aborted = flow.watch("/a", { signal: aborts.signal });
  const seen = (async () => {
    const seen = [];
    for await (const event of all) seen.push([event.what, event.pool, event.key, event.what === "put" ? event.text() : event.version]);
    return seen;
  })();
  const waits = (async () => {
    for await (const _ of aborted);
  })();
  const { version } = await (async () => {
    await flow.pool("/a").put("k", "v");
    await flow.pool("/a/b").put("k", "w");
    return { version: await flow.pool("/a").remove("k") };
  })();
  for await (const event of left) {
    assert.equal(event.what, "put");
    break;
  }
  assert.deepEqual(await left.next(), { done: true, value: undefined });
  for (let index = 0; index < 20; index++) await flow.pool("/a").put(String(index), "");
  for await (const event of slow) {
    if (event.what !== "missed") continue;
    assert.equal(event.pool, "/a");
    assert.ok(event.count > 0 && event.first <= event.last);
    break;
  }
  aborts.abort(new RangeError("enough"));
  await assert.rejects(waits, /enough/);
  await flow.close();
  assert.deepEqual((await seen).slice(0, 3), [["put", "/a", "k", "v"], ["put", "/a/b", "k", "w"], ["removed", "/a", "k", version]]);
  assert.equal((await seen).length, 23);
});

test("timed out, aborted and stopped are told apart, and what was waited for goes on", async () => {
  let release;
  const free = new Promise((resolve) => (release = resolve));
  const flow = await Flow.describe().pool("/in").pool("/out").on("/in", "/out", async (object, emit) => {
    await free;
    emit.put(object.key, "");
  }).start();
  await flow.pool("/in").put("a", "");
  await assert.rejects(flow.drain({ signal: AbortSignal.timeout(20) }), { name: "TimeoutError" });
  const aborts = new AbortController();
  const settled = assert.rejects(flow.settle({ signal: aborts.signal }), { name: "AbortError" });
  aborts.abort();
  await settled;
  await assert.rejects(flow.pool("/in").put("b", "", { signal: AbortSignal.abort(new Error("never begun")) }), /never begun/);
  release();
  await flow.settle();
  assert.deepEqual(flow.pool("/out").list(), ["a"]);
  const stopped = assert.rejects((async () => {
    for (;;) await flow.pool("/in").put("c", "");
  })(), kind("stopped"));
  await flow.close();
  await stopped;
});

test("a deadline and a close end the handler's signal, each with its own error", async () => {
  const reasons = [];
  const waits = async ({ key, signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    reasons.push([key, signal.reason.name]);
  };
  const flow = await Flow.describe().pool("/in").on("/in", [], waits, { name: "slow", deadline: "30 ms", inFlight: 4 }).start();
  await flow.pool("/in").put("late", "");
  await flow.settle();
  assert.deepEqual(reasons, [["late", "TimedOutError"]]);
  assert.match(flow.deadLetters("/in")[0].typeName, /timed out|TimedOut/);
  await flow.close();
  const other = await Flow.describe().pool("/in").on("/in", [], waits).start();
  await other.pool("/in").put("open", "");
  await sleep(20);
  await other.close();
  assert.deepEqual(reasons[1], ["open", "CancelledError"]);
});

test("what is wrong is said at once, with all mistakes", async () => {
  const wrong = Flow.describe().pool("no slash").on("/none", "/neither", () => {}, { name: "lost" });
  await assert.rejects(wrong.start(), (error) => kind("invalid")(error) && /no slash/.test(error.message) && /lost/.test(error.message));
  assert.throws(() => Flow.describe().on("/a", [], 5), /a handler is a function, a class or an instance of one, and this is 5/);
  assert.throws(() => Flow.describe().on("/a", [], class Empty {}), /Empty is not a handler: it has neither onObject/);
  assert.throws(() => Flow.describe().on("/a", [], {}), /the handler is not a handler/);
  assert.throws(() => Flow.fromFile("/no/such/file.toml"), /ENOENT/);
  class Fails {
    constructor() {
      throw new RangeError("not today");
    }
    onObject() {}
  }
  await assert.rejects(Flow.describe().pool("/a").on("/a", [], Fails).start(), (error) => kind("load")(error) && /Fails.*RangeError: not today.*flow\.test\.js/s.test(error.message));
  await assert.rejects(Flow.describe().pool("/a").on("/a", [], { open: () => { throw new Error("shut"); }, onObject() {} }).start(), /shut/);
  await assert.rejects(Flow.describe().pool("/a").on("/a", [], class { combine() {} static element = "f64"; }).start(), /COMBINE/);
  const promise = await Flow.describe().pool("/a").on("/a", [], () => Promise.resolve()).start();
  await promise.pool("/a").put("k", "");
  await promise.settle();
  assert.match(promise.deadLetters("/a")[0].message, /returned a promise.*answersLater/s);
  await promise.close();
});
