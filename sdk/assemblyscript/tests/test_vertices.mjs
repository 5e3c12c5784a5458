/** What the SDK promises of vertex programs: `node test_vertices.mjs VERTICES.wasm PROGRAMS.wasm`, compiled from vertices.ts and from
 * examples/graph. */

import assert from "node:assert/strict";
import * as edges from "./edges.mjs";
import { Failed, Graph, Instance, run } from "./graph.mjs";
import * as intervals from "./intervals.mjs";

const [vertices, programs] = process.argv.slice(2);
const TYPES = ["f32", "f64", "i32", "i64", "u32", "u64"];

/** 0 -> 1 -> 2 -> 3 -> 4, and 3 -> 0, 2 -> 4; each edge adds one. */
const chain = new Graph(5, [[0, 1, 1], [1, 2, 1], [2, 3, 1], [3, 4, 1], [3, 0, 1], [2, 4, 1]]);
const numbers = (column) => Array.from(column, Number);

function fails(work, message, item, ended) {
  assert.throws(work, (failed) => {
    assert.ok(failed instanceof Failed, failed.stack);
    assert.ok(failed.message.startsWith(message), failed.message);
    assert.deepEqual([failed.item, failed.ended], [item, ended], failed.message);
    return true;
  });
}

function programs_have_values_of_every_type() {
  for (const type of TYPES) {
    const largest = run(vertices, `largest ${type}`, chain, {}, 3);
    assert.deepEqual([numbers(largest.own), numbers(largest.shown)], [[2, 3, 3, 2, 3], [4, 5, 6, 3, 4]], type);
    const gathered = run(vertices, `gathered ${type}`, chain, {}, 3);
    assert.deepEqual([gathered.own, numbers(gathered.shown)], [undefined, [3, 3, 3, 3, 4]], type);
  }
  assert.deepEqual(numbers(run(vertices, "counted", chain, {}, 1).own), [1, 1, 1, 1, 2]);
}

function a_program_says_what_it_is() {
  const said = (name) => new Instance(vertices, name).describe().map((record) => record.join(" "));
  assert.deepEqual(said("largest i64"), ["1 VERTEX 18", "2 vertex ", "9 own i64", "9 shown i64", "9 edge i64", "10 selective "]);
  assert.deepEqual(said("gathered u32"), ["1 VERTEX 18", "2 gather ", "9 shown u32", "11 max "]);
  assert.deepEqual(said("sums"), ["1 VERTEX 18", "2 interval ", "9 shown f64"]);
  const components = new Instance(programs, "Components").describe();
  assert.deepEqual(components.slice(2), [[9, "shown", "u64"], [10, "outgoing", ""], [10, "selective", ""]]);
}

function what_a_class_says_counts_as_a_field_and_in_a_constructor() {
  const said = (name) => new Instance(vertices, `fields ${name}`).describe().slice(4).map((record) => record.join(" "));
  const all = ["10 outgoing ", "10 selective ", "10 writes "];
  for (const name of ["alone", "with a constructor", "without values", "of a constructor"]) assert.deepEqual(said(name), all, name);
  for (const name of ["inherited", "inherited with a constructor", "at once"]) assert.deepEqual(said(name), all, name);
  assert.deepEqual(said("taken back"), all.slice(0, 2));
  assert.deepEqual(said("gathered"), [...all, "11 sum "]);
}

function all_vertices_of_a_call_are_updated_at_once() {
  const count = 5000;
  const edges = Array.from({ length: count }, (_, at) => [at, (at + 1) % count]);
  const ring = (undirected) => new Graph(count, edges, undirected);
  assert.ok(run(vertices, "sums", ring(false), {}, 2).shown.every((sum) => sum === 1));
  assert.ok(run(vertices, "sums", ring(true), {}, 2).shown.every((sum) => sum === 8));
  const outside = "a column of the call has 2048 values, and that at 2048 was asked for";
  fails(() => run(vertices, "sums", ring(false), {}, 3), outside, null, true);
}

function vertices_of_a_later_call_that_have_no_edges_gather_nothing() {
  const edges = Array.from({ length: 2000 }, (_, at) => [at, at + 1]);
  const counted = run(vertices, "counted", new Graph(5000, edges), {}, 1);
  assert.deepEqual(numbers(counted.own), Array.from({ length: 5000 }, (_, id) => Number(id > 0 && id <= 2000)));
}

function an_iteration_is_told_with_its_sums() {
  const told = run(vertices, "told", chain);
  assert.deepEqual([told.iterations, told.logged, numbers(told.shown)], [2, [], [10, 10, 10, 10, 10]]);
  assert.deepEqual(numbers(run(vertices, "told", chain, { last: "0" }).shown), [5, 5, 5, 5, 5]);
  fails(() => run(vertices, "told", new Graph(2, [])), "that is another graph", 4294967295, false);
}

function who_is_scheduled_is_updated_and_nobody_else() {
  const one = run(vertices, "scheduled", chain, { who: "2" });
  assert.deepEqual([one.iterations, numbers(one.own)], [3, [1, 1, 1, 0, 0]]);
  const twice = run(vertices, "scheduled", chain, { often: "1000" });
  assert.deepEqual([twice.iterations, numbers(twice.own)], [2, [2, 2, 1, 0, 0]]);
  const none = "schedule vertex 5: there is none with this number; the graph has 5 vertices, from 0 on";
  fails(() => run(vertices, "scheduled", chain, { who: "5" }), none, null, true);
}

function a_mistake_is_told_with_what_to_do() {
  const mistaken = (mistake) => () => run(vertices, "mistaken", chain, { mistake });
  mistaken("none")();
  fails(mistaken("fail"), "not this one", 3, false);
  fails(mistaken("index"), "vertex 3 has 1 neighbour there, and that at 1 was asked for", null, true);
  fails(mistaken("negative"), "vertex 3 has 1 neighbour there, and that at -1 was asked for", null, true);
  fails(mistaken("outgoing"), "look at outgoing edges: the program does not declare that; add `outgoing: bool = true` to it", null, true);
  fails(mistaken("schedule"), "schedule vertex 5: there is none", null, true);
  fails(mistaken("start"), "look at edges at the start: neighbours show nothing yet", null, true);
  fails(mistaken("keep"), "vertex 4 has 0 neighbours there, and that at 0 was asked for", null, true);
}

function a_program_that_cannot_be_is_refused_when_it_is_made() {
  const refused = (name, message) => fails(() => new Instance(vertices, name), message, null, false);
  refused("ungathered", "it does not say how neighbours are gathered: add `gather: Gather = Gather.SUM` to it, or MIN, MAX or COUNT");
  refused("mistyped", "its neighbours come to u64, and it takes f64: make that the third type of its GatherProgram");
}

function frames_of_another_kind_are_refused() {
  const takes = "it takes VERTEX frames, and the engine calls with others";
  fails(() => new Instance(vertices, "told").open(16, {}, chain), takes, 4294967295, false);
  const early = new Instance(vertices, "told");
  fails(() => early.call(early.head(18, 512)), "the handler was called before OPEN", 4294967295, false);
  fails(() => early.call(early.head(16, 192)), "a frame of another kind reached a handler that takes VERTEX", 4294967295, false);
  const open = new Instance(vertices, "scheduled");
  open.open(18, {}, chain);
  const frame = open.head(18, 512);
  open.view.setBigUint64(frame + 112, 1n, true);
  open.view.setUint32(frame + 84, 1024, true);
  fails(() => open.call(frame), "the frame's arrays are not as many elements as it says", 4294967295, false);
  open.view.setUint32(frame + 80, 9, true);
  fails(() => open.call(frame), "the frame has a phase that this handler's SDK does not know", 4294967295, false);
}

/** Beside plain loops that make the same sums in the same order. */
function the_programs_of_the_examples_are_plain_loops() {
  const count = 2500;
  let state = 7;
  const next = (below) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), (state >>> 8) % below);
  const edges = Array.from({ length: 10000 }, (_, at) => [at % 3 ? next(200) : next(count - 10), next(count - 10), next(1000) / 8]);
  const graph = new Graph(count, edges);
  const { incoming, outgoing } = graph;

  const { ranks, iterations } = ranked(graph);
  for (const name of ["PageRank", "PageRankGather"]) {
    const found = run(programs, name, graph);
    assert.deepEqual(found.own, ranks);
    assert.equal(found.iterations, iterations);
  }
  const byEdges = run(programs, "PageRankEdges", graph);
  assert.deepEqual([byEdges.own, byEdges.shown, byEdges.iterations], [ranks, ranks, iterations + 1]);
  const undirected = new Graph(count, edges, true);
  for (const most of [1, 5]) {
    const { own } = run(programs, "PageRank", undirected, {}, most);
    assert.deepEqual(run(programs, "PageRankEdges", undirected, {}, most + 1).own, own);
  }
  assert.ok(run(programs, "PageRank", graph, { tolerance: "0.5", damping: "0.85" }).iterations < iterations);
  assert.deepEqual(run(programs, "PageRank", graph, { tolerance: "1e-6", damping: "0.85" }).own, ranks);
  fails(() => run(programs, "PageRank", graph, { damping: "much" }), "the setting `damping` is much: give it a number", 4294967295, false);

  const least = Array.from({ length: count }, (_, id) => id);
  const length = new Array(count).fill(Infinity);
  length[5] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (const [from, to, value] of edges) {
      const less = Math.min(least[from], least[to]);
      changed ||= least[from] !== least[to] || length[from] + value < length[to];
      least[from] = least[to] = less;
      length[to] = Math.min(length[to], length[from] + value);
    }
  }
  assert.deepEqual(numbers(run(programs, "Components", graph).shown), least);
  assert.deepEqual(numbers(run(programs, "Components", undirected).shown), least);
  assert.deepEqual(numbers(run(programs, "ShortestPaths", graph, { from: "5" }).shown), length);
  const round = new Graph(8, [[5, 6, 1], [6, 7, -2], [7, 5, 0.5]]);
  assert.equal(run(programs, "ShortestPaths", round, { from: "5" }).iterations, 10);
  fails(() => run(programs, "ShortestPaths", graph), "the setting `from` is missing: give it the number of a vertex", 4294967295, false);
  fails(() => run(programs, "ShortestPaths", graph, { from: "5x" }), "the setting `from` is 5x: give it ", 4294967295, false);
  fails(() => run(programs, "ShortestPaths", round, { from: "8" }), "the setting `from` names a vertex that", 4294967295, false);

  let labels = Array.from({ length: count }, (_, id) => id);
  for (let iteration = 0; iteration < 5; iteration++) {
    labels = labels.map((before, id) => {
      const counts = new Map();
      for (const side of [incoming, outgoing]) {
        for (const other of side.others.slice(side.begins[id], side.begins[id + 1])) {
          counts.set(labels[other], (counts.get(labels[other]) ?? 0) + 1);
        }
      }
      const more = ([one, times], [other, others]) =>
        others > times || (others === times && other < one) ? [other, others] : [one, times];
      return [...counts].reduce(more, [before, 0])[0];
    });
  }
  assert.deepEqual(numbers(run(programs, "Labels", graph, {}, 5).shown), labels);
}

function ranked({ vertices: count, incoming, outgoing }) {
  const damping = 0.85;
  const outDegree = (id) => outgoing.begins[id + 1] - outgoing.begins[id];
  const inBlocks = (each) => {
    const sums = [0, 0];
    for (let block = 0; block < count; block += 1024) {
      const tally = [0, 0];
      for (let id = block; id < Math.min(count, block + 1024); id++) each(id, tally);
      sums.forEach((sum, at) => (sums[at] = sum + tally[at]));
    }
    return sums;
  };
  const ranks = new Float64Array(count).fill(1 / count);
  const share = (id) => (outDegree(id) ? ranks[id] / outDegree(id) : 0);
  let shares = ranks.map((_, id) => share(id));
  let [, total] = inBlocks((id, tally) => (tally[1] += outDegree(id) ? 0 : ranks[id]));
  for (let iterations = 1; ; iterations++) {
    const [residual, dangling] = inBlocks((id, tally) => {
      let sum = 0;
      for (let arc = incoming.begins[id]; arc < incoming.begins[id + 1]; arc++) sum += shares[incoming.others[arc]];
      const before = ranks[id];
      ranks[id] = (1 - damping + damping * total) * (1 / count) + damping * sum;
      tally[0] += Math.abs(ranks[id] - before);
      if (!outDegree(id)) tally[1] += ranks[id];
    });
    total = dangling;
    shares = ranks.map((_, id) => share(id));
    if (residual <= 1e-6) return { ranks, iterations };
  }
}

const tests = [
  programs_have_values_of_every_type,
  a_program_says_what_it_is,
  all_vertices_of_a_call_are_updated_at_once,
  vertices_of_a_later_call_that_have_no_edges_gather_nothing,
  an_iteration_is_told_with_its_sums,
  who_is_scheduled_is_updated_and_nobody_else,
  a_mistake_is_told_with_what_to_do,
  a_program_that_cannot_be_is_refused_when_it_is_made,
  frames_of_another_kind_are_refused,
  the_programs_of_the_examples_are_plain_loops,
  what_a_class_says_counts_as_a_field_and_in_a_constructor,
  ...edges.testsOf(vertices, fails),
  ...intervals.testsOf(vertices, fails),
];
for (const test of tests) test();
console.log(`${tests.length} tests`);
