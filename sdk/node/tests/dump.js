// Dumped intervals, as the engine writes them, of runs of the simulator.

import { Simulator } from "upcall/simulator";
import { neighbours } from "./graph.js";

/** A number as it is in a file: text where it has 64 bits or is not finite; of an f32 the shortest that is read as the same. */
function text(type, value) {
  if (/64/.test(type) && type !== "f64") return String(value);
  if (!Number.isFinite(value)) return String(value).replace("Infinity", "inf");
  // JSON.stringify knows no -0.
  if (Object.is(value, -0)) return "as -0.0";
  if (type !== "f32") return value;
  for (let digits = 1; ; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
}

/** What an object becomes in a file. */
export const written = (dump) => JSON.stringify(dump).replaceAll('"as -0.0"', "-0.0");

const LEAST = { f32: -Infinity, f64: -Infinity, i32: -(2 ** 31), u32: 0, i64: -(2n ** 63n), u64: 0n };
const LARGEST = { f32: Infinity, f64: Infinity, i32: 2 ** 31 - 1, u32: 2 ** 32 - 1, i64: 2n ** 63n - 1n, u64: 2n ** 64n - 1n };

function gathered(by, type, shown) {
  if (by === "count") return shown.length;
  if (by === "sum") return shown.reduce((sum, one) => sum + Number(one), 0);
  if (by === "min") return shown.reduce((one, other) => (other < one ? other : one), LARGEST[type]);
  return shown.reduce((one, other) => (other > one ? other : one), LEAST[type]);
}

/** The interval of 1024 vertices with this number in an iteration from 1 on. */
export async function dumpOf(program, given, { interval = 0, iteration = 1 } = {}) {
  const { vertices, edges, directed = true, settings = {} } = given;
  const simulator = new Simulator(program, { ...given, allowNaN: true, ...(program.prototype.interval && { interval: 1024 }) });
  let total;
  for (const step of simulator.steps()) {
    if (step.what === "after" && step.iteration === iteration - 1) {
      total = step.done.total;
      break;
    }
  }
  const was = simulator.ran();
  const updated = [];
  for (const step of simulator.steps()) {
    if (step.what === "after") break;
    updated.push(...step.vertices);
  }
  const { own, shown, edges: set } = simulator.ran();
  const { shown: type, own: kept = null, edge = null, outgoing = false, selective = false, writes = false, gather = null } = program;
  // Each edge with the place of its value, in the order of incoming ones.
  const all = directed ? edges : edges.flatMap(([from, to, value]) => (from === to ? [[from, to, value]] : [[from, to, value], [to, from, value]]));
  const edged = neighbours(all.map(([from, to], edge) => [from, to, edge]), vertices, true);
  const order = edged.incoming.flatMap((all) => all.map(([, edge]) => edge));
  const placeOf = new Map(order.map((edge, place) => [edge, place]));
  const placed = (side) => side.map((all) => all.map(([other, edge]) => [other, placeOf.get(edge)]));
  const sides = { incoming: placed(edged.incoming), outgoing: placed(edged.outgoing) };
  const had = was.edges ?? order.map((edge) => all[edge][2]);
  const rows = updated.filter((id) => Math.floor(id / 1024) === interval).map((id) => {
    const ends = (all) => ({
      ids: all.map(([other]) => other),
      shown: all.map(([other]) => text(type, was.shown[other])),
      ...(edge && { values: all.map(([, place]) => text(edge, had[place])) }),
    });
    const row = { id, ...(kept && { own: text(kept, was.own[id]) }), shown: text(type, was.shown[id]) };
    row.outDegree = sides.outgoing[id].length;
    row.incoming = ends(sides.incoming[id]);
    if (outgoing || writes) row.outgoing = ends(sides.outgoing[id]);
    if (gather) {
      const come = gathered(gather, type, sides.incoming[id].map(([other]) => was.shown[other]));
      row.gathered = text(/min|max/.test(gather) ? type : "f64", come);
    }
    if (kept) row.keeps = text(kept, own[id]);
    row.shows = text(type, shown[id]);
    if (writes) row.sets = sides.outgoing[id].map(([, place]) => text(edge, set[place]));
    return row;
  });
  return {
    upcall: "interval", version: 1, program: `${program.name} of programs.mjs`, settings, vertices,
    edges: sides.incoming.reduce((sum, all) => sum + all.length, 0), directed, iteration, total: text("f64", total),
    interval: { first: 0, end: vertices, pass: 0 }, own: kept, shown: type, edge, outgoing, selective, writes, gather, rows,
  };
}
