"use strict";
// What a program can do wrong, run against the hostile library.

const assert = require("node:assert");
const { Worker } = require("node:worker_threads");
const hostile = require(process.argv[2]);

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const fail = () => {
  throw new Error("ours");
};

const tests = {
  "a handle of another class is refused"() {
    const [names, counter] = [new hostile.Names(), new hostile.Counter(1n)];
    assert.throws(() => counter.merge(names), /a Counter, not "Names"/);
    assert.throws(() => hostile.names_push(counter, "x"), /a Names, not "Counter"/);
    names.release();
    counter.release();
  },

  "a handle given to its release is released"() {
    const before = hostile.live();
    const counter = new hostile.Counter(1n);
    hostile.counter_release(counter);
    assert.strictEqual(hostile.live(), before);
    assert.throws(() => counter.get(), /was released/);
    counter.release();
    assert.strictEqual(hostile.live(), before);
  },

  "what a call gave is released when its callback threw"() {
    const before = hostile.live();
    const counter = new hostile.Counter(1n);
    for (let index = 0; index < 10; index++) assert.throws(() => counter.child(fail), /ours/);
    assert.strictEqual(hostile.live(), before + 1n);
    counter.release();
    const { text_of, floats_of, fails_after, ask_color, ask_char, ask_bool } = hostile;
    for (const function_ of [text_of, floats_of, fails_after, ask_color, ask_char, ask_bool]) {
      assert.throws(() => function_(fail), /ours/, function_.name);
      assert.strictEqual(hostile.echo_i8(3), 3);
    }
  },

  "a lent slice ends with the callback"() {
    const kept = [];
    assert.strictEqual(hostile.show_slice((view) => kept.push(view, view.subarray(1)) && Math.floor(view[0])), 2);
    for (const view of kept) assert.strictEqual(view.length, 0);
    assert.throws(() => hostile.show_slice(fail), /ours/);
  },

  async "texts and slices from another thread are copied"() {
    const got = [];
    const callback = new hostile.Callback((value) => got.push(typeof value === "string" ? value : value[0]));
    hostile.tell_elsewhere(callback);
    hostile.note_elsewhere(callback);
    await sleep(50);
    assert.deepStrictEqual(got, ["hello from a thread that ends at once", 1.5]);
    callback.release();
  },

  "the oldest free trampoline is used first"() {
    const old = new hostile.Callback(() => 111);
    hostile.keep_bare(old);
    old.release();
    const other = new hostile.Callback(() => 222);
    assert.strictEqual(hostile.apply_bare(other, 1), 222);
    assert.throws(() => hostile.call_bare(1), /callback was called/);
    other.release();
    hostile.forget();
  },

  "a context is found wherever it stands"() {
    const seen = [];
    const step = (context, value) => seen.push(context) && value + 1;
    assert.strictEqual(hostile.context_behind((value) => value + 1, 1), 2);
    assert.strictEqual(hostile.context_before(77, step, 1), 2);
    const kept = new hostile.Callback(step);
    assert.strictEqual(hostile.context_before(78, kept, 1), 2);
    assert.deepStrictEqual(seen, [77, 78]);
    kept.release();
  },

  "a struct holds callbacks"() {
    const done = [];
    const step = new hostile.Callback((context, value) => context + value);
    const tell = new hostile.Callback((value) => done.push(value));
    const operations = new hostile.Operations({ context: 40, step, done: [null, tell] });
    assert.ok(operations.step > 0 && operations.done.at(0) === 0 && operations.done.at(1) > 0);
    hostile.keep_operations(operations);
    assert.strictEqual(hostile.operate(2), 42);
    operations.done.set(0, tell);
    hostile.keep_operations(operations);
    assert.strictEqual(hostile.operate(3), 43);
    assert.deepStrictEqual(done, [42, 43, 43]);
    assert.throws(() => hostile.operate_elsewhere(1), /from another thread/);
    const failing = new hostile.Callback(fail);
    operations.step = failing;
    hostile.keep_operations(operations);
    assert.throws(() => hostile.operate(1), /ours/);
    failing.release();
    assert.throws(() => hostile.operate(1), /after it was released/);
    assert.throws(() => (operations.step = failing), /Operations.step is a Callback that was released/);
    assert.throws(() => (operations.step = fail), /Operations.step must be a Callback/);
    operations.step = null;
    hostile.keep_operations(operations);
    assert.strictEqual(hostile.operate(1), -1);
    hostile.keep_operations(null);
    step.release();
    tell.release();
  },

  "slices of any memory that is there, and of no other"() {
    const floats = new Float32Array(new ArrayBuffer(16, { maxByteLength: 64 })).fill(2);
    assert.strictEqual(hostile.sum(floats), 8);
    floats.buffer.resize(8);
    assert.strictEqual(hostile.sum(floats), 4);
    assert.strictEqual(hostile.sum(new Float32Array(new SharedArrayBuffer(16)).fill(1)), 4);
    assert.ok(hostile.sum(new Float32Array(0)) === 0);
    const given = new Float32Array(4);
    structuredClone(given.buffer, { transfer: [given.buffer] });
    assert.throws(() => hostile.sum(given), /values must be live memory/);
    assert.throws(() => hostile.addressOf(given), /transferred/);
    const buffer = hostile.make_floats(4n);
    const { array } = buffer;
    structuredClone(array.buffer, { transfer: [array.buffer] });
    assert.strictEqual(hostile.sum(array), 6);
    buffer.release();
    assert.throws(() => hostile.sum(array), /values must be live memory/);
  },

  async "what a flood of calls from another thread has no room for is an error, not lost in silence"() {
    const mebibyte = 1 << 18;
    let [ran, dropped] = [0, 0];
    const full = ({ message }) => {
      const found = /^flood: argument noted: (\d+) calls by other threads were dropped, because 64 MiB of calls were waiting/.exec(message);
      assert.ok(found, message);
      dropped += Number(found[1]);
    };
    const until = async (calls) => {
      for (let round = 0; round < 500 && ran + dropped < calls; round++) await sleep(10);
      assert.strictEqual(ran + dropped, calls);
    };
    process.on("uncaughtException", full);
    const callback = new hostile.Callback((values) => (ran += values[0] === 1.5));
    const before = process.memoryUsage().rss;
    hostile.flood(callback, 1000, mebibyte);
    assert.ok(process.memoryUsage().rss - before < 300 << 20, "what waits is bounded");
    await until(1000);
    assert.deepStrictEqual([ran, dropped], [63, 937]);
    hostile.flood(callback, 1, 80 * mebibyte);
    await until(1001);
    hostile.flood(callback, 1000000, 1);
    await until(1001001);
    assert.ok(ran > 100000 && dropped > 100000, `${ran} ran`);
    hostile.flood(callback, 2, 1);
    await until(1001003);
    process.off("uncaughtException", full);
    callback.release();
  },

  async "an exception stays in its own thread"() {
    const script = `
      const hostile = require(${JSON.stringify(process.argv[2])});
      for (let index = 0; index < 20000; index++) {
        try {
          hostile.apply(() => { throw new Error("ours"); }, 1);
          throw new Error("lost");
        } catch (error) {
          if (error.message !== "ours") throw error;
        }
      }`;
    const workers = [1, 2].map(() => new Worker(script, { eval: true }));
    await Promise.all(workers.map((worker) => new Promise((done, failed) => worker.on("exit", done).on("error", failed))));
  },

  async "a worker may end with callbacks and handles open"() {
    const script = `
      const hostile = require(${JSON.stringify(process.argv[2])});
      new hostile.Counter(1n);
      new hostile.Names().release();
      hostile.keep(new hostile.Callback((value) => value));
      hostile.keep_bare(new hostile.Callback((value) => value));
      require("node:worker_threads").parentPort.postMessage("kept");
      for (;;) hostile.apply((value) => value, 1);`;
    const before = hostile.live();
    for (let index = 0; index < 3; index++) {
      const worker = new Worker(script, { eval: true });
      await new Promise((done, failed) => worker.once("message", done).once("error", failed));
      await worker.terminate();
      assert.throws(() => hostile.call_kept(1), /callback was called/);
      assert.strictEqual(hostile.live(), before);
    }
    hostile.forget();
  },
};

(async () => {
  for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(name);
  }
  console.log("done");
})();
