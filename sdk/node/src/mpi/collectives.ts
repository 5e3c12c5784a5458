/** Calls that all ranks make. */

import { type ArrayType, bytesOf, copied, joined, like, parted, type TypedArray } from "./arrays.js";
import { alike, elementsOf, rankOf, sizeOf } from "./given.js";
import { Modes } from "./modes.js";
import { checked } from "./native.js";

const NONE = new Uint8Array(0);

/** Calls that all ranks make, in the same order. */
export abstract class Collectives extends Modes {
  /** Waits until all ranks have called it. */
  barrier(): void {
    checked(() => this.native.barrier());
  }

  /** Gives all ranks the elements of one, of which all have as many: they replace those of the others. */
  broadcast(data: ArrayBufferView, root = 0): void {
    const [bytes, rank] = [bytesOf(data, "broadcast"), rankOf(root, "broadcast", "root")];
    checked(() => this.native.broadcast(bytes, rank));
  }

  /** Gives one rank the elements of all, of which all have as many, in the order of the ranks. The others get nothing. */
  gather<A extends TypedArray>(data: A, root = 0): A | undefined {
    const { length } = elementsOf(data, "gather");
    const into = this.rank === root ? like(data, length * this.size) : undefined;
    this.gatherInto(data, into, root);
    return into;
  }

  /** As `gather`, into an array that the root has. */
  gatherInto(data: ArrayBufferView, into: ArrayBufferView | undefined, root = 0): void {
    const [bytes, rank] = [bytesOf(data, "gather"), rankOf(root, "gather", "root")];
    const target = into === undefined ? NONE : bytesOf(into, "gather");
    if (into !== undefined) alike(data, into, "gather");
    checked(() => this.native.gather(bytes, target, rank));
  }

  /** As `gather`, where each rank may have another number: an array of each. */
  gatherParts<A extends TypedArray>(data: A, root = 0): A[] | undefined {
    const parts = this.gathered(bytesOf(elementsOf(data, "gather"), "gather"), root);
    return parts?.map((part) => copied(data.constructor as ArrayType<A>, part, "gather"));
  }

  /** As `gather`, for all ranks. */
  allGather<A extends TypedArray>(data: A): A {
    const into = like(data, elementsOf(data, "gather").length * this.size);
    this.allGatherInto(data, into);
    return into;
  }

  /** As `allGather`, into an array. */
  allGatherInto(data: ArrayBufferView, into: ArrayBufferView): void {
    const [bytes, target] = [bytesOf(data, "gather"), bytesOf(into, "gather")];
    alike(data, into, "gather");
    checked(() => this.native.all_gather(bytes, target));
  }

  /** As `allGather`, where each rank may have another number: an array of each. */
  allGatherParts<A extends TypedArray>(data: A): A[] {
    const parts = this.allGathered(bytesOf(elementsOf(data, "gather"), "gather"));
    return parts.map((part) => copied(data.constructor as ArrayType<A>, part, "gather"));
  }

  /** Gives each rank its part of what one has, all of them as long. `data` counts at the root. */
  scatter<A extends TypedArray>(of: ArrayType<A>, data: A | undefined, root = 0): A {
    const [rank, size] = [rankOf(root, "scatter", "root"), sizeOf(of, "scatter")];
    const bytes = this.rank === root && data !== undefined ? bytesOf(data, "scatter") : NONE;
    return taken(checked(() => this.native.scatter(bytes, size, rank)), (own) => copied(of, own, "scatter"));
  }

  /** As `scatter`, into an array that is as long on all ranks. */
  scatterInto(data: ArrayBufferView | undefined, into: ArrayBufferView, root = 0): void {
    const [target, rank] = [bytesOf(into, "scatter"), rankOf(root, "scatter", "root")];
    const bytes = this.rank === root && data !== undefined ? bytesOf(data, "scatter") : NONE;
    if (this.rank === root && data !== undefined) alike(data, into, "scatter");
    checked(() => this.native.scatter_into(bytes, target, rank));
  }

  /** As `scatter`, where the root has an array for each rank, of any length. */
  scatterParts<A extends TypedArray>(of: ArrayType<A>, parts: readonly A[] | undefined, root = 0): A {
    sizeOf(of, "scatter");
    return copied(of, this.scattered(parts, root), "scatter");
  }

  /** Each rank has a part for each other, all of them as long: what comes back is what all had for this one. */
  allToAll<A extends TypedArray>(data: A): A {
    const into = like(data, elementsOf(data, "exchange").length);
    this.allToAllInto(data, into);
    return into;
  }

  /** As `allToAll`, into an array. */
  allToAllInto<A extends TypedArray>(data: A, into: A): void {
    const [bytes, target] = [bytesOf(elementsOf(data, "exchange"), "exchange"), bytesOf(into, "exchange")];
    alike(data, into, "exchange");
    checked(() => this.native.all_to_all(bytes, target, data.BYTES_PER_ELEMENT));
  }

  /** As `allToAll`, with an array of any length for each rank. */
  allToAllParts<A extends TypedArray>(of: ArrayType<A>, parts: readonly A[]): A[] {
    sizeOf(of, "exchange");
    return this.exchanged(parts).map((part) => copied(of, part, "exchange"));
  }

  /** @internal The bytes of each rank, at the root. */
  protected gathered(data: Uint8Array, root: number): Uint8Array[] | undefined {
    const rank = rankOf(root, "gather", "root");
    const counts = new BigUint64Array(this.size);
    const parts = taken(checked(() => this.native.gather_parts(data, counts, rank)), (all) => parted(all, counts));
    return this.rank === root ? parts : undefined;
  }

  /** @internal The bytes of each rank. */
  protected allGathered(data: Uint8Array): Uint8Array[] {
    const counts = new BigUint64Array(this.size);
    return taken(checked(() => this.native.all_gather_parts(data, counts)), (all) => parted(all, counts));
  }

  /** @internal A copy of the bytes that the root has for this rank. */
  protected scattered(parts: readonly ArrayBufferView[] | undefined, root: number): Uint8Array {
    const rank = rankOf(root, "scatter", "root");
    const { data, counts } = joined(this.rank === root ? (parts ?? []) : [], "scatter");
    return taken(checked(() => this.native.scatter_parts(data, counts, rank)), (own) => own.slice());
  }

  /** @internal The bytes that each rank has for this one. */
  protected exchanged(parts: readonly ArrayBufferView[]): Uint8Array[] {
    const { data, counts } = joined(parts, "exchange");
    const received = new BigUint64Array(this.size);
    const all = checked(() => this.native.all_to_all_parts(data, counts, received));
    return taken(all, (all) => parted(all, received));
  }
}

/** Uses bytes of the library's, and gives them back. */
export function taken<T, A = Uint8Array>(owned: { readonly array: A; release(): void }, use: (array: A) => T): T {
  try {
    return use(owned.array);
  } finally {
    owned.release();
  }
}
