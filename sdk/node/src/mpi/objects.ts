/** Collective calls on objects. */

import { taken } from "./collectives.js";
import { MpiError } from "./error.js";
import { rankOf } from "./given.js";
import { checked } from "./native.js";
import { Rounds } from "./rounds.js";
import { unwritten, Written } from "./serializer.js";

/** Combines the value of lower ranks with that of higher ones. */
export type CombineObjects<T> = (lower: T, higher: T) => T;

/**
 * Calls that all ranks make on values of any kind, which the `serializer` writes and reads. What one rank cannot write is an
 * {@link MpiError} there and on those that would get it. Functions that reduce need not be commutative: values are combined in
 * the order of the ranks, from the left.
 */
export abstract class Objects extends Rounds {
  /** Gives all ranks the value of one. That of the others is not looked at. */
  broadcastObject<T>(value: T | undefined, root = 0): T {
    const rank = rankOf(root, "broadcast", "root");
    if (this.rank !== root) return this.told<T>(new Uint8Array(0), true, rank);
    let data: Uint8Array;
    try {
      data = this.serializer.write(value);
    } catch (thrown) {
      throw this.giveUp(rank, unwritten(thrown));
    }
    this.told(data, true, rank);
    return value as T;
  }

  /** Gives one rank the values of all, in the order of the ranks. The others get nothing. */
  gatherObjects<T>(value: T, root = 0): T[] | undefined {
    const written = new Written(this.serializer, value);
    const all = this.gathered(written.bytes, root);
    written.check();
    return all?.map((bytes, rank) => this.read<T>(bytes, rank));
  }

  /** As `gatherObjects`, for all ranks. */
  allGatherObjects<T>(value: T): T[] {
    const written = new Written(this.serializer, value);
    const all = this.allGathered(written.bytes);
    written.check();
    return all.map((bytes, rank) => this.read<T>(bytes, rank));
  }

  /** Gives each rank its value of those of one, which has as many as there are ranks. */
  scatterObjects<T>(values: readonly T[] | undefined, root = 0): T {
    const written = this.rank === root ? (values ?? []).map((value) => new Written(this.serializer, value)) : [];
    const own = this.scattered(written.map(({ bytes }) => bytes), root);
    for (const one of written) one.check();
    return this.read(own, root);
  }

  /** Each rank has a value for each other: what comes back is what all had for this one. */
  allToAllObjects<T>(values: readonly T[]): T[] {
    const written = values.map((value) => new Written(this.serializer, value));
    const all = this.exchanged(written.map(({ bytes }) => bytes));
    for (const one of written) one.check();
    return all.map((bytes, rank) => this.read(bytes, rank));
  }

  /** Combines the values of all ranks for one of them, where the function is called. The others get nothing. */
  reduceObjects<T>(value: T, combine: CombineObjects<T>, root = 0): T | undefined {
    const all = this.gatherObjects(value, root);
    return all === undefined ? undefined : folded(all, combine);
  }

  /** As `reduceObjects`, for all ranks. The function is called on rank 0: where it fails, all ranks do. */
  allReduceObjects<T>(value: T, combine: CombineObjects<T>): T {
    const written = new Written(this.serializer, value);
    const all = this.gathered(written.bytes, 0);
    let result: T | undefined;
    if (all !== undefined) {
      try {
        written.check();
        result = folded(all.map((bytes, rank) => this.read<T>(bytes, rank)), combine);
      } catch (thrown) {
        throw this.giveUp(0, thrown);
      }
    }
    const reduced = this.broadcastObject(result, 0);
    written.check();
    return reduced;
  }

  /** Combines the values of the ranks up to this one, itself included. */
  scanObjects<T>(value: T, combine: CombineObjects<T>): T {
    return folded(this.allGatherObjects(value).slice(0, this.rank + 1), combine);
  }

  /** As `scanObjects`, without this rank: rank 0 gets nothing. */
  exclusiveScanObjects<T>(value: T, combine: CombineObjects<T>): T | undefined {
    const lower = this.allGatherObjects(value).slice(0, this.rank);
    return lower.length === 0 ? undefined : folded(lower, combine);
  }

  /** Tells the others that there is nothing to get. What is to be thrown here. */
  private giveUp(root: number, thrown: unknown): unknown {
    try {
      this.told(new Uint8Array(0), false, root);
    } catch {
      // It is the error of all, and this rank knows why.
    }
    return thrown;
  }

  private told<T>(data: Uint8Array, valid: boolean, root: number): T {
    const owned = checked(() => this.native.broadcast_any(data, valid, root));
    return taken(owned, (bytes) => (this.rank === root ? undefined : this.serializer.read(bytes.slice()))) as T;
  }

  private read<T>(bytes: Uint8Array, rank: number): T {
    return Written.read(this.serializer, bytes, rank) as T;
  }
}

/** @internal */
export function folded<T>(values: readonly T[], combine: CombineObjects<T>): T {
  try {
    return values.reduce((lower, higher) => combine(lower, higher));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MpiError("operation", `reduce values: the function has thrown: ${why}`, { cause });
  }
}
