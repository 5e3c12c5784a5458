"""Writes graphs and what others make of them: `NAME.edges` and `NAME.expected` in a folder, of which each line has who says it, the
program, the vertex and its value."""

import argparse
from pathlib import Path

from graphs import of_collection, of_networkx, weighted, write

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("folder", type=Path, help="where files are written")
arguments.add_argument("--collection", metavar="FOLDER", help="graphs in graph-tool's format, instead of NetworkX' and Debian's")
arguments.add_argument("--edges-only", action="store_true", help="write graphs only")
given = arguments.parse_args()

graphs = of_collection(given.collection) if given.collection else of_networkx()
for name, graph in graphs.items():
    graph = weighted(graph)
    write(graph, given.folder / f"{name}.edges")
    if given.edges_only:
        continue
    # They take a second to load.
    from definitions import by_definition
    from peers import by_networkx, by_scikit_network, without_directions

    both = without_directions(graph)
    all = [
        ("NetworkX", by_networkx(graph, both)),
        ("scikit-network", by_scikit_network(graph, both)),
        ("numpy", by_definition(graph)),
    ]
    with (given.folder / f"{name}.expected").open("w") as lines:
        for whose, found in all:
            for program, values in found.items():
                for node, value in values.items():
                    print(whose, program, node, value, file=lines)
