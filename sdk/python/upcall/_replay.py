"""Replays a dumped interval: the same vertices, which see what they saw, in Python alone."""

from __future__ import annotations

import itertools
import os
from array import array
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from typing import Any, NamedTuple

from ._dump import Dump, Ends, Row, read
from ._form import NUMBERS
from ._graph import BLOCK, Adjacency, Side, Step, Sums
from ._simulator import Caller, declared
from ._vertex import NEEDS, Program


class Difference(NamedTuple):
    """Something else has become of a vertex than under the engine."""

    vertex: int
    what: str
    """``"keeps"``, ``"shows"`` or ``"sets"``."""
    engine: Any
    """What the engine got."""
    simulator: Any
    """What the simulator got."""
    edge: int | None = None
    """Of the vertex's outgoing edges the one whose value was set, by its index; otherwise ``None``."""

    def __str__(self) -> str:
        what = self.what if self.edge is None else f"{self.what} outgoing edge {self.edge} to"
        return f"vertex {self.vertex} {what} {self.engine!r} in the engine and {self.simulator!r} in the simulator"


class Replay(Caller):
    """A vertex program and a dumped interval: the file that ``upcall graph run … --dump-interval`` writes.

    ``handler`` is an instance of the program's class. It has the settings of the run, unless ``settings`` has others. All that
    ``Simulator`` checks is checked. ``start``, ``after_interval``, ``repeat_updates`` and ``after_iteration`` are not called: what a
    program learns there is not known. A program with ``interval`` is handed the interval's vertices, and in ``shown`` and ``ids`` only what these see.
    """

    def __init__(
        self,
        handler: Any,
        file: str | os.PathLike[str],
        *,
        settings: Mapping[str, str] | None = None,
        break_at: Collection[int] = (),
        allow_nan: bool = False,
    ) -> None:
        says = declared(handler)
        dump = read(file)
        _same_program(os.fspath(file), dump, type(handler).__qualname__, says)
        rows = dump.rows
        ids = [row.id for row in rows]
        if others := sorted(set(break_at).difference(ids)):
            there = f"{len(ids)} vertices from {ids[0]} to {ids[-1]}" if ids else "no vertices"
            raise ValueError(f"break at vertex {others[0]}: it is not in {os.fspath(file)}, which has {there}")
        settings = {**dump.settings, **(settings or {})}
        # All in one frame. Nobody looks at the sums that they add to.
        frame = BLOCK * max(1, -(-len(rows) // BLOCK))
        super().__init__(handler, _graph(dump), ids, settings=settings, break_at=break_at, allow_nan=allow_nan, frame=frame)
        self.dump = dump
        # First what the vertices themselves showed, and then what was seen along each edge.
        incoming, outgoing = _all(rows, lambda row: row.incoming.shown), _all(rows, lambda row: _outgoing(row).shown)
        self.next = array(self.code, (row.shown for row in rows))
        self.shown = array(self.code, itertools.chain(self.next, incoming, outgoing))
        self.out_degrees = array("I", (row.out_degree for row in rows))
        if says.own:
            self.own = array(NUMBERS[says.own], (row.own for row in rows))
        self.next_values = array(self.values.typecode, self.values)
        self.sums = Sums(frame // BLOCK)

    def gathered(self, vertex: int) -> Any:
        """What the incoming neighbours of a vertex came to under the engine."""
        return self.dump.rows[vertex].gathered

    def run(self) -> Difference | None:
        """Updates the vertices up to the first of which becomes something else; ``None`` where all agree."""
        steps = self.steps()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found: Difference | None = end.value
                return found

    def steps(self) -> Generator[Step, None, Difference | None]:
        """The same, with a pause behind each vertex."""
        self._open()
        found = None
        updated = self._calls(self.dump.interval, self.dump.total, range(len(self.ids)))
        for step, row in zip(updated, self.dump.rows):
            yield step
            found = _difference(row, step, self.says)
            if found is not None:
                break
        self._close()
        return found


def _difference(row: Row, step: Step, says: Program) -> Difference | None:
    for what, of, engine, simulator in (("keeps", says.own, row.keeps, step.own), ("shows", says.shown, row.shows, step.shown)):
        if of and not _same(NUMBERS[of], engine, simulator):
            return Difference(row.id, what, engine, simulator)
    for edge, (engine, simulator) in enumerate(zip(row.sets or (), step.sets or ())):
        if not _same(NUMBERS[says.edge], engine, simulator):
            return Difference(row.id, "sets", engine, simulator, edge)
    return None


def _same(code: str, one: Any, other: Any) -> bool:
    """Whether two numbers have the same bits; those of a NaN are not known."""
    return array(code, (one,)).tobytes() == array(code, (other,)).tobytes() or (one != one and other != other)


def _same_program(file: str, dump: Dump, name: str, says: Program) -> None:
    there = {"own": says.own, "shown": says.shown, "edge": says.edge, "gather": says.gather}
    declares = {**{which: of or None for which, of in there.items()}, **{need: getattr(says, need) for need in NEEDS}}
    differs = [which for which, of in dump.declares.items() if declares[which] != of]
    if differs:
        was, now = (", ".join(f"{which} = {of[which]!r}" for which in differs) for of in (dump.declares, declares))
        raise TypeError(f"{file} was dumped from {dump.program} with {was}, and {name} has {now}: replay it with the program that it is of")


def _graph(dump: Dump) -> Adjacency:
    """The interval's edges: what each showed is behind what the vertices themselves did."""
    rows = dump.rows
    ids = array("I", _all(rows, lambda row: row.incoming.ids))
    first = len(ids)
    ids.extend(_all(rows, lambda row: _outgoing(row).ids))
    at = array("I", range(len(rows), len(rows) + len(ids)))
    incoming = Side(_begins(0, (len(row.incoming.ids) for row in rows)), ids, at, array("Q"))
    outgoing = Side(_begins(first, (len(_outgoing(row).ids) for row in rows)), ids, at, array("Q"))
    # One side has places, as it has under the engine.
    places = array("Q", range(len(ids)))
    if dump.declares["writes"]:
        incoming = incoming._replace(places=places)
    elif dump.directed:
        outgoing = outgoing._replace(places=places)
    valued = _all(rows, lambda row: row.incoming.values), _all(rows, lambda row: _outgoing(row).values)
    return Adjacency(dump.vertices, dump.edges, dump.directed, incoming, outgoing, list(itertools.chain(*valued)))


def _begins(first: int, lengths: Iterable[int]) -> array[int]:
    return array("Q", itertools.accumulate(lengths, initial=first))


def _all(rows: Iterable[Row], of: Callable[[Row], list[Any]]) -> Iterable[Any]:
    return itertools.chain.from_iterable(map(of, rows))


def _outgoing(row: Row) -> Ends:
    return row.outgoing or Ends([], [], [])
