// Graphs for tests, and what programs come to by the plainest way there is.

/** Numbers that are the same in each run. */
export function random(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** So many edges between so many vertices, with loops, duplicates, hubs and vertices without edges. */
export function edges(seed, vertices, count) {
  const next = random(seed);
  const end = () => Math.floor(vertices * next() ** 2);
  return Array.from({ length: count }, () => [end(), end(), 1 + Math.floor(8 * next()) / 4]);
}

/** The neighbours of each vertex, in ascending order: in one direction, and in the other. */
export function neighbours(list, vertices, directed) {
  const both = directed ? list : list.flatMap(([from, to, value]) => (from === to ? [[from, to, value]] : [[from, to, value], [to, from, value]]));
  const [incoming, outgoing] = [0, 1].map(() => Array.from({ length: vertices }, () => []));
  for (const [from, to, value] of both) {
    incoming[to].push([from, value]);
    outgoing[from].push([to, value]);
  }
  for (const all of [...incoming, ...outgoing]) all.sort(([one], [other]) => one - other);
  return { incoming, outgoing };
}

/** Adds numbers up as the engine does: those of 1,024 vertices, and then these. */
function sum(numbers) {
  let all = 0;
  for (let first = 0; first < numbers.length; first += 1024) {
    all += numbers.slice(first, first + 1024).reduce((part, number) => (number === undefined ? part : part + number), 0);
  }
  return all;
}

export function pageRank(list, vertices, directed, damping = 0.85, tolerance = 1e-6) {
  const { incoming, outgoing } = neighbours(list, vertices, directed);
  const degrees = outgoing.map((all) => all.length);
  const share = (rank, vertex) => (degrees[vertex] === 0 ? 0 : rank / degrees[vertex]);
  let ranks = degrees.map(() => 1 / vertices);
  for (let iterations = 1; ; iterations++) {
    const total = sum(ranks.map((rank, vertex) => (degrees[vertex] === 0 ? rank : undefined)));
    const next = incoming.map((all) => {
      let into = 0;
      for (const [from] of all) into += share(ranks[from], from);
      return (1 - damping + damping * total) * (1 / vertices) + damping * into;
    });
    const residual = sum(next.map((rank, vertex) => Math.abs(rank - ranks[vertex])));
    ranks = next;
    if (residual <= tolerance) return { iterations, own: Float64Array.from(ranks), shown: Float64Array.from(ranks, share), edges: undefined };
  }
}

export function components(list, vertices) {
  const of = Uint32Array.from({ length: vertices }, (_, vertex) => vertex);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [from, to] of list) {
      const least = Math.min(of[from], of[to]);
      changed ||= of[from] !== least || of[to] !== least;
      of[from] = of[to] = least;
    }
  }
  return of;
}

export function distances(list, vertices, directed, from) {
  const { outgoing } = neighbours(list, vertices, directed);
  const all = new Float64Array(vertices).fill(Infinity);
  all[from] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    outgoing.forEach((edges, vertex) => {
      for (const [to, length] of edges) {
        if (all[vertex] + length >= all[to]) continue;
        all[to] = all[vertex] + length;
        changed = true;
      }
    });
  }
  return all;
}

export function labels(list, vertices, directed, iterations) {
  const { incoming, outgoing } = neighbours(list, vertices, directed);
  let all = Uint32Array.from({ length: vertices }, (_, vertex) => vertex);
  for (let iteration = 0; iteration < iterations; iteration++) {
    all = all.map((label, vertex) => {
      const counts = new Map();
      for (const [other] of [...incoming[vertex], ...(directed ? outgoing[vertex] : [])]) {
        counts.set(all[other], (counts.get(all[other]) ?? 0) + 1);
      }
      const most = Math.max(0, ...counts.values());
      return most === 0 ? label : Math.min(...[...counts].filter(([, count]) => count === most).map(([other]) => other));
    });
  }
  return all;
}
