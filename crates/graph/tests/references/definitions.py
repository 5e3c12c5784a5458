"""What the definitions of programs come to that no library has, in numpy and scipy."""

import numpy as np
from scipy.sparse import csr_array, identity


def by_definition(graph):
    sources, targets = np.array(graph.edges, dtype=np.int64).reshape(-1, 2).T
    if not graph.is_directed():
        sources, targets = np.concatenate([sources, targets]), np.concatenate([targets, sources])
    shape = (len(graph), len(graph))
    edges = csr_array((np.ones(len(sources)), (sources, targets)), shape=shape)
    found = {"labels": dict(enumerate(labels(graph, sources, targets, 10).tolist()))}
    if graph.is_directed():
        found["clustering"] = dict(enumerate(clustering(edges).tolist()))
    for begin, begins in [("first", [0]), ("all", range(len(graph)))]:
        for step, share in visits(edges, begins, 3).items():
            found[f"walks-from-{begin}-{step}"] = {int(node): share[node] for node in np.flatnonzero(share)}
    return found


def labels(graph, sources, targets, iterations):
    """Label propagation as Graphalytics defines it (CDLP), synchronous: the label that most edges bring, of several the least."""
    if graph.is_directed():
        sources, targets = np.concatenate([sources, targets]), np.concatenate([targets, sources])
    label = np.arange(len(graph))
    for _ in range(iterations):
        pairs, counts = np.unique(targets * len(graph) + label[sources], return_counts=True)
        of, heard = np.divmod(pairs, len(graph))
        # The last of a vertex's is the one with the highest count, and of these the least.
        order = np.lexsort((-heard, counts, of))
        of, heard = of[order], heard[order]
        last = np.append(of[1:] != of[:-1], True)
        label = label.copy()
        label[of[last]] = heard[last]
    return label


def clustering(edges):
    """Of each vertex the share of directed edges that could be among its neighbours and are, whatever leads to those."""
    around = ((edges + edges.T) > 0).astype(float)
    # An edge j → k is among the neighbours of i if i has j and k: Σ over j of around(i, j) edges(j, k), where around(i, k).
    count = (around @ edges).multiply(around).sum(axis=1)
    degree = around.sum(axis=1)
    possible = degree * (degree - 1)
    return np.divide(count, possible, out=np.zeros(len(count)), where=possible > 0)


def visits(edges, begins, steps):
    """By step, which share of walks from there is at each vertex: by powers of the matrix of transitions, whose rows are zero
    where walks end."""
    degree = edges.sum(axis=1)
    inverse = np.divide(1.0, degree, out=np.zeros(len(degree)), where=degree > 0)
    transitions = identity(len(degree), format="csr").multiply(inverse[:, None]) @ edges
    share = np.zeros(len(degree))
    share[begins] = 1.0 / len(begins)
    shares = {}
    for step in range(1, steps + 1):
        share = share @ transitions
        shares[step] = share
    return shares
