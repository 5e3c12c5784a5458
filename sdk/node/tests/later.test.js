import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";
import { CancelledError, ClosedError, TimedOutError } from "upcall";
import { Failed, Harness } from "upcall/testing";

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const numbers = (count, value = () => "") => Array.from({ length: count }, (_, index) => [`k${index}`, value(index)]);
const never = () => new Promise(() => {});

/** A handler whose method for each object is `onObject`, and a harness of it. */
function harness(onObject, options = {}, more = {}) {
  class Handler {}
  Object.assign(Handler.prototype, more, { onObject });
  const handler = new Handler();
  return Object.assign(new Harness(handler, { pools: ["/out"], ...options }), { handler });
}

/** What was emitted: keys and texts. */
const said = ({ emitted }) => emitted.map(({ key, text }) => `${key} ${text}`.trim());

/** Lets everything happen that waits for nothing. */
const settle = () => wait(5);

test("a handler that answers later says so, and one that answers at once does not", async () => {
  const described = async (of) => (await new Harness(new of()).describe()).map(([about]) => about);
  assert.deepEqual(await described(class { async onObject() {} }), [1, 2, 6]);
  assert.deepEqual(await described(class { static answersLater = true; onObject() {} }), [1, 2, 6]);
  assert.deepEqual(await described(class { onObject() {} }), [1, 2]);
  assert.deepEqual(await described(class { async onBatch() {} }), [1, 2]);
  class Base { async onObject() {} }
  assert.deepEqual(await described(class extends Base {}), [1, 2, 6]);
  class Wrong { static answersLater = true; onBatch() {} }
  assert.throws(() => new Harness(new Wrong()), /it has answersLater and onBatch: only onObject may answer later/);
});

test("a promise of which nothing was said fails its object, whatever comes of it", async () => {
  for (const promise of [() => Promise.reject(new Error("unseen")), never, () => ({ then() {} })]) {
    const flow = harness(() => promise());
    await assert.rejects(flow.put("a"), {
      typeName: "TypeError",
      message: /onObject returned a promise.*write `async onObject`, or `static answersLater = true`/,
    });
  }
  await settle();
});

test("it answers at once or later, each object for itself", async () => {
  class Sometimes {
    static answersLater = true;
    onObject(object, emit) {
      const { key } = object;
      if (object.text() === "") return emit.put(key, "at once");
      return wait(1).then(() => emit.put(key, "later"));
    }
  }
  const flow = new Harness(new Sometimes(), { pools: ["/out"] });
  await flow.batch([["a", ""], ["b", "x"], ["c", ""], ["d", "x"]]);
  assert.deepEqual(said(flow), ["a at once", "c at once", "b later", "d later"]);
});

test("what only looks like a promise is taken for one", async () => {
  class Odd {
    static answersLater = true;
    onObject(object, emit) {
      const { key } = object;
      const then = (well, badly) => {
        if (key === "throws") throw new RangeError("thrown");
        setTimeout(() => [emit.put(key, "later"), well(), well(), badly(new Error("no more"))], 1);
      };
      return { then };
    }
  }
  const flow = new Harness(new Odd(), { pools: ["/out"] });
  await assert.rejects(flow.batch([["a", ""], ["throws", ""], ["b", ""]]), { typeName: "RangeError", message: "thrown" });
  assert.deepEqual(said(flow), ["a later", "b later"]);
});

test("many are open at once", async () => {
  let [open, most] = [0, 0];
  const flow = harness(async (object, emit) => {
    most = Math.max(most, ++open);
    await wait(10);
    open -= 1;
    emit.put(object.key, "");
  });
  const begin = performance.now();
  await flow.batch(numbers(100));
  assert.ok(performance.now() - begin < 500);
  assert.ok(most > 50, String(most));
  assert.equal(flow.emitted.length, 100);
});

test("objects of one key run one after another, others beside them", async () => {
  const running = new Set();
  let most = 0;
  const flow = harness(async (object, emit) => {
    const { key } = object;
    assert.ok(!running.has(key));
    most = Math.max(most, running.add(key).size);
    await wait(1);
    running.delete(key);
    emit.put(key, object.text());
  });
  await flow.batch(Array.from({ length: 40 }, (_, index) => [`k${index % 4}`, String(index)]));
  assert.equal(most, 4);
  const of3 = said(flow).filter((text) => text.startsWith("k3")).map((text) => Number(text.slice(3)));
  assert.deepEqual(of3, [3, 7, 11, 15, 19, 23, 27, 31, 35, 39]);
});

test("what an object emits before and after it waits arrives in that order, though others emit meanwhile", async () => {
  const flow = harness(async (object, emit) => {
    const key = object.key;
    for (let index = 0; index < 5; index++) {
      emit.put(key, String(index));
      // More than a chunk, so that each has several.
      emit.putTo("/large", key, new Uint8Array(30_000).fill(index));
      await wait(Number(object.text()));
    }
    emit.putIf(key, "last", object.version);
  }, { pools: ["/out", "/large"] });
  await flow.batch(numbers(10, (index) => String((index * 7) % 5)));
  for (const [key] of numbers(10)) {
    const mine = flow.emitted.filter((emitted) => emitted.key === key);
    const texts = mine.filter(({ pool }) => pool === "/out").map(({ text }) => text);
    assert.deepEqual(texts, ["0", "1", "2", "3", "4", "last"]);
    const large = mine.filter(({ pool }) => pool === "/large");
    assert.ok(large.every(({ value }, index) => value.length === 30_000 && value.every((byte) => byte === index)));
    assert.equal(mine.at(-1).previous, Number(key.slice(1)) + 1);
  }
});

test("a failure after it has waited fails its object alone, with its stack", async () => {
  const flow = harness(async function onObject(object, emit) {
    emit.put(object.key, "early");
    await wait(1);
    if (object.key === "bad") throw new RangeError("rejected");
    emit.put(object.key, "late");
  });
  const [a, bad, b] = await Promise.allSettled([flow.put("a"), flow.put("bad"), flow.put("b")]);
  assert.deepEqual([a.status, b.status], ["fulfilled", "fulfilled"]);
  const failed = bad.reason;
  assert.ok(failed instanceof Failed);
  assert.deepEqual([failed.typeName, failed.message, failed.done, failed.item], ["RangeError", "rejected", 0, 0]);
  assert.match(failed.trace, /at .*onObject .*later\.test\.js/);
  assert.deepEqual(said(flow).sort(), ["a early", "a late", "b early", "b late"]);
});

test("what it is given can be used for as long as the object is open, and is its own", async () => {
  const flow = harness(async (object, emit) => {
    const [bytes, keyBytes] = [object.value, object.keyBytes];
    await wait(2);
    assert.equal(object.key, Buffer.from(keyBytes).toString());
    assert.deepEqual([object.text(), object.version, object.pool, object.sender], [`v${object.key}`, 1, "/in", "outside"]);
    bytes.fill(120);
    assert.deepEqual([object.text(), typeof object.time], [`v${object.key}`, "bigint"]);
    emit.put(object.key, bytes);
    bytes.fill(0);
  });
  await flow.put("a", "va");
  assert.deepEqual(said(flow), ["a xx"]);
});

test("pools are read, and lines logged, after it has waited", async () => {
  let log;
  const onObject = async (object, emit) => {
    await wait(1);
    const found = emit.read("/accounts", object.key);
    log.info(`${object.key} has ${found?.number}`);
    emit.put(object.key, emit.list("/accounts", "a").join());
    await wait(1);
    emit.putIf("total", String(emit.readAt("/accounts", "ada", 1)?.number), found?.version ?? 0);
  };
  const reads = { "/accounts": { ada: [50, 70], alan: 1, grace: 2 } };
  const options = { reads, readTypes: { "/accounts": "i64" } };
  const flow = harness(onObject, options, { open: (context) => void (log = context.log) });
  await flow.batch([["ada", ""], ["grace", ""]]);
  assert.deepEqual(said(flow), ["ada ada,alan", "total 50", "grace ada,alan", "total 50"]);
  assert.deepEqual(flow.logged.map(([, text]) => text), ["ada has 70", "grace has 2"]);
  assert.deepEqual(flow.emitted.filter(({ key }) => key === "total").map(({ previous }) => previous), [2, 1]);
});

/** An object that is kept, with its signal, and never answered. */
function kept(options) {
  const all = [];
  const flow = harness(async (object, emit) => {
    const signal = object.text() === "unseen" ? undefined : object.signal;
    const mine = { object, emit, signal, heard: [] };
    signal?.addEventListener("abort", () => mine.heard.push(signal.reason));
    all.push(mine);
    emit.put(object.key, "not to be seen");
    await never();
  }, options);
  return { flow, all };
}

for (const [Type, end, message] of [
  [TimedOutError, undefined, /its deadline has passed/],
  [CancelledError, (flow) => flow.cancel(), /the flow is being stopped/],
  [ClosedError, (flow) => flow.close(), /the handler was closed before it had answered/],
]) {
  test(`what is no longer waited for says so by its type: ${Type.name}`, async () => {
    const { flow, all } = kept(end === undefined ? { deadline: 10 } : {});
    const [first, second] = [flow.put("a"), flow.put("b", "unseen")];
    const both = Promise.allSettled([first, second]);
    await settle();
    await end?.(flow);
    for (const { status, reason } of await both) {
      assert.equal(status, "rejected");
      assert.ok(reason instanceof Type && reason.name === Type.name, reason);
      assert.match(reason.message, message);
    }
    const others = [TimedOutError, CancelledError, ClosedError].filter((each) => each !== Type);
    for (const { object, emit, heard, signal } of all) {
      for (const use of [() => object.key, () => object.value, () => emit.put("a", "b"), () => emit.putIf("a", "b", 0), () => emit.list("/out")]) {
        assert.throws(use, (error) => error instanceof Type && !others.some((other) => error instanceof other));
      }
      assert.ok(object.signal.aborted && object.signal.reason instanceof Type);
      if (signal !== undefined) assert.ok(heard.length === 1 && heard[0] instanceof Type && signal === object.signal);
    }
    assert.deepEqual(flow.emitted, []);
  });
}

for (const [Type, end] of [
  [CancelledError, (flow) => flow.cancel()],
  [ClosedError, (flow) => flow.close()],
]) {
  test(`what was put just before is ended at once: ${Type.name}`, async () => {
    const keys = [];
    const aborted = [];
    const flow = harness(async (object) => {
      keys.push(object.key);
      const { signal } = object;
      signal.addEventListener("abort", () => aborted.push(signal.reason));
      await never();
    });
    const puts = [flow.put("a"), flow.put("a", "waits for the first"), flow.put("b")];
    const ends = end(flow);
    // It was called, and told, before anything was awaited.
    assert.deepEqual([keys, aborted.length, aborted.every((reason) => reason instanceof Type)], [["a", "b"], 2, true]);
    for (const { reason } of await Promise.allSettled(puts)) assert.ok(reason instanceof Type, reason);
    await ends;
    assert.deepEqual(keys, ["a", "b"]);
  });

  test(`what waits for a handler that opens later is ended at once: ${Type.name}`, async () => {
    let opened;
    const called = [];
    const flow = harness(async (object) => void called.push(object.key), {}, {
      open: () => new Promise((resolve) => (opened = resolve)),
      close: () => called.push("close"),
    });
    const put = assert.rejects(flow.put("a"), Type);
    const ends = end(flow);
    await put;
    opened();
    await ends;
    await settle();
    assert.deepEqual(called, Type === ClosedError ? ["close"] : []);
  });
}

test("a handler that was closed is opened again by the next object, also where it did not open", async () => {
  let [opened, fails] = [0, true];
  const flow = harness(async (object, emit) => emit.put(object.key, `open ${opened}`), {}, {
    async open() {
      opened += 1;
      if (fails) throw new Error("not yet");
    },
  });
  const put = assert.rejects(flow.put("a"), ClosedError);
  await flow.close();
  await put;
  fails = false;
  await flow.put("a");
  await flow.close();
  await flow.put("b");
  assert.deepEqual(said(flow), ["a open 2", "b open 3"]);
});

test("a listener of the signal that throws is an uncaught exception, and breaks nothing else", async () => {
  const uncaught = [];
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => uncaught.push(error.message));
  try {
    const heard = [];
    const flow = harness(async (object, emit) => {
      if (object.text() === "") return emit.put(object.key, "answered");
      const { key, signal } = object;
      signal.addEventListener("abort", () => {
        throw new Error(`the listener of ${key}`);
      });
      signal.addEventListener("abort", () => heard.push(key));
      await never();
    });
    const puts = ["a", "b"].map((key) => flow.put(key, "waits"));
    flow.cancel();
    for (const { reason } of await Promise.allSettled(puts)) assert.ok(reason instanceof CancelledError, reason);
    await settle();
    assert.deepEqual([heard, uncaught], [["a", "b"], ["the listener of a", "the listener of b"]]);
    await flow.put("a");
    assert.deepEqual(said(flow), ["a answered"]);
  } finally {
    process.removeAllListeners("uncaughtException");
    for (const other of others) process.on("uncaughtException", other);
  }
});

test("a fetch that fails says why", async () => {
  const server = createServer(() => {});
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  const flow = harness(async (object) => void (await fetch(object.text())));
  await assert.rejects(flow.put("a", `http://127.0.0.1:${port}`), (failed) => {
    assert.equal(failed.message, `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`);
    assert.match(failed.trace, /caused by Error: connect ECONNREFUSED/);
    return failed.typeName === "TypeError";
  });
  const thrown = [];
  for (const [message, cause] of [
    ["outer", new Error("inner")], ["outer: inner", new Error("inner")], ["outer", "text"], ["outer", { code: 1 }],
    ["outer", new AggregateError([new Error("one"), new Error("two")])],
  ]) {
    const fails = harness(() => {
      throw new Error(message, { cause });
    });
    await fails.put("a").catch((failed) => thrown.push(failed.message));
  }
  assert.deepEqual(thrown, ["outer: inner", "outer: inner", "outer: text", "outer", "outer: one, two"]);
});

test("what is used after it was answered is closed", async () => {
  let mine;
  const flow = harness(async (object, emit) => {
    await undefined;
    mine = { object, emit, signal: object.signal };
  });
  await flow.put("a");
  assert.throws(() => mine.object.key, ClosedError);
  assert.throws(() => mine.emit.put("a", "b"), ClosedError);
  assert.ok(!mine.signal.aborted);
});

test("what comes of an object that is over is nobody's", async () => {
  let [failed, answered] = [0, 0];
  const onObject = async (object, emit) => {
    const text = object.text();
    await wait(20);
    if (text === "fails") {
      failed += 1;
      throw new Error("too late");
    }
    answered += 1;
    assert.throws(() => emit.put("late", ""), TimedOutError);
  };
  const flow = harness(onObject, { deadline: 5 });
  const outcomes = await Promise.allSettled([flow.put("a", "fails"), flow.put("b")]);
  assert.ok(outcomes.every(({ reason }) => reason instanceof TimedOutError));
  // Others go on meanwhile, where those were.
  await assert.rejects(flow.put("a"), TimedOutError);
  await wait(50);
  assert.deepEqual([failed, answered, flow.emitted], [1, 2, []]);
});

test("an object that was cancelled can be handed over again", async () => {
  let tries = 0;
  const flow = harness(async (object, emit) => {
    tries += 1;
    if (tries === 1) await never();
    emit.put(object.key, `try ${tries}`);
  });
  const first = assert.rejects(flow.put("a"), CancelledError);
  await settle();
  flow.cancel();
  flow.cancel();
  await first;
  await flow.put("a");
  assert.deepEqual(said(flow), ["a try 2"]);
});

test("fetch is told, and what the handler cancels by itself is an ordinary failure", async (context) => {
  const server = createServer((request, response) => {
    if (request.url === "/quick") response.end("answer");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => [server.close(), server.closeAllConnections()]);
  const url = `http://127.0.0.1:${server.address().port}`;
  const caught = [];
  const onObject = async (object, emit) => {
    const own = new AbortController();
    if (object.key === "own") setTimeout(() => own.abort(), 5);
    try {
      const answer = await fetch(`${url}/${object.key}`, { signal: object.key === "own" ? own.signal : object.signal });
      emit.put(object.key, await answer.text());
    } catch (error) {
      caught.push(error);
      throw error;
    }
  };
  const flow = harness(onObject, { deadline: 200 });
  const [quick, own, slow] = await Promise.allSettled([flow.put("quick"), flow.put("own"), flow.put("slow")]);
  assert.deepEqual([quick.status, ...said(flow)], ["fulfilled", "quick answer"]);
  assert.ok(own.reason instanceof Failed && own.reason.typeName === "AbortError", own.reason);
  assert.ok(slow.reason instanceof TimedOutError);
  await settle();
  assert.deepEqual(caught.map(({ name }) => name), ["AbortError", "TimedOutError"]);
  assert.ok(caught[1] instanceof TimedOutError);
});

test("a handler's other methods may answer later too, and are waited for", async () => {
  const seen = [];
  const flow = harness(
    async (object, emit) => {
      await wait(1);
      emit.put(object.key, "");
    },
    {},
    {
      async open() {
        await wait(1);
        seen.push("open");
      },
      async flush(emit) {
        await wait(1);
        emit.put("flushed", "");
      },
      async close() {
        await wait(1);
        seen.push("close");
      },
    },
  );
  await flow.batch([["a", ""], ["b", ""]]);
  await flow.flush();
  await flow.close();
  assert.deepEqual([seen, said(flow)], [["open", "close"], ["a", "b", "flushed"]]);
});

test("what methods return that is no promise is passed over", async () => {
  class Returns {
    // `Status.PENDING` is 2.
    open() { return 2; }
    onBatch() { return 2; }
    flush() { return 2; }
    close() { return 2; }
  }
  const flow = new Harness(new Returns());
  await flow.put("a");
  await flow.flush();
  await flow.close();
});

test("a handler that answers at once has no signal", async () => {
  await assert.rejects(harness((object) => object.signal).put("a"), { message: /has no signal: write `async onObject`/ });
});
