/** Vertex programs of every form, and what goes wrong in them, for test_vertices.mjs and the tests of hosts. */

import { Context, Gather, GatherProgram, IntervalProgram, Iteration, None, Open, handler, log } from "upcall";
import { Vertex, VertexProgram, Vertices } from "upcall";
export * from "upcall/exports";

/** The largest number that each vertex hears of; each edge adds its value. */
class Largest<T> extends VertexProgram<T, T, T> {
  selective: bool = true;

  start(vertex: Vertex<T, T, T>, context: Context): void {
    vertex.show(<T>vertex.id);
    vertex.own = <T>vertex.inDegree;
    vertex.schedule();
  }

  update(vertex: Vertex<T, T, T>, context: Context): void {
    let largest = vertex.shown;
    for (let at = 0; at < vertex.incoming.length; at++) {
      const other = vertex.incoming.shown(at) + vertex.incoming.value(at);
      if (other > largest) largest = other;
    }
    vertex.own = <T>(vertex.own + 1);
    vertex.show(largest);
  }
}

/** The same without edges' values; the engine finds the largest. */
class Gathered<T> extends GatherProgram<T, None, T> {
  gather: Gather = Gather.MAX;

  start(vertex: Vertex<T>, context: Context): void {
    vertex.show(<T>vertex.id);
  }

  apply(vertex: Vertex<T>, gathered: T, context: Context): void {
    vertex.show(max(vertex.shown, gathered));
  }
}

/** The sum of what neighbours show, of all vertices of a call at once. */
class Sums extends IntervalProgram<f64> {
  start(vertex: Vertex<f64>, context: Context): void {
    vertex.show(<f64>vertex.outDegree);
  }

  interval(vertices: Vertices<f64>, context: Context): void {
    const incoming = vertices.incoming;
    for (let at = 0; at < vertices.length; at++) {
      let sum: f64 = 0;
      for (let edge = incoming.begins[at]; edge < incoming.ends[at]; edge++) sum += vertices.shown[incoming.at[<i32>edge]];
      vertices.next[at] = sum;
      vertices.addTotal(at, <f64>vertices.id(at));
      vertices.addResidual(at, 1);
    }
    if (context.iteration == 1 && context.total != <f64>(context.vertices * (context.vertices - 1) / 2)) context.fail("another total");
    if (context.iteration == 2) vertices.before[vertices.length] = 1;
  }
}

/** What an iteration has come to. */
class Told extends VertexProgram<f64> {
  private last: u64 = 1;

  open(open: Open): void {
    if (open.vertices != 5 || open.edges != 6 || !open.directed) open.fail("that is another graph");
    const last = open.setting("last");
    if (last !== null) this.last = U64.parseInt(last);
  }

  start(vertex: Vertex<f64>, context: Context): void {
    context.addTotal(1);
    vertex.show(vertex.shown - 1);
  }

  update(vertex: Vertex<f64>, context: Context): void {
    context.addResidual(0.5);
    context.addTotal(<f64>vertex.id);
    vertex.show(context.total);
    if (context.vertices != 5 || context.edges != 6 || !context.directed) context.fail("the context is another one");
  }

  afterIteration(iteration: Iteration): bool {
    const right = iteration.updated == 5 && iteration.scheduled == 5 && iteration.residual == 2.5 && iteration.total == 10;
    if (!right) log.error("the iteration was another one");
    return iteration.number == this.last;
  }
}

/** Who is scheduled: the setting `who` of vertex 0 and the two behind it, as often as `often`. */
class Scheduled extends VertexProgram<u32, u32> {
  selective: bool = true;
  private who: u64 = 0;
  private often: u64 = 1;

  open(open: Open): void {
    const who = open.setting("who");
    const often = open.setting("often");
    if (who !== null) this.who = U64.parseInt(who);
    if (often !== null) this.often = U64.parseInt(often);
  }

  start(vertex: Vertex<u32, u32>, context: Context): void {
    if (vertex.id != 0) return;
    for (let at: u64 = 0; at < this.often; at++) vertex.schedule(this.who + (at % 3));
  }

  update(vertex: Vertex<u32, u32>, context: Context): void {
    const before = vertex.own;
    vertex.own = before + 1;
    if (vertex.id != 0 && before == 0) context.schedule(vertex.id - 1);
  }
}

/** Mistakes: what the setting says, of vertex 3. */
class Mistaken extends VertexProgram<f64> {
  private mistake: string = "";
  private kept: Vertex<f64> | null = null;

  open(open: Open): void {
    this.mistake = open.setting("mistake")!;
  }

  start(vertex: Vertex<f64>, context: Context): void {
    if (this.mistake == "start" && vertex.incoming.length > 0) context.fail("there are edges");
  }

  update(vertex: Vertex<f64>, context: Context): void {
    if (vertex.id != 3) return;
    this.kept = vertex;
    if (this.mistake == "fail") {
      context.fail("not this one");
      context.fail("nor that");
    }
    if (this.mistake == "index") vertex.incoming.shown(1);
    if (this.mistake == "negative") vertex.incoming.id(-1);
    if (this.mistake == "outgoing" && vertex.outgoing.length > 0) vertex.show(1);
    if (this.mistake == "schedule") vertex.schedule(context.vertices);
  }

  afterIteration(iteration: Iteration): bool {
    const kept = this.kept;
    if (kept !== null && this.mistake == "keep") log.info(`${kept.shown} ${kept.outDegree} ${kept.incoming.shown(0)}`);
    return true;
  }
}

/** Says nothing of how its neighbours are gathered. */
class Ungathered extends GatherProgram<f64> {
  apply(vertex: Vertex<f64>, gathered: f64, context: Context): void {}
}

/** Gathers another type than it takes. */
class Mistyped extends GatherProgram<u64> {
  gather: Gather = Gather.MIN;

  apply(vertex: Vertex<u64>, gathered: f64, context: Context): void {}
}

/** How many neighbours each has. */
class Counted extends GatherProgram<f32, u32> {
  gather: Gather = Gather.COUNT;

  apply(vertex: Vertex<f32, u32>, gathered: f64, context: Context): void {
    vertex.own = <u32>gathered;
    if (vertex.inDegree != <u64>gathered) context.fail("it has another number of them");
  }
}


handler("largest f32", () => new Largest<f32>());
handler("largest f64", () => new Largest<f64>());
handler("largest i32", () => new Largest<i32>());
handler("largest i64", () => new Largest<i64>());
handler("largest u32", () => new Largest<u32>());
handler("largest u64", () => new Largest<u64>());
handler("gathered f32", () => new Gathered<f32>());
handler("gathered f64", () => new Gathered<f64>());
handler("gathered i32", () => new Gathered<i32>());
handler("gathered i64", () => new Gathered<i64>());
handler("gathered u32", () => new Gathered<u32>());
handler("gathered u64", () => new Gathered<u64>());
handler("sums", () => new Sums());
handler("told", () => new Told());
handler("scheduled", () => new Scheduled());
handler("mistaken", () => new Mistaken());
handler("ungathered", () => new Ungathered());
handler("mistyped", () => new Mistyped());
handler("counted", () => new Counted());
