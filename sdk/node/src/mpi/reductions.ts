/** Reductions: what all ranks have, combined. */

import { told } from "../told.js";
import { type ArrayType, bytesOf, copyOf, like, type TypedArray } from "./arrays.js";
import { partsFor } from "./calls.js";
import { Collectives } from "./collectives.js";
import { MpiError } from "./error.js";
import { alike, elementsOf, rankOf } from "./given.js";
import { checked, native, type NativeCommunicator, type NativeOperation, refuse } from "./native.js";
import { OfHandler } from "./handler.js";
import { type Combine, each, Named, type Operation, Ordered } from "./operation.js";
import { placedPairs, placedOf, type Placed, WithPlace } from "./placed.js";

const { Reduce, AllReduce, Scan, ExclusiveScan } = native.UpcallMpiReduction;

/** What a reduction does with two numbers: an operation of MPI's, or a function. */
export type NumberOperation<T extends number | bigint> = Named | OfHandler | ((from: T, into: T) => T);
/** Numbers as they are meant: the type of `1` is not that of all sums of it. */
type Wide<T extends number | bigint> = T extends number ? number : bigint;

type ByName = (comm: NativeCommunicator, data: Uint8Array, into: Uint8Array, operation: NativeOperation) => void;

/**
 * Reductions of arrays, of which all ranks have as many elements, and of single numbers: a `number` is reduced as a 64-bit float
 * and a `bigint` as a 64-bit integer. Where a function throws, the reduction ends all the same, with an {@link MpiError} on the
 * rank where it has thrown, whose `cause` that is; what has been combined is of no use then, on any rank.
 */
export abstract class Reductions extends Collectives {
  /** Combines the elements of all ranks for one of them. The others get nothing. */
  reduce<T extends number | bigint>(value: T, operation: NumberOperation<Wide<T>>, root?: number): Wide<T> | undefined;
  reduce<A extends TypedArray>(data: Placed<A>, operation: WithPlace, root?: number): Placed<A> | undefined;
  reduce<A extends TypedArray>(data: A, operation: Operation<A>, root?: number): A | undefined;
  reduce(data: TypedArray | Placed<TypedArray> | number | bigint, operation: never, root = 0): unknown {
    const [array, by, result] = given(data, operation);
    const into = like(array, this.rank === root ? array.length : 0);
    this.reduceInto(array, into, by, root);
    return this.rank === root ? result(into) : undefined;
  }

  /** As `reduce`, into an array that the root has. */
  reduceInto<A extends TypedArray>(data: A, into: A | undefined, operation: Operation<A>, root = 0): void {
    const rank = rankOf(root, "reduce", "root");
    const target = into ?? like(elementsOf(data, "reduce"), 0);
    this.combine(Reduce, data, target, operation, rank, (comm, bytes, to, by) => comm.reduce(bytes, to, by, rank));
  }

  /** As `reduce`, for all ranks. */
  allReduce<T extends number | bigint>(value: T, operation: NumberOperation<Wide<T>>): Wide<T>;
  allReduce<A extends TypedArray>(data: Placed<A>, operation: WithPlace): Placed<A>;
  allReduce<A extends TypedArray>(data: A, operation: Operation<A>): A;
  allReduce(data: TypedArray | Placed<TypedArray> | number | bigint, operation: never): unknown {
    const [array, by, result] = given(data, operation);
    const into = like(array, array.length);
    this.allReduceInto(array, into, by);
    return result(into);
  }

  /** As `allReduce`, into an array, which may be the same. */
  allReduceInto<A extends TypedArray>(data: A, into: A, operation: Operation<A>): void {
    elementsOf(data, "reduce");
    elementsOf(into, "reduce");
    // MPI wants two arrays that do not overlap, or one.
    const same = data.buffer === into.buffer && data.byteOffset === into.byteOffset && data.byteLength === into.byteLength;
    const from = same && !(isMade(operation)) ? copyOf(data, 0, data.length) : data;
    this.combine(AllReduce, from, into, operation, 0, (comm, bytes, to, by) =>
      same ? comm.all_reduce_in_place(to, by) : comm.all_reduce(bytes, to, by));
  }

  /** As `allReduce`; where the operation failed on one rank it is an error on all of them, for one small exchange more. */
  allReduceChecked<A extends TypedArray>(data: A, operation: Operation<A>): A {
    const into = like(data, elementsOf(data, "reduce").length);
    let failure: MpiError | undefined;
    try {
      this.allReduceInto(data, into, operation);
    } catch (thrown) {
      if (!(thrown instanceof MpiError && thrown.kind === "operation")) throw thrown;
      failure = thrown;
    }
    const failed = this.allReduce(failure === undefined ? 0 : 1, MAX);
    if (failure !== undefined) throw failure;
    if (failed !== 0) throw new MpiError("operation", "reduce for all ranks: the operation has failed on another rank");
    return into;
  }

  /** Combines the elements of all ranks and gives each its part: `counts[r]` of them for rank `r`, or as many for each. */
  reduceScatter<A extends TypedArray>(data: A, operation: Operation<A>, counts?: readonly number[]): A {
    const lengths = partsFor(this, data, counts);
    const length = lengths[this.rank]!;
    if (!(isMade(operation))) {
      const all = this.allReduce(data, operation);
      const first = lengths.slice(0, this.rank).reduce((sum, count) => sum + count, 0);
      return copyOf(all, first, length);
    }
    const into = like(data, length);
    const sizes = BigUint64Array.from(lengths, (count) => BigInt(count * data.BYTES_PER_ELEMENT));
    const [bytes, target, by] = [bytesOf(data, "reduce"), bytesOf(into, "reduce"), operation.of(data)];
    checked(() => this.native.reduce_scatter(bytes, target, sizes, by));
    return into;
  }

  /** Combines the elements of the ranks up to this one, itself included. */
  scan<T extends number | bigint>(value: T, operation: NumberOperation<Wide<T>>): Wide<T>;
  scan<A extends TypedArray>(data: Placed<A>, operation: WithPlace): Placed<A>;
  scan<A extends TypedArray>(data: A, operation: Operation<A>): A;
  scan(data: TypedArray | Placed<TypedArray> | number | bigint, operation: never): unknown {
    const [array, by, result] = given(data, operation);
    const into = like(array, array.length);
    this.combine(Scan, array, into, by, 0, (comm, bytes, to, by) => comm.scan(bytes, to, by));
    return result(into);
  }

  /** As `scan`, without this rank: rank 0 gets nothing. */
  exclusiveScan<T extends number | bigint>(value: T, operation: NumberOperation<Wide<T>>): Wide<T> | undefined;
  exclusiveScan<A extends TypedArray>(data: Placed<A>, operation: WithPlace): Placed<A> | undefined;
  exclusiveScan<A extends TypedArray>(data: A, operation: Operation<A>): A | undefined;
  exclusiveScan(data: TypedArray | Placed<TypedArray> | number | bigint, operation: never): unknown {
    const [array, by, result] = given(data, operation);
    const into = like(array, array.length);
    this.combine(ExclusiveScan, array, into, by, 0, (comm, bytes, to, by) => comm.exclusive_scan(bytes, to, by));
    return this.rank === 0 ? undefined : result(into);
  }

  private combine<A extends TypedArray>(
    what: number, data: A, into: A, operation: Operation<A>, root: number, named: ByName,
  ): void {
    const [bytes, target] = [bytesOf(data, "reduce"), bytesOf(into, "reduce")];
    if (data.constructor !== into.constructor) alike(data, into, "reduce");
    if (isMade(operation)) {
      const by = operation.of(data);
      checked(() => named(this.native, bytes, target, by));
      return;
    }
    const ordered = operation instanceof Ordered;
    const call = ordered ? operation.combine : operation;
    if (typeof call !== "function") {
      throw new TypeError(`reduce: wanted is an operation, as \`Sum\`, or a function, and ${told(operation)} is given`);
    }
    let failed: { readonly cause: unknown } | undefined;
    const combine = (from: Uint8Array, into: Uint8Array): number => {
      try {
        onChunk(data, call, from, into);
        return 0;
      } catch (cause) {
        failed ??= { cause };
        return 1;
      }
    };
    try {
      checked(() => this.native.reduce_by(what, bytes, target, root, data.BYTES_PER_ELEMENT, !ordered, combine));
    } catch (thrown) {
      if (failed === undefined || !(thrown instanceof MpiError)) throw thrown;
      throw new MpiError("operation", thrown.message, failed);
    }
  }
}

const MAX = new Named("Max");

/** Whether it is an operation of the library's, and no function. */
function isMade(operation: unknown): operation is Named | OfHandler | WithPlace {
  return operation instanceof Named || operation instanceof OfHandler || operation instanceof WithPlace;
}

/** An array of what is to be reduced, with what, and what becomes of the result. */
function given(
  data: TypedArray | Placed<TypedArray> | number | bigint,
  operation: Operation<TypedArray> | NumberOperation<number | bigint> | WithPlace,
): [TypedArray, Operation<TypedArray>, (into: TypedArray) => unknown] {
  if (operation instanceof WithPlace) {
    const pairs = placedPairs(data);
    return [pairs, operation.on((data as Placed<TypedArray>).values) as never, (into) => placedOf(into as Uint8Array, data as Placed<TypedArray>)];
  }
  if (typeof data === "object" && data !== null && "values" in data && "places" in data) {
    throw new MpiError("usage", "reduce numbers with places: by MinWithPlace or MaxWithPlace, and by nothing else");
  }
  if (typeof data !== "number" && typeof data !== "bigint") {
    return [elementsOf(data, "reduce") as TypedArray, operation as Operation<TypedArray>, (into) => into];
  }
  const one = typeof operation === "function" ? each<TypedArray>(operation as never) : operation;
  const first = (into: TypedArray): unknown => into[0];
  if (typeof data === "number") return [Float64Array.of(data), one, first];
  if (BigInt.asIntN(64, data) === data) return [BigInt64Array.of(data), one, first];
  throw new RangeError(`reduce ${data}: it does not fit into 64 bits`);
}

const busy = (): MpiError => new MpiError("usage", "call MPI in a function of a reduction: that is not over, and MPI waits for it");

/** Calls a function with a chunk of MPI's, as arrays of this type. */
function onChunk<A extends TypedArray>(like: A, call: Combine<A>, from: Uint8Array, into: Uint8Array): void {
  const of = like.constructor as ArrayType<A>;
  const [source, target] = [arrayOver(of, from), arrayOver(of, into)];
  const before = refuse(busy);
  try {
    const answer = call(source, target) as unknown;
    if (typeof (answer as PromiseLike<unknown> | undefined)?.then === "function") {
      throw new TypeError("a function of a reduction returned a promise: MPI waits for no event loop");
    }
  } finally {
    refuse(before);
  }
  if (target.buffer !== into.buffer) into.set(bytesOf(target, "reduce"));
}

/** The same memory as an array; a copy where it does not lie as the array wants it. */
function arrayOver<A extends TypedArray>(of: ArrayType<A>, bytes: Uint8Array): A {
  const view = of as unknown as {
    new (buffer: ArrayBufferLike, offset: number, length: number): A;
    from(buffer: ArrayBufferLike, offset: number, length: number): A;
  };
  const size = of.BYTES_PER_ELEMENT ?? 1;
  if ("alloc" in of) return view.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const lies = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new view(lies.buffer, lies.byteOffset, lies.length / size);
}
