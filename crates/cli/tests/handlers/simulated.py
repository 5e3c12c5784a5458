"""The command of Python's simulator, once for each line of a list: the program's file and class, the edges' file, how many vertices there
are, whether edges have directions, the most iterations, and the file that takes what it prints."""

import contextlib
import sys
from pathlib import Path

from upcall.graph_simulator import main

for line in Path(sys.argv[1]).read_text().splitlines():
    file, name, edges, vertices, directed, iterations, to = line.split("\t")
    given = [file, edges, "--class", name, "--vertices", vertices, "--iterations", iterations]
    with open(to, "w") as out, contextlib.redirect_stdout(out):
        code = main(given if directed == "true" else [*given, "--undirected"])
    if code != 0:
        raise SystemExit(f"{line}: {code}")
