/** Finds a handler's class in a file of JavaScript or TypeScript. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Refusal } from "./abi.js";
import { failure } from "./failure.js";
import { type AnyHandler, type HandlerClass, handlersOf, methodOf } from "./handler.js";
import { nearest } from "./nearest.js";
import { compilerOf, nodeStrips, strip } from "./strip.js";

/** Why there is no handler. */
export class LoadError extends Error {
  constructor(
    readonly kind: Refusal,
    /** What was done. An engine that this program has loaded says so itself. */
    attempt: string,
    readonly why: string,
    /** The handlers that are there, where one is not. */
    readonly there: readonly string[] = [],
    /** What is said of these. */
    help = "",
  ) {
    super(`${attempt}: ${why}${help}`);
  }
}

/** The class of this name, or the default export where that has the name or none. */
export async function load(file: string, name: string): Promise<HandlerClass> {
  const attempt = `load JavaScript handler ${name} from ${file}`;
  if (!existsSync(file)) throw new LoadError(Refusal.FILE_MISSING, attempt, "there is no such file");
  if (/\.[cm]?ts$/.test(file)) typescript(file);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    throw new LoadError(Refusal.FILE_INVALID, attempt, why(file, thrown));
  }
  const there = exported(module);
  const found = there[name];
  const method = methodOf(found);
  if (typeof method === "string") return found as HandlerClass;
  const names = handlersOf(there);
  if (found !== undefined) throw new LoadError(Refusal.HANDLER_MISSING, attempt, method.wrong, names);
  const near = nearest(name, names);
  const help = names.length === 0 ? "" : `; it holds ${names.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`;
  throw new LoadError(Refusal.HANDLER_MISSING, attempt, "there is no such class among its exports", names, help);
}

/** Makes an instance of a handler. */
export function make(of: HandlerClass, file: string): AnyHandler {
  try {
    return new of();
  } catch (thrown) {
    const { type, message, stack } = failure(thrown);
    const what = `${type}: ${message}\n${stack}`.trimEnd();
    throw new LoadError(Refusal.CONSTRUCTOR_FAILED, `make JavaScript handler ${of.name} from ${file}`, what);
  }
}

/** What a module exports, also one in CommonJS whose exports Node has not told apart. */
function exported(module: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { default: by, ...named } = module;
  const others = typeof by === "object" && by !== null ? (by as Readonly<Record<string, unknown>>) : {};
  const own = typeof by === "function" && by.name !== "" ? { [by.name]: by } : {};
  return { ...others, ...own, ...named };
}

/** What is wrong with a file that does not load, in Node's own words. */
function why(file: string, thrown: unknown): string {
  if (thrown instanceof SyntaxError) {
    // Of JavaScript Node shows the place only to who does not catch it; of TypeScript it does, and so does a hook of ours.
    const shown = thrown.message.includes("\n") ? thrown.message : (place(file) ?? told(thrown));
    const language = /ts$/.test(file) ? "TypeScript" : `JavaScript that Node ${process.version} reads`;
    return `it is not ${language}:\n${shown.trimEnd()}`;
  }
  const { type, message, stack } = failure(thrown);
  const { code } = thrown as { code?: unknown };
  // Node's own message says which module is missing and who wants it.
  if (typeof code === "string" && code.endsWith("MODULE_NOT_FOUND")) return message;
  return `running the file threw ${type}: ${message}\n${stack}`.trimEnd();
}

/** What an error says, without Node's own lines. */
function told(thrown: Error): string {
  const lines = String(thrown.stack ?? thrown).split("\n");
  return lines.filter((line) => !line.includes("(node:internal")).join("\n");
}

/** What Node says of a file that it does not read. */
function place(file: string): string | undefined {
  const node = ["--check", file];
  const { stderr, status } = spawnSync(process.execPath, node, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  const lines = stderr.split("\n");
  const last = lines.findIndex((line) => line.startsWith("SyntaxError:"));
  return status === 0 || last < 0 ? undefined : lines.slice(0, last + 1).join("\n");
}

/** Has TypeScript stripped of its types. */
function typescript(file: string): void {
  if (nodeStrips()) return;
  const found = compilerOf(file);
  if ("wrong" in found) throw new LoadError(Refusal.FILE_INVALID, `load ${file}`, found.wrong);
  strip(found);
}
