/** What handlers are: classes of the user's, by the methods that they have. */

import type { Context } from "./context.js";
import type { Batch } from "./flow/batch.js";
import type { Emit, Value } from "./flow/emit.js";
import type { FlowObject } from "./flow/object.js";
import { Forms, type Packer } from "./flow/typed.js";
import { declared, FORMS as PROGRAMS, type VertexMethod } from "./graph/declared.js";
import type { GatherProgram, IntervalProgram, VertexProgram } from "./graph/program.js";
import { NUMBERS, type NumberArray } from "./numbers.js";

/** Nothing, now or later. */
export type Answer = void | Promise<void>;

interface Handler {
  /** Called once, before anything else. A failure stops the flow. */
  open?(context: Context): Answer;
  /** Called last. */
  close?(): Answer;
}

/** A handler that is called once per object. */
export interface ObjectHandler<Taken = Uint8Array, Given = Value> extends Handler {
  /**
   * Handles one object. What it throws, or rejects with, fails the object. One that is `async` answers later: so many objects as
   * the flow's `in_flight` says are open at a time, those of one key one after another.
   */
  onObject(object: FlowObject<Taken>, emit: Emit<Given>): Answer;
  /** Called once the input has ended and everything upstream is flushed. */
  flush?(emit: Emit<Given>): Answer;
}

/** A handler that takes the whole batch. */
export interface BatchHandler<Taken = Uint8Array, Given = Value> extends Handler {
  onBatch(batch: Batch<Taken>, emit: Emit<Given>): Answer;
  flush?(emit: Emit<Given>): Answer;
}

/** A handler that combines two arrays: the operation of a reduction. */
export interface CombineHandler extends Handler {
  /** Combines `source` into `into`, element by element. Both end with the call. */
  combine(source: NumberArray, into: NumberArray): Answer;
}

export type AnyHandler =
  | ObjectHandler<any, any> | BatchHandler<any, any> | CombineHandler
  | VertexProgram<any, any, any> | GatherProgram<any, any, any, any> | IntervalProgram<any, any>;

/** A class of handlers, and what it says of them. */
export interface HandlerClass {
  new (): AnyHandler;
  /** The settings that they understand. */
  parameters?: Readonly<Record<string, Parameter>>;
  /** Whether `onObject` answers with promises. Only where it cannot be seen, as it is not `async`. */
  answersLater?: boolean;
  /** The class of the values that it takes in place of bytes. */
  takes?: Packer<any>;
  /** The class of the values that it gives in place of bytes, or several. */
  gives?: Packer<any> | readonly Packer<any>[];
  /** Of a handler that combines: the number type of both arrays. */
  element?: string;
  /** Of a handler that combines: whether any order will do. */
  commutative?: boolean;
  /** Of a vertex program: the number type of what a vertex keeps to itself, if anything. */
  own?: string;
  /** Of a vertex program: the number type of what a vertex shows to its neighbours. */
  shown?: string;
  /** Of a vertex program: the number type of the values of edges, if it looks at them. */
  edge?: string;
  /** Of a vertex program: whether it looks at outgoing edges. */
  outgoing?: boolean;
  /** Of a vertex program: whether only those vertices are updated that see a change, or were scheduled. */
  selective?: boolean;
  /** Of a vertex program: whether it sets values of its outgoing edges, whose type it declares as `edge`. */
  writes?: boolean;
  /** Of a vertex program with `apply`: by what neighbours' values are put together: `sum`, `count`, `min` or `max`. */
  gather?: string;
}

/**
 * A setting that a handler understands: `static parameters = { every: { type: "u64", default: 10 } }` in its class. It is shown by
 * `upcall describe`; `context.settings` holds what the flow's file has set.
 */
export interface Parameter {
  /** The type of its values: `u64`, `text`. */
  readonly type: string;
  /** What it is when nobody sets it, which may be empty. */
  readonly default?: string | number | boolean;
  /** Which values it may have, in words of the type's own: `1..=100`, `fast or exact`. */
  readonly range?: string;
}

/** The methods of which a handler has one, and what each takes. */
const METHODS = { onObject: "(object, emit)", onBatch: "(batch, emit)", combine: "(source, into)" } as const;

/** How a handler is called. */
export type Method = keyof typeof METHODS | VertexMethod;

const ALL = [
  ...Object.entries(METHODS).map(([name, takes]) => name + takes),
  ...Object.entries(PROGRAMS).map(([name, { takes }]) => name + takes),
];

/** The method that a class has; or why it is no handler. */
export function methodOf(of: unknown): Method | { wrong: string } {
  if (typeof of !== "function") return { wrong: `it is of type ${of === null ? "null" : typeof of}, not a class` };
  const prototype = (of as { prototype?: Record<string, unknown> }).prototype ?? {};
  const has = (name: string): boolean => typeof prototype[name] === "function";
  let found: Method[] = (Object.keys(METHODS) as Method[]).filter(has);
  // Names that any class may have for something else: it is by them only where there is nothing that it could be otherwise.
  if (found.length === 0) found = (Object.keys(PROGRAMS) as Method[]).filter(has);
  const [method, ...others] = found;
  if (method === undefined) return { wrong: `it has neither ${ALL.join(" nor ")}: write one` };
  if (others.length > 0) return { wrong: `it has ${found.join(" and ")}: keep one` };
  const { element } = of as { element?: unknown };
  if (method === "combine" && !(typeof element === "string" && NUMBERS.has(element))) {
    const has = element === undefined ? "it does not say what it combines" : `its element is ${String(element)}`;
    return { wrong: `${has}: write static element = "f64", or another of ${[...NUMBERS.keys()].join(", ")}` };
  }
  if (method !== "onObject" && (of as HandlerClass).answersLater === true) {
    return { wrong: `it has answersLater and ${method}: only onObject may answer later` };
  }
  if (isVertexMethod(method)) {
    const said = declared(of as HandlerClass, method);
    return "wrong" in said ? said : method;
  }
  const forms = Forms.of(of as HandlerClass);
  return "wrong" in forms ? forms : method;
}

/** Whether it is the method of a vertex program. */
export function isVertexMethod(method: Method): method is VertexMethod {
  return Object.hasOwn(PROGRAMS, method);
}

/** Whether the handlers of a class with `onObject` answer later. */
export function answersLater(of: HandlerClass): boolean {
  const { onObject } = of.prototype as { onObject?: { [Symbol.toStringTag]?: string } };
  return of.answersLater === true || onObject?.[Symbol.toStringTag] === "AsyncFunction";
}

/** The handlers of a module. */
export function handlersOf(module: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(module).filter((name) => typeof methodOf(module[name]) === "string");
}
