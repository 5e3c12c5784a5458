"""What the simulator gives a vertex program: every use is checked, and names the vertex."""

from __future__ import annotations

import logging
import operator
import struct
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._graph import BLOCK, Side
from ._vertex import Program

if TYPE_CHECKING:
    from ._simulator import Caller

_ENDED = "what was given of a vertex has ended with its call: keep its id and the numbers that you have read"
TYPES = "(or f32, i32, i64, u32, u64)"


def number(value: Any, of: str, whose: str) -> Any:
    """A number, rounded as its type is; an error where it does not fit."""
    if of == "f64":
        return array("d", (value,))[0]
    if of == "f32":
        exact = array("d", (value,))[0]
        try:
            return struct.unpack("<f", struct.pack("<f", exact))[0]
        except OverflowError:
            raise OverflowError(f"{exact!r} does not fit {whose} f32") from None
    whole = operator.index(value)
    bits = int(of[1:])
    least, end = (0, 1 << bits) if of[0] == "u" else (-(1 << bits - 1), 1 << bits - 1)
    if not least <= whole < end:
        raise OverflowError(f"{whole} does not fit {whose} {of}")
    return whole


def undeclared(what: str, declare: str) -> TypeError:
    """What has to be declared before it can be used."""
    return TypeError(f"{what}: the program does not declare it: write {declare} in its class")


def written(what: str, side: str, says: Program) -> str:
    """The type of values that are written on a side; an error where none are."""
    if side != "outgoing":
        raise TypeError(f"{what}: values are set on outgoing edges, not on incoming ones")
    if not says.writes:
        raise undeclared(what, "writes = True")
    return says.edge


class Call:
    """One call of a program's method: what it is given ends with it."""

    __slots__ = ("engine", "starts", "iteration", "total", "what", "open")

    def __init__(self, engine: Caller, starts: bool, iteration: int, total: float, what: str) -> None:
        self.engine = engine
        self.starts = starts
        self.iteration = iteration
        self.total = total
        self.what = what
        """What the call is for, in words."""
        self.open = True

    def check(self) -> None:
        """Raises when it has ended."""
        if not self.open:
            now = self.engine.call
            meanwhile = f" The program is called for {now.what}." if now is not None else ""
            raise RuntimeError(f"{_ENDED}. This is {self.what}.{meanwhile}")

    def scalar(self, value: Any, of: str, whose: str, does: str) -> Any:
        """A number that the program gives for a vertex."""
        made = number(value, of, whose)
        self.check()
        if made != made and not self.engine.allow_nan:
            raise ValueError(f"{self.what} {does} nan: find out where it comes from, or allow it with allow_nan=True")
        return made

    def wake(self, vertex: Any) -> None:
        """Schedules a vertex."""
        engine = self.engine
        if not engine.says.selective:
            raise TypeError(
                "schedule: all vertices are updated in every iteration: write selective = True in the program's class to have"
                " only those updated that see a change or are scheduled"
            )
        self.check()
        id, vertices = operator.index(vertex), engine.graph.vertices
        if not 0 <= id < vertices:
            raise IndexError(f"schedule {id}: there is no such vertex: the graph has {vertices}, from 0 on")
        engine.woken.add(id)

    def add(self, block: int, which: str, amount: float) -> None:
        """Adds to one of the sums of a block."""
        sums = self.engine.sums.residuals if which == "residual" else self.engine.sums.totals
        sums[block] += amount


class Edges:
    """``upcall.graph.Edges``."""

    __slots__ = ("_call", "_vertex", "_side", "_word", "_places")

    def __init__(self, call: Call, vertex: int, row: int, side: Side, word: str) -> None:
        self._call = call
        self._vertex = vertex
        self._side = side
        self._word = word
        self._places = side.of(row)

    def __len__(self) -> int:
        self._declared()
        self._call.check()
        return len(self._places)

    def id(self, index: int, /) -> int:
        self._declared()
        return self._id(self._place(index))

    def shown(self, index: int, /) -> Any:
        self._declared()
        return self._shown(self._place(index))

    def value(self, index: int, /) -> Any:
        self._valued()
        return self._value(self._place(index))

    def set_value(self, index: int, value: Any) -> None:
        engine = self._call.engine
        of = written("set_value", self._word, engine.says)
        edge = self._within(index)
        made = self._call.scalar(value, of, "edge's", f"sets outgoing edge {index} to")
        if self._call.starts:
            raise RuntimeError("values of edges are set in update, not at the start")
        engine.next_values[edge] = made

    def ids(self) -> list[int]:
        self._declared()
        return self._all(self._id)

    def shown_list(self) -> list[Any]:
        self._declared()
        return self._all(self._shown)

    def value_list(self) -> list[Any]:
        self._valued()
        return self._all(self._value)

    def _declared(self) -> None:
        if self._word == "outgoing" and not self._call.engine.says.sees_outgoing:
            raise undeclared("outgoing", "outgoing = True")

    def _valued(self) -> None:
        self._declared()
        if not self._call.engine.says.edge:
            raise undeclared("value", f'edge = "f64" {TYPES}')

    def _seen(self) -> None:
        self._call.check()
        if self._call.starts:
            raise RuntimeError("start sees no neighbours, as these may not have started: look at them in update")
        if self._word == "incoming" and self._call.engine.says.form == "gather":
            why = "this program gathers, so use what apply is given; or write update(vertex, context)"
            raise TypeError(f"incoming edges: {why}")

    def _place(self, index: int) -> int:
        place = self._within(index)
        self._seen()
        return place

    def _within(self, index: int) -> int:
        index = operator.index(index)
        self._call.check()
        count = len(self._places)
        if not 0 <= index < count:
            s = "" if count == 1 else "s"
            raise IndexError(f"vertex {self._vertex} has {count} {self._word} edge{s}, from 0 on, and no edge {index}")
        return self._places[index]

    def _all(self, one: Callable[[int], Any]) -> list[Any]:
        self._call.check()
        if self._places:
            self._seen()
        return [one(place) for place in self._places]

    def _id(self, place: int) -> int:
        return self._side.ids[place]

    def _shown(self, place: int) -> Any:
        return self._call.engine.shown[self._side.at[place]]

    def _value(self, place: int) -> Any:
        return self._call.engine.values[self._side.value_of(place)]


class Vertex:
    """``upcall.graph.Vertex``: another one for each vertex, so that one that is kept is known.

    ``row`` is where the engine's arrays have what is known of it.
    """

    __slots__ = ("_call", "_id", "_row", "_incoming", "_outgoing")

    def __init__(self, call: Call, id: int, row: int) -> None:
        self._call = call
        self._id = id
        self._row = row
        graph = call.engine.graph
        self._incoming = Edges(call, id, row, graph.incoming, "incoming")
        self._outgoing = Edges(call, id, row, graph.outgoing, "outgoing")

    @property
    def id(self) -> int:
        self._call.check()
        return self._id

    @property
    def own(self) -> Any:
        self._declared()
        self._call.check()
        return self._call.engine.own[self._row]

    @own.setter
    def own(self, value: Any) -> None:
        of = self._declared()
        self._call.engine.own[self._row] = self._call.scalar(value, of, "own's", "keeps")

    @own.deleter
    def own(self) -> None:
        raise TypeError("what a vertex keeps to itself cannot be deleted: set it to 0")

    @property
    def shown(self) -> Any:
        self._call.check()
        engine = self._call.engine
        return array(engine.code, bytes(8))[0] if self._call.starts else engine.shown[self._row]

    @property
    def in_degree(self) -> int:
        self._call.check()
        return len(self._call.engine.graph.incoming.of(self._row))

    @property
    def out_degree(self) -> int:
        self._call.check()
        return self._call.engine.out_degrees[self._row]

    @property
    def incoming(self) -> Edges:
        return self._incoming

    @property
    def outgoing(self) -> Edges:
        return self._outgoing

    def show(self, value: Any, /) -> None:
        engine = self._call.engine
        engine.next[self._row] = self._call.scalar(value, engine.says.shown, "shown's", "shows")

    def schedule(self, id: int | None = None) -> None:
        self._call.wake(self._id if id is None else id)

    def _declared(self) -> str:
        own = self._call.engine.says.own
        if not own:
            raise undeclared("own", f'own = "f64" {TYPES}')
        return own

    def __repr__(self) -> str:
        return f"<upcall.graph.Vertex {self._id}>" if self._call.open else "<upcall.graph.Vertex, ended>"


class VertexContext:
    """``upcall.graph.VertexContext``."""

    __slots__ = ("_call", "_row")

    def __init__(self, call: Call, row: int | None) -> None:
        self._call = call
        self._row = row

    @property
    def iteration(self) -> int:
        self._call.check()
        return self._call.iteration

    @property
    def total(self) -> float:
        self._call.check()
        return self._call.total

    @property
    def vertices(self) -> int:
        return self._call.engine.graph.vertices

    @property
    def edges(self) -> int:
        return self._call.engine.graph.edges

    @property
    def directed(self) -> bool:
        return self._call.engine.graph.directed

    @property
    def log(self) -> logging.Logger:
        return self._call.engine.log

    def add_residual(self, amount: float, /) -> None:
        self._add("residual", amount)

    def add_total(self, amount: float, /) -> None:
        self._add("total", amount)

    def _add(self, which: str, amount: float) -> None:
        amount = number(amount, "f64", which)
        if self._row is None:
            raise TypeError(f"each vertex adds for itself: call vertices.add_{which} with a number for each")
        amount = self._call.scalar(amount, "f64", which, f"adds to the {which}")
        self._call.add(self._row // BLOCK, which, amount)
