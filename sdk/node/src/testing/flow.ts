/** A harness for handlers of a flow. */

import {
  Access, AsOf, FlowFrame, FlowOpen, Item, Kind, Missing, PoolEntry, Record as Said,
} from "../abi.js";
import type { Key } from "../engine.js";
import type { Value } from "../flow/emit.js";
import { type AnyHandler, answersLater, type HandlerClass, isVertexMethod, methodOf } from "../handler.js";
import { utf8 } from "../memory.js";
import { misfit, NUMBERS, type NumberType, type Numeric } from "../numbers.js";
import { AnyHarness, CHUNK, encoded } from "./engine.js";

/** One object that the handler emitted. */
export interface Emitted {
  readonly pool: string;
  readonly key: string;
  readonly value: Uint8Array;
  /** The value as text. */
  readonly text: string;
  /** Of an emission on condition: the version that its key must have, 0 for none. */
  readonly previous?: number;
}

/** A value of a pool that the handler reads: one, or its versions 1, 2 and so on, with `null` for one that is no longer kept. */
type Stored = Value | readonly (Value | null)[];

/** What an engine would give a handler. */
export interface Options {
  readonly settings?: Readonly<Record<string, string>>;
  /** Those that it may emit to: paths, or paths with the names of their value types. */
  readonly pools?: readonly string[] | Readonly<Record<string, string>>;
  /** The watched pool, `/in` unless it is said, and its value type. */
  readonly input?: string;
  readonly inputType?: string;
  /** Those that it may read, with what is in them by key; each version was put at the time that is its number. */
  readonly reads?: Readonly<Record<string, Readonly<Record<string, Stored>>>>;
  /** The value types of those that it only reads. */
  readonly readTypes?: Readonly<Record<string, string>>;
  /** Of a handler that answers later: milliseconds after which an object rejects with a `TimedOutError`. */
  readonly deadline?: number;
}

interface Declared {
  readonly path: string;
  readonly type: string;
  access: number;
}

/** A handler of a flow, and what an engine would give it. */
export class Harness extends AnyHarness {
  private readonly table: Declared[];
  private readonly stored: ReadonlyMap<number, ReadonlyMap<string, readonly (Uint8Array | null)[]>>;
  private readonly of: HandlerClass;
  private readonly later: boolean;
  private readonly deadline: number | undefined;
  /** Of each key that is being handled: when all its objects are answered. */
  private readonly keys = new Map<string, Promise<void>>();
  private next = 1;
  /** What was emitted so far, what was undone left out. */
  readonly emitted: Emitted[] = [];

  constructor(handler: AnyHandler, options: Options = {}) {
    super(handler, options.settings ?? {});
    const method = methodOf(handler.constructor);
    if (method === "combine") throw new TypeError(`${handler.constructor.name} combines arrays: use CombineHarness`);
    if (typeof method === "string" && isVertexMethod(method)) {
      throw new TypeError(`${handler.constructor.name} is a vertex program: use VertexHarness`);
    }
    this.of = handler.constructor as HandlerClass;
    this.later = answersLater(this.of);
    this.deadline = options.deadline;
    const { pools = [], input = "/in", inputType = "", reads = {}, readTypes = {} } = options;
    const types = Array.isArray(pools) ? pools.map((path: string) => [path, ""] as const) : Object.entries(pools);
    this.table = [{ path: input, type: inputType, access: Access.WATCH }];
    for (const [path, type] of types) this.declare(path, type as string, Access.EMIT);
    const stored = Object.entries(reads).map(([path, objects]) => {
      const pool = this.declare(path, readTypes[path] ?? "", Access.READ);
      const type = this.table[pool]?.type ?? "";
      const versions = (value: Stored) =>
        (Array.isArray(value) ? (value as readonly (Value | null)[]) : [value as Value]).map((each) =>
          each === null ? null : this.bytes(each, type, `reads: pool ${path}`),
        );
      return [pool, new Map(Object.entries(objects).map(([key, value]) => [key, versions(value)]))] as const;
    });
    this.stored = new Map(stored);
  }

  private declare(path: string, type: string, access: Access): number {
    const index = this.table.findIndex((pool) => pool.path === path);
    if (index >= 0) {
      this.table[index]!.access |= access;
      return index;
    }
    return this.table.push({ path, type, access }) - 1;
  }

  private bytes(value: Value | object, type: string, place: string): Uint8Array {
    if (typeof value === "string") return encoded(value);
    if (typeof value === "number" || typeof value === "bigint") {
      const number = NUMBERS.get(type);
      if (number === undefined) throw new TypeError(`${place}: ${value} is a number, and the pool declares no number type`);
      return this.number(number, value);
    }
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
    const { takes } = this.of;
    if (takes === undefined) throw new TypeError(`${place}: give text, bytes or a number, as the handler takes no class`);
    return takes.pack(value);
  }

  private number(type: NumberType, value: Numeric): Uint8Array {
    const at = this.give(8);
    if (!type.write(this.memory, at, value)) throw new RangeError(misfit(value, type));
    return this.memory.copy(at, type.bytes);
  }

  protected added(): [number, number, number] {
    const { memory, table } = this;
    const pools = this.give(PoolEntry.$bytes * table.length);
    table.forEach(({ path, type, access }, id) => {
      const at = pools + PoolEntry.$bytes * id;
      this.text(at + PoolEntry.path, path);
      this.text(at + PoolEntry.valueType, type);
      memory.setU32(at + PoolEntry.valueSize, NUMBERS.get(type)?.bytes ?? 0);
      memory.setU32(at + PoolEntry.id, id);
      memory.setU32(at + PoolEntry.access, access);
    });
    const senders = this.give(16);
    this.text(senders, "outside");
    const added = this.give(FlowOpen.$bytes);
    memory.setU32(added, FlowOpen.$bytes);
    memory.setU64(added + FlowOpen.pools, pools);
    memory.setU64(added + FlowOpen.pools + 8, table.length);
    memory.setU64(added + FlowOpen.senders, senders);
    memory.setU64(added + FlowOpen.senders + 8, 1);
    return [Kind.FLOW, added, FlowOpen.$bytes];
  }

  /**
   * Gives the handler one object, and waits for its answer. Throws {@link Failed} when it fails, or the error that says why
   * nobody waited for it any more. Of a handler that answers later many may be open; those of one key wait for each other.
   */
  async put(key: Key, value: Value | object = ""): Promise<void> {
    if (!this.later) return this.hand([[key, value]]);
    const name = typeof key === "string" ? key : utf8(key);
    const before = this.keys.get(name);
    const hand = (): Promise<void> => this.hand([[key, value]]);
    const answer = before === undefined ? hand() : this.after(before, hand);
    const settled = answer.catch(() => {});
    this.keys.set(name, settled);
    try {
      await answer;
    } finally {
      if (this.keys.get(name) === settled) this.keys.delete(name);
    }
  }

  /**
   * Gives the handler a batch of keys and values. Throws {@link Failed} when it fails. A handler that answers later gets each
   * object by itself, all of them at once: the first that failed is thrown, once all are answered.
   */
  async batch(objects: Iterable<readonly [key: Key, value: Value | object]>): Promise<void> {
    if (!this.later) return this.hand([...objects]);
    const answers = await Promise.allSettled([...objects].map(([key, value]) => this.put(key, value)));
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  private hand(given: readonly (readonly [key: Key, value: Value | object])[]): Promise<void> {
    return this.whenOpen(() => this.handed(given));
  }

  private async handed(given: readonly (readonly [key: Key, value: Value | object])[]): Promise<void> {
    const { memory } = this;
    const type = this.table[0]?.type ?? "";
    const items = this.give(Item.$bytes * given.length);
    given.forEach(([key, value], index) => {
      const at = items + Item.$bytes * index;
      const bytes = typeof key === "string" ? encoded(key) : key;
      this.slice(at + Item.value, this.bytes(value, type, "put"));
      this.slice(at + Item.key, bytes);
      memory.setU64(at + Item.version, this.next);
      memory.setU64(at + Item.time, this.next);
      memory.setU32(at + Item.tag, hash(bytes));
      this.next += 1;
    });
    await this.run(Kind.FLOW, items, given.length);
  }

  /** Tells the handler that the input has ended. */
  async flush(): Promise<void> {
    await this.whenOpen(() => this.run(Kind.FLUSH, 0, 0));
  }

  private async run(kind: number, items: number, count: number): Promise<void> {
    const { memory } = this;
    const chunk = this.give(CHUNK);
    const frame = this.head(kind, FlowFrame.$bytes);
    memory.setU64(frame + FlowFrame.items, items);
    memory.setU64(frame + FlowFrame.items + 8, count);
    this.output(frame, frame + FlowFrame.out, chunk);
    try {
      const deadline = kind === Kind.FLOW ? this.deadline : undefined;
      await this.call(frame, FlowFrame.$bytes, frame + FlowFrame.done, deadline);
    } finally {
      this.keep(frame);
    }
  }

  private keep(frame: number): void {
    let previous: number | undefined;
    for (const { pool, key, value } of this.records(frame)) {
      if (pool === Said.CONDITION) {
        previous = Number(new DataView(value.buffer as ArrayBuffer).getBigUint64(0, true));
        continue;
      }
      const path = this.table[pool]?.path ?? `unknown pool ${pool}`;
      const emitted = { pool: path, key: utf8(key), value, text: utf8(value) };
      this.emitted.push(previous === undefined ? emitted : { ...emitted, previous });
      previous = undefined;
    }
  }

  /** The newest number of each key that was emitted into a pool that declares a number type. */
  numbers(pool: string): Record<string, Numeric> {
    const type = NUMBERS.get(this.table.find(({ path }) => path === pool)?.type ?? "");
    if (type === undefined) throw new TypeError(`pool ${pool} declares no number type`);
    const there = this.emitted.filter((emitted) => emitted.pool === pool);
    return Object.fromEntries(
      there.map(({ key, value }) => {
        const number = new type.array(value.slice().buffer as ArrayBuffer)[0] as Numeric;
        return [key, number];
      }),
    );
  }

  override read(pool: number, key: Key, asOf: number, at: bigint): { ok: boolean; item: number } {
    const versions = this.stored.get(pool)?.get(typeof key === "string" ? key : utf8(key)) ?? [];
    const newest = asOf === AsOf.NOW ? versions.length : Math.min(Number(at), versions.length);
    const item = this.give(Item.$bytes);
    if (newest === 0) return { ok: true, item };
    const value = versions[newest - 1];
    if (value === null || value === undefined) {
      this.memory.setU32(item + Item.tag, Missing.COMPACTED);
      return { ok: false, item };
    }
    this.slice(item + Item.value, value);
    this.memory.setU64(item + Item.version, newest);
    this.memory.setU64(item + Item.time, newest);
    return { ok: true, item };
  }

  override list(pool: number, prefix: Key): { at: number; count: number } {
    const begins = typeof prefix === "string" ? prefix : utf8(prefix);
    const keys = [...(this.stored.get(pool)?.keys() ?? [])].filter((key) => key.startsWith(begins)).sort();
    const at = this.give(16 * keys.length);
    keys.forEach((key, index) => this.text(at + 16 * index, key));
    return { at, count: keys.length };
  }
}

/** FNV-1a. */
function hash(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5) >>> 0;
}
