"""Vertex programs: what they are given, and what comes of what they write."""

from __future__ import annotations

import gc
import math
import struct
import threading
from typing import Any

import pytest

from upcall import Context, Emit, Object, Parameter
from upcall.graph import Edges, Graph, Iteration, Vertex, VertexContext, Vertices
from upcall.testing import CombineHarness, Failed, Harness, VertexHarness

# Vertex 1 has two incoming edges and none that goes out; 3 has none at all.
EDGES = [(0, 1), (2, 1), (2, 0)]
VALUED = [(0, 1, 0.5), (2, 1, 1.5), (2, 0, -2.0)]
TYPES = {"f32": 0.1, "f64": 0.1, "i32": -(1 << 31), "i64": -(1 << 63), "u32": (1 << 32) - 1, "u64": (1 << 64) - 1}


class Largest:
    shown = "u64"
    selective = True

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(vertex.id)
        vertex.schedule()

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(max([vertex.shown, *vertex.incoming.shown_list()]))


def program(update: Any, *, start: Any = None, **says: Any) -> Any:
    """A program that does one thing."""

    def updated(self: object, vertex: Vertex, context: VertexContext) -> None:
        update(vertex, context)

    methods: dict[str, Any] = {"update": updated}
    if start is not None:

        def started(self: object, vertex: Vertex, context: VertexContext) -> None:
            start(vertex, context)

        methods["start"] = started
    return type("Does", (), {"shown": "f64", **says, **methods})()


def test_a_program_runs_until_nothing_is_scheduled() -> None:
    found = VertexHarness(Largest(), [(0, 1), (1, 2), (2, 0), (3, 1)]).run()
    assert (found.shown, found.own, found.iterations) == ([3, 3, 3, 3], [], 4)


def test_a_vertex_sees_its_edges_in_ascending_order_with_values() -> None:
    seen: dict[int, Any] = {}

    def update(vertex: Vertex, context: VertexContext) -> None:
        def side(edges: Edges) -> Any:
            each = [(edges.id(n), edges.shown(n), edges.value(n)) for n in range(len(edges))]
            assert each == list(zip(edges.ids(), edges.shown_list(), edges.value_list()))
            return each

        seen[vertex.id] = (vertex.in_degree, vertex.out_degree, side(vertex.incoming), side(vertex.outgoing))

    does = program(update, start=lambda vertex, context: vertex.show(vertex.id * 10), edge="f64", outgoing=True)
    VertexHarness(does, VALUED, vertices=4).run(1)
    assert seen == {
        0: (1, 1, [(2, 20.0, -2.0)], [(1, 10.0, 0.5)]),
        1: (2, 0, [(0, 0.0, 0.5), (2, 20.0, 1.5)], []),
        2: (0, 2, [], [(0, 0.0, -2.0), (1, 10.0, 1.5)]),
        3: (0, 0, [], []),
    }


def test_without_directions_outgoing_edges_are_the_incoming_ones() -> None:
    seen: dict[int, Any] = {}

    def update(vertex: Vertex, context: VertexContext) -> None:
        assert vertex.incoming.ids() == vertex.outgoing.ids()
        assert vertex.incoming.value_list() == vertex.outgoing.value_list()
        assert not context.directed and context.edges == 7
        seen[vertex.id] = list(zip(vertex.incoming.ids(), vertex.incoming.value_list()))

    does = program(update, edge="f64", outgoing=True)
    VertexHarness(does, [*VALUED, (3, 3, 9.0)], directed=False).run(1)
    assert seen == {0: [(1, 0.5), (2, -2.0)], 1: [(0, 0.5), (2, 1.5)], 2: [(0, -2.0), (1, 1.5)], 3: [(3, 9.0)]}


@pytest.mark.parametrize("of", TYPES)
def test_every_type_is_kept_shown_and_read(of: str) -> None:
    value = TYPES[of]
    expected = struct.unpack("<f", struct.pack("<f", value))[0] if of == "f32" else value
    read: list[Any] = []

    def start(vertex: Vertex, context: VertexContext) -> None:
        assert (vertex.own, vertex.shown) == (0, 0)
        vertex.show(value)
        vertex.own = value
        assert (vertex.own, vertex.shown) == (expected, 0)

    def update(vertex: Vertex, context: VertexContext) -> None:
        read.extend([vertex.own, vertex.shown, *vertex.incoming.shown_list(), *vertex.incoming.value_list()])

    does = program(update, start=start, shown=of, own=of, edge=of)
    found = VertexHarness(does, [(0, 1, value)]).run(1)
    assert found.shown == found.own == [expected] * 2
    assert read == [expected] * 6 and {type(each) for each in read} == {type(value)}


@pytest.mark.parametrize(
    ("of", "value"),
    [("u32", 1 << 32), ("u32", -1), ("u64", 1 << 64), ("i32", 1 << 31), ("i64", 1 << 63), ("f32", 1e300)],
)
def test_a_number_that_does_not_fit_is_refused(of: str, value: Any) -> None:
    def keep(vertex: Vertex, context: VertexContext) -> None:
        vertex.own = value

    for does in (program(lambda vertex, context: vertex.show(value), shown=of), program(keep, own=of)):
        with pytest.raises(Failed) as failed:
            VertexHarness(does, EDGES).run(1)
        assert failed.value.type_name == "OverflowError" and failed.value.item == 0


@pytest.mark.parametrize(("of", "value"), [("u32", 1.5), ("f64", "1"), ("i64", None)])
def test_what_is_no_number_of_the_type_is_refused(of: str, value: Any) -> None:
    with pytest.raises(Failed, match="TypeError"):
        VertexHarness(program(lambda vertex, context: vertex.show(value), shown=of), EDGES).run(1)


def test_without_start_all_begin_with_zeros_and_what_is_not_shown_stays() -> None:
    def update(vertex: Vertex, context: VertexContext) -> None:
        assert vertex.shown == (7.0 if vertex.id == 1 and context.iteration else 0.0)
        if context.iteration == 0 and vertex.id == 1:
            vertex.show(7.0)

    assert VertexHarness(program(update), EDGES).run(3).shown == [0.0, 7.0, 0.0]


def test_settings_graph_and_log_are_told_and_close_is_called() -> None:
    told: list[Any] = []

    class Scales:
        shown = "f64"
        parameters = {"by": Parameter("f64", default=1.0)}

        def open(self, ctx: Context) -> None:
            self.by = float(ctx.settings["by"])
            told.append((ctx.graph, ctx.worker, ctx.workers, ctx.pools, ctx.senders))

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(self.by)
            if vertex.id == 0:
                context.log.info("iteration %s of %s vertices", context.iteration, context.vertices)

        def close(self) -> None:
            told.append("closed")

    with VertexHarness(Scales(), EDGES, vertices=5, settings={"by": "2"}) as harness:
        assert harness.run(1).shown == [2.0] * 5
        assert harness.logged == [(3, "iteration 0 of 5 vertices")]
    assert told == [(Graph(5, 3, True), 0, 1, [], ()), "closed"]


def test_sums_are_made_in_blocks_and_the_next_iteration_sees_the_total() -> None:
    count, told, totals = 2500, [], set()

    class Adds:
        shown = "f64"

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            context.add_total(0.1)

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            totals.add(context.total)
            context.add_residual(1.0 / (vertex.id + 1))
            context.add_total(2)

        def after_iteration(self, iteration: Iteration) -> bool:
            told.append(iteration)
            return iteration.number == 1

    def summed(amounts: list[float]) -> float:
        total = 0.0
        for begin in range(0, count, 1024):
            block = 0.0
            for amount in amounts[begin : begin + 1024]:
                block += amount
            total += block
        return total

    for frame in (1024, 2048, 4096):
        told, totals = [], set()
        assert VertexHarness(Adds(), [], vertices=count, frame=frame).run().iterations == 2
        residual = summed([1.0 / (id + 1) for id in range(count)])
        assert told == [Iteration(number, count, count, residual, 2.0 * count) for number in (0, 1)]
        assert totals == {summed([0.1] * count), 2.0 * count}


def test_an_iteration_is_the_last_one_when_the_answer_is_true() -> None:
    for answer, expected in ((1, 1), ([0], 1), (None, 3), (0, 3)):
        does: Any = program(lambda vertex, context: None)
        does.after_iteration = lambda iteration: answer
        assert VertexHarness(does, EDGES).run(3).iterations == expected


def test_only_who_sees_a_change_or_is_scheduled_is_updated() -> None:
    updated: list[tuple[int, int]] = []

    def start(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id == 0:
            vertex.schedule()

    def update(vertex: Vertex, context: VertexContext) -> None:
        updated.append((context.iteration, vertex.id))
        if vertex.id < 2:
            vertex.show(1.0)
        if vertex.id == 2:
            vertex.schedule(id=5)

    chain = [(0, 1), (1, 2), (2, 3), (4, 0)]
    does = program(update, start=start, selective=True)
    assert VertexHarness(does, chain, vertices=6).run().iterations == 4
    assert updated == [(0, 0), (1, 1), (2, 2), (3, 5)]
    updated.clear()
    # It looks at outgoing edges, and so sees changes against the direction of edges.
    does = program(update, start=start, selective=True, outgoing=True)
    VertexHarness(does, chain, vertices=6).run()
    assert updated == [(0, 0), (1, 1), (1, 4), (2, 0), (2, 2), (3, 5)]


def test_vertices_of_several_blocks_are_updated_where_they_are() -> None:
    some = [3, 1023, 1024, 1500, 2999]
    seen: list[int] = []

    def start(vertex: Vertex, context: VertexContext) -> None:
        vertex.show(vertex.id)
        if vertex.id in some:
            vertex.schedule()

    def update(vertex: Vertex, context: VertexContext) -> None:
        seen.append(vertex.id)
        assert (vertex.shown, vertex.own) == (vertex.id, 0)
        vertex.own = vertex.id + 1
        context.add_residual(1.0)

    for frame in (1024, 2048, 3072):
        seen.clear()
        does = program(update, start=start, selective=True, own="i64")
        found = VertexHarness(does, [], vertices=3000, frame=frame).run()
        assert seen == some
        assert found.own == [id + 1 if id in some else 0 for id in range(3000)]


def test_vertices_that_are_scheduled_twice_need_no_room() -> None:
    def start(vertex: Vertex, context: VertexContext) -> None:
        for _ in range(100):
            vertex.schedule(0)
            vertex.schedule(2)

    updated: list[int] = []
    does = program(lambda vertex, context: updated.append(vertex.id), start=start, selective=True)
    VertexHarness(does, EDGES, room=2).run()
    assert updated == [0, 2]
    with pytest.raises(Failed, match="MemoryError: schedule 2: the engine has no room for more vertices"):
        VertexHarness(does, EDGES, room=1).run()


@pytest.mark.parametrize("by", ["sum", "min", "max", "count"])
@pytest.mark.parametrize("of", ["f32", "i64", "u32"])
def test_what_neighbours_come_to_is_gathered(by: str, of: str) -> None:
    given: dict[int, Any] = {}

    class Gathers:
        shown = of
        gather = by

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(vertex.id + 2)

        def apply(self, vertex: Vertex, gathered: Any, context: VertexContext) -> None:
            assert vertex.in_degree == [1, 2, 0][vertex.id]
            given[vertex.id] = gathered

    VertexHarness(Gathers(), EDGES).run(1)
    none = {"f32": (math.inf, -math.inf), "i64": ((1 << 63) - 1, -(1 << 63)), "u32": ((1 << 32) - 1, 0)}[of]
    assert given == {
        "sum": {0: 4.0, 1: 6.0, 2: 0.0},
        "count": {0: 1.0, 1: 2.0, 2: 0.0},
        "min": {0: 4, 1: 2, 2: none[0]},
        "max": {0: 4, 1: 4, 2: none[1]},
    }[by]
    whole = by in ("min", "max") and of != "f32"
    assert {type(each) for each in given.values()} == {int if whole else float}


def test_a_program_describes_itself() -> None:
    does = program(lambda vertex, context: None, own="i32", edge="u64", outgoing=True, selective=True)
    described = VertexHarness(does, VALUED).describe()
    assert described == [
        (1, "VERTEX", "18"),
        (2, "vertex", ""),
        (9, "own", "i32"),
        (9, "shown", "f64"),
        (9, "edge", "u64"),
        (10, "outgoing", ""),
        (10, "selective", ""),
    ]

    class Gathers:
        shown = "f32"
        gather = "max"

        def apply(self, vertex: Vertex, gathered: float, context: VertexContext) -> None: ...

    assert VertexHarness(Gathers(), EDGES).describe()[1:] == [(2, "gather", ""), (9, "shown", "f32"), (11, "max", "")]

    class Many:
        shown = "f64"

        def interval(self, vertices: Vertices, context: VertexContext) -> None: ...

    assert VertexHarness(Many(), EDGES).describe()[1:] == [(2, "interval", ""), (9, "shown", "f64")]


def test_what_is_kept_raises_when_it_is_used_later() -> None:
    kept: list[Any] = []
    raised: list[str] = []

    def update(vertex: Vertex, context: VertexContext) -> None:
        for use in kept:
            with pytest.raises(RuntimeError, match="has ended with its call"):
                use()
            raised.append("")
        kept[:] = [
            lambda: vertex.id,
            lambda: vertex.shown,
            lambda: vertex.own,
            lambda: setattr(vertex, "own", 1.0),
            lambda: vertex.show(1.0),
            vertex.schedule,
            lambda: vertex.in_degree,
            lambda: vertex.out_degree,
            lambda: vertex.incoming.ids(),
            lambda: vertex.incoming.shown(0),
            lambda: len(vertex.outgoing),
            lambda: context.total,
            lambda: context.add_total(1.0),
        ]
        assert repr(vertex) == f"<upcall.graph.Vertex {vertex.id}>"
        kept.append(lambda: vertex.show(float(repr(vertex) != "<upcall.graph.Vertex, ended>")))

    does = program(update, own="f64", outgoing=True, selective=True, start=lambda vertex, context: vertex.schedule())
    VertexHarness(does, EDGES).run(1)
    update_late = kept[0]
    with pytest.raises(RuntimeError, match="has ended with its call"):
        update_late()
    assert len(raised) == 28


def test_edges_alone_that_are_kept_are_not_moved_on() -> None:
    kept: list[Any] = []

    def update(vertex: Vertex, context: VertexContext) -> None:
        if kept:
            with pytest.raises(RuntimeError, match="has ended with its call"):
                kept.pop().shown(0)
        kept.append(vertex.incoming)

    VertexHarness(program(update), EDGES).run(2)


def test_what_an_exception_keeps_is_not_moved_on() -> None:
    kept: list[BaseException] = []

    def update(vertex: Vertex, context: VertexContext) -> None:
        if not kept:
            try:
                raise LookupError("not this one")
            except LookupError as error:
                kept.append(error)
                raise
        trace = kept[0].__traceback__
        assert trace is not None
        with pytest.raises(RuntimeError, match="has ended with its call"):
            trace.tb_frame.f_locals["vertex"].show(1.0)

    harness = VertexHarness(program(update), EDGES)
    with pytest.raises(Failed, match="not this one"):
        harness.run(1)
    harness.run(1)


def test_the_same_objects_are_used_again_when_nobody_keeps_them() -> None:
    seen = set()

    def update(vertex: Vertex, context: VertexContext) -> None:
        seen.add((id(vertex), id(context), id(vertex.incoming), id(vertex.outgoing)))

    VertexHarness(program(update), [], vertices=1000).run(1)
    assert len(seen) == 1


def test_a_thread_that_goes_on_after_the_call_is_told() -> None:
    raised: list[BaseException] = []
    go, threads = threading.Event(), []

    def update(vertex: Vertex, context: VertexContext) -> None:
        def late() -> None:
            go.wait()
            try:
                vertex.incoming.shown_list()
            except BaseException as error:
                raised.append(error)

        threads.append(threading.Thread(target=late))
        threads[-1].start()

    VertexHarness(program(update), EDGES).run(1)
    go.set()
    for thread in threads:
        thread.join()
    assert [type(each) for each in raised] == [RuntimeError] * 3


def test_a_number_whose_conversion_ends_the_call_goes_nowhere() -> None:
    kept: list[Any] = []

    class Late:
        def __init__(self, vertex: Vertex) -> None:
            self.vertex = vertex

        def __float__(self) -> float:
            return 9.0

    def update(vertex: Vertex, context: VertexContext) -> None:
        kept.append(Late(vertex))
        if len(kept) == 2:
            with pytest.raises(RuntimeError):
                kept[0].vertex.show(kept[0])

    assert VertexHarness(program(update), EDGES).run(1).shown == [0.0] * 3


def test_nothing_leaks() -> None:
    class Counted(Largest):
        pass

    for _ in range(3):
        VertexHarness(Counted(), EDGES).run()
    gc.collect()
    # By their type: a proxy among them whose object is gone has no class to ask for.
    assert not any(type(each) is Counted for each in gc.get_objects())


def test_a_harness_of_another_kind_is_refused() -> None:
    class Echo:
        def on_object(self, obj: Object, emit: Emit) -> None: ...

    with pytest.raises(TypeError, match="Largest is a vertex program: use VertexHarness"):
        Harness(Largest())
    with pytest.raises(TypeError, match="Largest is a vertex program: use VertexHarness"):
        CombineHarness(Largest())
    with pytest.raises(TypeError, match="Echo is no vertex program: use Harness or CombineHarness"):
        VertexHarness(Echo(), EDGES)
