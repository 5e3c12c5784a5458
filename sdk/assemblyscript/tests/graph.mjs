/** Runs vertex programs of a module over a graph, as an engine does: by frames, in iterations. */

import fs from "node:fs";

const BLOCK = 1024;
const WINDOW = 2 * BLOCK;
const SIZES = { f32: 4, f64: 8, i32: 4, i64: 8, u32: 4, u64: 8 };
const COLUMNS = {
  f32: Float32Array, f64: Float64Array, i32: Int32Array, i64: BigInt64Array, u32: Uint32Array, u64: BigUint64Array,
};
const START = 0, UPDATE = 1, AFTER = 2, INTERVAL = 3;
const FRAME = {
  phase: 80, block: 84, iteration: 88, total: 96, first: 104, count: 112, ids: 120, own: 136, before: 152, next: 168, outDegrees: 184,
  shown: 200, incoming: 216, outgoing: 312, gathered: 408, tallies: 424, woken: 440, wakes: 456, updated: 464, scheduled: 472,
  residual: 480, ended: 488, nextValues: 496, intervalFirst: 512, intervalEnd: 520, pass: 528, size: 536,
};

/** A handler has failed, or ended its instance. */
export class Failed extends Error {
  constructor(message, item, ended) {
    super(message);
    this.item = item;
    this.ended = ended;
  }
}

/** A handler of a module. */
export class Instance {
  constructor(file, name) {
    const text = (at, length) => Buffer.from(this.memory.buffer, at, length).toString();
    const none = () => 1;
    const failed = (at, length) => { throw new Failed(text(at, length), null, true); };
    const log = (_level, at, length) => this.logged.push(text(at, length));
    this.logged = [];
    const upcall = { grow: none, read: none, list: none, log, failed };
    this.exports = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file)), { upcall }).exports;
    this.memory = this.exports.memory;
    this.at = this.end = 0;
    const refusal = this.room(32), said = this.room(1024), asked = this.room(40);
    this.slice(asked + 24, ...this.bytes(Buffer.from(name)));
    this.slice(refusal + 8, said, 1024);
    this.handler = this.exports.upcall_make(asked, refusal);
    if (!this.handler) throw new Failed(text(said, Number(this.view.getBigUint64(refusal + 24, true))), null, false);
    this.mark = this.at;
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  /** Memory of the host's, which nobody has cleared. */
  room(bytes) {
    if (this.at + bytes + 16 > this.end) {
      const pages = Math.max(64, Math.ceil((bytes + 16) / 65536));
      this.at = this.memory.grow(pages) * 65536;
      this.end = this.at + pages * 65536;
    }
    const at = this.at;
    this.at = (at + bytes + 15) & ~15;
    new Uint8Array(this.memory.buffer, at, bytes).fill(0xa5);
    return at;
  }

  bytes(from) {
    const at = this.room(from.length);
    new Uint8Array(this.memory.buffer, at, from.length).set(from);
    return [at, from.length];
  }

  /** A column of a type, with these numbers; where it is. */
  column(type, from) {
    const at = this.room(from.length * SIZES[type]);
    new COLUMNS[type](this.memory.buffer, at, from.length).set(from);
    return at;
  }

  slice(at, offset, length) {
    this.view.setBigUint64(at, BigInt(offset), true);
    this.view.setBigUint64(at + 8, BigInt(length), true);
  }

  head(kind, size) {
    const at = this.room(size);
    new Uint8Array(this.memory.buffer, at, size).fill(0);
    this.view.setUint16(at, 2, true);
    this.view.setUint16(at + 2, kind, true);
    this.view.setUint32(at + 4, size, true);
    this.slice(at + 40, this.room(4096), 4096);
    return at;
  }

  call(frame, out = 0) {
    if (!this.exports.upcall_call(this.handler, frame, out)) return;
    const view = this.view;
    const text = Number(view.getBigUint64(frame + 40, true)) + view.getUint32(frame + 56, true);
    const message = Buffer.from(this.memory.buffer, text, view.getUint32(frame + 60, true)).toString();
    throw new Failed(message, view.getUint32(frame + 68, true), false);
  }

  /** What it says of itself: pairs of a record's number, key and value. */
  describe() {
    const frame = this.head(6, 112);
    const out = this.room(4096);
    this.slice(frame + 80, out, out + 4096);
    this.call(frame, 80);
    const view = this.view, records = [];
    const end = Number(view.getBigUint64(frame + 80, true));
    for (let at = out; at < end; ) {
      const [about, , valueLength, keyLength] = new Uint32Array(this.memory.buffer, at, 4);
      const text = Buffer.from(this.memory.buffer, at + 16, valueLength + keyLength);
      records.push([about, text.subarray(valueLength).toString(), text.subarray(0, valueLength).toString()]);
      at += (16 + valueLength + keyLength + 7) & ~7;
    }
    return records;
  }

  open(kind, settings, graph) {
    const frame = this.head(1, 152);
    const pairs = Object.entries(settings).map((pair) => pair.map((text) => this.bytes(Buffer.from(text))));
    const list = this.room(32 * pairs.length);
    pairs.forEach(([name, value], at) => {
      this.slice(list + 32 * at, ...name);
      this.slice(list + 32 * at + 16, ...value);
    });
    this.slice(frame + 96, list, pairs.length);
    const added = this.room(24);
    this.view.setUint32(added, 24, true);
    this.view.setUint32(added + 4, graph.undirected ? 0 : 1, true);
    this.view.setBigUint64(added + 8, BigInt(graph.vertices), true);
    this.view.setBigUint64(added + 16, BigInt(graph.incoming.others.length), true);
    this.slice(frame + 120, added, 24);
    this.view.setUint16(frame + 136, kind, true);
    this.view.setUint32(frame + 144, 1, true);
    this.call(frame);
  }
}

/** A graph of edges, each `[from, to, value]`. */
export class Graph {
  constructor(vertices, edges, undirected = false) {
    const all = edges.map(([from, to, value = 1]) => ({ from, to, value }));
    if (undirected) all.push(...all.filter((one) => one.from !== one.to).map(({ from, to, value }) => ({ from: to, to: from, value })));
    this.vertices = vertices;
    this.undirected = undirected;
    all.sort((one, other) => one.to - other.to || one.from - other.from);
    all.forEach((edge, place) => (edge.in = place));
    all.sort((one, other) => one.from - other.from || one.to - other.to || one.in - other.in);
    all.forEach((edge, place) => (edge.out = place));
    this.outgoing = side(vertices, all, "from", "to", "in");
    this.incoming = side(vertices, all.sort((one, other) => one.in - other.in), "to", "from", "out");
  }
}

/** Edges by one of their ends, which are at `places` of the other side. */
function side(vertices, edges, here, there, place) {
  const begins = new Array(vertices + 1).fill(0);
  for (const edge of edges) begins[edge[here] + 1]++;
  for (let at = 0; at < vertices; at++) begins[at + 1] += begins[at];
  const column = (name) => edges.map((edge) => edge[name]);
  return { begins, others: column(there), values: column("value"), places: column(place) };
}

/** Runs a program; what each vertex keeps and shows in the end, how many iterations there were, and the values of edges, in the order of
 * incoming ones, of a program that sets them. All vertices are one interval. `change` may do something to frames of vertices before they
 * are handed over. */
export function run(file, name, graph, settings = {}, most = Infinity, change = () => {}) {
  const instance = new Instance(file, name);
  const said = instance.describe();
  const types = Object.fromEntries(said.filter(([about]) => about === 9).map(([, key, value]) => [key, value]));
  const needs = (what) => said.some(([about, key]) => about === 10 && key === what);
  const gather = said.find(([about]) => about === 11)?.[1];
  instance.open(18, settings, graph);
  instance.mark = instance.at;
  const running = {
    instance, graph, types, gather, outgoing: needs("outgoing"), selective: needs("selective"), writes: needs("writes"), change,
    edges: types.edge && typed(types.edge, graph.incoming.values),
    own: types.own && new COLUMNS[types.own](graph.vertices), shown: new COLUMNS[types.shown](graph.vertices),
    scheduled: new Set(), iteration: 0, pass: 0, before: 0, residual: 0, total: 0,
  };
  pass(running, START);
  const scheduled = () => (running.selective ? running.scheduled.size : graph.vertices);
  while (running.iteration < most && scheduled()) {
    running.before = running.total;
    iterate(running);
    const ended = asked(running, AFTER, { scheduled: scheduled() });
    running.iteration++;
    if (ended) break;
  }
  const { own, shown, iteration: iterations } = running;
  return { own, shown, iterations, logged: instance.logged, edges: running.writes ? running.edges : undefined };
}

/** Updates the interval as often as the program says. */
function iterate(running) {
  let updated = 0;
  for (running.pass = 0; ; running.pass++) {
    pass(running, UPDATE);
    updated += running.updated;
    const again = asked(running, INTERVAL, { intervalEnd: running.graph.vertices, pass: running.pass });
    if (again && running.writes) {
      throw new Error("it writes values of edges, which are seen in the next iteration: its updates are not repeated");
    }
    if (!again || (running.selective && !running.scheduled.size)) break;
  }
  running.updated = updated;
}

/** What a program answers to a frame without vertices. */
function asked({ instance, iteration, updated, residual, total }, phase, more) {
  const frame = instance.head(18, FRAME.size), view = instance.view;
  view.setUint32(frame + FRAME.phase, phase, true);
  view.setFloat64(frame + FRAME.residual, residual, true);
  view.setFloat64(frame + FRAME.total, total, true);
  for (const [field, value] of Object.entries({ iteration, updated, ...more })) view.setBigUint64(frame + FRAME[field], BigInt(value), true);
  instance.call(frame);
  return instance.view.getUint32(frame + FRAME.ended, true) !== 0;
}

function typed(type, numbers) {
  return COLUMNS[type].from(numbers, type.endsWith("64") && type !== "f64" ? BigInt : Number);
}

/** All vertices that are scheduled, or all that there are. */
function pass(running, phase) {
  const { graph, selective } = running;
  const next = running.shown.slice(), set = running.edges?.slice(), wakes = new Set(), tallies = [];
  running.updated = 0;
  for (let first = 0; first < graph.vertices; first += WINDOW) {
    const ids = [];
    for (let id = first; id < graph.vertices && id < first + WINDOW; id++) {
      if (phase === START || !selective || running.scheduled.has(id)) ids.push(id);
    }
    if (ids.length) tallies.push(...hand(running, phase, first, ids, { next, set }, wakes));
    running.updated += ids.length;
  }
  running.residual = tallies.reduce((sum, [residual]) => sum + residual, 0);
  running.total = tallies.reduce((sum, [, total]) => sum + total, 0);
  running.shown = next;
  running.edges = set;
  running.scheduled = wakes;
}

/** Some vertices of a window; what their blocks have added up. */
function hand(running, phase, first, ids, { next, set }, wakes) {
  const { instance, graph, types, gather } = running;
  const starts = phase === START;
  instance.at = instance.mark;
  const frame = instance.head(18, FRAME.size);
  const put = (field, type, from) => {
    const at = instance.column(type, from);
    instance.slice(frame + field, at, from.length);
    return at;
  };
  /** A slice of values has bytes. */
  const values = (field, type, from) => {
    const at = type ? instance.column(type, from) : 0;
    instance.slice(frame + field, at, type ? from.length * SIZES[type] : 0);
    return at;
  };
  const shown = [];
  // An engine's frames have places of values on one side, in the order of the other's edges. Where they cross into WebAssembly values
  // are put side by side: a program is handed both.
  const other = running.writes ? graph.incoming : graph.undirected ? undefined : graph.outgoing;
  const placed = running.iteration % 2 === 0 ? other : undefined;
  const edges = (field, from) => {
    const begins = [], ends = [], others = [], at = [], arcs = [];
    // Where an engine does not say which they are, it counts them from the first vertex on, and not from the frame's.
    if (starts || (gather && from === graph.incoming)) {
      put(field, "u64", ids.map((id) => BigInt(from.begins[id])));
      put(field + 16, "u64", ids.map((id) => BigInt(from.begins[id + 1])));
      return;
    }
    for (const id of ids) {
      begins.push(BigInt(others.length));
      for (let arc = from.begins[id]; arc < from.begins[id + 1]; arc++) {
        arcs.push(arc);
        others.push(from.others[arc]);
        at.push(shown.length);
        shown.push(running.shown[from.others[arc]]);
      }
      ends.push(BigInt(others.length));
    }
    put(field, "u64", begins);
    put(field + 16, "u64", ends);
    put(field + 32, "u32", others);
    put(field + 48, "u32", at);
    if (!types.edge) return;
    if (from === placed) {
      values(field + 64, types.edge, running.writes ? graph.outgoing.places.map((place) => running.edges[place]) : running.edges);
      put(field + 80, "u64", arcs.map((arc) => BigInt(from.places[arc])));
    } else {
      values(field + 64, types.edge, arcs.map((arc) => running.edges[from === graph.incoming ? arc : from.places[arc]]));
    }
  };
  const view = instance.view;
  view.setUint32(frame + FRAME.phase, phase, true);
  view.setUint32(frame + FRAME.block, BLOCK, true);
  view.setBigUint64(frame + FRAME.iteration, BigInt(running.iteration), true);
  view.setFloat64(frame + FRAME.total, running.before, true);
  if (!starts) view.setBigUint64(frame + FRAME.intervalEnd, BigInt(graph.vertices), true);
  if (!starts) view.setBigUint64(frame + FRAME.pass, BigInt(running.pass), true);
  view.setBigUint64(frame + FRAME.first, BigInt(first), true);
  view.setBigUint64(frame + FRAME.count, BigInt(ids.length), true);
  if (ids.at(-1) - first !== ids.length - 1) put(FRAME.ids, "u32", ids);
  const own = types.own && values(FRAME.own, types.own, ids.map((id) => running.own[id]));
  if (!starts) values(FRAME.before, types.shown, ids.map((id) => running.shown[id]));
  const written = values(FRAME.next, types.shown, ids.map((id) => running.shown[id]));
  if (starts) new Uint8Array(instance.memory.buffer, written, ids.length * SIZES[types.shown]).fill(0xa5);
  put(FRAME.outDegrees, "u32", ids.map((id) => graph.outgoing.begins[id + 1] - graph.outgoing.begins[id]));
  edges(FRAME.incoming, graph.incoming);
  if (running.outgoing || running.writes) edges(FRAME.outgoing, graph.outgoing);
  const out = running.writes && !starts ? ids.flatMap((id) => arcsOf(graph.outgoing, id)) : [];
  const room = out.length && values(FRAME.nextValues, types.edge, out.map((arc) => running.edges[graph.outgoing.places[arc]]));
  if (!starts) values(FRAME.shown, types.shown, shown);
  const comes = gather === "sum" || gather === "count" ? "f64" : types.shown;
  if (!starts && gather) values(FRAME.gathered, comes, ids.map((id) => gathered(running, id)));
  const blocks = Math.floor((ids.at(-1) - first) / BLOCK) + 1;
  const tallies = instance.column("f64", new Array(2 * blocks).fill(0));
  instance.slice(frame + FRAME.tallies, tallies, blocks);
  const woken = put(FRAME.woken, "u32", new Array(running.selective ? graph.vertices : 0).fill(0));
  running.change(instance, frame);
  try {
    instance.call(frame);
  } catch (failed) {
    if (failed.item !== null && failed.item < ids.length) failed.item = ids[failed.item];
    throw failed;
  }
  const after = new COLUMNS[types.shown](instance.memory.buffer, written, ids.length);
  if (types.own) new COLUMNS[types.own](instance.memory.buffer, own, ids.length).forEach((value, at) => (running.own[ids[at]] = value));
  ids.forEach((id, at) => {
    if (!starts && !Object.is(after[at], running.shown[id])) wake(running, id, wakes);
    next[id] = after[at];
  });
  out.forEach((arc, at) => {
    const place = graph.outgoing.places[arc];
    set[place] = new COLUMNS[types.edge](instance.memory.buffer, room, out.length)[at];
    if (!Object.is(set[place], running.edges[place])) wakes.add(graph.outgoing.others[arc]);
  });
  const count = Number(instance.view.getBigUint64(frame + FRAME.wakes, true));
  new Uint32Array(instance.memory.buffer, woken, count).forEach((id) => wakes.add(id));
  const added = new Float64Array(instance.memory.buffer, tallies, 2 * blocks);
  return Array.from({ length: blocks }, (_, block) => [added[2 * block], added[2 * block + 1]]);
}

/** Those see what a vertex shows. */
function wake({ graph, outgoing }, id, wakes) {
  for (const side of outgoing ? [graph.outgoing, graph.incoming] : [graph.outgoing]) {
    for (const arc of arcsOf(side, id)) wakes.add(side.others[arc]);
  }
}

/** The edges of a vertex in one direction. */
function arcsOf({ begins }, id) {
  return Array.from({ length: begins[id + 1] - begins[id] }, (_, at) => begins[id] + at);
}

/** What a vertex's incoming neighbours come to. */
function gathered({ graph, shown, types, gather }, id) {
  const { begins, others } = graph.incoming;
  const all = others.slice(begins[id], begins[id + 1]).map((other) => shown[other]);
  if (gather === "count") return all.length;
  if (gather === "sum") return all.reduce((sum, value) => sum + Number(value), 0);
  const [column, least] = [COLUMNS[types.shown], gather === "min"];
  const ends = {
    f32: [Infinity, -Infinity], f64: [Infinity, -Infinity], i32: [2147483647, -2147483648], u32: [4294967295, 0],
    i64: [9223372036854775807n, -9223372036854775808n], u64: [18446744073709551615n, 0n],
  };
  const [none] = new column([ends[types.shown][least ? 0 : 1]]);
  return all.reduce((best, value) => ((least ? value < best : value > best) ? value : best), none);
}
