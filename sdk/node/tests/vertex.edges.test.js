// Values of edges that vertex programs set.

import assert from "node:assert/strict";
import test from "node:test";
import { FrameHead, Kind, Phase, VertexFrame } from "../build/abi.js";
import { PageRank, PageRankEdges } from "../../../examples/graph/node/programs.mjs";
import { Simulator } from "upcall/simulator";
import { VertexHarness } from "upcall/testing";
import { edges } from "./graph.js";
import { talked, talks, TYPES } from "./talks.js";

const TRIANGLE = [[0, 1, 1], [1, 2, 2], [2, 0, 3], [0, 2, 4]];

/** A program with this update that sets numbers of edges, unless it says otherwise. */
function sets(update, more = {}) {
  class Sets {
    update(vertex, context) {
      update(vertex, context);
    }
  }
  return new (Object.assign(Sets, { shown: "f64", edge: "f64", writes: true, ...more }))();
}

const run = (program, options = {}, how = {}) => new VertexHarness(program, { edges: TRIANGLE, ...options }).run({ iterations: 1, ...how });
const fails = (program, expected, options) => assert.rejects(run(program, options), expected);

for (const directed of [true, false]) {
  test(`what is said is heard one iteration later, in each form and type: ${directed ? "directed" : "undirected"}`, async () => {
    for (const type of TYPES) {
      // One of them with several blocks, and many edges that are there twice.
      const vertices = type === "f64" ? 1100 : 40;
      const given = type.startsWith("f") ? Number : /64/.test(type) ? (value) => BigInt(Math.trunc(value)) : Math.trunc;
      const list = edges(5, vertices, 4 * vertices).map(([from, to, value]) => [from, to, given(value)]);
      const graph = { edges: list, vertices, directed };
      for (const form of ["update", "apply", "interval"]) {
        const expected = talked(list, vertices, directed, type, 4, form !== "apply");
        for (const outgoing of [true, false]) {
          const program = talks(form, type, { outgoing });
          const found = await new VertexHarness(new program(), graph).run({ iterations: 4 });
          assert.deepEqual([found.own, found.edges], [expected.own, expected.edges], `${form} of ${type}`);
          const simulated = await new Simulator(program, graph).run({ iterations: 4 });
          assert.deepEqual([simulated.own, simulated.edges], [expected.own, expected.edges], `${form} of ${type}, simulated`);
        }
      }
    }
  });

  test(`PageRank by edges comes to PageRank's ranks one iteration later: ${directed ? "directed" : "undirected"}`, async () => {
    const vertices = 1300;
    const given = { edges: edges(7, vertices, 4000), vertices, directed };
    for (const iterations of [1, 2, 7, Infinity]) {
      const wanted = await new VertexHarness(new PageRank(), given).run({ iterations });
      const found = await new VertexHarness(new PageRankEdges(), given).run({ iterations: iterations + 1 });
      assert.deepEqual([found.own, found.shown, found.iterations], [wanted.own, wanted.own, wanted.iterations + 1]);
      assert.deepEqual(wanted.edges, undefined);
      const { ended, ...simulated } = await new Simulator(PageRankEdges, given).run({ iterations: iterations + 1 });
      assert.deepEqual(simulated, found);
    }
  });
}

test("edges begin with the list's values, or 0 where there are none, and keep what is not set", async () => {
  const seen = [];
  const program = () => sets(({ id, incoming, outgoing }, { iteration }) => {
    if (id === 0) {
      outgoing.setValue(1, 10 * (iteration + 1));
      outgoing.setValue(1, 10 * (iteration + 1) + 5);
      // Its own is that of the last iteration too.
      seen.push(outgoing.value(1));
    }
    if (id === 2) seen.push([incoming.value(0), incoming.value(1)]);
  });
  // By destination, then by source: 2 to 0, 0 to 1, 0 to 2, 1 to 2.
  assert.deepEqual((await run(program(), {}, { iterations: 3 })).edges, Float64Array.of(3, 1, 35, 2));
  assert.deepEqual(seen.splice(0), [4, [4, 2], 15, [15, 2], 25, [25, 2]]);
  const none = TRIANGLE.map(([from, to]) => [from, to]);
  assert.deepEqual((await run(program(), { edges: none }, { iterations: 2 })).edges, Float64Array.of(0, 0, 25, 0));
  assert.deepEqual(seen, [0, [0, 0], 15, [15, 0]]);
  assert.deepEqual((await run(program(), { edges: none }, { iterations: 0 })).edges, new Float64Array(4));
  await assert.rejects(() => run(program(), { edges: [[0, 1, 1], [1, 0]] }), /edge 1 has no value/);
});

test("of edges that are there twice each has its own value, loops too", async () => {
  for (const directed of [true, false]) {
    const list = [[0, 1], [0, 1], [1, 1], [1, 0], [2, 0], [1, 2], [1, 1]];
    const { edges: found } = await run(sets(({ id, outgoing }) => {
      for (let index = 0; index < outgoing.length; index++) outgoing.setValue(index, 10 * id + index);
    }), { edges: list, directed });
    const wanted = directed ? [10, 20, 0, 1, 11, 12, 13] : [10, 11, 12, 20, 0, 1, 2, 13, 14, 21, 3, 15];
    assert.deepEqual([...found], wanted);
  }
});

test("a program says that it writes, and needs a type of edges for it", async () => {
  class Writes {
    static shown = "f64";
    static edge = "u32";
    static writes = true;
    update() {}
  }
  assert.deepEqual(await new VertexHarness(new Writes(), { edges: [] }).describe(), [
    [1, "VERTEX", "18"], [2, "vertex", ""], [9, "shown", "f64"], [9, "edge", "u32"], [10, "writes", ""],
  ]);
  const wrong = (of, says) => assert.throws(() => new VertexHarness(new of(), { edges: [] }), { name: "TypeError", message: says });
  wrong(class { static shown = "f64"; static writes = true; update() {} }, /it writes values of edges: declare their type as edge/);
  wrong(class { static shown = "f64"; static edge = "f64"; static writes = 1; update() {} }, /its static writes is 1: write true, or leave it out/);
});

test("each type is set as it is, and what it has not is an error", async () => {
  const types = {
    f32: [1.5, -Infinity, NaN], f64: [Math.PI, NaN], i32: [-(2 ** 31), 2 ** 31 - 1], u32: [2 ** 32 - 1],
    i64: [-(2n ** 63n), 5], u64: [2n ** 64n - 1n, 2 ** 53 - 1],
  };
  const misfits = { f32: [1e300, 1n, "1", undefined], f64: [1n, null], i32: [0.5, 2 ** 31, NaN, 1n], u32: [-1, 2 ** 32], i64: [2n ** 63n, 0.5], u64: [-1n, -1] };
  for (const [edge, values] of Object.entries(types)) {
    const list = [[0, 1, /[iu]64/.test(edge) ? 1n : 1]];
    for (const value of values) {
      const { edges: [found] } = await run(sets(({ id, outgoing }) => id === 0 && outgoing.setValue(0, value), { edge }), { edges: list });
      assert.deepEqual(found, /[iu]64/.test(edge) ? BigInt(value) : value);
    }
    for (const value of misfits[edge]) {
      const program = sets(({ id, outgoing }) => id === 0 && outgoing.setValue(0, value), { edge });
      await fails(program, new RegExp(`vertex 0: setValue: .* is not a value of the type ${edge}`), { edges: list });
    }
  }
});

test("what cannot be set is an error that says why", async () => {
  for (const index of [2, -1, 0.5, NaN, "0", undefined]) {
    const program = sets(({ outgoing }) => outgoing.setValue(index, 1));
    await fails(program, { typeName: "RangeError", item: 0, message: /^vertex 0 has 2 outgoing neighbours, and .* was asked for$/ });
  }
  await fails(sets(({ incoming }) => incoming.setValue(0, 1)), /setValue of an incoming edge of vertex 0: values are set on outgoing edges/);
  const reads = sets(({ outgoing }) => outgoing.setValue(0, 1), { outgoing: true, writes: false });
  await fails(reads, /does not declare writes, so it sets no values of edges: write static writes = true/);
  await fails(sets(({ outgoing }) => outgoing, { writes: false }), /does not declare outgoing edges/);
  class Starts {
    static shown = "f64";
    static edge = "f64";
    static writes = true;
    start({ outgoing }) {
      outgoing.setValue(0, 1);
    }
    update() {}
  }
  await fails(new Starts(), /outgoing edges of vertex 0: at the start .*; look at edges, and set their values, in an update/);
  let kept;
  await run(sets(({ outgoing }) => (kept = outgoing)));
  assert.throws(() => kept.setValue(0, 1), /the vertex was used after its call had ended/);
  // Of the vertices before one that fails what they have set counts for nothing, as the run ends.
  await fails(sets(({ id, outgoing }) => { outgoing.setValue(0, 1); if (id === 2) throw new Error("mine"); }), { message: "mine", item: 2 });
});

/** A harness whose frames are changed before the program is given them. */
class Changed extends VertexHarness {
  constructor(program, change, options) {
    super(program, { edges: TRIANGLE, ...options });
    this.change = change;
  }
  call(frame, bytes, ...more) {
    if (this.memory.u32(frame) >>> 16 === Kind.VERTEX) this.change(this.memory, frame);
    return super.call(frame, bytes, ...more);
  }
}

test("a frame that has no room for all values of a vertex is an error before the vertex is updated", async () => {
  const one = (memory, frame) => {
    const at = frame + VertexFrame.nextValues + 8;
    if (memory.u64(at) > 0) memory.setU64(at, memory.u64(at) - 8);
  };
  // As of an engine that knows no such field: so it is not read. It does not tell of intervals either.
  const old = (memory, frame) => {
    const isInterval = memory.u32(frame + VertexFrame.phase) === Phase.INTERVAL;
    memory.setU32(frame + FrameHead.size, isInterval ? VertexFrame.$bytes : VertexFrame.nextValues);
    memory.setU64(frame + VertexFrame.nextValues + 8, 2 ** 40);
  };
  for (const [change, vertex] of [[one, 2], [old, 0]]) {
    const seen = [];
    const program = sets(({ id, outgoing }) => {
      seen.push(id);
      for (let index = 0; index < outgoing.length; index++) outgoing.setValue(index, 7);
    });
    const says = new RegExp(`the frame has no room for the values of all outgoing edges of vertex ${vertex}: build engine and handler`);
    await assert.rejects(new Changed(program, change).run({ iterations: 1 }), { message: says, item: vertex });
    assert.deepEqual(seen, [0, 1, 2].slice(0, vertex));
    class Interval {
      static shown = "f64";
      static edge = "f64";
      static writes = true;
      interval() {}
    }
    await assert.rejects(new Changed(new Interval(), change).run({ iterations: 1 }), /no room for the values of all outgoing edges of its vertices/);
  }
  // Who does not write is told nothing of it.
  const list = { edges: edges(3, 90, 400) };
  assert.deepEqual(await new Changed(new PageRank(), old, list).run(), await new VertexHarness(new PageRank(), list).run());
});

test("a value that changes wakes who hears it, and outgoing alone who is heard", async () => {
  const list = [[0, 1, 0], [1, 2, 0], [3, 0, 0], [0, 4, 0]];
  const expected = [[0, 0], [1, 1], [2, 2]];
  for (const outgoing of [false, true]) {
    for (const form of ["update", "interval"]) {
      const seen = [];
      const tell = (id, iteration, set) => {
        seen.push([iteration, id]);
        if (id === 0) set(0, 1);
        // The edge from 0 to 4 has 0 already; -0 has other bits.
        if (id === 0) set(1, 0);
        if (id === 1) set(0, -0);
      };
      class Tells {
        static shown = "u32";
        static edge = "f64";
        static writes = true;
        static selective = true;
        static outgoing = outgoing;
        start(vertex) {
          if (vertex.id === 0) vertex.schedule();
        }
      }
      if (form === "update") {
        Tells.prototype.update = ({ id, outgoing }, { iteration }) => tell(id, iteration, (index, value) => outgoing.setValue(index, value));
      } else {
        Tells.prototype.interval = (vertices, { iteration }) => {
          const { begins, ends, nextValues } = vertices.outgoing;
          let first = 0;
          for (let k = 0; k < vertices.length; k++) {
            tell(vertices.id(k), iteration, (index, value) => (nextValues[first + index] = value));
            first += ends[k] - begins[k];
          }
        };
      }
      const ran = await run(new Tells(), { edges: list, vertices: 1500 }, { iterations: 9 });
      assert.deepEqual(seen, expected, form);
      assert.deepEqual(ran.edges, Float64Array.of(0, 1, -0, 0));
      seen.length = 0;
      assert.deepEqual((await new Simulator(Tells, { edges: list, vertices: 1500 }).run()).edges, ran.edges);
      assert.deepEqual(seen, expected, form);
    }
  }
  // What is shown wakes as ever: along outgoing edges, and along the others of who declares outgoing.
  for (const [outgoing, expected] of [[false, [[0, 0], [1, 1], [1, 4]]], [true, [[0, 0], [1, 1], [1, 3], [1, 4]]]]) {
    const seen = [];
    const program = sets((vertex, { iteration }) => {
      seen.push([iteration, vertex.id]);
      if (vertex.id === 0) vertex.show(1);
    }, { selective: true, outgoing });
    program.start = (vertex) => vertex.id === 0 && vertex.schedule();
    await run(program, { edges: list }, { iterations: 9 });
    assert.deepEqual(seen, expected);
  }
});

/** An interval's program over the triangle. */
function within(interval, more = {}) {
  class Within {
    interval(vertices, context) {
      return interval(vertices, context);
    }
  }
  return new (Object.assign(Within, { shown: "u32", edge: "f32", writes: true, ...more }))();
}

test("an interval has room for the values of its outgoing edges, and only there", async () => {
  let kept;
  const { edges: found } = await run(within(async ({ outgoing }) => {
    kept = outgoing;
    await undefined;
    const { nextValues, values, places } = outgoing;
    assert.ok(nextValues instanceof Float32Array);
    assert.deepEqual([...nextValues], [1, 4, 2, 3]);
    nextValues[1] = 8;
    assert.equal(values[places.length === 0 ? 1 : places[1]], 4);
  }));
  assert.deepEqual(found, Float32Array.of(3, 1, 8, 2));
  assert.equal(kept.nextValues.length, 0);
  await fails(within(({ incoming }) => incoming.nextValues), /nextValues of incoming edges: values are set on outgoing edges/);
  await fails(within(({ outgoing }) => outgoing.nextValues, { writes: false, outgoing: true }), /does not declare writes/);
  await fails(within(({ outgoing }) => outgoing, { writes: false }), /does not declare outgoing edges/);
  // Without any edges there is nothing to write.
  await run(within(({ outgoing }) => assert.equal(outgoing.nextValues.length, 0)), { edges: [], vertices: 2 });
});

test("the simulator refuses what is no number, another vertex's edges and Gauss-Seidel's way", async () => {
  const simulated = (program, options = {}) => new Simulator(program, { edges: TRIANGLE, ...options }).run({ iterations: 1 });
  const refused = (program, expected, options) => assert.rejects(async () => simulated(program, options), expected);
  const nan = sets(({ id, outgoing }) => id === 1 && outgoing.setValue(0, 0 / 0));
  await refused(nan, { name: "ProgramError", vertex: 1, message: "vertex 1 in iteration 0: RangeError: vertex 1: setValue: the value is NaN" });
  assert.ok(Number.isNaN((await simulated(nan, { allowNaN: true })).edges[3]));
  await refused(within(({ outgoing }) => (outgoing.nextValues[1] = NaN)), /RangeError: vertex 0: nextValues of outgoing edge 1: the value is NaN/);
  await refused(within(({ outgoing }) => (outgoing.nextValues[4] = 1)), /nextValues of the interval has 4 elements, and 4 was asked for/);
  const says = /values of edges at 1 was written: a program writes own, next and nextValues of the vertices/;
  await refused(within(({ outgoing }) => (outgoing.values[1] = 5)), says);
  // The first incoming edge is the last outgoing one.
  const last = /values of edges at 3 was written/;
  await refused(within(({ incoming }) => (incoming.values[incoming.places[0]] = 5)), last);
  await refused(within(({ incoming }) => incoming.places[4]), /places of the interval has 4 elements, and 4 was asked for/);
  await refused(within(({ outgoing }) => outgoing.places[0]), /places of the interval has 0 elements, and 0 was asked for/);
  let other;
  const reaches = sets(({ id, outgoing }) => {
    if (id === 0) other = outgoing;
    else other.setValue(0, 1);
  });
  await refused(reaches, /vertex 1 in iteration 0: Error: outgoing of vertex 0 was used while vertex 1 is updated/);
  await refused(sets(() => {}), /gaussSeidel: a program that writes values of edges is run in Jacobi's way only/, { gaussSeidel: 1024 });
});

test("NaN is found in an interval whose vertices are not side by side", async () => {
  class Picks {
    static own = "f64";
    static shown = "f64";
    static selective = true;
    start(vertex) {
      if (vertex.id !== 1) vertex.schedule();
    }
    interval({ own }) {
      own[1] = NaN;
    }
  }
  await assert.rejects(new Simulator(Picks, { edges: TRIANGLE }).run(), /RangeError: vertex 2: own: the value is NaN/);
  // What a step tells is what the program has written.
  class Keeps extends Picks {
    interval({ own }) {
      own[0] = 5;
    }
  }
  const steps = [...new Simulator(Keeps, { edges: TRIANGLE }).steps()];
  assert.equal(steps.find(({ what }) => what === "update").own, 5);
});
