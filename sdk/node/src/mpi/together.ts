/** What all ranks do together, as the library begins it, once or again and again. */

import { told } from "../told.js";
import { type ArrayType, bytesOf, copyOf, like, made, type TypedArray } from "./arrays.js";
import { closed, MpiError } from "./error.js";
import { rankOf, sizeOf } from "./given.js";
import { OfHandler } from "./handler.js";
import { checked, native, type NativeCommunicator, type NativeRequest } from "./native.js";
import { Named, type Operation, Ordered } from "./operation.js";
import { type Going, Request } from "./request.js";
import { room } from "./status.js";

/** What all ranks do together. */
export const { Barrier, Broadcast, Gather, Scatter, AllGather, AllToAll, GatherParts, ScatterParts, AllGatherParts, AllToAllParts,
  Reduce, AllReduce, ReduceScatter, Scan, ExclusiveScan } = native.UpcallMpiCollective;

const NONE = new Uint8Array(0);

/** One call. */
export interface Call<T> {
  readonly what: number;
  /** For errors. */
  readonly words: string;
  /** What this rank gives. It is read when the call is begun, or a round is started. */
  readonly data?: ArrayBufferView | undefined;
  /** How many bytes come. */
  readonly room: number;
  readonly root?: number;
  readonly element?: number;
  /** Of those in parts, in bytes. */
  readonly counts?: readonly number[];
  readonly intoCounts?: readonly number[];
  readonly operation?: Named | OfHandler | undefined;
  /** What becomes of what has come, which `into` copies. */
  readonly result: (into: (array: ArrayBufferView) => void) => T;
}

type Given = [number, number, BigUint64Array, BigUint64Array, ReturnType<Named["of"]> | null];

function given<T>({ words, root = 0, element = 1, counts = [], intoCounts = [], operation, data }: Call<T>): Given {
  const by = operation === undefined ? null : operation.of(data as TypedArray);
  return [rankOf(root, words, "root"), element, BigUint64Array.from(counts, BigInt), BigUint64Array.from(intoCounts, BigInt), by];
}

/** Begins a call. */
export function begun<T>(comm: NativeCommunicator, call: Call<T>): Request<T> {
  const data = call.data === undefined ? NONE : bytesOf(call.data, call.words);
  const rest = given(call);
  const request = checked(() => comm.start_collective(call.what, data, call.room, ...rest));
  const going = new Round(request, call.result);
  return new Request<T>({
    test: () => going.test(),
    wait: () => going.wait(),
    cancel: () => undefined,
    result: () => {
      const result = going.result();
      checked(() => request.release());
      return result;
    },
  });
}

/** One that goes on. */
class Round<T> implements Going<T> {
  constructor(
    private readonly request: NativeRequest,
    private readonly then: Call<T>["result"],
    private readonly check: () => void = () => undefined,
  ) {}

  test(): boolean {
    this.check();
    return checked(() => this.request.test(room));
  }

  wait(): void {
    this.check();
    checked(() => this.request.wait(room));
  }

  /** It goes on: others have a part in it. */
  cancel(): void {}

  result(): T {
    this.check();
    return this.then((array) => void checked(() => this.request.copy(bytesOf(array, "receive"))));
  }
}

/**
 * A message, or a call of all ranks, that is made ready once and started again and again. Each round is a {@link Request}: what is
 * sent is read when it is started, and what has come is what comes of it.
 *
 * It is freed by {@link Persistent.free}, also while a round is under way; one that is forgotten is kept until MPI ends.
 */
export class Persistent<T> {
  private freed = false;

  /** @internal */
  constructor(
    private readonly native: NativeRequest,
    /** What is sent. */
    private readonly data: ArrayBufferView | undefined,
    private readonly result: Call<T>["result"],
  ) {}

  /** Whether a round is under way. */
  get isActive(): boolean {
    return !this.freed && checked(() => this.native.is_active());
  }

  /** Starts a round of each. Throws an `MpiError` where one of them is under way, and none is started. */
  static startAll<T>(requests: readonly Persistent<T>[]): Request<T>[] {
    // One that is under way says what is wrong.
    requests.find((request) => request.isActive)?.start();
    return requests.map((request) => request.start());
  }

  /** Starts a round. Throws an `MpiError` where one is under way: it ends when it is waited for. */
  start(): Request<T> {
    this.check();
    checked(() => {
      if (this.data !== undefined && !this.native.is_active()) this.native.write(bytesOf(this.data, "send"));
      this.native.start();
    });
    return new Request<T>(new Round(this.native, this.result, () => this.check()));
  }

  /** Frees it. A round that is under way is given up: a receive is cancelled, and all else goes on by itself. */
  free(): void {
    if (this.freed) return;
    checked(() => this.native.release());
    this.freed = true;
  }

  [Symbol.dispose](): void {
    this.free();
  }

  private check(): void {
    if (this.freed) throw closed("a persistent request");
  }
}

/** Makes a call ready. */
export function ready<T>(comm: NativeCommunicator, call: Call<T>): Persistent<T> {
  const bytes = call.data === undefined ? 0 : bytesOf(call.data, call.words).length;
  const rest = given(call);
  const request = checked(() => comm.collective_init(call.what, bytes, call.room, ...rest));
  return new Persistent(request, call.data, call.result);
}

/** What comes, as one array. */
export function whole<A extends TypedArray>(of: ArrayType<A>, bytes: number, words: string): Call<A>["result"] {
  return (into) => {
    const array = made(of, bytes, words);
    into(array);
    return array;
  };
}

/** What comes, as an array of each rank. */
export function each<A extends TypedArray>(of: ArrayType<A>, counts: readonly number[], words: string): Call<A[]>["result"] {
  const bytes = counts.reduce((sum, count) => sum + count, 0) * sizeOf(of, words);
  return (into) => {
    const all = whole(of, bytes, words)(into);
    let at = 0;
    return counts.map((count) => copyOf(all, (at += count) - count, count));
  };
}

/** What the elements of some ranks come to, side by side in their order: what a function does when they have come. */
export function folded<A extends TypedArray>(
  all: A, ranks: number, length: number, operation: Exclude<Operation<A>, Named | OfHandler>,
): A | undefined {
  const combine = operation instanceof Ordered ? operation.combine : operation;
  let sum: A | undefined;
  try {
    for (let rank = 0; rank < ranks; rank++) {
      const next = copyOf(all, rank * length, length);
      if (sum !== undefined) combine(sum, next);
      sum = next;
    }
  } catch (cause) {
    throw new MpiError("operation", "reduce: the function has thrown", { cause });
  }
  return sum;
}

/** Whether MPI calls it, as one of its own or a handler; or a function, which is called when all elements have come. */
export function isNative<A extends TypedArray>(operation: Operation<A>): operation is Named | OfHandler {
  if (operation instanceof Named || operation instanceof OfHandler) return true;
  if (typeof operation === "function" || operation instanceof Ordered) return false;
  throw new TypeError(`reduce: wanted is an operation, as \`Sum\`, or a function, and ${told(operation)} is given`);
}

/** A part of an array that nobody else has. */
export function partOf<A extends TypedArray>(array: A, first: number, length: number): A {
  return length === 0 ? like(array, 0) : copyOf(array, first, length);
}
