// Where the values of an interval's edges are: the same in the engine, in the simulator and in a replay.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { Graph } from "../build/graph.js";
import { Replay, Simulator } from "../build/simulator.js";
import { edges } from "./graph.js";
import { build } from "./graphs.js";
import { programs } from "./programs.js";

const folder = mkdtempSync(join(tmpdir(), "upcall-places-"));
after(() => rmSync(folder, { recursive: true }));

const PROGRAMS = `
class Mixes {
  static own = "f64";
  static shown = "u32";
  static edge = "f64";

  open({ settings, directed }) {
    Object.assign(this, { directed, weight: Number(settings.weight ?? 0) });
  }

  // What a vertex sees of its edges: not a number where there is no place for a value.
  mix(edges, k, places, so) {
    for (let e = edges.begins[k]; e < edges.ends[k]; e++) {
      const place = places ? edges.places[e] : e;
      so = (so * 3 + edges.values[place] + edges.ids[e] + this.weight * place) % 1009;
    }
    return so;
  }

  interval({ length, own, next, before, incoming, outgoing }, context) {
    const writes = this.constructor.writes === true;
    for (let k = 0; k < length; k++) {
      const heard = this.mix(incoming, k, writes, own[k]);
      own[k] = this.mix(outgoing, k, !writes && this.directed, heard);
      next[k] = before[k] + 1;
    }
  }
}

export class Looks extends Mixes {
  static outgoing = true;
}

export class Sets extends Mixes {
  static writes = true;

  interval(vertices, context) {
    super.interval(vertices, context);
    const { own, outgoing: { begins, ends, nextValues } } = vertices;
    let edge = 0;
    for (let k = 0; k < vertices.length; k++) {
      for (let e = begins[k]; e < ends[k]; e++, edge++) {
        if ((vertices.id(k) + e - begins[k] + context.iteration) % 3 > 0) nextValues[edge] = own[k] + (e - begins[k]) / 8;
      }
    }
  }
}

export class Picks extends Sets {
  static selective = true;

  start(vertex) {
    if (vertex.id % 3 === 0) vertex.schedule();
  }
}
`;
const file = join(folder, "places.mjs");
writeFileSync(file, PROGRAMS);
const { Looks, Sets, Picks } = await import(pathToFileURL(file).href);

const list = edges(9, 3000, 9000);
const text = join(folder, "list.txt");
writeFileSync(text, list.map((edge) => edge.join(" ")).join("\n"));

for (const directed of [true, false]) {
  const way = directed ? "directed" : "undirected";
  const path = build(text, join(folder, `${way}.graph`), "--values", "f64", "--direction", way);
  const given = { edges: list, vertices: 3000, directed };

  test(`places are the same in the engine and in the simulator: ${way}`, async () => {
    const graph = Graph.map(path);
    for (const program of [Looks, Sets, Picks]) {
      const options = { settings: { weight: "1" } };
      const found = await graph.run(program, { ...options, iterations: 4 });
      for (const how of [{}, { interval: 1024 }]) {
        const simulated = await new Simulator(program, { ...given, ...options, ...how }).run({ iterations: 4 });
        assert.deepEqual([simulated.own, simulated.shown, simulated.edges], [found.own, found.shown, found.edges], program.name);
      }
    }
    graph.close();
  });

  test(`what the engine dumps of such a program is replayed: ${way}`, async () => {
    for (const program of [Looks, Sets, Picks]) {
      const dumped = join(folder, "interval.json");
      const run = ["graph", "run", path, file, "--class", program.name, "--iterations", "4", "-o", join(folder, "out.tsv")];
      execFileSync(join(programs, "upcall"), [...run, "--dump-interval", "1", "--dump-iteration", "2", "--dump-to", dumped], { stdio: "pipe" });
      const replay = new Replay(program, dumped);
      const replayed = await replay.run();
      assert.deepEqual([replayed.differences, replayed.vertices > 300], [[], true], program.name);
    }
  });
}
