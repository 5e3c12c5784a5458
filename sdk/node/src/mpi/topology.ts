/** Communicators whose ranks have neighbors. */

import { type ArrayType, bytesOf, copied, joined, like, parted, type TypedArray } from "./arrays.js";
import { taken } from "./collectives.js";
import { Communicator, kinds } from "./communicator.js";
import { MpiError } from "./error.js";
import { alike, elementsOf, listOf, rankOf, sizeOf, wholeOf } from "./given.js";
import { peers } from "./group.js";
import { checked, type NativeCommunicator } from "./native.js";

/**
 * A communicator whose ranks have neighbors: those that a rank receives from, and those that it sends to. What is called here, all
 * ranks call in the same order.
 */
export abstract class Neighborhood extends Communicator {
  /** The ranks that this one receives from, in the order in which their parts arrive; `undefined`: nobody is there. */
  readonly sources: readonly (number | undefined)[];
  /** The ranks that this one sends to, in the order of their parts. */
  readonly targets: readonly (number | undefined)[];

  /** @internal */
  constructor(native: NativeCommunicator) {
    super(native);
    this.sources = taken(checked(() => native.neighbor_sources()), peers);
    this.targets = taken(checked(() => native.neighbor_targets()), peers);
  }

  /** Gives elements to each target, and gets those of each source, of which all have as many: zeroes of a source that is nobody. */
  neighborAllGather<A extends TypedArray>(data: A): A {
    const into = like(data, elementsOf(data, "gather of neighbors").length * this.sources.length);
    this.neighborAllGatherInto(data, into);
    return into;
  }

  /** As `neighborAllGather`, into an array: the room of a source that is nobody stays as it is. */
  neighborAllGatherInto(data: ArrayBufferView, into: ArrayBufferView): void {
    const what = "gather of neighbors";
    const [bytes, target] = [bytesOf(data, what), bytesOf(into, what)];
    alike(data, into, what);
    checked(() => this.native.neighbor_all_gather(bytes, target));
  }

  /** As `neighborAllGather`, where each rank may have another number: an array of each source, empty of nobody. */
  neighborAllGatherParts<A extends TypedArray>(data: A): A[] {
    const bytes = bytesOf(elementsOf(data, "gather of neighbors"), "gather of neighbors");
    const counts = new BigUint64Array(this.sources.length);
    const parts = taken(checked(() => this.native.neighbor_all_gather_parts(bytes, counts)), (all) => parted(all, counts));
    return parts.map((part) => copied(data.constructor as ArrayType<A>, part, "gather of neighbors"));
  }

  /** Gives each target its part of some elements, all of them as long, and gets one of each source: zeroes of nobody. */
  neighborAllToAll<A extends TypedArray>(data: A): A {
    const { length } = this.targets;
    elementsOf(data, "exchange with neighbors");
    if (length > 0 && data.length % length !== 0) {
      throw new MpiError("usage", `exchange with neighbors: ${data.length} elements are no multiple of the ${length} targets`);
    }
    const into = like(data, length === 0 ? 0 : (data.length / length) * this.sources.length);
    this.neighborAllToAllInto(data, into);
    return into;
  }

  /** As `neighborAllToAll`, into an array: the room of a source that is nobody stays as it is. */
  neighborAllToAllInto<A extends TypedArray>(data: A, into: A): void {
    const what = "exchange with neighbors";
    const [bytes, target] = [bytesOf(data, what), bytesOf(into, what)];
    alike(data, into, what);
    const { sources, targets } = this;
    const each = targets.length > 0 ? bytes.length / targets.length : sources.length > 0 ? target.length / sources.length : 0;
    checked(() => this.native.neighbor_all_to_all(bytes, target, Math.floor(each)));
  }

  /** As `neighborAllToAll`, with an array of any length for each target; what comes back is one of each source. */
  neighborAllToAllParts<A extends TypedArray>(of: ArrayType<A>, parts: readonly A[]): A[] {
    sizeOf(of, "exchange with neighbors");
    const { data, counts } = joined(parts, "exchange with neighbors");
    const received = new BigUint64Array(this.sources.length);
    const all = checked(() => this.native.neighbor_all_to_all_parts(data, counts, received));
    return taken(all, (all) => parted(all, received)).map((part) => copied(of, part, "exchange with neighbors"));
  }
}

/** A communicator whose ranks have the neighbors that were said. */
export class Graph extends Neighborhood {
  /** The same graph, whose messages never meet those of this one. Collective. */
  override duplicate(): Graph {
    return this.made(new Graph(checked(() => this.native.duplicate())));
  }
}

/**
 * A communicator whose ranks lie on a grid, in the order of rows: the last coordinate changes first. The neighbors of a rank are, for
 * each dimension, the one before and the one behind.
 */
export class Cartesian extends Neighborhood {
  /** How many ranks lie along each dimension. */
  readonly sizes: readonly number[];
  /** Of each dimension, whether the last rank's neighbor is the first. */
  readonly periodic: readonly boolean[];
  /** Where this rank is. */
  readonly coordinates: readonly number[];

  /** @internal */
  constructor(native: NativeCommunicator) {
    super(native);
    this.sizes = taken(checked(() => native.cartesian_sizes()), (sizes) => [...sizes]);
    this.periodic = taken(checked(() => native.cartesian_periodic()), (flags) => Array.from(flags, (flag) => flag !== 0));
    this.coordinates = this.coordinatesOf(this.rank);
  }

  /** Where a rank is. */
  coordinatesOf(rank: number): number[] {
    const of = rankOf(rank, "look for a rank on a grid", "rank");
    return taken(checked(() => this.native.cartesian_coordinates(of)), (coordinates) => [...coordinates]);
  }

  /** Who is there; `undefined` where nobody is. Along a periodic dimension any whole number is a coordinate. */
  rankOf(coordinates: readonly number[]): number | undefined {
    const what = "look for a place on a grid";
    const at = Int32Array.from(listOf(coordinates, what, "coordinates", (coordinate, name) => wholeOf(coordinate, what, name)));
    const rank = checked(() => this.native.cartesian_rank(at));
    return rank < 0 ? undefined : rank;
  }

  /** Whom this rank receives from and whom it sends to, where all move so many steps along a dimension; `undefined` is nobody. */
  shift(dimension: number, steps = 1): { readonly source: number | undefined; readonly target: number | undefined } {
    const along = rankOf(dimension, "shift along a dimension", "dimension");
    const by = wholeOf(steps, "shift along a dimension", "steps");
    const [source, target] = taken(checked(() => this.native.cartesian_shift(along, by)), peers);
    return { source, target };
  }

  /** This rank's part of the grid with the dimensions that are kept: of rows and columns, `[false, true]` is its row. Collective. */
  subGrid(kept: readonly boolean[]): Cartesian {
    const flags = Uint8Array.from(listOf(kept, "take a part of a grid", "kept", Number));
    return this.made(new Cartesian(checked(() => this.native.cartesian_part(flags))));
  }

  /** The same grid, whose messages never meet those of this one. Collective. */
  override duplicate(): Cartesian {
    return this.made(new Cartesian(checked(() => this.native.duplicate())));
  }
}

Object.assign(kinds, { Cartesian, Graph });
