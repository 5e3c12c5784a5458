"""What a vertex program is told that is wrong, by the driver and by the simulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from upcall.graph import Vertex, VertexContext
from upcall.graph_simulator import Simulator
from upcall.testing import Failed, VertexHarness

EDGES = [(0, 1), (2, 1), (2, 0)]


class Quiet:
    shown = "f64"

    def update(self, vertex: Vertex, context: VertexContext) -> None: ...


def program(method: Callable[..., Any], name: str = "update", **says: Any) -> Any:
    def called(self: object, *given: Any) -> None:
        method(*given)

    base: dict[str, Any] = {"shown": "f64", **says, name: called}
    if name == "start":
        base["update"] = Quiet.update
    if name == "apply":
        base[name] = lambda self, vertex, gathered, context: method(vertex, gathered, context)
    elif name in ("interval", "start", "update"):
        base[name] = lambda self, first, context: method(first, context)
    return type("Does", (), base)()


@pytest.fixture(params=["driver", "simulator"])
def fails(request: pytest.FixtureRequest) -> Callable[[Any], tuple[str, str]]:
    """Runs a program that fails; the type of the error and its message."""

    def with_driver(does: Any) -> tuple[str, str]:
        with pytest.raises(Failed) as failed:
            VertexHarness(does, EDGES).run(1)
        return failed.value.type_name, failed.value.message

    def with_simulator(does: Any) -> tuple[str, str]:
        with pytest.raises(Exception) as failed:
            Simulator(does, EDGES).run(1)
        return type(failed.value).__name__, str(failed.value)

    return with_driver if request.param == "driver" else with_simulator


@pytest.mark.parametrize("index", [2, 17, -1])
def test_an_edge_that_is_not_there_is_named(index: int, fails: Callable[[Any], tuple[str, str]]) -> None:
    for read in ("id", "shown"):
        for side, vertex, edges in (("incoming", 1, "2 incoming edges"), ("outgoing", 2, "2 outgoing edges")):

            def update(each: Vertex, context: VertexContext) -> None:
                if each.id == vertex:
                    getattr(getattr(each, side), read)(index)

            expected = f"vertex {vertex} has {edges}, from 0 on, and no edge {index}"
            assert fails(program(update, outgoing=True)) == ("IndexError", expected)


def test_one_edge_and_none_are_named_too(fails: Callable[[Any], tuple[str, str]]) -> None:
    def update(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id != 1:
            vertex.incoming.shown(0 if vertex.id else 1)

    assert fails(program(update)) == ("IndexError", "vertex 0 has 1 incoming edge, from 0 on, and no edge 1")


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (lambda vertex, context: vertex.own, 'own: the program does not declare it: write own = "f64" (or f32'),
        (lambda vertex, context: setattr(vertex, "own", 1), "own: the program does not declare it"),
        (lambda vertex, context: len(vertex.outgoing), "outgoing: the program does not declare it: write outgoing = True"),
        (lambda vertex, context: vertex.outgoing.id(0), "outgoing: the program does not declare it"),
        (lambda vertex, context: vertex.outgoing.shown_list(), "outgoing: the program does not declare it"),
        (lambda vertex, context: vertex.incoming.value(0), 'value: the program does not declare it: write edge = "f64"'),
        (lambda vertex, context: vertex.incoming.value_list(), "value: the program does not declare it"),
        (lambda vertex, context: vertex.schedule(), "schedule: all vertices are updated in every iteration: write selective"),
        (lambda vertex, context: vertex.outgoing.set_value(0, 1), "set_value: the program does not declare it: write writes = True"),
    ],
)
def test_what_is_not_declared_says_how_to(use: Any, expected: str, fails: Callable[[Any], tuple[str, str]]) -> None:
    kind, message = fails(program(use))
    assert kind == "TypeError" and message.startswith(expected) and "class" in message


def test_own_cannot_be_deleted(fails: Callable[[Any], tuple[str, str]]) -> None:
    kind, message = fails(program(lambda vertex, context: delattr(vertex, "own"), own="f64"))
    assert (kind, message) == ("TypeError", "what a vertex keeps to itself cannot be deleted: set it to 0")


@pytest.mark.parametrize("id", [3, 1 << 31, 1 << 33, -1])
def test_a_vertex_that_is_not_there_cannot_be_scheduled(id: int, fails: Callable[[Any], tuple[str, str]]) -> None:
    does = program(lambda vertex, context: vertex.schedule(id), "start", selective=True)
    assert fails(does) == ("IndexError", f"schedule {id}: there is no such vertex: the graph has 3, from 0 on")


def test_start_sees_no_neighbours(fails: Callable[[Any], tuple[str, str]]) -> None:
    uses: list[Callable[[Any], Any]] = [lambda edges: edges.shown(0), lambda edges: edges.ids()]
    for use in uses:

        def start(vertex: Vertex, context: VertexContext) -> None:
            assert len(vertex.incoming) == vertex.in_degree == [1, 2, 0][vertex.id]
            use(vertex.incoming)

        kind, message = fails(program(start, "start"))
        assert kind == "RuntimeError" and message.startswith("start sees no neighbours")


def test_a_program_that_gathers_sees_no_incoming_edges(fails: Callable[[Any], tuple[str, str]]) -> None:
    uses: list[Callable[[Any], Any]] = [lambda edges: edges.id(0), lambda edges: edges.shown_list()]
    for use in uses:

        def apply(vertex: Vertex, gathered: float, context: VertexContext, use: Callable[[Any], Any] = use) -> None:
            if vertex.in_degree > 0:
                use(vertex.incoming)

        wanted = "incoming edges: this program gathers, so use what apply is given; or write update(vertex, context)"
        assert fails(program(apply, "apply", gather="sum")) == ("TypeError", wanted)


@pytest.mark.parametrize(
    ("use", "kind", "expected"),
    [
        (lambda vertices, context: context.add_total(1), "TypeError", "call vertices.add_total with a number for each"),
        (lambda vertices, context: vertices.add_residual([1.0]), "ValueError", "1 numbers for 3 vertices"),
        (lambda vertices, context: vertices.own, "TypeError", "own: the program does not declare it"),
        (lambda vertices, context: vertices.outgoing.ids, "TypeError", "outgoing: the program does not declare it"),
        (lambda vertices, context: vertices.outgoing.shown, "TypeError", "outgoing: the program does not declare it"),
        (lambda vertices, context: vertices.incoming.values, "TypeError", "values: the program does not declare it"),
        (lambda vertices, context: vertices.outgoing.next_values, "TypeError", "next_values: the program does not declare it: write writes = True"),
        (lambda vertices, context: vertices.schedule([0]), "TypeError", "schedule: all vertices are updated"),
        (lambda vertices, context: vertices.before.__setitem__(0, 1.0), "ValueError", "read-only"),
    ],
)
def test_an_interval_is_checked_too(use: Any, kind: str, expected: str, fails: Callable[[Any], tuple[str, str]]) -> None:
    found, message = fails(program(use, "interval"))
    assert found == kind and expected in message


def test_a_failure_names_the_item_and_the_next_run_goes_on() -> None:
    def update(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id == 1 and not calm:
            raise LookupError("not this one")

    calm: list[int] = []
    harness = VertexHarness(program(update), EDGES)
    with pytest.raises(Failed, match="LookupError: not this one") as failed:
        harness.run(1)
    assert failed.value.item == 1 and "in update" in failed.value.stack
    calm.append(1)
    assert harness.run(1).iterations == 1


def test_a_failure_before_an_iteration_is_of_no_item() -> None:
    does: Any = program(lambda vertex, context: None)
    does.before_iteration = lambda iteration, total: iteration // 0
    with pytest.raises(Failed, match="ZeroDivisionError") as failed:
        VertexHarness(does, EDGES).run(1)
    assert failed.value.item is None
    with pytest.raises(ZeroDivisionError) as simulated:
        Simulator(does, EDGES).run(1)
    assert simulated.value.__notes__ == ["iteration 0, before its first vertex"]


def test_an_iteration_that_begins_is_told_once() -> None:
    seen: list[Any] = []

    def update(vertex: Any, context: Any) -> None:
        seen.append(vertex.id)
        context.add_total(vertex.id)

    does: Any = program(update)
    does.before_iteration = lambda iteration, total: seen.append((iteration, total))
    for over in (VertexHarness(does, EDGES, vertices=1025), Simulator(does, EDGES, vertices=1025)):
        seen.clear()
        over.run(2)
        assert seen == [(0, 0.0), *range(1025), (1, 1024 * 1025 / 2), *range(1025)]


def test_a_failure_behind_an_iteration_is_of_no_item() -> None:
    does: Any = program(lambda vertex, context: None)
    does.after_iteration = lambda iteration: 1 // 0
    with pytest.raises(Failed, match="ZeroDivisionError") as failed:
        VertexHarness(does, EDGES).run(1)
    assert failed.value.item is None


def test_what_a_class_says_wrong_is_told_when_it_is_loaded() -> None:
    class Both(Quiet):
        def interval(self, vertices: Any, context: Any) -> None: ...

    class None_:
        shown = "f64"

    class Silent:
        def update(self, vertex: Any, context: Any) -> None: ...

    class Double(Silent):
        shown = "double"

    class Narrow(Quiet):
        own = "u8"

    class Wide(Quiet):
        edge = 8

    class Applies:
        shown = "f64"

        def apply(self, vertex: Any, gathered: Any, context: Any) -> None: ...

    class Averages(Applies):
        gather = "mean"

    class Sums(Quiet):
        gather = "sum"

    class Looks(Quiet):
        outgoing = "yes"

    class Writes(Quiet):
        writes = 1

    class Untyped(Quiet):
        writes = True

    class Alone:
        shown = "f64"

        def update(self, vertex: Any) -> None: ...

    class Starts(Quiet):
        def start(self, vertex: Any) -> None: ...

    class Waits:
        shown = "f64"

        async def update(self, vertex: Any, context: Any) -> None: ...

    class Yields:
        shown = "f64"

        def update(self, vertex: Any, context: Any) -> Any:
            yield

    class Opens(Quiet):
        async def open(self, ctx: Any) -> None: ...

    class Flows(Quiet):
        def on_object(self, obj: Any, emit: Any) -> None: ...

    for handler, expected in (
        (Both, "it has update and interval: keep one"),
        (None_, r"it declares shown, as a vertex program does, and has none of update\(self, vertex, context\), apply"),
        (Silent, 'it does not say what its vertices show: write shown = "f64", or another of f32, f64, i32'),
        (Double, "its shown is 'double': write shown = "),
        (Narrow, "its own is 'u8': write own = "),
        (Wide, "its edge is 8: write edge = "),
        (Applies, 'it has apply, and does not say what it gathers: write gather = "sum", or another of sum, min, max, count'),
        (Averages, "its gather is 'mean': write gather"),
        (Sums, "it declares gather, and has update: write apply, or leave gather out"),
        (Looks, "its outgoing is 'yes': write outgoing = True, or leave it out"),
        (Writes, "its writes is 1: write writes = True, or leave it out"),
        (Untyped, 'it writes values of edges: declare their type as edge = "f64", or another of f32, f64, i32'),
        (Alone, r"update must take \(self, vertex, context\), and takes \(self, vertex: "),
        (Starts, r"start must take \(self, vertex, context\), and takes "),
        (Waits, "update is async or a generator"),
        (Yields, "update is async or a generator"),
        (Opens, "open is async or a generator"),
        (Flows, "it has both on_object and update: keep one"),
    ):
        for make in (VertexHarness, Simulator):
            with pytest.raises(TypeError, match=expected):
                make(handler(), EDGES)


def test_a_handler_of_a_flow_may_have_a_method_called_update() -> None:
    from upcall.testing import Harness

    class Counts(dict[Any, int]):
        def on_object(self, obj: Any, emit: Any) -> None:
            self.update({obj.key: 1})

    counts = Counts()
    Harness(counts).put("a")
    assert counts == {b"a": 1}


@pytest.mark.parametrize("make", [VertexHarness, Simulator])
def test_edges_that_are_none_are_refused(make: Any) -> None:
    for edges, given, expected in (
        ([(0, -1)], {}, "edge .0, -1.: an edge is"),
        ([(0, 1, 2, 3)], {}, "an edge is .source, destination. or"),
        ([(0, 1), (1, 2, 0.5)], {}, "some edges have a value and some have none"),
        ([(0, 5)], {"vertices": 5}, "an edge leads to vertex 5, and the graph has 5, from 0 on"),
        ([(0, 1)], {"frame": 1000}, "frame=1000: give a multiple of 1024"),
    ):
        with pytest.raises(ValueError, match=expected):
            make(Quiet(), edges, **given)
    with pytest.raises(ValueError, match="the program looks at edges' values, edge = 'f64', and the edges have none"):
        make(program(lambda vertex, context: None, edge="f64"), EDGES).run(1)


def test_frames_that_do_not_fit_are_refused() -> None:
    """What no engine passes: the driver reads nothing outside."""
    n = b""
    pair = (bytes(8) + (1).to_bytes(8, "little"), (1).to_bytes(8, "little") + (2).to_bytes(8, "little"))
    ends = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")

    def call(**other: Any) -> str:
        use, says = other.pop("use", lambda vertex, context: vertex.incoming.shown(0)), other.pop("says", {})
        harness = VertexHarness(program(use, **says), [(0, 1), (1, 0)])
        harness._opened()
        given: dict[str, Any] = {
            "numbers": (1, 1024, 0, 0, 2, 0, 2, 0, 0),
            "lent": (n, bytes(16), bytes(8), bytes(16), n),
            "written": (n, bytes(16), n),
            "incoming": (*pair, ends, ends, n, n),
            "outgoing": (n,) * 6,
            "room": (1, 0),
        } | other
        sides = given["incoming"], given["outgoing"]
        *_, failure = harness._native.vertices(given["numbers"], 0.0, given["lent"], given["written"], *sides, given["room"])
        return failure[1] if failure else "fine"

    assert call() == "fine"
    for what, other in (
        ("blocks", {"numbers": (1, 1000, 0, 0, 2, 0, 2, 0, 0)}),
        ("ids", {"lent": (bytes(4), bytes(16), bytes(8), bytes(16), n)}),
        ("own values", {"written": (bytes(16), bytes(16), n)}),
        ("shown values", {"written": (n, bytes(8), n)}),
        ("values before", {"lent": (n, bytes(8), bytes(8), bytes(16), n)}),
        ("out degrees", {"lent": (n, bytes(16), bytes(4), bytes(16), n)}),
        ("incoming edges", {"incoming": (pair[0], n, ends, ends, n, n)}),
        ("incoming edges", {"incoming": (*pair, ends, n, n, n)}),
        ("incoming edges", {"incoming": (*pair, ends, ends, bytes(16), n)}),
    ):
        assert call(**other) == f"the frame's {what} are not of its 2 vertices: the engine breaks the rules"
    values = (*pair, ends, ends, bytes(16), n)
    writes: dict[str, Any] = {"says": {"edge": "f64", "writes": True}, "incoming": values, "outgoing": values}
    assert call(**writes, written=(n, bytes(16), bytes(16))) == call(**writes, written=(n, bytes(16), bytes(24))) == "fine"
    for what, wrong in (
        ("edges' next values", {"written": (n, bytes(16), bytes(15))}),
        ("edges' next values", {"outgoing": (pair[0], bytes(8) + b"\xff" * 8, *values[2:])}),
        ("outgoing edges", {"outgoing": (n,) * 6, "written": (n, bytes(16), bytes(16))}),
    ):
        assert call(**(writes | wrong)) == f"the frame's {what} are not of its 2 vertices: the engine breaks the rules"
    outside = "an edge leads out of the frame: the engine breaks the rules"
    far = (9).to_bytes(4, "little") * 2
    assert call(incoming=(*pair, ends, far, n, n)) == outside
    assert call(room=(0, 0)) == "a vertex of the frame is in none of its blocks: the engine breaks the rules"
    last = (1024).to_bytes(4, "little")
    assert call(lent=(bytes(4) + last, bytes(16), bytes(8), bytes(16), n)).startswith("a vertex of the frame is in none")
    assert call(numbers=(7, 1024, 0, 0, 2, 0, 2, 0, 0)).startswith("a frame of phase 7: build engine and handler")
    everything = lambda vertex, context: vertex.incoming.ids()  # noqa: E731
    huge = (pair[0], bytes(8) + b"\xff" * 8)
    assert call(incoming=(*huge, ends, ends, n, n), use=everything) == outside


def test_a_program_is_not_called_before_open_nor_after_close() -> None:
    called: list[int] = []
    harness = VertexHarness(program(lambda vertex, context: called.append(1)), EDGES)
    failure = harness._native.after(0, 0, 0, 0.0, 0.0)[1]
    assert failure is not None and failure[1].startswith("the program was called before OPEN")
    harness.run(1)
    harness.close()
    failure = harness._native.after(0, 0, 0, 0.0, 0.0)[1]
    assert failure is not None and failure[1] == "the handler was called after CLOSE, which ends it"
    assert len(called) == 3
