/** The engine's functions, as `upcall bindgen` binds them: what is used of them. */

import { bindings } from "../find.js";
import { FlowError, type Kind } from "./error.js";

interface Handle {
  release(): void;
}

interface Owned<T> extends Handle {
  readonly array: T;
}

export interface Builder extends Handle {
  program(guest: string, table: number, threads: number): void;
  give(handler: string, module: number): void;
  start(): Task;
}

export interface Task extends Handle {
  /** Whether it has ended. If not, `wake` is called once it may have. */
  poll(wake: () => void): boolean;
  check(): void;
  version(): bigint;
  flow(): Running;
}

export interface Running extends Handle {
  pool(path: string): NativePool;
  pools(): string;
  watch(prefix: string, events: number): NativeWatch;
  drain(): Task;
  settle(): Task;
  hurry(): void;
  report(): string;
  dead_letters(pool: string): string;
  in_flight(): bigint;
  check(): void;
  stop(): Task;
}

export interface NativePool extends Handle {
  value_type(): string;
  try_put(key: Uint8Array, value: Uint8Array): boolean;
  put_many(objects: Uint8Array, wait: boolean): bigint;
  send(what: number, key: Uint8Array, value: Uint8Array, previous: number): Task;
  get(key: Uint8Array, of: number, at: number | bigint, room: Uint8Array, found: NativeFound): boolean;
  versions(key: Uint8Array): Owned<Iterable<{ readonly version: bigint; readonly time: bigint; readonly removed: bigint }>>;
  list(prefix: Uint8Array): Owned<Uint8Array>;
}

export interface NativeWatch extends Handle {
  poll(wake: () => void): Owned<Uint8Array>;
  has_ended(): boolean;
}

export interface NativeFound {
  readonly version: bigint;
  readonly time: bigint;
  readonly len: bigint;
}

export interface NativeGraph extends Handle {
  vertices(): bigint;
  edges(): bigint;
  is_directed(): boolean;
  vertex_name(vertex: number): string;
}

export interface NativeRun extends Handle {
  program(guest: string, table: number, threads: number, module: number): void;
  set(name: string, value: string): void;
  limit(iterations: number, threads: number): void;
  gauss_seidel(vertices: number): void;
  values_in(folder: string): void;
  start(): Task;
  stop(): void;
  iterations(): bigint;
  own(room: Uint8Array): void;
  shown(room: Uint8Array): void;
  edges(room: Uint8Array): void;
}

interface Native {
  readonly UpcallGraph: new (path: string) => NativeGraph;
  readonly UpcallGraphRun: new (graph: NativeGraph, name: string) => NativeRun;
  readonly UpcallFlowBuilder: { with_keys(keys: string, text: string, path: string): Builder };
  readonly UpcallFound: new () => NativeFound;
  readonly UPCALL_THREADS_ONE: number;
  readonly UpcallSend: { readonly Put: number; readonly PutIf: number; readonly Trigger: number; readonly Remove: number };
  readonly UpcallAsOf: { readonly Now: number; readonly Version: number; readonly Time: number };
}

const all = bindings();
export const native = all as unknown as Native;

const KINDS = new Map<unknown, Kind>(
  ([
    ["INVALID", "invalid"],
    ["LOAD", "load"],
    ["NO_POOL", "no pool"],
    ["BAD_KEY", "bad key"],
    ["BAD_VALUE", "bad value"],
    ["DEAD_POOL", "dead pool"],
    ["STORES_NOTHING", "stores nothing"],
    ["COMPACTED", "compacted"],
    ["CONFLICT", "conflict"],
    ["IN_HANDLER", "in handler"],
    ["OUT_OF_MEMORY", "out of memory"],
    ["FLUSH", "flush"],
    ["STOPPED", "stopped"],
    ["GRAPH_FILE", "file"],
    ["PROGRAM", "program"],
  ] as const).map(([name, kind]) => [all[`UPCALL_${name}`], kind]),
);

const NativeError = all["NativeError"] as new () => Error & { readonly code: number };

/** Does it, and throws as a {@link FlowError} what a function of the engine has failed with. */
export function checked<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    if (!(thrown instanceof NativeError)) throw thrown;
    throw new FlowError(KINDS.get(thrown.code) ?? "internal", thrown.message);
  }
}
