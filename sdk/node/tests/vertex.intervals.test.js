// What vertex programs are told of intervals, and intervals that are updated again.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as abi from "../build/abi.js";
import { LARGEST_FRAME } from "../build/memory.js";
import { ProgramError, Simulator } from "upcall/simulator";
import { Failed, VertexHarness } from "upcall/testing";
import { edges, neighbours } from "./graph.js";

const { FrameHead, Kind, Phase, VertexFrame } = abi;
const TRIANGLE = [[0, 1], [1, 2], [2, 0], [0, 2]];

/** An instance of a class with an update and these hooks. */
function program(hooks, { update = () => {}, ...says } = {}) {
  class Program {}
  Object.assign(Program.prototype, { update, ...hooks });
  return new (Object.assign(Program, { shown: "f64", ...says }))();
}

const run = (program, options = {}, how = {}) => new VertexHarness(program, { edges: TRIANGLE, ...options }).run({ iterations: 1, ...how });

/** Keeps what is called, in its order. */
function telling(times, more = {}) {
  const told = [];
  const tell = (what) => (...given) => void told.push([what, ...given]);
  const hooks = {
    beforeIteration: tell("iteration"), beforeInterval: tell("before"), afterInterval: tell("after"), afterIteration: tell("done"),
    repeatUpdates(interval) {
      told.push(["again", interval]);
      return interval.pass + 1 < times;
    },
  };
  const update = (vertex, context) => {
    if (vertex.id % 1024 === 0) told.push(["update", vertex.id]);
    context.addResidual(1);
    context.addTotal(vertex.id);
  };
  return { told, program: program(hooks, { update, ...more }) };
}

/** The calls of an iteration of {@link telling}, whose vertices are in such intervals. */
function calls(iteration, total, intervals, times) {
  const all = [["iteration", iteration, iteration === 0 ? 0 : total]];
  for (const [first, end] of intervals) {
    for (let pass = 0; pass < times; pass++) {
      const ids = Array.from({ length: end - first }, (_, k) => first + k);
      const before = { iteration, first, end, pass, updated: 0, residual: 0, total: 0 };
      const after = { ...before, updated: ids.length, residual: ids.length, total: ids.reduce((sum, id) => sum + id, 0) };
      all.push(["before", before], ...ids.filter((id) => id % 1024 === 0).map((id) => ["update", id]), ["after", after], ["again", after]);
    }
  }
  return all;
}

test("a program is told of each interval before its vertices and after them, in each pass", async () => {
  const vertices = 2500;
  const total = (vertices * (vertices - 1)) / 2;
  const done = (number, times) => ["done", { number, updated: times * vertices, scheduled: vertices, residual: vertices, total }];
  for (const times of [1, 3]) {
    const wanted = (intervals) => [0, 1].flatMap((number) => [...calls(number, total, intervals, times), done(number, times)]);
    // Of several frames each interval has, one is the first.
    for (const interval of [1024, 2048, 4096]) {
      const { told, program } = telling(times);
      await run(program, { vertices }, { iterations: 2, interval });
      assert.deepEqual(told, wanted([[0, vertices]]));
    }
    for (const [gaussSeidel, intervals] of [[undefined, [[0, 2500]]], [1024, [[0, 1024], [1024, 2048], [2048, 2500]]]]) {
      const { told, program } = telling(times);
      await new Simulator(program, { edges: TRIANGLE, vertices, gaussSeidel }).run({ iterations: 2 });
      assert.deepEqual(told, wanted(intervals));
    }
  }
});

test("what a program was told is forgotten when an iteration ends, and when vertices begin anew", async () => {
  let fails = true;
  const { told, program } = telling(1, { update: () => { if (fails) throw new Error("mine"); } });
  const harness = new VertexHarness(program, { edges: TRIANGLE });
  await assert.rejects(harness.run(), /mine/);
  fails = false;
  await harness.run({ iterations: 1 });
  assert.deepEqual(told.map(([what]) => what), ["iteration", "before", "iteration", "before", "after", "again", "done"]);
});

const MODULUS = 1_000_003;
const mixed = (shown, incoming) => incoming.reduce((all, one) => (all * 31 + one) % MODULUS, shown);

/** Mixes what neighbours show, so that the order matters; each interval is updated so many times, and each pass leaves its number. */
function mixes(form, times, later) {
  class Mixes {
    static own = "f64";
    static shown = "f64";
    start(vertex) {
      vertex.show(vertex.id);
    }
    beforeInterval({ pass }) {
      this.pass = pass;
    }
    repeatUpdates({ pass }) {
      const again = pass + 1 < times;
      return later ? Promise.resolve(again) : again;
    }
  }
  const shown = (edges) => Array.from({ length: edges.length }, (_, index) => edges.shown(index));
  const methods = {
    update(vertex) {
      vertex.own = vertex.own * 10 + this.pass + 1;
      vertex.show(mixed(vertex.shown, shown(vertex.incoming)));
    },
    apply(vertex, sum) {
      vertex.own = vertex.own * 10 + this.pass + 1;
      vertex.show(mixed(vertex.shown, [sum]));
    },
    interval({ length, own, next, before, shown, incoming: { begins, ends, at } }) {
      for (let k = 0; k < length; k++) {
        own[k] = own[k] * 10 + this.pass + 1;
        next[k] = mixed(before[k], [...at.subarray(begins[k], ends[k])].map((place) => shown[place]));
      }
    },
  };
  Mixes.prototype[form] = methods[form];
  return form === "apply" ? Object.assign(Mixes, { gather: "sum" }) : Mixes;
}

/** The same by a plain loop over intervals of so many vertices. */
function plainly(list, vertices, size, times, iterations, sums) {
  const { incoming } = neighbours(list, vertices, true);
  const shown = Float64Array.from({ length: vertices }, (_, id) => id);
  for (let iteration = 0; iteration < iterations; iteration++) {
    for (let first = 0; first < vertices; first += size) {
      for (let pass = 0; pass < times; pass++) {
        const seen = (id) => incoming[id].map(([from]) => shown[from]);
        const next = Array.from(shown.subarray(first, first + size), (before, k) => {
          const all = seen(first + k);
          return mixed(before, sums ? [all.reduce((sum, one) => sum + one, 0)] : all);
        });
        shown.set(next, first);
      }
    }
  }
  return shown;
}

test("intervals that are updated again are a plain loop, in each form", async () => {
  const vertices = 2100;
  const list = edges(11, vertices, 5000);
  for (const form of ["update", "apply", "interval"]) {
    for (const [times, iterations] of [[1, 2], [2, 3], [3, 1]]) {
      const own = new Float64Array(vertices).fill(Number("123".slice(0, times).repeat(iterations)));
      const plain = (size) => plainly(list, vertices, size, times, iterations, form === "apply");
      const given = { edges: list, vertices };
      for (const later of [false, true]) {
        const found = await new VertexHarness(new (mixes(form, times, later))(), given).run({ iterations });
        assert.deepEqual([found.own, found.shown, found.iterations], [own, plain(vertices), iterations], form);
      }
      for (const [gaussSeidel, size] of [[undefined, vertices], [1024, 1024]]) {
        const found = await new Simulator(mixes(form, times, false), { ...given, gaussSeidel }).run({ iterations });
        assert.deepEqual([found.own, found.shown, found.iterations], [own, plain(size), iterations], form);
      }
    }
  }
});

/** The number of edges to each vertex from the first, all found before the first iteration ends. */
class AtOnce {
  static own = "u32";
  static shown = "u32";
  static selective = true;
  start(vertex) {
    vertex.show(2 ** 32 - 1);
    if (vertex.id === 0) vertex.schedule();
  }
  update(vertex) {
    vertex.own += 1;
    let nearest = vertex.id === 0 ? 0 : vertex.shown;
    for (let index = 0; index < vertex.incoming.length; index++) nearest = Math.min(nearest, vertex.incoming.shown(index) + 1);
    vertex.show(nearest);
  }
  repeatUpdates({ pass, updated }) {
    this.passes = [...(this.passes ?? []), pass];
    this.updated = [...(this.updated ?? []), updated];
    return true;
  }
  afterIteration({ updated, scheduled }) {
    this.sums = [...(this.sums ?? []), [updated, scheduled]];
  }
}

test("a selective program is updated again until nothing of the interval has changed", async () => {
  // Through all intervals and back.
  const vertices = 2500;
  const list = [...Array.from({ length: 2499 }, (_, id) => [id, id + 1]), [2499, 1]];
  const ids = Uint32Array.from({ length: vertices }, (_, id) => id);
  const own = Uint32Array.from({ length: vertices }, (_, id) => (id === 1 ? 2 : 1));
  const harnessed = new AtOnce();
  const found = await new VertexHarness(harnessed, { edges: list, vertices }).run();
  assert.deepEqual([found.shown, found.own, found.iterations], [ids, own, 1]);
  assert.deepEqual([harnessed.passes, harnessed.sums], [Array.from({ length: 2501 }, (_, pass) => pass), [[2501, 0]]]);
  assert.ok(harnessed.updated.every((updated) => updated === 1));
  for (const [gaussSeidel, iterations] of [[undefined, 1], [1024, 2]]) {
    const simulated = await new Simulator(AtOnce, { edges: list, vertices, gaussSeidel }).run();
    // The way back is seen by an interval that has been.
    assert.deepEqual([simulated.shown, simulated.own, simulated.iterations, simulated.ended], [ids, own, iterations, true]);
  }
});

test("who is scheduled is updated in the next pass, and in the next iteration where there is none", async () => {
  const seen = [];
  const scheduling = (again) => program({
    start(vertex) {
      if (vertex.id < 2) vertex.schedule();
    },
    repeatUpdates: ({ pass }) => again && pass < 1,
  }, {
    update(vertex, { iteration }) {
      seen.push([iteration, vertex.id]);
      if (vertex.id + 2 < 7) vertex.schedule(vertex.id + 2);
    },
    selective: true,
  });
  for (const make of [(program) => new VertexHarness(program, { edges: [], vertices: 7 }), (program) => new Simulator(program, { edges: [], vertices: 7 })]) {
    await make(scheduling(true)).run();
    assert.deepEqual(seen.splice(0), [[0, 0], [0, 1], [0, 2], [0, 3], [1, 4], [1, 5], [1, 6]]);
    await make(scheduling(false)).run();
    assert.deepEqual(seen.splice(0), [[0, 0], [0, 1], [1, 2], [1, 3], [2, 4], [2, 5], [3, 6]]);
  }
});

test("a hook that fails, or that answers what it must not, fails the run without a vertex", async () => {
  const mistake = new RangeError("not today");
  const thrown = { name: "Failed", typeName: "RangeError", message: "not today", item: undefined };
  const fails = ({ iteration }) => { if (iteration === 2) throw mistake; };
  for (const [hooks, says, cause] of [
    [{ beforeInterval: fails }, thrown, mistake],
    [{ afterInterval: fails }, thrown, mistake],
    [{ repeatUpdates: fails }, thrown, mistake],
    [{ afterInterval: async (interval) => fails(interval) }, thrown, mistake],
    [{ repeatUpdates: async (interval) => fails(interval) }, thrown, mistake],
    [{ beforeIteration: (iteration) => fails({ iteration }) }, thrown, mistake],
    [{ beforeInterval: ({ iteration }) => iteration === 2 && Promise.resolve() }, { item: undefined, message: /^beforeInterval returned a promise/ }],
    [{ repeatUpdates: ({ iteration }) => iteration === 2 && 1 }, { item: undefined, message: /^repeatUpdates returned 1: return true where the interval is to be updated again/ }],
    [{ repeatUpdates: async ({ iteration }) => iteration === 2 && "yes" }, { item: undefined, message: /^repeatUpdates returned the text "yes"/ }],
  ]) {
    await assert.rejects(run(program(hooks), {}, { iterations: 9 }), (failed) => {
      assert.ok(failed instanceof Failed);
      assert.throws(() => { throw failed; }, says);
      return true;
    });
    // One vertex in each of its frames, which is none of the hook's.
    const simulator = new Simulator(program(hooks), { edges: TRIANGLE });
    await assert.rejects(simulator.run(), (failed) => {
      assert.ok(failed instanceof ProgramError);
      assert.deepEqual([failed.vertex, failed.iteration], [undefined, 2]);
      if (cause !== undefined) assert.equal(failed.cause, cause);
      assert.match(failed.message, /^in iteration 2: (Range|Type)Error: /);
      assert.throws(() => simulator.step(), failed);
      return true;
    });
  }
});

test("afterInterval is waited for before repeatUpdates is called, by a run and not by a step", async () => {
  const seen = [];
  const waits = () => program({
    async afterInterval({ pass }) {
      await undefined;
      seen.push(["after", pass]);
    },
    repeatUpdates: ({ pass }) => seen.push(["again", pass]) === 2,
  });
  const expected = [["after", 0], ["again", 0], ["after", 1], ["again", 1]];
  await run(waits());
  assert.deepEqual(seen.splice(0), expected);
  await new Simulator(waits(), { edges: TRIANGLE }).run({ iterations: 1 });
  assert.deepEqual(seen.splice(0), expected);
  const simulator = new Simulator(waits(), { edges: TRIANGLE });
  for (let step = 0; step < 6; step++) simulator.step();
  assert.throws(() => simulator.step(), /a call answers later, and a step does not wait: use run\(\)/);
});

test("a program that writes values of edges is not updated again", async () => {
  const says = /it writes values of edges, which are seen in the next iteration: its updates are not repeated$/;
  const writes = () => program({ repeatUpdates: ({ iteration }) => iteration === 1 }, { edge: "f64", writes: true });
  await assert.rejects(run(writes(), {}, { iterations: 9 }), says);
  assert.equal((await run(writes(), {}, { iterations: 1 })).iterations, 1);
  const simulator = new Simulator(writes(), { edges: TRIANGLE });
  const told = { name: "ProgramError", message: says, vertex: undefined, iteration: 1 };
  await assert.rejects(simulator.run(), told);
  // It has failed, and not ended.
  assert.throws(() => simulator.step(), told);
  assert.equal(simulator.ran().ended, false);
});

/** A harness whose VERTEX frames are changed before the program is given them, and looked at afterwards. */
class Changed extends VertexHarness {
  constructor(program, change, look = () => {}) {
    super(program, { edges: TRIANGLE });
    Object.assign(this, { change, look });
  }
  async call(frame, bytes, ...more) {
    const isVertex = this.memory.u32(frame) >>> 16 === Kind.VERTEX;
    if (isVertex) this.change(this.memory, frame);
    await super.call(frame, bytes, ...more);
    if (isVertex) this.look(this.memory, frame);
  }
}

test("a program without hooks answers what it is asked of an interval, and so does one whose hooks are null", async () => {
  const phase = (memory, frame) => memory.u32(frame + VertexFrame.phase);
  const hooks = { beforeInterval: null, afterInterval: null, repeatUpdates: undefined, beforeIteration: null, afterIteration: null };
  for (const mine of [program({}), program(hooks), program({ afterInterval() {} }), program({ repeatUpdates() {} })]) {
    const answers = [];
    const change = (memory, frame) => memory.setU32(frame + VertexFrame.ended, 7);
    const look = (memory, frame) => phase(memory, frame) === Phase.INTERVAL && answers.push(memory.u32(frame + VertexFrame.ended));
    await new Changed(mine, change, look).run({ iterations: 3 });
    // An iteration's end is answered as well, so that there are others.
    assert.deepEqual(answers, [0, 0, 0]);
  }
});

test("an older engine's frames say nothing of intervals, and a newer one's what is not known", async () => {
  const { told, program: mine } = telling(1);
  const old = (memory, frame) => {
    const isInterval = memory.u32(frame + VertexFrame.phase) === Phase.INTERVAL;
    // It would send none of these.
    memory.setU32(frame + FrameHead.size, isInterval ? VertexFrame.$bytes : VertexFrame.intervalFirst);
  };
  await new Changed(mine, old).run({ iterations: 1 });
  assert.deepEqual(told.map(([what]) => what), ["iteration", "update", "after", "again", "done"]);
  const short = (memory, frame) => memory.setU32(frame + FrameHead.size, VertexFrame.pass);
  await assert.rejects(new Changed(program({}), short).run(), { item: undefined, message: /^a frame about an interval does not say which/ });
  const unknown = (memory, frame) => memory.setU32(frame + VertexFrame.phase, 4);
  await assert.rejects(new Changed(program({}), unknown).run(), { item: undefined, message: /^a frame's phase is 4, which this SDK does not know/ });
});

test("what is seen of memory has the whole of any frame", () => {
  const sizes = Object.values(abi).map(({ $bytes }) => $bytes ?? 0);
  assert.ok(sizes.includes(VertexFrame.$bytes));
  assert.equal(LARGEST_FRAME, Math.max(...sizes));
});

test("steps go through further passes as through the first", () => {
  const twice = program({ repeatUpdates: ({ pass }) => pass === 0 }, { update: (vertex) => vertex.show(vertex.shown + 1) });
  const simulator = new Simulator(twice, { edges: TRIANGLE });
  const seen = [];
  for (const { what, iteration, vertex, before, shows, done } of simulator.steps()) {
    seen.push([what, iteration, vertex, before, shows, done?.updated]);
    if (iteration === 1) break;
  }
  assert.deepEqual(seen, [
    ...[0, 1, 2].map((id) => ["start", 0, id, undefined, 0, undefined]),
    ...[0, 1, 2].map((id) => ["update", 0, id, 0, 1, undefined]),
    ...[0, 1, 2].map((id) => ["update", 0, id, 1, 2, undefined]),
    ["after", 0, -1, undefined, undefined, 6],
    ["update", 1, 0, 2, 3, undefined],
  ]);
});

test("a debugger stops in each pass", () => {
  const text = `
    const inspector = await import("node:inspector");
    const { Simulator } = await import("upcall/simulator");
    const session = new inspector.Session();
    session.connect();
    const stops = [];
    let at;
    session.on("Debugger.paused", () => stops.push(at));
    session.post("Debugger.enable");
    class Twice {
      static shown = "u32";
      beforeInterval({ iteration, pass }) { at = [iteration, pass]; }
      update() {}
      repeatUpdates({ pass }) { return pass === 0; }
    }
    await new Simulator(Twice, { edges: [[0, 1], [1, 2]], breakAt: [1] }).run({ iterations: 2 });
    console.log(JSON.stringify(stops));`;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", text], { cwd, encoding: "utf8", timeout: 30_000 });
  assert.equal(stdout.trim(), "[[0,0],[0,1],[1,0],[1,1]]", stderr);
});
