/** What the engine asks this program's event loop for: handlers, and their answers. */

import { Refusal, Status } from "../abi.js";
import { failure } from "../failure.js";
import type { AnyHandler } from "../handler.js";
import { load, LoadError, make } from "../load.js";
import { addon, Post } from "./addon.js";
import { Instance } from "./instance.js";
import { Turn } from "./turn.js";

/** Makes a handler. */
export type Module = () => AnyHandler;

const modules = new Map<number, Module>();
const instances = new Map<number, Instance>();
const turn = new Turn();
/** What waits for its turn. */
let waiting: (() => void)[] = [];
let last = 0;
let table: number | undefined;

/** The address of what the engine is given to call handlers of this program. */
export function tableOf(): number {
  table ??= addon.begin((what, ...asked) => {
    if (waiting.length === 0 && !turn.isOver()) {
      if (post(what, ...asked)) stay();
    } else {
      if (waiting.length === 0) setImmediate(goOn);
      waiting.push(() => post(what, ...asked));
    }
    return lingers;
  });
  return table;
}

/** Whether another call is looked for, where one may come at once: to be woken takes longer than most calls. */
let lingers = false;
const settled = Promise.resolve();

function stay(): void {
  if (lingers) return;
  lingers = true;
  // What the handler has promised comes first.
  void settled.then(linger);
}

function linger(): void {
  lingers = false;
  try {
    const next = waiting.length === 0 && !turn.isOver() ? addon.next() : 0;
    if (next === 0) return;
    const instance = Math.floor(next / 2 ** 32);
    if (call(instance, next - instance * 2 ** 32)) stay();
  } finally {
    if (!lingers) addon.rest();
  }
}

/** The address of a module, which the engine owns from now on. */
export function give(module: number): number {
  return addon.give(module);
}

/** Lets go of a module of which no instance will be made any more. */
export function forget(module: number): void {
  modules.delete(module);
}

/** A module's number. */
export function enter(module: Module): number {
  modules.set(++last, module);
  return last;
}

/** All in their order, as far as there is time. */
function goOn(): void {
  const posts = waiting;
  let next = 0;
  while (next < posts.length && (next === 0 || !turn.isOver())) posts[next++]!();
  waiting = posts.slice(next);
  if (waiting.length > 0) setImmediate(goOn);
}

/** Has a frame answered. False where the answer comes later. */
function call(number: number, frame: number): boolean {
  const instance = instances.get(number);
  if (instance !== undefined) return instance.call(frame);
  addon.complete(number, frame, Status.FAILED);
  return true;
}

/** Does what is asked for. Whether another call may come at once. */
function post(what: Post, first: number, second: number, third: number, file = "", name = ""): boolean {
  switch (what) {
    case Post.CALL:
      return call(first, second);
    case Post.LOAD:
      load(file, name).then((of) => addon.answer(first, 0, enter(() => make(of, file)), ""), (thrown) => refuse(first, thrown));
      return false;
    case Post.MAKE:
      try {
        const module = modules.get(second);
        if (module === undefined) throw new LoadError(Refusal.RUNTIME_FAILED, "make a handler", "it was taken back");
        instances.set(third, new Instance(third, module(), turn));
        addon.answer(first, 0, 0, "");
      } catch (thrown) {
        refuse(first, thrown);
      }
      return true;
    case Post.RELEASE:
      instances.get(first)?.release();
      instances.delete(first);
      return false;
    case Post.UNLOAD:
      modules.delete(first);
      return false;
  }
}

function refuse(question: number, thrown: unknown): void {
  // The engine says itself what was attempted, and which of the handlers that are there was probably meant.
  if (thrown instanceof LoadError) return addon.answer(question, thrown.kind, 0, [thrown.why, ...thrown.there].join("\n"));
  const { type, message, stack } = failure(thrown);
  addon.answer(question, Refusal.CONSTRUCTOR_FAILED, 0, `${type}: ${message}\n${stack}`.trimEnd());
}
