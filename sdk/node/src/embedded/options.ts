/** What a caller has written: what is not known is refused at the line that says it, with the nearest word that is. */

import { nearest } from "../nearest.js";
import { told } from "../told.js";
import { isSignal } from "./signal.js";

/** Kinds of values, and how each is told. */
const KINDS = {
  text: [(value: unknown) => typeof value === "string", "text"],
  count: [isCount, "a whole number, 0 or more"],
  bytes: [(value: unknown) => typeof value === "string" || isCount(value), 'bytes, or a text like "64 MiB"'],
  number: [(value: unknown) => typeof value === "number" && value >= 0, "a number, 0 or more"],
  truth: [(value: unknown) => typeof value === "boolean", "true or false"],
  time: [(value: unknown) => typeof value === "string" || isTime(value), 'milliseconds, or a text like "5 s"'],
  texts: [(value: unknown) => Array.isArray(value) && value.every((text) => typeof text === "string"), "a list of texts"],
  object: [(value: unknown) => typeof value === "object" && value !== null, "an object"],
  type: [(value: unknown) => typeof value === "string" || (typeof value === "object" && value !== null), "text or an object"],
  packer: [(value: unknown) => (typeof value === "object" || typeof value === "function") && value !== null, "a class"],
  signal: [isSignal, "an AbortSignal"],
} as const;

/** The options that a call takes, and the kind of each. */
export type Known = Readonly<Record<string, keyof typeof KINDS>>;

/** Throws where an option is not known or of another kind. */
export function known(call: string, given: unknown, options: Known): void {
  if (given === undefined) return;
  if (typeof given !== "object" || given === null) {
    throw new TypeError(`${call}: its options are an object, and this is ${told(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(options, name)) {
      const near = nearest(name, Object.keys(options));
      const help = near === undefined ? `it takes ${Object.keys(options).join(", ")}` : `did you mean ${near}?`;
      throw new TypeError(`${call}: there is no option ${name}; ${help}`);
    }
    const [fits, what] = KINDS[options[name]!];
    if (value !== undefined && !fits(value)) throw new TypeError(`${call}: ${name} is ${what}, and this is ${told(value)}`);
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
