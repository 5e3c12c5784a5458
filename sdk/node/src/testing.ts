/**
 * Runs a handler without an engine: the real driver, the real frames, one worker.
 *
 * ```js
 * const harness = new Harness(new Counter(), { pools: { "/counts": "u64" } });
 * await harness.batch([["a", ""], ["a", ""]]);
 * assert.deepEqual(harness.numbers("/counts"), { a: 2n });
 *
 * const adds = new CombineHarness(new Add());
 * assert.deepEqual([...(await adds.combine([1, 2], [3, 4]))], [4, 6]);
 * ```
 */

import {
  Abi, Access, AsOf, CombineFrame, CombineOpen, DescribeFrame, ErrorSlot, FlowFrame, FlowOpen, FrameHead, Item, Kind, Missing,
  None, OpenFrame, Output, PoolEntry, Record as Said, Setting, Status,
} from "./abi.js";
import { Driver } from "./driver.js";
import type { Engine, Key } from "./engine.js";
import { type AnyHandler, type HandlerClass, methodOf } from "./handler.js";
import { Memory, type Source, utf8 } from "./memory.js";
import { type NumberArray, NUMBERS, type NumberType, type Numeric } from "./numbers.js";
import type { Value } from "./flow/emit.js";

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

/** The handler failed: as the engine would see it. */
export class Failed extends Error {
  override readonly name = "Failed";

  constructor(
    /** The type of the error. */
    readonly typeName: string,
    /** What the error said. */
    override readonly message: string,
    /** Where it happened. */
    readonly trace: string,
    /** How many objects of the batch were done before it. */
    readonly done: number,
    /** The object that failed; `undefined` when everything beyond `done` did. */
    readonly item: number | undefined,
  ) {
    super(message);
  }
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
}

/** Room for the text of an error, and for a chunk of output. */
const TEXT = 16 << 10;
const CHUNK = 64 << 10;

/** Memory of this process as an engine's: what is lent is copied, so that it can be taken back. */
class Room implements Source {
  readonly from = 64;
  readonly first = 1 << 20;
  private all = new ArrayBuffer(0);

  /** Whether what a handler writes into what is lent counts. */
  constructor(private readonly writable: boolean) {}

  window(bytes: number): ArrayBuffer {
    const larger = new ArrayBuffer(bytes);
    new Uint8Array(larger).set(new Uint8Array(this.all));
    this.all = larger;
    return larger;
  }

  lend(offset: number, bytes: number): ArrayBuffer {
    return this.all.slice(offset, offset + bytes);
  }

  takeBack(lent: ArrayBuffer, offset: number): void {
    if (this.writable) new Uint8Array(this.all).set(new Uint8Array(lent), offset);
    structuredClone(lent, { transfer: [lent] });
  }
}

interface Chunk {
  readonly from: number;
  filled: number;
}

interface Declared {
  readonly path: string;
  readonly type: string;
  access: number;
}

/** The part of an engine that every handler meets. */
abstract class AnyHarness implements Engine {
  protected readonly memory: Memory;
  private readonly driver: Driver;
  private at = 64;
  protected out = 0;
  protected chunks: Chunk[] = [];
  private opened = false;
  /** What was logged so far: level (1 is error, 4 debug) and text. */
  readonly logged: [level: number, text: string][] = [];

  constructor(
    handler: AnyHandler,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    this.memory = new Memory(new Room(methodOf(handler.constructor) === "combine"));
    this.driver = new Driver(this.memory, this, handler);
  }

  /** Room for so many bytes, all zero. */
  protected give(bytes: number): number {
    const at = this.at;
    this.at = Math.ceil((at + bytes) / 16) * 16;
    this.memory.reach(this.at + 512);
    this.memory.bytes.fill(0, at, this.at);
    return at;
  }

  protected copied(bytes: Uint8Array): number {
    const at = this.give(bytes.length);
    this.memory.bytes.set(bytes, at);
    return at;
  }

  /** Writes a slice of bytes at a place. */
  protected slice(place: number, bytes: Uint8Array): void {
    this.memory.setU64(place, this.copied(bytes));
    this.memory.setU64(place + 8, bytes.length);
  }

  protected text(place: number, text: string): void {
    this.slice(place, encoded(text));
  }

  /** Forgets what was given for the last frame. */
  protected reset(): void {
    this.at = 64;
    this.chunks = [];
  }

  protected head(kind: number, bytes: number): number {
    const [text, frame] = [this.give(TEXT), this.give(bytes)];
    const { memory } = this;
    memory.setU32(frame, Abi.NUMBER | (kind << 16));
    memory.setU32(frame + FrameHead.size, bytes);
    memory.setU64(frame + FrameHead.error + ErrorSlot.text, text);
    memory.setU64(frame + FrameHead.error + ErrorSlot.text + 8, TEXT);
    return frame;
  }

  /** Gives a frame an output. */
  protected output(out: number, at: number): void {
    this.out = out;
    this.chunks = [{ from: at, filled: at }];
    this.memory.setU64(out + Output.at, at);
    this.memory.setU64(out + Output.end, at + CHUNK);
  }

  protected async call(frame: number, bytes: number, done?: number): Promise<void> {
    const status = await this.driver.call(frame, frame + bytes);
    if (status === Status.OK) return;
    const { memory } = this;
    const slot = frame + FrameHead.error;
    let at = memory.u64(slot + ErrorSlot.text);
    const [type, message, trace] = [ErrorSlot.typeLen, ErrorSlot.messageLen, ErrorSlot.stackLen].map((place) => {
      const from = at;
      at += memory.u32(slot + place);
      return memory.buffer.utf8Slice(from, at);
    });
    const item = memory.u32(slot + ErrorSlot.item);
    const before = done === undefined ? 0 : memory.u32(done);
    throw new Failed(type ?? "", message ?? "", trace ?? "", before, item === None.ITEM ? undefined : item);
  }

  /** What the handler says of itself: subject, key and value of each record. */
  async describe(): Promise<[about: number, key: string, value: string][]> {
    this.reset();
    const chunk = this.give(CHUNK);
    const frame = this.head(Kind.DESCRIBE, DescribeFrame.$bytes);
    this.output(frame + DescribeFrame.out, chunk);
    await this.call(frame, DescribeFrame.$bytes);
    return this.records().map(({ pool, key, value }) => [pool, utf8(key), utf8(value)]);
  }

  /** OPEN, once. */
  protected async open(): Promise<void> {
    if (this.opened) return;
    this.opened = true;
    this.reset();
    const { memory } = this;
    const settings = Object.entries(this.settings);
    const table = this.give(Setting.$bytes * settings.length);
    settings.forEach(([name, value], index) => {
      this.text(table + Setting.$bytes * index + Setting.name, name);
      this.text(table + Setting.$bytes * index + Setting.value, value);
    });
    const [batch, added, bytes] = this.added();
    const name = encoded("handler");
    const named = this.copied(name);
    const frame = this.head(Kind.OPEN, OpenFrame.$bytes);
    memory.setU64(frame + OpenFrame.name, named);
    memory.setU64(frame + OpenFrame.name + 8, name.length);
    memory.setU64(frame + OpenFrame.settings, table);
    memory.setU64(frame + OpenFrame.settings + 8, settings.length);
    memory.setU64(frame + OpenFrame.added, added);
    memory.setU64(frame + OpenFrame.added + 8, bytes);
    memory.setU32(frame + OpenFrame.batch, batch);
    memory.setU32(frame + OpenFrame.workers, 1);
    await this.call(frame, OpenFrame.$bytes);
  }

  /** What the engine adds to OPEN: the kind of batch, and where it is. */
  protected abstract added(): [batch: number, at: number, bytes: number];

  /** Lets the handler go. */
  async close(): Promise<void> {
    if (!this.opened) return;
    this.opened = false;
    this.reset();
    await this.call(this.head(Kind.CLOSE, FrameHead.$bytes), FrameHead.$bytes);
  }

  /** The records that the output holds. */
  protected records(): { pool: number; key: Uint8Array; value: Uint8Array }[] {
    const { memory } = this;
    const current = memory.u32(this.out + Output.chunk);
    const found = [];
    for (const [index, { from, filled }] of this.chunks.slice(0, current + 1).entries()) {
      const end = index === current ? memory.u64(this.out + Output.at) : filled;
      for (let at = from; at < end; ) {
        const value = at + Said.$bytes;
        const key = value + memory.u32(at + Said.valueLen);
        const next = key + memory.u32(at + Said.keyLen);
        found.push({
          pool: memory.u32(at + Said.pool),
          key: memory.copy(key, next - key),
          value: memory.copy(value, key - value),
        });
        at = Math.ceil(next / 8) * 8;
      }
    }
    return found;
  }

  grow(need: number): { at: number; end: number } {
    const current = this.memory.u32(this.out + Output.chunk);
    const chunk = this.chunks[current];
    if (chunk !== undefined) chunk.filled = this.memory.u64(this.out + Output.at);
    const bytes = Math.max(need, CHUNK);
    const at = this.give(bytes);
    this.chunks.splice(current + 1, Infinity, { from: at, filled: at });
    return { at, end: at + bytes };
  }

  log(level: number, text: string): void {
    this.logged.push([level, text]);
  }

  abstract read(pool: number, key: Key, asOf: number, at: bigint): { ok: boolean; item: number };
  abstract list(pool: number, prefix: Key): { at: number; count: number } | null;
}

/** A handler of a flow, and what an engine would give it. */
export class Harness extends AnyHarness {
  private readonly table: Declared[];
  private readonly stored: ReadonlyMap<number, ReadonlyMap<string, readonly (Uint8Array | null)[]>>;
  private next = 1;
  /** What was emitted so far, what was undone left out. */
  readonly emitted: Emitted[] = [];

  constructor(handler: AnyHandler, options: Options = {}) {
    super(handler, options.settings ?? {});
    if (methodOf(handler.constructor) === "combine") {
      throw new TypeError(`${handler.constructor.name} combines arrays: use CombineHarness`);
    }
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

  private bytes(value: Value, type: string, place: string): Uint8Array {
    if (typeof value === "string") return encoded(value);
    if (typeof value === "number" || typeof value === "bigint") {
      const number = NUMBERS.get(type);
      if (number === undefined) throw new TypeError(`${place}: ${value} is a number, and the pool declares no number type`);
      return this.number(number, value);
    }
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  }

  private number(type: NumberType, value: Numeric): Uint8Array {
    const at = this.give(8);
    type.write(this.memory, at, value);
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

  /** Gives the handler one object. */
  async put(key: Key, value: Value = ""): Promise<void> {
    await this.batch([[key, value]]);
  }

  /** Gives the handler a batch of keys and values. Throws {@link Failed} when it fails. */
  async batch(objects: Iterable<readonly [key: Key, value: Value]>): Promise<void> {
    await this.open();
    this.reset();
    const given = [...objects];
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
    await this.open();
    this.reset();
    await this.run(Kind.FLUSH, 0, 0);
  }

  private async run(kind: number, items: number, count: number): Promise<void> {
    const { memory } = this;
    const chunk = this.give(CHUNK);
    const frame = this.head(kind, FlowFrame.$bytes);
    memory.setU64(frame + FlowFrame.items, items);
    memory.setU64(frame + FlowFrame.items + 8, count);
    this.output(frame + FlowFrame.out, chunk);
    try {
      await this.call(frame, FlowFrame.$bytes, frame + FlowFrame.done);
    } finally {
      this.keep();
    }
  }

  private keep(): void {
    let previous: number | undefined;
    for (const { pool, key, value } of this.records()) {
      if (pool === None.CONDITION) {
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

/** A handler that combines, and what an engine would give it. */
export class CombineHarness extends AnyHarness {
  private readonly element: NumberType;

  constructor(handler: AnyHandler, options: { settings?: Readonly<Record<string, string>>; element?: string } = {}) {
    super(handler, options.settings ?? {});
    const of = handler.constructor as HandlerClass;
    if (methodOf(of) !== "combine") throw new TypeError(`${of.name} takes objects of a flow: use Harness`);
    const element = options.element ?? of.element ?? "";
    const type = NUMBERS.get(element);
    if (type === undefined) throw new TypeError(`${element} is no number type`);
    this.element = type;
  }

  protected added(): [number, number, number] {
    const added = this.give(CombineOpen.$bytes);
    this.memory.setU32(added, CombineOpen.$bytes);
    this.memory.setU32(added + CombineOpen.elementSize, this.element.bytes);
    this.text(added + CombineOpen.element, this.element.name);
    return [Kind.COMBINE, added, CombineOpen.$bytes];
  }

  /** What `into` holds when `source` has been combined into it. Throws {@link Failed} when the handler fails. */
  async combine(source: Iterable<Numeric>, into: Iterable<Numeric>): Promise<NumberArray> {
    await this.open();
    this.reset();
    const { memory, element } = this;
    const [from, to] = [[...source], [...into]];
    if (from.length !== to.length) throw new RangeError(`combine ${from.length} elements into ${to.length}: give as many of both`);
    const place = (numbers: readonly Numeric[]): number => {
      const at = this.give(element.bytes * numbers.length);
      numbers.forEach((number, index) => element.write(memory, at + element.bytes * index, number));
      return at;
    };
    const [fromAt, intoAt] = [place(from), place(to)];
    const frame = this.head(Kind.COMBINE, CombineFrame.$bytes);
    for (const [at, array] of [[CombineFrame.from, fromAt], [CombineFrame.into, intoAt]] as const) {
      memory.setU64(frame + at, array);
      memory.setU64(frame + at + 8, element.bytes * to.length);
    }
    memory.setU64(frame + CombineFrame.count, to.length);
    await this.call(frame, CombineFrame.$bytes);
    return new element.array(memory.copy(intoAt, element.bytes * to.length).buffer as ArrayBuffer);
  }

  override read(): { ok: boolean; item: number } {
    return { ok: false, item: this.give(Item.$bytes) };
  }

  override list(): null {
    return null;
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** FNV-1a. */
function hash(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5) >>> 0;
}
