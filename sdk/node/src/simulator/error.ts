/** What went wrong in a program. */

import { failure } from "../failure.js";

/** A program failed: with what it threw, or with what a check has found, as its `cause`. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";

  constructor(
    cause: unknown,
    /** The vertex that was updated; `undefined` where that was none, or many. */
    readonly vertex: number | undefined,
    /** The iteration, from 0 on; `undefined` before the first. */
    readonly iteration: number | undefined,
  ) {
    const { type, message } = failure(cause);
    const when = iteration === undefined ? "at the start" : `in iteration ${iteration}`;
    super(`${vertex === undefined ? "" : `vertex ${vertex} `}${when}: ${type}: ${message}`, { cause });
  }
}
