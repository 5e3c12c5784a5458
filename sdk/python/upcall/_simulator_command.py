"""The command of the simulator: ``python -m upcall.graph_simulator``."""

from __future__ import annotations

import argparse
import bdb
import importlib.util
import itertools
import os
import sys
from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from ._graph import Found, Step
from ._replay import Replay
from ._simulator import Simulator

T = TypeVar("T")


def load(file: str | os.PathLike[str], name: str) -> Any:
    """The class of a program, from the file that it is in, which finds the modules beside it."""
    path = os.path.realpath(file)
    sys.path.insert(0, os.path.dirname(path))
    try:
        spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
        if spec is None or spec.loader is None or not os.path.isfile(path):
            raise FileNotFoundError(f"{os.fspath(file)}: there is no such Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(spec.name, module)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(os.path.dirname(path))
    found = getattr(module, name, None)
    if not isinstance(found, type):
        there = [key for key, value in vars(module).items() if isinstance(value, type) and value.__module__ == module.__name__]
        raise ValueError(f"{os.fspath(file)} has no class {name}; it has {', '.join(there) or 'none'}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m upcall.graph_simulator``."""
    parser = argparse.ArgumentParser(prog="python -m upcall.graph_simulator", description="Runs a vertex program in Python alone.")
    parser.add_argument("file", help="the Python file that the program is in")
    parser.add_argument("edges", nargs="?", help="a text file of edges: two vertices and, perhaps, a value on each line")
    parser.add_argument("--replay", metavar="INTERVAL.json", help="what upcall graph run --dump-interval wrote, instead of edges")
    parser.add_argument("--class", dest="name", required=True, help="the class of the program")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the program")
    parser.add_argument("--vertices", type=int, help="how many there are, if more than edges lead to")
    parser.add_argument("--undirected", action="store_true", help="each edge is there in both directions")
    parser.add_argument("--iterations", type=int, help="the most iterations; 1000 otherwise")
    parser.add_argument("--gauss-seidel", type=int, metavar="VERTICES", help="update vertices in intervals of so many; later ones see what earlier ones show")
    parser.add_argument("--break", dest="breaks", default="", metavar="IDS", help="vertices for which the debugger is started: 3,17")
    parser.add_argument("--step", action="store_true", help="shows each vertex, and waits for Enter")
    parser.add_argument("--allow-nan", action="store_true", help="vertices may show, keep, set and add up NaN")
    # The file of edges may be behind options.
    given = parser.parse_intermixed_args(arguments)
    if (given.edges is None) == (given.replay is None):
        parser.error("give a file of edges, or --replay with a dumped interval")
    of_graph = (given.vertices, given.iterations, given.gauss_seidel)
    if given.replay is not None and (given.undirected or any(each is not None for each in of_graph)):
        parser.error("--vertices, --undirected, --iterations and --gauss-seidel are of a graph: leave them out with --replay")
    try:
        settings = dict(_setting(each) for each in given.set)
        breaks = {int(id) for id in given.breaks.split(",") if id}
        handler = load(given.file, given.name)()
        if given.replay is not None:
            replay = Replay(handler, given.replay, settings=settings, break_at=breaks, allow_nan=given.allow_nan)
        else:
            simulator = Simulator(
                handler,
                given.edges,
                vertices=given.vertices,
                directed=not given.undirected,
                settings=settings,
                break_at=breaks,
                allow_nan=given.allow_nan,
                gauss_seidel=given.gauss_seidel,
            )
    except (OSError, ValueError, TypeError) as error:
        parser.error(str(error))
    try:
        if given.replay is not None:
            return _replayed(replay, given.step)
        return _simulated(simulator, 1000 if given.iterations is None else given.iterations, given.step)
    except bdb.BdbQuit:
        return 1


def _simulated(simulator: Simulator, iterations: int, waits: bool) -> int:
    found: Found = _through(simulator.steps(iterations), waits)
    own = [f"\t{each}" for each in found.own] or [""] * len(found.shown)
    for id, shown, kept in zip(itertools.count(), found.shown, own):
        print(f"{id}\t{shown}{kept}")
    print(f"{found.iterations} iterations", file=sys.stderr)
    return 0


def _replayed(replay: Replay, waits: bool) -> int:
    difference = _through(replay.steps(), waits)
    print(f"all {len(replay.ids)} vertices agree" if difference is None else difference)
    return 0 if difference is None else 1


def _through(steps: Generator[Step, None, T], waits: bool) -> T:
    """Takes all steps; what they come to."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            found: T = end.value
            return found
        waits = waits and _wait(step)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set {text}: write NAME=VALUE")
    return name, value


def _wait(step: Step) -> bool:
    """Shows a step and waits; whether it is to wait for the next one too."""
    place = "start" if step.iteration is None else f"iteration {step.iteration}"
    own = "" if step.own is None else f", keeps {step.own}"
    sets = f", sets {', '.join(map(str, step.sets))}" if step.sets else ""
    print(f"{place}, vertex {step.vertex}: showed {step.before}, shows {step.shown}{own}{sets}", file=sys.stderr)
    try:
        return input("Enter: the next vertex; c: go on without waiting. ").strip() != "c"
    except EOFError:
        return False


if __name__ == "__main__":
    sys.exit(main())
