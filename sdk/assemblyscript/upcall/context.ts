import { VertexTally } from "./abi";

/** Why the vertex fails that is being called for. */
export let failure: string | null = null;

/** Whether it does: what a comparison of texts would cost for each vertex. */
// @ts-ignore: decorator
@inline
export function hasFailed(): bool {
  return changetype<usize>(failure) != 0;
}

/** Nothing has failed so far. */
export function begin(): void {
  failure = null;
}

/** What is the same for all vertices of an iteration. It ends with the call. */
@unmanaged
export class Context {
  /** The driver's. */
  tally: usize = 0;
  /** The number of the iteration, from 0 on. */
  iteration: u64 = 0;
  /** How many vertices the graph has. */
  vertices: u64 = 0;
  /** How many edges it has; where they have no direction, each counts in both. */
  edges: u64 = 0;
  /** Whether edges have a direction. If they have none, those that come in and those that go out are the same. */
  directed: bool = false;
  /** What all vertices have added to the total in the last iteration, or at the start. */
  total: f64 = 0;

  /** Adds to the iteration's residual: how far the program is from its end. Of many vertices at once, to the sum of the first
   * block: `vertices.addResidual` knows each. */
  @inline
  addResidual(amount: f64): void {
    store<f64>(this.tally, load<f64>(this.tally, VertexTally.RESIDUAL) + amount, VertexTally.RESIDUAL);
  }

  /** Adds to the total, which all vertices see in the next iteration. */
  @inline
  addTotal(amount: f64): void {
    store<f64>(this.tally, load<f64>(this.tally, VertexTally.TOTAL) + amount, VertexTally.TOTAL);
  }

  /** Has a vertex updated in the next iteration of a program that is `selective`, whether or not a neighbour of it changes. */
  schedule(id: u64): void {
    schedule(id);
  }

  /** Fails the vertex, and so the run. The first reason is the one that is told. */
  fail(why: string): void {
    if (failure === null) failure = why;
  }
}

/** Where vertices are scheduled. */
let woken: usize = 0;
let wakes: usize = 0;
let room: u64 = 0;
let vertices: u64 = 0;
let selective: bool = false;

/** Vertices are scheduled there from now on; how many is at `count`. */
export function scheduleTo(list: usize, most: u64, count: usize, all: u64, counts: bool): void {
  woken = list;
  room = most;
  wakes = count;
  vertices = all;
  selective = counts;
}

export function schedule(id: u64): void {
  if (id >= vertices) {
    throw new RangeError(`schedule vertex ${id}: there is none with this number; the graph has ${vertices} vertices, from 0 on`);
  }
  if (!selective) return;
  let count = load<u64>(wakes);
  if (count >= room) count = distinct(count);
  if (count >= room) {
    const why = "and as many different ones were scheduled; schedule fewer";
    throw new RangeError(`schedule vertex ${id}: a call has room for ${room} of them, ${why}`);
  }
  store<u32>(woken + (<usize>count << 2), <u32>id);
  store<u64>(wakes, count + 1);
}

/** Leaves one of several that are the same; how many are left. */
function distinct(count: u64): u64 {
  const all = new StaticArray<u32>(<i32>count);
  memory.copy(changetype<usize>(all), woken, <usize>count << 2);
  all.sort();
  let left: usize = 0;
  for (let index = 0; index < all.length; index++) {
    if (index > 0 && all[index] == all[index - 1]) continue;
    store<u32>(woken + (left << 2), all[index]);
    left++;
  }
  return left;
}
