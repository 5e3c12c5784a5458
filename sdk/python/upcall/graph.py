"""Vertex programs: what they are given of a graph.

A program is a class that says which numbers its vertices have, and what one of them does in an iteration:

    class Largest:
        shown = "u64"
        selective = True

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(vertex.id)
            vertex.schedule()

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(max([vertex.shown, *vertex.incoming.shown_list()]))

Class attributes: ``shown`` (what a vertex shows to its neighbours, which every program has), ``own`` (what it keeps to itself) and
``edge`` (the value of an edge) are the types of these, each ``"f32"``, ``"f64"``, ``"i32"``, ``"i64"``, ``"u32"`` or ``"u64"``;
``outgoing = True`` where it looks at outgoing edges, ``writes = True`` where it sets their values (and so looks at them, too), and
``selective = True`` where only those vertices are updated that see a change.

Methods: ``start(self, vertex, context)`` says what a vertex begins with, 0 without it; ``before_iteration(self, iteration, total)`` is
called before the first vertex of an iteration, with its number and what the last one's vertices, or the start's, have added to the
total; ``after_iteration(self, iteration)`` returns true when an iteration was the last one. And one of three:

- ``update(self, vertex, context)``, for one vertex;
- ``apply(self, vertex, gathered, context)`` with ``gather = "sum"``, ``"min"``, ``"max"`` or ``"count"``, for one vertex, with
  what its incoming neighbours come to, which the engine has found out;
- ``interval(self, vertices, context)``, for many at once, as arrays.

An interval is all vertices in Jacobi's way, and so many of them in Gauss-Seidel's; each of these is given an ``Interval``:
``before_interval(self, interval)`` is called on each instance that updates vertices of it, before the first of them, also before each
further pass; ``after_interval(self, interval)`` on one instance when all were updated; ``repeat_updates(self, interval)`` then on the
same: whether they are to be updated once more before others are, seeing what all of the interval show now. Of a selective program
those are that have seen a change or were scheduled; where there are none, the interval is done. A program that writes edges cannot
repeat: the engine ends the run.

``open(self, ctx)``, whose ``ctx.graph`` is the graph's size, and ``close(self)`` are called where the class has them.

Iterations are Jacobi's: what a vertex shows, and what it sets values of edges to, others see in the next iteration. The classes here are for annotations; what a program
is given ends with the call. ``upcall.testing.VertexHarness`` runs a program through the real driver, and
``upcall.graph_simulator`` in Python alone, vertex by vertex.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Protocol

from ._vertex import Graph as Graph
from ._vertex import Interval as Interval
from ._vertex import Iteration as Iteration

__all__ = ["Edges", "Graph", "Interval", "IntervalEdges", "Iteration", "Vertex", "VertexContext", "Vertices"]


class Edges(Protocol):
    """A vertex's edges in one direction, in ascending order of their other ends. Numbered from 0 on."""

    def __len__(self) -> int:
        """How many there are."""

    def id(self, index: int, /) -> int:
        """The vertex at the other end of an edge."""

    def shown(self, index: int, /) -> Any:
        """What that showed in the last iteration."""

    def value(self, index: int, /) -> Any:
        """The value of an edge, in a program that declares ``edge``."""

    def set_value(self, index: int, value: Any) -> None:
        """Sets the value of an outgoing edge, in a program that declares ``writes``: from the next iteration on it is that for the
        vertex at the other end and for this one. What is not set stays. Of a graph without directions an edge has a value in each.
        """

    def ids(self) -> list[int]:
        """The vertices at the other ends. A list is yours, and faster to go through than asking for each edge."""

    def shown_list(self) -> list[Any]:
        """What they showed in the last iteration."""

    def value_list(self) -> list[Any]:
        """The values of the edges."""


class Vertex(Protocol):
    """The vertex that is started or updated. It ends with the call."""

    own: Any
    """What it keeps to itself, in a program that declares ``own``."""

    @property
    def id(self) -> int:
        """Its number, from 0 on."""

    @property
    def shown(self) -> Any:
        """What it showed in the last iteration; 0 before the first."""

    @property
    def in_degree(self) -> int:
        """How many edges come in."""

    @property
    def out_degree(self) -> int:
        """How many edges go out."""

    @property
    def incoming(self) -> Edges:
        """The edges that come in."""

    @property
    def outgoing(self) -> Edges:
        """The edges that go out, in a program that declares ``outgoing`` or ``writes``. Of a graph without directions the incoming
        ones."""

    def show(self, value: Any, /) -> None:
        """Shows a value to its neighbours, from the next iteration on. Otherwise it goes on showing what it did."""

    def schedule(self, id: int = ...) -> None:
        """Has it, or the vertex that is named, updated in the next iteration of a program that declares ``selective``."""


class VertexContext(Protocol):
    """What is the same for all vertices of an iteration, and the sums that they add to. It ends with the call."""

    @property
    def iteration(self) -> int:
        """The number of the iteration, from 0 on."""

    @property
    def vertices(self) -> int:
        """How many vertices the graph has."""

    @property
    def edges(self) -> int:
        """How many edges; each direction counts where they have none."""

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""

    @property
    def total(self) -> float:
        """What vertices have added to the total in the iteration before; in the first one, at the start."""

    @property
    def log(self) -> logging.Logger:
        """The handler's log."""

    def add_residual(self, amount: float, /) -> None:
        """Adds to the residual: how far the program is from its end."""

    def add_total(self, amount: float, /) -> None:
        """Adds to the total, which all vertices see in the next iteration."""


class IntervalEdges(Protocol):
    """The edges of many vertices in one direction, as arrays to be read, but for ``next_values``.

    Those of the vertex at ``k`` are at ``begins[k]:ends[k]`` of ``ids``, ``at`` and ``values``, which may hold the edges of other
    vertices too; ``shown`` and ``next_values`` are of these vertices' alone.
    """

    @property
    def begins(self) -> Any:
        """``uint64``: where the edges of each vertex begin."""

    @property
    def ends(self) -> Any:
        """``uint64``: where they end. Of vertices with consecutive numbers the next one's begin there."""

    @property
    def ids(self) -> Any:
        """``uint32``: the vertex at the other end of each edge."""

    @property
    def at(self) -> Any:
        """``uint32``: where in the vertices' ``shown`` is what that shows."""

    @property
    def shown(self) -> Any:
        """What the vertex at the other end of each edge shows, side by side: ``vertices.shown[at]``, but in half the time or less, as
        memory is asked for ahead. Only of these vertices' edges, those of one behind those of the one before.
        """

    @property
    def values(self) -> Any:
        """The values of edges, in a program that declares ``edge``."""

    @property
    def places(self) -> Any:
        """``uint64``: where in ``values`` that of each edge is; ``None`` where it is at the edge's own place."""

    @property
    def next_values(self) -> Any:
        """Of outgoing edges, in a program that declares ``writes``: the value that each has from the next iteration on, as it was
        until it is written. Only of these vertices' edges, those of one behind those of the one before.
        """


class Vertices(Protocol):
    """Many vertices, as ``interval`` is given them, in ascending order of their numbers, as arrays: numpy's where it is installed, else ``memoryview``s.

    They are the engine's own memory and end with the call: one that is kept fails it.
    """

    @property
    def ids(self) -> Any:
        """``uint32``: their numbers. Consecutive unless the program is selective."""

    @property
    def own(self) -> Any:
        """What each keeps to itself, to be read and written."""

    @property
    def before(self) -> Any:
        """What each showed in the last iteration."""

    @property
    def next(self) -> Any:
        """What each shows from the next iteration on: as ``before``, until it is written."""

    @property
    def out_degrees(self) -> Any:
        """``uint32``: how many edges go out of each."""

    @property
    def shown(self) -> Any:
        """What neighbours show, at the places that ``at`` of the edges says."""

    @property
    def incoming(self) -> IntervalEdges:
        """The edges that come in."""

    @property
    def outgoing(self) -> IntervalEdges:
        """The edges that go out, in a program that declares ``outgoing`` or ``writes``."""

    def __len__(self) -> int:
        """How many vertices there are."""

    def add_residual(self, amounts: Any, /) -> None:
        """Adds a number for each vertex to the residual."""

    def add_total(self, amounts: Any, /) -> None:
        """Adds a number for each vertex to the total."""

    def schedule(self, ids: Iterable[int], /) -> None:
        """Has the vertices of these numbers updated in the next iteration of a program that declares ``selective``."""
