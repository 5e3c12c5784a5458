"""Vertex programs with ``interval``: arrays of the engine's memory."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy
import pytest

from upcall.graph import Iteration, Vertex, VertexContext, Vertices
from upcall.graph_simulator import Simulator
from upcall.testing import Failed, VertexHarness

EDGES = [(0, 1), (2, 1), (2, 0)]
VALUED = [(0, 1, 0.5), (2, 1, 1.5), (2, 0, -2.0)]


def interval(body: Any, **says: Any) -> Any:
    """A program with an interval that does one thing."""

    def called(self: object, vertices: Vertices, context: VertexContext) -> None:
        body(vertices, context)

    return type("Does", (), {"shown": "f64", **says, "interval": called})()


@pytest.fixture(params=["numpy", "memoryview"])
def shows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How arrays are shown: with numpy and without."""
    if request.param == "memoryview":
        monkeypatch.setitem(sys.modules, "numpy", None)
    return str(request.param)


@pytest.mark.parametrize("run", [VertexHarness, Simulator])
def test_an_interval_has_arrays_of_the_engines_memory(run: Any, shows: str) -> None:
    seen: list[Any] = []

    def body(vertices: Vertices, context: VertexContext) -> None:
        edges, back = vertices.incoming, vertices.outgoing
        assert len(vertices) == 4 and list(vertices.ids) == [0, 1, 2, 3]
        assert list(vertices.out_degrees) == [1, 0, 2, 0]
        assert (list(edges.begins), list(edges.ends)) == ([0, 1, 3, 3], [1, 3, 3, 3])
        assert list(edges.ids) == [2, 0, 2]
        assert [vertices.shown[place] for place in edges.at] == [vertices.before[id] for id in edges.ids]
        for each in (edges, back):
            assert list(each.shown) == list(each.shown) == [vertices.before[id] for id in each.ids]
        assert edges.places is None and list(edges.values) == [-2.0, 0.5, 1.5]
        assert list(back.ids) == [1, 0, 1] and [edges.values[place] for place in back.places] == [0.5, -2.0, 1.5]
        assert list(vertices.before) == list(vertices.next)
        reads = (vertices.before, edges.at, edges.shown)
        for array, writable in (*((array, False) for array in reads), (vertices.next, True), (vertices.own, True)):
            assert (array.flags.writeable if shows == "numpy" else not array.readonly) == writable
        for place in range(4):
            vertices.next[place] = vertices.before[place] + 1
            vertices.own[place] -= place
        vertices.add_residual([0.5] * 4)
        vertices.add_total(numpy.ones(4) if shows == "numpy" else [1, 1, 1, 1])
        seen.append((context.iteration, context.total))

    does = interval(body, own="i64", edge="f64", outgoing=True)
    told: list[Iteration] = []
    does.after_iteration = told.append
    found = run(does, VALUED, vertices=4).run(2)
    assert (found.shown, found.own) == ([2.0] * 4, [0, -2, -4, -6])
    assert seen == [(0, 0.0), (1, 4.0)]
    assert told == [Iteration(number, 4, 4, 2.0, 4.0) for number in (0, 1)]


def test_an_interval_of_some_vertices_has_their_numbers(shows: str) -> None:
    seen: list[Any] = []

    class Some:
        shown = "u32"
        selective = True

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            if vertex.id in (1, 3, 2000):
                vertex.schedule()

        def interval(self, vertices: Vertices, context: VertexContext) -> None:
            seen.append(list(vertices.ids))
            if 3 in vertices.ids:
                vertices.schedule([vertices.ids[0], 1999] if context.iteration == 0 else [])

    VertexHarness(Some(), [], vertices=2001).run()
    assert seen == [[1, 3], [2000], [1], [1999]]


@pytest.mark.parametrize("run", [VertexHarness, Simulator])
def test_outgoing_edges_that_are_not_declared_have_nothing(run: Any) -> None:
    refused: list[str] = []

    def body(vertices: Vertices, context: VertexContext) -> None:
        for name in ("begins", "ends", "ids", "at", "shown", "values", "places"):
            with pytest.raises(TypeError, match="outgoing: the program does not declare it: write outgoing = True in its class"):
                getattr(vertices.outgoing, name)
            refused.append(name)

    for directed in (True, False):
        run(interval(body, edge="f64"), VALUED, directed=directed).run(1)
    assert len(refused) == 14


@pytest.mark.parametrize("shown", ["f32", "f64"])
def test_what_neighbours_show_side_by_side_is_of_these_vertices_alone(shown: str, shows: str) -> None:
    random = Random(17)
    edges = [(random.randrange(300), random.randrange(300)) for _ in range(5000)]
    updated: list[int] = []

    class Some:
        outgoing = selective = True

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(vertex.id / 4)
            if vertex.id % 7 == 0:
                vertex.schedule()

        def interval(self, vertices: Vertices, context: VertexContext) -> None:
            updated.append(len(vertices))
            for side in (vertices.incoming, vertices.outgoing):
                ranges = [range(int(begin), int(end)) for begin, end in zip(side.begins, side.ends)]
                assert list(side.shown) == [vertices.shown[side.at[edge]] for edges in ranges for edge in edges]
            vertices.next[0] = vertices.before[0] + 1

    Some.shown = shown  # type: ignore[attr-defined]
    found = VertexHarness(Some(), edges, vertices=300).run(3)
    assert updated[0] == 43 and min(updated) > 0
    assert Simulator(Some(), edges, vertices=300).run(3).shown == found.shown


@pytest.mark.parametrize(
    "find", [lambda each: each.next, lambda each: each.incoming.at[1:], lambda each: each.incoming.shown], ids=["itself", "slice", "beside"]
)
def test_an_array_that_is_kept_fails_the_call(find: Any, shows: str) -> None:
    kept: list[Any] = []

    def body(vertices: Vertices, context: VertexContext) -> None:
        kept.append(find(vertices))

    with pytest.raises(Failed, match="BufferError: a view of engine memory was kept") as failed:
        VertexHarness(interval(body), EDGES).run(1)
    assert failed.value.item is None


def test_a_context_that_an_interval_keeps_ends_too() -> None:
    kept: list[VertexContext] = []

    def body(vertices: Vertices, context: VertexContext) -> None:
        for each in kept:
            with pytest.raises(RuntimeError, match="has ended with its call"):
                each.total
        kept.append(context)

    VertexHarness(interval(body), EDGES).run(3)
    assert len(kept) == 3
