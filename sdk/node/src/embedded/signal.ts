/** Signals that end a wait. */

import type { Signal } from "../flow/object.js";

/** What is used of a signal. */
interface Aborts {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options: { readonly once: true }): void;
}

/** What waits for a signal, of which each has one listener of ours: Node warns of more than ten. */
const waiting = new WeakMap<Aborts, Set<() => void>>();

/** Calls `then` once, when the signal is aborted, unless what it returns was called before. */
export function whenAborted(given: Signal, then: () => void): () => void {
  const signal = given as Aborts;
  let all = waiting.get(signal);
  if (all === undefined) {
    const listening = (all = new Set<() => void>());
    waiting.set(signal, listening);
    signal.addEventListener("abort", () => listening.forEach((then) => then()), { once: true });
  }
  all.add(then);
  return () => void all.delete(then);
}

export function isAborted(signal: Signal | undefined): boolean {
  return (signal as Aborts | undefined)?.aborted === true;
}

export function reasonOf(signal: Signal | undefined): unknown {
  return (signal as Aborts | undefined)?.reason;
}

/** Whether it is one of Node's, or one like them. */
export function isSignal(value: unknown): value is Signal {
  if (typeof value !== "object" || value === null) return false;
  const { aborted, addEventListener } = value as { readonly [name: string]: unknown };
  return typeof aborted === "boolean" && typeof addEventListener === "function";
}
