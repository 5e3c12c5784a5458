/** Vertex programs of every form, and what goes wrong in them, for test_vertices.mjs and the tests of hosts. */

import { Context, Gather, GatherProgram, IntervalProgram, Iteration, None, Open, handler, log } from "upcall";
import { Side, Vertex, VertexProgram, Vertices } from "upcall";
import "./fields";
import "./intervals";
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

/** What a vertex keeps that has heard of this. */
function mix<T>(so: T, heard: T): T {
  return isFloat<T>() ? <T>((so * <T>0.5 + heard) % <T>1000) : <T>(so * 31 + heard);
}

/** Whether a vertex says something to its neighbour of this index. */
function speaks(id: u64, index: i32, iteration: u64): bool {
  return (id + <u64>index + iteration) % 3 != 0;
}

/** Hears what its edges say, and says something else to some of its neighbours. */
class Talks<T> extends VertexProgram<u32, T, T> {
  constructor(outgoing: bool) {
    super();
    this.outgoing = outgoing;
    this.writes = true;
  }

  update(vertex: Vertex<u32, T, T>, context: Context): void {
    const incoming = vertex.incoming;
    let own = vertex.own;
    for (let at = 0; at < incoming.length; at++) own = mix<T>(own, incoming.value(at));
    say<T>(vertex, own, context);
  }
}

/** The same, that hears nothing of its incoming edges. */
class TalksGather<T> extends GatherProgram<u32, T, f64, T> {
  gather: Gather = Gather.SUM;
  writes: bool = true;

  apply(vertex: Vertex<u32, T, T>, gathered: f64, context: Context): void {
    say<T>(vertex, vertex.own, context);
  }
}

function say<T>(vertex: Vertex<u32, T, T>, heard: T, context: Context): void {
  const outgoing = vertex.outgoing;
  let own = heard;
  for (let at = 0; at < outgoing.length; at++) own = mix<T>(own, outgoing.value(at));
  for (let at = 0; at < outgoing.length; at++) {
    if (outgoing.id(at) >= context.vertices || outgoing.shown(at) != <u32>context.iteration) context.fail("that is no neighbour");
    const before = outgoing.value(at);
    if (speaks(vertex.id, at, context.iteration)) outgoing.setValue(at, mix<T>(own, <T>at * <T>100));
    // It is seen in the next iteration only.
    if (outgoing.value(at) != before) context.fail("it was set at once");
  }
  vertex.own = own;
  vertex.show(vertex.shown + 1);
}

/** The value of an edge of several vertices'. */
function valueOf<T>(side: Side<T>, edge: i32): T {
  return side.values[side.places.length > 0 ? <i32>side.places[edge] : edge];
}

/** The same, of all vertices of a call at once. */
class TalksAll<T> extends IntervalProgram<u32, T, T> {
  writes: bool = true;

  interval(vertices: Vertices<u32, T, T>, context: Context): void {
    const incoming = vertices.incoming;
    const outgoing = vertices.outgoing;
    const next = outgoing.nextValues;
    let first = 0;
    for (let k = 0; k < vertices.length; k++) {
      let own = vertices.own[k];
      for (let edge = <i32>incoming.begins[k]; edge < <i32>incoming.ends[k]; edge++) own = mix<T>(own, valueOf<T>(incoming, edge));
      const begin = <i32>outgoing.begins[k];
      const count = <i32>outgoing.ends[k] - begin;
      for (let at = 0; at < count; at++) own = mix<T>(own, valueOf<T>(outgoing, begin + at));
      for (let at = 0; at < count; at++) {
        if (speaks(vertices.id(k), at, context.iteration)) next[first + at] = mix<T>(own, <T>at * <T>100);
      }
      first += count;
      vertices.own[k] = own;
      vertices.next[k] = vertices.before[k] + 1;
    }
    if (first != next.length) context.fail("there is room for others");
  }
}

/** Vertex 0 tells those behind it of a number, who tell it on; who is told is updated. */
class Tells extends VertexProgram<u32, u32, f64> {
  writes: bool = true;
  selective: bool = true;

  start(vertex: Vertex<u32, u32, f64>, context: Context): void {
    if (vertex.id == 0) vertex.schedule();
  }

  update(vertex: Vertex<u32, u32, f64>, context: Context): void {
    vertex.own += 1;
    let told: f64 = vertex.id == 0 ? 1 : 0;
    for (let at = 0; at < vertex.incoming.length; at++) told = max(told, vertex.incoming.value(at));
    for (let at = 0; at < vertex.outgoing.length; at++) vertex.outgoing.setValue(at, told);
  }
}

/** Mistakes with values of edges: what the setting says, of vertex 3. */
class Missets extends VertexProgram<f64, None, f64> {
  private mistake: string = "";
  private kept: Vertex<f64, None, f64> | null = null;

  constructor(writes: bool) {
    super();
    this.writes = writes;
    this.outgoing = true;
  }

  open(open: Open): void {
    this.mistake = open.setting("mistake")!;
  }

  start(vertex: Vertex<f64, None, f64>, context: Context): void {
    if (this.mistake == "start") vertex.outgoing.setValue(0, 1);
  }

  update(vertex: Vertex<f64, None, f64>, context: Context): void {
    if (vertex.id != 3) return;
    this.kept = vertex;
    if (this.mistake == "set") vertex.outgoing.setValue(1, 7);
    if (this.mistake == "index") vertex.outgoing.setValue(2, 1);
    if (this.mistake == "negative") vertex.outgoing.setValue(-1, 1);
    if (this.mistake == "incoming") vertex.incoming.setValue(0, 1);
  }

  afterIteration(iteration: Iteration): bool {
    const kept = this.kept;
    if (kept !== null && this.mistake == "keep") kept.outgoing.setValue(0, 1);
    return true;
  }
}

/** Writes values of edges at once, and does not say so. */
class MissetsAll extends IntervalProgram<f64, None, f64> {
  outgoing: bool = true;

  interval(vertices: Vertices<f64, None, f64>, context: Context): void {
    vertices.outgoing.nextValues[0] = 1;
  }
}

/** Does not say what type its edges' values have. */
class Untyped extends VertexProgram<f64> {
  writes: bool = true;

  update(vertex: Vertex<f64>, context: Context): void {}
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
handler("talks f32", () => new Talks<f32>(false));
handler("talks f64", () => new Talks<f64>(true));
handler("talks i32", () => new Talks<i32>(false));
handler("talks i64", () => new Talks<i64>(true));
handler("talks u32", () => new Talks<u32>(false));
handler("talks u64", () => new Talks<u64>(true));
handler("talks gathered", () => new TalksGather<i64>());
handler("talks at once f32", () => new TalksAll<f32>());
handler("talks at once u64", () => new TalksAll<u64>());
handler("tells", () => new Tells());
handler("missets", () => new Missets(true));
handler("missets undeclared", () => new Missets(false));
handler("missets at once", () => new MissetsAll());
handler("untyped", () => new Untyped());
