import assert from "node:assert/strict";
import test from "node:test";
import { PageRank } from "../../../examples/graph/node/programs.mjs";
import { VertexHarness } from "upcall/testing";
import { edges, neighbours, pageRank } from "./graph.js";

const run = (program, options = {}, how = {}) =>
  new VertexHarness(program, { edges: [[0, 1], [1, 2], [2, 0], [0, 2]], ...options }).run({ iterations: 1, ...how });
const fails = (program, expected) => assert.rejects(run(program), expected);

/** PageRank, an interval at a time. */
class Ranks {
  static own = "f64";
  static shown = "f64";
  start(vertex, context) {
    PageRank.prototype.keep.call(this, vertex, context, 1 / context.vertices);
  }
  interval(vertices, context) {
    const { own, next, shown, outDegrees, incoming: { begins, ends, at } } = vertices;
    for (let k = 0; k < vertices.length; k++) {
      let sum = 0;
      for (let e = begins[k]; e < ends[k]; e++) sum += shown[at[e]];
      const rank = (1 - 0.85 + 0.85 * context.total) * (1 / context.vertices) + 0.85 * sum;
      vertices.addResidual(k, Math.abs(rank - own[k]));
      own[k] = rank;
      if (outDegrees[k] === 0) vertices.addTotal(k, rank);
      next[k] = outDegrees[k] === 0 ? 0 : rank / outDegrees[k];
    }
  }
  afterIteration({ residual }) {
    return residual <= 1e-6;
  }
}

test("an interval has all of its vertices as arrays, and comes to the same bits", async () => {
  const vertices = 2200;
  const list = edges(11, vertices, 5000);
  for (const interval of [1024, 3072]) {
    for (const directed of [true, false]) {
      const ran = await new VertexHarness(new Ranks(), { edges: list, vertices, directed }).run({ interval });
      assert.deepEqual(ran, pageRank(list, vertices, directed));
    }
  }
});

/** Runs an interval's program over three vertices. */
function within(interval, says = {}) {
  class Within {
    interval(vertices, context) {
      return interval(vertices, context);
    }
  }
  return new (Object.assign(Within, { shown: "u32", ...says }))();
}

test("an interval has ids, values and both directions, and what it is not given it says", async () => {
  const { incoming, outgoing } = neighbours([[2, 0, 7], [1, 0, 3], [0, 2, 5]], 3, true);
  let seen = 0;
  const program = within((vertices) => {
    seen += 1;
    const side = ({ begins, ends, ids, values, places }) =>
      Array.from(begins, (begin, k) =>
        Array.from({ length: ends[k] - begin }, (_, at) => [ids[begin + at], values[places.length === 0 ? begin + at : places[begin + at]]]));
    assert.deepEqual([side(vertices.incoming), side(vertices.outgoing)], [incoming, outgoing]);
    assert.deepEqual([vertices.length, vertices.first, vertices.id(2), ...vertices.ids], [3, 0, 2]);
    assert.deepEqual([vertices.before, vertices.next], [Uint32Array.of(0, 0, 0), Uint32Array.of(0, 0, 0)].map((all) => all.fill(seen - 1)));
    vertices.next.fill(seen);
    vertices.before.fill(99);
    assert.throws(() => vertices.id(3), /the interval has 3 vertices, and 3 was asked for/);
    assert.throws(() => vertices.addTotal(-1, 1), /-1 was asked for/);
  }, { edge: "f32", outgoing: true });
  const list = [[2, 0, 7], [1, 0, 3], [0, 2, 5]];
  // The second frame is put together as a process sees it.
  assert.deepEqual((await run(program, { edges: list }, { iterations: 2 })).shown, Uint32Array.of(2, 2, 2));
  assert.equal(seen, 2);

  await fails(within(({ own }) => own), /does not declare own/);
  await fails(within(({ outgoing }) => outgoing), /does not declare outgoing edges/);
  await fails(within(({ incoming }) => incoming.values), /does not declare values of edges/);
  await fails(within((_, context) => context.addResidual(1)), /by vertices.addResidual\(k, amount\)/);
  await fails(within((vertices) => vertices.addTotal(0, "1")), /the text "1" is not a number/);
  await fails(within((vertices) => vertices.schedule(0)), /does not declare selective.*: write static selective = true/);
  await fails(within(() => { throw new Error("all of it"); }), { message: "all of it", item: undefined });
});

test("an interval ends with its call, or once its promise has settled", async () => {
  let kept;
  const ran = await run(within(async (vertices) => {
    kept = { vertices, next: vertices.next };
    await undefined;
    kept.next[1] = 7;
  }));
  assert.deepEqual(ran.shown, Uint32Array.of(0, 7, 0));
  assert.equal(kept.next.length, 0);
  assert.throws(() => kept.vertices.addResidual(0, 1), /the interval was used after its call had ended/);
  assert.throws(() => kept.vertices.schedule(0), /the interval was used after its call had ended/);
  await fails(within(async () => { throw new Error("later"); }), { message: "later", item: undefined });
});

test("an interval of a selective program has those vertices that are scheduled", async () => {
  const seen = [];
  class Picks {
    static shown = "u32";
    static selective = true;
    start(vertex) {
      if (vertex.id % 1000 === 1) vertex.schedule();
    }
    interval(vertices, { iteration }) {
      seen.push([iteration, ...Array.from(vertices.next, (_, k) => vertices.id(k))]);
      if (iteration > 0) return;
      vertices.next[0] = 5;
      vertices.schedule(2);
      assert.throws(() => vertices.schedule(5000), /vertex 5000: the graph has 2500 vertices/);
    }
  }
  await run(new Picks(), { edges: [[1, 2400], [2001, 3]], vertices: 2500 }, { interval: 2048, iterations: 9 });
  assert.deepEqual(seen, [[0, 1, 1001, 2001], [1, 2], [1, 2400]]);
});

test("what neighbours come to is a sum, a count, the least or the largest, and of none what these begin with", async () => {
  const values = { f32: [1.5, -2], f64: [0.1, 0.2], i32: [-5, 3], u32: [7, 2 ** 32 - 2], i64: [-(2n ** 40n), 9n], u64: [1n, 2n ** 63n] };
  const ends = {
    f32: [-Infinity, Infinity], f64: [-Infinity, Infinity], i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1],
    i64: [-(2n ** 63n), 2n ** 63n - 1n], u64: [0n, 2n ** 64n - 1n],
  };
  for (const [type, [one, other]] of Object.entries(values)) {
    const [least, largest] = one < other ? [one, other] : [other, one];
    for (const [gather, expected] of Object.entries({
      sum: [Number(Number(one)) + Number(other), 0], count: [2, 0], min: [least, ends[type][1]], max: [largest, ends[type][0]],
    })) {
      const seen = [];
      class Gathers {
        static shown = type;
        static gather = gather;
        start(vertex) {
          vertex.show(vertex.id === 0 ? one : other);
        }
        apply({ id, inDegree }, gathered) {
          seen[id] = gathered;
          assert.equal(inDegree, id === 2 ? 2 : 0);
        }
      }
      await run(new Gathers(), { edges: [[0, 2], [1, 2]] });
      assert.deepEqual(seen, [expected[1], expected[1], expected[0]], `${gather} of ${type}`);
    }
  }
  class Looks {
    static shown = "f64";
    static gather = "sum";
    apply({ incoming }) {
      void incoming;
    }
  }
  await fails(new Looks(), /incoming edges of vertex 0: this program gathers, so use what apply is given/);
});
