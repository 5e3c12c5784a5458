/** Processes that pass messages to one another. */

import { MpiError } from "./error.js";
import { Checked } from "./checked.js";
import { checked } from "./native.js";
import { Typed } from "./typed.js";

/** Processes that pass messages to one another, each with a rank from 0 on. */
export class Communicator extends Typed {
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

  /**
   * The same processes, whose messages say which type their elements have, where all of them want it: unless the environment says
   * so (`UPCALL_MPI_CHECK_TYPES`, `1` or `0`), where each has given `wanted`; without it, where `NODE_ENV` is not `production`.
   * Collective.
   */
  checked(wanted = process.env["NODE_ENV"] !== "production"): Checked<Communicator> {
    const made = checked(() => this.native.checked(wanted));
    return new Checked(made, this.rank, this.size, (together) => this.made(new Communicator(together)));
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
