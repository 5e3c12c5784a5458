"""Runs a vertex program without an engine: the real driver, the real frames, one worker."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _upcall
from ._form import NUMBERS
from ._graph import BLOCK, Adjacency, Engine, Found, Side, Step, adjacency, frames
from ._support import kind_of, program
from ._testing import Life
from ._vertex import Interval, Iteration

_START, _UPDATE = 0, 1
_NOTHING = (b"",) * 6


class VertexHarness(Life):
    """A vertex program and a small graph: ``edges`` are (source, destination) or (source, destination, value).

    There are as many vertices as edges lead to, or ``vertices``. ``directed=False`` has each edge in both directions. ``frame`` is
    how many vertices the program is handed at most at once, a multiple of 1,024; ``room`` how many it may schedule in one frame,
    twice as many as there are without it.
    """

    def __init__(
        self,
        handler: object,
        edges: Iterable[Sequence[Any]],
        *,
        vertices: int | None = None,
        directed: bool = True,
        settings: Mapping[str, str] | None = None,
        frame: int = BLOCK,
        room: int | None = None,
    ) -> None:
        super().__init__()
        self._native = _upcall.Harness(handler, tuple((settings or {}).items()), (), {}, self.logged)
        if kind_of(handler) not in ("vertex", "gather", "interval"):
            raise TypeError(f"{type(handler).__qualname__} is no vertex program: use Harness or CombineHarness")
        if frame < 1 or frame % BLOCK:
            raise ValueError(f"frame={frame}: give a multiple of {BLOCK}")
        self._handler = handler
        self._frame = frame
        self._graph = adjacency(edges, vertices, directed, program(handler).writes)
        self._room = 2 * self._graph.vertices if room is None else room

    def run(self, iterations: int = 1000) -> Found:
        """Runs the program from the start until it ends or nothing is scheduled, or as many iterations.

        Raises ``Failed`` when it fails.
        """
        self._opened()
        return _Native(self, self._handler, self._graph, self._frame, self._room).run(iterations)

    def describe(self) -> list[tuple[int, str, str]]:
        """What it says of itself, as the boundary has it: subject, key and value."""
        told = self._native.describe()
        if isinstance(told, tuple):
            self._raise(told)
        assert isinstance(told, list)
        return told

    def _open_native(self) -> _upcall.Failure | None:
        graph = self._graph
        return self._native.open_vertex(graph.vertices, graph.edges, graph.directed)


class _Native(Engine):
    """Calls the program through the driver, frame by frame."""

    def __init__(self, harness: VertexHarness, handler: object, graph: Adjacency, frame: int, room: int) -> None:
        super().__init__(program(handler), graph)
        self._harness = harness
        self._frame = frame
        self._room = room

    def _pass(self, interval: Interval | None, total: float, vertices: Sequence[int]) -> Iterable[Step]:
        for first, ids in frames(vertices, self._frame):
            self._vertices(interval, total, first, ids)
        return ()

    def _vertices(self, interval: Interval | None, total: float, first: int, ids: Sequence[int]) -> None:
        starts = interval is None
        iteration, begin, end, again = (0, 0, 0, 0) if interval is None else interval[:4]
        consecutive = ids[0] == first and _consecutive(ids)
        tallies = -(-min(self._frame, self.graph.vertices - first) // BLOCK)
        gathers = self.says.form == "gather" and not starts
        writes = self.says.writes and not starts
        edges = [edge for vertex in ids for edge in self.graph.outgoing.of(vertex)] if writes else []
        own, next, set_values, sums, woken, failure = self._harness._native.vertices(
            (_START if starts else _UPDATE, BLOCK, iteration, first, len(ids), begin, end, again, 0),
            total,
            (
                b"" if consecutive else struct.pack(f"<{len(ids)}I", *ids),
                b"" if starts else self._of(self.shown, ids),
                self._of(self.out_degrees, ids),
                b"" if starts else memoryview(self.shown),
                struct.pack(f"<{len(ids)}{self._gathered()}", *map(self.gathered, ids)) if gathers else b"",
            ),
            (
                self._of(self.own, ids) if self.says.own else b"",
                self._of(self.next, ids),
                array(self.values.typecode, (self.values[edge] for edge in edges)),
            ),
            self._edges(self.graph.incoming, ids, not starts and not gathers),
            self._edges(self.graph.outgoing, ids, not starts) if self.says.sees_outgoing else _NOTHING,
            (tallies, self._room if self.says.selective else 0),
        )
        self._harness._raise(failure)
        for values, at, written in ((self.own, ids, own), (self.next, ids, next), (self.next_values, edges, set_values)):
            there: Any = memoryview(written)
            for place, value in zip(at, there.cast(values.typecode)):
                values[place] = value
        for block, (residual, of_total) in enumerate(struct.iter_unpack("<dd", sums)):
            self.sums.residuals[first // BLOCK + block] = residual
            self.sums.totals[first // BLOCK + block] = of_total
        self.woken.update(memoryview(woken).cast("I"))

    def _gathered(self) -> str:
        return "d" if self.says.gather in ("sum", "count") else NUMBERS[self.says.shown]

    def _of(self, values: Any, ids: Sequence[int]) -> Any:
        """What an array holds for these vertices, side by side."""
        whole = memoryview(values)
        if _consecutive(ids):
            return whole[ids[0] : ids[-1] + 1]
        return b"".join(whole[vertex : vertex + 1] for vertex in ids)

    def _edges(self, side: Side, ids: Sequence[int], sees: bool) -> tuple[Any, ...]:
        """A frame's edges: begins, ends, ids, at, values, places."""
        begins = self._of(side.begins, ids)
        ends = self._of(side.begins, range(ids[0] + 1, ids[-1] + 2) if _consecutive(ids) else [vertex + 1 for vertex in ids])
        if not sees:
            return begins, ends, b"", b"", b"", b""
        ids, at = memoryview(side.ids), memoryview(side.at)
        values = memoryview(self.values) if self.says.edge else b""
        return begins, ends, ids, at, values, memoryview(side.places) if self.says.edge else b""

    def _repeats(self, interval: Interval) -> bool:
        again, failure = self._harness._native.interval(*interval)
        self._harness._raise(failure)
        return again

    def _after(self, iteration: Iteration) -> bool:
        ended, failure = self._harness._native.after(*iteration)
        self._harness._raise(failure)
        return ended


def _consecutive(ids: Sequence[int]) -> bool:
    return ids[-1] - ids[0] == len(ids) - 1
