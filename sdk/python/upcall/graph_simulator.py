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
"""

from __future__ import annotations

import argparse
import bdb
import importlib.util
import itertools
import os
import sys
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ._graph import BLOCK, Engine, Found, Step, adjacency, frames
from ._simulated import Call, Vertex, VertexContext
from ._simulated_interval import Interval
from ._support import context, kind_of, program
from ._vertex import Iteration

__all__ = ["Found", "Simulator", "Step", "load", "main", "read_edges"]

Edges = Iterable[Sequence[Any]]


class Simulator(Engine):
    """A vertex program and a small graph: ``edges`` are (source, destination) or (source, destination, value).

    ``handler`` is an instance of the program's class. Instead of edges there may be the path of a text file, as ``read_edges``
    reads it. There are as many vertices as edges lead to, or ``vertices``. ``directed=False`` has each edge in both directions.
    A program with ``interval`` is handed ``frame`` vertices at once, a multiple of 1,024.
    """

    def __init__(
        self,
        handler: Any,
        edges: Edges | str | os.PathLike[str],
        *,
        vertices: int | None = None,
        directed: bool = True,
        settings: Mapping[str, str] | None = None,
        break_at: Collection[int] = (),
        allow_nan: bool = False,
        frame: int = BLOCK,
    ) -> None:
        if kind_of(handler) not in ("vertex", "gather", "interval"):
            raise TypeError(f"{type(handler).__qualname__} is no vertex program: use the harnesses of upcall.testing")
        if frame < 1 or frame % BLOCK:
            raise ValueError(f"frame={frame}: give a multiple of {BLOCK}")
        if isinstance(edges, (str, os.PathLike)):
            edges = read_edges(edges)
        graph = adjacency(edges, vertices, directed)
        super().__init__(program(handler), graph)
        self.allow_nan = allow_nan
        """Whether vertices may show, keep and add up NaN."""
        self.break_at = frozenset(break_at)
        """The vertices for which ``breakpoint()`` is called."""
        self.call: Call | None = None
        """The call of the program that is running."""
        self._handler = handler
        self._frame = frame
        self._opened = False
        size = graph.vertices, graph.edges, graph.directed
        self._context = context("simulated", dict(settings or {}), 0, 1, graph=size)
        self.log = self._context.log
        """The program's log."""

    def run(self, iterations: int = 1000) -> Found:
        """Runs the program until it ends or nothing is scheduled, or as many iterations."""
        return super().run(iterations)

    def steps(self, iterations: int = 1000) -> Generator[Step, None, Found]:
        """The same, with a pause behind each vertex: ``for step in simulator.steps(): …``."""
        if self._opened:
            raise RuntimeError("this simulator has run: make another one")
        self._opened = True
        if callable(getattr(self._handler, "open", None)):
            self._handler.open(self._context)
        found = yield from super().steps(iterations)
        if callable(getattr(self._handler, "close", None)):
            self._handler.close()
        return found

    def _pass(self, starts: bool, iteration: int, total: float, vertices: Sequence[int]) -> Iterator[Step]:
        if starts and not callable(getattr(self._handler, "start", None)):
            return
        if self.says.form == "interval" and not starts:
            for _, ids in frames(vertices, self._frame):
                yield from self._interval(iteration, total, ids)
            return
        method = self._handler.start if starts else self._handler.update if self.says.form == "vertex" else self._handler.apply
        for id in vertices:
            call = Call(self, starts, iteration, total, f"vertex {id}")
            vertex, common = Vertex(call, id), VertexContext(call, id)
            gathered = () if starts or self.says.form == "vertex" else (self.gathered(id),)
            self._call(call, id in self.break_at, method, vertex, *gathered, common)
            yield self._step(None if starts else iteration, id)

    def _interval(self, iteration: int, total: float, ids: Sequence[int]) -> Iterator[Step]:
        what = f"the interval of {len(ids)} vertices from {ids[0]} to {ids[-1]}"
        call = Call(self, False, iteration, total, what)
        vertices = Interval(call, ids)
        breaks = not self.break_at.isdisjoint(ids)
        self._call(call, breaks, self._handler.interval, vertices, VertexContext(call, None))
        for id in ids:
            yield self._step(iteration, id)

    def _call(self, call: Call, breaks: bool, method: Any, *given: Any) -> None:
        self.call = call
        try:
            try:
                if breaks:
                    breakpoint()  # `given` is what the program is given; `s` steps into it.
                method(*given)
            finally:
                call.open, self.call = False, None
            if isinstance(given[0], Interval):
                given[0].end()
        except Exception as error:
            place = "start" if call.starts else f"iteration {call.iteration}"
            error.add_note(f"{place}, {call.what}")
            raise

    def _step(self, iteration: int | None, id: int) -> Step:
        return Step(iteration, id, self.shown[id], self.next[id], self.own[id] if self.says.own else None)

    def _after(self, iteration: Iteration) -> bool:
        after = getattr(self._handler, "after_iteration", None)
        return bool(after(iteration)) if callable(after) else False


def read_edges(path: str | os.PathLike[str]) -> list[tuple[Any, ...]]:
    """The edges that a text file lists: two vertices and, perhaps, a value on each line; ``#`` and ``%`` begin comments."""
    edges = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            parts = line.split()
            if not parts or parts[0][0] in "#%":
                continue
            try:
                source, destination, *value = parts
                edges.append((int(source), int(destination), *map(_value, value)))
            except ValueError:
                raise ValueError(
                    f"{os.fspath(path)}, line {number}: {line.strip()!r} is no edge: two numbers, and perhaps a value"
                ) from None
    return edges


def _value(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


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
    parser.add_argument("edges", help="a text file of edges: two vertices and, perhaps, a value on each line")
    parser.add_argument("--class", dest="name", required=True, help="the class of the program")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the program")
    parser.add_argument("--vertices", type=int, help="how many there are, if more than edges lead to")
    parser.add_argument("--undirected", action="store_true", help="each edge is there in both directions")
    parser.add_argument("--iterations", type=int, default=1000, help="the most iterations")
    parser.add_argument("--break", dest="breaks", default="", metavar="IDS", help="vertices for which the debugger is started: 3,17")
    parser.add_argument("--step", action="store_true", help="shows each vertex, and waits for Enter")
    parser.add_argument("--allow-nan", action="store_true", help="vertices may show and keep NaN")
    given = parser.parse_args(arguments)
    try:
        settings = dict(_setting(each) for each in given.set)
        simulator = Simulator(
            load(given.file, given.name)(),
            given.edges,
            vertices=given.vertices,
            directed=not given.undirected,
            settings=settings,
            break_at={int(id) for id in given.breaks.split(",") if id},
            allow_nan=given.allow_nan,
        )
    except (OSError, ValueError, TypeError) as error:
        parser.error(str(error))
    steps = simulator.steps(given.iterations)
    waits = given.step
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            found: Found = end.value
            break
        except bdb.BdbQuit:
            return 1
        waits = waits and _wait(step)
    own = [f"\t{each}" for each in found.own] or [""] * len(found.shown)
    for id, shown, kept in zip(itertools.count(), found.shown, own):
        print(f"{id}\t{shown}{kept}")
    print(f"{found.iterations} iterations", file=sys.stderr)
    return 0


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set {text}: write NAME=VALUE")
    return name, value


def _wait(step: Step) -> bool:
    """Shows a step and waits; whether it is to wait for the next one too."""
    place = "start" if step.iteration is None else f"iteration {step.iteration}"
    own = "" if step.own is None else f", keeps {step.own}"
    print(f"{place}, vertex {step.vertex}: showed {step.before}, shows {step.shown}{own}", file=sys.stderr)
    try:
        return input("Enter: the next vertex; c: go on without waiting. ").strip() != "c"
    except EOFError:
        return False


if __name__ == "__main__":
    sys.exit(main())
