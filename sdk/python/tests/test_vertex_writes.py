"""Values of edges that programs set, through the driver and in the simulator, which come to the same bits."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from upcall.graph import Vertex, VertexContext, Vertices
from upcall.graph_simulator import Simulator, load
from upcall.testing import Failed, VertexHarness

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "graph" / "python"
# Vertex 3 has none; two lead from 0 to 1, and one from 1 to itself.
TWICE = [(0, 1, 5), (0, 1, 6), (1, 1, 7), (1, 0, 8), (2, 0, 9), (1, 2, 3)]

Run = Callable[..., Any]


def program(update: Any, *, name: str = "update", start: Any = None, **says: Any) -> Any:
    """A program that writes, and does one thing."""
    base: dict[str, Any] = {"shown": "u32", "edge": "f64", "writes": True, **says}
    base[name] = lambda self, first, context: update(first, context)
    if start is not None:
        base["start"] = lambda self, vertex, context: start(vertex, context)
    return type("Does", (), base)()


@pytest.fixture(params=[VertexHarness, Simulator])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a program over edges."""

    def with_it(does: Any, edges: Sequence[Any], iterations: int = 1, **options: Any) -> Any:
        return request.param(does, edges, **options).run(iterations)

    return with_it


@pytest.mark.parametrize("directed", [True, False])
def test_what_is_set_is_seen_at_both_ends_in_the_next_iteration(directed: bool, run: Run) -> None:
    seen: list[Any] = []

    def update(vertex: Vertex, context: VertexContext) -> None:
        seen.append((context.iteration, vertex.id, vertex.incoming.value_list(), vertex.outgoing.value_list()))
        assert vertex.outgoing.value_list() == [vertex.outgoing.value(index) for index in range(len(vertex.outgoing))]
        for index in range(len(vertex.outgoing)):
            vertex.outgoing.set_value(index, 100 * vertex.id + vertex.outgoing.id(index))
            vertex.outgoing.set_value(index=index, value=vertex.outgoing.value(index) + 10 * vertex.id)

    found = run(program(update), [(0, 1, 1.5), (1, 2, 2.5)], 2, directed=directed)
    if directed:
        assert seen == [
            *((0, 0, [], [1.5]), (0, 1, [1.5], [2.5]), (0, 2, [2.5], [])),
            *((1, 0, [], [1.5]), (1, 1, [1.5], [12.5]), (1, 2, [12.5], [])),
        ]
        assert found.edges == [1.5, 22.5]
    else:
        # Each direction has its own.
        assert seen[3:] == [(1, 0, [11.5], [1.5]), (1, 1, [1.5, 22.5], [11.5, 12.5]), (1, 2, [12.5], [22.5])]
        assert found.edges == [21.5, 1.5, 42.5, 22.5]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("values", [True, False])
def test_edges_that_are_there_twice_each_have_their_own_value(directed: bool, values: bool, run: Run) -> None:
    edges = TWICE if values else [edge[:2] for edge in TWICE]

    def update(vertex: Vertex, context: VertexContext) -> None:
        for index in range(vertex.out_degree):
            vertex.outgoing.set_value(index, 10 * vertex.id + index)

    # By destination, then by source.
    expected = [10, 20, 0, 1, 11, 12] if directed else [10, 11, 12, 20, 0, 1, 2, 13, 21, 3, 14]
    assert run(program(update), edges, directed=directed, vertices=4).edges == expected


def test_what_is_not_set_stays_and_begins_as_the_list_says_or_at_0(run: Run) -> None:
    def update(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id == 1 and context.iteration == 1:
            vertex.outgoing.set_value(1, -1)

    assert run(program(update), TWICE, 0).edges == [8, 9, 5, 6, 7, 3]
    assert run(program(update), TWICE, 5).edges == [8, 9, 5, 6, -1, 3]
    assert run(program(update), [edge[:2] for edge in TWICE], 5).edges == [0, 0, 0, 0, -1, 0]
    assert run(program(lambda vertex, context: None, writes=False), TWICE).edges == []


@pytest.mark.parametrize("of", ["f32", "f64", "i32", "i64", "u32", "u64"])
def test_every_type_is_set(of: str, run: Run) -> None:
    value = {"f32": 0.1, "f64": 0.1, "i32": -(1 << 31), "i64": -(1 << 63), "u32": (1 << 32) - 1, "u64": (1 << 64) - 1}[of]
    expected = 0.10000000149011612 if of == "f32" else value

    def update(vertex: Vertex, context: VertexContext) -> None:
        for index in range(vertex.out_degree):
            vertex.outgoing.set_value(index, value)

    found = run(program(update, edge=of), [(0, 1), (1, 2)])
    assert found.edges == [expected] * 2 and {type(each) for each in found.edges} == {type(value)}


def test_only_another_value_wakes_the_vertex_at_the_other_end(run: Run) -> None:
    updated: list[Any] = []

    def update(vertex: Vertex, context: VertexContext) -> None:
        updated.append((context.iteration, vertex.id))
        for index in range(vertex.out_degree):
            # 0 is what it has, and -0.0 are other bits.
            vertex.outgoing.set_value(index, {0: 1.0, 1: -0.0, 2: 0.0}[vertex.id])
            if vertex.id == 0:
                vertex.outgoing.set_value(index, 2.0)

    def start(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id == 0:
            vertex.schedule()

    chain = [(0, 1), (1, 2), (2, 3), (4, 0)]
    assert run(program(update, start=start, selective=True), chain, 9).iterations == 3
    assert updated == [(0, 0), (1, 1), (2, 2)]


def test_who_writes_sees_no_change_against_the_direction_unless_it_looks_there(run: Run) -> None:
    updated: list[int] = []

    def update(vertex: Vertex, context: VertexContext) -> None:
        updated.append(vertex.id)
        vertex.show(1)

    def start(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id == 0:
            vertex.schedule()

    for outgoing, expected in ((False, [0, 1]), (True, [0, 1, 4])):
        updated.clear()
        run(program(update, start=start, selective=True, outgoing=outgoing), [(0, 1), (1, 2), (4, 0)], 2)
        assert updated == expected


def test_vertices_of_several_blocks_set_their_own(run: Run) -> None:
    count, some = 2600, [3, 1023, 1024, 1500, 2599]
    edges = [(vertex, (vertex * 7 + each) % count) for vertex in range(count) for each in range(vertex % 4)]

    def update(vertex: Vertex, context: VertexContext) -> None:
        for index in range(vertex.out_degree):
            if index != 1:
                vertex.outgoing.set_value(index, vertex.id + index / 4)

    def start(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id in some:
            vertex.schedule()

    for selective in (True, False):
        expected = {
            (to, at, index): at + index / 4 if index != 1 and (at in some or not selective) else 0.0
            for at in range(count)
            for index, to in enumerate(sorted(to for begin, to in edges[at // 4 * 6 : at // 4 * 6 + 6] if begin == at))
        }
        for frame in (1024, 2048):
            does = program(update, start=start if selective else None, selective=selective)
            found = run(does, edges, vertices=count, frame=frame)
            assert found.edges == [expected[key] for key in sorted(expected)]


def test_a_program_that_gathers_writes_too(run: Run) -> None:
    class Gathers:
        shown = edge = "f64"
        gather = "count"
        writes = True

        def apply(self, vertex: Vertex, gathered: float, context: VertexContext) -> None:
            for index in range(vertex.out_degree):
                vertex.outgoing.set_value(index, gathered + vertex.outgoing.value(index))

    assert run(Gathers(), TWICE, 2).edges == [14, 11, 9, 10, 13, 9]


@pytest.mark.parametrize("numpy", [True, False])
@pytest.mark.parametrize("directed", [True, False])
def test_an_interval_has_one_array_to_write(numpy: bool, directed: bool, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    if not numpy:
        monkeypatch.setitem(sys.modules, "numpy", None)

    def update(vertex: Vertex, context: VertexContext) -> None:
        for index in range(vertex.out_degree):
            if index % 2 == 0:
                vertex.outgoing.set_value(index, vertex.outgoing.value(index) / 2 + vertex.id)

    def interval(vertices: Vertices, context: VertexContext) -> None:
        edges, at = vertices.outgoing, 0
        values = edges.next_values
        assert len(values) == sum(vertices.out_degrees)
        assert edges.places is None and sorted(vertices.incoming.places) == list(range(context.edges))
        for vertex, begin, end in zip(vertices.ids, edges.begins, edges.ends):
            for index in range(end - begin):
                assert values[at] == edges.values[begin + index]
                if index % 2 == 0:
                    values[at] = values[at] / 2 + vertex
                at += 1

    def start(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id != 1:
            vertex.schedule()

    for selective in (True, False):
        options: Any = {"start": start, "selective": True} if selective else {}
        found = run(program(interval, name="interval", **options), TWICE, 3, vertices=4, directed=directed)
        assert found == run(program(update, **options), TWICE, 3, vertices=4, directed=directed)


def test_an_interval_without_edges_has_none_to_write(run: Run) -> None:
    lengths: list[int] = []
    does = program(lambda vertices, context: lengths.append(len(vertices.outgoing.next_values)), name="interval")
    assert run(does, [], vertices=3).edges == [] and lengths == [0]


def test_an_array_of_values_that_is_kept_fails_the_call(run: Run) -> None:
    kept: list[Any] = []
    with pytest.raises((Failed, BufferError), match="a view of engine memory was kept"):
        run(program(lambda vertices, context: kept.append(vertices.outgoing.next_values), name="interval"), TWICE)


@pytest.mark.parametrize(
    ("use", "kind", "expected"),
    [
        (lambda vertex: vertex.outgoing.set_value(3, 1), "IndexError", "vertex 1 has 3 outgoing edges, from 0 on, and no edge 3"),
        (lambda vertex: vertex.outgoing.set_value(-1, 1), "IndexError", "vertex 1 has 3 outgoing edges, from 0 on, and no edge -1"),
        (lambda vertex: vertex.incoming.set_value(0, 1), "TypeError", "set_value: values are set on outgoing edges, not on incoming ones"),
        (lambda vertex: vertex.outgoing.set_value(0, 1 << 31), "OverflowError", "2147483648 does not fit edge's i32"),
        (lambda vertex: vertex.outgoing.set_value(0, 0.5), "TypeError", "'float' object cannot be interpreted as an integer"),
        (lambda vertex: vertex.outgoing.set_value("0", 1), "TypeError", "'str' object cannot be interpreted as an integer"),
    ],
)
def test_what_cannot_be_set_says_why(use: Any, kind: str, expected: str, run: Run) -> None:
    does = program(lambda vertex, context: use(vertex) if vertex.id == 1 else None, edge="i32")
    with pytest.raises(Exception) as failed:
        run(does, TWICE)
    told = failed.value
    found = (told.type_name, told.message) if isinstance(told, Failed) else (type(told).__name__, str(told))
    assert found == (kind, expected)


def test_no_value_is_set_at_the_start(run: Run) -> None:
    def start(vertex: Vertex, context: VertexContext) -> None:
        if vertex.out_degree:
            vertex.outgoing.set_value(0, 1.0)

    with pytest.raises((Failed, RuntimeError), match="values of edges are set in update, not at the start"):
        run(program(lambda vertex, context: None, start=start), TWICE)


def test_an_interval_sets_no_incoming_values(run: Run) -> None:
    with pytest.raises((Failed, TypeError), match="next_values: values are set on outgoing edges, not on incoming ones"):
        run(program(lambda vertices, context: vertices.incoming.next_values, name="interval"), TWICE)


def test_edges_that_are_kept_set_nothing(run: Run) -> None:
    kept: list[Any] = []

    def update(vertex: Vertex, context: VertexContext) -> None:
        for outgoing in kept:
            with pytest.raises(RuntimeError, match="has ended with its call"):
                outgoing.set_value(0, 1.0)
            with pytest.raises(RuntimeError, match="has ended with its call"):
                outgoing.set_value(17, 1.0)
        kept.append(vertex.outgoing)

    assert run(program(update), TWICE).edges == [8, 9, 5, 6, 7, 3] and len(kept) == 3


def test_the_simulator_tells_of_a_nan_and_has_no_intervals_of_gauss_and_seidel() -> None:
    def update(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id == 1:
            vertex.outgoing.set_value(1, math.nan)

    def interval(vertices: Vertices, context: VertexContext) -> None:
        vertices.outgoing.next_values[3] = math.nan

    for does in (program(update), program(interval, name="interval")):
        with pytest.raises(ValueError, match="vertex 1 sets outgoing edge 1 to nan: find out where it comes from, or allow it with allow_nan"):
            Simulator(does, TWICE).run(1)
        assert math.isnan(Simulator(does, TWICE, allow_nan=True).run(1).edges[4])
    with pytest.raises(ValueError, match="gauss_seidel=1: the program writes values of edges: it is not run in Gauss-Seidel's way"):
        Simulator(program(update), TWICE, gauss_seidel=1)


def test_a_program_that_writes_says_so() -> None:
    described = VertexHarness(program(lambda vertex, context: None, outgoing=True, selective=True), TWICE).describe()
    assert described[2:] == [(9, "shown", "u32"), (9, "edge", "f64"), (10, "outgoing", ""), (10, "writes", ""), (10, "selective", "")]


@pytest.mark.parametrize("directed", [True, False])
def test_ranks_that_edges_carry_are_those_that_vertices_show(directed: bool, run: Run) -> None:
    ranks, carried = (load(EXAMPLES / "pagerank.py", name) for name in ("PageRank", "PageRankEdges"))
    edges = [(a * a % 1100, (a * 31 + 7) % 1100) for a in range(3000)]
    options: Any = {"vertices": 1100, "directed": directed, "settings": {"tolerance": "0"}}
    for iterations in (0, 1, 2, 9):
        found, other = run(ranks(), edges, iterations, **options), run(carried(), edges, iterations + 1, **options)
        assert found.own == other.own == other.shown
    options["settings"] = {"damping": "0.9", "tolerance": "1e-4"}
    found, other = run(ranks(), edges, **options | {"iterations": 1000}), run(carried(), edges, **options | {"iterations": 1000})
    assert found.own == other.own and found.iterations + 1 == other.iterations
