import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Flow } from "upcall/flow";

test("more promises than there are callbacks are waited for", async (t) => {
  const [puts, seen] = [70_000, []];
  const flow = await Flow.describe().pool("/in", { keep: 1 }).on("/in", [], ({ version }) => void seen.push(version)).start();
  t.after(() => flow.close());
  const pool = flow.pool("/in");
  const versions = [];
  for (let i = 0; i < puts; i++) versions.push(pool.put("k", String(i)));
  const all = await Promise.all(versions);
  await flow.settle();
  assert.equal(new Set(all).size, puts);
  assert.equal(seen.length, puts);
  assert.equal(pool.get("k").version, Math.max(...all));
});

test("puts that wait for credit are put in the order in which they were asked for", async (t) => {
  const handle = () => new Promise((resolve) => void setTimeout(resolve, 1));
  const flow = await Flow.describe({ credit: { bytes: 4096, items: 4 } }).pool("/in")
    .on("/in", [], handle, { answersLater: true, order: "any", inFlight: 4 }).start();
  t.after(() => flow.close());
  const pool = flow.pool("/in");
  const versions = [];
  for (let i = 0; i < 300; i++) {
    versions.push(pool.put("k", String(i)));
    // Credit comes back in between.
    if (i % 3 === 0) await turn();
  }
  const all = await Promise.all(versions);
  assert.deepEqual(all, all.slice().sort((a, b) => a - b));
  assert.equal(pool.get("k").text(), "299");
});

test("a close ends all promises, however many", async (t) => {
  const flow = await Flow.describe({ credit: { bytes: 4096, items: 1 } }).pool("/in")
    .on("/in", [], async () => new Promise(() => {})).start();
  t.after(() => flow.close());
  const puts = [];
  for (let i = 0; i < 70_000; i++) puts.push(flow.pool("/in").put(String(i), ""));
  const ends = Promise.allSettled(puts);
  await flow.close();
  const failed = (await ends).filter(({ status, reason }) => status === "rejected" && reason.kind === "stopped");
  const others = (await ends).filter(({ reason }) => reason?.kind !== "stopped");
  assert.ok(others.length < 3, String(others.at(-1)?.reason));
});

test("many waits that end at once are told while the engine calls too", async (t) => {
  let handled = 0;
  const flow = await Flow.describe().pool("/in", { kind: "trigger" }).on("/in", [], () => void handled++).start();
  t.after(() => flow.close());
  const triggers = [];
  for (let i = 0; i < 100_000; i++) triggers.push(flow.pool("/in").trigger("k", ""));
  await Promise.all(triggers);
  await flow.settle();
  assert.equal(handled, 100_000);
});

test("puts that are given up are put, one signal for all of them", async (t) => {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  const flow = await Flow.describe({ credit: { bytes: 4096, items: 1 } }).pool("/in").on("/in", [], () => opened, { answersLater: true }).start();
  t.after(() => flow.close());
  const pool = flow.pool("/in");
  const aborts = new AbortController();
  await pool.put("first", "");
  const puts = [];
  for (let i = 0; i < 1000; i++) puts.push(assert.rejects(pool.put(String(i), "", { signal: aborts.signal }), { name: "AbortError" }));
  assert.equal(getEventListeners(aborts.signal, "abort").length, 1);
  aborts.abort();
  await Promise.all(puts);
  open();
  // Nobody waits for them, and what is not in flight yet is not waited for.
  while (pool.list().length < 1001) await turn();
});

test("what is not an option, or of another kind, is told at its line with the nearest that is", async (t) => {
  const flow = await Flow.describe().pool("/a").start();
  t.after(() => flow.close());
  const pool = flow.pool("/a");
  for (const [use, said] of [
    [() => Flow.describe({ worker: 2 }), "Flow.describe: there is no option worker; did you mean workers?"],
    [() => Flow.describe({ workers: "2" }), 'Flow.describe: workers is a whole number, 0 or more, and this is the text "2"'],
    [() => Flow.describe("words"), 'Flow.describe: its options are an object, and this is the text "words"'],
    [() => Flow.describe({ credit: { items: 5n } }), "Flow.describe, credit: items is a whole number, 0 or more, and this is the bigint 5n"],
    [() => Flow.describe().pool("/a", { stores: 3 }), "pool /a: there is no option stores; it takes kind, type, keep"],
    [() => Flow.describe().on("/a", [], () => {}, { retrys: 3 }), "on /a: there is no option retrys; did you mean retry?"],
    [() => Flow.describe().on("/a", [], () => {}, { reads: "/b" }), 'on /a: reads is a list of texts, and this is the text "/b"'],
    [() => Flow.describe().on("/a", [], () => {}, { deadline: -1 }), 'on /a: deadline is milliseconds, or a text like "5 s", and this is -1'],
    [() => Flow.describe().give("see", () => {}, { take: class {} }), "give see: there is no option take; did you mean takes?"],
    [() => Flow.fromToml(null), "fromToml: a flow's file is text, and this is null"],
    [() => flow.watch("/a", { signal: 5 }), "watch: signal is an AbortSignal, and this is 5"],
    [() => pool.tryPut(undefined, ""), "a key is text or a Uint8Array, and this is undefined"],
    [() => pool.tryPut("k", undefined), "a value is text, bytes or a number, and this is undefined"],
  ]) {
    assert.throws(use, { name: "TypeError", message: said });
  }
  for (const [wait, said] of [
    [flow.drain({ signal: {} }), "drain: signal is an AbortSignal, and this is an object"],
    [flow.settle(1000), "settle: its options are an object, and this is 1000"],
    [pool.put("k", "v", { signal: new AbortController() }), "a put: signal is an AbortSignal, and this is an AbortController"],
    [pool.put("k", "v", { timeout: 5 }), "a put: there is no option timeout; it takes signal"],
    [pool.putMany([], { signal: 1 }), "putMany: signal is an AbortSignal, and this is 1"],
    [pool.putIf("k", "v", 0n), "a version is a whole number, 0 for none, and this is the bigint 0n"],
  ]) {
    await assert.rejects(wait, { name: "TypeError", message: said });
  }
  assert.deepEqual(pool.list(), []);
});
