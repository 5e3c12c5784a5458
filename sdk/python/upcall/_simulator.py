"""Calls a vertex program's methods in Python alone, with checks, over a small graph."""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ._graph import BLOCK, Adjacency, Engine, Found, State, Step, adjacency, frames
from ._simulated import Call, Vertex, VertexContext
from ._simulated_interval import Vertices
from ._support import context, kind_of, program
from ._vertex import Interval, Iteration, Program

Edges = Iterable[Sequence[Any]]


def declared(handler: Any) -> Program:
    """What a program declares; an error where it is none."""
    if kind_of(handler) not in ("vertex", "gather", "interval"):
        raise TypeError(f"{type(handler).__qualname__} is no vertex program: use the harnesses of upcall.testing")
    return program(handler)


class Caller(State):
    """Calls a program for vertices: ``ids`` are their numbers, in the order of the arrays' rows."""

    def __init__(
        self,
        handler: Any,
        graph: Adjacency,
        ids: Sequence[int],
        *,
        settings: Mapping[str, str],
        break_at: Collection[int],
        allow_nan: bool,
        frame: int,
    ) -> None:
        super().__init__(declared(handler), graph)
        self.ids = ids
        """The numbers of the vertices that it is called for."""
        self.allow_nan = allow_nan
        """Whether vertices may show, keep and add up NaN."""
        self.break_at = frozenset(break_at)
        """The vertices for which ``breakpoint()`` is called."""
        self.call: Call | None = None
        """The call of the program that is running."""
        self._handler = handler
        self._frame = frame
        self._opened = False
        self._told = -1
        size = graph.vertices, graph.edges, graph.directed
        self._context = context("simulated", dict(settings), 0, 1, graph=size)
        self.log = self._context.log
        """The program's log."""

    def _open(self) -> None:
        if self._opened:
            raise RuntimeError("this simulator has run: make another one")
        self._opened = True
        if self._has("open"):
            self._handler.open(self._context)

    def _close(self) -> None:
        if self._has("close"):
            self._handler.close()

    def _calls(self, interval: Interval | None, total: float, rows: Sequence[int]) -> Iterator[Step]:
        """Updates these vertices, which are of an interval, or starts them, with a pause behind each."""
        starts, iteration = interval is None, interval.iteration if interval is not None else 0
        if not rows or (starts and not self._has("start")):
            return
        if interval is not None:
            self._before(interval, total)
        if self.says.form == "interval" and not starts:
            for _, some in frames(rows, self._frame):
                yield from self._interval(iteration, total, some)
            return
        method = self._handler.start if starts else self._handler.update if self.says.form == "vertex" else self._handler.apply
        for row in rows:
            id = self.ids[row]
            call = Call(self, starts, iteration, total, f"vertex {id}")
            vertex, common = Vertex(call, id, row), VertexContext(call, row)
            gathered = () if starts or self.says.form == "vertex" else (self.gathered(row),)
            self._call(call, id in self.break_at, method, vertex, *gathered, common)
            yield self._step(None if starts else iteration, row)

    def _before(self, interval: Interval, total: float) -> None:
        iteration = interval.iteration
        if self._told != iteration:
            self._hook("before_iteration", f"iteration {iteration}, before its first vertex", iteration, total)
            self._told = iteration
        self._hook("before_interval", _place("before", interval), interval)

    def _has(self, method: str) -> bool:
        return callable(getattr(self._handler, method, None))

    def _hook(self, method: str, place: str, *given: Any) -> Any:
        """Calls a method that the program may have; ``None`` where it has not."""
        if not self._has(method):
            return None
        try:
            return getattr(self._handler, method)(*given)
        except Exception as error:
            error.add_note(place)
            raise

    def _interval(self, iteration: int, total: float, rows: Sequence[int]) -> Iterator[Step]:
        ids = [self.ids[row] for row in rows]
        what = f"the interval of {len(ids)} vertices from {ids[0]} to {ids[-1]}"
        call = Call(self, False, iteration, total, what)
        vertices = Vertices(call, ids, rows)
        breaks = not self.break_at.isdisjoint(ids)
        self._call(call, breaks, self._handler.interval, vertices, VertexContext(call, None))
        for row in rows:
            yield self._step(iteration, row)

    def _call(self, call: Call, breaks: bool, method: Any, *given: Any) -> None:
        self.call = call
        try:
            try:
                if breaks:
                    breakpoint()  # `given` is what the program is given; `s` steps into it.
                method(*given)
            finally:
                call.open, self.call = False, None
            if isinstance(given[0], Vertices):
                given[0].end()
        except Exception as error:
            place = "start" if call.starts else f"iteration {call.iteration}"
            error.add_note(f"{place}, {call.what}")
            raise

    def _step(self, iteration: int | None, row: int) -> Step:
        own = self.own[row] if self.says.own else None
        sets = self.sets(row) if self.says.writes and iteration is not None else None
        return Step(iteration, self.ids[row], self.shown[row], self.next[row], own, sets)


class Simulator(Caller, Engine):
    """A vertex program and a small graph: ``edges`` are (source, destination) or (source, destination, value).

    ``handler`` is an instance of the program's class. Instead of edges there may be the path of a text file, as ``read_edges``
    reads it. There are as many vertices as edges lead to, or ``vertices``. ``directed=False`` has each edge in both directions.
    A program with ``interval`` is handed ``frame`` vertices at once, a multiple of 1,024. ``gauss_seidel`` is what
    ``upcall graph run --gauss-seidel=VERTICES`` is given.
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
        gauss_seidel: int | None = None,
    ) -> None:
        writes = declared(handler).writes
        if frame < 1 or frame % BLOCK:
            raise ValueError(f"frame={frame}: give a multiple of {BLOCK}")
        if gauss_seidel is not None:
            if gauss_seidel < 1:
                raise ValueError(f"gauss_seidel={gauss_seidel}: give the number of vertices of an interval")
            if writes:
                raise ValueError(f"gauss_seidel={gauss_seidel}: the program writes values of edges: it is not run in Gauss-Seidel's way")
            self.interval = -(-gauss_seidel // BLOCK) * BLOCK
        if isinstance(edges, (str, os.PathLike)):
            edges = read_edges(edges)
        graph = adjacency(edges, vertices, directed, writes)
        ids = range(graph.vertices)
        super().__init__(handler, graph, ids, settings=settings or {}, break_at=break_at, allow_nan=allow_nan, frame=frame)

    def run(self, iterations: int = 1000) -> Found:
        """Runs the program until it ends or nothing is scheduled, or as many iterations."""
        return super().run(iterations)

    def steps(self, iterations: int = 1000) -> Generator[Step, None, Found]:
        """The same, with a pause behind each vertex: ``for step in simulator.steps(): …``."""
        self._open()
        found = yield from super().steps(iterations)
        self._close()
        return found

    def _pass(self, interval: Interval | None, total: float, vertices: Sequence[int]) -> Iterator[Step]:
        return self._calls(interval, total, vertices)

    def _repeats(self, interval: Interval) -> bool:
        place = _place("behind", interval)
        self._hook("after_interval", place, interval)
        return bool(self._hook("repeat_updates", place, interval))

    def _after(self, iteration: Iteration) -> bool:
        return bool(self._hook("after_iteration", f"iteration {iteration.number}, behind its last vertex", iteration))


def _place(where: str, interval: Interval) -> str:
    again = f" in pass {interval.pass_}" if interval.pass_ else ""
    return f"iteration {interval.iteration}, {where} the interval of vertices {interval.first} to {interval.end - 1}{again}"


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
