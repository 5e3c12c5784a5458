import assert from "node:assert/strict";
import test from "node:test";
import { Woken } from "../build/graph/woken.js";
import { Components, Labels, PageRank, PageRankGather, ShortestPaths } from "../../../examples/graph/node/programs.mjs";
import { Failed, Harness, VertexHarness } from "upcall/testing";
import { components, distances, edges, labels, pageRank } from "./graph.js";

/** A program that shows nothing but numbers of a type, with this update. */
function shows(update, says = {}) {
  class Shows {
    update(vertex, context) {
      update(vertex, context);
    }
  }
  return new (Object.assign(Shows, { shown: "f64", ...says }))();
}

const TRIANGLE = [[0, 1], [1, 2], [2, 0], [0, 2]];
const run = (program, options = {}, how = {}) => new VertexHarness(program, { edges: TRIANGLE, ...options }).run({ iterations: 1, ...how });
const fails = (program, expected, options) => assert.rejects(run(program, options), expected);

for (const directed of [true, false]) {
  for (const interval of [1024, 4096]) {
    const vertices = 2200;
    const list = edges(7, vertices, 7000);
    const given = { edges: list, vertices, directed };
    const name = `${directed ? "directed" : "undirected"}, ${interval} vertices at once`;

    test(`PageRank, its form with sums, and a plain loop have the same bits: ${name}`, async () => {
      const expected = pageRank(list, vertices, directed);
      assert.deepEqual(await new VertexHarness(new PageRank(), given).run({ interval }), expected);
      assert.deepEqual(await new VertexHarness(new PageRankGather(), given).run({ interval }), expected);
    });

    test(`components, paths and labels are those of plain loops: ${name}`, async () => {
      const found = await new VertexHarness(new Components(), given).run({ interval });
      assert.deepEqual(found.shown, components(list, vertices));
      const paths = await new VertexHarness(new ShortestPaths(), { ...given, settings: { from: "5" } }).run({ interval });
      assert.deepEqual(paths.shown, distances(list, vertices, directed, 5));
      const spread = await new VertexHarness(new Labels(), given).run({ interval, iterations: 4 });
      assert.deepEqual(spread.shown, labels(list, vertices, directed, 4));
    });
  }
}

test("a cycle of negative length ends shortest paths, and a setting that is no vertex does not open", async () => {
  const harness = new VertexHarness(new ShortestPaths(), { edges: [[0, 1, 1], [1, 2, -3], [2, 0, 1]] });
  assert.equal((await harness.run()).iterations, 5);
  assert.match(harness.logged[0][1], /negative/);
  const options = { edges: [[0, 1, 1]], settings: { from: "7" } };
  await assert.rejects(new VertexHarness(new ShortestPaths(), options).run(), /from is 7, and the graph has 2 vertices/);
  await assert.rejects(new VertexHarness(new ShortestPaths(), { edges: [[0, 1]] }).run(), /edge 0 has no value/);
  await assert.rejects(new VertexHarness(new PageRank(), { edges: TRIANGLE, settings: { damping: "much" } }).run(), /damping is much/);
});

test("a program says what it is", async () => {
  class Everything {
    static own = "u32";
    static shown = "i64";
    static edge = "f32";
    static outgoing = true;
    static selective = true;
    static gather = "min";
    static parameters = { depth: { type: "u32", default: 3 } };
    apply() {}
  }
  assert.deepEqual(await new VertexHarness(new Everything(), { edges: [] }).describe(), [
    [1, "VERTEX", "18"],
    [2, "gather", ""],
    [9, "own", "u32"],
    [9, "shown", "i64"],
    [9, "edge", "f32"],
    [10, "outgoing", ""],
    [10, "selective", ""],
    [11, "min", ""],
    [8, "depth", "u32\n=3\n"],
  ]);
  class Least {
    static shown = "f32";
    interval() {}
  }
  const said = await new VertexHarness(new Least(), { edges: [] }).describe();
  assert.deepEqual(said, [[1, "VERTEX", "18"], [2, "interval", ""], [9, "shown", "f32"]]);
});

test("what is declared wrongly is told, with what to write", () => {
  const wrong = (of, says) => assert.throws(() => new VertexHarness(new of(), { edges: [] }), { name: "TypeError", message: says });
  wrong(class A { update() {} }, /A is not a handler: it has update and does not say what vertices show: write static shown = "f64"/);
  wrong(class { static shown = "u8"; update() {} }, /its static shown is u8: write one of f32, f64, i32, i64, u32, u64/);
  wrong(class { static shown = "f64"; static own = "text"; update() {} }, /its static own is text/);
  wrong(class { static shown = "f64"; static edge = 8; update() {} }, /its static edge is 8/);
  wrong(class { static shown = "f64"; static outgoing = "yes"; update() {} }, /its static outgoing is yes: write true/);
  wrong(class { static shown = "f64"; update() {} apply() {} }, /it has update and apply: keep one/);
  wrong(class { static shown = "f64"; apply() {} }, /it does not say by what to gather: write static gather = "sum"/);
  wrong(class { static shown = "f64"; static gather = "product"; apply() {} }, /its static gather is product/);
  wrong(class { static shown = "f64"; static gather = "sum"; update() {} }, /it has static gather and update/);
  wrong(class { static shown = "f64"; async update() {} }, /its update is async/);
  wrong(class { static shown = "f64"; update() {} async start() {} }, /its start is async/);
  wrong(class {}, /it has neither onObject.* nor update\(vertex, context\) nor apply\(vertex, gathered, context\) nor interval/);
  class Flow {
    onObject() {}
    // A method of its own, by a name that programs have.
    update() {}
  }
  new Harness(new Flow());
  assert.throws(() => new VertexHarness(new Flow(), { edges: [] }), /Flow is no vertex program: use Harness/);
  assert.throws(() => new Harness(shows(() => {})), /is a vertex program: use VertexHarness/);
});

test("a vertex sees its neighbours in ascending order, their values and its degrees", async () => {
  const seen = [];
  const program = shows(({ id, incoming, outgoing, inDegree, outDegree }) => {
    const side = (edges) => Array.from({ length: edges.length }, (_, at) => [edges.id(at), edges.value(at)]);
    seen.push([id, inDegree, outDegree, side(incoming), side(outgoing)]);
  }, { edge: "i32", outgoing: true });
  await run(program, { edges: [[2, 0, 7], [1, 0, -1], [0, 2, 5], [1, 0, 3], [3, 3, 9]] });
  assert.deepEqual(seen, [
    [0, 3, 1, [[1, -1], [1, 3], [2, 7]], [[2, 5]]],
    [1, 0, 2, [], [[0, -1], [0, 3]]],
    [2, 1, 1, [[0, 5]], [[0, 7]]],
    [3, 1, 1, [[3, 9]], [[3, 9]]],
  ]);
});

test("what a vertex shows is seen one iteration later, and stays until another is shown", async () => {
  class Counts {
    static own = "u32";
    static shown = "i32";
    start(vertex) {
      assert.equal(vertex.shown, 0);
      vertex.show(vertex.id + 1);
      assert.equal(vertex.shown, 0);
      vertex.own = vertex.id;
      assert.equal(vertex.own, vertex.id);
    }
    update(vertex, { iteration }) {
      if (iteration === 0) vertex.show(10 * vertex.shown);
      vertex.own += vertex.incoming.shown(0);
    }
  }
  const chain = [[0, 0], [0, 1], [1, 2]];
  const ran = await run(new Counts(), { edges: chain }, { iterations: 3 });
  assert.deepEqual(ran.shown, Int32Array.of(10, 20, 30));
  assert.deepEqual(ran.own, Uint32Array.of(0 + 1 + 10 + 10, 1 + 1 + 10 + 10, 2 + 2 + 20 + 20));
  assert.equal(ran.iterations, 3);
});

test("each type of numbers is kept and shown as it is, and what it has not is an error", async () => {
  const types = {
    f32: [1.5, -Infinity, NaN], f64: [Math.PI, NaN], i32: [-(2 ** 31), 2 ** 31 - 1, -0], u32: [2 ** 32 - 1],
    i64: [-(2n ** 63n), 5], u64: [2n ** 64n - 1n, 2 ** 53 - 1],
  };
  const arrays = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u32: Uint32Array, i64: BigInt64Array, u64: BigUint64Array };
  const misfits = { f32: [1e300, 1n, "1", undefined], f64: [1n, null], i32: [0.5, 2 ** 31, NaN, 1n], u32: [-1, 2 ** 32], i64: [2n ** 63n, 0.5], u64: [-1n, -1] };
  for (const [type, values] of Object.entries(types)) {
    for (const value of values) {
      const ran = await run(shows((vertex) => {
        vertex.own = value;
        vertex.show(vertex.own);
      }, { own: type, shown: type }));
      const expected = arrays[type].from([value, value, value], (one) => (type.endsWith("64") && type !== "f64" ? BigInt(one) : one));
      assert.deepEqual(ran.shown, expected);
      assert.deepEqual(ran.own, expected);
    }
    for (const value of misfits[type]) {
      const said = new RegExp(`vertex 0: show: .* is not a value of the type ${type}`);
      await fails(shows((vertex) => vertex.show(value), { shown: type }), said);
      await fails(shows((vertex) => (vertex.own = value), { own: type }), new RegExp(`vertex 0: own: .* type ${type}`));
    }
  }
});

test("an index that no neighbour has is an error that names the vertex, and so is what a class does not declare", async () => {
  for (const index of [2, -1, 0.5, NaN, "0", undefined]) {
    for (const ask of [(edges) => edges.shown(index), (edges) => edges.id(index)]) {
      const program = shows(({ id, incoming }) => id === 2 && ask(incoming));
      await fails(program, { name: "Failed", typeName: "RangeError", item: 2, message: /^vertex 2 has 2 incoming neighbours, and .* was asked for$/ });
    }
  }
  await fails(shows(({ outgoing }) => outgoing.id(2), { outgoing: true }), /vertex 0 has 2 outgoing neighbours, and 2 was asked for/);
  await fails(shows(({ id, incoming }) => id === 1 && incoming.value(1), { edge: "f64" }), /vertex 1 has 1 incoming neighbour, and 1/, { edges: [[0, 1, 1]] });
  await fails(shows(({ incoming }) => incoming.value(0)), /does not declare values of edges: write static edge = "f64"/);
  await fails(shows(({ outgoing }) => outgoing), /does not declare outgoing edges: write static outgoing = true/);
  await fails(shows(({ own }) => own), /does not declare own: write static own = "f64"/);
  await fails(shows((vertex) => (vertex.own = 1)), /does not declare own/);
});

test("at the start a vertex has degrees and no edges", async () => {
  class Starts {
    static shown = "u32";
    static outgoing = true;
    constructor(look) {
      this.look = look;
    }
    start(vertex) {
      vertex.show(100 * vertex.inDegree + vertex.outDegree);
      this.look?.(vertex);
    }
    update() {}
  }
  assert.deepEqual((await run(new Starts())).shown, Uint32Array.of(102, 101, 201));
  await fails(new Starts(({ incoming }) => incoming), /incoming edges of vertex 0: at the start/);
  await fails(new Starts(({ outgoing }) => outgoing), /outgoing edges of vertex 0: at the start/);
  // Without a start, all is 0.
  assert.deepEqual((await run(shows(() => {}))).shown, new Float64Array(3));
});

test("a cursor that is kept says that its call is over", async () => {
  let kept;
  await run(shows((vertex, context) => (kept = { vertex, context, incoming: vertex.incoming }), { own: "f64" }));
  for (const use of [
    ({ vertex }) => vertex.own, ({ vertex }) => (vertex.own = 1), ({ vertex }) => vertex.shown, ({ vertex }) => vertex.show(1),
    ({ vertex }) => vertex.outDegree, ({ vertex }) => vertex.inDegree, ({ vertex }) => vertex.schedule(),
    ({ incoming }) => incoming.length, ({ incoming }) => incoming.shown(0), ({ incoming }) => incoming.id(0),
    ({ context }) => context.addResidual(1), ({ context }) => context.addTotal(1),
  ]) assert.throws(() => use(kept), /was used after its call had ended/);
  assert.equal(kept.vertex.id, 2);
});

test("what an update throws names its place among those that were handed over, and the program's own lines", async () => {
  class Mistake extends Error {}
  const program = shows(({ id }) => {
    if (id === 1500) throw new Mistake("here");
  });
  const failing = new VertexHarness(program, { edges: [], vertices: 2000 }).run();
  await assert.rejects(failing, (failed) => {
    assert.ok(failed instanceof Failed);
    assert.deepEqual([failed.typeName, failed.message, failed.item], ["Mistake", "here", 1500 - 1024]);
    assert.match(failed.trace, /vertex\.test\.js/);
    assert.doesNotMatch(failed.trace, /driver|build/);
    return true;
  });
});

test("the context has the graph, the iteration and the sums, made in blocks", async () => {
  const vertices = 2500;
  const amount = (id) => 1 / (id + 1);
  const seen = [];
  class Sums {
    static shown = "f64";
    open({ vertices, edges, directed, name, log }) {
      log.info(`${name} ${vertices} ${edges} ${directed}`);
    }
    start({ id }, context) {
      context.addTotal(amount(id));
    }
    update({ id }, context) {
      if (id === 0) seen.push([context.iteration, context.total, context.vertices, context.edges, context.directed]);
      context.addResidual(amount(id));
      context.addResidual(1);
      context.addTotal(-amount(id));
    }
    afterIteration(iteration) {
      seen.push(iteration);
      return iteration.number === 1;
    }
  }
  const harness = new VertexHarness(new Sums(), { edges: TRIANGLE, vertices, directed: false });
  assert.equal((await harness.run()).iterations, 2);
  assert.deepEqual(harness.logged, [[3, "handler 2500 8 false"]]);
  const sum = (add) => {
    let all = 0;
    for (let first = 0; first < vertices; first += 1024) {
      let block = 0;
      for (let id = first; id < Math.min(first + 1024, vertices); id++) for (const one of add(id)) block += one;
      all += block;
    }
    return all;
  };
  const total = sum((id) => [amount(id)]);
  const residual = sum((id) => [amount(id), 1]);
  const done = (number) => ({ number, updated: vertices, scheduled: vertices, residual, total: -total });
  assert.deepEqual(seen, [[0, total, vertices, 8, false], done(0), [1, -total, vertices, 8, false], done(1)]);
});

test("beforeIteration is called once before the vertices of an iteration, and does not answer later", async () => {
  const seen = [];
  const before = (answer, update = () => {}) => Object.assign(shows(update), { beforeIteration: answer });
  const program = before((...told) => void seen.push(told), ({ id }, context) => {
    seen.push(id);
    context.addTotal(id);
  });
  await run(program, { vertices: 1025 }, { interval: 1024, iterations: 2 });
  const ids = Array.from({ length: 1025 }, (_, id) => id);
  assert.deepEqual(seen, [[0, 0], ...ids, [1, 1024 * 1025 / 2], ...ids]);
  await fails(before(async () => {}), /beforeIteration returned a promise/);
  await fails(before(() => { throw new Error("before"); }), { message: "before", item: undefined });
});

test("afterIteration says whether it was the last, now or later, and nothing else", async () => {
  const after = (answer) => Object.assign(shows(() => {}), { afterIteration: answer });
  assert.equal((await run(after(() => {}), {}, { iterations: 3 })).iterations, 3);
  assert.equal((await run(after(async ({ number }) => number === 1), {}, { iterations: 9 })).iterations, 2);
  await fails(after(() => 1), /afterIteration returned 1: return true/);
  await fails(after(async () => "yes"), /afterIteration returned the text "yes"/);
  await fails(after(() => { throw new Error("after"); }), { message: "after", item: undefined });
  await fails(shows((_, context) => context.addResidual("1")), /addResidual: the text "1" is not a number/);
  await fails(shows((_, context) => context.addTotal(1n)), /addTotal: the bigint 1n is not a number/);
});

test("a selective program is called where something has changed, and where it has said so", async () => {
  const seen = [];
  class Wakes {
    static shown = "u32";
    static selective = true;
    start(vertex) {
      if (vertex.id === 0) vertex.schedule();
    }
    update(vertex, { iteration }) {
      seen.push([iteration, vertex.id]);
      if (iteration === 0) {
        vertex.show(1);
        vertex.schedule();
        vertex.schedule(9);
        for (let times = 0; times < 50; times++) vertex.schedule(5);
      }
      if (vertex.id === 9) vertex.schedule(100);
    }
  }
  const edges = [[0, 3], [0, 1200], [1, 2], [9, 1]];
  const options = { edges, vertices: 1300 };
  const program = new Wakes();
  const expected = /^Failed: schedule vertex 1300: the graph has 1300 vertices$/;
  await run(program, options, { iterations: 9 });
  assert.deepEqual(seen, [[0, 0], [1, 0], [1, 3], [1, 5], [1, 9], [1, 1200], [2, 100]]);
  for (const [id, says] of [[1300, expected], [-1, /vertex -1/], [0.5, /vertex 0.5/], ["1", /schedule the text "1"/], [1n, /bigint/]]) {
    class Strays extends Wakes {
      update(vertex) {
        vertex.schedule(id);
      }
    }
    await fails(new Strays(), says, options);
  }
  // Where all are updated it would have no effect.
  await fails(shows((vertex) => vertex.schedule(1)), /does not declare selective, so schedule has no effect.*: write static selective = true/);
});

test("a program with outgoing edges is woken along both directions", async () => {
  const update = (outgoing) => {
    const seen = [];
    class Once {
      static shown = "u32";
      static selective = true;
      static outgoing = outgoing;
      start(vertex) {
        if (vertex.id === 1) vertex.schedule();
      }
      update(vertex, { iteration }) {
        seen.push([iteration, vertex.id]);
        if (iteration === 0) vertex.show(1);
      }
    }
    return { program: new Once(), seen };
  };
  for (const [outgoing, directed, expected] of [
    [false, true, [[0, 1], [1, 2]]], [true, true, [[0, 1], [1, 0], [1, 2]]], [true, false, [[0, 1], [1, 0], [1, 2]]],
  ]) {
    const { program, seen } = update(outgoing);
    await run(program, { edges: [[0, 1], [1, 2]], directed }, { iterations: 5 });
    assert.deepEqual(seen, expected);
  }
});

test("room for scheduled vertices that is full keeps each once, and then fails", () => {
  const woken = new Woken();
  const words = new Uint32Array(6);
  woken.begin(words, 1, 4);
  for (const id of [7, 3, 7, 7, 3, 9, 9]) woken.add(id);
  assert.equal(woken.count, 4);
  assert.deepEqual(new Set(words.subarray(1, 5)), new Set([3, 7, 9]));
  woken.add(1);
  assert.deepEqual([woken.count, ...words], [4, 0, 3, 7, 9, 1, 0]);
  assert.throws(() => woken.add(8), /4 are scheduled in this frame already/);
});

test("memory that has become larger between two frames changes nothing", async () => {
  const list = edges(5, 100, 400);
  let harness;
  class Grows extends PageRank {
    afterIteration(iteration) {
      // As when an engine puts a frame where no other was before.
      if (iteration.number === 2) harness.give(8 << 20);
      return super.afterIteration(iteration);
    }
  }
  harness = new VertexHarness(new Grows(), { edges: list, vertices: 100 });
  assert.deepEqual(await harness.run(), pageRank(list, 100, true));
});

test("a list of edges that is no graph is refused", () => {
  const graph = (options) => () => new VertexHarness(shows(() => {}), options);
  assert.throws(graph({ edges: [[0, 1], [1, -1]] }), /edge 1: -1 is not a vertex/);
  assert.throws(graph({ edges: [["a", 1]] }), /edge 0: the text "a" is not a vertex/);
  assert.throws(graph({ edges: [[0, 5]], vertices: 5 }), /a graph of 5 vertices, and its edges name 5: give 6 or more/);
});
