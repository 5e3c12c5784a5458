/** What a handler learns when it is opened, and its log. */

import { Access, Level } from "./abi.js";
import type { Engine } from "./engine.js";
import { Forms } from "./flow/typed.js";
import type { NumberType } from "./numbers.js";

/** A pool that a handler has to do with. */
export interface Pool {
  readonly id: number;
  readonly path: string;
  /** The name of its declared value type, empty where values are plain bytes. */
  readonly valueType: string;
  readonly watched: boolean;
  readonly emits: boolean;
  readonly readable: boolean;
}

/** A pool, by the id of {@link Pool} or by its path. */
export type PoolName = number | string;

/** Logs under the handler's name. */
export interface Log {
  error(text: string): void;
  warn(text: string): void;
  info(text: string): void;
  debug(text: string): void;
  trace(text: string): void;
}

/** What a handler learns when it is opened. Only handlers of a flow have pools and senders. */
export interface Context {
  readonly name: string;
  /** By name, as text; what is not a plain value in the flow's file is JSON. */
  readonly settings: Readonly<Record<string, string>>;
  readonly pools: readonly Pool[];
  readonly senders: readonly string[];
  readonly worker: number;
  readonly workers: number;
  readonly log: Log;
  /** The pool of this path. Throws where the handler has nothing to do with it. */
  pool(path: string): Pool;
}

export function log(engine: Engine): Log {
  const at = (level: number) => (text: string) => engine.log(level, String(text));
  return {
    error: at(Level.ERROR),
    warn: at(Level.WARN),
    info: at(Level.INFO),
    debug: at(Level.DEBUG),
    trace: at(Level.TRACE),
  };
}

export interface KnownPool extends Pool {
  readonly number: NumberType | undefined;
}

/** What a pool may be used for: how it says so, and the key of the flow's file that lists it. */
const MAY = { [Access.EMIT]: ["emits", "to"], [Access.READ]: ["readable", "read"] } as const;

/** The pools and senders of an instance. */
export class Names {
  constructor(
    readonly pools: readonly KnownPool[] = [],
    readonly senders: readonly string[] = [],
    /** What values are, where they are not bytes. */
    readonly forms: Forms = Forms.NONE,
  ) {
    for (const pool of pools) {
      this.byPath.set(pool.path, pool);
      this.byId[pool.id] = pool;
    }
    // The first of `to`, which is not always the first of all.
    this.first = pools.find((pool) => pool.emits);
  }

  private readonly byPath = new Map<string, KnownPool>();
  private readonly byId: (KnownPool | undefined)[] = [];
  /** Where `put` emits to. */
  readonly first: KnownPool | undefined;

  find(name: PoolName): KnownPool | undefined {
    return typeof name === "number" ? this.byId[name] : this.byPath.get(name);
  }

  /** The pool to emit to or to read. Throws where the handler may not. */
  may(name: PoolName, access: Access.EMIT | Access.READ): KnownPool {
    const [may] = MAY[access];
    const pool = this.find(name);
    if (pool?.[may] !== true) throw this.undeclared(name, access);
    return pool;
  }

  output(): KnownPool {
    if (this.first === undefined) throw new Error("this handler has no output pool: add one to its `to`");
    return this.first;
  }

  private undeclared(name: PoolName, access: Access.EMIT | Access.READ): Error {
    const [may, key] = MAY[access];
    const there = this.pools.filter((pool) => pool[may]).map((pool) => pool.path);
    const has = there.length === 0 ? "none" : there.join(", ");
    return new Error(`pool ${name} is not declared by this handler; it has ${has}: add ${name} to its \`${key}\``);
  }
}
