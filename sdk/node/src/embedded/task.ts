/** Waiting for what the engine does. */

import type { Signal } from "../flow/object.js";
import { hold } from "./addon.js";
import { checked, type Task } from "./bindings.js";
import { type Known, known } from "./options.js";
import { isAborted, reasonOf, whenAborted } from "./signal.js";
import type { Waits } from "./waits.js";

/** How a wait may be ended before what it waits for: it rejects with the signal's reason, and what it waited for goes on. */
export interface WaitOptions {
  readonly signal?: Signal | undefined;
}

/** The options of a wait. */
export const WAIT: Known = { signal: "signal" };

/** What has come of a task, once it has ended. The process lives on meanwhile. It waits for its turn where there may be many. */
export async function whenEnded<T>(
  call: string, begin: () => Task, take: (task: Task) => T, options: WaitOptions = {}, waits?: Waits,
): Promise<T> {
  known(call, options, WAIT);
  const { signal } = options;
  if (isAborted(signal)) throw reasonOf(signal);
  const task = checked(begin);
  return new Promise((resolve, reject) => {
    const letGo = hold();
    let deafen = (): void => {};
    let [over, turn] = [false, waits === undefined];
    const end = (how: () => void): void => {
      over = true;
      deafen();
      letGo();
      try {
        how();
      } catch (thrown) {
        reject(thrown);
      }
      // One that is given up goes on, in its turn.
      if (turn) leave();
    };
    const leave = (): void => {
      task.release();
      waits?.end();
    };
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
    if (signal !== undefined) deafen = whenAborted(signal, () => end(() => reject(reasonOf(signal))));
    if (waits === undefined) return look();
    waits.begin(() => {
      turn = true;
      if (over) leave();
      else look();
    });
  });
}
