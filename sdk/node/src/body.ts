/** The part of a driver that knows one kind of frame. */

import type { Status } from "./abi.js";
import type { Context } from "./context.js";
import type { Answer } from "./handler.js";

export interface Body {
  /** The kind of batch. */
  readonly kind: number;
  /** The least bytes of its frames. */
  readonly least: number;
  /** Says what else the handler is. */
  describe(say: (about: number, key: string, value: string) => void): void;
  open(frame: number, context: Omit<Context, "log" | "pool" | "pools" | "senders">): Answer;
  /** A batch. What goes wrong is a {@link Failing}. `Status.PENDING` where the body answers it by itself, later. */
  run(frame: number): Answer | Status.PENDING;
  /** Nobody waits any more for the answer to this frame: one of `Cancelled` says why. */
  cancel(frame: number, why: number): void;
  flush(frame: number): Answer;
  close(): Answer;
}

/** What was thrown, and on which item: `ErrorSlot.NO_ITEM` for the whole frame. */
export interface Failed {
  readonly thrown: unknown;
  readonly item: number;
}

/** Carries a failure out of a body. */
export class Failing {
  constructor(readonly failed: Failed) {}
}

export function isPromise(answer: unknown): answer is Promise<void> {
  return typeof (answer as { then?: unknown } | undefined)?.then === "function";
}

/** What a method has returned, where it is waited for: anything else is passed over. */
export function awaited(answer: unknown): Answer {
  if (isPromise(answer)) return answer;
}
