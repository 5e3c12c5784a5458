import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Components, Labels, PageRank, PageRankGather, ShortestPaths } from "../../../examples/graph/node/programs.mjs";
import { ProgramError, readEdges, Simulator } from "upcall/simulator";
import { VertexHarness } from "upcall/testing";
import { edges } from "./graph.js";

const TRIANGLE = [[0, 1], [1, 2], [2, 0], [0, 2]];

/** A class with this update. */
function of(update, says = {}) {
  class Program {
    update(vertex, context) {
      update.call(this, vertex, context);
    }
  }
  return Object.assign(Program, { shown: "f64", ...says });
}

const fails = (program, expected, options = {}) => assert.rejects(new Simulator(program, { edges: TRIANGLE, ...options }).run({ iterations: 3 }), expected);

/** Sums of neighbours, an interval at a time. */
class Sums {
  static own = "f64";
  static shown = "f64";
  start(vertex) {
    vertex.show(1 / (vertex.id + 1));
  }
  interval(vertices) {
    const { next, shown, own, incoming: { begins, ends, at } } = vertices;
    for (let k = 0; k < vertices.length; k++) {
      let sum = 0;
      for (let e = begins[k]; e < ends[k]; e++) sum += shown[at[e]];
      own[k] += sum;
      next[k] = sum / (sum + vertices.id(k) + 1);
      vertices.addResidual(k, sum);
    }
  }
}

test("a program has the same bits as in the engine's driver", async () => {
  const vertices = 1300;
  for (const directed of [true, false]) {
    const given = { edges: edges(3, vertices, 4000), vertices, directed, settings: { from: "3" } };
    for (const [program, iterations] of [
      [PageRank, 6], [PageRankGather, 6], [Components, Infinity], [ShortestPaths, Infinity], [Labels, 4], [Sums, 6],
    ]) {
      const expected = await new VertexHarness(new program(), given).run({ iterations });
      for (const how of program === Sums ? [{}, { interval: 1024 }] : [{}]) {
        const { ended, ...ran } = await new Simulator(program, { ...given, ...how }).run({ iterations });
        assert.deepEqual(ran, expected, program.name);
        assert.equal(ended, iterations === Infinity);
      }
    }
  }
});

test("it goes on from step to step, and from run to run", async () => {
  const options = { edges: TRIANGLE };
  const simulator = new Simulator(new PageRank(), options);
  const seen = [];
  for (const step of simulator.steps()) {
    seen.push(step);
    if (step.iteration === 1 && step.vertex === 1) break;
  }
  assert.deepEqual(seen.map(({ what, iteration, vertex }) => `${what} ${iteration} ${vertex}`), [
    "start 0 0", "start 0 1", "start 0 2", "update 0 0", "update 0 1", "update 0 2", "after 0 -1", "update 1 0", "update 1 1",
  ]);
  const { before, shows, own, vertices } = seen[3];
  assert.deepEqual([seen[0].before, seen[0].shows, seen[0].own, before, vertices], [undefined, 1 / 6, 1 / 3, 1 / 6, [0]]);
  assert.equal(shows, own / 2);
  assert.equal(seen[6].done.updated, 3);
  assert.equal(simulator.ran().iterations, 1);

  const whole = await new Simulator(PageRank, options).run({ iterations: 12 });
  await simulator.run({ iterations: 5 });
  assert.deepEqual(await simulator.run({ iterations: 6 }), whole);
  const { ended, iterations } = await simulator.run();
  assert.deepEqual([ended, (await simulator.run()).iterations, simulator.step()], [true, iterations, undefined]);
});

test("NaN that is shown or kept is an error that names the vertex, unless it is allowed", async () => {
  const nan = of((vertex) => vertex.id === 1 && vertex.show(0 / 0));
  await fails(nan, { name: "ProgramError", vertex: 1, iteration: 0, message: "vertex 1 in iteration 0: RangeError: vertex 1: show: the value is NaN" });
  const kept = of((vertex) => (vertex.own = Number(undefined)), { own: "f32" });
  await fails(kept, /vertex 0: own: the value is NaN/);
  await new Simulator(nan, { edges: TRIANGLE, allowNaN: true }).run({ iterations: 1 });
  class Interval {
    static shown = "f64";
    interval(vertices) {
      vertices.next[2] = NaN;
    }
  }
  await fails(Interval, /in iteration 0: RangeError: vertex 2: next: the value is NaN/);
  await new Simulator(Interval, { edges: TRIANGLE, allowNaN: true }).run({ iterations: 1 });
});

test("NaN that is added to a sum is an error that names the vertex, unless it is allowed", async () => {
  for (const sum of ["addResidual", "addTotal"]) {
    const says = { name: "ProgramError", vertex: 1, iteration: 1, message: `vertex 1 in iteration 1: RangeError: vertex 1: ${sum}: the value is NaN` };
    const adds = of(({ id }, context) => context[sum](id === 1 && context.iteration === 1 ? 0 / 0 : Infinity));
    await fails(adds, says);
    class Starts {
      static shown = "f64";
      start({ id }, context) {
        context[sum](id === 2 ? NaN : 1);
      }
      update() {}
    }
    await fails(Starts, { vertex: 2, iteration: undefined, message: `vertex 2 at the start: RangeError: vertex 2: ${sum}: the value is NaN` });
    class Interval {
      static shown = "f64";
      interval(vertices) {
        for (let k = 0; k < vertices.length; k++) vertices[sum](k, k === 1 ? NaN : 1);
      }
    }
    await fails(Interval, { vertex: undefined, iteration: 0, message: `in iteration 0: RangeError: vertex 1: ${sum}: the value is NaN` });
    for (const program of [adds, Starts, Interval]) {
      await new Simulator(program, { edges: TRIANGLE, allowNaN: true }).run({ iterations: 2 });
    }
  }
});

test("a vertex that is used after its own update is an error that says which", async () => {
  for (const [use, what] of [
    [(kept) => kept.show(1), "show"], [(kept) => (kept.own = 1), "own"], [(kept) => kept.own, "own"],
    [(kept) => kept.edges.shown(0), "incoming"], [(kept) => kept.schedule(), "schedule"],
  ]) {
    let kept;
    const program = of((vertex) => {
      if (vertex.id === 0) kept = Object.assign(vertex, { edges: vertex.incoming });
      if (vertex.id === 2) use(kept);
    }, { own: "f64" });
    await fails(program, new RegExp(`vertex 2 in iteration 0: Error: ${what} of vertex 0 was used while vertex 2 is updated`));
  }
});

test("an interval that writes what is not its own is told where", async () => {
  const program = (write) => {
    class Writes {
      static shown = "f64";
      static own = "u32";
      static edge = "f64";
      interval(vertices) {
        write(vertices);
      }
    }
    return Writes;
  };
  const edges = [[0, 1, 1], [1, 2, 2]];
  await fails(program(({ before }) => (before[1] = 5)), /what vertices showed of vertex 1 was written: a program writes own and next/, { edges });
  await fails(program(({ shown }) => (shown[2] = 5)), /what vertices showed of vertex 2 was written/, { edges });
  await fails(program(({ outDegrees }) => (outDegrees[0] = 5)), /outDegrees of vertex 0 was written/, { edges });
  await fails(program(({ incoming }) => (incoming.values[1] = 5)), /values of edges at 1 was written/, { edges });
  await fails(program(({ incoming }) => (incoming.ids[0] = 2)), /ids of incoming edges at 0 was written/, { edges });
  await new Simulator(program(({ own, next }) => own.fill(3) && next.fill(4)), { edges }).run({ iterations: 2 });
});

test("an index that an array of an interval does not have is an error", async () => {
  for (const [use, says] of [
    [({ next }) => (next[3] = 1), /next of the interval has 3 elements, and 3 was asked for/],
    [({ shown }) => shown[-1], /shown of the interval has 3 elements, and -1/],
    [({ incoming }) => incoming.at[0.5], /at of the interval has 4 elements, and 0.5/],
    [({ own }) => own[NaN], /own of the interval has 3 elements, and NaN/],
    [({ own }) => own[undefined], /and undefined was asked for/],
    [() => {}, undefined],
  ]) {
    class Uses {
      static shown = "f64";
      static own = "f32";
      interval(vertices) {
        use(vertices);
        // All that arrays are otherwise.
        const { next, own } = vertices;
        assert.ok(next instanceof Float64Array && next.length === 3 && next.subarray(1).length === 2);
        next.set(own);
        next.fill(2, 1);
        assert.deepEqual([...next].concat(Array.from(own)), [0, 2, 2, 0, 0, 0]);
      }
    }
    if (says === undefined) await new Simulator(Uses, { edges: TRIANGLE }).run({ iterations: 1 });
    else await fails(Uses, says);
  }
});

test("what a program throws is the cause of what the simulator throws, once and from then on", async () => {
  const mistake = new Error("mine");
  const simulator = new Simulator(of(({ id }) => { if (id === 1) throw mistake; }), { edges: TRIANGLE });
  const told = (error) => error instanceof ProgramError && error.cause === mistake && error.vertex === 1;
  await assert.rejects(simulator.run(), told);
  assert.throws(() => simulator.step(), told);
  await fails(of(({ incoming }) => incoming.shown(7)), /vertex 0 in iteration 0: RangeError: vertex 0 has 1 incoming neighbour, and 7/);
  await fails(of(({ own }) => own), /TypeError: this program does not declare own/);
  class Starts {
    static shown = "u32";
    start(vertex) {
      vertex.show(-1);
    }
    update() {}
  }
  await fails(Starts, { vertex: 0, iteration: undefined, message: /^vertex 0 at the start: TypeError: .* -1 is not a value of the type u32/ });
  assert.throws(() => new Simulator(class { onObject() {} }, { edges: [] }), /it has onObject/);
  assert.throws(() => new Simulator(class {}, { edges: [] }), /is no vertex program: it has neither/);
  assert.throws(() => new Simulator(Sums, { edges: [], interval: 5 }), /an interval of 5 vertices: give a multiple of 1024/);
});

test("a program that answers later is waited for by a run, and not by a step", async () => {
  class Later {
    static shown = "u32";
    async open(context) {
      await undefined;
      this.vertices = context.vertices;
      context.log.warn("open");
    }
    async interval({ next }) {
      await undefined;
      next.fill(this.vertices);
    }
    async afterIteration({ number }) {
      return number === 1;
    }
  }
  const simulator = new Simulator(Later, { edges: TRIANGLE });
  assert.deepEqual(await simulator.run(), { iterations: 2, ended: true, own: undefined, shown: Uint32Array.of(3, 3, 3), edges: undefined });
  assert.deepEqual(simulator.logged, [[2, "open"]]);
  assert.throws(() => new Simulator(Later, { edges: TRIANGLE }).step(), /open answers later, and a step does not wait: use run\(\)/);
});

test("edges are read from a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "upcall-simulator-"));
  try {
    const file = join(folder, "links.txt");
    writeFileSync(file, "# from to value\n0 1 2.5\n\n% another\n 1\t2  -1e3\r\n2,0,inf\n".replace("inf", "Infinity"));
    const expected = [[0, 1, 2.5], [1, 2, -1000], [2, 0, Infinity]];
    assert.deepEqual(readEdges(file), expected);
    const options = { settings: { from: "0" } };
    const ran = await new Simulator(ShortestPaths, { edges: file, ...options }).run();
    assert.deepEqual(ran, await new Simulator(ShortestPaths, { edges: expected, ...options }).run());
    writeFileSync(file, "0 1 9007199254740993\n");
    assert.deepEqual(readEdges(file, { bigints: true }), [[0, 1, 9007199254740993n]]);
    for (const [text, says] of [["0 1\n0\n", /line 2: the text "0" is no edge/], ["0 -1\n", /line 1/], ["0 1 x\n", /line 1: the text "x" is no value/], ["0 1 2 3", /is no edge/]]) {
      writeFileSync(file, text);
      assert.throws(() => readEdges(file), says);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("it needs no native code, and a debugger stops before the vertices that it is told", () => {
  const program = `
    const native = [];
    const dlopen = process.dlopen;
    process.dlopen = (...given) => { native.push(given[1]); return dlopen(...given); };
    const inspector = await import("node:inspector");
    const { Simulator } = await import("upcall/simulator");
    const session = new inspector.Session();
    session.connect();
    let now = -1;
    const stops = [];
    session.on("Debugger.paused", () => stops.push(now));
    session.post("Debugger.enable");
    class Counts {
      static shown = "u32";
      start(vertex) { vertex.show(2); }
      update(vertex) { now = vertex.id; vertex.show(1); }
    }
    await new Simulator(Counts, { edges: [[0, 1], [1, 2], [2, 3]], breakAt: [1, 3] }).run({ iterations: 2 });
    console.log(JSON.stringify([stops, native]));`;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { cwd, encoding: "utf8", timeout: 30_000 });
  assert.equal(stdout.trim(), "[[0,2,0,2],[]]", stderr);
});
