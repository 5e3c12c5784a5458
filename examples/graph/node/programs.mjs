// The programs of graphs in JavaScript. Each one's results are the same numbers, to the bit, as those of its like in Rust.

/** A setting that is a number. */
function number({ settings }, name, by) {
  const value = Number(settings[name] ?? by);
  if (settings[name]?.trim() === "" || !Number.isFinite(value)) throw new RangeError(`${name} is ${settings[name]}: give a number`);
  return value;
}

/** What the forms of PageRank have in common. */
class Ranks {
  static parameters = {
    damping: { type: "f64", default: 0.85, range: "0..=1" },
    tolerance: { type: "f64", default: 1e-6 },
  };
  static own = "f64";
  static shown = "f64";

  /** @param {import("upcall").GraphContext} context */
  open(context) {
    /** How likely an edge is followed. */
    this.damping = number(context, "damping", 0.85);
    /** How much all ranks together may change in the last iteration. */
    this.tolerance = number(context, "tolerance", 1e-6);
    this.vertices = context.vertices;
    /** What each vertex is given by jumps. */
    this.jumps = 0;
  }

  /**
   * @param {import("upcall").StartVertex} vertex
   * @param {import("upcall").VertexContext} context
   */
  start(vertex, context) {
    this.keep(vertex, context, 1 / context.vertices);
  }

  /**
   * @param {number} iteration
   * @param {number} total the ranks of vertices that only jumps lead on from
   */
  beforeIteration(iteration, total) {
    this.jumps = (1 - this.damping + this.damping * total) * (1 / this.vertices);
  }

  rank(vertex, context, sum) {
    const rank = this.jumps + this.damping * sum;
    context.addResidual(Math.abs(rank - vertex.own));
    this.keep(vertex, context, rank);
  }

  keep(vertex, context, rank) {
    const { outDegree } = vertex;
    vertex.own = rank;
    // From there only jumps lead on.
    if (outDegree === 0) context.addTotal(rank);
    vertex.show(outDegree === 0 ? 0 : rank / outDegree);
  }

  /** @param {import("upcall").Iteration} iteration */
  afterIteration(iteration) {
    return iteration.residual <= this.tolerance;
  }
}

/**
 * Each vertex's rank: the share of time that somebody spends there who follows edges at random, and now and then jumps to any vertex.
 * Kept as `own`; what a vertex shows is its rank divided by its outgoing edges.
 */
export class PageRank extends Ranks {
  /**
   * @param {import("upcall").Vertex} vertex
   * @param {import("upcall").VertexContext} context
   */
  update(vertex, context) {
    const { incoming } = vertex;
    let sum = 0;
    for (let index = 0; index < incoming.length; index++) sum += incoming.shown(index);
    this.rank(vertex, context, sum);
  }
}

/** The same, of which the engine makes the sums. */
export class PageRankGather extends Ranks {
  static gather = "sum";

  /**
   * @param {import("upcall").Vertex} vertex
   * @param {number} sum
   * @param {import("upcall").VertexContext} context
   */
  apply(vertex, sum, context) {
    this.rank(vertex, context, sum);
  }
}

/** The same, whose ranks travel as values of edges: it comes to PageRank's numbers one iteration later. */
export class PageRankEdges extends Ranks {
  static edge = "f64";
  static writes = true;

  /**
   * @param {import("upcall").StartVertex} vertex
   * @param {import("upcall").VertexContext} context
   */
  start(vertex, context) {
    vertex.own = 1 / context.vertices;
    vertex.show(vertex.own);
  }

  /**
   * @param {import("upcall").Vertex} vertex
   * @param {import("upcall").VertexContext} context
   */
  update(vertex, context) {
    const { incoming, outgoing } = vertex;
    let rank = vertex.own;
    // In the first iteration nobody has set the edges yet.
    if (context.iteration > 0) {
      let sum = 0;
      for (let index = 0; index < incoming.length; index++) sum += incoming.value(index);
      rank = this.jumps + this.damping * sum;
    }
    context.addResidual(Math.abs(rank - vertex.own));
    vertex.own = rank;
    vertex.show(rank);
    const { length } = outgoing;
    if (length === 0) context.addTotal(rank);
    const share = rank / length;
    for (let index = 0; index < length; index++) outgoing.setValue(index, share);
  }

  /** @param {import("upcall").Iteration} iteration */
  afterIteration(iteration) {
    return iteration.number > 0 && super.afterIteration(iteration);
  }
}

/** Which vertices are connected, whatever the direction of edges: each shows the least one of its component. */
export class Components {
  // Numbers of vertices fit into 32 bits; with 64 they would be bigints.
  static shown = "u32";
  static outgoing = true;
  static selective = true;

  /** @param {import("upcall").StartVertex} vertex */
  start(vertex) {
    vertex.show(vertex.id);
    vertex.schedule();
  }

  /**
   * @param {import("upcall").Vertex} vertex
   * @param {import("upcall").VertexContext} context
   */
  update(vertex, context) {
    let least = vertex.shown;
    const { incoming } = vertex;
    for (let index = 0; index < incoming.length; index++) {
      const other = incoming.shown(index);
      if (other < least) least = other;
    }
    if (context.directed) {
      const { outgoing } = vertex;
      for (let index = 0; index < outgoing.length; index++) {
        const other = outgoing.shown(index);
        if (other < least) least = other;
      }
    }
    vertex.show(least);
  }
}

/**
 * How far each vertex is from one of them: the least sum of edges' values on a way there, infinite where there is none. Values may be
 * negative; of a graph with a cycle of negative length it says so in the log, and stops.
 */
export class ShortestPaths {
  static parameters = { from: { type: "u32", default: 0 } };
  static shown = "f64";
  static edge = "f64";
  static selective = true;

  /** @param {import("upcall").GraphContext} context */
  open(context) {
    this.from = number(context, "from", 0);
    this.vertices = context.vertices;
    this.log = context.log;
    if (!(Number.isInteger(this.from) && this.from >= 0 && this.from < context.vertices)) {
      throw new RangeError(`from is ${this.from}, and the graph has ${context.vertices} vertices`);
    }
  }

  /** @param {import("upcall").StartVertex} vertex */
  start(vertex) {
    vertex.show(Infinity);
    if (vertex.id === this.from) vertex.schedule();
  }

  /** @param {import("upcall").Vertex} vertex */
  update(vertex) {
    const { incoming, shown } = vertex;
    let shortest = vertex.id === this.from && shown > 0 ? 0 : shown;
    for (let index = 0; index < incoming.length; index++) {
      const length = incoming.shown(index) + incoming.value(index);
      if (length < shortest) shortest = length;
    }
    if (shortest < shown) vertex.show(shortest);
  }

  /** @param {import("upcall").Iteration} iteration */
  afterIteration({ number, scheduled }) {
    // The longest path without a cycle has one edge less than there are vertices, and the first iteration looks at none.
    const negative = number > this.vertices && scheduled > 0;
    if (negative) this.log.warn("there is a cycle of negative length, so that no distance is the least");
    return negative;
  }
}

/** Communities: each vertex shows its label, at first its own number, then the one that most of its neighbours show, of several the least. */
export class Labels {
  static shown = "u32";
  static outgoing = true;

  labels = new Uint32Array(1024);

  /** @param {import("upcall").StartVertex} vertex */
  start(vertex) {
    vertex.show(vertex.id);
  }

  /**
   * @param {import("upcall").Vertex} vertex
   * @param {import("upcall").VertexContext} context
   */
  update(vertex, context) {
    const { incoming, shown } = vertex;
    let count = incoming.length + (context.directed ? vertex.outgoing.length : 0);
    if (count > this.labels.length) this.labels = new Uint32Array(2 * count);
    const labels = this.labels.subarray(0, count);
    for (let index = 0; index < incoming.length; index++) labels[index] = incoming.shown(index);
    if (context.directed) {
      const { outgoing } = vertex;
      for (let index = 0; index < outgoing.length; index++) labels[incoming.length + index] = outgoing.shown(index);
    }
    labels.sort();
    let [most, label] = [0, shown];
    for (let index = 0, begin = 0; index < count; index++) {
      if (index + 1 < count && labels[index + 1] === labels[index]) continue;
      if (index + 1 - begin > most) [most, label] = [index + 1 - begin, labels[index]];
      begin = index + 1;
    }
    if (label === shown) return;
    context.addResidual(1);
    vertex.show(label);
  }

  /** @param {import("upcall").Iteration} iteration */
  afterIteration(iteration) {
    return iteration.residual === 0;
  }
}
