/**
 * The text of a driver's inner part, which is made for one program and one window of memory. V8 compiles it apart from any other, so
 * that it meets one type of values and one class of programs only; and as the typed arrays over the window are constants of it, their
 * addresses are in the code, and `vertex.incoming.shown(i)` is two loads and three comparisons. With arrays in fields, whose addresses
 * are loaded with each neighbour, that took 1.9 ns in place of 1.3, where a loop by hand takes 1.4.
 */

import type { NumberType } from "../numbers.js";
import { type Declared, gatheredOf } from "./declared.js";

/** What a driver looks out for beside what it always does. */
export interface Guards {
  /** Whether a value that is not a number is an error where it is shown or kept. */
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

/** The lines that see to it that `value` is one of the type. */
function checked(type: NumberType, what: string, guards: Guards | undefined): string {
  const whole = isBig(type) ? `if (typeof value === "number" && Number.isSafeInteger(value)) value = BigInt(value);` : "";
  const nan = guards?.nan === true && isFloat(type) ? `if (value !== value) tools.nan(this.#id, "${what}");` : "";
  return `${whole} if (!(${fits(type)})) tools.misfit(this.#id, "${what}", value, "${type.name}"); ${nan}`;
}

/** A class of cursors: of the vertices that begin, or of those that are updated. */
function vertex(name: string, declared: Declared, guards: Guards | undefined): string {
  const { own, shown } = declared;
  const starts = name === "Start";
  const alive = (what: string): string => `if (this.#k < 0) tools.gone(this.#id, "${what}");`;
  const begun = (side: string): string => (starts ? `tools.unseen(this.#id, "${side}");` : "");
  return `
class ${name} {
  #id = 0; #k = -1;
  #own = 0; #before = 0; #next = 0; #outDegrees = 0; #inDegree = 0;
  #incoming = new Neighbours("incoming"); #outgoing = new Neighbours("outgoing");

  static frame(it, at) {
    it.#own = at.own; it.#before = at.before; it.#next = at.next; it.#outDegrees = at.outDegrees;
    Neighbours.frame(it.#incoming, at, at.incoming);
    Neighbours.frame(it.#outgoing, at, at.outgoing);
  }
  static move(it, k, id, incoming, outgoing) {
    it.#id = id; it.#k = k;
    const begin = words[(incoming.begins + 2 * k) | 0], end = words[(incoming.ends + 2 * k) | 0];
    it.#inDegree = end - begin;
    ${declared.method === "apply" ? "" : "Neighbours.move(it.#incoming, id, begin, end);"}
    ${declared.outgoing
      ? "Neighbours.move(it.#outgoing, id, words[(outgoing.begins + 2 * k) | 0], words[(outgoing.ends + 2 * k) | 0]);"
      : ""}
  }
  static end(it) { it.#k = -1; Neighbours.end(it.#incoming); Neighbours.end(it.#outgoing); }

  get id() { return this.#id; }
  get own() {
    ${own === undefined ? `tools.undeclared("own");` : `${alive("own")} return keeps[(this.#own + this.#k) | 0];`}
  }
  set own(value) {
    ${own === undefined ? `tools.undeclared("own");` : `${alive("own")} ${checked(own, "own", guards)}
    keeps[(this.#own + this.#k) | 0] = value;`}
  }
  get shown() {
    ${alive("shown")}
    return ${starts ? (isBig(shown) ? "0n" : "0") : "shows[(this.#before + this.#k) | 0]"};
  }
  show(value) {
    ${alive("show")} ${checked(shown, "show", guards)}
    shows[(this.#next + this.#k) | 0] = value;
  }
  get inDegree() { ${alive("inDegree")} return this.#inDegree; }
  get outDegree() { ${alive("outDegree")} return words[(this.#outDegrees + this.#k) | 0]; }
  get incoming() {
    ${begun("incoming")} ${declared.method === "apply" ? "tools.gathered(this.#id);" : "return this.#incoming;"}
  }
  get outgoing() {
    ${begun("outgoing")} ${declared.outgoing ? "return this.#outgoing;" : `tools.undeclared("outgoing");`}
  }
  schedule(id = this.#id) {
    ${alive("schedule")}
    ${declared.selective ? "" : `tools.undeclared("selective");`}
    if (!(typeof id === "number" && id >>> 0 === id && id < tools.graph.vertices)) tools.stray(id);
    tools.woken.add(id);
  }
}`;
}

function neighbours(declared: Declared): string {
  const { edge } = declared;
  const within = "if (!(index >>> 0 === index && index < this.#length)) tools.outside(this.#of, this.#side, this.#length, index);";
  return `
class Neighbours {
  #side; #of = 0; #length = -1;
  #idsFrom = -1; #atFrom = -1; #valuesFrom = -1; #placesFrom = -1;
  #ids = 0; #at = 0; #base = 0; #values = 0; #places = 0;

  constructor(side) { this.#side = side; }
  static frame(it, at, edges) {
    it.#idsFrom = edges.ids; it.#atFrom = edges.at; it.#valuesFrom = edges.values; it.#placesFrom = edges.places;
    it.#base = at.shown; it.#values = edges.values; it.#places = edges.places;
  }
  static move(it, of, begin, end) {
    it.#of = of; it.#length = end - begin;
    it.#ids = it.#idsFrom + begin; it.#at = it.#atFrom + begin;
    ${edge === undefined ? "" : `it.#values = it.#placesFrom < 0 ? it.#valuesFrom + begin : it.#valuesFrom;
    it.#places = it.#placesFrom + 2 * begin;`}
  }
  static end(it) { it.#length = -1; }

  get length() {
    if (this.#length < 0) tools.gone(this.#of, this.#side);
    return this.#length;
  }
  id(index) {
    ${within}
    return words[(this.#ids + index) | 0];
  }
  shown(index) {
    ${within}
    return shows[(this.#base + words[(this.#at + index) | 0]) | 0];
  }
  value(index) {
    ${edge === undefined ? `tools.undeclared("edge");` : `${within}
    if (this.#placesFrom < 0) return weighs[(this.#values + index) | 0];
    return weighs[(this.#values + words[(this.#places + 2 * index) | 0]) | 0];`}
  }
}`;
}

/** The loop over a frame's vertices. */
function loop(name: string, cursor: string, call: string, guards: Guards | undefined): string {
  return `
  ${name}(at) {
    const { count, ids, first, shift, tallies, incoming, outgoing, gathered } = at;
    ${guards?.apart === true ? `cursor${cursor} = new ${cursor}();` : ""}
    const vertex = cursor${cursor};
    ${cursor}.frame(vertex, at);
    Context.frame(context, at);
    let k = 0;
    try {
      for (; k < count; k++) {
        const id = ids < 0 ? first + k : words[(ids + k) | 0];
        Context.move(context, tallies + 2 * ((id - first) >>> shift));
        ${cursor}.move(vertex, k, id, incoming, outgoing);
        ${guards === undefined ? "" : "tools.now(id);"}
        ${guards === undefined || name === "start" ? "" : "if (tools.stops.has(id)) debugger;"}
        ${call}
      }
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
 * `start(at)` and `update(at)`.
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
const { arrays } = tools;
const words = arrays.u32, sums = arrays.f64, shows = arrays.${shown.name};
const keeps = arrays.${own?.name ?? "u32"}, weighs = arrays.${edge?.name ?? "u32"};
const gathers = arrays.${gatheredOf(declared)?.name ?? "u32"};
${neighbours(declared)}
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
  addResidual(amount) {
    if (!(this.#tally >= 0 && typeof amount === "number")) tools.unadded("addResidual", this.#tally, amount);
    sums[this.#tally] += amount;
  }
  addTotal(amount) {
    if (!(this.#tally >= 0 && typeof amount === "number")) tools.unadded("addTotal", this.#tally, amount);
    sums[(this.#tally + 1) | 0] += amount;
  }
}

let cursorStart = new Start();
${call === undefined ? "" : "let cursorVertex = new Vertex();"}
const context = new Context();
return {
  context,
  frame(at) { Context.frame(context, at); },
  ${loop("start", "Start", "handler.start(vertex, context);", guards)},
  ${call === undefined ? "" : loop("update", "Vertex", call, guards)}
};`;
}
