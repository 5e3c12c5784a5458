/** Functions, classes and their instances of a program as handlers of its flow. */

import type { Emit, Value } from "../flow/emit.js";
import type { FlowObject } from "../flow/object.js";
import type { Packer } from "../flow/typed.js";
import { type AnyHandler, type Answer, answersLater, type HandlerClass, methodOf } from "../handler.js";
import { told } from "../told.js";
import type { Module } from "./program.js";

/** A function as a handler. One that is `async` answers later. */
export type ObjectFunction<Taken = Uint8Array, Given = Value> = (object: FlowObject<Taken>, emit: Emit<Given>) => Answer;

/** Whatever handles: a function, a class that `upcall run` would load, or an instance of one. */
export type Given = ObjectFunction<any, any> | HandlerClass | AnyHandler;

/** What a class says of itself by static members, for a function or an object without a class. */
export interface Says {
  /** The class of the values that it takes in place of bytes. */
  readonly takes?: Packer<any> | undefined;
  /** The class of the values that it gives in place of bytes, or several. */
  readonly gives?: Packer<any> | readonly Packer<any>[] | undefined;
  /** Whether it answers with promises, where it is not `async`. */
  readonly answersLater?: boolean | undefined;
}

const METHODS = ["open", "onObject", "onBatch", "combine", "flush", "close"] as const;

/** What may be a handler. Throws where it is something else. */
export function handlerOf(given: unknown): object | ((...given: never[]) => unknown) {
  if (typeof given === "object" && given !== null) return given;
  if (typeof given === "function") return given as () => unknown;
  throw new TypeError(`a handler is a function, a class or an instance of one, and this is ${told(given)}`);
}

/** What makes an instance. Throws where it is no handler. */
export function moduleOf(any: unknown, says: Says = {}): Module {
  const given = handlerOf(any);
  if (typeof given === "object") {
    const of = given.constructor as HandlerClass | undefined;
    if (typeof methodOf(of) === "string") return () => given as AnyHandler;
    return around(given as Readonly<Record<string, unknown>>, "", says);
  }
  const of = given as unknown as HandlerClass;
  if (typeof methodOf(of) === "string") return () => new of();
  if (/^class\b/.test(Function.prototype.toString.call(given))) {
    throw new TypeError(`${given.name} is not a handler: ${(methodOf(of) as { wrong: string }).wrong}`);
  }
  return around({ onObject: given }, given.name, says);
}

/** Makes one of a class around methods that have none. */
function around(methods: Readonly<Record<string, unknown>>, name: string, says: Says): Module {
  class Given {}
  const prototype = Given.prototype as Record<string, unknown>;
  for (const method of METHODS) {
    const call = methods[method];
    if (typeof call === "function") prototype[method] = (...given: unknown[]) => call.apply(methods, given) as unknown;
  }
  const statics = { answersLater: isAsync(methods["onObject"]), ...(methods as Says), ...defined(says) };
  const of = Object.assign(Given, {
    answersLater: statics.answersLater, takes: statics.takes, gives: statics.gives,
  }) as unknown as HandlerClass;
  Object.defineProperty(of, "name", { value: name === "" ? "the handler" : name });
  const method = methodOf(of);
  if (typeof method !== "string") throw new TypeError(`${of.name} is not a handler: ${method.wrong}`);
  return () => new of();
}

function isAsync(method: unknown): boolean {
  return answersLater({ prototype: { onObject: method } } as unknown as HandlerClass);
}

function defined(says: Says): Says {
  return Object.fromEntries(Object.entries(says).filter(([, said]) => said !== undefined));
}

