/** Processes that pass messages to one another. */

import { MpiError } from "./error.js";
import { checked } from "./native.js";
import { Processes } from "./processes.js";

/** Processes that pass messages to one another, each with a rank from 0 on. */
export class Communicator extends Processes {
  /** The same processes, whose messages never meet those of this communicator. Collective. */
  duplicate(): Communicator {
    return this.made(new Communicator(checked(() => this.native.duplicate())));
  }

  /**
   * The processes that give the same `color`, a whole number from 0 on, ranked by `key` and then as here; `undefined` for those
   * that give none. A color that is 2 ** 31 or more is an `MpiError` on all ranks. Collective.
   */
  split(color: number | undefined, key = 0): Communicator | undefined {
    // What is no color or key is told to all: they wait for this rank.
    const isKey = Number.isInteger(key) && Math.abs(key) < 2 ** 31;
    const isColor = color === undefined || (Number.isInteger(color) && color >= 0 && color < 2 ** 31);
    let part;
    try {
      part = checked(() => this.native.split(isKey && isColor ? (color ?? -1) : 2 ** 31, isKey ? key : 0));
    } catch (thrown) {
      if (isKey && isColor) throw thrown;
      throw new MpiError("usage", `split a communicator: color ${color} and key ${key} must be whole numbers of 32 bits, and the color not negative`);
    }
    if (part.is_none()) return undefined;
    return this.made(new Communicator(part));
  }

  /** The ranks that live, in the order that they have here. Collective over these, also where this one was revoked. */
  shrink(): Communicator {
    return this.made(new Communicator(checked(() => this.native.shrink())));
  }

  private made(communicator: Communicator): Communicator {
    communicator.serializer = this.serializer;
    return communicator;
  }

  /** Ends all processes of the job at once, with this exit code. It does not return. */
  abort(code = 1): never {
    checked(() => this.native.abort(code));
    throw new MpiError("other", "end the job: MPI has returned");
  }

  /**
   * Frees one that was made, which all its ranks do in the same order. One that is forgotten is kept until MPI ends.
   */
  free(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
