/// <reference lib="esnext.disposable" preserve="true" />
/** A running flow of this program's own. */

import { readFileSync } from "node:fs";
import type { Signal } from "../flow/object.js";
import type { NumberType } from "../numbers.js";
import { hold } from "./addon.js";
import { checked, type Running, type Task } from "./bindings.js";
import { FlowBuilder, type FlowOptions } from "./builder.js";
import { Pool } from "./pool.js";
import { told } from "../told.js";
import { known } from "./options.js";
import { WAIT, type WaitOptions, whenEnded } from "./task.js";
import { type DeadLetter, deadLettersOf } from "./values.js";
import { Waits } from "./waits.js";
import { Watch } from "./watch.js";

// Node before 18.18 has none.
(Symbol as { asyncDispose?: symbol }).asyncDispose ??= Symbol.for("Symbol.asyncDispose");

/** Those that run, which nobody else may hold. */
const open = new Set<Flow>();

/**
 * A running flow of this program's own.
 *
 * It keeps the process alive, as a server does, until it is closed or `unref()` is called. Closed, what is in flight is lost: drain
 * it first.
 */
export class Flow implements AsyncDisposable {
  private letGo: () => void;
  private closing: Promise<void> | undefined;
  private readonly found = new Map<string, Pool>();
  private readonly waits = new Waits();
  /** The pools that declare a number type, once there is a watch: when the flow has ended, nobody can be asked. */
  private numbers: ReadonlyMap<string, NumberType> | undefined;

  private constructor(
    private readonly flow: Running,
    private readonly over: () => void,
  ) {
    this.letGo = hold();
    open.add(this);
  }

  /** A flow that is described by code. */
  static describe(options: FlowOptions = {}): FlowBuilder {
    return new FlowBuilder("", "", options, (flow, over) => new Flow(flow, over));
  }

  /** A flow that a file describes, as `upcall run` takes it; handlers that it names no code for are given. */
  static fromFile(path: string): FlowBuilder {
    return Flow.fromToml(readFileSync(path, "utf8"), path);
  }

  /**
   * A flow that the text of such a file describes, which would be at `path`: messages name it, and paths are relative to it. Without
   * one they are relative to the current folder.
   */
  static fromToml(text: string, path = ""): FlowBuilder {
    if (typeof text !== "string") throw new TypeError(`fromToml: a flow's file is text, and this is ${told(text)}`);
    return new FlowBuilder(text, path, {}, (flow, over) => new Flow(flow, over));
  }

  /** The paths of its pools. */
  get pools(): string[] {
    return checked(() => this.flow.pools()).split("\n").filter((path) => path !== "");
  }

  /** Objects that were put or emitted, and are not yet handled. */
  get inFlight(): number {
    return Number(checked(() => this.flow.in_flight()));
  }

  /** The pool with this path. */
  pool(path: string): Pool {
    let pool = this.found.get(path);
    if (pool === undefined || this.closing !== undefined) {
      pool = new Pool(checked(() => this.flow.pool(path)), path, this.waits);
      this.found.set(path, pool);
    }
    return pool;
  }

  /** Watches a pool and all below it, from now on. Aborted, its loop throws the reason of the signal. */
  watch(prefix: string, options: { readonly buffer?: number; readonly signal?: Signal } = {}): Watch {
    known("watch", options, { buffer: "count", ...WAIT });
    const { buffer = 4096, signal } = options;
    this.numbers ??= new Map(this.pools.flatMap((path) => {
      const { number } = this.pool(path);
      return number === undefined ? [] : [[path, number]];
    }));
    return new Watch(checked(() => this.flow.watch(prefix, buffer)), this.numbers, signal);
  }

  /**
   * Resolves when nothing is in flight, every handler was told that its input has ended, and what that has led to is done. The flow
   * goes on.
   */
  drain(options?: WaitOptions): Promise<void> {
    return this.ended("drain", () => this.flow.drain(), options);
  }

  /** Resolves when nothing is in flight. */
  settle(options?: WaitOptions): Promise<void> {
    return this.ended("settle", () => this.flow.settle(), options);
  }

  /** Lets nothing wait for a retry any more, and no call for longer than five seconds: before a drain that must not take long. */
  hurry(): void {
    checked(() => this.flow.hurry());
  }

  /** What it has done so far; docs/report.md has the fields. */
  report(): Record<string, unknown> {
    return JSON.parse(checked(() => this.flow.report())) as Record<string, unknown>;
  }

  /** The dead letters about objects of a pool that are kept, oldest first. */
  deadLetters(pool: string): DeadLetter[] {
    return deadLettersOf(checked(() => this.flow.dead_letters(pool)));
  }

  /** Throws what has stopped the flow, if anything has. */
  check(): void {
    checked(() => this.flow.check());
  }

  /** Lets the process end while the flow is open. What waits for it, as `drain()`, keeps the process alive all the same. */
  unref(): this {
    this.letGo();
    return this;
  }

  /** Undoes `unref()`. */
  ref(): this {
    this.letGo();
    if (open.has(this)) this.letGo = hold();
    return this;
  }

  /**
   * Stops it and closes every handler; what is in flight is lost. Resolves when they are closed, and rejects with what had stopped
   * the flow before.
   */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  /** As {@link Flow.close}: `await using flow = …`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async end(): Promise<void> {
    try {
      await this.ended("close", () => this.flow.stop());
    } finally {
      open.delete(this);
      this.letGo();
      this.over();
    }
  }

  private ended(call: string, begin: () => Task, options?: WaitOptions): Promise<void> {
    return whenEnded(call, begin, (task) => task.check(), options);
  }
}
