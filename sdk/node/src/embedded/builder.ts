/** A flow that is described and has not started. */

import type { Emit, Value } from "../flow/emit.js";
import type { FlowObject } from "../flow/object.js";
import type { Packer } from "../flow/typed.js";
import type { AnyHandler, Answer, HandlerClass } from "../handler.js";
import { checked, native, type Running, type Task } from "./bindings.js";
import type { Flow } from "./flow.js";
import { handlerOf, moduleOf, type Says } from "./given.js";
import { type Known, known } from "./options.js";
import { enter, forget, give, type Module, tableOf } from "./program.js";
import { type WaitOptions, whenEnded } from "./task.js";
import { FlowText, quoted, type Toml } from "./text.js";

/** A time: milliseconds, or as a flow's file has it (`"5 s"`). */
export type Time = number | string;

/** A number of bytes, or as a flow's file has it (`"64 MiB"`). */
export type Bytes = number | string;

/** What a flow says of itself; what is left out is as in docs/flow.md. */
export interface FlowOptions {
  /** Its name, for messages and the report. */
  readonly name?: string;
  /** Worker threads of the engine. Handlers of this program have one of their own beside them. */
  readonly workers?: number;
  /** Bytes that the flow may hold before it stops with an error. */
  readonly memory?: Bytes;
  /** What may be in flight before a put waits. */
  readonly credit?: { readonly bytes?: Bytes; readonly items?: number };
  /** How much each dead pool keeps. */
  readonly deadLetters?: { readonly items?: number; readonly bytes?: Bytes };
  /** How long an object should wait for a handler. */
  readonly delay?: Time;
  /** Objects in a batch at most. */
  readonly batch?: number;
}

/** What a pool keeps, and of which type. */
export interface PoolOptions {
  /** `volatile`: the newest versions of each key; `trigger`: nothing, it only runs its handlers. */
  readonly kind?: "volatile" | "trigger";
  /** Its values, as a flow's file says it: `u64`, `text`, `{ packed: "Order" }`. */
  readonly type?: string | { readonly packed: string } | { readonly blittable: string; readonly size: number };
  /** Versions of a key that it keeps. */
  readonly keep?: number;
}

/** How a handler is called; what is left out is as in docs/flow.md. */
export interface HandlerOptions extends Says {
  /** Its name, for messages and the report; that of the function or class if it is not said. */
  readonly name?: string;
  /** Pools that it may read. */
  readonly reads?: readonly string[];
  /** `key`: objects of one key in the order of their versions; `any`: none; `single`: all of them one after the other. */
  readonly order?: "key" | "any" | "single";
  /** Objects in a batch at most. */
  readonly batch?: number;
  /** Tries after a failure, before the object is buried. */
  readonly retry?: number;
  /** How long a retry waits. */
  readonly retryDelay?: Time;
  /** Of a handler that answers later: objects that are open at a time. */
  readonly inFlight?: number;
  /** Of a handler that answers later: how long it may take for an object. */
  readonly deadline?: Time;
  /** Objects a second at most. */
  readonly perSecond?: number;
  /** Whether it is meant to be part of a cycle. */
  readonly cycle?: boolean;
  /** A sample object that it handles before the flow takes any; its value as a line of an input says it, or by its bytes in hexadecimal. */
  readonly warm?: { readonly key?: string; readonly value?: string; readonly hex?: string };
  /** What it is told when it is opened: text and numbers as they are, lists and objects as JSON. */
  readonly settings?: Readonly<Record<string, Toml>>;
}

/** The same of a function that takes or gives values of a class. */
export interface TypedOptions<Taken, Gives> extends HandlerOptions {
  readonly takes?: Packer<Taken>;
  readonly gives?: Packer<Gives> | readonly Packer<Gives>[];
}

const FLOW: Known = {
  name: "text", workers: "count", memory: "bytes", credit: "object", deadLetters: "object", delay: "time", batch: "count",
};
const LIMITS: Known = { bytes: "bytes", items: "count" };
const WARM: Known = { key: "text", value: "text", hex: "text" };
const POOL: Known = { kind: "text", type: "type", keep: "count" };
const SAYS: Known = { takes: "packer", gives: "packer", answersLater: "truth" };
const HANDLER: Known = {
  name: "text", reads: "texts", order: "text", batch: "count", retry: "count", retryDelay: "time", inFlight: "count", deadline: "time",
  perSecond: "number", cycle: "truth", warm: "object", settings: "object", ...SAYS,
};

/** A flow that is described and has not started. What is wrong with it, all at once, is said when it starts. */
export class FlowBuilder {
  private readonly text: FlowText;
  private readonly given: [name: string, module: Module][] = [];
  private readonly names = new Map<string, number>();

  /** @internal */
  constructor(
    text: string,
    private readonly path: string,
    options: FlowOptions,
    private readonly started: (flow: Running, ended: () => void) => Flow,
  ) {
    known("Flow.describe", options, FLOW);
    const { name, workers, memory, credit, deadLetters, delay, batch } = options;
    known("Flow.describe, credit", credit, LIMITS);
    known("Flow.describe, deadLetters", deadLetters, LIMITS);
    this.text = new FlowText(text);
    const keys = { name, workers, memory, credit, dead_letters: deadLetters, delay: time(delay), batch };
    for (const [key, value] of Object.entries(keys)) if (value !== undefined) this.text.key(key, value);
  }

  /** Adds a pool. */
  pool(path: string, options: PoolOptions = {}): this {
    known(`pool ${path}`, options, POOL);
    const { kind, type, keep } = options;
    this.text.table(`[pool.${quoted(path)}]`, { kind: kind === "volatile" ? undefined : kind, type: type as Toml | undefined, keep });
    return this;
  }

  /**
   * Adds a handler on a pool and all below it, that emits into others: a function, which may be `async`, a class that
   * `upcall run` would load, or an instance of one. It runs on this event loop.
   */
  on<Taken = Uint8Array, Gives = Value>(
    watched: string,
    to: string | readonly string[],
    handler: (object: FlowObject<Taken>, emit: Emit<Gives>) => Answer,
    options?: TypedOptions<Taken, Gives>,
  ): this;
  on(watched: string, to: string | readonly string[], handler: HandlerClass | AnyHandler, options?: HandlerOptions): this;
  /** The same for a handler that emits nothing. */
  on<Taken = Uint8Array>(watched: string, handler: (object: FlowObject<Taken>) => Answer, options?: TypedOptions<Taken, never>): this;
  on(watched: string, handler: HandlerClass | AnyHandler, options?: HandlerOptions): this;
  on(watched: string, ...given: unknown[]): this {
    const first = given[0];
    const silent = typeof first !== "string" && !Array.isArray(first);
    const [to, any, options = {}] = (silent ? [[], ...given] : given) as [Toml, unknown, HandlerOptions?];
    const handler = handlerOf(any);
    known(`on ${watched}`, options, HANDLER);
    known(`on ${watched}, warm`, options.warm, WARM);
    const name = options.name ?? this.numbered(named(handler));
    this.text.table("[[handler]]", {
      name,
      on: watched,
      to,
      read: options.reads,
      order: options.order,
      batch: options.batch,
      retry: options.retry,
      retry_delay: time(options.retryDelay),
      in_flight: options.inFlight,
      deadline: time(options.deadline),
      rate: options.perSecond === undefined ? undefined : `${options.perSecond} / s`,
      cycle: options.cycle,
      warm: options.warm,
      settings: options.settings,
    });
    this.given.push([name, moduleOf(handler, options)]);
    return this;
  }

  /** Gives the handler that a flow's file names no code for. */
  give<Taken = Uint8Array, Gives = Value>(
    name: string,
    handler: (object: FlowObject<Taken>, emit: Emit<Gives>) => Answer,
    says?: { readonly takes?: Packer<Taken>; readonly gives?: Packer<Gives> | readonly Packer<Gives>[]; readonly answersLater?: boolean },
  ): this;
  give(name: string, handler: HandlerClass | AnyHandler): this;
  give(name: string, handler: unknown, says: Says = {}): this {
    known(`give ${name}`, says, SAYS);
    this.given.push([name, moduleOf(handler, says)]);
    return this;
  }

  /**
   * Checks the description, starts what it needs and opens every handler. Aborted, it starts all the same and is stopped then.
   * Rejects with a `FlowError`.
   */
  start(options?: WaitOptions): Promise<Flow> {
    const modules: number[] = [];
    // Who keeps a pool keeps what the engine has of the flow, but not its handlers.
    const ended = (): void => modules.forEach(forget);
    return whenEnded("start", () => this.begin(modules), (task) => this.started(task.flow(), ended), options);
  }

  private begin(modules: number[]): Task {
    const builder = checked(() => native.UpcallFlowBuilder.with_keys(this.text.keys, String(this.text), this.path));
    try {
      builder.program("node", tableOf(), native.UPCALL_THREADS_ONE);
      for (const [name, module] of this.given) {
        modules.push(enter(module));
        builder.give(name, give(modules.at(-1)!));
      }
      return builder.start();
    } finally {
      builder.release();
    }
  }

  private numbered(name: string): string {
    const count = (this.names.get(name) ?? 0) + 1;
    this.names.set(name, count);
    return count === 1 ? name : `${name}, ${count}`;
  }
}

function named(handler: unknown): string {
  const of = typeof handler === "object" && handler !== null ? handler.constructor : handler;
  const name = typeof of === "function" && of !== Object ? of.name : "";
  return name === "" ? "handler" : name;
}

function time(given: Time | undefined): string | undefined {
  return typeof given === "number" ? `${Math.round(given * 1000)} us` : given;
}
