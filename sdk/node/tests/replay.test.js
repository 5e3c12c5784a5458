import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Components, Labels, PageRank, PageRankEdges, PageRankGather, ShortestPaths } from "../../../examples/graph/node/programs.mjs";
import { ProgramError, Replay, Simulator } from "upcall/simulator";
import { dumpOf, written } from "./dump.js";
import { edges } from "./graph.js";
import { talks, TYPES } from "./talks.js";

const folder = mkdtempSync(join(tmpdir(), "upcall-replay-"));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, "interval.json");

/** Writes a file, and replays it. */
function replay(program, dump, options) {
  writeFileSync(file, typeof dump === "string" ? dump : written(dump));
  return Simulator.replay(program, file, options);
}

async function agree(program, dump, options) {
  const replayed = await replay(program, dump, options);
  assert.deepEqual(replayed.differences, [], `${program.name} ${replayed}`);
  assert.equal(replayed.vertices, dump.rows.length);
  assert.ok(dump.rows.length > 0);
  assert.equal(String(replayed), `all ${dump.rows.length} vertices agree`);
}

/** Puts a number to what there is so far, within a type. */
const MIXES = {
  f32: (so, value) => Math.fround(so * 0.75 + Number(value) / 3),
  f64: (so, value) => so * 0.75 + Number(value) / 3,
  i32: (so, value) => (Math.imul(so, 31) + Number(value)) | 0,
  u32: (so, value) => (Math.imul(so, 31) + Number(value)) >>> 0,
  i64: (so, value) => BigInt.asIntN(64, BigInt(so) * 31n + BigInt(Math.trunc(Number(value)))),
  u64: (so, value) => BigInt.asUintN(64, BigInt(so) * 31n + BigInt(Math.trunc(Number(value)))),
};

/** A program of a form and a type, on which all has its effect that a vertex sees. */
function mixing(form, type, gather) {
  const big = /[iu]64/.test(type);
  const mix = (values) => values.reduce(MIXES[type], big ? 0n : 0);
  const finite = (value) => (Number.isFinite(Number(value)) ? value : 1);
  const of = (edges) => Array.from({ length: edges.length }, (_, index) => [edges.id(index), edges.shown(index), edges.value(index)]);
  const known = (vertex, { iteration, total, vertices, edges }) => [
    vertex.id, vertex.own, vertex.shown, vertex.inDegree, vertex.outDegree, iteration, Math.trunc(total), vertices, edges,
  ];
  class Program {
    start(vertex, context) {
      vertex.own = mix([vertex.id, 3]);
      vertex.show(mix([vertex.id, vertex.outDegree]));
      context.addTotal(vertex.id / 8);
    }
  }
  const methods = {
    update(vertex, context) {
      const all = [known(vertex, context), of(vertex.incoming), of(vertex.outgoing)].flat(2);
      vertex.own = mix(all);
      vertex.show(mix([vertex.own, ...all.reverse()]));
    },
    apply(vertex, gathered, context) {
      const all = [known(vertex, context), of(vertex.outgoing), finite(gathered)].flat(2);
      vertex.own = mix(all);
      vertex.show(mix([vertex.own, ...all.reverse()]));
    },
    interval(vertices, context) {
      const { own, next, shown, before, outDegrees, incoming, outgoing } = vertices;
      const of = ({ begins, ends, ids, at, values, places }, k) =>
        Array.from({ length: ends[k] - begins[k] }, (_, index) => {
          const e = begins[k] + index;
          return [ids[e], shown[at[e]], values[places.length === 0 ? e : places[e]]];
        });
      for (let k = 0; k < vertices.length; k++) {
        const vertex = {
          id: vertices.id(k), own: own[k], shown: before[k], inDegree: incoming.ends[k] - incoming.begins[k], outDegree: outDegrees[k],
        };
        const all = [known(vertex, context), of(incoming, k), of(outgoing, k)].flat(2);
        own[k] = mix(all);
        next[k] = mix([own[k], ...all.reverse()]);
      }
    },
  };
  Program.prototype[form] = methods[form];
  const says = { own: type, shown: type, edge: type, outgoing: true, ...(gather && { gather }) };
  return Object.assign(Program, says);
}

test("each form and type comes to the same again, with exactly what it saw", async () => {
  const forms = [["update"], ["interval"], ...["sum", "count", "min", "max"].map((gather) => ["apply", gather])];
  for (const type of Object.keys(MIXES)) {
    const whole = /[iu]64/.test(type) ? (value) => BigInt(Math.trunc(value)) : Math.trunc;
    // One of them with two intervals; the others take less time.
    const vertices = type === "f64" ? 1100 : 60;
    const list = edges(5, vertices, 150 + vertices).map(([from, to, value]) => [from, to, type.startsWith("f") ? value : whole(value)]);
    for (const [form, gather] of forms) {
      for (const directed of [true, false]) {
        const program = mixing(form, type, gather);
        const interval = vertices > 1024 && directed ? 1 : 0;
        await agree(program, await dumpOf(program, { edges: list, vertices, directed }, { interval }));
      }
    }
  }
});

const GIVEN = { edges: edges(3, 1300, 4000), vertices: 1300, settings: { from: "3", damping: "0.75" } };

test("a program is told of the iteration and of the interval that the vertices are of, before them and once", async () => {
  const told = [];
  class Told extends PageRank {
    beforeIteration(...given) {
      super.beforeIteration(...given);
      told.push(given);
    }
    beforeInterval(interval) {
      told.push(interval);
    }
    update(vertex, context) {
      if (told.length < 3) told.push(vertex.id);
      super.update(vertex, context);
    }
    afterInterval() {
      throw new Error("it was called");
    }
    repeatUpdates() {
      throw new Error("it was called");
    }
  }
  const dump = await dumpOf(PageRank, GIVEN, { interval: 1 });
  const interval = { iteration: 1, first: 0, end: 1300, pass: 0, updated: 0, residual: 0, total: 0 };
  const wanted = (more) => [[1, dump.total], { ...interval, ...more }, 1024];
  const { interval: _, ...older } = dump;
  for (const given of [{ first: 0, end: 1300, pass: 0 }, { first: 1024, end: 1300, pass: 2 }]) {
    await agree(Told, { ...dump, interval: given });
    assert.deepEqual(told.splice(0), wanted(given));
  }
  await agree(Told, older);
  assert.deepEqual(told, wanted({}));
  for (const [given, says] of [
    [5, /interval.json, interval is 5, and not an object/],
    [{ first: 0, end: 1300 }, /interval has no "pass"/],
    [{ first: 0, end: 1301, pass: 0 }, /interval: "end" has 1301, and not a whole number from 0 to 1300/],
    [{ first: 1024, end: 1000, pass: 0 }, /interval ends at vertex 1000, and begins at 1024/],
    [{ first: 0, end: 1300, pass: -1 }, /"pass" has -1/],
  ]) await assert.rejects(replay(Told, { ...dump, interval: given }), says);
});

test("programs have the settings of the run, or others, and selective ones those vertices that were updated", async () => {
  for (const program of [PageRank, PageRankEdges, PageRankGather, Components, ShortestPaths, Labels]) {
    for (const interval of [0, 1]) {
      const dump = await dumpOf(program, GIVEN, { interval, iteration: 2 });
      if (program.selective) assert.ok(dump.rows.length < (interval === 0 ? 1024 : 276), program.name);
      await agree(program, dump);
    }
  }
  const dump = await dumpOf(PageRank, GIVEN);
  assert.equal((await replay(PageRank, dump, { settings: { damping: "0.5" } })).vertices, 1024);
  assert.ok((await replay(PageRank, dump, { settings: { damping: "0.5" } })).differences.length > 1000);
  await agree(PageRank, dump, { settings: { tolerance: "1" } });
});

// As `upcall graph run` has written them, of the same programs in Python.
const GATHERED = String.raw`
  {"directed":true,"edge":null,"edges":5,"gather":"sum","iteration":3,"outgoing":false,"own":"f64","program":"PageRankGather of pagerank.py","rows":[
    {"gathered":0.41296093749999996,"id":0,"incoming":{"ids":[2],"shown":[0.41296093749999996]},"keeps":0.38851679687499996,"outDegree":2,"own":0.290640625,"shown":0.1453203125,"shows":0.19425839843749998},
    {"gathered":0.1453203125,"id":1,"incoming":{"ids":[0],"shown":[0.1453203125]},"keeps":0.161022265625,"outDegree":1,"own":0.25889843749999997,"shown":0.25889843749999997,"shows":0.161022265625},
    {"gathered":0.44171874999999994,"id":2,"incoming":{"ids":[0,1,3],"shown":[0.1453203125,0.25889843749999997,0.037500000000000006]},"keeps":0.41296093749999996,"outDegree":1,"own":0.41296093749999996,"shown":0.41296093749999996,"shows":0.41296093749999996},
    {"gathered":0.0,"id":3,"incoming":{"ids":[],"shown":[]},"keeps":0.037500000000000006,"outDegree":1,"own":0.037500000000000006,"shown":0.037500000000000006,"shows":0.037500000000000006}
  ],"selective":false,"settings":{},"shown":"f64","total":0.0,"upcall":"interval","version":1,"vertices":4}`;
const PATHS = String.raw`
  {"directed":true,"edge":"f64","edges":5,"gather":null,"iteration":1,"outgoing":false,"own":null,"program":"ShortestPaths of paths.py","rows":[
    {"id":1,"incoming":{"ids":[0],"shown":[0.0],"values":[0.1]},"outDegree":1,"shown":"inf","shows":0.1},
    {"id":2,"incoming":{"ids":[0,1,3],"shown":[0.0,"inf","inf"],"values":[0.001,0.25,7.0]},"outDegree":1,"shown":"inf","shows":0.001}
  ],"selective":true,"settings":{},"shown":"f64","total":0.0,"upcall":"interval","version":1,"vertices":4}`;

test("what the engine has written of a program in another language is replayed", async () => {
  assert.equal(String(await replay(PageRankGather, GATHERED)), "all 4 vertices agree");
  assert.equal(String(await replay(ShortestPaths, PATHS)), "all 2 vertices agree");
  assert.equal(String(await replay(ShortestPaths, PATHS.replace(`"values":[0.001`, `"values":[0.002`))), "vertex 2 shows 0.001 under the engine and 0.002 in the simulator");
});

test("a number that was changed is found and named", async () => {
  const dump = await dumpOf(PageRank, GIVEN, { interval: 1 });
  const [, row, other] = dump.rows;
  const [{ shows }, { keeps }] = [row, other];
  row.shows = 0.5;
  const one = await replay(PageRank, dump);
  assert.deepEqual(one.differences, [{ vertex: 1025, what: "shows", engine: 0.5, simulator: shows }]);
  assert.equal(String(one), `vertex 1025 shows 0.5 under the engine and ${shows} in the simulator`);
  Object.assign(other, { keeps: "-inf", shows: "NaN" });
  const three = await replay(PageRank, dump);
  assert.deepEqual(three.differences.slice(1), [
    { vertex: 1026, what: "keeps", engine: -Infinity, simulator: keeps },
    { vertex: 1026, what: "shows", engine: NaN, simulator: three.differences[2].simulator },
  ]);
  assert.equal(String(three), `${one}; of 276 vertices 2 differ`);
  // What a vertex saw has its effect too: the last bit of what a neighbour showed.
  const seen = await dumpOf(PageRank, GIVEN);
  const { id, incoming: { shown } } = seen.rows.find(({ incoming }) => incoming.shown.length > 3);
  shown[0] *= 2;
  assert.equal((await replay(PageRank, seen)).differences[0].vertex, id);
});

test("what a program sets its edges to is compared too", async () => {
  for (const type of TYPES) {
    const whole = /[iu]64/.test(type) ? (value) => BigInt(Math.trunc(value)) : Math.trunc;
    const list = edges(5, 50, 200).map(([from, to, value]) => [from, to, type.startsWith("f") ? value : whole(value)]);
    for (const form of ["update", "apply", "interval"]) {
      for (const directed of [true, false]) {
        const program = talks(form, type, { outgoing: directed });
        const dump = await dumpOf(program, { edges: list, vertices: 50, directed }, { iteration: 2 });
        await agree(program, dump);
        const row = dump.rows.find(({ sets }) => sets.length > 2);
        const { [2]: simulator } = row.sets;
        const engine = /64/.test(type) && type !== "f64" ? "77" : 77;
        row.sets[2] = engine;
        const replayed = await replay(program, dump);
        const value = (number) => (/[iu]64/.test(type) ? BigInt(number) : Number(number));
        const [{ simulator: found, ...difference }, ...more] = replayed.differences;
        assert.deepEqual([difference, more], [{ vertex: row.id, what: "sets", edge: 2, engine: value(engine) }, []]);
        assert.equal(type === "f32" ? Math.fround(simulator) : value(simulator), found);
        assert.equal(String(replayed), `vertex ${row.id} sets outgoing edge 2 to 77 under the engine and ${found} in the simulator`);
      }
    }
  }
  const dump = await dumpOf(PageRankEdges, GIVEN);
  const [first] = dump.rows;
  const fails = (given, says) => assert.rejects(replay(PageRankEdges, given, {}), says);
  await fails({ ...dump, writes: false }, /which has writes = false, and PageRankEdges has writes = true/);
  const { writes, ...older } = dump;
  await fails(older, /which has writes = false, and PageRankEdges has writes = true/);
  await fails({ ...dump, writes: 1 }, /"writes" has 1, and not true or false/);
  await fails({ ...dump, edge: null }, /"edge" is null, and "writes" is true/);
  await fails({ ...dump, rows: [{ ...first, sets: first.sets.slice(1) }] }, /vertex 0: "outgoing" has \d+ edges, and "sets" \d+/);
  await fails({ ...dump, rows: [{ ...first, sets: undefined }] }, /vertex 0 has no "sets"/);
  await fails({ ...dump, rows: [{ ...first, outgoing: undefined }] }, /vertex 0 has no "outgoing"/);
  // A file that is older, of a program that writes nothing.
  const { writes: _, ...ranks } = await dumpOf(PageRank, GIVEN);
  await agree(PageRank, ranks);
});

test("-0, infinity and what is no number are told apart", async () => {
  class Quotients {
    static shown = "f32";
    static own = "f64";
    start(vertex) {
      vertex.own = [1, -1, 0, -1e-300][vertex.id];
      vertex.show([0, 0, 0, 2e38][vertex.id]);
    }
    update(vertex) {
      vertex.own /= vertex.shown;
      vertex.show(vertex.own * 0.1);
    }
  }
  const dump = await dumpOf(Quotients, { edges: [], vertices: 4 }, { iteration: 1 });
  assert.match(written(dump), /"own":"inf".*"own":"-inf".*"own":"NaN".*-0.0/);
  await agree(Quotients, dump, { allowNaN: true });
  await assert.rejects(replay(Quotients, dump), (error) => error instanceof ProgramError && error.iteration === 1);
  class Zero {
    static shown = "f64";
    update(vertex) {
      vertex.show(-0);
    }
  }
  const zero = await dumpOf(Zero, { edges: [], vertices: 1 });
  await agree(Zero, zero);
  zero.rows[0].shows = 0;
  assert.equal(String(await replay(Zero, zero)), "vertex 0 shows 0 under the engine and -0 in the simulator");
});

test("it goes on from step to step, with what a simulator looks at", async () => {
  const dump = await dumpOf(PageRank, GIVEN, { interval: 1 });
  dump.rows[1].shows = 0.5;
  writeFileSync(file, written(dump));
  const steps = new Replay(PageRank, file, { breakAt: [1026] });
  const first = steps.step();
  const { own, shown, keeps, shows } = dump.rows[0];
  assert.deepEqual(first, {
    what: "update", iteration: 1, vertex: 1024, vertices: [1024], own: keeps, before: shown, shows, done: undefined,
  });
  assert.notEqual(own, keeps);
  assert.equal(String(steps.replayed()), "all 1 vertices agree");
  for (const { vertex } of steps.steps()) if (vertex === 1026) break;
  assert.equal(steps.replayed().vertices, 3);
  assert.equal((await steps.run()).vertices, 276);
  assert.deepEqual([steps.step(), steps.replayed().differences.length], [undefined, 1]);
  assert.throws(() => new Replay(PageRank, file, { breakAt: [1026, 3] }), /break at vertex 3: it is not in .*json, which has 276 vertices from 1024 to 1299/);

  const program = mixing("interval", "f64");
  const together = await dumpOf(program, GIVEN, { interval: 1 });
  writeFileSync(file, written(together));
  assert.deepEqual([...new Replay(program, file).steps()].map(({ vertices }) => vertices.length), [276]);
  const fails = (write, says) => {
    class Writes extends program {
      async interval(vertices, context) {
        await undefined;
        super.interval(vertices, context);
        write(vertices);
      }
    }
    return assert.rejects(Simulator.replay(Writes, file), says);
  };
  await fails(({ before }) => (before[2] = 5), /in iteration 1: Error: what vertices showed of vertex 1026 was written: a program writes own and next/);
  await fails(({ shown }) => (shown[1] = 5), /shown of the interval at 1 was written/);
  await fails(({ outDegrees }) => (outDegrees[1] = 5), /outDegrees of vertex 1025 was written/);
  await fails(({ outgoing }) => (outgoing.values[0] = 5), /values of outgoing edges at 0 was written/);
  await fails(({ next }) => (next[3] = NaN), /RangeError: vertex 1027: next: the value is NaN/);
  await fails(({ next }) => next[276], /next of the interval has 276 elements, and 276 was asked for/);
  class Throws extends PageRank {
    update(vertex, context) {
      if (vertex.id === 1030) throw new Error("mine");
      super.update(vertex, context);
    }
  }
  await assert.rejects(replay(Throws, dump), { name: "ProgramError", vertex: 1030, iteration: 1, message: "vertex 1030 in iteration 1: Error: mine" });
});

test("vertices that schedule others have room for them, and a file without vertices is replayed", async () => {
  class Wakes {
    static shown = "u32";
    static selective = true;
    start(vertex) {
      vertex.schedule();
    }
    update(vertex) {
      for (let other = 0; other < 5; other++) vertex.schedule(other);
      vertex.show(vertex.id);
    }
  }
  const dump = await dumpOf(Wakes, { edges: [[0, 1], [1, 2], [2, 3], [3, 4]], vertices: 5 });
  await agree(Wakes, dump);
  assert.equal(String(await replay(Wakes, { ...dump, rows: [] })), "no vertices were updated");
  const far = { ...dump, vertices: 2 ** 32 - 1, rows: dump.rows.slice(0, 1) };
  await assert.rejects(replay(Wakes, far), /vertex 0 in iteration 1: RangeError: schedule a vertex: 2 are scheduled in this frame already/);
});

test("a debugger stops before the vertices that it is told", async () => {
  writeFileSync(file, written(await dumpOf(PageRank, GIVEN, { interval: 1 })));
  const program = `
    const inspector = await import("node:inspector");
    const { Simulator } = await import("upcall/simulator");
    const { PageRank } = await import("../../../examples/graph/node/programs.mjs");
    const session = new inspector.Session();
    session.connect();
    let now = 0;
    const stops = [];
    session.on("Debugger.paused", () => stops.push(now));
    session.post("Debugger.enable");
    class Ranks extends PageRank {
      update(vertex, context) { now = vertex.id; super.update(vertex, context); }
    }
    const replayed = await Simulator.replay(Ranks, ${JSON.stringify(file)}, { breakAt: [1024, 1027] });
    console.log(stops.join(), String(replayed));`;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { cwd, encoding: "utf8", timeout: 30_000 });
  assert.equal(stdout.trim(), "0,1026 all 276 vertices agree", stderr);
});

test("a file of other types, and one that is no dump, say what is wrong", async () => {
  const dump = await dumpOf(ShortestPaths, GIVEN);
  const fails = (given, says, program = ShortestPaths) => assert.rejects(replay(program, given, {}), says);
  const row = (changes) => ({ ...dump, rows: [{ ...dump.rows[0], ...changes }] });
  const { incoming } = dump.rows.find(({ incoming }) => incoming.ids.length > 1);
  const without = (name) => {
    const { [name]: _, ...others } = dump;
    return others;
  };
  await fails(dump, {
    name: "TypeError",
    message: `${file} was written of ShortestPaths of programs.mjs, which has own = null, edge = "f64", selective = true, and PageRank has own = "f64", edge = null, selective = false: replay the program that was run`,
  }, PageRank);
  class Sums extends PageRankGather {
    static gather = "count";
  }
  await fails(await dumpOf(PageRankGather, GIVEN), /which has gather = "sum", and Sums has gather = "count"/, Sums);
  await fails({ ...dump, shown: "f32" }, /which has shown = "f32", and ShortestPaths has shown = "f64"/);
  await fails("0 1\n1 2\n", /interval\.json is no dumped interval, as it is not JSON: /);
  for (const other of ["null", "3", "[]", "{}", '{"upcall":"flow"}']) {
    await fails(other, /is no dumped interval, which has "upcall": "interval": upcall graph run … --dump-interval/);
  }
  await fails({ ...dump, version: 2 }, /has version 2, and this simulator reads 1/);
  for (const name of Object.keys(dump).filter((name) => !["upcall", "writes", "interval"].includes(name))) {
    await fails(without(name), new RegExp(`interval\\.json has no "${name}"`));
  }
  for (const [given, says] of [
    [{ ...dump, shown: null }, /"shown" is null/],
    [{ ...dump, shown: "f16" }, /"shown" has "f16", and not a type of numbers: f32, /],
    [{ ...dump, gather: "mean" }, /"gather" has "mean", and not a way to gather: sum, /],
    [{ ...dump, directed: 1 }, /"directed" has 1, and not true or false/],
    [{ ...dump, program: null }, /"program" has null, and not a text/],
    [{ ...dump, settings: { from: 3 } }, /"settings" has {"from":3}, and not an object of texts/],
    [{ ...dump, iteration: -1 }, /"iteration" has -1, and not a whole number from 0/],
    [{ ...dump, total: "much" }, /"total" has "much", and not a number of the type f64/],
    [{ ...dump, rows: {} }, /"rows" has {}, and not a list/],
    [{ ...dump, rows: [7] }, /row 0 is 7, and not an object/],
    [{ ...dump, rows: [{}] }, /row 0 has no "id"/],
    [{ ...dump, rows: [dump.rows[1], dump.rows[0]] }, /vertex \d+ comes after vertex \d+: rows are in ascending order/],
    [{ ...dump, rows: [dump.rows[0], { ...dump.rows[1], id: 1024 }] }, /vertex 1024 comes after vertex \d+: .* of one interval of 1024/],
    [row({ id: 1300 }), /row 0: "id" has 1300, and not a whole number from 0 to 1299/],
    [row({ shown: undefined }), /vertex \d+ has no "shown"/],
    [row({ shows: "1" }), /vertex \d+: "shows" has "1", and not a number of the type f64/],
    [row({ incoming: [] }), /vertex \d+, incoming has no "ids"/],
    [row({ incoming: { ...incoming, ids: [9999, 1] } }), /incoming: "ids" has 9999, and not a whole number from 0 to 1299/],
    [row({ incoming: { ...incoming, values: [] } }), /incoming: "ids" has \d+ edges, and "values" 0/],
    [row({ incoming: { ...incoming, values: undefined } }), /incoming has no "values"/],
  ]) {
    await fails(given, says);
  }
  await assert.rejects(Simulator.replay(PageRank, join(folder, "none.json")), { code: "ENOENT" });
  await fails(dump, /is no vertex program/, class {});
});

test("numbers that their type does not have are refused", async () => {
  for (const [type, number, says] of [
    ["f32", 1e39, /number of the type f32/], ["i32", 2 ** 31, /i32/], ["i32", 0.5, /i32/], ["u32", -1, /u32/], ["u32", "NaN", /u32/],
    ["i64", String(2n ** 63n), /i64/], ["u64", "-1", /u64/], ["u64", 2 ** 53, /u64/], ["u64", "", /u64/], ["f64", null, /f64/], ["f64", true, /f64/],
  ]) {
    class Shows {
      static shown = type;
      update() {}
    }
    const dump = await dumpOf(Shows, { edges: [], vertices: 1 });
    dump.rows[0].shown = number;
    await assert.rejects(replay(Shows, dump), says);
  }
});
