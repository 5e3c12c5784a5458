import { Emit } from "./emit";
import { Open } from "./open";

/** The part of the driver that knows one kind of frame, of one handler. */
export abstract class Body {
  /** The kind of its frames: its number, and its name. */
  abstract kind(): u16;
  abstract kindName(): string;

  /** Why the handler cannot be as it was written. */
  flaw(): string | null {
    return null;
  }

  /** Says what it is, behind its kind. */
  abstract describe(emit: Emit): void;

  /** What the engine adds to OPEN for this kind. */
  abstract open(open: Open): void;

  /** Handles a frame of this kind; a status. */
  abstract call(frame: usize): i32;

  /** The input has ended. */
  flush(frame: usize, out: usize): i32 {
    return 0;
  }
}
