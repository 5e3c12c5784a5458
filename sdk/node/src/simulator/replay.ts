/** Replays a dumped interval: the same vertices, which see what they saw, in JavaScript alone. */

import type { Call } from "../graph/engine.js";
import type { AnyHandler } from "../handler.js";
import type { Numeric } from "../numbers.js";
import { Caller, type CallerOptions } from "./caller.js";
import { type Dump, readDump } from "./dump.js";
import { Recorded } from "./recorded.js";

/** As those of a simulator; `settings` take the place of those of the same name that the file has. */
export type ReplayOptions = CallerOptions;

/** Something else has become of a vertex than under the engine. */
export interface Difference {
  readonly vertex: number;
  /** Whether it is what the vertex keeps to itself, what it shows, or what it sets an outgoing edge to. */
  readonly what: "keeps" | "shows" | "sets";
  /** Which of its outgoing edges, from 0 on, where that is it. */
  readonly edge?: number;
  /** What the engine got. */
  readonly engine: Numeric;
  /** What the simulator got. */
  readonly simulator: Numeric;
}

/** What a replay has come to. */
export class Replayed {
  constructor(
    /** How many vertices were updated. */
    readonly vertices: number,
    /** What was not the same, in the order of vertices; empty where all agree. */
    readonly differences: readonly Difference[],
  ) {}

  /** In a line: that all agree, or the first difference. */
  toString(): string {
    const { vertices, differences: { length, 0: first } } = this;
    if (first === undefined) return vertices === 0 ? "no vertices were updated" : `all ${vertices} vertices agree`;
    const of = new Set(this.differences.map(({ vertex }) => vertex)).size;
    const { vertex, what, edge, engine, simulator } = first;
    const does = edge === undefined ? what : `${what} outgoing edge ${edge} to`;
    const one = `vertex ${vertex} ${does} ${told(engine)} under the engine and ${told(simulator)} in the simulator`;
    return length === 1 ? one : `${one}; of ${vertices} vertices ${of} differ`;
  }
}

/** A number with its sign, which -0 has too. */
function told(value: Numeric): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/**
 * A program and a dumped interval. All that {@link Simulator} looks at is looked at. `beforeIteration` and `beforeInterval` are called
 * before the vertices; `start`, `afterInterval`, `repeatUpdates` and `afterIteration` are not: what a program keeps of these in its
 * instance is not known, and an instance may be given that has it. A program with `interval` is given the vertices of the file at once,
 * and in `shown` only what these see.
 */
export class Replay extends Caller {
  protected override readonly vertices: Recorded;
  private readonly calls: Generator<Call, void>;
  private readonly dump: Dump;
  private readonly differences: Difference[] = [];
  private updated = 0;

  /** Throws where the file is no dumped interval, or one of a program that declares something else. */
  constructor(program: AnyHandler | (new () => AnyHandler), file: string, options: ReplayOptions = {}) {
    const dump = readDump(file);
    const breakAt = [...(options.breakAt ?? [])];
    super(program, { ...options, breakAt, settings: { ...dump.settings, ...options.settings } });
    this.dump = dump;
    this.sameProgram();
    const ids = dump.rows.map(({ id }) => id);
    const stray = breakAt.find((vertex) => !ids.includes(vertex));
    if (stray !== undefined) {
      const has = ids.length === 0 ? "no vertices" : `${ids.length} vertices from ${ids[0]} to ${ids[ids.length - 1]}`;
      throw new RangeError(`break at vertex ${stray}: it is not in ${file}, which has ${has}`);
    }
    this.iterations = dump.iteration;
    this.vertices = new Recorded(this.arena, this.declared, dump);
    this.calls = this.vertices.calls();
  }

  /** Throws where the file is of a program that declares something else. */
  private sameProgram(): void {
    const { declared: { own, shown, edge, outgoing, selective, writes, gather }, dump: { file, program, declares } } = this;
    const here = {
      own: own?.name ?? null, shown: shown.name, edge: edge?.name ?? null, outgoing, selective, writes, gather: gather ?? null,
    };
    const names = (Object.keys(here) as (keyof typeof here)[]).filter((name) => here[name] !== declares[name]);
    if (names.length === 0) return;
    const says = (of: Readonly<Record<keyof typeof here, unknown>>): string =>
      names.map((name) => `${name} = ${JSON.stringify(of[name])}`).join(", ");
    throw new TypeError(
      `${file} was written of ${program}, which has ${says(declares)}, and ${this.name} has ${says(here)}: replay the program that was run`,
    );
  }

  /** Updates all vertices that are left. */
  async run(): Promise<Replayed> {
    while ((await this.later()) !== undefined);
    return this.replayed();
  }

  /** What has come of the vertices that were updated so far. */
  replayed(): Replayed {
    return new Replayed(this.updated, [...this.differences]);
  }

  protected override following(): Call | undefined {
    return this.calls.next().value ?? undefined;
  }

  protected override answered({ ids }: Call): void {
    for (const id of ids) {
      const { keeps, shows, sets } = this.dump.rows[this.updated++]!;
      this.compare({ vertex: id, what: "keeps" }, keeps, this.vertices.keptBy(id));
      this.compare({ vertex: id, what: "shows" }, shows, this.vertices.nextOf(id));
      this.vertices.setBy(id).forEach((value, edge) => this.compare({ vertex: id, what: "sets", edge }, sets[edge], value));
    }
  }

  private compare(of: Pick<Difference, "vertex" | "what" | "edge">, engine: Numeric | undefined, simulator: Numeric | undefined): void {
    // The same bits, but for those of NaN, which a file does not have.
    if (!Object.is(engine, simulator)) this.differences.push({ ...of, engine: engine!, simulator: simulator! });
  }
}
