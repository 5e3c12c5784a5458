/** Why MPI did not do what it was asked, in a word or two. */
export type MpiErrorKind =
  /** There is no MPI, or no compiler of its own. */
  | "missing"
  /** The MPI cannot be loaded or started. */
  | "load"
  /** MPI was not started, was started before in this process, or has been finalized; or what is used was freed, closed or detached. */
  | "lifecycle"
  /** A call whose arguments do not fit each other, or that is not allowed here. */
  | "usage"
  /** There is no such rank in the communicator. */
  | "rank"
  /** A tag that is negative or too large. */
  | "tag"
  /** A message was larger than the room for it. */
  | "truncated"
  /** What has arrived has another size or form than what was asked for. */
  | "type"
  /** More elements than the MPI can count. */
  | "count"
  /** A function of a reduction failed: `cause` is what it has thrown. */
  | "operation"
  /** A process has died. */
  | "process failed"
  /** The MPI in use does not have it. */
  | "unsupported"
  /** A place outside of a window or file. */
  | "range"
  /** There is no such file. */
  | "not found"
  /** There is such a file already. */
  | "exists"
  /** A file may not be read or written so. */
  | "access"
  /** The disk is full. */
  | "no space"
  /** A file could not be read or written. */
  | "io"
  /** A call outside of an epoch, or in the wrong one; or MPI is to be finalized within one. */
  | "synchronization"
  /** There is no room for a buffered send. */
  | "buffer"
  /** The communicator was revoked. */
  | "revoked"
  /** A process could not be started. */
  | "spawn"
  /** There is no such port or service. */
  | "port"
  /** MPI's own words say what. */
  | "other";

/** MPI did not do what it was asked. */
export class MpiError extends Error {
  override readonly name = "MpiError";

  constructor(
    readonly kind: MpiErrorKind,
    message: string,
    options?: { readonly cause: unknown },
  ) {
    super(message, options);
  }
}

/** @internal What is thrown where something is used that was freed before. */
export function closed(what: string, how = "it was freed"): MpiError {
  return new MpiError("lifecycle", `use ${what}: ${how}`);
}
