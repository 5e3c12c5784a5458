/** Why a flow did not do what it was asked, in a word or two. */
export type Kind =
  /** The description makes no sense; the message shows every mistake. */
  | "invalid"
  /** A handler or its runtime could not be loaded or opened. */
  | "load"
  | "no pool"
  /** A key that is not UTF-8, or none at all. */
  | "bad key"
  /** A value that the pool's type does not allow, or none at all. */
  | "bad value"
  /** A put into a dead pool, which only the flow itself fills. */
  | "dead pool"
  | "stores nothing"
  /** The version or time that was asked for is no longer kept. */
  | "compacted"
  /** The key had another version than was expected. */
  | "conflict"
  /** A blocking call from inside a handler of the same flow. */
  | "in handler"
  /** The flow held more than its memory. */
  | "out of memory"
  /** A handler failed when it was told that its input has ended. */
  | "flush"
  /** The flow has been stopped. */
  | "stopped"
  /** A graph's file, of which a `GraphError` says that it cannot be read, and a vertex program that failed. */
  | "file"
  | "program"
  /** A fault of the engine. */
  | "internal";

/** A flow did not do what it was asked. A wait that is aborted rejects with the reason of its signal instead. */
export class FlowError extends Error {
  override readonly name = "FlowError";

  constructor(
    readonly kind: Kind,
    message: string,
    /** Of `putMany`: how many objects were put before the one that was refused. */
    readonly objectsPut = 0,
    options?: { readonly cause: unknown },
  ) {
    super(message, options);
  }
}
