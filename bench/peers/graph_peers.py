"""Graph libraries of Python: PageRank, components and breadth-first search, for `cargo xtask bench graph`.

    graph_peers.py LIBRARY VERTICES EDGES FROM ITERATIONS RUNS [PROGRAM...]

EDGES is a file of pairs of little-endian u32, each undirected edge once; the search begins at FROM. Runs all programs, or those that are
named. Prints a JSON object per line: what was run, by whom, the least seconds of all runs, and what it came to, which the benchmark
compares.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np


def load_networkx(vertices: int, edges: np.ndarray) -> Any:
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(edges.tolist())
    return graph


def networkx_programs(graph: Any, start: int, iterations: int) -> dict[str, Callable[[], dict[str, Any]]]:
    import networkx

    def ten() -> dict[str, Any]:
        # It calls it a failure that ranks have not converged, and keeps them to itself.
        try:
            networkx.pagerank(graph, alpha=0.85, max_iter=iterations, tol=-1.0)
        except networkx.PowerIterationFailedConvergence:
            return {"iterations": iterations}
        raise AssertionError("ranks have converged to less than nothing")

    def converged() -> dict[str, Any]:
        # It multiplies the tolerance by the number of vertices.
        ranks = networkx.pagerank(graph, alpha=0.85, max_iter=1000, tol=1e-10 / len(graph))
        top = max(ranks, key=ranks.__getitem__)
        return {"top": top, "rank": ranks[top]}

    return {
        "PageRank": ten,
        "PageRank to 1e-10": converged,
        "components": lambda: {"components": sum(1 for _ in networkx.connected_components(graph))},
        "breadth-first": lambda: {"reached": len(networkx.single_source_shortest_path_length(graph, start))},
    }


def load_igraph(vertices: int, edges: np.ndarray) -> Any:
    import igraph

    return igraph.Graph(n=vertices, edges=edges)


def igraph_programs(graph: Any, start: int, iterations: int) -> dict[str, Callable[[], dict[str, Any]]]:
    def converged() -> dict[str, Any]:
        # PRPACK goes on until ranks have converged to 1e-10; igraph cannot tell it how long.
        ranks = graph.pagerank(damping=0.85, implementation="prpack")
        top = max(range(len(ranks)), key=ranks.__getitem__)
        return {"top": top, "rank": ranks[top]}

    return {
        "PageRank to 1e-10": converged,
        "components": lambda: {"components": len(graph.connected_components())},
        "breadth-first": lambda: {"reached": len(graph.bfs(start)[0])},
    }


def load_scikit_network(vertices: int, edges: np.ndarray) -> Any:
    from scipy import sparse

    source, destination = edges[:, 0], edges[:, 1]
    ones = np.ones(2 * len(edges))
    rows = np.concatenate([source, destination]).astype(np.int32)
    columns = np.concatenate([destination, source]).astype(np.int32)
    return sparse.csr_matrix((ones, (rows, columns)), shape=(vertices, vertices))


def scikit_network_programs(graph: Any, start: int, iterations: int) -> dict[str, Callable[[], dict[str, Any]]]:
    from sknetwork.path import get_distances
    from sknetwork.ranking import PageRank
    from sknetwork.topology import get_connected_components

    def ten() -> dict[str, Any]:
        ranks = PageRank(damping_factor=0.85, solver="piteration", n_iter=iterations, tol=-1.0).fit_predict(graph)
        # Jumps lead to vertices without edges more often than to others: ranks are others, their order is the same.
        return {"iterations": iterations, "top": int(np.argmax(ranks))}

    def components() -> dict[str, Any]:
        return {"components": len(np.unique(get_connected_components(graph)))}

    return {
        "PageRank": ten,
        "components": components,
        "breadth-first": lambda: {"reached": int(np.count_nonzero(get_distances(graph, source=start) >= 0))},
    }


LIBRARIES = {
    "networkx": (load_networkx, networkx_programs),
    "igraph": (load_igraph, igraph_programs),
    "scikit-network": (load_scikit_network, scikit_network_programs),
}


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    began = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - began


def main() -> None:
    library, path = sys.argv[1], sys.argv[3]
    vertices, start, iterations, runs = (int(sys.argv[place]) for place in (2, 4, 5, 6))
    from importlib.metadata import version

    load, programs = LIBRARIES[library]
    who = f"{library} {version(library)}"
    edges = np.fromfile(path, dtype="<u4").reshape(-1, 2)
    __import__({"scikit-network": "sknetwork"}.get(library, library))
    graph, seconds = timed(load, vertices, edges)
    print(json.dumps({"what": "build", "who": who, "seconds": seconds}), flush=True)
    known = programs(graph, start, iterations)
    for what in sys.argv[7:] or known:
        program = known[what]
        best: dict[str, Any] = {}
        for _ in range(runs):
            found, seconds = timed(program)
            if not best or seconds < best["seconds"]:
                best = {**found, "what": what, "who": who, "seconds": seconds}
        print(json.dumps(best), flush=True)


if __name__ == "__main__":
    main()
