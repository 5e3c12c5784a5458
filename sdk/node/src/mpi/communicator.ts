/** Processes that pass messages to one another. */

import { MpiError } from "./error.js";
import { checked } from "./native.js";
import { Objects } from "./objects.js";

/** Processes that pass messages to one another, each with a rank from 0 on. */
export class Communicator extends Objects {
  /** The same processes, whose messages never meet those of this communicator. Collective. */
  duplicate(): Communicator {
    return this.made(new Communicator(checked(() => this.native.duplicate())));
  }

  /**
   * The processes that give the same `color`, a whole number from 0 on, ranked by `key` and then as here; `undefined` for those
   * that give none. Collective.
   */
  split(color: number | undefined, key = 0): Communicator | undefined {
    const wrong = [color ?? 0, key].find((number) => !Number.isInteger(number) || Math.abs(number) >= 2 ** 31);
    if (wrong !== undefined || (color ?? 0) < 0) {
      throw new MpiError("usage", `split a communicator: color ${color} and key ${key} must be whole numbers of 32 bits, and the color not negative`);
    }
    const part = checked(() => this.native.split(color ?? -1, key));
    if (part.is_none()) return undefined;
    return this.made(new Communicator(part));
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
