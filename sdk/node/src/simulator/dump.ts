/** A dumped interval: what its vertices saw in an iteration and what has become of them, as `upcall graph run` writes it. */

import { readFileSync } from "node:fs";
import { failure } from "../failure.js";
import type { Gather, ValueType } from "../graph/declared.js";
import type { Interval } from "../graph/program.js";
import { NUMBERS, type NumberType, type Numeric } from "../numbers.js";

const VERSION = 1;
const VALUES: readonly ValueType[] = ["f32", "f64", "i32", "i64", "u32", "u64"];
const GATHERS: readonly Gather[] = ["sum", "min", "max", "count"];

/** The edges of a vertex in one direction. */
export interface Ends {
  /** The vertices at the other ends. */
  readonly ids: readonly number[];
  /** What each of them showed. */
  readonly shown: readonly Numeric[];
  /** The value of each edge; empty where the program does not look at them. */
  readonly values: readonly Numeric[];
}

/** A vertex: what it saw, and what has become of it. Its own values are `undefined` where the program declares none. */
export interface Row {
  readonly id: number;
  readonly own: Numeric | undefined;
  readonly shown: Numeric;
  readonly outDegree: number;
  readonly incoming: Ends;
  /** `undefined` where the program neither looks at them nor writes their values. */
  readonly outgoing: Ends | undefined;
  /** What the incoming neighbours came to; `undefined` where the program gathers nothing. */
  readonly gathered: Numeric | undefined;
  readonly keeps: Numeric | undefined;
  readonly shows: Numeric;
  /** What its outgoing edges have from then on, in their order; empty where the program writes no values. */
  readonly sets: readonly Numeric[];
}

/** What the program's class declared; null where it did not. */
export interface Declares {
  readonly own: string | null;
  readonly shown: string | null;
  readonly edge: string | null;
  readonly outgoing: boolean;
  readonly selective: boolean;
  readonly writes: boolean;
  readonly gather: string | null;
}

export interface Dump {
  /** Where it was read from. */
  readonly file: string;
  /** The program that was run: its class and its file. */
  readonly program: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly vertices: number;
  readonly edges: number;
  readonly directed: boolean;
  readonly iteration: number;
  readonly total: number;
  /** Those that were updated together, of which these are some, and how often they were before in this iteration. */
  readonly interval: Pick<Interval, "first" | "end" | "pass">;
  readonly declares: Declares;
  /** In ascending order, and all of one interval. */
  readonly rows: readonly Row[];
}

/** Reads a dumped interval. Throws where the file is none, and says what is missing or wrong. */
export function readDump(file: string): Dump {
  const text = readFileSync(file, "utf8");
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (thrown) {
    throw new Error(`${file} is no dumped interval, as it is not JSON: ${failure(thrown).message}`);
  }
  if ((found as { upcall?: unknown } | null)?.upcall !== "interval") {
    const write = "upcall graph run … --dump-interval N --dump-iteration N --dump-to FILE writes one";
    throw new Error(`${file} is no dumped interval, which has "upcall": "interval": ${write}`);
  }
  const fields = new Fields(file, found);
  const version = fields.any("version");
  if (version !== VERSION) {
    throw new Error(`${file} has version ${short(version)}, and this simulator reads ${VERSION}: use the upcall that wrote it`);
  }
  const declares: Declares = {
    own: fields.oneOf("own", VALUES, "a type of numbers"),
    shown: fields.oneOf("shown", VALUES, "a type of numbers"),
    edge: fields.oneOf("edge", VALUES, "a type of numbers"),
    outgoing: fields.flag("outgoing"),
    selective: fields.flag("selective"),
    // Files were written before programs could say so.
    writes: fields.has("writes") && fields.flag("writes"),
    gather: fields.oneOf("gather", GATHERS, "a way to gather"),
  };
  if (declares.shown === null) throw new Error(`${file}: "shown" is null, and not a type of numbers`);
  if (declares.writes && declares.edge === null) throw new Error(`${file}: "edge" is null, and "writes" is true`);
  const vertices = fields.count("vertices", 2 ** 32);
  return {
    file, vertices, declares,
    program: fields.text("program"),
    settings: fields.texts("settings"),
    edges: fields.count("edges", Number.MAX_SAFE_INTEGER),
    directed: fields.flag("directed"),
    iteration: fields.count("iteration", Number.MAX_SAFE_INTEGER),
    total: fields.number("total", NUMBERS.get("f64")!) as number,
    interval: interval(fields, vertices),
    rows: rows(fields, vertices, declares),
  };
}

function interval(fields: Fields, vertices: number): Dump["interval"] {
  // Older files do not say, and have all.
  if (!fields.has("interval")) return { first: 0, end: vertices, pass: 0 };
  const of = new Fields(`${fields.where}, interval`, fields.any("interval"));
  const [first, end] = [of.count("first", vertices), of.count("end", vertices)];
  if (end < first) throw new Error(`${of.where} ends at vertex ${end}, and begins at ${first}`);
  return { first, end, pass: of.count("pass", Number.MAX_SAFE_INTEGER) };
}

function rows(fields: Fields, vertices: number, declares: Declares): Row[] {
  const type = (name: string | null): NumberType | undefined => (name === null ? undefined : NUMBERS.get(name));
  const [own, shown, edge] = [type(declares.own), type(declares.shown)!, type(declares.edge)];
  const gathered = declares.gather === null ? undefined : /min|max/.test(declares.gather) ? shown : NUMBERS.get("f64");
  let last: number | undefined;
  return fields.list("rows").map((each, place) => {
    const id = new Fields(`${fields.where}, row ${place}`, each).count("id", vertices - 1);
    const row = new Fields(`${fields.where}, vertex ${id}`, each);
    if (last !== undefined && (id <= last || Math.floor(id / 1024) !== Math.floor(last / 1024))) {
      throw new Error(`${row.where} comes after vertex ${last}: rows are in ascending order, and those of one interval of 1024 vertices`);
    }
    last = id;
    const ends = (name: string): Ends => {
      const of = new Fields(`${row.where}, ${name}`, row.any(name));
      const ids = of.counts("ids", vertices - 1);
      const found = { ids, shown: of.numbers("shown", shown), values: edge === undefined ? [] : of.numbers("values", edge) };
      for (const [what, { length }] of Object.entries(found)) {
        if (length === ids.length || (what === "values" && edge === undefined)) continue;
        throw new Error(`${of.where}: "ids" has ${ids.length} edges, and "${what}" ${length}`);
      }
      return found;
    };
    const outgoing = declares.outgoing || declares.writes ? ends("outgoing") : undefined;
    const sets = declares.writes ? row.numbers("sets", edge!) : [];
    if (declares.writes && sets.length !== outgoing!.ids.length) {
      throw new Error(`${row.where}: "outgoing" has ${outgoing!.ids.length} edges, and "sets" ${sets.length}`);
    }
    return {
      id, outgoing, sets,
      own: own && row.number("own", own),
      shown: row.number("shown", shown),
      outDegree: row.count("outDegree", 2 ** 32 - 1),
      incoming: ends("incoming"),
      gathered: gathered && row.number("gathered", gathered),
      keeps: own && row.number("keeps", own),
      shows: row.number("shows", shown),
    };
  });
}

/** The numbers that JSON has no text for. */
const TEXTS: Readonly<Record<string, number>> = { inf: Infinity, "-inf": -Infinity, NaN: NaN };

/** Where a number is made one of its type. */
const made = { view: new DataView(new ArrayBuffer(8)) };

/** An object in the file, whose members are checked when they are asked for. */
class Fields {
  constructor(readonly where: string, private readonly members: unknown) {
    if (typeof members !== "object" || members === null) throw new Error(`${where} is ${short(members)}, and not an object`);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.members as object, name);
  }

  any(name: string): unknown {
    if (!this.has(name)) throw new Error(`${this.where} has no "${name}"`);
    return (this.members as Readonly<Record<string, unknown>>)[name];
  }

  /** A member that this is true of. */
  private is<T>(name: string, what: string, fits: (found: unknown) => boolean): T {
    const found = this.any(name);
    if (!fits(found)) throw this.wrong(name, found, what);
    return found as T;
  }

  flag(name: string): boolean {
    return this.is(name, "true or false", (found) => typeof found === "boolean");
  }

  text(name: string): string {
    return this.is(name, "a text", (found) => typeof found === "string");
  }

  list(name: string): unknown[] {
    return this.is(name, "a list", Array.isArray);
  }

  texts(name: string): Record<string, string> {
    const texts = (found: unknown): boolean =>
      typeof found === "object" && found !== null && Object.values(found).every((each) => typeof each === "string");
    return this.is(name, "an object of texts", texts);
  }

  oneOf(name: string, known: readonly string[], what: string): string | null {
    return this.is(name, `${what}: ${known.join(", ")}`, (found) => found === null || known.includes(found as string));
  }

  count(name: string, most: number): number {
    return this.is(name, `a whole number from 0 to ${most}`, (found) => isCount(found, most));
  }

  counts(name: string, most: number): number[] {
    return this.list(name).map((found) => {
      if (!isCount(found, most)) throw this.wrong(name, found, `a whole number from 0 to ${most}`);
      return found as number;
    });
  }

  number(name: string, type: NumberType): Numeric {
    return this.made(name, this.any(name), type);
  }

  numbers(name: string, type: NumberType): Numeric[] {
    return this.list(name).map((found) => this.made(name, found, type));
  }

  private made(name: string, found: unknown, type: NumberType): Numeric {
    let value = found;
    if (typeof found === "string") {
      if (type.name.startsWith("f")) value = TEXTS[found];
      else if (/^-?\d+$/.test(found)) value = BigInt(found);
    }
    const isNumber = typeof value === "number" || typeof value === "bigint";
    if (!isNumber || !type.write(made, 0, value as Numeric)) throw this.wrong(name, found, `a number of the type ${type.name}`);
    return type.read(made, 0);
  }

  private wrong(name: string, found: unknown, what: string): Error {
    return new Error(`${this.where}: "${name}" has ${short(found)}, and not ${what}`);
  }
}

function isCount(found: unknown, most: number): boolean {
  return Number.isSafeInteger(found) && (found as number) >= 0 && (found as number) <= most;
}

function short(found: unknown): string {
  const text = JSON.stringify(found);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
