/** Has a vertex program answer in this process, a call at a time, where a debugger can follow it. */

import { Kind, OpenFrame, Phase, VertexFrame, VertexOpen } from "../abi.js";
import { Failing, isPromise } from "../body.js";
import { VertexBody } from "../graph/body.js";
import { type Declared, declared } from "../graph/declared.js";
import type { Call } from "../graph/engine.js";
import { notANumber } from "../graph/errors.js";
import type { AnyProgram, GraphSize, Iteration } from "../graph/program.js";
import { type AnyHandler, type Answer, type HandlerClass, isVertexMethod, methodOf } from "../handler.js";
import type { Numeric } from "../numbers.js";
import { Arena } from "./arena.js";
import { ProgramError } from "./error.js";
import type { Watched } from "./watched.js";

export interface CallerOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether values that are not a number may be shown, kept, set and added. */
  readonly allowNaN?: boolean;
  /** Vertices before whose update a debugger stops, if there is one: `node inspect`, or `node --inspect-brk`. */
  readonly breakAt?: Iterable<number>;
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

/** Where the vertices of the calls are. */
export interface Stored {
  readonly size: GraphSize;
  /** What a vertex keeps to itself, shows, and shows from the next iteration on. */
  keptBy(vertex: number): Numeric | undefined;
  shownBy(vertex: number): Numeric;
  nextOf(vertex: number): Numeric;
  /** What its outgoing edges have from the next iteration on, in their order; nothing where the program writes no values. */
  setBy(vertex: number): readonly Numeric[];
  /** A call was answered: what it has written is to be seen. */
  answered(): void;
  /** What a program might write that is not its own. */
  watch(): Watched;
}

/** A program that answers calls, which one that extends this makes. */
export abstract class Caller {
  /** What the program has logged: level (1 is error, 5 trace) and text. */
  readonly logged: [level: number, text: string][] = [];
  protected readonly arena = new Arena();
  protected readonly declared: Declared;
  /** The name of the program's class. */
  protected readonly name: string;
  protected abstract readonly vertices: Stored;
  private readonly body: VertexBody;
  private readonly settings: Readonly<Record<string, string>>;
  private readonly allowNaN: boolean;
  private opened: Answer | "not" = "not";
  private failed: ProgramError | undefined;
  /** The iteration that is run, or comes next. */
  protected iterations = 0;

  constructor(program: AnyHandler | (new () => AnyHandler), { settings = {}, allowNaN = false, breakAt = [] }: CallerOptions) {
    const handler = typeof program === "function" ? new program() : program;
    const of = handler.constructor as HandlerClass;
    const method = methodOf(of);
    if (typeof method !== "string") throw new TypeError(`${of.name} is no vertex program: ${method.wrong}`);
    if (!isVertexMethod(method)) throw new TypeError(`${of.name} is no vertex program: it has ${method}`);
    this.name = of.name;
    this.declared = declared(of, method) as Declared;
    this.settings = settings;
    this.allowNaN = allowNaN;
    const guards = { nan: !allowNaN, apart: true, stops: new Set(breakAt) };
    const engine = {
      complete: () => {}, grow: () => null, read: () => ({ ok: false, item: 0 }), list: () => null,
      log: (level: number, text: string) => void this.logged.push([level, text]),
    };
    this.body = new VertexBody(this.arena.memory, engine, handler as AnyProgram, of, method, guards);
  }

  /** The next call; `undefined` where there is none. */
  protected abstract following(): Call | undefined;

  /** A call was answered. */
  protected answered(_call: Call): void {
    // Of itself nothing follows from it.
  }

  /**
   * Runs the program on, a call at a time: each vertex at the start, each that is updated, and what is behind an iteration. It may be
   * left and taken up again, also by `run`.
   */
  *steps(): Generator<Step, void> {
    for (let step = this.step(); step !== undefined; step = this.step()) yield step;
  }

  /** One step; `undefined` where the program has ended. What is called behind an interval is the beginning of the next step. */
  step(): Step | undefined {
    this.atOnce(this.open(), "open");
    for (let call = this.next(); call !== undefined; call = this.next()) {
      this.atOnce(this.perform(call), "a call");
      if (call.phase !== Phase.INTERVAL) return this.finish(call);
    }
    return undefined;
  }

  /** The same, for as long as the program wants. */
  protected async later(): Promise<Step | undefined> {
    await this.open();
    for (let call = this.next(); call !== undefined; call = this.next()) {
      await this.perform(call);
      if (call.phase !== Phase.INTERVAL) return this.finish(call);
    }
    return undefined;
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
    const { arena: { memory }, vertices: { size } } = this;
    const added = this.arena.give(VertexOpen.$bytes);
    memory.setU32(added + VertexOpen.directed, size.directed ? 1 : 0);
    memory.setU64(added + VertexOpen.vertices, size.vertices);
    memory.setU64(added + VertexOpen.edges, size.edges);
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
    try {
      return this.following();
    } catch (thrown) {
      throw (this.failed = new ProgramError(thrown, undefined, this.iterations));
    }
  }

  /** Has the program answer a call. */
  private perform(call: Call): Answer {
    const { memory } = this.arena;
    const watched = this.declared.method === "interval" && call.phase === Phase.UPDATE ? this.vertices.watch() : undefined;
    const failing = (thrown: unknown): never => {
      memory.finish();
      const what = thrown instanceof Failing ? thrown.failed.thrown : thrown;
      // What else is thrown is of no vertex, but of what is called before them or behind.
      const vertex = thrown instanceof Failing && call.ids.length === 1 ? call.ids[0] : undefined;
      throw (this.failed = new ProgramError(what, vertex, call.phase === Phase.START ? undefined : call.iteration));
    };
    const end = (): void => {
      try {
        memory.finish();
        this.vertices.answered();
        watched?.check(call.ids);
        if (watched !== undefined && !this.allowNaN) this.numbers(call.ids);
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

  /** Throws where one of these vertices keeps or shows what is not a number. */
  private numbers(ids: readonly number[]): void {
    for (const vertex of ids) {
      for (const [name, value] of [["own", this.vertices.keptBy(vertex)], ["next", this.vertices.nextOf(vertex)]] as const) {
        if (Number.isNaN(value)) throw notANumber(vertex, name);
      }
      const edge = this.vertices.setBy(vertex).findIndex(Number.isNaN);
      if (edge >= 0) throw notANumber(vertex, `nextValues of outgoing edge ${edge}`);
    }
  }

  /** What was done. */
  private finish(call: Call): Step {
    const { phase, iteration, ids, done } = call;
    this.answered(call);
    if (phase === Phase.AFTER) {
      this.iterations = iteration + 1;
      return { what: "after", iteration, vertex: -1, vertices: [], own: undefined, before: undefined, shows: undefined, done };
    }
    const vertex = ids[0]!;
    const before = phase === Phase.START ? undefined : this.vertices.shownBy(vertex);
    return {
      what: phase === Phase.START ? "start" : "update",
      iteration, vertex, vertices: ids, before, done: undefined,
      own: this.vertices.keptBy(vertex),
      shows: this.vertices.nextOf(vertex),
    };
  }
}
