"""Runs a vertex program in Python alone, vertex by vertex: to look at one, and to find mistakes.

    from upcall.graph_simulator import Simulator

    simulator = Simulator(Largest(), [(0, 1), (1, 2), (2, 0), (3, 1)], break_at={2})
    assert simulator.run().shown == [3, 3, 3, 3]

It needs no native code, nor that anything is built, and comes to the same bits as the engine. It is slow: it is for small graphs.
Besides what the engine checks (edges that are not there, what is not declared, numbers that do not fit their type):

- a vertex that is kept beyond its call is an error when it is used, which names it and the one that is being updated;
- a NaN that is shown, kept or added up is an error that names the vertex, unless ``allow_nan=True``;
- ``break_at={ids}`` calls ``breakpoint()`` before each call for these vertices: ``s`` then steps into the program;
- ``steps()`` pauses behind each vertex;
- what a program raises has a note of the vertex and the iteration.

From the command line:

    python -m upcall.graph_simulator largest.py --class Largest links.txt --break 2

Of a large graph, which takes the engine, it replays an interval that ``upcall graph run … --dump-interval`` has written: updates
each of its vertices again, with exactly what that saw, and says whether the same became of it.

    difference = Replay(Largest(), "interval.json").run()
    assert difference is None, difference

    python -m upcall.graph_simulator largest.py --class Largest --replay interval.json --break 2
"""

from __future__ import annotations

import sys

from ._graph import Found, Step
from ._replay import Difference, Replay
from ._simulator import Simulator, read_edges
from ._simulator_command import load, main

__all__ = ["Difference", "Found", "Replay", "Simulator", "Step", "load", "main", "read_edges"]

if __name__ == "__main__":
    sys.exit(main())
