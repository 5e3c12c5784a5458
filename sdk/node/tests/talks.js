// A program that writes values of edges, in each form and type, and the same by the plainest way there is.

export const TYPES = ["f32", "f64", "i32", "u32", "i64", "u64"];

/** Puts a number to what there is so far, within a type. */
const MIXES = {
  f32: (so, value) => Math.fround((so * 0.5 + Number(value)) % 1000),
  f64: (so, value) => (so * 0.5 + Number(value)) % 1000,
  i32: (so, value) => (Math.imul(so, 31) + Number(value)) | 0,
  u32: (so, value) => (Math.imul(so, 31) + Number(value)) >>> 0,
  i64: (so, value) => BigInt.asIntN(64, BigInt(so) * 31n + BigInt(value)),
  u64: (so, value) => BigInt.asUintN(64, BigInt(so) * 31n + BigInt(value)),
};

const ARRAYS = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u32: Uint32Array, i64: BigInt64Array, u64: BigUint64Array };

/** What a vertex says to its neighbour of this index; nothing to some. */
function says(type, from, index, own, iteration) {
  return (from + index + iteration) % 3 === 0 ? undefined : [from, 100 * index].reduce(MIXES[type], own);
}

/** What a vertex keeps that hears this, and has said that. */
const keeps = (type, own, heard, said) => [...heard, ...said].reduce(MIXES[type], own);

/** A class of this form. What is shown is an f64 whatever the type: how often a vertex was updated. */
export function talks(form, type, more) {
  class Talks {
    static own = type;
    static shown = "f64";
    static edge = type;
    static writes = true;
  }
  const update = (vertex, context, incoming) => {
    const { outgoing } = vertex;
    const said = Array.from({ length: outgoing.length }, (_, index) => outgoing.value(index));
    vertex.own = keeps(type, vertex.own, incoming, said);
    // Neighbours are there, whether or not it has declared outgoing.
    for (let index = 0; index < outgoing.length; index++) {
      if (outgoing.shown(index) !== context.iteration || outgoing.id(index) >= context.vertices) throw new Error("no neighbour");
      const value = says(type, vertex.id, index, vertex.own, context.iteration);
      if (value !== undefined) outgoing.setValue(index, value);
    }
    vertex.show(vertex.shown + 1);
  };
  if (form === "update") {
    Talks.prototype.update = (vertex, context) => {
      const { incoming } = vertex;
      update(vertex, context, Array.from({ length: incoming.length }, (_, index) => incoming.value(index)));
    };
  }
  if (form === "interval") {
    Talks.prototype.interval = (vertices, { iteration }) => {
      const { own, next, before, incoming, outgoing } = vertices;
      const all = ({ begins, ends, values, places }, k) =>
        Array.from({ length: ends[k] - begins[k] }, (_, index) => {
          const e = begins[k] + index;
          return values[places.length === 0 ? e : places[e]];
        });
      let first = 0;
      for (let k = 0; k < vertices.length; k++) {
        const said = all(outgoing, k);
        own[k] = keeps(type, own[k], all(incoming, k), said);
        said.forEach((_, index) => {
          const value = says(type, vertices.id(k), index, own[k], iteration);
          if (value !== undefined) outgoing.nextValues[first + index] = value;
        });
        first += said.length;
        next[k] = before[k] + 1;
      }
    };
  }
  if (form === "apply") {
    // It hears nothing of incoming edges.
    Talks.gather = "sum";
    Talks.prototype.apply = (vertex, _, context) => update(vertex, context, []);
  }
  return Object.assign(Talks, more);
}

/** The same by plain loops: what vertices keep, and the values of edges by destination, then by source; of `apply` without hearing. */
export function talked(list, vertices, directed, type, iterations, hears = true) {
  const all = directed ? list : list.flatMap(([from, to, value]) => (from === to ? [[from, to, value]] : [[from, to, value], [to, from, value]]));
  const byEnds = (one, other) =>
    [...all.keys()].sort((a, b) => all[a][one] - all[b][one] || all[a][other] - all[b][other] || a - b);
  const order = { incoming: byEnds(1, 0), outgoing: byEnds(0, 1) };
  const of = (side, end) => {
    const found = Array.from({ length: vertices }, () => []);
    for (const edge of order[side]) found[all[edge][end]].push(edge);
    return found;
  };
  const [incoming, outgoing] = [of("incoming", 1), of("outgoing", 0)];
  const own = new ARRAYS[type](vertices);
  let values = ARRAYS[type].from(all, ([, , value]) => value);
  for (let iteration = 0; iteration < iterations; iteration++) {
    const next = values.slice();
    for (let vertex = 0; vertex < vertices; vertex++) {
      const heard = hears ? incoming[vertex].map((edge) => values[edge]) : [];
      own[vertex] = keeps(type, own[vertex], heard, outgoing[vertex].map((edge) => values[edge]));
      outgoing[vertex].forEach((edge, index) => {
        const value = says(type, vertex, index, own[vertex], iteration);
        if (value !== undefined) next[edge] = value;
      });
    }
    values = next;
  }
  return { own, edges: ARRAYS[type].from(order.incoming, (edge) => values[edge]) };
}
