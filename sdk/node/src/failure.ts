/** What is said of something that was thrown. */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export interface Failure {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

const HERE = dirname(fileURLToPath(import.meta.url));

/** Type, message and stack of whatever it is. It never throws. */
export function failure(thrown: unknown): Failure {
  try {
    if (!(thrown instanceof Error)) {
      return { type: typeof thrown, message: `something that is no Error was thrown: ${String(thrown)}`, stack: "" };
    }
    const { name } = thrown.constructor;
    // Of a `DOMException` the class says nothing: `AbortError` is what it is called.
    const type = ["", "Object", "DOMException"].includes(name) ? String(thrown.name) : name;
    return { type, message: told(thrown), stack: frames(thrown) };
  } catch {
    return { type: "Error", message: "what was thrown cannot be shown", stack: "" };
  }
}

/** Its message and that of its cause, without which some say nothing: `fetch failed`. */
function told(thrown: Error): string {
  const message = String(thrown.message);
  const why = because(thrown.cause);
  return why === "" || message.includes(why) ? message : `${message}: ${why}`;
}

/** What a cause says; of one without a message, as of a connection that was tried at several addresses, what its errors say. */
function because(cause: unknown): string {
  if (typeof cause === "string") return cause;
  if (!(cause instanceof Error)) return "";
  const { message, errors } = cause as Error & { errors?: unknown };
  if (message !== "" || !Array.isArray(errors)) return String(message);
  return errors.map(because).filter((why) => why !== "").join(", ");
}

/** Where it happened and what led to it; the driver's own lines and Node's are left out. */
function frames(thrown: Error): string {
  const lines = String(thrown.stack ?? "").split("\n");
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const at = first < 0 ? [] : lines.slice(first).filter((line) => !line.includes(HERE) && !line.includes("(node:internal"));
  const { cause } = thrown;
  if (cause !== undefined && cause !== thrown) {
    const { type, message, stack } = failure(cause);
    at.push(`caused by ${type}: ${message}`, ...(stack === "" ? [] : [stack]));
  }
  return at.join("\n");
}
