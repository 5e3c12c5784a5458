/** What a handler emits, and what it reads from pools. */

import { Access, AsOf, FlowFrame, Item, Missing, Output, Record } from "../abi.js";
import type { KnownPool, Names, PoolName } from "../context.js";
import type { Engine, Key } from "../engine.js";
import { type Ended, ClosedError, ended } from "../ended.js";
import { LARGEST, type Memory } from "../memory.js";
import { misfit, type Numeric, unlike } from "../numbers.js";
import { shown, wellFormed } from "../text.js";
import { packedBy, told } from "../told.js";
import { Found } from "./object.js";

/** A value: text, bytes of any view, or a number in a pool that declares a number type. */
export type Value = string | ArrayBufferView | ArrayBuffer | Numeric;

/** Writes what a handler emits, and reads pools. Ends with its call: of a handler that answers later, when it is answered. */
export interface Emit<Given = Value> {
  /** Emits an object into the handler's first pool. */
  put(key: Key, value: Given): void;
  /** Emits an object into a pool that the handler declares. */
  putTo(pool: PoolName, key: Key, value: Given): void;
  /**
   * Emits an object if the newest version of its key is `previous` when it arrives in the pool, 0 for none. If it is not, the
   * object that is being handled fails, and nothing counts of what it has emitted; with `retry` it is handled again, and may
   * read the key again. For each object one such emission.
   */
  putIf(key: Key, value: Given, previous: number, pool?: PoolName): void;
  /** The newest version of a key in a pool that the handler may read, copied; `null` where there is none. */
  read(pool: PoolName, key: Key): Found | null;
  /** A key of such a pool as it was at a version of the pool: its newest version that is not after it. */
  readAt(pool: PoolName, key: Key, version: number): Found | null;
  /** A key of such a pool as it was at a time, in nanoseconds since the Unix epoch. */
  readByTime(pool: PoolName, key: Key, time: bigint): Found | null;
  /** The keys of such a pool that begin with `prefix`, sorted, as they are now. Walks the whole pool. */
  list(pool: PoolName, prefix?: Key): string[];
}

/** Where the output stood. */
export interface Mark {
  readonly at: number;
  readonly chunk: number;
}

/** What is copied byte by byte because a call costs more. */
const SHORT = 32;

export class Emitter implements Emit {
  /** Of the item that is being handled, or `Record.NO_ITEM`. */
  item: number = Record.NO_ITEM;
  /** Where the next record goes, and the end of the chunk. */
  at = 0;
  private end = 0;
  private over: Ended | undefined;
  /** The item that has emitted on condition. */
  private conditional: number = Record.NO_ITEM;

  constructor(
    private readonly memory: Memory,
    private readonly names: Names,
    private readonly engine: Engine,
    /** The offset of the frame. */
    private readonly frame: number,
  ) {
    this.at = memory.u64(frame + FlowFrame.out + Output.at);
    this.end = memory.u64(frame + FlowFrame.out + Output.end);
    memory.see(this.end);
  }

  put(key: Key, value: Value): void {
    this.emit(this.names.first ?? this.names.output(), key, value, undefined);
  }

  putTo(pool: PoolName, key: Key, value: Value): void {
    this.emit(this.names.may(pool, Access.EMIT), key, value, undefined);
  }

  putIf(key: Key, value: Value, previous: number, pool?: PoolName): void {
    const to = pool === undefined ? this.names.output() : this.names.may(pool, Access.EMIT);
    if (this.item === Record.NO_ITEM) {
      throw new Error(
        "emit on condition for no object in particular: there is none that could fail; emit on condition where one object " +
          "is handled, not for a batch or at the flush",
      );
    }
    if (this.conditional === this.item) {
      throw new Error(
        "emit on condition twice for one object: two conditions cannot be decided together; emit on condition once for each " +
          "object",
      );
    }
    if (!Number.isSafeInteger(previous) || previous < 0) throw new RangeError(`${previous} is not a version`);
    this.emit(to, key, value, previous);
    this.conditional = this.item;
  }

  private emit(pool: KnownPool, key: Key, given: Value, previous: number | undefined): void {
    if (this.over !== undefined) throw ended("`emit`", this.over);
    const { forms } = this.names;
    const value = forms.gives.length === 0 ? given : forms.pack(given, pool);
    if (previous === undefined) this.write(pool, key, value);
    else this.writeIf(previous, pool, key, value);
  }

  private writeIf(previous: number, pool: KnownPool, key: Key, value: Value): void {
    const start = this.mark();
    try {
      this.condition(previous);
      this.write(pool, key, value);
    } catch (error) {
      this.truncate(start);
      throw error;
    }
  }

  /** Writes a record. */
  private write(pool: KnownPool, key: Key, value: Value): void {
    const { number } = pool;
    // Of as many bytes as the type has it would be stored as a number that nobody has meant.
    if (number !== undefined && typeof value === "string") throw new TypeError(`${emitting(pool, key)}: ${unlike(value, number.name)}`);
    const memory = this.memory;
    let at = this.at;
    // Of text no more than this: of its three bytes per character most are not used.
    const most = Record.$bytes + 7 + mostOf(key) + mostOf(value);
    if (this.end - at < most) at = this.room(key, value, number?.bytes ?? 0);
    const from = at + Record.$bytes;
    const valueLen = typeof value === "string" ? putText(memory, from, value) : this.putValue(from, value, pool, key);
    const keyAt = from + valueLen;
    const keyLen = typeof key === "string" ? putText(memory, keyAt, key) : putBytes(memory, keyAt, key);
    const words = memory.words;
    const record = at >>> 2;
    words[record] = pool.id;
    words[record + Record.item / 4] = this.item;
    words[record + Record.valueLen / 4] = valueLen;
    words[record + Record.keyLen / 4] = keyLen;
    const next = keyAt + keyLen + 7;
    this.at = next - (next & 7);
  }

  private putValue(at: number, value: Exclude<Value, string>, pool: KnownPool, key: Key): number {
    if (typeof value === "number" || typeof value === "bigint") {
      const { number } = pool;
      if (number === undefined) {
        const why = `${value} is a number, and the pool declares no number type: give it one, or emit text or bytes`;
        throw new TypeError(`${emitting(pool, key)}: ${why}`);
      }
      if (!number.write(this.memory, at, value)) throw new RangeError(`${emitting(pool, key)}: ${misfit(value, number)}`);
      return number.bytes;
    }
    return putBytes(this.memory, at, bytesOf(value));
  }

  private condition(previous: number): void {
    const bytes = Record.$bytes + 8;
    if (this.end - this.at < bytes) this.grow(bytes);
    const { memory, at } = this;
    memory.setU32(at, Record.CONDITION);
    memory.setU32(at + Record.item, this.item);
    memory.setU32(at + Record.valueLen, 8);
    memory.setU32(at + Record.keyLen, 0);
    memory.setU64(at + Record.$bytes, previous);
    this.at = at + bytes;
  }

  /** A place with room for a record, in this chunk or the next. */
  private room(key: Key, value: Value, number: number): number {
    const bytes = Record.$bytes + 7 + exactly(key) + number + exactly(value);
    if (this.end - this.at < bytes) this.grow(bytes);
    return this.at;
  }

  private grow(bytes: number): void {
    this.store();
    const out = this.frame + FlowFrame.out;
    const chunk = bytes < LARGEST ? this.engine.grow(this.frame, Math.ceil(bytes / 8) * 8) : null;
    if (chunk === null || !this.memory.reach(chunk.end)) throw new Error(`no memory to emit ${bytes} bytes`);
    const { memory } = this;
    memory.setU32(out + Output.chunk, memory.u32(out + Output.chunk) + 1);
    memory.setU64(out + Output.end, chunk.end);
    this.at = chunk.at;
    this.end = chunk.end;
    this.store();
  }

  /** Says in the frame how far the output is. Offsets that can be seen have 32 bits. */
  store(): void {
    this.memory.words[(this.frame + FlowFrame.out + Output.at) >>> 2] = this.at;
  }

  mark(): Mark {
    return { at: this.at, chunk: this.memory.u32(this.frame + FlowFrame.out + Output.chunk) };
  }

  /** Forgets what was written since. */
  truncate({ at, chunk }: Mark): void {
    const out = this.frame + FlowFrame.out;
    if (this.memory.u32(out + Output.chunk) !== chunk) {
      this.memory.setU64(out + Output.end, at);
      this.memory.setU32(out + Output.chunk, chunk);
      this.end = at;
    }
    this.at = at;
    this.store();
  }

  /** Whatever else runs on the event loop has its turn: what it has kept emits nothing. */
  pause(): void {
    this.over = ClosedError;
  }

  /** The next object of its call is handled. */
  resume(): void {
    this.over = undefined;
  }

  /** Its call has ended. */
  finish(why: Ended = ClosedError): void {
    this.over = why;
  }

  read(pool: PoolName, key: Key): Found | null {
    return this.ask(pool, key, AsOf.NOW, 0n);
  }

  readAt(pool: PoolName, key: Key, version: number): Found | null {
    return this.ask(pool, key, AsOf.VERSION, BigInt(version));
  }

  readByTime(pool: PoolName, key: Key, time: bigint): Found | null {
    return this.ask(pool, key, AsOf.TIME, time);
  }

  private ask(name: PoolName, key: Key, asOf: number, at: bigint): Found | null {
    if (this.over !== undefined) throw ended("`emit`", this.over);
    const { memory, names } = this;
    const pool = names.may(name, Access.READ);
    if (typeof key === "string") wellFormed(key);
    const { ok, item } = this.engine.read(pool.id, key, asOf, at);
    if (!ok && item === 0) throw new Error(`read ${shown(key)} of ${pool.path}: ${unanswered("it")}`);
    if (!ok) {
      const why = memory.u32(item + Item.tag);
      if (why === Missing.COMPACTED) {
        throw new Error(`read ${shown(key)} as it was: that is no longer kept; raise \`keep\` of the pool`);
      }
      throw new Error(`read ${shown(key)} of ${pool.path}: the engine does not answer`);
    }
    const version = memory.u64(item + Item.version);
    if (version === 0) return null;
    const value = memory.u64(item + Item.value);
    const copy = memory.copy(value, memory.u64(item + Item.value + 8));
    const number = pool.number?.read(memory, value);
    return new Found(copy, version, memory.view.getBigUint64(item + Item.time, true), number);
  }

  list(name: PoolName, prefix: Key = ""): string[] {
    if (this.over !== undefined) throw ended("`emit`", this.over);
    const pool = this.names.may(name, Access.READ);
    if (typeof prefix === "string") wellFormed(prefix);
    const found = this.engine.list(pool.id, prefix);
    if (found === null) throw new Error(`list ${pool.path}: ${unanswered("the keys")}`);
    return Array.from({ length: found.count }, (_, index) => this.memory.text(found.at + 16 * index));
  }
}

function emitting({ path }: KnownPool, key: Key): string {
  return `emit ${shown(key)} into ${path}`;
}

function unanswered(of: string): string {
  return `the engine has no room for ${of} in the memory that it shares with the handler, or has ended; read less in one call`;
}

/** Writes text as UTF-8. Its bytes. There is room for three per character. */
function putText(memory: Memory, at: number, text: string): number {
  const length = text.length;
  if (length > SHORT) return memory.write(wellFormed(text), at, 3 * length);
  const bytes = memory.bytes;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return memory.write(wellFormed(text), at, 3 * length);
    bytes[at + index] = code;
  }
  return length;
}

function putBytes(memory: Memory, at: number, from: Uint8Array): number {
  const length = from.length;
  const bytes = memory.bytes;
  if (length > SHORT) bytes.set(from, at);
  else for (let index = 0; index < length; index++) bytes[at + index] = from[index]!;
  return length;
}

function bytesOf(value: ArrayBufferView | ArrayBuffer): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError(`a value is text, bytes or a number, and this is ${told(value)}${packedBy(value)}`);
}

/** Bytes that a key or a value takes at most. */
function mostOf(value: Value): number {
  if (typeof value === "string") return 3 * value.length;
  if (typeof value === "number" || typeof value === "bigint") return 8;
  return bytesOf(value).length;
}

/** Bytes that a key or a value takes. */
function exactly(value: Value): number {
  return typeof value === "string" ? Buffer.byteLength(value) : mostOf(value);
}
