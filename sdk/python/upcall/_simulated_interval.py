"""What the simulator gives a program with ``interval``: arrays that are checked behind the call."""

from __future__ import annotations

import gc
import itertools
import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from ._graph import BLOCK, Side
from ._simulated import TYPES, Call, undeclared, written
from ._simulated_arrays import Elements
from ._support import doubles

_KEPT = (
    "a view of engine memory was kept after its call, or a slice or an array of it, which would dangle: copy what you keep, with"
    " bytes(view) or array.copy()"
)


class IntervalEdges:
    """``upcall.graph.IntervalEdges``."""

    __slots__ = ("_interval", "_side", "_word")

    def __init__(self, interval: Vertices, side: Side, word: str) -> None:
        self._interval = interval
        self._side = side
        self._word = word

    @property
    def begins(self) -> Any:
        return self._lent("begins", "u64", array("Q", (self._side.begins[row] for row in self._interval._rows)))

    @property
    def ends(self) -> Any:
        return self._lent("ends", "u64", array("Q", (self._side.begins[row + 1] for row in self._interval._rows)))

    @property
    def ids(self) -> Any:
        return self._lent("ids", "u32", self._side.ids)

    @property
    def at(self) -> Any:
        return self._lent("at", "u32", self._side.at)

    @property
    def shown(self) -> Any:
        self._declared()
        engine, at = self._interval._call.engine, self._side.at
        edges = itertools.chain.from_iterable(map(self._side.of, self._interval._rows))
        return self._lent("shown", engine.says.shown, array(engine.shown.typecode, (engine.shown[at[edge]] for edge in edges)))

    @property
    def values(self) -> Any:
        return self._lent("values", self._valued(), self._interval._call.engine.values)

    @property
    def places(self) -> Any:
        self._valued()
        self._interval._call.check()
        return self._lent("places", "u64", self._side.places) if self._side.places else None

    @property
    def next_values(self) -> Any:
        of = written("next_values", self._word, self._interval._call.engine.says)
        return self._interval._seen(of, self._interval._written[2])

    def _declared(self) -> None:
        if self._word == "outgoing" and not self._interval._call.engine.says.sees_outgoing:
            raise undeclared("outgoing", "outgoing = True")

    def _valued(self) -> str:
        self._declared()
        edge = self._interval._call.engine.says.edge
        if not edge:
            raise undeclared("values", f'edge = "f64" {TYPES}')
        return edge

    def _lent(self, name: str, of: str, values: array[Any]) -> Any:
        self._declared()
        return self._interval._lend(f"vertices.{self._word}.{name}", of, values)


class Vertices:
    """``upcall.graph.Vertices``: ``rows`` are where the engine's arrays have what is known of these vertices."""

    __slots__ = ("_call", "_ids", "_rows", "_lent", "_written", "incoming", "outgoing")

    def __init__(self, call: Call, ids: Sequence[int], rows: Sequence[int]) -> None:
        engine = call.engine
        self._call = call
        self._ids = ids
        self._rows = rows
        # Arrays of this call's own: who refers to one afterwards still looks.
        self._lent: list[Elements] = []
        sets = itertools.chain.from_iterable(map(engine.sets, rows)) if engine.says.writes else ()
        self._written = [
            Elements("vertices.next", engine.next.typecode, _of(engine.next, rows), writable=True),
            Elements("vertices.own", engine.own.typecode, _of(engine.own, rows if engine.says.own else ()), writable=True),
            Elements("vertices.outgoing.next_values", engine.values.typecode, sets, writable=True),
        ]
        self.incoming = IntervalEdges(self, engine.graph.incoming, "incoming")
        self.outgoing = IntervalEdges(self, engine.graph.outgoing, "outgoing")

    def __len__(self) -> int:
        self._call.check()
        return len(self._ids)

    @property
    def ids(self) -> Any:
        self._call.check()
        if self._ids[-1] - self._ids[0] == len(self._ids) - 1:
            # Made for this program, which may write and keep them.
            return Elements("vertices.ids", "I", self._ids, writable=True).seen("u32")
        return self._lend("vertices.ids", "u32", array("I", self._ids))

    @property
    def own(self) -> Any:
        own = self._call.engine.says.own
        if not own:
            raise undeclared("own", f'own = "f64" {TYPES}')
        return self._seen(own, self._written[1])

    @property
    def before(self) -> Any:
        return self._lend("vertices.before", self._call.engine.says.shown, _of(self._call.engine.shown, self._rows))

    @property
    def next(self) -> Any:
        return self._seen(self._call.engine.says.shown, self._written[0])

    @property
    def out_degrees(self) -> Any:
        return self._lend("vertices.out_degrees", "u32", _of(self._call.engine.out_degrees, self._rows))

    @property
    def shown(self) -> Any:
        return self._lend("vertices.shown", self._call.engine.says.shown, self._call.engine.shown)

    def add_residual(self, amounts: Any, /) -> None:
        self._add("residual", amounts)

    def add_total(self, amounts: Any, /) -> None:
        self._add("total", amounts)

    def schedule(self, ids: Iterable[int], /) -> None:
        for id in ids:
            self._call.wake(id)

    def _add(self, which: str, amounts: Any) -> None:
        given = memoryview(doubles(amounts)).cast("B").cast("d")
        self._call.check()
        if len(given) != len(self._ids):
            raise ValueError(f"{len(given)} numbers for {len(self._ids)} vertices: give one for each")
        for vertex, row, amount in zip(self._ids, self._rows, given):
            self._whole(vertex, amount, f"adds to the {which}")
            self._call.add(row // BLOCK, which, amount)

    def _whole(self, vertex: int, value: Any, does: str) -> None:
        if value != value and not self._call.engine.allow_nan:
            raise ValueError(f"vertex {vertex} {does} nan: find out where it comes from, or allow it with allow_nan=True")

    def _lend(self, name: str, of: str, values: array[Any]) -> Any:
        """An array to be read."""
        copy = Elements(name, values.typecode, values)
        self._lent.append(copy)
        return self._seen(of, copy)

    def _seen(self, of: str, elements: Elements) -> Any:
        self._call.check()
        return elements.seen(of)

    def end(self) -> None:
        """Takes over what was written; raises when an array was kept."""
        if _kept(self._lent) or _kept(self._written):
            # What is held may be garbage that waits for its collection: an exception's cycle of frames.
            gc.collect()
            if _kept(self._lent) or _kept(self._written):
                raise BufferError(_KEPT)
        engine = self._call.engine
        for does, written, whole in zip(("shows", "keeps"), self._written, (engine.next, engine.own)):
            for vertex, row, value in zip(self._ids, self._rows, written):
                self._whole(vertex, value, does)
                whole[row] = value
        if engine.says.writes:
            self._set(self._written[2])

    def _set(self, values: array[Any]) -> None:
        """Takes over the values of edges, one vertex's behind those of the one before."""
        engine, rest = self._call.engine, iter(values)
        outgoing = engine.graph.outgoing
        for vertex, row in zip(self._ids, self._rows):
            for index, edge in enumerate(outgoing.of(row)):
                value = next(rest)
                self._whole(vertex, value, f"sets outgoing edge {index} to")
                engine.next_values[edge] = value


def _of(values: array[Any], rows: Sequence[int]) -> array[Any]:
    return array(values.typecode, (values[row] for row in rows))


def _kept(arrays: Sequence[array[Any]]) -> bool:
    """Whether there are views of one: each refers to it."""
    return any(_references(arrays, index) > _ALONE for index in range(len(arrays)))


def _references(arrays: Sequence[array[Any]], index: int) -> int:
    return sys.getrefcount(arrays[index])


# Those to an array that only its list refers to, and whoever counts.
_ALONE = _references([array("B")], 0)
