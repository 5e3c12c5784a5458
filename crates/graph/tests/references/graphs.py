"""The graphs that programs are compared on: some that come with NetworkX, that of Debian's packages, and graph-tool's collection."""

import gzip
import re
import struct
import subprocess
from pathlib import Path

import networkx as nx
import numpy as np


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


def of_networkx():
    return {
        "debian": debian(),
        # Real ones, as they were published.
        "karate-club": nx.karate_club_graph(),
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


def of_collection(folder):
    """Those in a folder of graph-tool's files."""
    return {file.name.removesuffix(".gt.gz"): graph_tools(file) for file in sorted(Path(folder).iterdir())}


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


def weighted(graph):
    """The same without loops, its nodes as numbers, and each edge with a weight."""
    if list(graph) != list(range(len(graph))):
        graph = nx.convert_node_labels_to_integers(graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    for source, target in graph.edges:
        graph[source][target]["weight"] = (source * 7 + target * 13) % 23 + 1
    return graph


def write(graph, file):
    """As a list of edges, of which the first line says whether they have directions and how many vertices there are."""
    with file.open("w") as edges:
        print("#", "directed" if graph.is_directed() else "undirected", len(graph), file=edges)
        for source, target, weight in graph.edges.data("weight"):
            print(source, target, weight, file=edges)
