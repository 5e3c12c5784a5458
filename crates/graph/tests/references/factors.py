"""Writes matrices, as graphs whose edges lead from rows to columns, and what ALS and SGD make of them by their definitions, in numpy:
`NAME.edges`, and `NAME.als` and `NAME.sgd` with a line for each vertex after each iteration: the iteration, the vertex, and its vector;
and with the root of the mean squared error after it: the iteration, `error`, and that."""

import sys
from pathlib import Path

import networkx as nx
import numpy as np
from graphs import write

# As `factors.rs` has them.
SEED = 3
ITERATIONS = 6
LAMBDA = {"als": 0.1, "sgd": 0.02}
RANK = {"als": 4, "sgd": 8}
RATE = 0.03


def mixed(state):
    """A step of SplitMix64 (Steele, Lea, Flood 2014)."""
    full = (1 << 64) - 1
    state = state + 0x9E3779B97F4A7C15 & full
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & full
    state = (state ^ state >> 27) * 0x94D049BB133111EB & full
    return state ^ state >> 31


def first(vertex, rank):
    """A vertex's vector at first: numbers from 0 to 1 / √rank, by the 53 highest bits of what the seed, the vertex and the place
    are mixed to."""
    full = (1 << 64) - 1
    stream = mixed(mixed(SEED) + vertex & full)
    return [(mixed(stream + place & full) >> 11) / 2**53 / np.sqrt(rank) for place in range(rank)]


def matrices():
    """By name, how many rows and columns there are, and the entries."""
    # Who came to which event, as it was published.
    women = nx.davis_southern_women_graph()
    rows, columns = nx.bipartite.sets(women)
    rows, columns = sorted(rows), sorted(columns)
    there = [(rows.index(row), columns.index(column), 1.0) for row in rows for column in women[row]]
    yield "southern-women", len(rows), len(columns), there
    # How often two of the novel's characters are in a chapter.
    novel = nx.convert_node_labels_to_integers(nx.les_miserables_graph())
    often = [entry for one, other, count in novel.edges.data("weight") for entry in [(one, other, count), (other, one, count)]]
    yield "les-miserables", len(novel), len(novel), [(row, column, float(count)) for row, column, count in often]
    # A product of two narrow matrices, of which a few entries are known; more rows than a block has, and some without any entry.
    chance = np.random.default_rng(5)
    left, right = chance.uniform(-0.5, 1.5, (1200, 3)), chance.uniform(-0.5, 1.5, (60, 3))
    known = np.argwhere(chance.random((1200, 60)) < 0.05)
    yield "product", 1200, 60, [(int(row), int(column), float(left[row] @ right[column])) for row, column in known]


def squares(vectors, entries, weight):
    """Alternating least squares: the vector of the least squared error, with λ for each entry times its own square."""
    others = vectors[[other for other, _ in entries]]
    normal = others.T @ others + weight * len(entries) * np.identity(vectors.shape[1])
    return np.linalg.solve(normal, others.T @ [entry for _, entry in entries])


def descent(vectors, vertex, entries, weight):
    """Stochastic gradient descent: a step against the error of each entry in turn."""
    own = vectors[vertex]
    for other, entry in entries:
        error = entry - own @ vectors[other]
        own = own + RATE * (error * vectors[other] - weight * own)
    return own


folder = Path(sys.argv[1])
for name, rows, columns, entries in matrices():
    graph = nx.DiGraph()
    graph.add_nodes_from(range(rows + columns))
    # Columns are the vertices behind the rows.
    graph.add_weighted_edges_from((row, rows + column, entry) for row, column, entry in entries)
    write(graph, folder / f"{name}.edges")
    sides = {side: {vertex: [] for vertex in graph} for side in (0, 1)}
    for row, column, entry in sorted(graph.edges.data("weight")):
        sides[0][row].append((column, entry))
        sides[1][column].append((row, entry))
    for method in ("als", "sgd"):
        rank, weight = RANK[method], LAMBDA[method]
        some = [first(vertex, rank) if sides[0][vertex] or sides[1][vertex] else [0.0] * rank for vertex in graph]
        vectors = np.array(some)
        with (folder / f"{name}.{method}").open("w") as lines:
            for iteration in range(ITERATIONS):
                # Even iterations update rows, odd ones columns.
                for vertex, known in sides[iteration % 2].items():
                    if known and method == "als":
                        vectors[vertex] = squares(vectors, known, weight)
                    elif known:
                        vectors[vertex] = descent(vectors, vertex, known, weight)
                for vertex, vector in enumerate(vectors.tolist()):
                    print(iteration, vertex, *vector, file=lines)
                errors = [entry - vectors[row] @ vectors[column] for row, column, entry in graph.edges.data("weight")]
                print(iteration, "error", float(np.sqrt(np.mean(np.square(errors)))), file=lines)
