/** Memory of ranks that others read and write. */

import { type ArrayType, bytesOf, type TypedArray } from "./arrays.js";
import type { Communicator } from "./communicator.js";
import { type ElementsOf, Epoch, Exposure, LocalMemory, Neighbors, PassiveEpoch } from "./epoch.js";
import { closed, MpiError } from "./error.js";
import { communicatorOf, countOf, elementsOf, listOf, rankOf, sizeOf, together } from "./given.js";
import { checked, native, type NativeCommunicator, type NativeEpoch, type NativeWindow } from "./native.js";
import { numberOf } from "./operation.js";

const MAKE = "make a window";

function typed<A extends TypedArray>(type: ArrayType<A>): ElementsOf<A> {
  return { type, number: numberOf(type.name === "Buffer" ? "Uint8Array" : type.name) };
}

/** A count that the library refuses on all ranks. */
const TOO_MANY = 2n ** 64n - 1n;

/** What `make` makes of so many elements, which all ranks wait for: where one has given something wrong they are told. */
function allocated<A extends TypedArray>(
  world: Communicator, of: ArrayType<A>, count: number, make: (comm: NativeCommunicator, count: number | bigint, size: number) => NativeWindow,
): NativeWindow {
  const comm = communicatorOf(world, MAKE);
  return together((wrong) => {
    const [size, own] = [wrong(() => sizeOf(of, MAKE), 0), wrong<number | bigint>(() => countOf(count, MAKE, "count"), TOO_MANY)];
    return checked(() => make(comm, own, size));
  });
}

/** What both kinds of windows have. */
abstract class AnyWindow<A extends TypedArray> {
  /** This process's rank, as the window numbers them. */
  readonly rank: number;
  /** How many ranks there are. */
  readonly size: number;
  private freed = false;

  /** @internal */
  constructor(private readonly native: NativeWindow, /** @internal */ protected readonly of: ElementsOf<A>) {
    this.rank = native.rank();
    this.size = native.size();
  }

  /** How many elements a rank has. */
  length(rank: number): number {
    return Number(this.call((window) => window.length_(rankOf(rank, "ask for a window's length", "rank"))));
  }

  /** Whether what is written here and what others write is one memory, in MPI's words: its unified model. */
  isUnified(): boolean {
    return this.call((window) => window.is_unified());
  }

  /** An epoch with one rank, which need not call anything. Several ranks may be locked at once, each once. */
  lock(rank: number, kind: "shared" | "exclusive" = "shared"): PassiveEpoch<A> {
    const number = rankOf(rank, "lock a window", "rank");
    const { Shared, Exclusive } = native.UpcallMpiLock;
    if (kind !== "shared" && kind !== "exclusive") throw new MpiError("usage", `lock a window: ${kind} is neither "shared" nor "exclusive"`);
    return new PassiveEpoch(this, this.call((window) => window.lock(kind === "exclusive" ? Exclusive : Shared, number)), this.of);
  }

  /** An epoch with all ranks, which others may have at the same time. */
  lockAll(): PassiveEpoch<A> {
    return new PassiveEpoch(this, this.call((window) => window.lock_all()), this.of);
  }

  /** This rank's own memory, in place, when no other rank has locked it: it is locked until that ends. */
  local(): LocalMemory<A> {
    return this.inPlace(this.rank);
  }

  /** @internal */
  protected inPlace(rank: number): LocalMemory<A> {
    const number = rankOf(rank, "lock a window's memory", "rank");
    return new LocalMemory(this, this.call((window) => window.memory_of(number)), this.of, number);
  }

  /** @internal Calls it, where it was not freed. */
  protected call<T>(call: (window: NativeWindow) => T): T {
    if (this.freed) throw closed("a window");
    return checked(() => call(this.native));
  }

  /**
   * Ends it, when all ranks do. Collective. A second call does nothing. Throws an {@link MpiError} where an epoch is open, and leaves
   * it as it was.
   */
  free(): void {
    if (this.freed) return;
    checked(() => this.native.free());
    this.freed = true;
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/**
 * Memory of each rank's of a communicator, which all of them read and write: so many elements at each, from 0 on. What is done lies in
 * an epoch.
 *
 * ```js
 * const window = Window.allocate(world, BigInt64Array, 10);
 * const fence = window.fence();
 * fence.put(BigInt64Array.of(1n), next, 0);
 * fence.end();
 * const epoch = window.lockAll();
 * const ticket = epoch.fetchAndOp(1n, 0, 9, Sum);
 * epoch.end();
 * window.free();
 * ```
 *
 * Within one epoch, what is put and what is fetched or combined must not overlap, but for what is accumulated with one operation.
 * One that is forgotten stays until MPI is finalized.
 */
export class Window<A extends TypedArray> extends AnyWindow<A> {
  /** One over memory of MPI's: so many elements here, which are zero. Collective; each rank has its own number, and one that is none is an error on all. */
  static allocate<A extends TypedArray>(world: Communicator, of: ArrayType<A>, count: number): Window<A> {
    return new Window(allocated(world, of, count, (comm, own, size) => comm.window(own, size)), typed(of));
  }

  /**
   * One with the elements of an array, which has the window's when that is freed. In between they are in memory of MPI's, as
   * JavaScript may move an array to another thread: use {@link local}. Collective.
   */
  static create<A extends TypedArray>(world: Communicator, array: A): Window<A> {
    const type = elementsOf(array, MAKE).constructor as ArrayType<A>;
    bytesOf(array, MAKE);
    const window = Window.allocate(world, type, array.length);
    const local = window.local();
    local.array.set(array as never);
    local.end();
    window.over = array;
    checked(() => world.native.barrier());
    return window;
  }

  private over: A | undefined;

  /** An epoch of all ranks: when it ends, all that was begun by any rank is done. Collective, at both ends. */
  fence(): Epoch<A> {
    return new Epoch(this, this.call((window) => window.fence()), this.of);
  }

  /** An epoch with some ranks, which {@link expose} their memory to this one meanwhile: it may wait for that. */
  access(...ranks: number[]): Epoch<A> {
    const some = Int32Array.from(listOf(ranks, "access a window", "ranks", (rank, name) => rankOf(rank, "access a window", name)));
    return new Epoch(this, this.call((window): NativeEpoch => window.access(some)), this.of);
  }

  /** Lets some ranks {@link access} this rank's memory, each once, until it is waited for. */
  expose(...ranks: number[]): Exposure {
    const some = Int32Array.from(listOf(ranks, "expose a window", "ranks", (rank, name) => rankOf(rank, "expose a window", name)));
    return new Exposure(this, this.call((window) => window.expose(some)));
  }

  /** Writes elements at a rank, in an epoch of its own, and returns when they are there. */
  put(data: A, rank: number, at = 0): void {
    const epoch = this.lock(rank);
    try {
      epoch.put(data, rank, at);
    } finally {
      epoch.end();
    }
  }

  /** Elements of a rank's, read in an epoch of their own. */
  get(rank: number, at: number, count: number): A {
    const epoch = this.lock(rank);
    try {
      return epoch.fetch(rank, at, count);
    } finally {
      epoch.end();
    }
  }

  override free(): void {
    const over = this.over;
    if (over !== undefined) {
      // Where the array was given to another thread, nobody here can have the elements.
      const into = over.length === 0 ? undefined : bytesOf(over, "free a window");
      const local = this.local();
      try {
        into?.set(bytesOf(local.array, "free a window"));
      } finally {
        local.end();
        this.over = undefined;
      }
    }
    super.free();
  }
}

/**
 * A window among the ranks of one machine, whose memory each of them reaches in place: by {@link memoryOf} one rank alone, and by
 * {@link together} all ranks, to read. It has the epochs of locks, not those of fences.
 *
 * ```js
 * const table = SharedWindow.allocate(world, Float64Array, 1000);
 * const mine = table.local();
 * mine.array.fill(1);
 * mine.end();
 * const all = table.together();
 * const first = all.at(0)[0];
 * all.end();
 * ```
 */
export class SharedWindow<A extends TypedArray> extends AnyWindow<A> {
  /** Memory among those ranks that run on this machine, numbered anew: so many elements here, which are zero. Collective. */
  static allocate<A extends TypedArray>(world: Communicator, of: ArrayType<A>, count: number): SharedWindow<A> {
    return new SharedWindow(allocated(world, of, count, (comm, own, size) => comm.shared_window(own, size)), typed(of));
  }

  /** A rank's memory, in place, when nobody else has locked it: it is locked until that ends. */
  memoryOf(rank: number): LocalMemory<A> {
    return this.inPlace(rank);
  }

  /** The memory of all ranks, to read. Collective: it begins when all have called this, and ends when all have ended it. */
  together(): Neighbors<A> {
    return new Neighbors(this, this.call((window) => window.together()), this.of);
  }
}
