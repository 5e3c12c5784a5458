"""The engine of tests and of the simulator: a graph in memory, and iterations over it as the real engine has them."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Generator, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from ._form import NUMBERS
from ._vertex import Interval, Iteration, Program

# Consecutive vertices that add to one sum.
BLOCK = 1024
_ALL = slice(None)


class Side(NamedTuple):
    """The edges in one direction: those of vertex ``k`` are at ``begins[k]:begins[k + 1]``."""

    begins: array[int]
    """One more than there are vertices, of 64 bits."""
    ids: array[int]
    """The other ends, of 32 bits."""
    at: array[int]
    """Where what these show is: the same array where that is at their numbers."""
    places: array[int]
    """Where the value of each edge is; empty where it is at the edge's own place."""

    def of(self, vertex: int) -> range:
        """Where the edges of a vertex are."""
        return range(self.begins[vertex], self.begins[vertex + 1])

    def value_of(self, edge: int) -> int:
        """Where the value of an edge is."""
        return self.places[edge] if self.places else edge

    def ends_of(self, vertex: int) -> array[int]:
        """The other ends of a vertex's edges."""
        return self.ids[self.begins[vertex] : self.begins[vertex + 1]]


class Adjacency(NamedTuple):
    """A graph in memory, or a part of one: ``begins`` says of how many vertices the edges are there."""

    vertices: int
    edges: int
    """How many edges there are; each direction counts where they have none."""
    directed: bool
    incoming: Side
    outgoing: Side
    values: list[Any] | None
    """Those of edges, where ``Side.value_of`` says; ``None`` where the list of edges has none."""


def adjacency(edges: Iterable[Sequence[Any]], vertices: int | None, directed: bool, writes: bool) -> Adjacency:
    """The graph of these edges: (source, destination) or (source, destination, value).

    Where a program ``writes`` values, an edge without a direction has one for each, and values are in the order of outgoing edges
    instead of incoming ones: what a vertex sets lies side by side.
    """
    # By destination: the other end, the destination, the value.
    found: list[tuple[int, int, Any]] = []
    lengths = set()
    for edge in edges:
        source, destination, *value = edge
        if len(value) > 1 or min(source, destination) < 0:
            raise ValueError(f"edge {tuple(edge)}: an edge is (source, destination) or (source, destination, value), and vertices are numbered from 0 on")
        lengths.add(len(value))
        found.append((source, destination, *(value or [None])))
        if not directed and source != destination:
            found.append((destination, source, *(value or [None])))
    if len(lengths) > 1:
        raise ValueError("some edges have a value and some have none: give all of them one, or none")
    there = max((max(source, destination) for source, destination, _ in found), default=-1) + 1
    vertices = there if vertices is None else vertices
    if there > vertices:
        raise ValueError(f"an edge leads to vertex {there - 1}, and the graph has {vertices}, from 0 on")
    # Both sorts are stable: edges between the same two stay as they were given.
    found.sort(key=lambda edge: (edge[1], edge[0]))
    ids = array("I", (by for by, _, _ in found))
    incoming = Side(_begins((to for _, to, _ in found), vertices), ids, ids, array("Q"))
    values = [value for _, _, value in found] if lengths == {1} else None
    if not directed and not writes:
        return Adjacency(vertices, len(found), directed, incoming, incoming, values)
    order = sorted(range(len(found)), key=lambda place: found[place][0])
    begins = _begins((found[place][0] for place in order), vertices)
    ids = array("I", (found[place][1] for place in order))
    if not writes:
        return Adjacency(vertices, len(found), directed, incoming, Side(begins, ids, ids, array("Q", order)), values)
    places = array("Q", sorted(range(len(order)), key=order.__getitem__))
    values = values and [values[place] for place in order]
    outgoing = Side(begins, ids, ids, array("Q"))
    return Adjacency(vertices, len(found), directed, incoming._replace(places=places), outgoing, values)


def _begins(ends: Iterable[int], vertices: int) -> array[int]:
    begins = array("Q", bytes(8 * (vertices + 1)))
    for end in ends:
        begins[end + 1] += 1
    for vertex in range(vertices):
        begins[vertex + 1] += begins[vertex]
    return begins


class Found(NamedTuple):
    """What a program has come to."""

    shown: list[Any]
    """What each vertex shows."""
    own: list[Any]
    """What each keeps to itself; empty where the program does not declare it."""
    iterations: int
    """How many there were."""
    edges: list[Any]
    """The value of each edge, by its destination, then by its source; empty where the program does not write them."""


class Step(NamedTuple):
    """A vertex that was started or updated."""

    iteration: int | None
    """The number of the iteration; ``None`` at the start."""
    vertex: int
    before: Any
    """What it showed in the last iteration."""
    shown: Any
    """What it shows from the next one on."""
    own: Any
    """What it keeps to itself; ``None`` where the program does not declare it."""
    sets: list[Any] | None = None
    """The values that its outgoing edges have from the next iteration on; ``None`` where the program does not write them."""


class Sums:
    """What the vertices of each block have added up."""

    def __init__(self, blocks: int) -> None:
        self.residuals = [0.0] * blocks
        self.totals = [0.0] * blocks

    def clear(self, blocks: slice) -> None:
        """Has these blocks begin anew."""
        for sums in (self.residuals, self.totals):
            sums[blocks] = [0.0] * len(sums[blocks])

    def of(self, blocks: slice) -> tuple[float, float]:
        """The residual and the total that these blocks have come to."""
        residual = total = 0.0
        # One by one, in the order of blocks: sum() makes up for roundings from Python 3.12 on.
        for each in self.residuals[blocks]:
            residual += each
        for each in self.totals[blocks]:
            total += each
        return residual, total


class State:
    """A program, a graph, and what is known of each of its vertices."""

    def __init__(self, says: Program, graph: Adjacency) -> None:
        if says.edge and graph.values is None and graph.edges and not says.writes:
            raise ValueError(f"the program looks at edges' values, edge = {says.edge!r}, and the edges have none: give each one")
        self.says = says
        self.graph = graph
        self.code = NUMBERS[says.shown]
        vertices = len(graph.incoming.begins) - 1
        self.values = _values_of(says, graph)
        """Those of edges, as vertices see them."""
        self.next_values: array[Any] = array(self.values.typecode)
        """Those that they have from the next iteration on, where the program writes them."""
        size = array(self.code).itemsize
        self.own: array[Any] = array(NUMBERS[says.own], bytes(array(NUMBERS[says.own]).itemsize * vertices)) if says.own else array("B")
        self.shown: array[Any] = array(self.code, bytes(size * vertices))
        """What neighbours see."""
        self.next: array[Any] = array(self.code, self.shown)
        """What they see from the next iteration on."""
        self.sums = Sums(0)
        self.woken: set[int] = set()
        """The vertices that are scheduled for the next iteration."""
        self.out_degrees = array("I", (len(graph.outgoing.of(vertex)) for vertex in range(vertices)))

    def sets(self, vertex: int) -> list[Any]:
        """The values that a vertex's outgoing edges have from the next iteration on."""
        edges = self.graph.outgoing.of(vertex)
        return list(self.next_values[edges.start : edges.stop])

    def gathered(self, vertex: int) -> Any:
        """What the incoming neighbours of a vertex come to."""
        gather, there = self.says.gather, self.graph.incoming.ends_of(vertex)
        if gather == "count":
            return float(len(there))
        shown = [self.shown[other] for other in there]
        if gather == "sum":
            total = 0.0
            for each in shown:
                total += float(each)
            return total
        least, most = _ends(self.code)
        come = least if gather == "max" else most
        for each in shown:
            # A number that is none is passed over, as Rust's min and max do.
            if come != come or (each < come if gather == "min" else each > come):
                come = each
        return come


class Engine(State, ABC):
    """Runs a program in iterations; who derives from it calls the program."""

    interval: int = 1 << 40
    """How many vertices are updated, a multiple of ``BLOCK``, before others see what they show; all of them in Jacobi's way."""

    @abstractmethod
    def _pass(self, interval: Interval | None, total: float, vertices: Sequence[int]) -> Iterable[Step]:
        """Updates vertices of an interval, or starts them, in ascending order: writes ``own``, ``next``, ``sums`` and ``woken``."""

    @abstractmethod
    def _repeats(self, interval: Interval) -> bool:
        """Tells the program of an interval that was updated; whether it is to be once more."""

    @abstractmethod
    def _after(self, iteration: Iteration) -> bool:
        """Tells the program of an iteration; whether it was the last one."""

    def run(self, iterations: int) -> Found:
        """Runs it until it ends, or as many iterations."""
        steps = self.steps(iterations)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found: Found = end.value
                return found

    def steps(self, iterations: int) -> Generator[Step, None, Found]:
        """The same, with a pause behind each vertex."""
        self.sums = Sums(self._blocks())
        yield from self._pass(None, 0.0, range(self.graph.vertices))
        _, total = self.sums.of(_ALL)
        self.shown = self.next
        scheduled: Sequence[int] = self._scheduled()
        number = 0
        while number < iterations and (scheduled or not self.says.selective):
            self.next = array(self.code, self.shown)
            if self.says.writes:
                self.next_values = array(self.values.typecode, self.values)
            updated = 0
            for first in range(0, self.graph.vertices, self.interval):
                end = min(first + self.interval, self.graph.vertices)
                at = bisect_left(scheduled, end)
                part, scheduled = scheduled[:at], scheduled[at:]
                updated += yield from self._updates(Interval(number, first, end, 0, 0, 0.0, 0.0), total, part)
                # Those behind see in this very iteration what is shown now.
                later = self._taken(end, self.graph.vertices)
                if self.says.selective:
                    scheduled = sorted(later.union(scheduled))
            residual, total = self.sums.of(_ALL)
            self.shown, scheduled = self.next, self._scheduled()
            if self.says.writes:
                self.values = self.next_values
            ended = self._after(Iteration(number, updated, len(scheduled), residual, total))
            number += 1
            if ended:
                break
        edges = [self.values[place] for place in self.graph.incoming.places] if self.says.writes else []
        return Found(list(self.shown), list(self.own), number, edges)

    def _updates(self, interval: Interval, total: float, vertices: Sequence[int]) -> Generator[Step, None, int]:
        """Updates these vertices of an interval, and again as long as the program wants it: how many were updated."""
        first, end = interval.first, interval.end
        blocks = slice(first // BLOCK, -(-end // BLOCK))
        updated = 0
        while True:
            self.sums.clear(blocks)
            yield from self._pass(interval, total, vertices)
            updated += len(vertices)
            if self.says.selective:
                self._wake(vertices)
            residual, come_to = self.sums.of(blocks)
            again = self._repeats(interval._replace(updated=len(vertices), residual=residual, total=come_to))
            if again and self.says.writes:
                raise ValueError("it writes values of edges, which are seen in the next iteration: its updates are not repeated")
            if again and self.says.selective:
                # Those that were to be updated in the next iteration are in this one.
                vertices = sorted(self._taken(first, end))
                again = bool(vertices)
            if again or end < self.graph.vertices:
                self.shown[first:end] = self.next[first:end]
            if not again:
                return updated
            interval = interval._replace(pass_=interval.pass_ + 1)

    def _taken(self, first: int, end: int) -> set[int]:
        """Takes out those of these vertices that are scheduled."""
        taken = {vertex for vertex in self.woken if first <= vertex < end}
        self.woken -= taken
        return taken

    def _scheduled(self) -> Sequence[int]:
        woken, self.woken = self.woken, set()
        return sorted(woken) if self.says.selective else range(self.graph.vertices)

    def _blocks(self) -> int:
        return -(-self.graph.vertices // BLOCK)

    def _wake(self, updated: Iterable[int]) -> None:
        """Schedules who sees a change."""
        graph = self.graph
        before, after = _bits(self.shown), _bits(self.next)
        had, have = _bits(self.values), _bits(self.next_values)
        for vertex in updated:
            if before[vertex] != after[vertex]:
                self.woken.update(graph.outgoing.ends_of(vertex))
                if self.says.outgoing and graph.directed:
                    self.woken.update(graph.incoming.ends_of(vertex))
            for edge in graph.outgoing.of(vertex) if self.says.writes else ():
                if had[edge] != have[edge]:
                    self.woken.add(graph.outgoing.ids[edge])


def _values_of(says: Program, graph: Adjacency) -> array[Any]:
    """What edges have at first: 0 where a program writes what they have, and the list has none."""
    if not says.edge:
        return array("B")
    none = itertools.repeat(0, graph.edges) if says.writes else ()
    return array(NUMBERS[says.edge], none if graph.values is None else graph.values)


def _bits(numbers: array[Any]) -> memoryview:
    word: Literal["B", "I", "Q"] = {4: "I", 8: "Q"}.get(numbers.itemsize, "B")  # type: ignore[assignment]
    return memoryview(numbers).cast("B").cast(word)


def frames(vertices: Sequence[int], size: int) -> Iterable[tuple[int, Sequence[int]]]:
    """These vertices, those of each ``size`` numbers together: the first of these numbers, and the vertices."""
    at = 0
    while at < len(vertices):
        first, end = vertices[at] // size * size, at
        while end < len(vertices) and vertices[end] < first + size:
            end += 1
        yield first, vertices[at:end]
        at = end


def _ends(code: str) -> tuple[Any, Any]:
    """The least and the largest number of a type."""
    if code in "fd":
        return float("-inf"), float("inf")
    bits = 8 * array(code).itemsize
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if code.islower() else (0, (1 << bits) - 1)
