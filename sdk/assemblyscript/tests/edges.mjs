/** What the SDK promises of values of edges that programs set, for test_vertices.mjs. */

import assert from "node:assert/strict";
import { Instance, Graph, run } from "./graph.mjs";

const COLUMNS = {
  f32: Float32Array, f64: Float64Array, i32: Int32Array, i64: BigInt64Array, u32: Uint32Array, u64: BigUint64Array,
};

/** What a vertex keeps that has heard of this. */
const MIXES = {
  f32: (so, heard) => Math.fround(Math.fround(Math.fround(so * 0.5) + heard) % 1000),
  f64: (so, heard) => (so * 0.5 + heard) % 1000,
  i32: (so, heard) => (Math.imul(so, 31) + heard) | 0,
  u32: (so, heard) => (Math.imul(so, 31) + heard) >>> 0,
  i64: (so, heard) => BigInt.asIntN(64, so * 31n + heard),
  u64: (so, heard) => BigInt.asUintN(64, so * 31n + heard),
};

/** What `talks` of vertices.ts comes to, by plain loops. */
function talked({ vertices, incoming, outgoing }, type, iterations, hears) {
  const number = /[iu]64/.test(type) ? BigInt : Number;
  const arcs = ({ begins }, id) => Array.from({ length: begins[id + 1] - begins[id] }, (_, at) => begins[id] + at);
  let edges = COLUMNS[type].from(incoming.values, number);
  const own = new COLUMNS[type](vertices);
  for (let iteration = 0; iteration < iterations; iteration++) {
    const next = edges.slice();
    for (let id = 0; id < vertices; id++) {
      const places = arcs(outgoing, id).map((arc) => outgoing.places[arc]);
      const heard = [...(hears ? arcs(incoming, id) : []), ...places].map((place) => edges[place]);
      own[id] = heard.reduce(MIXES[type], own[id]);
      places.forEach((place, at) => {
        if ((id + at + iteration) % 3 !== 0) next[place] = MIXES[type](own[id], number(100 * at));
      });
    }
    edges = next;
  }
  return { own, edges };
}

/** A graph whose edges are there twice, some of them, or lead to where they come from. */
function graph(vertices, undirected) {
  let state = 7;
  const next = (below) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), (state >>> 8) % below);
  const edges = Array.from({ length: 3 * vertices }, () => [next(vertices), next(vertices), next(50)]);
  return new Graph(vertices, [...edges, ...edges.slice(0, 20).map(([from, to]) => [from, to, next(50)]), [3, 3, 5]], undirected);
}

/** Of a module of vertices.ts: its tests. */
export function testsOf(vertices, fails) {
  function what_is_said_is_heard_one_iteration_later() {
    for (const undirected of [false, true]) {
      const several = graph(2500, undirected);
      const few = graph(40, undirected);
      const agrees = (name, graph, type, hears) => {
        const { own, edges } = run(vertices, name, graph, {}, 4);
        assert.deepEqual({ own, edges }, talked(graph, type, 4, hears), name);
      };
      for (const type of Object.keys(COLUMNS)) agrees(`talks ${type}`, type === "f64" ? several : few, type, true);
      agrees("talks at once f32", several, "f32", true);
      agrees("talks at once u64", few, "u64", true);
      agrees("talks gathered", several, "i64", false);
    }
    const said = new Instance(vertices, "talks i32").describe();
    assert.deepEqual(said.slice(2), [[9, "own", "i32"], [9, "shown", "u32"], [9, "edge", "i32"], [10, "writes", ""]]);
    assert.equal(run(vertices, "largest f64", graph(40), {}, 2).edges, undefined);
  }

  function a_value_that_changes_wakes_who_hears_it() {
    // What is set to what it is wakes nobody: the edges between 5 and 6 have it already.
    const edges = [[0, 1, 0], [1, 2, 0], [2, 3, 0], [3, 1, 1], [4, 0, 0], [2, 6, 0], [5, 6, 1]];
    for (const undirected of [false, true]) {
      const { own, edges: set, iterations } = run(vertices, "tells", new Graph(7, edges, undirected));
      if (undirected) {
        assert.deepEqual([...own].map((times) => times > 0), [true, true, true, true, true, false, true]);
        assert.deepEqual([...set], new Array(14).fill(1));
        continue;
      }
      assert.deepEqual([[...own], iterations], [[1, 1, 1, 1, 0, 0, 1], 4]);
      assert.deepEqual([...set], [0, 1, 1, 1, 1, 1, 1]);
    }
  }

  function what_cannot_be_set_is_an_error() {
    const edges = [[3, 0, 2], [3, 2, 4], [0, 3, 6]];
    const sets = (mistake, name = "missets", change = undefined) => run(vertices, name, new Graph(4, edges), { mistake }, 1, change);
    assert.deepEqual([...sets("set").edges], [2, 7, 6]);
    assert.deepEqual([...run(vertices, "missets", new Graph(2, []), { mistake: "set" }, 1).edges], []);
    const neighbours = "vertex 3 has 2 neighbours there, and that at";
    fails(() => sets("index"), `${neighbours} 2 was asked for`, null, true);
    fails(() => sets("negative"), `${neighbours} -1 was asked for`, null, true);
    fails(() => sets("keep"), "vertex 3 has 0 neighbours there, and that at 0 was asked for", null, true);
    fails(() => sets("incoming"), "set the value of an incoming edge of vertex 3: values are set on outgoing edges", null, true);
    fails(() => sets("start"), "look at edges at the start: neighbours show nothing yet", null, true);
    const undeclared = "set values of edges: the program does not declare that; add `writes: bool = true` to it";
    fails(() => sets("set", "missets undeclared"), undeclared, null, true);
    fails(() => sets("", "missets at once"), undeclared, null, true);
    const untyped = "it writes values of edges: declare their type as Edge, `extends VertexProgram<f64, None, f64>`";
    fails(() => new Instance(vertices, "untyped"), untyped, null, false);
    // The frame has less room than there are edges; or is an older engine's, which ends before it.
    const less = ({ view }, frame) => view.getUint32(frame + 80, true) === 1 && view.setBigUint64(frame + 504, 8n, true);
    const older = ({ view }, frame) => view.setUint32(frame + 4, 496, true);
    for (const change of [less, older]) {
      for (const name of ["missets", "talks at once f32"]) {
        fails(() => sets("set", name, change), "the frame's arrays are not as many elements as it says", 4294967295, false);
      }
    }
    assert.deepEqual(sets("set", "largest f64", older).shown, sets("set", "largest f64").shown);
  }

  return [what_is_said_is_heard_one_iteration_later, a_value_that_changes_wakes_who_hears_it, what_cannot_be_set_is_an_error];
}
