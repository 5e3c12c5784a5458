/** A vertex program that runs in this process, where a debugger can follow it. */

import { Csr, type Edge, type GraphOptions } from "../graph/csr.js";
import { type Call, Engine } from "../graph/engine.js";
import type { AnyHandler } from "../handler.js";
import type { NumberArray } from "../numbers.js";
import { Caller, type CallerOptions, type Stored } from "./caller.js";
import { readEdges } from "./edges.js";
import { Replay, type ReplayOptions, type Replayed } from "./replay.js";
import { columnsOf, Watched, writtenBy } from "./watched.js";

export interface SimulatorOptions extends GraphOptions, CallerOptions {
  /** The edges of the graph: arrays of source, destination and, for a program that declares `edge`, a value; or the file they are in. */
  readonly edges: Iterable<Edge> | string;
  /** How many vertices a program with `interval` is given at once: a multiple of 1024; without it, all. */
  readonly interval?: number;
  /** What `upcall graph run --gauss-seidel=VERTICES` is given: vertices see what those of earlier intervals show in the same iteration. */
  readonly gaussSeidel?: number;
}

/** What a program has come to so far. */
export interface Ran {
  /** How many iterations there were. */
  readonly iterations: number;
  /** Whether it has ended: it has said so, or nothing is scheduled. */
  readonly ended: boolean;
  readonly own: NumberArray | undefined;
  readonly shown: NumberArray;
  /** The values of edges, in the order of incoming ones: by destination, then by source; `undefined` of a program that writes none. */
  readonly edges: NumberArray | undefined;
}

/** All vertices at once, as far as numbers of vertices go. */
const ALL = 2 ** 32;

/**
 * A program and a graph. It runs on with each {@link Simulator.run} and each step. Beside what the engine's driver checks, a value that
 * is not a number is an error, unless it is allowed, and so is a vertex that is used after its own update, or written by another.
 */
export class Simulator extends Caller {
  private readonly engine: Engine;
  private readonly calls: Generator<Call, number>;
  protected override readonly vertices: Stored;
  private ended = false;

  /** Takes a class, of which it makes an instance, or an instance. Throws where it is no vertex program, or the graph is none. */
  constructor(program: AnyHandler | (new () => AnyHandler), options: SimulatorOptions) {
    super(program, options);
    const { edges, interval, gaussSeidel } = options;
    if (gaussSeidel !== undefined && !(gaussSeidel > 0)) {
      throw new RangeError(`gaussSeidel: ${gaussSeidel} vertices: give the number of vertices of an interval`);
    }
    if (interval !== undefined && !(interval > 0 && interval % 1024 === 0)) {
      throw new RangeError(`an interval of ${interval} vertices: give a multiple of 1024`);
    }
    const { arena, declared } = this;
    if (gaussSeidel !== undefined && declared.writes) {
      throw new RangeError("gaussSeidel: a program that writes values of edges is run in Jacobi's way only: leave it out");
    }
    const list = typeof edges === "string" ? readEdges(edges, { bigints: /^[iu]64$/.test(declared.edge?.name ?? "") }) : edges;
    const csr = new Csr(list, options);
    const cut = declared.method === "interval" ? (interval ?? ALL) : 1;
    const engine = new Engine(arena, csr, declared, {
      interval: cut, copies: false, gaussSeidel: gaussSeidel === undefined ? undefined : Math.ceil(gaussSeidel / 1024) * 1024,
    });
    this.engine = engine;
    this.calls = engine.run(Infinity);
    this.vertices = {
      size: csr,
      keptBy: (vertex) => engine.keptBy(vertex),
      shownBy: (vertex) => engine.shownBy(vertex),
      nextOf: (vertex) => engine.nextOf(vertex),
      setBy: (vertex) => engine.setBy(vertex),
      answered: () => engine.answered(),
      watch: () => new Watched(arena.memory, columnsOf(engine.columns, declared), writtenBy(declared)),
    };
  }

  /**
   * Replays a dumped interval: the file that `upcall graph run … --dump-interval` writes. Each of its vertices is updated once more,
   * with exactly what it saw; what it keeps and shows then is compared with what the engine got. {@link Replay} does so in steps.
   */
  static async replay(program: AnyHandler | (new () => AnyHandler), file: string, options: ReplayOptions = {}): Promise<Replayed> {
    return new Replay(program, file, options).run();
  }

  /** Runs the program on: until it has ended, or for so many iterations. */
  async run({ iterations = Infinity }: { iterations?: number } = {}): Promise<Ran> {
    const last = this.iterations + iterations;
    while (this.iterations < last && (await this.later()) !== undefined);
    return this.ran();
  }

  /** What the program has come to so far. */
  ran(): Ran {
    const { engine } = this;
    return { iterations: this.iterations, ended: this.ended, own: engine.kept(), shown: engine.shown(), edges: engine.edges() };
  }

  protected override following(): Call | undefined {
    const { value, done } = this.calls.next();
    if (done !== true) return value as Call;
    this.ended = true;
    return undefined;
  }
}
