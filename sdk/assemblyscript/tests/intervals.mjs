/** What the SDK promises of intervals, for test_vertices.mjs. */

import assert from "node:assert/strict";
import { Graph, Instance, run } from "./graph.mjs";

const START = 0, UPDATE = 1, AFTER = 2, INTERVAL = 3;

/** A number of floating point as AssemblyScript has it in a text. */
const float = (value) => value.toFixed(1);

/** What `intervals` of intervals.ts is told of an iteration of so many vertices. */
function told(iteration, vertices, times) {
  const total = (vertices * (vertices - 1)) / 2;
  const before = float(iteration === 0 ? 0 : total);
  const firsts = Array.from({ length: Math.ceil(vertices / 1024) }, (_, block) => `update ${1024 * block} ${before}`);
  const passes = Array.from({ length: times }, (_, pass) => {
    const after = `${iteration} 0 ${vertices} ${pass} ${vertices} ${float(vertices)} ${float(total)}`;
    return [`before ${iteration} 0 ${vertices} ${pass} 0 0.0 0.0`, ...firsts, `after ${after}`, `again ${after}`];
  });
  const done = `done ${iteration} ${times * vertices} ${vertices} ${float(vertices)} ${float(total)}`;
  return [`iteration ${iteration} ${before}`, ...passes.flat(), done];
}

/** A program of a module and the frames that it is given by hand. */
function byHand(vertices, name) {
  const instance = new Instance(vertices, name);
  instance.open(18, {}, new Graph(3000, []));
  return {
    /** What it logs of a frame, and what it has answered. */
    call(phase, first, pass, bytes = 536) {
      const frame = instance.head(18, 536), { view } = instance;
      view.setUint32(frame + 4, bytes, true);
      view.setUint32(frame + 80, phase, true);
      view.setUint32(frame + 84, 1024, true);
      view.setBigUint64(frame + 512, BigInt(first), true);
      view.setBigUint64(frame + 520, BigInt(first + 1024), true);
      view.setBigUint64(frame + 528, BigInt(pass), true);
      view.setUint32(frame + 488, 7, true);
      instance.logged.length = 0;
      instance.call(frame);
      return [instance.logged.map((line) => line.split(" ")[0]).join(" "), instance.view.getUint32(frame + 488, true)];
    },
  };
}

/** Of a module of vertices.ts: its tests. */
export function testsOf(vertices, fails) {
  function a_program_is_told_of_each_interval_before_its_vertices_and_after_them() {
    for (const count of [5, 5000]) {
      for (const times of [1, 3]) {
        const { logged } = run(vertices, "intervals", new Graph(count, [[0, 1]]), { times: String(times) }, 2);
        assert.deepEqual(logged, [...told(0, count, times), ...told(1, count, times)]);
      }
    }
  }

  function what_it_was_told_is_forgotten_when_an_iteration_ends_and_when_vertices_begin_anew() {
    const frames = byHand(vertices, "intervals");
    const logs = (phase, first, pass, bytes) => frames.call(phase, first, pass, bytes)[0];
    assert.equal(logs(START, 0, 0), "");
    assert.equal(logs(UPDATE, 0, 0), "iteration before");
    assert.equal(logs(UPDATE, 0, 0), "");
    assert.equal(logs(UPDATE, 0, 1), "before");
    assert.equal(logs(UPDATE, 1024, 1), "before");
    assert.equal(logs(INTERVAL, 1024, 1), "after again");
    assert.equal(logs(UPDATE, 1024, 1), "");
    assert.equal(logs(AFTER, 0, 0), "done");
    assert.equal(logs(UPDATE, 1024, 1), "iteration before");
    assert.equal(logs(START, 0, 0), "");
    assert.equal(logs(UPDATE, 1024, 1), "iteration before");
    // An older engine's frame ends before it.
    assert.equal(logs(AFTER, 0, 0), "done");
    assert.equal(logs(UPDATE, 0, 0, 512), "iteration");
  }

  function intervals_that_are_updated_again_are_a_plain_loop() {
    const count = 2500;
    let state = 7;
    const next = (below) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), (state >>> 8) % below);
    const graph = new Graph(count, Array.from({ length: 6000 }, () => [next(count), next(count)]));
    const { begins, others } = graph.incoming;
    const heard = (id) => others.slice(begins[id], begins[id + 1]);
    const mixed = (so, heard) => (so * 31 + heard) % 1000003;
    for (const [times, iterations] of [[1, 2], [2, 3], [3, 1]]) {
      const plainly = (update) => {
        let shown = Array.from({ length: count }, (_, id) => id);
        for (let pass = 0; pass < times * iterations; pass++) shown = shown.map((before, id) => update(before, heard(id).map((from) => shown[from])));
        return shown;
      };
      const each = plainly((before, heard) => heard.reduce(mixed, before));
      const runs = (name) => run(vertices, name, graph, { times: String(times) }, iterations);
      const found = runs("intervals mixed");
      assert.deepEqual([...found.shown], each);
      const passes = BigInt("123".slice(0, times).repeat(iterations));
      assert.ok(found.own.every((own) => own === passes));
      assert.deepEqual([...runs("intervals at once").shown], each);
      const sums = plainly((before, heard) => mixed(before, heard.reduce((sum, one) => sum + one, 0)));
      assert.deepEqual([...runs("intervals gathered").shown], sums);
    }
  }

  function a_selective_program_is_updated_again_until_nothing_has_changed() {
    const chain = Array.from({ length: 2499 }, (_, id) => [id, id + 1]);
    const found = run(vertices, "intervals until nothing changes", new Graph(2500, [...chain, [2499, 1]]));
    assert.deepEqual([...found.shown], Array.from({ length: 2500 }, (_, id) => id));
    assert.ok(found.own.every((times, id) => times === (id === 1 ? 2 : 1)));
    assert.deepEqual([found.iterations, found.logged], [1, ["2501 0"]]);
    const ends = () => run(vertices, "intervals written", new Graph(2, [[0, 1]]));
    assert.throws(ends, /it writes values of edges, which are seen in the next iteration: its updates are not repeated/);
    assert.equal(run(vertices, "intervals written", new Graph(2, [[0, 1]]), {}, 1).iterations, 1);
  }

  function what_is_thrown_of_an_interval_ends_the_instance() {
    for (const hook of ["before", "after", "again"]) {
      fails(() => run(vertices, "intervals", new Graph(3, []), { fails: hook }), `not ${hook}`, null, true);
    }
  }

  function a_program_without_hooks_answers_what_it_is_asked_of_an_interval() {
    for (const name of ["counted", "sums", "largest u64"]) assert.deepEqual(byHand(vertices, name).call(INTERVAL, 0, 0), ["", 0]);
    const which = "a frame about an interval does not say which: the engine breaks the rules";
    fails(() => byHand(vertices, "counted").call(INTERVAL, 0, 0, 528), which, 4294967295, false);
    fails(() => byHand(vertices, "counted").call(4, 0, 0), "the frame has a phase that this handler's SDK does not know", 4294967295, false);
  }

  return [
    a_program_is_told_of_each_interval_before_its_vertices_and_after_them,
    what_it_was_told_is_forgotten_when_an_iteration_ends_and_when_vertices_begin_anew,
    intervals_that_are_updated_again_are_a_plain_loop,
    a_selective_program_is_updated_again_until_nothing_has_changed,
    what_is_thrown_of_an_interval_ends_the_instance,
    a_program_without_hooks_answers_what_it_is_asked_of_an_interval,
  ];
}
