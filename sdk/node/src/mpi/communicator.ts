/** Processes that pass messages to one another. */

import { told } from "../told.js";
import { MpiError } from "./error.js";
import { Checked } from "./checked.js";
import { classes, communicatorOf, countOf, listOf, rankOf, tagOf, together, weightOf, wholeOf, type Wrong } from "./given.js";
import { type Comparison, COMPARISONS, Group, groupOf } from "./group.js";
import { checked, type NativeCommunicator } from "./native.js";
import type { Cartesian, Graph } from "./topology.js";
import { Typed } from "./typed.js";

/** Classes that are derived from this one, and made by it: they say here what they are. */
export const kinds = {} as { Cartesian: typeof Cartesian; Graph: typeof Graph };

/** How a graph is made. */
export interface GraphOptions {
  /** How much comes from each source, compared with others. */
  readonly sourceWeights?: readonly number[];
  /** How much goes to each target. */
  readonly targetWeights?: readonly number[];
  /** Whether MPI may give a rank another number there, for the sake of the machine. */
  readonly reorder?: boolean;
}

/** Processes that pass messages to one another, each with a rank from 0 on. */
export class Communicator extends Typed {
  /** The same processes, whose messages never meet those of this communicator. Collective. */
  duplicate(): Communicator {
    return this.made(new Communicator(checked(() => this.native.duplicate())));
  }

  /**
   * The processes that give the same `color`, a whole number from 0 on, ranked by `key` and then as here; `undefined` for those
   * that give none. A color that is 2 ** 31 or more is an `MpiError` on all ranks. Collective.
   */
  split(color: number | undefined, key = 0): Communicator | undefined {
    const what = "split a communicator";
    const part = together((wrong) => {
      const by = wrong(() => (color === undefined ? -1 : countOf(color, what, "color")), NO_COLOR);
      const order = wrong(() => wholeOf(key, what, "key"), undefined);
      return checked(() => this.native.split(order === undefined ? NO_COLOR : Math.min(by, NO_COLOR), order ?? 0));
    });
    return this.perhaps(part, (native) => new Communicator(native));
  }

  /** Its processes. */
  group(): Group {
    return new Group(checked(() => this.native.group()));
  }

  /**
   * The processes of a group, in its order; `undefined` for those that are not in it. Collective over all ranks of this
   * communicator, which all give the same group.
   */
  create(group: Group): Communicator | undefined {
    return this.perhaps(checked(() => this.native.create(groupOf(group, "create a communicator", "group"))), (native) => new Communicator(native));
  }

  /** As `create`, collective over the processes of the group only. */
  createGroup(group: Group, tag = 0): Communicator {
    const what = "create a communicator";
    const [native, number] = [groupOf(group, what, "group"), tagOf(tag, what, "tag")];
    return this.made(new Communicator(checked(() => this.native.create_group(native, number))));
  }

  /** The processes that share memory with this one (those of its machine), ranked by `key` and then as here. Collective. */
  splitSharedMemory(key = 0): Communicator {
    const number = wholeOf(key, "split by machine", "key");
    return this.made(new Communicator(checked(() => this.native.split_shared_memory(number))));
  }

  /** How alike this one and another are: a duplicate is "congruent". */
  compare(other: Communicator): Comparison {
    return COMPARISONS[checked(() => this.native.compare(communicatorOf(other, "compare communicators")))]!;
  }

  /** Its name, as debuggers and profilers show it; empty where it has none. */
  get name(): string {
    return checked(() => this.native.name_());
  }

  set name(name: string) {
    checked(() => this.native.set_name(name));
  }

  /**
   * How many ranks to put along each dimension, so that all are as many as here and the dimensions are as equal as can be. One
   * that is not 0 stays as it is.
   */
  dimensions(sizes: readonly number[]): number[] {
    const what = "share ranks among dimensions";
    const shared = Int32Array.from(listOf(sizes, what, "sizes", (size, name) => wholeOf(size, what, name)));
    checked(() => this.native.dimensions(shared));
    return [...shared];
  }

  /**
   * Puts the ranks on a grid of these sizes, in the order of rows: the last coordinate changes first. A dimension may be periodic:
   * its last rank's neighbor is the first. `undefined` for ranks that have no place. Where `reorder` is set, MPI may give a rank
   * another number there. Collective.
   */
  cartesian(sizes: readonly number[], periodic: boolean | readonly boolean[] = false, reorder = false): Cartesian | undefined {
    const what = "put ranks on a grid";
    const along = Int32Array.from(listOf(sizes, what, "sizes", (size, name) => wholeOf(size, what, name)));
    const around = Uint8Array.from(typeof periodic === "boolean" ? along.map(() => Number(periodic)) : listOf(periodic, what, "periodic", Number));
    const made = checked(() => this.native.cartesian(along, around, reorder));
    return this.perhaps(made, (native) => new kinds.Cartesian(native));
  }

  /**
   * Gives each rank neighbors: each says whom it receives from and whom it sends to, and what the two of an edge say is the same.
   * What is wrong on one rank is an error on all. Collective.
   */
  graphAdjacent(sources: readonly number[], targets: readonly number[], options: GraphOptions = {}): Graph {
    const { sourceWeights = [], targetWeights = [], reorder = false } = options;
    return this.made(new kinds.Graph(together((wrong) => {
      const [from, to] = [edgesOf(wrong, sources, "sources"), edgesOf(wrong, targets, "targets")];
      const [inward, outward] = [weightsOf(wrong, sourceWeights, from, "sourceWeights"), weightsOf(wrong, targetWeights, to, "targetWeights")];
      return checked(() => this.native.graph_adjacent(from, inward, to, outward, reorder));
    })));
  }

  /** The same, where each rank says some of the edges, of whichever ranks: whom each rank that is a key sends to. Collective. */
  graph(edges: ReadonlyMap<number, readonly number[]>, reorder = false): Graph {
    const none = new Uint32Array(0);
    return this.made(new kinds.Graph(together((wrong) => {
      const map = wrong(() => mapOf(edges), new Map([[-1, []]]));
      const sources = edgesOf(wrong, map.keys(), "edges.keys()");
      const lists = Array.from(map.values(), (targets, at) => wrong(() => listOf(targets, GRAPH, `edges.values()[${at}]`, (rank) => rank as number), [-1]));
      const degrees = Int32Array.from(lists, (targets) => targets.length);
      const targets = edgesOf(wrong, lists.flat(), "edges.values()");
      return checked(() => this.native.graph(sources, degrees, targets, none, reorder));
    })));
  }

  /**
   * The same processes, whose messages say which type their elements have, where all of them want it: unless the environment says
   * so (`UPCALL_MPI_CHECK_TYPES`, `1` or `0`), where each has given `wanted`; without it, where `NODE_ENV` is not `production`.
   * Collective.
   */
  checked(wanted = process.env["NODE_ENV"] !== "production"): Checked<Communicator> {
    const made = checked(() => this.native.checked(wanted));
    return new Checked(made, this.rank, this.size, (together) => this.made(new Communicator(together)));
  }

  /** The ranks that live, in the order that they have here. Collective over these, also where this one was revoked. */
  shrink(): Communicator {
    return this.made(new Communicator(checked(() => this.native.shrink())));
  }

  /** @internal With this one's serializer. */
  protected made<C extends Communicator>(communicator: C): C {
    communicator.serializer = this.serializer;
    return communicator;
  }

  /** @internal One that has no place for some ranks. */
  private perhaps<C extends Communicator>(native: NativeCommunicator, make: (native: NativeCommunicator) => C): C | undefined {
    if (!native.is_none()) return this.made(make(native));
    native.release();
    return undefined;
  }

  /** Ends all processes of the job at once, with this exit code. It does not return. */
  abort(code = 1): never {
    const number = wholeOf(code, "end the job", "code");
    checked(() => this.native.abort(number));
    throw new MpiError("other", "end the job: MPI has returned");
  }

  /**
   * Frees one that was made, which all its ranks do in the same order. One that is forgotten is kept until MPI ends.
   */
  free(): void {
    checked(() => this.native.release());
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

classes.Communicator = Communicator;

/** A color that is none, which the library tells to all ranks. */
const NO_COLOR = 2 ** 31;
const GRAPH = "make a graph";

function mapOf(edges: ReadonlyMap<number, readonly number[]>): ReadonlyMap<number, readonly number[]> {
  if (edges instanceof Map) return edges;
  throw new TypeError(`${GRAPH}: \`edges\` has to be a Map of lists of ranks, and ${told(edges)} is given`);
}

/** Ranks of edges. What is none is -1, which the library tells to all ranks. */
function edgesOf(wrong: Wrong, ranks: Iterable<number>, name: string): Int32Array {
  return Int32Array.from(wrong(() => listOf(ranks, GRAPH, name, (rank, name) => rankOf(rank, GRAPH, name)), [-1]));
}

/** Weights of edges. Where they are none there is one too many, which the library tells to all ranks. */
function weightsOf(wrong: Wrong, given: readonly number[], edges: Int32Array, name: string): Uint32Array {
  const all = wrong(() => listOf(given, GRAPH, name, (weight, name) => weightOf(weight, GRAPH, name)), undefined);
  return all === undefined ? new Uint32Array(edges.length + 1) : Uint32Array.from(all);
}
