/** Waiting for what the engine does. */

import type { Signal } from "../flow/object.js";
import { hold } from "./addon.js";
import { checked, type Task } from "./bindings.js";

/** How a wait may be ended before what it waits for: it rejects with the signal's reason, and what it waited for goes on. */
export interface WaitOptions {
  readonly signal?: Signal | undefined;
}

/** What is used of a signal. */
interface Aborts {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** What has come of a task, once it has ended. The process lives on meanwhile. */
export function whenEnded<T>(begin: () => Task, take: (task: Task) => T, options: WaitOptions = {}): Promise<T> {
  const signal = options.signal as Aborts | undefined;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) throw signal.reason;
    const task = checked(begin);
    const letGo = hold();
    let over = false;
    const end = (how: () => void): void => {
      over = true;
      signal?.removeEventListener("abort", aborted);
      letGo();
      try {
        how();
      } catch (thrown) {
        reject(thrown);
      }
      task.release();
    };
    const aborted = (): void => end(() => reject(signal?.reason));
    const look = (): void => {
      if (over) return;
      try {
        // Woken in the midst of the engine, it asks again later.
        if (!checked(() => task.poll(() => queueMicrotask(look)))) return;
      } catch (thrown) {
        return end(() => reject(thrown));
      }
      end(() => resolve(checked(() => take(task))));
    };
    signal?.addEventListener("abort", aborted);
    look();
  });
}
