/** Programs that are told of intervals, and have them updated again. */

import { Context, Gather, GatherProgram, Interval, IntervalProgram, Iteration, None, Open, Vertex, VertexProgram, Vertices } from "upcall";
import { handler, log } from "upcall";

/** How often each interval is updated, by the setting `times`. */
function times(open: Open): u64 {
  const times = open.setting("times");
  return times === null ? 1 : U64.parseInt(times);
}

/** Logs what it is told; throws in the hook that the setting `fails` names, in iteration 1. */
class Told extends VertexProgram<u64> {
  private times: u64 = 1;
  private fails: string = "";

  open(open: Open): void {
    this.times = times(open);
    const fails = open.setting("fails");
    if (fails !== null) this.fails = fails;
  }

  update(vertex: Vertex<u64>, context: Context): void {
    context.addResidual(1);
    context.addTotal(<f64>vertex.id);
    if (vertex.id % 1024 == 0) log.info(`update ${vertex.id} ${context.total}`);
  }

  beforeIteration(iteration: u64, total: f64): void {
    log.info(`iteration ${iteration} ${total}`);
  }

  beforeInterval(interval: Interval): void {
    this.told("before", interval);
  }

  afterInterval(interval: Interval): void {
    this.told("after", interval);
  }

  repeatUpdates(interval: Interval): bool {
    this.told("again", interval);
    return interval.pass + 1 < this.times;
  }

  afterIteration(iteration: Iteration): bool {
    log.info(`done ${iteration.number} ${iteration.updated} ${iteration.scheduled} ${iteration.residual} ${iteration.total}`);
    return false;
  }

  private told(what: string, about: Interval): void {
    log.info(`${what} ${about.iteration} ${about.first} ${about.end} ${about.pass} ${about.updated} ${about.residual} ${about.total}`);
    if (what == this.fails && about.iteration == 1) throw new Error(`not ${what}`);
  }
}

/** Mixes what neighbours show, so that the order matters; each pass leaves its number. */
function mixed(so: f64, heard: f64): f64 {
  return (so * 31 + heard) % 1000003;
}

class Mixes extends VertexProgram<f64, u64> {
  private times: u64 = 1;
  private pass: u64 = 0;

  open(open: Open): void {
    this.times = times(open);
  }

  start(vertex: Vertex<f64, u64>, context: Context): void {
    vertex.show(<f64>vertex.id);
  }

  beforeInterval(interval: Interval): void {
    this.pass = interval.pass;
  }

  update(vertex: Vertex<f64, u64>, context: Context): void {
    let all = vertex.shown;
    for (let at = 0; at < vertex.incoming.length; at++) all = mixed(all, vertex.incoming.shown(at));
    vertex.show(all);
    vertex.own = vertex.own * 10 + this.pass + 1;
  }

  repeatUpdates(interval: Interval): bool {
    return interval.pass + 1 < this.times;
  }
}

/** The same, of sums. */
class MixesGather extends GatherProgram<f64> {
  gather: Gather = Gather.SUM;
  private times: u64 = 1;

  open(open: Open): void {
    this.times = times(open);
  }

  start(vertex: Vertex<f64>, context: Context): void {
    vertex.show(<f64>vertex.id);
  }

  apply(vertex: Vertex<f64>, gathered: f64, context: Context): void {
    vertex.show(mixed(vertex.shown, gathered));
  }

  repeatUpdates(interval: Interval): bool {
    return interval.pass + 1 < this.times;
  }
}

/** The same as `Mixes`, of all vertices of a call at once. */
class MixesAll extends IntervalProgram<f64> {
  private times: u64 = 1;

  open(open: Open): void {
    this.times = times(open);
  }

  start(vertex: Vertex<f64>, context: Context): void {
    vertex.show(<f64>vertex.id);
  }

  interval(vertices: Vertices<f64>, context: Context): void {
    const incoming = vertices.incoming;
    for (let k = 0; k < vertices.length; k++) {
      let all = vertices.before[k];
      for (let edge = <i32>incoming.begins[k]; edge < <i32>incoming.ends[k]; edge++) all = mixed(all, vertices.shown[incoming.at[edge]]);
      vertices.next[k] = all;
    }
  }

  repeatUpdates(interval: Interval): bool {
    return interval.pass + 1 < this.times;
  }
}

/** The number of edges to each vertex from the first, all found before the first iteration ends. */
class AtOnce extends VertexProgram<u32, u32> {
  selective: bool = true;

  start(vertex: Vertex<u32, u32>, context: Context): void {
    vertex.show(u32.MAX_VALUE);
    if (vertex.id == 0) vertex.schedule();
  }

  update(vertex: Vertex<u32, u32>, context: Context): void {
    let nearest: u32 = vertex.id == 0 ? 0 : vertex.shown;
    for (let at = 0; at < vertex.incoming.length; at++) {
      const far = vertex.incoming.shown(at);
      if (far < nearest) nearest = far + 1;
    }
    vertex.show(nearest);
    vertex.own += 1;
  }

  repeatUpdates(interval: Interval): bool {
    return true;
  }

  afterIteration(iteration: Iteration): bool {
    log.info(`${iteration.updated} ${iteration.scheduled}`);
    return false;
  }
}

/** Sets values of edges, and wants it done again. */
class Writes extends VertexProgram<f64, None, f64> {
  writes: bool = true;

  update(vertex: Vertex<f64, None, f64>, context: Context): void {}

  repeatUpdates(interval: Interval): bool {
    return interval.iteration == 1;
  }
}

handler("intervals", () => new Told());
handler("intervals mixed", () => new Mixes());
handler("intervals gathered", () => new MixesGather());
handler("intervals at once", () => new MixesAll());
handler("intervals until nothing changes", () => new AtOnce());
handler("intervals written", () => new Writes());
