/** What a flow inside a program takes and gives: bytes, events, dead letters. */

import type { Key } from "../engine.js";
import type { Value } from "../flow/emit.js";
import { utf8 } from "../memory.js";
import { misfit, type Numeric, type NumberType, unlike } from "../numbers.js";
import { shown, wellFormed } from "../text.js";
import { packedBy, told } from "../told.js";

const encoder = new TextEncoder();

/** A key as the engine takes it. */
export function keyBytes(key: Key): Uint8Array {
  if (typeof key === "string") return encoder.encode(wellFormed(key));
  if (key instanceof Uint8Array) return key;
  throw new TypeError(`a key is text or a Uint8Array, and this is ${told(key)}`);
}

/** The pool that a value goes to, of numbers or of anything else. */
interface Into {
  readonly path: string;
  readonly valueType: string;
  readonly number: NumberType | undefined;
}

/** A value as the engine takes it. */
export function valueBytes(value: Value, { path, valueType, number }: Into, key: Key): Uint8Array {
  const putting = () => `put ${shown(key)} into ${path}`;
  if (typeof value === "string") {
    // Of as many bytes as another type has it would be stored as a value that nobody has meant.
    if (valueType !== "bytes" && valueType !== "text") throw new TypeError(`${putting()}: ${unlike(value, valueType)}`);
    return encoder.encode(wellFormed(value));
  }
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (typeof value !== "number" && typeof value !== "bigint") {
    throw new TypeError(`a value is text, bytes or a number, and this is ${told(value)}${packedBy(value)}`);
  }
  if (number === undefined) {
    const why = `${value} is a number, and the pool declares no number type: give it one, or put text or bytes`;
    throw new TypeError(`${putting()}: ${why}`);
  }
  const view = new DataView(new ArrayBuffer(number.bytes));
  if (!number.write({ view }, 0, value)) throw new RangeError(`${putting()}: ${misfit(value, number)}`);
  return new Uint8Array(view.buffer);
}

/** A version of a key that a pool keeps. */
export interface Seen {
  readonly version: number;
  /** Nanoseconds since the Unix epoch. */
  readonly time: bigint;
  /** Whether this version removed the key. */
  readonly removed: boolean;
}

/** An object was put, emitted or triggered. */
export class PutEvent {
  readonly what = "put";

  constructor(
    readonly pool: string,
    readonly key: string,
    /** A copy. */
    readonly value: Uint8Array,
    readonly version: number,
    /** Nanoseconds since the Unix epoch. */
    readonly time: bigint,
    /** The value as a number, where the pool declares a number type. */
    readonly number: Numeric | undefined,
  ) {}

  /** The value as text. */
  text(): string {
    return utf8(this.value);
  }
}

/** What a watch has seen. */
export type FlowEvent =
  | PutEvent
  /** A key was removed, by this version. */
  | { readonly what: "removed"; readonly pool: string; readonly key: string; readonly version: number }
  /** The watch was too slow: so many events of the pool were dropped, whose versions lie between these. */
  | { readonly what: "missed"; readonly pool: string; readonly count: number; readonly first: number; readonly last: number };

/** Bytes of an `UpcallEvent`: what, lengths of path, key and value, version, time, missed. */
const HEAD = 40;

/** The events in what the engine has handed over. `numbers` are the pools that declare a number type. */
export function eventsOf(bytes: Uint8Array, numbers: ReadonlyMap<string, NumberType>): FlowEvent[] {
  const view = new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  const found: FlowEvent[] = [];
  for (let at = 0; at < bytes.length; ) {
    const u32 = (index: number) => view.getUint32(at + 4 * index, true);
    const u64 = (index: number) => view.getBigUint64(at + 16 + 8 * index, true);
    const [what, version, time, missed] = [u32(0), Number(u64(0)), u64(1), Number(u64(2))];
    let from = at + HEAD;
    const part = (length: number) => bytes.slice(from, (from += length));
    const [pool, key, value] = [utf8(part(u32(1))), utf8(part(u32(2))), part(u32(3))];
    if (what === 0) {
      const number = numbers.get(pool)?.read({ view: new DataView(value.buffer) }, 0);
      found.push(new PutEvent(pool, key, value, version, time, number));
    }
    else if (what === 1) found.push({ what: "removed", pool, key, version });
    else found.push({ what: "missed", pool, count: missed, first: version, last: Number(time) });
    at = Math.ceil(from / 8) * 8;
  }
  return found;
}

/** An object that no handler could handle, and why. */
export interface DeadLetter {
  /** The pool that it was put into. */
  readonly pool: string;
  readonly key: string;
  readonly value: Uint8Array;
  readonly version: number;
  /** Nanoseconds since the Unix epoch. */
  readonly time: bigint;
  /** Who put it, the pool, the handler that failed. */
  readonly trace: readonly string[];
  /** How often it was tried; a batch that failed as a whole counts once. */
  readonly attempts: number;
  /** The class of what was thrown. */
  readonly typeName: string;
  readonly message: string;
  /** Where it was thrown. */
  readonly stack: string;
}

interface Letter extends Pick<DeadLetter, "pool" | "key" | "version" | "trace" | "attempts"> {
  readonly value: string;
  readonly time: string;
  readonly cause: { readonly type: string; readonly message: string; readonly stack: string };
}

/** Those in the engine's text. */
export function deadLettersOf(text: string): DeadLetter[] {
  // A time has more digits than a number of JSON keeps. In a text its quotation marks would be escaped.
  const letters = JSON.parse(text.replace(/"time":(\d+)/g, '"time":"$1"')) as Letter[];
  return letters.map(({ pool, key, value, version, time, trace, attempts, cause }) => ({
    pool, key, version, trace, attempts,
    value: new Uint8Array(Buffer.from(value, "base64")),
    time: BigInt(time),
    typeName: cause.type,
    message: cause.message,
    stack: cause.stack,
  }));
}
