/** Calls of all ranks that go on while the program does. */

import type { ArrayType, TypedArray } from "./arrays.js";
import * as calls from "./calls.js";
import type { Operation } from "./operation.js";
import { Reductions } from "./reductions.js";
import type { Request } from "./request.js";
import { begun } from "./together.js";

/**
 * Calls of all ranks that are begun: each rank begins the same, in the same order. What is given may be changed at once; what comes
 * is what comes of the request. Where a function combines, the elements of all ranks come, and it is called when they have, in the
 * order of the ranks.
 */
export abstract class Begun extends Reductions {
  /** Begins to wait for all ranks: it ends when all have begun it. */
  startBarrier(): Request<void> {
    return begun(this.native, calls.barrier());
  }

  /** Begins a `broadcast`: the array is written when the request is found to have ended, but at the root. */
  startBroadcast<A extends ArrayBufferView>(data: A, root = 0): Request<A> {
    return begun(this.native, calls.broadcast(this, data, root));
  }

  /** Begins a `gather`. */
  startGather<A extends TypedArray>(data: A, root = 0): Request<A | undefined> {
    return begun(this.native, calls.gather(this, data, root));
  }

  /** Begins an `allGather`. */
  startAllGather<A extends TypedArray>(data: A): Request<A> {
    return begun(this.native, calls.allGather(this, data));
  }

  /** Begins a `scatter` of `length` elements for each rank, which all say. */
  startScatter<A extends TypedArray>(of: ArrayType<A>, data: A | undefined, length: number, root = 0): Request<A> {
    return begun(this.native, calls.scatter(this, of, data, length, root));
  }

  /** Begins an `allToAll`. */
  startAllToAll<A extends TypedArray>(data: A): Request<A> {
    return begun(this.native, calls.allToAll(data));
  }

  /** Begins a `gatherParts` of `counts[r]` elements of rank `r`, the same counts on all ranks. */
  startGatherParts<A extends TypedArray>(data: A, counts: readonly number[], root = 0): Request<A[] | undefined> {
    return begun(this.native, calls.gatherParts(this, data, counts, root));
  }

  /** As `startGatherParts`, for all ranks. */
  startAllGatherParts<A extends TypedArray>(data: A, counts: readonly number[]): Request<A[]> {
    return begun(this.native, calls.allGatherParts(data, counts));
  }

  /** Begins a `scatterParts` of `counts[r]` elements for rank `r`, the same counts on all ranks. */
  startScatterParts<A extends TypedArray>(
    of: ArrayType<A>, parts: readonly A[] | undefined, counts: readonly number[], root = 0,
  ): Request<A> {
    return begun(this.native, calls.scatterParts(this, of, parts, counts, root));
  }

  /** Begins an `allToAllParts`, where rank `r` has `counts[r]` elements for this one. */
  startAllToAllParts<A extends TypedArray>(of: ArrayType<A>, parts: readonly A[], counts: readonly number[]): Request<A[]> {
    return begun(this.native, calls.allToAllParts(of, parts, counts));
  }

  /** Begins a `reduce`. */
  startReduce<A extends TypedArray>(data: A, operation: Operation<A>, root = 0): Request<A | undefined> {
    return begun(this.native, calls.reduce(this, data, operation, root));
  }

  /** Begins an `allReduce`. */
  startAllReduce<A extends TypedArray>(data: A, operation: Operation<A>): Request<A> {
    return begun(this.native, calls.allReduce(this, data, operation));
  }

  /** Begins a `reduceScatter`. */
  startReduceScatter<A extends TypedArray>(data: A, operation: Operation<A>, counts?: readonly number[]): Request<A> {
    return begun(this.native, calls.reduceScatter(this, data, operation, counts));
  }

  /** Begins a `scan`. */
  startScan<A extends TypedArray>(data: A, operation: Operation<A>): Request<A> {
    return begun(this.native, calls.scan(this, data, operation));
  }

  /** Begins an `exclusiveScan`. */
  startExclusiveScan<A extends TypedArray>(data: A, operation: Operation<A>): Request<A | undefined> {
    return begun(this.native, calls.exclusiveScan(this, data, operation));
  }
}
