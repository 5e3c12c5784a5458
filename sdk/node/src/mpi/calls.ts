/** Calls of all ranks, as what is begun and what is made ready have in common. */

import { type ArrayType, bytesOf, joined, type TypedArray } from "./arrays.js";
import { MpiError } from "./error.js";
import { bytesFor, countsOf, elementsOf, sizeOf } from "./given.js";
import type { Operation } from "./operation.js";
import {
  AllGather, AllGatherParts, AllReduce, AllToAll, AllToAllParts, Barrier, Broadcast, type Call, each, ExclusiveScan, folded, Gather,
  GatherParts, isNative, partOf, Reduce, ReduceScatter, Scan, Scatter, ScatterParts, whole,
} from "./together.js";

/** Who calls. */
export interface Here {
  readonly rank: number;
  readonly size: number;
}

const typeOf = <A extends TypedArray>(data: A): ArrayType<A> => data.constructor as ArrayType<A>;
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
const bytes = (counts: readonly number[], size: number): number[] => counts.map((count) => count * size);

export function barrier(): Call<void> {
  return { what: Barrier, words: "begin to wait for all ranks", room: 0, result: () => undefined };
}

export function broadcast<A extends ArrayBufferView>(here: Here, data: A, root: number): Call<A> {
  const words = "broadcast";
  bytesOf(data, words);
  const result = (into: (array: ArrayBufferView) => void): A => {
    if (here.rank !== root) into(data);
    return data;
  };
  return { what: Broadcast, words, root, data: here.rank === root ? data : undefined, room: data.byteLength, result };
}

export function gather<A extends TypedArray>(here: Here, data: A, root: number): Call<A | undefined> {
  const { byteLength } = elementsOf(data, "gather");
  const all = here.rank === root ? byteLength * here.size : 0;
  const result = whole(typeOf(data), all, "gather");
  return { what: Gather, words: "gather", root, data, room: all, result: (into) => (here.rank === root ? result(into) : undefined) };
}

export function allGather<A extends TypedArray>(here: Here, data: A): Call<A> {
  const all = elementsOf(data, "gather").byteLength * here.size;
  return { what: AllGather, words: "gather", data, room: all, result: whole(typeOf(data), all, "gather") };
}

export function scatter<A extends TypedArray>(
  here: Here, of: ArrayType<A>, data: A | undefined, length: number, root: number,
): Call<A> {
  const own = bytesFor(of, length, "scatter", "length");
  const given = here.rank === root ? data : undefined;
  return { what: Scatter, words: "scatter", root, data: given, room: own, result: whole(of, own, "scatter") };
}

export function allToAll<A extends TypedArray>(data: A): Call<A> {
  const element = elementsOf(data, "exchange").BYTES_PER_ELEMENT;
  const result = whole(typeOf(data), data.byteLength, "exchange");
  return { what: AllToAll, words: "exchange", data, element, room: data.byteLength, result };
}

export function gatherParts<A extends TypedArray>(
  here: Here, data: A, given: readonly number[], root: number,
): Call<A[] | undefined> {
  const words = "gather in parts";
  const [size, counts] = [elementsOf(data, words).BYTES_PER_ELEMENT, countsOf(given, words, "counts")];
  const [is, result] = [here.rank === root, each(typeOf(data), counts, words)];
  const room = is ? sum(counts) * size : 0;
  return {
    what: GatherParts, words, root, data, counts: bytes(counts, size), room, result: (into) => (is ? result(into) : undefined),
  };
}

export function allGatherParts<A extends TypedArray>(data: A, given: readonly number[]): Call<A[]> {
  const words = "gather in parts";
  const [size, counts] = [elementsOf(data, words).BYTES_PER_ELEMENT, countsOf(given, words, "counts")];
  const result = each(typeOf(data), counts, words);
  return { what: AllGatherParts, words, data, counts: bytes(counts, size), room: sum(counts) * size, result };
}

export function scatterParts<A extends TypedArray>(
  here: Here, of: ArrayType<A>, parts: readonly A[] | undefined, counts: readonly number[], root: number,
): Call<A> {
  const data = here.rank === root ? joined(parts ?? [], "scatter in parts").data : undefined;
  return scatterSide(here, of, data, counts, root);
}

/** Of parts that are side by side. */
export function scatterSide<A extends TypedArray>(
  here: Here, of: ArrayType<A>, data: ArrayBufferView | undefined, given: readonly number[], root: number,
): Call<A> {
  const words = "scatter in parts";
  const [size, counts] = [sizeOf(of, words), countsOf(given, words, "counts")];
  const own = (counts[here.rank] ?? 0) * size;
  const parts = here.rank === root ? data : undefined;
  return { what: ScatterParts, words, root, data: parts, counts: bytes(counts, size), room: own, result: whole(of, own, words) };
}

export function allToAllParts<A extends TypedArray>(
  of: ArrayType<A>, parts: readonly A[], counts: readonly number[],
): Call<A[]> {
  const { data, counts: sent } = joined(parts, "exchange in parts");
  return exchangeSide(of, data, Array.from(sent, Number), counts);
}

/** Of parts that are side by side, `sent` in bytes. */
export function exchangeSide<A extends TypedArray>(
  of: ArrayType<A>, data: ArrayBufferView, sent: readonly number[], given: readonly number[],
): Call<A[]> {
  const words = "exchange in parts";
  const [size, counts] = [sizeOf(of, words), countsOf(given, words, "counts")];
  const result = each(of, counts, words);
  return { what: AllToAllParts, words, data, counts: sent, intoCounts: bytes(counts, size), room: sum(counts) * size, result };
}

/** What combines is MPI's; or all elements come, and a function combines them, in the order of the ranks. */
function combining<A extends TypedArray, T>(
  here: Here, what: number, data: A, operation: Operation<A>, root: number, gets: boolean, ranks: number, then: (sum: A) => T,
): Call<T | undefined> {
  elementsOf(data, "reduce");
  if (isNative(operation)) {
    const result = whole(typeOf(data), data.byteLength, "reduce");
    const room = gets || what !== Reduce ? data.byteLength : 0;
    return { what, words: "reduce", root, data, operation, room, result: (into) => (gets ? then(result(into)) : undefined) };
  }
  const call = what === Reduce ? gather(here, data, root) : allGather(here, data);
  return {
    ...call,
    result: (into) => {
      const all = call.result(into);
      const sum = gets && all !== undefined ? folded(all, ranks, data.length, operation) : undefined;
      return sum === undefined ? undefined : then(sum);
    },
  };
}

export function reduce<A extends TypedArray>(here: Here, data: A, operation: Operation<A>, root: number): Call<A | undefined> {
  return combining(here, Reduce, data, operation, root, here.rank === root, here.size, (sum) => sum);
}

export function allReduce<A extends TypedArray>(here: Here, data: A, operation: Operation<A>): Call<A> {
  return combining(here, AllReduce, data, operation, 0, true, here.size, (sum) => sum) as Call<A>;
}

/** How many of the elements that are combined each rank gets. */
export function partsFor(here: Here, data: TypedArray, counts: readonly number[] | undefined): readonly number[] {
  const what = "reduce and scatter";
  const { length } = elementsOf(data, what);
  const lengths = counts === undefined ? Array<number>(here.size).fill(length / here.size) : countsOf(counts, what, "counts");
  if (lengths.length === here.size && sum(lengths) === length && Number.isInteger(lengths[0])) return lengths;
  throw new MpiError("usage", `${what} ${length} elements: [${lengths.join(", ")}] are no parts of that for ${here.size} ranks`);
}

export function reduceScatter<A extends TypedArray>(
  here: Here, data: A, operation: Operation<A>, counts?: readonly number[],
): Call<A> {
  const lengths = partsFor(here, data, counts);
  const own = lengths[here.rank]!;
  if (!isNative(operation)) {
    const first = sum(lengths.slice(0, here.rank));
    return combining(here, AllReduce, data, operation, 0, true, here.size, (sum) => partOf(sum, first, own)) as Call<A>;
  }
  const room = own * data.BYTES_PER_ELEMENT;
  const result = whole(typeOf(data), room, "reduce");
  return { what: ReduceScatter, words: "reduce", data, operation, counts: bytes(lengths, data.BYTES_PER_ELEMENT), room, result };
}

export function scan<A extends TypedArray>(here: Here, data: A, operation: Operation<A>): Call<A> {
  return combining(here, Scan, data, operation, 0, true, here.rank + 1, (sum) => sum) as Call<A>;
}

export function exclusiveScan<A extends TypedArray>(here: Here, data: A, operation: Operation<A>): Call<A | undefined> {
  return combining(here, ExclusiveScan, data, operation, 0, here.rank > 0, here.rank, (sum) => sum);
}
