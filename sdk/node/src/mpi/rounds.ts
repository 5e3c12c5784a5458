/** What is made ready once and started again and again. */

import { type ArrayType, bytesOf, type TypedArray } from "./arrays.js";
import { Begun } from "./begun.js";
import * as calls from "./calls.js";
import { countOf, countsOf, elementsOf, rankOf, tagOf } from "./given.js";
import { checked } from "./native.js";
import type { Operation } from "./operation.js";
import { PartitionedReceive, PartitionedSend } from "./partitioned.js";
import { type Persistent, ready } from "./together.js";

/**
 * What is made ready once and started again and again. Calls of all ranks are made ready on all of them, and started, in the same
 * order: MPICH from 4 on has them, and Open MPI as an extension; others throw an `MpiError`, `unsupported`. What is given is an array
 * that is read when a round is started.
 */
export abstract class Rounds extends Begun {
  /** Makes a `barrier` ready. */
  barrierInit(): Persistent<void> {
    return ready(this.native, calls.barrier());
  }

  /** Makes a `broadcast` ready: the array is read at the root, and written elsewhere. */
  broadcastInit<A extends ArrayBufferView>(data: A, root = 0): Persistent<A> {
    return ready(this.native, calls.broadcast(this, data, root));
  }

  /** Makes a `gather` ready. */
  gatherInit<A extends TypedArray>(data: A, root = 0): Persistent<A | undefined> {
    return ready(this.native, calls.gather(this, data, root));
  }

  /** Makes an `allGather` ready. */
  allGatherInit<A extends TypedArray>(data: A): Persistent<A> {
    return ready(this.native, calls.allGather(this, data));
  }

  /** Makes a `scatter` of `length` elements for each rank ready. */
  scatterInit<A extends TypedArray>(of: ArrayType<A>, data: A | undefined, length: number, root = 0): Persistent<A> {
    return ready(this.native, calls.scatter(this, of, data, length, root));
  }

  /** Makes an `allToAll` ready. */
  allToAllInit<A extends TypedArray>(data: A): Persistent<A> {
    return ready(this.native, calls.allToAll(data));
  }

  /** Makes a `gatherParts` of `counts[r]` elements of rank `r` ready. */
  gatherPartsInit<A extends TypedArray>(data: A, counts: readonly number[], root = 0): Persistent<A[] | undefined> {
    return ready(this.native, calls.gatherParts(this, data, counts, root));
  }

  /** As `gatherPartsInit`, for all ranks. */
  allGatherPartsInit<A extends TypedArray>(data: A, counts: readonly number[]): Persistent<A[]> {
    return ready(this.native, calls.allGatherParts(data, counts));
  }

  /** Makes a scatter of `counts[r]` elements for rank `r` ready, which the root has side by side. */
  scatterPartsInit<A extends TypedArray>(
    of: ArrayType<A>, data: A | undefined, counts: readonly number[], root = 0,
  ): Persistent<A> {
    return ready(this.native, calls.scatterSide(this, of, data, counts, root));
  }

  /** Makes an exchange ready: `counts[r]` elements, side by side, for rank `r`, which has `intoCounts[r]` for this one. */
  allToAllPartsInit<A extends TypedArray>(data: A, counts: readonly number[], intoCounts: readonly number[]): Persistent<A[]> {
    const what = "exchange in parts";
    const { BYTES_PER_ELEMENT: size } = elementsOf(data, what);
    const sent = countsOf(counts, what, "counts").map((count) => count * size);
    return ready(this.native, calls.exchangeSide(data.constructor as ArrayType<A>, data, sent, intoCounts));
  }

  /** Makes a `reduce` ready. */
  reduceInit<A extends TypedArray>(data: A, operation: Operation<A>, root = 0): Persistent<A | undefined> {
    return ready(this.native, calls.reduce(this, data, operation, root));
  }

  /** Makes an `allReduce` ready. */
  allReduceInit<A extends TypedArray>(data: A, operation: Operation<A>): Persistent<A> {
    return ready(this.native, calls.allReduce(this, data, operation));
  }

  /** Makes a `reduceScatter` ready. */
  reduceScatterInit<A extends TypedArray>(data: A, operation: Operation<A>, counts?: readonly number[]): Persistent<A> {
    return ready(this.native, calls.reduceScatter(this, data, operation, counts));
  }

  /** Makes a `scan` ready. */
  scanInit<A extends TypedArray>(data: A, operation: Operation<A>): Persistent<A> {
    return ready(this.native, calls.scan(this, data, operation));
  }

  /** Makes an `exclusiveScan` ready. */
  exclusiveScanInit<A extends TypedArray>(data: A, operation: Operation<A>): Persistent<A | undefined> {
    return ready(this.native, calls.exclusiveScan(this, data, operation));
  }

  /**
   * Makes a message of so many partitions ready, of as many bytes each; the receiver may divide it otherwise. MPI 4 has it: Open MPI
   * before 5 throws an `MpiError`, `unsupported`.
   */
  partitionedSendInit(data: ArrayBufferView, partitions: number, to: number, tag = 0): PartitionedSend {
    const what = "make a send in partitions ready";
    const [bytes, rank, number] = [bytesOf(data, what).length, rankOf(to, what, "to"), tagOf(tag, what, "tag")];
    const count = partsOf(partitions, what);
    const made = checked(() => this.native.partitioned_send_init(bytes, count, rank, number));
    return new PartitionedSend(made, data, partitions);
  }

  /** Makes the receive of such a message ready, whose partitions are as the receiver likes. */
  partitionedReceiveInit(into: ArrayBufferView, partitions: number, from: number, tag = 0): PartitionedReceive {
    const what = "make a receive in partitions ready";
    const [bytes, rank, number] = [bytesOf(into, what).length, rankOf(from, what, "from"), tagOf(tag, what, "tag")];
    const count = partsOf(partitions, what);
    const made = checked(() => this.native.partitioned_receive_init(bytes, count, rank, number));
    return new PartitionedReceive(made, into, partitions);
  }
}

function partsOf(partitions: number, what: string): number {
  return Math.min(countOf(partitions, what, "partitions"), 2 ** 31 - 1);
}
