"""What NetworkX and scikit-network make of a graph."""

import networkx as nx
import numpy as np
from scipy.sparse import csr_matrix
from sknetwork.clustering import Louvain, get_modularity
from sknetwork.path import get_distances
from sknetwork.ranking import PageRank
from sknetwork.topology import count_triangles, get_connected_components, get_core_decomposition


def is_small(graph):
    """Whether what takes minutes for the largest is asked of it."""
    return len(graph) < 5_000


def seeds(graph):
    """For communities, which depend on chance, of small graphs the most."""
    return range(10 if len(graph) < 1000 else 2)


def without_directions(graph):
    """The same with one edge where there is any, whose weight is that of both directions; `count` says how many there are."""
    if not graph.is_directed():
        both = graph.copy()
        nx.set_edge_attributes(both, 1, "count")
        return both
    both = nx.Graph()
    both.add_nodes_from(graph)
    for source, target, weight in graph.edges.data("weight"):
        before = both.get_edge_data(source, target, {"weight": 0, "count": 0})
        both.add_edge(source, target, weight=before["weight"] + weight, count=before["count"] + 1)
    return both


def sparse(graph, weight):
    """The matrix that scikit-network takes, with the indices that it takes."""
    sources, targets, weights = zip(*((*edge, data[weight] if weight else 1) for *edge, data in graph.edges.data()))
    if not graph.is_directed():
        sources, targets, weights = sources + targets, targets + sources, weights + weights
    edges = np.array(weights, dtype=float), (np.array(sources, dtype=np.int32), np.array(targets, dtype=np.int32))
    return csr_matrix(edges, shape=(len(graph), len(graph)))


def by_networkx(graph, both):
    def least(components):
        """The least node of each one's component."""
        return {node: first for nodes in components for first in [min(nodes)] for node in nodes}

    directed = graph.is_directed()
    triangles = nx.triangles(both)
    components = (nx.weakly_connected_components if directed else nx.connected_components)(graph)
    found = {
        "pagerank": nx.pagerank(graph, tol=1e-12, max_iter=1000, weight=None),
        "personal": nx.pagerank(graph, tol=1e-12, max_iter=1000, weight=None, personalization={0: 1, 5: 1}),
        "components": least(components),
        "breadth-first": nx.single_source_shortest_path_length(graph, 0),
        "shortest-paths": nx.single_source_dijkstra_path_length(graph, 0),
        # An edge in either direction counts: of directed graphs, degrees are the sum of both.
        "cores": nx.core_number(graph),
        "triangles": {0: sum(triangles.values()) // 3},
    }
    if directed:
        found["strong"] = least(nx.strongly_connected_components(graph))
    if is_small(graph):
        # Of directed graphs NetworkX has Fagiolo's coefficient, for which directions matter: this is Graphalytics'.
        found["clustering"] = {node: among(graph, both[node]) for node in graph} if directed else nx.clustering(graph)
    elif not directed:
        possible = {node: max(1, degree * (degree - 1) // 2) for node, degree in graph.degree}
        found["clustering"] = {node: count / possible[node] for node, count in triangles.items()}
    for program, weight in [("louvain", "count"), ("louvain-weighted", "weight")] if is_small(graph) else []:
        groups = {seed: nx.community.louvain_communities(both, weight=weight, seed=seed) for seed in seeds(graph)}
        found[program] = {seed: nx.community.modularity(both, of, weight=weight) for seed, of in groups.items()}
    return found


def among(graph, around):
    """The share of edges that could be among these nodes of a directed graph and are."""
    possible = len(around) * (len(around) - 1)
    return graph.subgraph(around).number_of_edges() / possible if possible else 0.0


def by_scikit_network(graph, both):
    """Of the same programs, those that it has."""
    directed = graph.is_directed()
    plain = sparse(graph, None)

    def first(connection):
        labels = get_connected_components(plain, connection=connection)
        least = {label: int(np.argmax(labels == label)) for label in np.unique(labels)}
        return {node: least[label] for node, label in enumerate(labels)}

    distances = enumerate(get_distances(plain, source=0))
    found = {
        "components": first("weak"),
        "breadth-first": {node: int(distance) for node, distance in distances if distance >= 0},
    }
    # From where no edge leads, its jumps are others.
    if plain.sum(axis=1).min() > 0:
        ranks = PageRank(solver="piteration", n_iter=1000, tol=1e-14).fit_predict(plain)
        found["pagerank"] = dict(enumerate(ranks.tolist()))
    if directed:
        found["strong"] = first("strong")
    else:
        found["cores"] = dict(enumerate(get_core_decomposition(plain).tolist()))
    if is_small(graph):
        found["triangles"] = {0: count_triangles(sparse(both, None))}
    weighted = sparse(both, "weight")
    found["louvain-weighted"] = {
        seed: get_modularity(weighted, Louvain(random_state=seed, shuffle_nodes=True).fit_predict(weighted))
        for seed in seeds(graph)
    }
    return found
