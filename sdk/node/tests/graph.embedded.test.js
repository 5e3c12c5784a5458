// Vertex programs of this program's own, by the engine: closures, classes and instances over a mapped graph.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { Graph, GraphError } from "../build/graph.js";
import { Simulator } from "../build/simulator.js";
import { PageRank, PageRankEdges, ShortestPaths } from "../../../examples/graph/node/programs.mjs";
import { build } from "./graphs.js";

const folder = mkdtempSync(join(tmpdir(), "upcall-graph-"));
after(() => rmSync(folder, { recursive: true }));

/** A graph of 3,000 vertices with some hubs, and the list that it is made from. */
const edges = (() => {
  let number = 7;
  const any = (below) => ((number = (number * 1103515245 + 12345) % 2 ** 31) >>> 8) % below;
  const all = new Map();
  for (let index = 0; index < 9000; index++) {
    const edge = [any(3000), index % 4 === 0 ? any(5) : any(3000), 1 + any(9)];
    all.set(`${edge[0]} ${edge[1]}`, edge);
  }
  all.set("2999 2998", [2999, 2998, 1]);
  return [...all.values()];
})();
const list = join(folder, "list.txt");
writeFileSync(list, edges.map((edge) => edge.join(" ")).join("\n"));
const graph = Graph.map(build(list, join(folder, "list.graph"), "--values", "f64"));

test("a graph says what it is", () => {
  assert.deepEqual([graph.vertices, graph.edges, graph.directed, graph.nameOf(17)], [3000, edges.length, true, "17"]);
  assert.throws(() => graph.nameOf(3000), /the graph has 3000 vertices/);
  assert.throws(() => graph.nameOf("x"), /is the number of none/);
  assert.throws(() => Graph.map(join(folder, "none.graph")), { name: "GraphError", kind: "file", message: /none.graph/ });
  assert.throws(() => Graph.map(list), { name: "GraphError", kind: "file" });
  assert.throws(() => Graph.map(5), TypeError);
});

test("classes and instances come to what the simulator does, to the bit", async () => {
  for (const [program, settings] of [[PageRank, { damping: 0.8 }], [PageRankEdges, { damping: 0.8 }], [ShortestPaths, { from: 3 }]]) {
    const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    const wanted = await new Simulator(program, { edges, vertices: 3000, settings: texts }).run();
    for (const given of [program, new program()]) {
      const found = await graph.run(given, { settings });
      assert.equal(found.iterations, wanted.iterations);
      assert.deepEqual(found.shown, wanted.shown);
      assert.deepEqual(found.own, wanted.own);
      assert.deepEqual(found.edges, wanted.edges);
    }
  }
});

test("in Gauss-Seidel's way the same distances are found, and ranks converge to the same", async () => {
  const settings = { from: 3 };
  const jacobi = await graph.run(ShortestPaths, { settings });
  const found = await graph.run(ShortestPaths, { settings, gaussSeidel: 1024 });
  assert.deepEqual(found.shown, jacobi.shown);
  assert.ok(found.iterations <= jacobi.iterations);
  const near = { tolerance: 1e-10 };
  const [jacobis, other] = [await graph.run(PageRank, { settings: near }), await graph.run(PageRank, { settings: near, gaussSeidel: 1024 })];
  assert.notEqual(other.iterations, jacobis.iterations);
  assert.ok(other.own.every((rank, vertex) => Math.abs(rank - jacobis.own[vertex]) < 1e-8));
  for (const [program, texts, of] of [[PageRank, { tolerance: "1e-10" }, other], [ShortestPaths, { from: "3" }, found]]) {
    const wanted = await new Simulator(program, { edges, vertices: 3000, settings: texts, gaussSeidel: 1000 }).run();
    assert.deepEqual([wanted.iterations, wanted.shown], [of.iterations, of.shown]);
  }
  await assert.rejects(graph.run(PageRank, { gaussSeidel: -1 }), /gaussSeidel/);
});

test("an update is a closure, which changes what lies around it", async () => {
  let updates = 0;
  const seen = [];
  const components = {
    shown: "u32",
    selective: true,
    outgoing: true,
    start(vertex) {
      vertex.show(vertex.id);
      vertex.schedule();
    },
    update(vertex) {
      updates += 1;
      let least = vertex.shown;
      for (const side of [vertex.incoming, vertex.outgoing]) {
        for (let index = 0; index < side.length; index++) least = Math.min(least, side.shown(index));
      }
      vertex.show(least);
    },
    beforeIteration(iteration) {
      assert.equal(iteration, seen.length);
    },
    afterIteration({ updated }) {
      seen.push(updated);
    },
  };
  const { shown, own, iterations } = await graph.run(components);
  assert.equal(own, undefined);
  assert.equal(seen.length, iterations);
  assert.equal(updates, seen.reduce((sum, updated) => sum + updated, 0));
  const parent = Array.from({ length: 3000 }, (_, vertex) => vertex);
  const root = (vertex) => (parent[vertex] === vertex ? vertex : (parent[vertex] = root(parent[vertex])));
  for (const [from, to] of edges) {
    const [one, other] = [root(from), root(to)];
    parent[Math.max(one, other)] = Math.min(one, other);
  }
  assert.deepEqual([...shown], parent.map((_, vertex) => root(vertex)));
});

test("what is called around intervals may be closures, some of which answer later", async () => {
  const told = [];
  const twice = {
    shown: "u32",
    update: (vertex) => vertex.show(vertex.shown + 1),
    beforeInterval: ({ iteration, first, end, pass, updated }) => void told.push([iteration, first, end, pass, updated]),
    afterInterval: async ({ iteration, first, end, pass, updated }) => {
      await undefined;
      told.push([iteration, first, end, pass, updated]);
    },
    repeatUpdates: async ({ pass }) => pass === 0,
  };
  for (const [gaussSeidel, intervals] of [[undefined, [[0, 3000]]], [1024, [[0, 1024], [1024, 2048], [2048, 3000]]]]) {
    const { shown, iterations } = await graph.run(twice, { iterations: 2, ...(gaussSeidel && { gaussSeidel }) });
    assert.deepEqual([shown, iterations], [new Uint32Array(3000).fill(4), 2]);
    const passes = (number) => intervals.flatMap(([first, end]) => [0, 1].map((pass) => [number, first, end, pass]));
    const wanted = [0, 1].flatMap(passes).flatMap((pass) => [[...pass, 0], [...pass, pass[2] - pass[1]]]);
    assert.deepEqual(told.splice(0), wanted);
  }
});

test("values of edges that a program writes come back in the order of incoming edges", async () => {
  const mine = (edge, value) => ({
    shown: "f64", edge, writes: true,
    update({ id, outgoing }, { iteration }) {
      for (let index = iteration; index < outgoing.length; index++) outgoing.setValue(index, value(1000 * id + index));
    },
  });
  const byIncoming = [...edges].sort(([from, to], [other, last]) => to - last || from - other);
  const outgoing = new Map();
  for (const [from, to] of [...edges].sort(([from, to], [other, last]) => from - other || to - last)) {
    if (!outgoing.has(from)) outgoing.set(from, []);
    outgoing.get(from).push(to);
  }
  const wanted = byIncoming.map(([from, to]) => 1000 * from + outgoing.get(from).indexOf(to));
  for (const folders of [{}, { valuesIn: folder }]) {
    const found = await graph.run(mine("f64", Number), { iterations: 2, ...folders });
    assert.deepEqual([found.edges, found.own], [Float64Array.from(wanted), undefined]);
  }
  // Without values in the file they may be of any type.
  const plain = Graph.map(build(list, join(folder, "plain.graph")));
  const found = await plain.run(mine("u64", BigInt), { iterations: 1 });
  assert.deepEqual(found.edges, BigUint64Array.from(wanted, BigInt));
  const stays = await plain.run({ ...mine("i32", Number), update() {} }, { iterations: 1 });
  assert.deepEqual(stays.edges, new Int32Array(edges.length));
  plain.close();
  await assert.rejects(() => graph.run({ shown: "f64", writes: true, update() {} }), /declare their type as edge/);
  const seidel = graph.run(mine("f64", Number), { iterations: 1, gaussSeidel: 1024 });
  await assert.rejects(seidel, { name: "GraphError", kind: "invalid", message: /Gauss-Seidel/ });
});

test("the event loop goes on while a program runs, and several run at a time", async () => {
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  const found = await Promise.all([0, 1, 2].map(() => graph.run(PageRank, { iterations: 50, settings: { tolerance: -1 } })));
  clearInterval(ticking);
  assert.ok(turns > 0);
  assert.deepEqual(found.map(({ iterations }) => iterations), [50, 50, 50]);
  assert.deepEqual(found[0], found[1]);
  assert.deepEqual(found[0], (await graph.run(PageRank, { iterations: 50, settings: { tolerance: -1 }, valuesIn: folder })));
});

test("what a program throws, and what is none, is told", async () => {
  const fails = { name: "failing", shown: "f64", update: (vertex) => { if (vertex.id === 7) throw new RangeError("no more"); } };
  const rejected = (program, options, error) => assert.rejects(() => graph.run(program, options), error);
  await rejected(fails, {}, { name: "GraphError", kind: "program", message: /failing: iteration 0, vertex 7: RangeError: no more/ });
  await rejected({ shown: "f64" }, {}, { name: "TypeError", message: /neither/ });
  await rejected({ shown: "f65", update() {} }, {}, { name: "TypeError", message: /f65/ });
  await rejected({ shown: "f64", async update() {} }, {}, { name: "TypeError", message: /async/ });
  await rejected(5, {}, { name: "TypeError", message: /is a class, an instance of one or an object of functions/ });
  await rejected(class { onObject() {} }, {}, { name: "TypeError", message: /no vertex program/ });
  await rejected({ shown: "f64", edge: "u32", update() {} }, {}, { name: "GraphError", kind: "invalid", message: /edges' values of u32/ });
  await rejected(PageRank, { iteration: 5 }, { name: "TypeError", message: /did you mean iterations/ });
  await rejected(PageRank, { valuesIn: join(folder, "none") }, { name: "GraphError", kind: "file", message: /none/ });
});

test("a signal ends a run", async () => {
  const ends = new AbortController();
  const endless = { shown: "f64", update() {}, afterIteration({ number }) { if (number === 3) ends.abort(new Error("enough")); } };
  await assert.rejects(() => graph.run(endless, { signal: ends.signal }), /enough/);
  await assert.rejects(() => graph.run(endless, { signal: ends.signal }), /enough/);
});

test("the README's program of a graph runs as printed", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, program] = /^```js graph\n([^]*?)^```/m.exec(readme);
  const place = join(folder, "links.graph");
  build(list, place);
  const lines = [];
  const body = program.replace(/^import .*$/gm, "").replace('"links.graph"', JSON.stringify(place));
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction("Graph", "console", body)(Graph, { log: (...words) => lines.push(words.join(" ")) });
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^\d+ components after \d+ updates$/);
});

test("a graph that was closed is no more", async () => {
  const closed = Graph.map(join(folder, "list.graph"));
  closed.close();
  assert.throws(() => closed.vertices);
  assert.ok(GraphError.prototype instanceof Error);
});
