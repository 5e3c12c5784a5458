/** Two groups of processes. */

import { told } from "../told.js";
import { type ArrayType, bytesOf, copied, copyOf, joined, like, parted, type TypedArray } from "./arrays.js";
import { taken } from "./collectives.js";
import { Communicator } from "./communicator.js";
import { MpiError } from "./error.js";
import { type Comparison, COMPARISONS, Group } from "./group.js";
import { Modes } from "./modes.js";
import { checked } from "./native.js";
import { type CombineObjects, folded } from "./objects.js";
import { Named, type Operation, Ordered } from "./operation.js";
import { type Root, rootOf } from "./root.js";
import { unwritten, Written } from "./serializer.js";

const NONE = new Uint8Array(0);

/**
 * Two groups of processes that have none in common. Every rank that is sent to or received from, and every {@link Root}, is one of
 * the other group; what all do together goes from one group to the other, or both ways. It is made of two communicators
 * (`intercommunicator`), by starting processes (`spawn`), or by a port.
 */
export class Intercommunicator extends Modes {
  /** How many processes the other group has. `rank` and `size` are of this one. */
  get remoteSize(): number {
    return checked(() => this.native.remote_size());
  }

  /** This group's processes. */
  group(): Group {
    return new Group(checked(() => this.native.group()));
  }

  /** The other group's processes. */
  remoteGroup(): Group {
    return new Group(checked(() => this.native.remote_group()));
  }

  /** How alike this one and another are: a duplicate is congruent. */
  compare(other: Intercommunicator): Comparison {
    if (!(other instanceof Intercommunicator)) {
      throw new TypeError(`compare intercommunicators: wanted is an Intercommunicator, and ${told(other)} is given`);
    }
    return COMPARISONS[checked(() => this.native.compare(other.native))]!;
  }

  /** Its name, as debuggers and profilers show it; empty where it has none. It may be set, on this process. */
  get name(): string {
    return checked(() => this.native.name_());
  }

  set name(name: string) {
    checked(() => this.native.set_name(name));
  }

  /** The same groups, whose messages never meet those of this one. Collective over both. */
  duplicate(): Intercommunicator {
    const made = new Intercommunicator(checked(() => this.native.duplicate()));
    made.serializer = this.serializer;
    return made;
  }

  /**
   * All processes of both groups in one communicator: first those of the group that says that it is not `high`. Where both say the
   * same, MPI chooses. Collective over both.
   */
  merge(high: boolean): Communicator {
    const made = new Communicator(checked(() => this.native.merge(high)));
    made.serializer = this.serializer;
    return made;
  }

  /**
   * Ends it when all messages have arrived, after which neither group waits for the other where it finalizes MPI. Collective over
   * both.
   */
  disconnect(): void {
    checked(() => this.native.disconnect());
  }

  /** Waits until all ranks of both groups have called it. */
  barrier(): void {
    checked(() => this.native.barrier());
  }

  /** Gives all ranks of the other group the root's elements, of which all have as many: they replace theirs. */
  broadcast(data: ArrayBufferView, root: Root): void {
    const [bytes, at] = [bytesOf(data, "broadcast"), rootOf(root, "broadcast")];
    checked(() => this.native.inter_broadcast(root === "beside" ? NONE : bytes, at));
  }

  /** Gives all ranks of the other group the root's value. The root's own group gets nothing. */
  broadcastObject<T>(value: T | undefined, root: Root): T | undefined {
    const at = rootOf(root, "broadcast");
    let [data, failure]: [Uint8Array, MpiError?] = [NONE];
    if (root === "here") {
      try {
        data = this.serializer.write(value);
      } catch (thrown) {
        failure = unwritten(thrown);
      }
    }
    let got;
    try {
      got = checked(() => this.native.inter_broadcast_any(data, failure === undefined, at));
    } catch (thrown) {
      throw failure ?? thrown;
    }
    return taken(got, (bytes) => (typeof root === "number" ? (this.serializer.read(bytes.slice()) as T) : undefined));
  }

  /** Gives the root the elements of the other group's ranks, of which all have as many. What does not count may be left out. */
  gatherInto(data: ArrayBufferView | undefined, into: ArrayBufferView | undefined, root: Root): void {
    const at = rootOf(root, "gather");
    const from = typeof root === "number" ? bytesOf(data!, "gather") : NONE;
    const target = root === "here" ? bytesOf(into!, "gather") : NONE;
    checked(() => this.native.inter_gather(from, target, at));
  }

  /** Gives the root an array of each rank of the other group, of any length. The others get nothing. */
  gatherParts<A extends TypedArray>(of: ArrayType<A>, data: A | undefined, root: Root): A[] | undefined {
    const from = typeof root === "number" ? bytesOf(data!, "gather") : NONE;
    return this.gathered(from, root)?.map((part) => copied(of, part, "gather"));
  }

  /** Gives the root the values of the other group's ranks, in their order. The others get nothing. */
  gatherObjects<T>(value: T | undefined, root: Root): T[] | undefined {
    const written = typeof root === "number" ? new Written(this.serializer, value) : undefined;
    const all = this.gathered(written?.bytes ?? NONE, root);
    written?.check();
    return all?.map((bytes, rank) => Written.read(this.serializer, bytes, rank) as T);
  }

  /** Gives each rank of the other group its part of what the root has, as long as `into` there. */
  scatterInto(data: ArrayBufferView | undefined, into: ArrayBufferView | undefined, root: Root): void {
    const at = rootOf(root, "scatter");
    const from = root === "here" ? bytesOf(data!, "scatter") : NONE;
    const target = typeof root === "number" ? bytesOf(into!, "scatter") : NONE;
    checked(() => this.native.inter_scatter_into(from, target, at));
  }

  /** Gives each rank of the other group one of the root's arrays, of any length. The root's own group gets nothing. */
  scatterParts<A extends TypedArray>(of: ArrayType<A>, parts: readonly A[] | undefined, root: Root): A | undefined {
    const own = this.scattered(parts, root);
    return own && copied(of, own, "scatter");
  }

  /** Gives each rank of the other group one of the root's values, of which there are as many. The root's own group gets nothing. */
  scatterObjects<T>(values: readonly T[] | undefined, root: Root): T | undefined {
    const written = root === "here" ? (values ?? []).map((value) => new Written(this.serializer, value)) : [];
    const own = this.scattered(written.map(({ bytes }) => bytes), root);
    for (const one of written) one.check();
    return own && (Written.read(this.serializer, own, typeof root === "number" ? root : 0) as T);
  }

  /** Gives each group the elements of all ranks of the other, of which all of a group have as many. */
  allGatherInto(data: ArrayBufferView, into: ArrayBufferView): void {
    const [bytes, target] = [bytesOf(data, "gather"), bytesOf(into, "gather")];
    checked(() => this.native.inter_all_gather(bytes, target));
  }

  /** Gives each group an array of each rank of the other, of any length. */
  allGatherParts<A extends TypedArray>(data: A): A[] {
    return this.allGathered(bytesOf(data, "gather")).map((part) => copied(data.constructor as ArrayType<A>, part, "gather"));
  }

  /** Gives each group the values of all ranks of the other. */
  allGatherObjects<T>(value: T): T[] {
    const written = new Written(this.serializer, value);
    const all = this.allGathered(written.bytes);
    written.check();
    return all.map((bytes, rank) => Written.read(this.serializer, bytes, rank) as T);
  }

  /** Each rank has a part for each of the other group, all of them as long. */
  allToAllInto<A extends TypedArray>(data: A, into: A): void {
    const [bytes, target] = [bytesOf(data, "exchange"), bytesOf(into, "exchange")];
    checked(() => this.native.inter_all_to_all(bytes, target, data.BYTES_PER_ELEMENT));
  }

  /** Each rank has an array of any length for each of the other group: what comes is what those had for this one. */
  allToAllParts<A extends TypedArray>(of: ArrayType<A>, parts: readonly A[]): A[] {
    return this.exchanged(parts).map((part) => copied(of, part, "exchange"));
  }

  /** Each rank has a value for each of the other group: what comes is what those had for this one. */
  allToAllObjects<T>(values: readonly T[]): T[] {
    const written = values.map((value) => new Written(this.serializer, value));
    const all = this.exchanged(written.map(({ bytes }) => bytes));
    for (const one of written) one.check();
    return all.map((bytes, rank) => Written.read(this.serializer, bytes, rank) as T);
  }

  /** Combines the elements of the other group's ranks, of which all have as many, for the root, into an array that it has. */
  reduceInto<A extends TypedArray>(data: A | undefined, into: A | undefined, operation: Operation<A>, root: Root): void {
    const at = rootOf(root, "reduce");
    const own = (typeof root === "number" ? data : into) ?? data ?? into;
    if (operation instanceof Named) {
      // Who is beside the root takes no part, whatever the type is.
      const by = operation.of(own ?? new Uint8Array(0));
      const from = typeof root === "number" ? bytesOf(data!, "reduce") : NONE;
      const target = root === "here" ? bytesOf(into!, "reduce") : NONE;
      checked(() => this.native.inter_reduce(from, target, by, at));
      return;
    }
    const all = this.gathered(typeof root === "number" ? bytesOf(data!, "reduce") : NONE, root);
    if (all !== undefined) combined(all, into!, operation);
  }

  /** Combines the elements of each group for all ranks of the other. All ranks of both have as many. */
  allReduce<A extends TypedArray>(data: A, operation: Operation<A>): A {
    const [into, bytes] = [like(data, data.length), bytesOf(data, "reduce")];
    if (operation instanceof Named) {
      const [target, by] = [bytesOf(into, "reduce"), operation.of(data)];
      checked(() => this.native.inter_all_reduce(bytes, target, by));
    } else {
      combined(this.allGathered(bytes), into, operation);
    }
    return into;
  }

  /** Combines the values of the other group's ranks, in their order, for the root, where the function is called. */
  reduceObjects<T>(value: T | undefined, combine: CombineObjects<T>, root: Root): T | undefined {
    const all = this.gatherObjects(value, root);
    return all && folded(all, combine);
  }

  /** Combines the values of each group, in the order of its ranks, for all ranks of the other. */
  allReduceObjects<T>(value: T, combine: CombineObjects<T>): T {
    return folded(this.allGatherObjects(value), combine);
  }

  /** Frees one that was made, which all its ranks do in the same order. One that is forgotten is kept until MPI ends. */
  free(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.free();
  }

  private gathered(data: Uint8Array, root: Root): Uint8Array[] | undefined {
    const at = rootOf(root, "gather");
    const counts = new BigUint64Array(root === "here" ? this.remoteSize : 0);
    const parts = taken(checked(() => this.native.inter_gather_parts(data, counts, at)), (all) => parted(all, counts));
    return root === "here" ? parts : undefined;
  }

  private allGathered(data: Uint8Array): Uint8Array[] {
    const counts = new BigUint64Array(this.remoteSize);
    return taken(checked(() => this.native.inter_all_gather_parts(data, counts)), (all) => parted(all, counts));
  }

  private scattered(parts: readonly ArrayBufferView[] | undefined, root: Root): Uint8Array | undefined {
    const at = rootOf(root, "scatter");
    const { data, counts } = joined(root === "here" ? (parts ?? []) : [], "scatter");
    return taken(checked(() => this.native.inter_scatter_parts(data, counts, at)), (own) =>
      typeof root === "number" ? own.slice() : undefined);
  }

  private exchanged(parts: readonly ArrayBufferView[]): Uint8Array[] {
    const { data, counts } = joined(parts, "exchange");
    const received = new BigUint64Array(this.remoteSize);
    return taken(checked(() => this.native.inter_all_to_all_parts(data, counts, received)), (all) => parted(all, received));
  }
}

/** Combines arrays by a function, in their order. */
function combined<A extends TypedArray>(all: readonly Uint8Array[], into: A, operation: Exclude<Operation<A>, Named>): void {
  const combine = operation instanceof Ordered ? operation.combine : operation;
  if (typeof combine !== "function") throw new TypeError("reduce: wanted is an operation, as `Sum`, or a function");
  const of = into.constructor as ArrayType<A>;
  const arrays = all.map((bytes) => copied(of, bytes, "reduce"));
  const odd = arrays.find((array) => array.length !== into.length);
  if (odd !== undefined) {
    throw new MpiError("usage", `reduce elements of another group: a rank has ${odd.length}, and there is room for ${into.length}`);
  }
  let from = arrays[0]!;
  for (const higher of arrays.slice(1)) {
    const next = copyOf(higher, 0, higher.length);
    try {
      combine(from, next);
    } catch (cause) {
      throw new MpiError("operation", `reduce elements of another group: the function has thrown: ${String(cause)}`, { cause });
    }
    from = next;
  }
  bytesOf(into, "reduce").set(bytesOf(from, "reduce"));
}
