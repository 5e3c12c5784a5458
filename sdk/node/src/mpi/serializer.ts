/** Objects as bytes. */

import { deserialize, serialize } from "node:v8";
import { MpiError } from "./error.js";

/** Writes and reads objects. All ranks have the same. */
export interface Serializer {
  /** Writes a value. */
  write(value: unknown): Uint8Array;
  /** Reads what `write` has written. The bytes are the reader's own. */
  read(bytes: Uint8Array): unknown;
}

/**
 * V8's structured clone, as `structuredClone` and messages to workers have it. It is what communicators begin with, since it
 * keeps what JSON loses: bigints, typed arrays, `Map`, `Set`, `Date`, `undefined`, NaN, and objects that refer to each other.
 * Functions it refuses, and of an instance of a class its fields alone arrive.
 */
export const structured: Serializer = { write: serialize, read: deserialize };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** JSON, which programs in other languages read. */
export const json: Serializer = {
  write: (value) => {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`${typeof value} has no form in JSON`);
    return encoder.encode(text);
  },
  read: (bytes) => JSON.parse(decoder.decode(bytes)) as unknown,
};

/** A value for others, who hear where it could not be written: they wait for it in the same call. */
export class Written {
  readonly bytes: Uint8Array;
  private readonly failure: MpiError | undefined;

  constructor(serializer: Serializer, value: unknown) {
    try {
      const data = serializer.write(value);
      this.bytes = new Uint8Array(1 + data.length);
      this.bytes[0] = 1;
      this.bytes.set(data, 1);
    } catch (thrown) {
      this.bytes = Uint8Array.of(0);
      this.failure = unwritten(thrown);
    }
  }

  /** Throws where it could not be written. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** Reads what a rank has written. */
  static read(serializer: Serializer, bytes: Uint8Array, rank: number): unknown {
    if (bytes[0] === 1) return serializer.read(bytes.subarray(1));
    throw new MpiError("type", `read the value of rank ${rank}: it could not be written there`);
  }
}

export function unwritten(thrown: unknown): MpiError {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new MpiError("type", `write a value: ${why}`, { cause: thrown });
}
