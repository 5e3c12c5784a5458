/** A pool of a running flow. */

import type { Key } from "../engine.js";
import type { Value } from "../flow/emit.js";
import { Found } from "../flow/object.js";
import { utf8 } from "../memory.js";
import { NUMBERS, type NumberType } from "../numbers.js";
import { checked, native, type NativePool } from "./bindings.js";
import { FlowError, type Kind } from "./error.js";
import { told } from "../told.js";
import { known } from "./options.js";
import { WAIT, type WaitOptions, whenEnded } from "./task.js";
import { keyBytes, type Seen, valueBytes } from "./values.js";
import type { Waits } from "./waits.js";

/** Bytes of objects that are put in one call. */
const ENOUGH = 1 << 16;

/** A value that is found, with room for the next one. */
const found = new native.UpcallFound();
let room = new Uint8Array(256);

/**
 * A pool of a running flow. Keys are text or UTF-8; values are bytes, text where the pool declares that or nothing, or numbers where
 * it declares a number type. What waits for the engine is a promise, and what does not returns at once.
 */
export class Pool {
  /** What its values are, as a flow's file says it. */
  readonly valueType: string;
  /** @internal */
  readonly number: NumberType | undefined;

  /** @internal */
  constructor(
    private readonly pool: NativePool,
    /** Its path. */
    readonly path: string,
    private readonly waits: Waits,
  ) {
    this.valueType = checked(() => pool.value_type());
    this.number = NUMBERS.get(this.valueType);
  }

  /** Puts an object once there is credit, and resolves with its version. Aborted, it is put all the same. */
  put(key: Key, value: Value, options?: WaitOptions): Promise<number> {
    return this.send(native.UpcallSend.Put, key, value, 0, options);
  }

  /** Puts an object if there is credit. Returns whether there was. */
  tryPut(key: Key, value: Value): boolean {
    return checked(() => this.pool.try_put(keyBytes(key), valueBytes(value, this, key)));
  }

  /**
   * Puts many objects in few calls, and resolves when the last one has its credit. Aborted, it puts no more. Where the pool does not
   * take one, or it has no bytes, those before it are put, and none behind it; the `FlowError` says how many (`objectsPut`). What the
   * iterable itself throws is thrown as it is, once those before are put.
   */
  async putMany(objects: Iterable<readonly [Key, Value]>, options?: WaitOptions): Promise<void> {
    known("putMany", options, WAIT);
    let joined: Uint8Array[] = [];
    let bytes = 0;
    let put = 0;
    const putJoined = async (): Promise<void> => {
      const [parts, length] = [joined, bytes];
      // Also where it fails: they are not put again.
      [joined, bytes] = [[], 0];
      await this.all(parts, length, put, options);
      put += parts.length / 3;
    };
    try {
      for (const [key, value] of objects) {
        const [name, content] = this.bytesOf(key, value, put + joined.length / 3);
        joined.push(new Uint8Array(Uint32Array.of(name.length, content.length).buffer), name, content);
        bytes += 8 + name.length + content.length;
        if (bytes >= ENOUGH) await putJoined();
      }
    } catch (thrown) {
      await putJoined();
      throw thrown;
    }
    await putJoined();
  }

  /** The bytes of one of many, before which so many are put where it has none. */
  private bytesOf(key: Key, value: Value, before: number): readonly [Uint8Array, Uint8Array] {
    let without: Kind = "bad key";
    try {
      const name = keyBytes(key);
      without = "bad value";
      return [name, valueBytes(value, this, key)];
    } catch (thrown) {
      throw refused(without, before, thrown as Error, { cause: thrown });
    }
  }

  /** Puts these, before which so many were put. */
  private async all(parts: readonly Uint8Array[], bytes: number, before: number, options?: WaitOptions): Promise<void> {
    const joined = new Uint8Array(bytes);
    let end = 0;
    for (const part of parts) {
      joined.set(part, end);
      end += part.length;
    }
    const view = new DataView(joined.buffer);
    // Where the key and the value of the object begin that begins here, and where it ends.
    const object = (at: number): readonly [key: number, value: number, end: number] => {
      const value = at + 8 + view.getUint32(at, true);
      return [at + 8, value, value + view.getUint32(at + 4, true)];
    };
    let at = 0;
    try {
      while (at < bytes) {
        // It ends before an object that is refused; the next call, which begins with that, says why.
        const taken = Number(checked(() => this.pool.put_many(joined.subarray(at), false)));
        at += taken;
        if (taken > 0) continue;
        // No credit: the next one waits for it.
        const [key, value, end] = object(at);
        await this.send(native.UpcallSend.Put, joined.subarray(key, value), joined.subarray(value, end), 0, options);
        at = end;
      }
    } catch (thrown) {
      if (!(thrown instanceof FlowError)) throw thrown;
      let put = before;
      for (let place = 0; place < at; put++) place = object(place)[2];
      throw refused(thrown.kind, put, thrown);
    }
  }

  /**
   * Puts an object if `previous` is still the newest version of its key, 0 for none; else rejects with a `FlowError` of kind
   * `conflict`. Resolves with its version.
   */
  putIf(key: Key, value: Value, previous: number, options?: WaitOptions): Promise<number> {
    return this.send(native.UpcallSend.PutIf, key, value, previous, options);
  }

  /** Runs the handlers and stores nothing. Resolves once there is credit. */
  async trigger(key: Key, value: Value, options?: WaitOptions): Promise<void> {
    await this.send(native.UpcallSend.Trigger, key, value, 0, options);
  }

  /** Removes a key, in order with the puts to it. Resolves with the version that removed it. */
  remove(key: Key, options?: WaitOptions): Promise<number> {
    return this.send(native.UpcallSend.Remove, key, new Uint8Array(), 0, options);
  }

  /** The newest version of a key, copied; `null` where there is none. */
  get(key: Key): Found | null {
    return this.find(key, native.UpcallAsOf.Now, 0);
  }

  /** A key as it was at a version of the pool: its newest version that is not after it. */
  getAt(key: Key, version: number): Found | null {
    if (!Number.isSafeInteger(version) || version < 0) {
      throw new TypeError(`getAt: its version is a whole number, 0 or more, and this is ${told(version)}`);
    }
    return this.find(key, native.UpcallAsOf.Version, version);
  }

  /** A key as it was at a time, in nanoseconds since the Unix epoch. */
  getByTime(key: Key, time: bigint): Found | null {
    if (typeof time !== "bigint" || time < 0n || time >= 1n << 64n) {
      throw new TypeError(`getByTime: its time is a bigint, in nanoseconds since the Unix epoch, and this is ${told(time)}`);
    }
    return this.find(key, native.UpcallAsOf.Time, time);
  }

  /** The versions of a key that are kept, oldest first. */
  versions(key: Key): Seen[] {
    const seen = checked(() => this.pool.versions(keyBytes(key)));
    const copy = Array.from(seen.array, ({ version, time, removed }) => ({ version: Number(version), time, removed: removed !== 0n }));
    seen.release();
    return copy;
  }

  /** The keys that begin with `prefix`, sorted. Walks the whole pool. */
  list(prefix: Key = ""): string[] {
    const listed = checked(() => this.pool.list(keyBytes(prefix)));
    const bytes = listed.array;
    const view = new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
    const keys: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + 4 + view.getUint32(at, true);
      keys.push(utf8(bytes.subarray(at + 4, end)));
      at = end;
    }
    listed.release();
    return keys;
  }

  private async send(what: number, key: Key, value: Value, previous: number, options?: WaitOptions): Promise<number> {
    if (!Number.isSafeInteger(previous) || previous < 0) {
      throw new TypeError(`a version is a whole number, 0 for none, and this is ${told(previous)}`);
    }
    const [name, content] = [keyBytes(key), valueBytes(value, this, key)];
    const begin = () => this.pool.send(what, name, content, previous);
    return whenEnded("a put", begin, (task) => Number(task.version()), options, this.waits);
  }

  private find(key: Key, of: number, at: number | bigint): Found | null {
    const name = keyBytes(key);
    // It may be a larger one meanwhile.
    while (!checked(() => this.pool.get(name, of, at, room, found))) room = new Uint8Array(Number(found.len));
    if (found.version === 0n) return null;
    const value = room.slice(0, Number(found.len));
    const number = this.number?.read({ view: new DataView(value.buffer) }, 0);
    return new Found(value, Number(found.version), found.time, number);
  }
}

/** Why no more than so many of many objects are put. */
function refused(kind: Kind, put: number, { message }: Error, options?: { cause: unknown }): FlowError {
  return new FlowError(kind, `put many objects: ${put} are put; the next: ${message}`, put, options);
}
