/**
 * The text of a driver's inner part, which is made for one program and one window of memory. V8 compiles it apart from any other, so
 * that it meets one type of values and one class of programs only; and as the typed arrays over the window are constants of it, their
 * addresses are in the code, and `vertex.incoming.shown(i)` is a load and two comparisons.
 */

import type { NumberType } from "../numbers.js";
import { type Declared, gatheredOf } from "./declared.js";

/** What a driver looks out for beside what it always does. */
export interface Guards {
  /** Whether a value that is not a number is an error where it is shown, kept, set or added. */
  readonly nan: boolean;
  /** Whether a vertex is an object of its own, and ends with its update. */
  readonly apart: boolean;
  /** Vertices at which a debugger stops before they are updated. */
  readonly stops: ReadonlySet<number>;
}

/** Whether a value can be kept in an array of a type, and how it is. */
function fits({ name }: NumberType): string {
  switch (name) {
    case "f64":
      return `typeof value === "number"`;
    case "f32":
      // What is finite stays so.
      return `typeof value === "number" && (Number.isFinite(Math.fround(value)) || !Number.isFinite(value))`;
    case "i32":
      return `typeof value === "number" && (value | 0) === value`;
    case "u32":
      return `typeof value === "number" && (value >>> 0) === value`;
    case "i64":
      return `typeof value === "bigint" && BigInt.asIntN(64, value) === value`;
    default:
      return `typeof value === "bigint" && BigInt.asUintN(64, value) === value`;
  }
}

const isBig = ({ bytes, name }: NumberType): boolean => bytes === 8 && name !== "f64";
const isFloat = ({ name }: NumberType): boolean => name.startsWith("f");

/** The lines that see to it that `value` is one of the type, for `it`, whose vertex is `of`. */
function checked(type: NumberType, what: string, guards: Guards | undefined, of = "it.#id"): string {
  const whole = isBig(type) ? `if (typeof value === "number" && Number.isSafeInteger(value)) value = BigInt(value);` : "";
  const nan = guards?.nan === true && isFloat(type) ? `if (value !== value) tools.nan("${what}");` : "";
  return `${whole} if (!(${fits(type)})) tools.misfit(${of}, "${what}", value, "${type.name}"); ${nan}`;
}

/** A method that adds to one of the two sums of the vertices that a tally is of. */
function adds(name: string, place: string, guards: Guards | undefined): string {
  return `${name}(amount) {
    const tally = this.#tally;
    if (!(tally >= 0 && typeof amount === "number")) tools.unadded("${name}", tally, amount);
    ${guards?.nan === true ? `if (amount !== amount) tools.nan("${name}");` : ""}
    sums[${place}] += amount;
  }`;
}

/** What most values are that {@link checked} would let pass as they are. */
function common(type: NumberType, guards: Guards | undefined): string {
  if (guards !== undefined) return "false";
  return type.name === "f32" ? `typeof value === "number" && value < 1e38 && value > -1e38` : fits(type);
}

/**
 * A class of cursors: of the vertices that begin, or of those that are updated. What is seldom called is in functions of its own: V8
 * puts what is short into a program's loop, and counts the bytes of all of it.
 */
function vertex(name: string, declared: Declared, guards: Guards | undefined): string {
  const { own, shown } = declared;
  const starts = name === "Start";
  const writes = declared.writes && !starts;
  const alive = (what: string): string => `const k = this.#k; if (k < 0) ${name}.gone(this, "${what}");`;
  const begun = (side: string): string => (starts ? `tools.unseen(this.#id, "${side}");` : "");
  const slow = (as: string, what: string, type: NumberType): string =>
    `static ${as}(it, value) { if (it.#k < 0) ${name}.gone(it, "${what}"); ${checked(type, what, guards)} return value; }`;
  const fast = (as: string, type: NumberType): string =>
    `const k = this.#k; if (!(k >= 0 && ${common(type, guards)})) value = ${name}.${as}(this, value);`;
  return `
class ${name} {
  #id = 0; #k = -1;
  #own = 0; #before = 0; #next = 0; #outDegrees = 0; #begins = 0; #ends = 0;
  #into = 0; #outOf = 0;${writes ? " #sets = 0; #setsEnd = 0;" : ""}
  #incoming = new Neighbours("incoming"); #outgoing = new Neighbours("outgoing");

  static frame(it, at) {
    it.#into = 0; it.#outOf = at.middle;
    it.#own = at.own; it.#before = at.before; it.#next = at.next; it.#outDegrees = at.outDegrees;
    it.#begins = at.incoming.begins; it.#ends = at.incoming.ends;
    Neighbours.frame(it.#incoming, at, at.incoming);
    Neighbours.frame(it.#outgoing, at, at.outgoing${declared.seesOut && !declared.outgoing ? ", false" : ""});
    ${writes ? "it.#sets = at.nextValues; it.#setsEnd = at.nextValuesEnd;" : ""}
  }
  static move(it, k, id, incoming, outgoing) {
    it.#id = id; it.#k = k;
    ${declared.method === "apply" ? "" : `const begin = words[(incoming.begins + 2 * k) | 0], end = words[(incoming.ends + 2 * k) | 0];
    Neighbours.move(it.#incoming, id, begin, end, it.#into); it.#into += end - begin;`}
    ${declared.seesOut ? `const from = words[(outgoing.begins + 2 * k) | 0], to = words[(outgoing.ends + 2 * k) | 0];
    Neighbours.move(it.#outgoing, id, from, to, it.#outOf); it.#outOf += to - from;` : ""}
    ${writes ? `const sets = it.#sets + to - from;
    if (to !== from && !(to > from && sets <= it.#setsEnd)) tools.short(id);
    Neighbours.writes(it.#outgoing, it.#sets); it.#sets = sets;` : ""}
  }
  ${writes ? "static sets(it) { return it.#sets; }" : ""}
  static end(it) { it.#k = -1; Neighbours.end(it.#incoming); Neighbours.end(it.#outgoing); }
  static gone(it, what) { tools.gone(it.#id, what); }
  ${own === undefined ? "" : slow("keeps", "own", own)}
  ${slow("shows", "show", shown)}

  get id() { return this.#id; }
  get own() {
    ${own === undefined ? `tools.undeclared("own");` : `${alive("own")} return keeps[(this.#own + k) | 0];`}
  }
  set own(value) {
    ${own === undefined ? `tools.undeclared("own");` : `${fast("keeps", own)} keeps[(this.#own + k) | 0] = value;`}
  }
  get shown() {
    ${alive("shown")} return ${starts ? (isBig(shown) ? "0n" : "0") : "shows[(this.#before + k) | 0]"};
  }
  show(value) { ${fast("shows", shown)} shows[(this.#next + k) | 0] = value; }
  get inDegree() {
    ${alive("inDegree")} return words[(this.#ends + 2 * k) | 0] - words[(this.#begins + 2 * k) | 0];
  }
  get outDegree() { ${alive("outDegree")} return words[(this.#outDegrees + k) | 0]; }
  get incoming() {
    ${begun("incoming")} ${declared.method === "apply" ? "tools.gathered(this.#id);" : "return this.#incoming;"}
  }
  get outgoing() {
    ${begun("outgoing")} ${declared.seesOut ? "return this.#outgoing;" : `tools.undeclared("outgoing");`}
  }
  schedule(id = this.#id) {
    ${alive("schedule")}
    ${declared.selective ? "" : `tools.undeclared("selective");`}
    if (!(typeof id === "number" && id >>> 0 === id && id < tools.graph.vertices)) tools.stray(id);
    tools.woken.add(id);
  }
}`;
}

function neighbours(declared: Declared, guards: Guards | undefined): string {
  const { edge, writes } = declared;
  const set = writes ? edge : undefined;
  const within = "if (!(index >>> 0 === index && index < this.#length)) Neighbours.outside(this, index);";
  return `
class Neighbours {
  #side; #of = 0; #length = -1;
  #idsFrom = -1; #atFrom = -1; #valuesFrom = -1; #placesFrom = -1;
  #ids = 0; #at = 0; #base = 0; #shown = 0; #values = 0; #places = 0; #packed = true;${writes ? " #sets = -1;" : ""}

  constructor(side) { this.#side = side; }
  static frame(it, at, edges${writes ? ", packed = at.packed" : ""}) {
    it.#idsFrom = edges.ids; it.#atFrom = edges.at; it.#valuesFrom = edges.values; it.#placesFrom = edges.places;
    it.#base = at.shown; it.#values = edges.values; it.#places = edges.places; it.#packed = ${writes ? "packed" : "at.packed"};
  }
  static move(it, of, begin, end, shown) {
    it.#of = of; it.#length = end - begin;
    it.#ids = it.#idsFrom + begin; it.#at = it.#atFrom + begin; it.#shown = it.#packed ? shown : -1;
    ${edge === undefined ? "" : `it.#values = it.#placesFrom < 0 ? it.#valuesFrom + begin : it.#valuesFrom;
    it.#places = it.#placesFrom + 2 * begin;`}
  }
  static end(it) { it.#length = -1; }
  static gone(it) { tools.gone(it.#of, it.#side); }
  static far(it, index) { return shows[(it.#base + words[(it.#at + index) | 0]) | 0]; }
  static outside(it, index) { tools.outside(it.#of, it.#side, it.#length, index); }
  ${set === undefined ? "" : `static writes(it, sets) { it.#sets = sets; }
  static sets(it, index, value) {
    if (it.#length < 0) Neighbours.gone(it);
    if (it.#side === "incoming") tools.inward(it.#of);
    if (!(index >>> 0 === index && index < it.#length)) Neighbours.outside(it, index);
    ${checked(set, "setValue", guards, "it.#of")}
    return value;
  }`}

  get length() {
    const length = this.#length;
    if (length < 0) Neighbours.gone(this);
    return length;
  }
  id(index) {
    ${within}
    return words[(this.#ids + index) | 0];
  }
  shown(index) {
    ${within}
    const at = this.#shown;
    return at < 0 ? Neighbours.far(this, index) : packed[(at + index) | 0];
  }
  value(index) {
    ${edge === undefined ? `tools.undeclared("edge");` : `${within}
    if (this.#placesFrom < 0) return weighs[(this.#values + index) | 0];
    return weighs[(this.#values + words[(this.#places + 2 * index) | 0]) | 0];`}
  }
  setValue(index, value) {
    ${set === undefined ? `tools.undeclared("writes");` : `const sets = this.#sets;
    if (!(index >>> 0 === index && index < this.#length && sets >= 0 && ${common(set, guards)})) value = Neighbours.sets(this, index, value);
    weighs[(sets + index) | 0] = value;`}
  }
}`;
}

/** The loop over a frame's vertices from one to another. */
function loop(name: string, cursor: string, call: string, writes: boolean, guards: Guards | undefined): string {
  return `
  ${name}(at, from, to) {
    const { ids, first, shift, tallies, incoming, outgoing, gathered } = at;
    ${guards?.apart === true ? `cursor${cursor} = new ${cursor}();` : ""}
    const vertex = cursor${cursor};
    ${cursor}.frame(vertex, at);
    Context.frame(context, at);
    let k = from;
    try {
      for (; k < to; k++) {
        const id = ids < 0 ? first + k : words[(ids + k) | 0];
        Context.move(context, tallies + 2 * ((id - first) >>> shift));
        ${cursor}.move(vertex, k, id, incoming, outgoing);
        ${guards === undefined ? "" : "tools.now(id);"}
        ${guards === undefined || name === "start" ? "" : "if (tools.stops.has(id)) debugger;"}
        ${call}
      }
      ${writes ? `at.nextValues = ${cursor}.sets(vertex);` : ""}
    } catch (thrown) {
      throw tools.failing(thrown, k);
    } finally {
      ${cursor}.end(vertex);
      Context.end(context);
    }
  }`;
}

/** How V8 has kept programs apart so far: it gives two functions of the same text one set of what it has seen. */
let programs = 0;

/**
 * The body of a function of `handler` and `tools`, which returns the `context`, `frame(at)`, which makes it that of a frame's places,
 * `start(at, from, to)` and `update(at, from, to)`.
 */
export function source(declared: Declared, guards?: Guards): string {
  const { method, own, shown, edge } = declared;
  programs += 1;
  const calls = {
    update: "handler.update(vertex, context);",
    apply: `handler.apply(vertex, gathers[(gathered + k) | 0], context);`,
    interval: undefined,
  };
  const call = calls[method];
  return `"use strict"; // program ${programs}
const { arrays, packed } = tools;
const words = arrays.u32, sums = arrays.f64, shows = arrays.${shown.name};
const keeps = arrays.${own?.name ?? "u32"}, weighs = arrays.${edge?.name ?? "u32"};
const gathers = arrays.${gatheredOf(declared)?.name ?? "u32"};
${neighbours(declared, guards)}
${vertex("Start", declared, guards)}
${call === undefined ? "" : vertex("Vertex", declared, guards)}

class Context {
  #tally = -1; #iteration = 0; #total = 0;
  static frame(it, at) { it.#iteration = at.iteration; it.#total = at.total; }
  static move(it, tally) { it.#tally = tally; }
  static end(it) { it.#tally = -1; }

  get iteration() { return this.#iteration; }
  get total() { return this.#total; }
  get vertices() { return tools.graph.vertices; }
  get edges() { return tools.graph.edges; }
  get directed() { return tools.graph.directed; }
  get log() { return tools.log; }
  ${adds("addResidual", "tally", guards)}
  ${adds("addTotal", "(tally + 1) | 0", guards)}
}

let cursorStart = new Start();
${call === undefined ? "" : "let cursorVertex = new Vertex();"}
const context = new Context();
return {
  context,
  frame(at) { Context.frame(context, at); },
  ${loop("start", "Start", "handler.start(vertex, context);", false, guards)},
  ${call === undefined ? "" : loop("update", "Vertex", call, declared.writes, guards)}
};`;
}
