/** What a driver asks its engine for while a frame is its own. */

import type { Status } from "./abi.js";

export interface Engine {
  /** Answers a frame that the driver's call has left open with `Status.PENDING`. */
  complete(frame: number, status: Status): void;
  /** Another chunk of output for a frame: where it begins and ends. `null` where there is no more memory. */
  grow(frame: number, need: number): { at: number; end: number } | null;
  /** A line for the log, at one of the levels of the boundary. */
  log(level: number, text: string): void;
  /** The offset of the item that a query has found, and whether it was answered at all; 0 where there is no item. */
  read(pool: number, key: Key, asOf: number, at: bigint): { ok: boolean; item: number };
  /** The offset of a list of keys, and how many there are. `null` where the pool cannot be read. */
  list(pool: number, prefix: Key): { at: number; count: number } | null;
  /** Native code for what a loop in JavaScript does slowly; without it that loop does it. */
  readonly gather?: Gather;
}

/**
 * Of `count` vertices, whose edges begin and end at what two arrays of 64-bit numbers say: puts what the vertices at the places `at`
 * show side by side, elements of so many bytes, from the `from`-th of `to` on, where there is room for them. Offsets are those of the
 * window.
 */
export type Gather = (
  window: ArrayBuffer, to: ArrayBuffer, from: number, begins: number, ends: number, count: number,
  at: number, shown: number, shownCount: number, bytes: number,
) => void;

/** A key: text, or its UTF-8. */
export type Key = string | Uint8Array;
