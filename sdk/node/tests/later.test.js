import assert from "node:assert/strict";
import test from "node:test";
import { Harness } from "upcall/testing";

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const objects = (count, value = () => "") => Array.from({ length: count }, (_, index) => [`k${index}`, value(index)]);

test("objects run side by side, as many as are allowed, and land in their order", async () => {
  let [running, most] = [0, 0];
  class Later {
    static inFlight = 7;
    async onObject(object, emit) {
      const [key, value] = [object.key, Number(object.text())];
      running += 1;
      most = Math.max(most, running);
      emit.put(key, "begun");
      await wait(value);
      emit.put(key, "done");
      running -= 1;
    }
  }
  const harness = new Harness(new Later(), { pools: ["/out"] });
  for (let round = 0; round < 2; round++) {
    await harness.batch(objects(50, (index) => String((index * 7) % 5)));
  }
  assert.equal(most, 7);
  const expected = [...objects(50), ...objects(50)].flatMap(([key]) => [[key, "begun"], [key, "done"]]);
  assert.deepEqual(harness.emitted.map(({ key, text }) => [key, text]), expected);
});

test("objects of one key run one after another", async () => {
  const running = new Set();
  class OneByOne {
    seen = new Map();
    async onObject(object, emit) {
      const { key } = object;
      assert.ok(!running.has(key));
      running.add(key);
      const before = this.seen.get(key) ?? 0;
      await wait(1);
      this.seen.set(key, before + 1);
      emit.put(key, String(before + 1));
      running.delete(key);
    }
  }
  const harness = new Harness(new OneByOne(), { pools: ["/out"] });
  await harness.batch(Array.from({ length: 40 }, (_, index) => [`k${index % 4}`, ""]));
  const counts = harness.emitted.filter(({ key }) => key === "k3").map(({ text }) => Number(text));
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

for (const bad of [0, 3, 9]) {
  test(`a rejection fails its object and loses nothing of those before it: ${bad}`, async () => {
    let begun = 0;
    class Rejects {
      async onObject(object, emit) {
        const index = Number(object.text());
        begun += 1;
        emit.put(object.key, "early");
        // Those before it end later.
        await wait(index < bad ? 20 : 1);
        if (index === bad) throw new RangeError("rejected");
        emit.put(object.key, "late");
        begun -= 1;
      }
    }
    const harness = new Harness(new Rejects(), { pools: ["/out"] });
    const batch = harness.batch(objects(10, String));
    await assert.rejects(batch, { typeName: "RangeError", message: "rejected", done: bad, item: bad });
    assert.equal(harness.emitted.length, 2 * bad);
    // What ran has ended: only the one that failed did not get to its end.
    assert.equal(begun, 1);
  });
}

test("an object whose key waits before the one that fails is handled, and not blamed", async () => {
  class Mixed {
    async onObject(object, emit) {
      const { key } = object;
      await wait(key === "bad" ? 1 : 5);
      if (key === "bad") throw new Error("bad");
      emit.put(key, "");
    }
  }
  const harness = new Harness(new Mixed(), { pools: ["/out"] });
  const batch = harness.batch([["a", ""], ["a", ""], ["bad", ""], ["a", ""]]);
  await assert.rejects(batch, { message: "bad", done: 2, item: 2 });
  assert.deepEqual(harness.emitted.map(({ key }) => key), ["a", "a"]);
});

test("a handler that answers at once and later does both", async () => {
  class Sometimes {
    onObject(object, emit) {
      const { key } = object;
      if (object.text() === "") return emit.put(key, "at once");
      return wait(1).then(() => emit.put(key, "later"));
    }
  }
  const harness = new Harness(new Sometimes(), { pools: ["/out"] });
  await harness.batch([["a", ""], ["b", "x"], ["c", ""], ["d", "x"]]);
  const texts = harness.emitted.map(({ key, text }) => `${key} ${text}`);
  assert.deepEqual(texts, ["a at once", "b later", "c at once", "d later"]);
});

test("what is emitted once a promise has settled is refused, and bytes are those of the call", async () => {
  let kept;
  class Careless {
    async onObject(object, emit) {
      const bytes = Uint8Array.of(1, 2, 3);
      await undefined;
      emit.put(object.key, bytes);
      bytes.fill(9);
      kept = emit;
    }
  }
  const harness = new Harness(new Careless(), { pools: ["/out"] });
  await harness.put("a");
  assert.deepEqual([...harness.emitted[0].value], [1, 2, 3]);
  assert.throws(() => kept.put("b", ""), /`emit` was used after its call had ended/);
});
