/** Values that are kept with communicators. */

import { checked, native, type NativeCommunicator, type NativeKey } from "./native.js";

/** The values that communicators keep, by their numbers. */
const values = new Map<bigint, unknown>();
let last = 0n;

/**
 * What a value is kept under with communicators, as MPI's own attributes: a library in C that duplicates or frees a communicator
 * has its values copied and let go of as well. Made once, as a constant.
 */
export class Key<T> {
  /** Whether a duplicate of a communicator has its value too: the same object, not a copy of it. */
  readonly copied: boolean;
  private made: NativeKey | undefined;
  /** What it keeps. */
  declare readonly value: T;

  constructor({ copied = false }: { readonly copied?: boolean } = {}) {
    this.copied = copied;
  }

  private get native(): NativeKey {
    return (this.made ??= new native.UpcallMpiKey(this.copied));
  }

  /** @internal */
  set(communicator: NativeCommunicator, value: T): void {
    const number = ++last;
    values.set(number, value);
    checked(() => communicator.set_value(this.native, number, () => values.delete(number)));
  }

  /** @internal */
  get(communicator: NativeCommunicator): T | undefined {
    return values.get(checked(() => communicator.value(this.native))) as T | undefined;
  }

  /** @internal */
  remove(communicator: NativeCommunicator): boolean {
    return checked(() => communicator.remove_value(this.native));
  }
}
