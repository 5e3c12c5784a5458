import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Flow, FlowError } from "upcall/flow";

const stopped = (error) => error instanceof FlowError && error.kind === "stopped";

/** Runs a program that imports `Flow`. */
function run(program, options = []) {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const all = ["--input-type=module", ...options, "--eval", `import { Flow } from "upcall/flow";\n${program}`];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, all, { cwd, encoding: "utf8", timeout: 30_000 });
  return { status, signal, stdout, stderr };
}

/** A flow whose handler is fed all the time. */
const BUSY = `
  const flow = await Flow.describe().pool("/in").pool("/out")
    .on("/in", "/out", (object, emit) => { handle(object, emit); }).start();
  const feed = () => { for (let i = 0; i < 50; i++) if (!flow.pool("/in").tryPut(String(i), "x")) break; setImmediate(feed); };
  feed();
`;

test("whatever is used after the close says so", async () => {
  const flow = await Flow.describe().pool("/a").start();
  const pool = flow.pool("/a");
  await pool.put("k", "v");
  const watch = flow.watch("/a");
  const [first, second] = [flow.close(), flow.close()];
  assert.equal(first, second);
  await first;
  for (const use of [
    () => flow.pools, () => flow.pool("/a"), () => flow.inFlight, () => flow.report(), () => flow.deadLetters("/a"),
    () => flow.watch("/a"), () => flow.hurry(), () => flow.check(), () => pool.tryPut("k", "v"),
  ]) {
    assert.throws(use, stopped, String(use));
  }
  assert.throws(() => flow.report(), /it has been stopped.*; read it before the flow is closed$/);
  assert.throws(() => flow.deadLetters("/a"), /it has been stopped.*; read them before the flow is closed$/);
  for (const wait of [() => flow.drain(), () => flow.settle(), () => pool.put("k", "v"), () => pool.putIf("k", "v", 0), () => pool.remove("k"), () => pool.putMany([["k", "v"]])]) {
    await assert.rejects(wait(), stopped, String(wait));
  }
  assert.equal(pool.get("k").text(), "v");
  assert.deepEqual(await watch.next(), { done: true, value: undefined });
  assert.equal(flow.unref().ref(), flow);
  await flow.close();
});

test("a close ends the waits of others, and a flow is closed at the end of its block", async () => {
  const flow = await Flow.describe().pool("/a").on("/a", [], async () => new Promise(() => {})).start();
  await flow.pool("/a").put("k", "v");
  const waits = [flow.drain(), flow.settle()].map((wait) => assert.rejects(wait, stopped));
  await turn();
  await flow[Symbol.asyncDispose]();
  await Promise.all(waits);
});

test("a handler may close its own flow, at once or later", async () => {
  for (const asynchronous of [false, true]) {
    const ended = [];
    let flow;
    const close = () => flow.close().then(() => ended.push("closed"));
    const handler = asynchronous ? async () => await close() : () => void close();
    flow = await Flow.describe().pool("/a").on("/a", [], handler).start();
    await flow.pool("/a").put("k", "v");
    while (ended.length === 0) await turn();
    assert.throws(() => flow.check(), stopped);
  }
});

test("what a handler was given ends with its call, and its emit with the flow", async () => {
  const kept = [];
  const flow = await Flow.describe().pool("/in").pool("/out")
    .on("/in", "/out", (object, emit) => void kept.push({ object, emit, value: object.value }))
    .on("/in", "/out", async (object, emit) => {
      kept.push({ object, emit });
      await new Promise(() => {});
    })
    .start();
  await flow.pool("/in").put("k", "some bytes");
  while (kept.length < 2) await turn();
  await turn();
  const [now, later] = kept[0].value ? kept : [kept[1], kept[0]];
  assert.throws(() => now.object.key, { name: "ClosedError" });
  assert.throws(() => now.emit.put("k", "v"), { name: "ClosedError" });
  assert.equal(now.value.length, 0);
  assert.equal(later.object.text(), "some bytes");
  await flow.close();
  assert.throws(() => later.object.key, { name: "CancelledError" });
  assert.throws(() => later.emit.put("k", "v"), { name: "CancelledError" });
});

test("a closure that throws on every call fails every object and nothing else", async () => {
  const flow = await Flow.describe().pool("/in", { kind: "trigger" }).on("/in", [], () => {
    throw null;
  }).start();
  await flow.pool("/in").putMany(Array.from({ length: 5000 }, (_, index) => [String(index), ""]));
  await flow.settle();
  const [{ failed, buried }] = flow.report().handlers;
  assert.equal(buried, 5000, `${failed} failed`);
  await flow.close();
});

test("an open flow keeps the program alive, and one that is unreferenced does not", () => {
  const program = (then) => `
    const flow = await Flow.describe().pool("/a").on("/a", [], () => {}).start();
    process.on("exit", () => console.log("exit"));
    setTimeout(() => { console.log("alive"); flow.close(); }, 150).unref();
    ${then}
  `;
  assert.deepEqual(run(program("")), { status: 0, signal: null, stdout: "alive\nexit\n", stderr: "" });
  assert.deepEqual(run(program("flow.unref();")), { status: 0, signal: null, stdout: "exit\n", stderr: "" });
  assert.deepEqual(run(program("flow.unref().unref().ref();")), { status: 0, signal: null, stdout: "alive\nexit\n", stderr: "" });
  assert.deepEqual(run(program(`flow.unref(); await flow.pool("/a").put("k", "v"); await flow.drain();`)).stdout, "exit\n");
  assert.deepEqual(run(program("await flow.close();")), { status: 0, signal: null, stdout: "exit\n", stderr: "" });
});

test("a program may end at any moment while its flow runs", () => {
  const cases = [
    ["setTimeout(() => process.exit(5), 100);", "", 5],
    ["", "if (object.version > 200) process.exit(6);", 6],
    ["setTimeout(() => { throw new Error('uncaught'); }, 100);", "", 1],
    ["setTimeout(() => Promise.reject(new Error('unhandled')), 100);", "", 1],
    ["setTimeout(() => { flow.close(); process.exit(7); }, 100);", "", 7],
    ["flow.drain(); setTimeout(() => { flow.watch('/out').next(); process.exit(8); }, 100);", "throw new Error('always');", 8],
    ["process.on('SIGTERM', () => process.exit(9)); setTimeout(() => process.kill(process.pid), 50);", "", 9],
  ];
  for (const [then, handled, status] of cases) {
    const ended = run(`const handle = (object, emit) => { emit.put(object.key, object.value); ${handled} };\n${BUSY}\n${then}`);
    assert.deepEqual([ended.status, ended.signal], [status, null], then + handled + ended.stderr);
  }
  // Starting, and with calls open.
  assert.equal(run(`Flow.describe().pool("/a").on("/a", [], class { constructor() { process.exit(3); } onObject() {} }).start();`).status, 3);
  assert.equal(run(`Flow.describe().pool("/a").start(); process.exit(4);`).status, 4);
  const open = `const flow = await Flow.describe().pool("/a").on("/a", [], async () => new Promise(() => {}), { inFlight: 9 }).start();
    for (let i = 0; i < 9; i++) await flow.pool("/a").put(String(i), ""); setTimeout(() => process.exit(5), 50);`;
  assert.equal(run(open).status, 5);
});

test("worker threads have flows of their own, which end with them", () => {
  const worker = `
    import { Worker, isMainThread, parentPort } from "node:worker_threads";
    import { readdirSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    const threads = () => readdirSync("/proc/self/task").length;
    const code = (then) => new Worker(\`
      import { parentPort } from "node:worker_threads";
      const { Flow } = await import("upcall/flow");
      const handle = (object, emit) => { emit.put(object.key, object.value); if (object.version === 100) parentPort.postMessage("running"); };
      ${BUSY}
      \${then}\`, { eval: true });
    const flow = await Flow.describe().pool("/a").pool("/b").on("/a", "/b", (o, emit) => emit.put(o.key, "main")).start();
    const rounds = async (count) => {
      for (let round = 0; round < count; round++) {
        const workers = ["", "setTimeout(() => process.exit(0), 60);"].map(code);
        await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("message", resolve).once("exit", resolve))));
        await Promise.all(workers.map((worker) => worker.terminate()));
      }
    };
    await rounds(1);
    await sleep(300);
    const before = threads();
    await rounds(3);
    for (let tries = 0; threads() > before && tries < 50; tries++) await sleep(100);
    console.log(threads() <= before ? "no thread is left" : \`\${threads() - before} threads are left\`);
    await flow.pool("/a").put("k", "v");
    await flow.drain();
    console.log(flow.pool("/b").get("k").text());
    await flow.close();
  `;
  const ended = run(worker);
  assert.deepEqual(ended, { status: 0, signal: null, stdout: "no thread is left\nmain\n", stderr: "" });
});

test("a worker thread that alone has flows is terminated, also while it starts one, and leaves nothing", () => {
  const worker = `
    import { Worker } from "node:worker_threads";
    import { readdirSync, readlinkSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    const memory = () => readdirSync("/proc/self/fd").filter((file) => {
      try { return readlinkSync("/proc/self/fd/" + file).includes("upcall-node"); } catch { return false; }
    }).length;
    const code = (then) => new Worker(\`
      import { parentPort } from "node:worker_threads";
      const { Flow } = await import("upcall/flow");
      const describe = () => Flow.describe().pool("/in").pool("/out").on("/in", "/out", (object, emit) => emit.put(object.key, "seen"));
      \${then}\`, { eval: true });
    const cases = [
      "const flow = await describe().start(); parentPort.postMessage(1);",
      "for (let round = 0; ; round++) { describe().start(); if (round === 9) parentPort.postMessage(1); await new Promise(setImmediate); }",
      "parentPort.postMessage(1); for (;;) { const flow = await describe().start(); flow.pool('/in').put('a', 'b').catch(() => {}); flow.close(); }",
    ];
    for (const then of cases) {
      for (let round = 0; round < 8; round++) {
        const worker = code(then);
        await new Promise((resolve) => worker.once("message", resolve));
        await sleep(3 * round);
        await worker.terminate();
      }
    }
    for (let tries = 0; memory() > 0 && tries < 100; tries++) await sleep(100);
    console.log(memory());
  `;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  // Not by `run`: the main thread must not load it.
  const ended = spawnSync(process.execPath, ["--input-type=module", "--eval", worker], { cwd, encoding: "utf8", timeout: 60_000 });
  assert.deepEqual([ended.status, ended.signal, ended.stdout, ended.stderr], [0, null, "0\n", ""]);
});

test("the engine holds handlers that nobody else does, and lets go of them at the end", () => {
  const program = `
    import { setTimeout as sleep } from "node:timers/promises";
    const gone = new Set();
    const registry = new FinalizationRegistry((name) => gone.add(name));
    async function collect() { for (let i = 0; i < 10; i++) { gc(); await sleep(5); } }
    async function start() {
      class Counts { count = 0; onObject(object, emit) { this.count++; emit.put(object.key, String(this.count)); } }
      const [instance, closure] = [new Counts(), (object, emit) => emit.put(object.key, "closure")];
      registry.register(instance, "instance");
      registry.register(closure, "closure");
      const flow = await Flow.describe().pool("/in").pool("/a").pool("/b").on("/in", "/a", instance).on("/in", "/b", closure).start();
      registry.register(flow, "flow");
      return [new WeakRef(flow), flow.pool("/in"), flow.pool("/a")];
    }
    const [flow, input, output] = await start();
    await collect();
    console.log(gone.size);
    for (let i = 0; i < 100; i++) await input.put("k", "");
    await flow.deref().drain();
    console.log(output.get("k").text());
    await flow.deref().close();
    await collect();
    console.log([...gone].sort().join(" "));
    const memory = process.memoryUsage().rss;
    for (let i = 0; i < 100; i++) {
      const one = await Flow.describe().pool("/in").on("/in", [], () => {}).start();
      await one.pool("/in").put("k", "v");
      await one.close();
      if (i % 20 === 0) await collect();
    }
    await collect();
    console.log(process.memoryUsage().rss - memory < 80e6 ? "no more memory" : (process.memoryUsage().rss - memory) / 1e6);
  `;
  const ended = run(program, ["--expose-gc"]);
  assert.deepEqual(ended, { status: 0, signal: null, stdout: "0\n100\nclosure flow instance\nno more memory\n", stderr: "" });
});

test("a wait for an event that is not awaited any more is given it, and the next one the next", { timeout: 30_000 }, async () => {
  const flow = (await Flow.describe().pool("/a").start()).unref();
  const watch = flow.watch("/a");
  const first = watch.next();
  assert.equal(await Promise.race([first, turn("nothing yet")]), "nothing yet");
  const others = [watch.next(), watch.next()];
  for (const key of ["1", "2", "3"]) await flow.pool("/a").put(key, "");
  assert.deepEqual((await Promise.all([first, ...others])).map(({ value }) => value.key), ["1", "2", "3"]);
  await flow.close();
});

test("all loops over a watch end when it is closed, also where one has been aborted or has failed", { timeout: 30_000 }, async () => {
  const flow = (await Flow.describe().pool("/a").start()).unref();
  const watch = flow.watch("/a");
  let seen;
  const first = new Promise((resolve) => (seen = resolve));
  const walk = async () => {
    for await (const { key } of watch) seen(key);
  };
  const walks = [walk(), walk(), walk()];
  await flow.pool("/a").put("k", "");
  assert.equal(await first, "k");
  watch.close();
  await Promise.all(walks);
  const aborts = new AbortController();
  const aborted = flow.watch("/a", { signal: aborts.signal });
  const ends = [aborted.next(), aborted.next()];
  aborts.abort(new RangeError("enough"));
  await assert.rejects(ends[0], /enough/);
  assert.deepEqual(await ends[1], { done: true, value: undefined });
  await flow.close();
});
