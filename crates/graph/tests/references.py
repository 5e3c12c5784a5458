"""Writes graphs and what NetworkX and scikit-network make of them: `NAME.edges` and `NAME.expected` in a folder. The graphs are
those of a second folder, as graph-tool writes them, or else some that come with NetworkX, and that of Debian's packages."""

import gzip
import re
import struct
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
from scipy.sparse import csr_matrix
from sknetwork.clustering import Louvain, get_modularity
from sknetwork.path import get_distances
from sknetwork.ranking import PageRank
from sknetwork.topology import count_triangles, get_connected_components, get_core_decomposition


def debian():
    """Which package depends on which, of all that Debian knows here; the one that names most is the first."""
    listed = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True, text=True).stdout
    needs = {}
    for entry in listed.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in entry.splitlines() if re.match("(Package|Depends|Pre-Depends): ", line))
        if "Package" in fields:
            said = ", ".join(fields.get(field, "") for field in ("Pre-Depends", "Depends"))
            needs[fields["Package"]] = {re.split("[ :(]", one.strip())[0] for one in re.split("[,|]", said)}
    if not needs:
        raise SystemExit("apt knows no packages: run apt-get update")
    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(needs, key=lambda name: (-len(needs[name]), name)))
    graph.add_edges_from((name, other) for name in sorted(needs) for other in sorted(needs[name]) if other in needs)
    return graph


def graph_tools(file):
    """A graph in graph-tool's format, of the machine's byte order: https://graph-tool.skewed.de/static/doc/gt_format.html"""
    data = gzip.decompress(file.read_bytes())
    magic, version, big, comment = struct.unpack_from("<6sB?Q", data)
    assert (magic, version, big) == ("⛾ gt".encode(), 1, False), f"{file} is not of graph-tool's format"
    at = 16 + comment
    directed, vertices = struct.unpack_from("<?Q", data, at)
    at += 9
    size = next(size for size in (1, 2, 4, 8) if vertices < 1 << 8 * size)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(vertices))
    for source in range(vertices):
        (count,) = struct.unpack_from("<Q", data, at)
        graph.add_edges_from((source, int(target)) for target in np.frombuffer(data, f"<u{size}", count, at + 8))
        at += 8 + count * size
    return graph


def least(components):
    """The least node of each one's component."""
    return {node: first for nodes in components for first in [min(nodes)] for node in nodes}


def is_small(graph):
    """Whether what takes minutes for the largest is asked of it."""
    return len(graph) < 5_000


def seeds(graph):
    """For communities, which depend on chance, of small graphs the most."""
    return range(10 if len(graph) < 1000 else 2)


def sparse(graph, weight):
    """The matrix that scikit-network takes, with the indices that it takes."""
    matrix = nx.to_scipy_sparse_array(graph, weight=weight, format="csr", dtype=float)
    places = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    return csr_matrix((matrix.data, *places), shape=matrix.shape)


def by_scikit_network(graph, both):
    """What scikit-network says of the same programs, of those that it has."""
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
            found["triangles"] = {0: count_triangles(plain)}
    weighted = sparse(both, "weight")
    found["louvain-weighted"] = {
        seed: get_modularity(weighted, Louvain(random_state=seed, shuffle_nodes=True).fit_predict(weighted))
        for seed in seeds(graph)
    }
    return found


def of_networkx():
    return {
        "debian": debian(),
        # Real ones, as they were published.
        "karate": nx.karate_club_graph(),
        "les-miserables": nx.les_miserables_graph(),
        "florentine": nx.florentine_families_graph(),
        "southern-women": nx.davis_southern_women_graph(),
        # Made ones, with hubs, with long ways and with edges of one direction.
        "hubs": nx.barabasi_albert_graph(3000, 4, seed=1),
        "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(30, 40)),
        "ring": nx.watts_strogatz_graph(2000, 6, 0.05, seed=2),
        "directed": nx.gnp_random_graph(1500, 0.004, seed=3, directed=True),
        "growing": nx.DiGraph(nx.scale_free_graph(2000, seed=4)),
    }


folder = Path(sys.argv[1])
if collection := sys.argv[2:]:
    files = {file.name.removesuffix(".gt.gz"): file for file in Path(collection[0]).iterdir()}
    # Without later states of cond-mat.
    graphs = {name: graph_tools(file) for name, file in files.items() if not name.startswith("cond-mat-")}
else:
    graphs = of_networkx()
for name, graph in graphs.items():
    if list(graph) != list(range(len(graph))):
        graph = nx.convert_node_labels_to_integers(graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    for source, target in graph.edges:
        graph[source][target]["weight"] = (source * 7 + target * 13) % 23 + 1
    directed = graph.is_directed()
    with (folder / f"{name}.edges").open("w") as edges:
        print("#", "directed" if directed else "undirected", len(graph), file=edges)
        for source, target, weight in graph.edges.data("weight"):
            print(source, target, weight, file=edges)

    components = (nx.weakly_connected_components if directed else nx.connected_components)(graph)
    expected = {
        "pagerank": nx.pagerank(graph, tol=1e-12, max_iter=1000, weight=None),
        "personal": nx.pagerank(graph, tol=1e-12, max_iter=1000, weight=None, personalization={0: 1, 5: 1}),
        "components": least(components),
        "breadth-first": nx.single_source_shortest_path_length(graph, 0),
        "shortest-paths": nx.single_source_dijkstra_path_length(graph, 0),
    }
    if directed:
        strong = nx.strongly_connected_components(graph)
        expected["strong"] = least(strong)
    else:
        expected["cores"] = nx.core_number(graph)
        expected["clustering"] = nx.clustering(graph)
        expected["triangles"] = {0: sum(nx.triangles(graph).values()) // 3}
    # Edges of both directions are one here, and count as two.
    both = nx.Graph()
    both.add_nodes_from(graph)
    for source, target, weight in graph.edges.data("weight"):
        before = both.get_edge_data(source, target, {"weight": 0, "count": 0})
        both.add_edge(source, target, weight=before["weight"] + weight, count=before["count"] + 1)
    for program, weight in [("louvain", "count"), ("louvain-weighted", "weight")] if is_small(graph) else []:
        found = {seed: nx.community.louvain_communities(both, weight=weight, seed=seed) for seed in seeds(graph)}
        expected[program] = {
            seed: nx.community.modularity(both, communities, weight=weight) for seed, communities in found.items()
        }
    with (folder / f"{name}.expected").open("w") as lines:
        for whose, found in [("NetworkX", expected), ("scikit-network", by_scikit_network(graph, both))]:
            for program, values in found.items():
                for node, value in values.items():
                    print(whose, program, node, value, file=lines)
