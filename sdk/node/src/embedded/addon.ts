/** The native part: this event loop as the engine sees it. */

import { createRequire } from "node:module";
import type { Status } from "../abi.js";
import type { Gather, Key } from "../engine.js";
import { built } from "../find.js";

/** What the engine asks for: which of them, its numbers and texts. */
export const enum Post {
  /** Answer a frame: instance, offset. */
  CALL = 0,
  /** Load a class: question; file, name. */
  LOAD = 1,
  /** Make an instance: question, module, instance. */
  MAKE = 2,
  /** Forget an instance. */
  RELEASE = 3,
  /** Forget a module. */
  UNLOAD = 4,
}

export type OnPost = (what: Post, first: number, second: number, third: number, file?: string, name?: string) => boolean;

/** What `upcall_node.node` exports for programs that embed a flow. Instances are meant by number, frames by offset. */
export interface Addon {
  /** The address of the table that the engine is given. Where `onPost` returns `true` it calls `next` soon, and `rest` in the end. */
  begin(onPost: OnPost): number;
  /** The next frame to answer, where one comes soon: its instance times 2 ** 32 and its offset; or 0. */
  next(): number;
  /** Nobody calls `next` any more until the event loop is woken. */
  rest(): void;
  /** Whether the process lives on for the sake of flows. */
  hold(hold: boolean): void;
  /** The address of a module, which is the engine's. */
  give(module: number): number;
  /** Answers a question: with a module, or a refusal where `kind` is not 0. */
  answer(question: number, kind: number, module: number, why: string): void;
  complete(instance: number, frame: number, status: Status): void;
  /** The first bytes of an instance's memory. */
  memory(instance: number, bytes: number): ArrayBuffer;
  lend(instance: number, offset: number, bytes: number): ArrayBuffer;
  detach(lent: ArrayBuffer): void;
  grow(instance: number, frame: number, need: number): [at: number, end: number] | null;
  log(instance: number, level: number, text: string): void;
  /** The offset of an item, negative where it was refused, 0 where nobody answers. */
  read(instance: number, pool: number, key: Key, asOf: number, at: bigint): number;
  list(instance: number, pool: number, prefix: Key): [at: number, count: number] | null;
  readonly gather: Gather;
}

export const addon = createRequire(import.meta.url)(built("upcall_node.node")) as Addon;

let holds = 0;

/** Keeps the process from ending until what it returns is called. */
export function hold(): () => void {
  if (holds++ === 0) addon.hold(true);
  let held = true;
  return () => {
    if (held && --holds === 0) addon.hold(false);
    held = false;
  };
}
