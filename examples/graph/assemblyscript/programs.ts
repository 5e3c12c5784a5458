/** Vertex programs in AssemblyScript, for WebAssembly: PageRank, in three forms, connected components, shortest paths, and communities by their
 * labels. */

import { Context, Gather, GatherProgram, Iteration, Neighbours, None, Open, Vertex, VertexProgram, handler } from "upcall";
export * from "upcall/exports";

/** The settings of PageRank (Page, Brin, Motwani, Winograd 1999), and the rank of a vertex. */
class Ranks {
  damping: f64 = 0.85;
  tolerance: f64 = 1e-6;
  private vertices: f64 = 0;
  /** What each vertex is given by jumps. */
  private jumps: f64 = 0;

  open(open: Open): void {
    this.vertices = <f64>open.vertices;
    this.damping = this.number(open, "damping", this.damping);
    this.tolerance = this.number(open, "tolerance", this.tolerance);
  }

  private number(open: Open, name: string, otherwise: f64): f64 {
    const said = open.setting(name);
    const number = said === null ? otherwise : parseFloat(said);
    if (isNaN(number)) open.fail(`the setting \`${name}\` is ${said!}: give it a number`);
    return number;
  }

  @inline
  start(vertex: Vertex<f64, f64>, context: Context): void {
    this.keep(1.0 / <f64>context.vertices, vertex, context);
  }

  /** The total are the ranks of vertices that only jumps lead on from. */
  begin(total: f64): void {
    this.jumps = (1.0 - this.damping + this.damping * total) * (1.0 / this.vertices);
  }

  /** The rank of a vertex whose neighbours give it this much. */
  @inline
  rank(sum: f64): f64 {
    return this.jumps + this.damping * sum;
  }

  /** A vertex has this rank from now on. */
  @inline
  update(vertex: Vertex<f64, f64>, sum: f64, context: Context): void {
    const before = vertex.own;
    const rank = this.rank(sum);
    context.addResidual(Math.abs(rank - before));
    this.keep(rank, vertex, context);
  }

  /** A vertex keeps its rank, and shows its share for each outgoing edge. */
  @inline
  private keep(rank: f64, vertex: Vertex<f64, f64>, context: Context): void {
    const outDegree = vertex.outDegree;
    vertex.own = rank;
    if (outDegree == 0) context.addTotal(rank);
    vertex.show(outDegree == 0 ? 0 : rank / <f64>outDegree);
  }
}

/** The share of the time of somebody who follows edges at random. */
class PageRank extends VertexProgram<f64, f64> {
  private ranks: Ranks = new Ranks();

  open(open: Open): void {
    this.ranks.open(open);
  }

  start(vertex: Vertex<f64, f64>, context: Context): void {
    this.ranks.start(vertex, context);
  }

  update(vertex: Vertex<f64, f64>, context: Context): void {
    const incoming = vertex.incoming;
    let sum: f64 = 0;
    for (let at = 0; at < incoming.length; at++) sum += incoming.shown(at);
    this.ranks.update(vertex, sum, context);
  }

  beforeIteration(iteration: u64, total: f64): void {
    this.ranks.begin(total);
  }

  afterIteration(iteration: Iteration): bool {
    return iteration.residual <= this.ranks.tolerance;
  }
}

/** The same; the engine adds the shares. */
class PageRankGather extends GatherProgram<f64, f64> {
  gather: Gather = Gather.SUM;
  private ranks: Ranks = new Ranks();

  open(open: Open): void {
    this.ranks.open(open);
  }

  start(vertex: Vertex<f64, f64>, context: Context): void {
    this.ranks.start(vertex, context);
  }

  apply(vertex: Vertex<f64, f64>, gathered: f64, context: Context): void {
    this.ranks.update(vertex, gathered, context);
  }

  beforeIteration(iteration: u64, total: f64): void {
    this.ranks.begin(total);
  }

  afterIteration(iteration: Iteration): bool {
    return iteration.residual <= this.ranks.tolerance;
  }
}

/** The same, whose ranks travel as values of edges: it comes to the same one iteration later. */
class PageRankEdges extends VertexProgram<f64, f64, f64> {
  writes: bool = true;
  private ranks: Ranks = new Ranks();

  open(open: Open): void {
    this.ranks.open(open);
  }

  start(vertex: Vertex<f64, f64, f64>, context: Context): void {
    vertex.own = 1.0 / <f64>context.vertices;
    vertex.show(vertex.own);
  }

  update(vertex: Vertex<f64, f64, f64>, context: Context): void {
    const incoming = vertex.incoming;
    const outgoing = vertex.outgoing;
    const before = vertex.own;
    let rank = before;
    // In the first iteration nobody has set the edges yet.
    if (context.iteration > 0) {
      let sum: f64 = 0;
      for (let at = 0; at < incoming.length; at++) sum += incoming.value(at);
      rank = this.ranks.rank(sum);
    }
    context.addResidual(Math.abs(rank - before));
    vertex.own = rank;
    vertex.show(rank);
    if (outgoing.length == 0) context.addTotal(rank);
    const share = rank / <f64>outgoing.length;
    for (let at = 0; at < outgoing.length; at++) outgoing.setValue(at, share);
  }

  beforeIteration(iteration: u64, total: f64): void {
    this.ranks.begin(total);
  }

  afterIteration(iteration: Iteration): bool {
    return iteration.number > 0 && iteration.residual <= this.ranks.tolerance;
  }
}

/** Weakly connected components: each vertex shows the least one that it is connected with. */
class Components extends VertexProgram<u64> {
  outgoing: bool = true;
  selective: bool = true;

  start(vertex: Vertex<u64>, context: Context): void {
    vertex.show(vertex.id);
    vertex.schedule();
  }

  update(vertex: Vertex<u64>, context: Context): void {
    let least = this.least(vertex.shown, vertex.incoming);
    if (context.directed) least = this.least(least, vertex.outgoing);
    vertex.show(least);
  }

  @inline
  private least(least: u64, neighbours: Neighbours<u64>): u64 {
    for (let at = 0; at < neighbours.length; at++) least = min(least, neighbours.shown(at));
    return least;
  }
}

/** Shortest paths (Bellman 1958, Ford 1956): each vertex shows how far it is from one of them. */
class ShortestPaths extends VertexProgram<f64, None, f64> {
  selective: bool = true;
  private from: u64 = 0;
  private vertices: u64 = 0;

  open(open: Open): void {
    const from = open.setting("from");
    this.vertices = open.vertices;
    if (from === null) return open.fail("the setting `from` is missing: give it the number of a vertex");
    this.from = U64.parseInt(from);
    if (this.from.toString() != from) return open.fail(`the setting \`from\` is ${from}: give it the number of a vertex`);
    if (this.from >= this.vertices) open.fail("the setting `from` names a vertex that the graph has not");
  }

  start(vertex: Vertex<f64, None, f64>, context: Context): void {
    vertex.show(Infinity);
    if (vertex.id == this.from) vertex.schedule();
  }

  update(vertex: Vertex<f64, None, f64>, context: Context): void {
    const known = vertex.shown;
    let shortest = vertex.id == this.from && known > 0 ? 0 : known;
    const incoming = vertex.incoming;
    for (let at = 0; at < incoming.length; at++) {
      const other = incoming.shown(at) + incoming.value(at);
      if (other < shortest) shortest = other;
    }
    if (shortest < known) vertex.show(shortest);
  }

  /** The longest path without a cycle has one edge less than there are vertices: what still changes then is a cycle of negative
   * length. */
  afterIteration(iteration: Iteration): bool {
    return iteration.number > this.vertices && iteration.scheduled > 0;
  }
}

/** Communities by label propagation, as Graphalytics has it (CDLP): each vertex takes the label that most neighbours show. */
class Labels extends VertexProgram<u64> {
  outgoing: bool = true;
  /** Room for a vertex's labels, twice. */
  private some: StaticArray<u64> = new StaticArray<u64>(64);
  private others: StaticArray<u64> = new StaticArray<u64>(64);

  start(vertex: Vertex<u64>, context: Context): void {
    vertex.show(vertex.id);
  }

  update(vertex: Vertex<u64>, context: Context): void {
    const incoming = vertex.incoming;
    const outgoing = vertex.outgoing;
    const count = incoming.length + (context.directed ? outgoing.length : 0);
    if (count > this.some.length) {
      this.some = new StaticArray<u64>(2 * count);
      this.others = new StaticArray<u64>(2 * count);
    }
    const labels = this.some;
    for (let at = 0; at < count; at++) {
      labels[at] = at < incoming.length ? incoming.shown(at) : outgoing.shown(at - incoming.length);
    }
    const sorted = this.sorted(count);
    let label = vertex.shown;
    let most = 0;
    for (let at = 0; at < count; ) {
      let end = at + 1;
      while (end < count && sorted[end] == sorted[at]) end++;
      if (end - at > most) {
        most = end - at;
        label = sorted[at];
      }
      at = end;
    }
    if (label != vertex.shown) {
      context.addResidual(1);
      vertex.show(label);
    }
  }

  /** Sorts, by merging what is sorted already; one of the two arrays has it in the end. */
  private sorted(count: i32): StaticArray<u64> {
    let from = this.some;
    let to = this.others;
    for (let width = 1; width < count; width *= 2) {
      for (let begin = 0; begin < count; begin += 2 * width) {
        const middle = min(begin + width, count);
        const end = min(middle + width, count);
        let left = begin;
        let right = middle;
        for (let at = begin; at < end; at++) {
          const first = left < middle && (right == end || from[left] <= from[right]);
          to[at] = first ? from[left++] : from[right++];
        }
      }
      const merged = to;
      to = from;
      from = merged;
    }
    return from;
  }

  afterIteration(iteration: Iteration): bool {
    return iteration.residual == 0;
  }
}

handler("PageRank", () => new PageRank());
handler("PageRankGather", () => new PageRankGather());
handler("PageRankEdges", () => new PageRankEdges());
handler("Components", () => new Components());
handler("ShortestPaths", () => new ShortestPaths());
handler("Labels", () => new Labels());
