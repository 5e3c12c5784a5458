/** Objects whose handler answers with promises: they run side by side, and their emissions land in order. */

import { Item } from "../abi.js";
import type { Names } from "../context.js";
import type { Engine } from "../engine.js";
import type { ObjectHandler } from "../handler.js";
import type { Memory } from "../memory.js";
import { Emitter, type Mark } from "./emit.js";
import { ObjectView } from "./object.js";

/** What the objects of a batch have in common. */
export interface Run {
  readonly memory: Memory;
  readonly names: Names;
  readonly engine: Engine;
  readonly handler: ObjectHandler;
  readonly frame: number;
  readonly items: number;
  readonly count: number;
  /** How many run at a time. */
  readonly most: number;
  /** Where the output stands: what lands is written there. */
  readonly out: Emitter;
  /** An object is done, and all that it has emitted lies behind. */
  finished(index: number): void;
}

/** An object that failed: what lies before it is done. */
export interface Stopped {
  readonly index: number;
  readonly thrown: unknown;
}

/** One that runs. */
interface Running {
  readonly view: ObjectView;
  readonly emit: Emitter;
  /** `undefined` until it has settled. */
  outcome: { readonly thrown?: unknown; readonly failed: boolean } | undefined;
}

/**
 * Runs the objects from `first` on, of which the first may run already. Once one has failed no other is begun; those that run
 * are waited for, so that none of them still runs when it is delivered again.
 */
export async function runLater(run: Run, first: number, begun?: Begun): Promise<Stopped | undefined> {
  const running: Running[] = [];
  /** The last object of each key, by its hash; two keys with one hash wait for each other in vain. */
  const keys = new Map<number, Promise<void>>();
  let landed = first;
  let flying = 0;
  let failed: Stopped | undefined;
  /** The first that has failed so far; those before it still run. */
  let stop = run.count;
  let wake = (): void => {};

  /** Lands, in order, what has settled. */
  const land = (): void => {
    for (let next = running[landed - first]; next?.outcome !== undefined; next = running[landed - first]) {
      if (failed !== undefined) return;
      try {
        if (next.outcome.failed) throw next.outcome.thrown;
        next.emit.land(run.out);
      } catch (thrown) {
        failed = { index: landed, thrown };
        stop = Math.min(stop, landed);
        return;
      }
      run.finished(landed);
      landed += 1;
    }
  };

  const settle = (index: number, one: Running, outcome: Running["outcome"]): void => {
    one.outcome = outcome;
    if (outcome?.failed === true) stop = Math.min(stop, index);
    one.view.at = 0;
    one.emit.finish();
    flying -= 1;
    land();
    wake();
  };

  const begin = (index: number): void => {
    const at = run.items + Item.$bytes * index;
    const key = run.memory.u32(at + Item.tag) + run.memory.u32(at + Item.tag + 4) * 2 ** 32;
    const one: Running = { ...(index === first ? (begun ?? made(run, index)) : made(run, index)), outcome: undefined };
    running.push(one);
    flying += 1;
    const answer = index === first ? begun?.answer : undefined;
    const call = async (): Promise<void> => void (await run.handler.onObject(one.view, one.emit));
    // It begins at once where no object of its key runs.
    const promise = answer ?? keys.get(key)?.then(() => (index > stop ? never() : call())) ?? call();
    const settled = promise.then(
      () => settle(index, one, { failed: false }),
      (thrown: unknown) => settle(index, one, { failed: true, thrown }),
    );
    keys.set(key, settled);
  };

  for (let index = first; index < stop; index++) {
    begin(index);
    while (flying >= run.most) await new Promise<void>((resolve) => (wake = resolve));
  }
  while (flying > 0) await new Promise<void>((resolve) => (wake = resolve));
  land();
  return failed;
}

/** An object that runs already: its promise was the first of the batch. */
export interface Begun {
  readonly view: ObjectView;
  readonly emit: Emitter;
  readonly answer: Promise<void>;
  /** Where the output stood before it. */
  readonly start: Mark;
}

function made(run: Run, index: number): { view: ObjectView; emit: Emitter } {
  const view = new ObjectView(run.memory, run.names);
  view.at = run.items + Item.$bytes * index;
  const emit = new Emitter(run.memory, run.names, run.engine, run.frame);
  emit.item = index;
  emit.hold();
  return { view, emit };
}

/** One that is not begun because one before it has failed, which is what is reported. */
function never(): never {
  throw new Error("it was not begun, as another object had failed");
}
