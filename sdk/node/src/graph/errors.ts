/** What a vertex program is told when it asks for what is not there. */

import { ended } from "../ended.js";
import type { Numeric } from "../numbers.js";
import { told } from "../told.js";

/** What is declared: how it is called, what to write, and what it is without it. */
const DECLARE: Readonly<Record<"own" | "edge" | "outgoing" | "selective" | "writes", readonly [name: string, write: string, without?: string]>> = {
  own: ["own", `static own = "f64", or another type of numbers`],
  edge: ["values of edges", `static edge = "f64", or the type that the graph's values have`],
  outgoing: ["outgoing edges", "static outgoing = true"],
  selective: ["selective", "static selective = true", "so schedule has no effect, as all vertices are updated in each iteration"],
  writes: ["writes", "static writes = true", "so it sets no values of edges"],
};

/** Throws: the program does not declare what it uses. */
export function lacking(what: keyof typeof DECLARE): never {
  const [name, write, without] = DECLARE[what];
  throw new TypeError(`this program does not declare ${name}${without === undefined ? "" : `, ${without}`}: write ${write}`);
}

/** A number that no vertex has. */
export function stray(id: unknown, vertices: number): RangeError {
  return new RangeError(`schedule ${typeof id === "number" ? `vertex ${id}` : told(id)}: the graph has ${vertices} vertices`);
}

/** An index that no neighbour has. */
export function outside(of: number, side: string, length: number, index: unknown): Error {
  if (length < 0) return ended("the vertex");
  const asked = typeof index === "number" ? String(index) : told(index);
  return new RangeError(`vertex ${of} has ${length} ${side} neighbour${length === 1 ? "" : "s"}, and ${asked} was asked for`);
}

/** An index that no vertex of an interval has. */
export function outOf(length: number, k: unknown): RangeError {
  return new RangeError(`the interval has ${length} vertices, and ${typeof k === "number" ? k : told(k)} was asked for`);
}

/** Edges, before there are any. */
export function unseen(of: number, side: string): Error {
  return new Error(
    `${side} edges of vertex ${of}: at the start a vertex has only inDegree and outDegree; look at edges, and set their values, in an update`,
  );
}

/** Edges of a program that has them put together. */
export function gathered(of: number): Error {
  return new Error(
    `incoming edges of vertex ${of}: this program gathers, so use what apply is given; or write update(vertex, context)`,
  );
}

/** A value that is to be set where it is only read. */
export function inward(of: number): Error {
  return new Error(`setValue of an incoming edge of vertex ${of}: values are set on outgoing edges, by the vertex that they come from`);
}

/** Throws: the same, of an interval's arrays. */
export function inwardArray(): never {
  throw new Error("nextValues of incoming edges: values are set on outgoing edges, by the vertex that they come from");
}

/** Room for fewer values than the vertices have outgoing edges. */
export function short(of?: number): Error {
  const whose = of === undefined ? "its vertices" : `vertex ${of}`;
  return new Error(`the frame has no room for the values of all outgoing edges of ${whose}: build engine and handler with the same version`);
}

/** A value that its type does not have. */
export function misfit(of: number, what: string, value: unknown, type: string): TypeError {
  const shown = typeof value === "number" ? String(value) : told(value as Numeric);
  return new TypeError(`vertex ${of}: ${what}: ${shown} is not a value of the type ${type}`);
}

/** A value that a simulator lets no vertex have. */
export function notANumber(of: number, what: string): RangeError {
  return new RangeError(`vertex ${of}: ${what}: the value is NaN`);
}

/** A sum to which nothing can be added. */
export function unadded(what: string, tally: number, amount: unknown, interval: boolean): Error {
  if (tally >= 0) return new TypeError(`${what}: ${told(amount)} is not a number`);
  if (interval) {
    return new Error(`${what}: say for which vertex, by vertices.${what}(k, amount), as sums are made in the order of vertices`);
  }
  return ended("the context");
}
