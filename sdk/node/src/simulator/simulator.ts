/** A vertex program that runs in this process, where a debugger can follow it. */

import { Kind, OpenFrame, Phase, VertexFrame, VertexOpen } from "../abi.js";
import { Failing, isPromise } from "../body.js";
import { Arena } from "./arena.js";
import { VertexBody } from "../graph/body.js";
import { Csr, type Edge, type GraphOptions } from "../graph/csr.js";
import { type Declared, declared } from "../graph/declared.js";
import { type Call, Engine } from "../graph/engine.js";
import type { AnyProgram, Iteration } from "../graph/program.js";
import { type AnyHandler, type Answer, type HandlerClass, isVertexMethod, methodOf } from "../handler.js";
import type { NumberArray, Numeric } from "../numbers.js";
import { readEdges } from "./edges.js";
import { ProgramError } from "./error.js";
import { Watched } from "./watched.js";

export interface SimulatorOptions extends GraphOptions {
  /** The edges of the graph: arrays of source, destination and, for a program that declares `edge`, a value; or the file they are in. */
  readonly edges: Iterable<Edge> | string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether values that are not a number may be shown and kept. */
  readonly allowNaN?: boolean;
  /** Vertices before whose update a debugger stops, if there is one: `node inspect`, or `node --inspect-brk`. */
  readonly breakAt?: Iterable<number>;
  /** How many vertices a program with `interval` is given at once: a multiple of 1024; without it, all. */
  readonly interval?: number;
}

/** A call of the program that is done. */
export interface Step {
  /** What was called: `start`, `update` (or `apply` or `interval`), or `afterIteration`. */
  readonly what: "start" | "update" | "after";
  /** The iteration, from 0 on. */
  readonly iteration: number;
  /** The vertex; of several, the first; -1 behind an iteration. */
  readonly vertex: number;
  /** All vertices of the call. */
  readonly vertices: readonly number[];
  /** What the vertex keeps to itself; `undefined` where that is nothing. */
  readonly own: Numeric | undefined;
  /** What it showed before; `undefined` at the start. */
  readonly before: Numeric | undefined;
  /** What it shows from now on. */
  readonly shows: Numeric | undefined;
  /** What the iteration has come to, behind it. */
  readonly done: Iteration | undefined;
}

/** What a program has come to so far. */
export interface Ran {
  /** How many iterations there were. */
  readonly iterations: number;
  /** Whether it has ended: it has said so, or nothing is scheduled. */
  readonly ended: boolean;
  readonly own: NumberArray | undefined;
  readonly shown: NumberArray;
}

/** All vertices at once, as far as numbers of vertices go. */
const ALL = 2 ** 32;

/**
 * A program and a graph. It runs on with each {@link Simulator.run} and each step. Beside what the engine's driver checks, a value that
 * is not a number is an error, unless it is allowed, and so is a vertex that is used after its own update, or written by another.
 */
export class Simulator {
  private readonly body: VertexBody;
  private readonly declared: Declared;
  private readonly engine: Engine;
  private readonly arena: Arena;
  private readonly calls: Generator<Call, number>;
  private readonly csr: Csr;
  private readonly settings: Readonly<Record<string, string>>;
  private readonly allowNaN: boolean;
  private opened: Answer | "not" = "not";
  private failed: ProgramError | undefined;
  private iterations = 0;
  private ended = false;
  /** What the program has logged: level (1 is error, 5 trace) and text. */
  readonly logged: [level: number, text: string][] = [];

  /** Takes a class, of which it makes an instance, or an instance. Throws where it is no vertex program, or the graph is none. */
  constructor(program: AnyHandler | (new () => AnyHandler), options: SimulatorOptions) {
    const handler = typeof program === "function" ? new program() : program;
    const of = handler.constructor as HandlerClass;
    const method = methodOf(of);
    if (typeof method !== "string") throw new TypeError(`${of.name} is no vertex program: ${method.wrong}`);
    if (!isVertexMethod(method)) throw new TypeError(`${of.name} is no vertex program: it has ${method}`);
    const { edges, settings = {}, allowNaN = false, breakAt = [], interval } = options;
    if (interval !== undefined && !(interval > 0 && interval % 1024 === 0)) {
      throw new RangeError(`an interval of ${interval} vertices: give a multiple of 1024`);
    }
    this.declared = declared(of, method) as Declared;
    const list = typeof edges === "string" ? readEdges(edges, { bigints: /^[iu]64$/.test(this.declared.edge?.name ?? "") }) : edges;
    this.csr = new Csr(list, options);
    this.settings = settings;
    this.allowNaN = allowNaN;
    this.arena = new Arena();
    const guards = { nan: !allowNaN, apart: true, stops: new Set(breakAt) };
    const engine = {
      complete: () => {}, grow: () => null, read: () => ({ ok: false, item: 0 }), list: () => null,
      log: (level: number, text: string) => void this.logged.push([level, text]),
    };
    this.body = new VertexBody(this.arena.memory, engine, handler as AnyProgram, of, method, guards);
    const cut = method === "interval" ? (interval ?? ALL) : 1;
    this.engine = new Engine(this.arena, this.csr, this.declared, { interval: cut, copies: false });
    this.calls = this.engine.run(Infinity);
  }

  /** Runs the program on: until it has ended, or for so many iterations. */
  async run({ iterations = Infinity }: { iterations?: number } = {}): Promise<Ran> {
    await this.open();
    const last = this.iterations + iterations;
    while (this.iterations < last) {
      const call = this.next();
      if (call === undefined) break;
      await this.perform(call);
      this.finish(call);
    }
    return this.ran();
  }

  /**
   * Runs the program on, a call at a time: each vertex at the start, each that is updated, and what is behind an iteration. It may be
   * left and taken up again, also by {@link Simulator.run}.
   */
  *steps(): Generator<Step, void> {
    for (let step = this.step(); step !== undefined; step = this.step()) yield step;
  }

  /** One step; `undefined` where the program has ended. */
  step(): Step | undefined {
    this.atOnce(this.open(), "open");
    const call = this.next();
    if (call === undefined) return undefined;
    this.atOnce(this.perform(call), "a call");
    return this.finish(call);
  }

  /** What the program has come to so far. */
  ran(): Ran {
    return { iterations: this.iterations, ended: this.ended, own: this.engine.kept(), shown: this.engine.shown() };
  }

  private atOnce(answer: Answer, what: string): void {
    if (answer === undefined) return;
    const failed = new Error(`${what} answers later, and a step does not wait: use run()`);
    this.failed = new ProgramError(failed, undefined, this.iterations);
    // Whatever it comes to is nobody's.
    (answer as Promise<void>).catch(() => {});
    throw this.failed;
  }

  private open(): Answer {
    if (this.opened !== "not") return this.opened;
    const { arena: { memory }, csr } = this;
    const added = this.arena.give(VertexOpen.$bytes);
    memory.setU32(added + VertexOpen.directed, csr.directed ? 1 : 0);
    memory.setU64(added + VertexOpen.vertices, csr.vertices);
    memory.setU64(added + VertexOpen.edges, csr.edges);
    const frame = this.arena.head(Kind.OPEN, OpenFrame.$bytes);
    memory.setU64(frame + OpenFrame.added, added);
    memory.setU64(frame + OpenFrame.added + 8, VertexOpen.$bytes);
    const answer = this.body.open(frame, { name: "program", settings: this.settings, worker: 0, workers: 1 });
    const open = (): void => {
      this.opened = undefined;
    };
    this.opened = isPromise(answer) ? answer.then(open) : undefined;
    return this.opened;
  }

  private next(): Call | undefined {
    if (this.failed !== undefined) throw this.failed;
    const { value, done } = this.calls.next();
    if (done !== true) return value as Call;
    this.ended = true;
    return undefined;
  }

  /** Has the program answer a call. */
  private perform(call: Call): Answer {
    const { memory } = this.arena;
    const watched = this.declared.method === "interval" && call.phase === Phase.UPDATE ? this.engine.watch(Watched) : undefined;
    const failing = (thrown: unknown): never => {
      memory.finish();
      const what = thrown instanceof Failing ? thrown.failed.thrown : thrown;
      const vertex = call.ids.length === 1 ? call.ids[0] : undefined;
      throw (this.failed = new ProgramError(what, vertex, call.phase === Phase.START ? undefined : call.iteration));
    };
    const end = (): void => {
      try {
        memory.finish();
        watched?.check(call.ids);
        if (watched !== undefined && !this.allowNaN) this.engine.numbers(call.ids);
      } catch (thrown) {
        failing(thrown);
      }
    };
    memory.begin(call.frame + VertexFrame.$bytes);
    let answer: Answer;
    try {
      answer = this.body.run(call.frame);
    } catch (thrown) {
      return failing(thrown);
    }
    if (isPromise(answer)) return answer.then(end, failing);
    end();
  }

  /** What was done. */
  private finish({ phase, iteration, ids, done }: Call): Step {
    const { engine } = this;
    if (phase === Phase.AFTER) {
      this.iterations = iteration + 1;
      return { what: "after", iteration, vertex: -1, vertices: [], own: undefined, before: undefined, shows: undefined, done };
    }
    const vertex = ids[0]!;
    const before = phase === Phase.START ? undefined : engine.shownBy(vertex);
    return {
      what: phase === Phase.START ? "start" : "update",
      iteration, vertex, vertices: ids, before, done: undefined,
      own: engine.keptBy(vertex),
      shows: engine.nextOf(vertex),
    };
  }
}
