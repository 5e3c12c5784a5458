/** What the class of a vertex program says of it. */

import { NUMBERS, type NumberType } from "../numbers.js";

/** The types that values of vertices and edges may have. */
export type ValueType = "f32" | "f64" | "i32" | "i64" | "u32" | "u64";

/** By what neighbours' values are put together before the program sees them. */
export type Gather = "sum" | "min" | "max" | "count";

const VALUES: readonly ValueType[] = ["f32", "f64", "i32", "i64", "u32", "u64"];
const GATHERS: readonly Gather[] = ["sum", "min", "max", "count"];

/** The methods of which a vertex program has one: what each takes, and the name of its form. */
export const FORMS = {
  update: { takes: "(vertex, context)", form: "vertex" },
  apply: { takes: "(vertex, gathered, context)", form: "gather" },
  interval: { takes: "(vertices, context)", form: "interval" },
} as const;

export type VertexMethod = keyof typeof FORMS;

/** What a class says: the static members of a vertex program. */
export interface Says {
  own?: string;
  shown?: string;
  edge?: string;
  outgoing?: boolean;
  selective?: boolean;
  writes?: boolean;
  gather?: string;
}

/** The same, understood. */
export interface Declared {
  readonly method: VertexMethod;
  readonly own: NumberType | undefined;
  readonly shown: NumberType;
  readonly edge: NumberType | undefined;
  readonly outgoing: boolean;
  readonly selective: boolean;
  readonly writes: boolean;
  /** Whether it sees outgoing edges: it looks at them, or writes their values. */
  readonly seesOut: boolean;
  readonly gather: Gather | undefined;
}

/** What a class with one of these methods says; or what is wrong with it. */
export function declared(of: Says & { readonly prototype: object }, method: VertexMethod): Declared | { wrong: string } {
  const { own, shown, edge, outgoing = false, selective = false, writes = false, gather } = of;
  const types = VALUES.join(", ");
  if (shown === undefined) {
    return { wrong: `it has ${method} and does not say what vertices show: write static shown = "f64", or another of ${types}` };
  }
  for (const [name, type] of Object.entries({ own, shown, edge })) {
    if (type !== undefined && !VALUES.includes(type as ValueType)) {
      return { wrong: `its static ${name} is ${String(type)}: write one of ${types}` };
    }
  }
  for (const [name, value] of Object.entries({ outgoing, selective, writes })) {
    if (typeof value !== "boolean") return { wrong: `its static ${name} is ${String(value)}: write true, or leave it out` };
  }
  if (writes && edge === undefined) {
    return { wrong: `it writes values of edges: declare their type as edge, by static edge = "f64", or another of ${types}` };
  }
  if (method === "apply" && !GATHERS.includes(gather as Gather)) {
    const has = gather === undefined ? "it does not say by what to gather" : `its static gather is ${String(gather)}`;
    return { wrong: `it has apply, and ${has}: write static gather = "sum", or another of ${GATHERS.join(", ")}` };
  }
  if (method !== "apply" && gather !== undefined) {
    return { wrong: `it has static gather and ${method}: write apply(vertex, gathered, context), or leave gather out` };
  }
  for (const name of ["start", "update", "apply"] as const) {
    const found = (of.prototype as Readonly<Record<string, { [Symbol.toStringTag]?: string } | undefined>>)[name];
    if (found?.[Symbol.toStringTag] === "AsyncFunction") {
      return { wrong: `its ${name} is async: a vertex is updated within the call, so write it without async` };
    }
  }
  const type = (name: string | undefined): NumberType | undefined => (name === undefined ? undefined : NUMBERS.get(name));
  return {
    method, outgoing, selective, writes,
    seesOut: outgoing || writes,
    own: type(own),
    shown: type(shown) as NumberType,
    edge: type(edge),
    gather: gather as Gather | undefined,
  };
}

/** The type of what is gathered. */
export function gatheredOf({ gather, shown }: Declared): NumberType | undefined {
  if (gather === undefined) return undefined;
  return gather === "min" || gather === "max" ? shown : NUMBERS.get("f64");
}
