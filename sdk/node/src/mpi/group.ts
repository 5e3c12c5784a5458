/** Sets of processes. */

import { told } from "../told.js";
import { taken } from "./collectives.js";
import { listOf, rankOf, wholeOf } from "./given.js";
import { checked, type NativeGroup } from "./native.js";

/**
 * How alike two groups or communicators are: one and the same; two communicators of the same processes in the same order; the same
 * processes in another order; other ones.
 */
export type Comparison = "identical" | "congruent" | "similar" | "unequal";

/** @internal */
export const COMPARISONS: readonly Comparison[] = ["identical", "congruent", "similar", "unequal"];

/** Ranks of a group, one in so many: from `first` on to `last`, where a step comes there; `step`, which is 1 by itself, is not 0. */
export interface RankRange {
  readonly first: number;
  readonly last: number;
  readonly step?: number;
}

/**
 * Processes in an order: what a communicator is made of. It passes no messages by itself, and every call on it is of this process
 * alone.
 */
export class Group {
  /** This process's rank in it; `undefined` where it is not in it. */
  readonly rank: number | undefined;
  /** How many processes it has. */
  readonly size: number;

  /** @internal */
  constructor(/** @internal */ readonly native: NativeGroup) {
    const rank = checked(() => native.rank());
    this.rank = rank < 0 ? undefined : rank;
    this.size = checked(() => native.size());
  }

  /** The processes of this one, and then those of the other that are not in it. */
  union(other: Group): Group {
    return new Group(checked(() => this.native.union(groupOf(other, "unite groups", "other"))));
  }

  /** The processes of this one that are in the other, too. */
  intersection(other: Group): Group {
    return new Group(checked(() => this.native.intersection(groupOf(other, "intersect groups", "other"))));
  }

  /** The processes of this one that are not in the other. */
  difference(other: Group): Group {
    return new Group(checked(() => this.native.difference(groupOf(other, "subtract a group", "other"))));
  }

  /** Its processes of these ranks, in this order. Throws an `MpiError` where there is no such rank, or one is there twice. */
  include(ranks: Iterable<number>): Group {
    const numbers = listed(ranks, "include ranks of a group");
    return new Group(checked(() => this.native.include(numbers)));
  }

  /** Its processes without those of these ranks. */
  exclude(ranks: Iterable<number>): Group {
    const numbers = listed(ranks, "exclude ranks of a group");
    return new Group(checked(() => this.native.exclude(numbers)));
  }

  /** Its processes of these ranges of ranks, in their order. Throws an `MpiError` where there is no such rank, or one is there twice. */
  includeRanges(ranges: Iterable<RankRange>): Group {
    const numbers = spans(ranges, "include ranges of a group");
    return new Group(checked(() => this.native.include_ranges(numbers)));
  }

  /** Its processes without those of these ranges of ranks. */
  excludeRanges(ranges: Iterable<RankRange>): Group {
    const numbers = spans(ranges, "exclude ranges of a group");
    return new Group(checked(() => this.native.exclude_ranges(numbers)));
  }

  /** Which ranks those of these ranks have in the other group; `undefined` for those that are not in it. */
  translate(ranks: Iterable<number>, other: Group): (number | undefined)[] {
    const numbers = listed(ranks, "translate ranks");
    return taken(checked(() => this.native.translate(numbers, groupOf(other, "translate ranks", "other"))), (there) => peers(there));
  }

  /** How alike the two are. */
  compare(other: Group): Comparison {
    return COMPARISONS[checked(() => this.native.compare(groupOf(other, "compare groups", "other")))]!;
  }

  /** Frees it. One that is forgotten is kept until MPI ends. */
  free(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** @internal */
export function groupOf(group: Group, what: string, name: string): NativeGroup {
  if (group instanceof Group) return group.native;
  throw new TypeError(`${what}: \`${name}\` has to be a Group of processes, and ${told(group)} is given`);
}

function listed(ranks: Iterable<number>, what: string): Int32Array {
  return Int32Array.from(listOf(ranks, what, "ranks", (rank, name) => rankOf(rank, what, name)));
}

function spans(ranges: Iterable<RankRange>, what: string): Int32Array {
  const numbers = listOf(ranges, what, "ranges", (range, name) => {
    const { first, last, step = 1 } = (range ?? {}) as Partial<RankRange>;
    return [rankOf(first, what, `${name}.first`), rankOf(last, what, `${name}.last`), wholeOf(step, what, `${name}.step`)];
  });
  return Int32Array.from(numbers.flat());
}

/** Ranks of the library's: -1 is nobody. */
export function peers(ranks: Int32Array): (number | undefined)[] {
  return Array.from(ranks, (rank) => (rank < 0 ? undefined : rank));
}
