"""What a program is told of intervals before and after them, and intervals that are updated again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from graph_dumps import dump, written

from upcall.graph import Interval, Vertex, VertexContext, Vertices
from upcall.graph_simulator import Replay, Simulator
from upcall.testing import Failed, VertexHarness

Run = Callable[..., Any]
HOOKS = ["before_interval", "after_interval", "repeat_updates"]


@pytest.fixture(params=[VertexHarness, Simulator])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a program over edges."""

    def with_it(does: Any, edges: Sequence[Any], iterations: int = 1, **options: Any) -> Any:
        return request.param(does, edges, **options).run(iterations)

    return with_it


class Told:
    """Mixes what neighbours show, so that it matters in which order; keeps what it was told."""

    shown = "u64"
    own = "u32"
    times = 1

    def __init__(self) -> None:
        self.told: list[Any] = []

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(vertex.id)

    def before_iteration(self, iteration: int, total: float) -> None:
        self.told.append((iteration, total))

    def before_interval(self, interval: Interval) -> None:
        self.told.append(("before", interval))

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        self.told.append(vertex.id)
        vertex.own = vertex.own + 1
        vertex.show(mixed(vertex.shown, vertex.incoming.shown_list()))
        context.add_residual(1.0)
        context.add_total(vertex.id)

    def after_interval(self, interval: Interval) -> None:
        self.told.append(("after", interval))

    def repeat_updates(self, interval: Interval) -> bool:
        self.told.append(("repeat", interval))
        return interval.pass_ + 1 < self.times

    def after_iteration(self, done: Any) -> None:
        self.told.append(done)


def mixed(shown: int, incoming: Sequence[int]) -> int:
    for each in incoming:
        shown = (shown * 31 + each) % 1_000_003
    return shown


def plainly(edges: Sequence[Any], vertices: int, size: int, times: int, iterations: int) -> list[int]:
    """The same by a plain loop over intervals of so many vertices."""
    incoming: list[list[int]] = [[] for _ in range(vertices)]
    for source, destination in sorted(edges):
        incoming[destination].append(source)
    shown = list(range(vertices))
    for _ in range(iterations):
        for first in range(0, vertices, size):
            for _ in range(times):
                every = range(first, min(first + size, vertices))
                shown[first : first + size] = [mixed(shown[at], [shown[each] for each in incoming[at]]) for at in every]
    return shown


EDGES = [(0, 1), (2, 1), (2, 0), (1, 2)]


def test_an_interval_is_told_before_its_first_vertex_and_behind_its_last(run: Run) -> None:
    does = Told()
    does.times = 2
    run(does, EDGES, 2)
    expected: list[Any] = []
    for number, total in ((0, 0.0), (1, 3.0)):
        expected.append((number, total))
        for again in (0, 1):
            begun, done = Interval(number, 0, 3, again, 0, 0.0, 0.0), Interval(number, 0, 3, again, 3, 3.0, 3.0)
            expected += [("before", begun), 0, 1, 2, ("after", done), ("repeat", done)]
        # Updated twice, and what they add counts once.
        expected.append((number, 6, 3, 3.0, 3.0))
    assert does.told == expected


def test_an_interval_of_several_frames_is_told_once(run: Run) -> None:
    does = Told()
    does.times = 2
    run(does, [], vertices=3000)
    total = 3000 * 2999 / 2
    assert [each for each in does.told if not isinstance(each, int)][1:-1] == [
        told
        for again in (0, 1)
        for told in (
            ("before", Interval(0, 0, 3000, again, 0, 0.0, 0.0)),
            ("after", Interval(0, 0, 3000, again, 3000, 3000.0, total)),
            ("repeat", Interval(0, 0, 3000, again, 3000, 3000.0, total)),
        )
    ]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_updates_that_are_repeated_are_a_plain_loop(times: int, run: Run) -> None:
    edges = [(at * at % 2500, at * 7 % 2499) for at in range(4000)]
    does = Told()
    does.times = times
    found = run(does, edges, 2, vertices=2500)
    assert found.shown == plainly(edges, 2500, 2500, times, 2)
    assert found.own == [2 * times] * 2500


def test_intervals_of_gauss_and_seidel_are_told_one_after_the_other() -> None:
    edges = [(at * at % 2500, at * 7 % 2499) for at in range(4000)]
    does = Told()
    does.times = 2
    found = Simulator(does, edges, vertices=2500, gauss_seidel=1024).run(2)
    assert found.shown == plainly(edges, 2500, 1024, 2, 2)
    expected = [
        Interval(number, first, end, again, end - first, float(end - first), float(sum(range(first, end))))
        for number in (0, 1)
        for first, end in ((0, 1024), (1024, 2048), (2048, 2500))
        for again in (0, 1)
    ]
    told = [each for each in does.told if isinstance(each, tuple) and each[0] in ("before", "after")]
    assert [which for which, _ in told] == ["before", "after"] * 12
    assert [interval for _, interval in told[1::2]] == expected
    assert [interval for _, interval in told[::2]] == [each._replace(updated=0, residual=0.0, total=0.0) for each in expected]
    done = [each for each in does.told if isinstance(each, tuple) and len(each) == 5]
    assert done == [(number, 5000, 2500, 2500.0, 2500 * 2499 / 2) for number in (0, 1)]


class AtOnce:
    """The number of edges to each vertex from the first, all found before the first iteration ends."""

    shown = own = "u32"
    selective = True

    def __init__(self) -> None:
        self.passes: list[tuple[int, int]] = []

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(0xFFFF_FFFF)
        if vertex.id == 0:
            vertex.schedule()

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.own = vertex.own + 1
        nearest = min([vertex.shown, *(each + 1 for each in vertex.incoming.shown_list() if each != 0xFFFF_FFFF)])
        vertex.show(0 if vertex.id == 0 else nearest)

    def repeat_updates(self, interval: Interval) -> bool:
        self.passes.append((interval.first, interval.updated))
        return True


def test_a_selective_program_is_updated_again_until_none_sees_a_change(run: Run) -> None:
    does = AtOnce()
    # A chain, and back.
    edges = [*((at, at + 1) for at in range(39)), (39, 1)]
    found = run(does, edges, 1000, vertices=41)
    assert found.shown == [*range(40), 0xFFFF_FFFF] and found.iterations == 1
    # The last one changes what 1 sees, which does not change.
    assert does.passes == [(0, 1)] * 41 and found.own == [1, 2, *[1] * 38, 0]


def test_selective_intervals_are_each_done_before_the_next() -> None:
    does = AtOnce()
    edges = [*((at, at + 1) for at in range(1029)), (1029, 1)]
    found = Simulator(does, edges, gauss_seidel=1024).run()
    assert found.shown == list(range(1030)) and found.iterations == 2
    # The way back is seen by an interval that has been. One without vertices to be updated is told, too.
    assert does.passes == [(0, 1)] * 1024 + [(1024, 1)] * 6 + [(0, 1), (1024, 0)]


def test_a_vertex_that_is_scheduled_is_updated_again(run: Run) -> None:
    class Schedules(AtOnce):
        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.own = vertex.own + 1
            context.add_total(1.0)
            if vertex.own < 3:
                vertex.schedule()
                vertex.schedule(2)

        def after_iteration(self, done: Any) -> None:
            self.done = done

    does = Schedules()
    found = run(does, [(0, 1)], 1000, vertices=2000)
    assert found.own[:3] == [3, 0, 3] and found.iterations == 1
    # What was added last counts.
    assert does.passes == [(0, 1), (0, 2), (0, 2), (0, 1)] and does.done == (0, 6, 0, 0.0, 1.0)


def test_what_vertices_add_is_that_of_the_last_pass_in_every_block(run: Run) -> None:
    class Some(AtOnce):
        sums: list[Any] = []

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            if vertex.id in (0, 1500):
                vertex.schedule()

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.own = vertex.own + 1
            context.add_total(vertex.id + 1)
            context.add_residual(1.0)
            if vertex.id == 0 and vertex.own == 1:
                vertex.schedule()

        def after_interval(self, interval: Interval) -> None:
            self.sums.append((interval.updated, interval.residual, interval.total))

        def after_iteration(self, done: Any) -> None:
            self.sums.append(done)

    does = Some()
    run(does, [], 1000, vertices=2000)
    sums, Some.sums = Some.sums, []
    assert sums == [(2, 2.0, 1502.0), (1, 1.0, 1.0), (0, 3, 0, 1.0, 1.0)]


def test_a_program_that_gathers_and_one_with_an_interval_are_updated_again_too(run: Run) -> None:
    class Sums:
        shown = "f64"
        gather = "sum"
        seen: list[Any] = []

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(vertex.id + 1)

        def apply(self, vertex: Vertex, gathered: float, context: VertexContext) -> None:
            vertex.show(gathered)

        def repeat_updates(self, interval: Interval) -> bool:
            return interval.pass_ < 2

    class Many:
        shown = "f64"
        start = Sums.start
        repeat_updates = Sums.repeat_updates

        def interval(self, vertices: Vertices, context: VertexContext) -> None:
            edges = vertices.incoming
            for place, (begin, end) in enumerate(zip(edges.begins, edges.ends)):
                vertices.next[place] = sum(vertices.shown[at] for at in edges.at[int(begin) : int(end)])

    class Once(Sums):
        def repeat_updates(self, interval: Interval) -> bool:
            return False

    assert run(Sums(), EDGES, 2).shown == run(Many(), EDGES, 2).shown == run(Once(), EDGES, 6).shown


@pytest.mark.parametrize("answer", [None, 0, "", False])
def test_any_answer_that_is_not_true_ends_the_interval(answer: Any, run: Run) -> None:
    does: Any = Told()
    does.repeat_updates = lambda interval: answer
    run(does, EDGES)
    assert does.told.count(1) == 1
    does.repeat_updates = lambda interval: "yes" if interval.pass_ < 2 else answer
    run(does, EDGES)
    assert does.told.count(1) == 1 + 3


def test_a_program_without_hooks_is_told_nothing(run: Run) -> None:
    class Quiet:
        shown = "f64"

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(vertex.shown + 1)

    assert run(Quiet(), EDGES, 3).shown == [3.0] * 3


def test_a_method_that_is_none_is_not_there(run: Run) -> None:
    names = [*HOOKS, "start", "before_iteration", "after_iteration"]
    does: Any = type("Silent", (Told,), {name: None for name in names})()
    assert run(does, EDGES, 2).own == [2] * 3 and does.told == [0, 1, 2] * 2


def test_a_program_that_writes_is_not_updated_again(run: Run) -> None:
    class Writes:
        shown = "u32"
        edge = "f64"
        writes = True
        again = True

        def update(self, vertex: Vertex, context: VertexContext) -> None: ...

        def repeat_updates(self, interval: Interval) -> bool:
            return self.again

    with pytest.raises(ValueError, match="it writes values of edges, which are seen in the next iteration: its updates are not repeated"):
        run(Writes(), EDGES)
    calm = Writes()
    calm.again = False
    assert run(calm, EDGES, 2).iterations == 2


@pytest.mark.parametrize(
    ("hook", "place"),
    [
        ("before_interval", "before the interval of vertices 0 to 2 in pass 1"),
        ("after_interval", "behind the interval of vertices 0 to 2 in pass 1"),
        ("repeat_updates", "behind the interval of vertices 0 to 2 in pass 1"),
    ],
)
def test_a_failure_in_a_hook_is_of_no_item(hook: str, place: str) -> None:
    does: Any = Told()
    does.times = 2
    calls: Any = getattr(does, hook)
    setattr(does, hook, lambda interval: calls(interval) if interval[0] < 1 or not interval.pass_ else 1 // 0)
    with pytest.raises(Failed, match="ZeroDivisionError") as failed:
        VertexHarness(does, EDGES).run(3)
    assert failed.value.item is None and "test_vertex_hooks" in failed.value.stack
    with pytest.raises(ZeroDivisionError) as simulated:
        Simulator(does, EDGES).run(3)
    assert simulated.value.__notes__ == [f"iteration 1, {place}"]


def test_a_program_is_told_anew_when_it_has_failed_and_is_run_again() -> None:
    class Fails(Told):
        fails = True

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            if self.fails:
                raise LookupError("not this one")

    does = Fails()
    harness = VertexHarness(does, EDGES)
    with pytest.raises(Failed, match="not this one"):
        harness.run()
    does.fails = False
    does.told.clear()
    harness.run(1)
    assert does.told[:2] == [(0, 0.0), ("before", Interval(0, 0, 3, 0, 0, 0.0, 0.0))]


def test_an_answer_that_has_no_truth_is_a_failure(run: Run) -> None:
    class Neither:
        def __bool__(self) -> bool:
            raise LookupError("neither true nor false")

    does: Any = Told()
    does.repeat_updates = lambda interval: Neither()
    with pytest.raises((Failed, LookupError), match="neither true nor false"):
        run(does, EDGES)


@pytest.mark.parametrize("make", [VertexHarness, Simulator])
@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_that_takes_something_else_is_refused(hook: str, make: Any) -> None:
    wrong = type("Wrong", (Told,), {hook: lambda self: None})
    with pytest.raises(TypeError, match=rf"{hook} must take \(self, interval\), and takes \(self\)"):
        make(wrong(), EDGES)


def frames(does: Any, *numbers: tuple[int, ...]) -> list[str]:
    """Calls the driver with frames of two vertices without edges, of phase, iteration, interval's first, end, pass and size."""
    harness = VertexHarness(does, [], vertices=2)
    harness._opened()
    n, none = b"", (bytes(16), bytes(16), b"", b"", b"", b"")
    said = []
    for phase, iteration, first, end, again, size in numbers:
        lent = n, n if phase == 0 else bytes(16), bytes(8), bytes(16), n
        about = phase, 1024, iteration, 0, 2, first, end, again, size
        *_, failure = harness._native.vertices(about, 0.5, lent, (bytes(8), bytes(16), n), none, (n,) * 6, (1, 0))
        said.append(failure[1] if failure else "fine")
    return said


def test_frames_of_one_interval_are_told_once_and_those_of_another_anew() -> None:
    does = Told()
    whole = [(0, 0, 0, 0, 0, 0), (1, 3, 0, 9, 0, 0), (1, 3, 0, 9, 0, 0), (1, 3, 0, 9, 1, 0), (1, 3, 9, 12, 1, 0), (0, 0, 0, 0, 0, 0)]
    assert frames(does, *whole, (1, 3, 9, 12, 1, 0)) == ["fine"] * 7
    assert [each for each in does.told if not isinstance(each, int)] == [
        (3, 0.5),
        *(("before", Interval(3, first, end, again, 0, 0.0, 0.0)) for first, end, again in ((0, 9, 0), (0, 9, 1), (9, 12, 1))),
        # The start begins anew.
        (3, 0.5),
        ("before", Interval(3, 9, 12, 1, 0, 0.0, 0.0)),
    ]


def test_the_frame_of_an_older_engine_says_nothing_of_intervals() -> None:
    for size in (496, 512, 528, 535):
        does = Told()
        assert frames(does, (1, 3, 7, 9, 0, size)) == ["fine"]
        assert does.told == [(3, 0.5), 0, 1]


def test_an_iteration_that_has_ended_is_forgotten() -> None:
    does = Told()
    harness = VertexHarness(does, EDGES)
    harness.run(2)
    assert [each for each in does.told if isinstance(each, tuple) and each[0] == "before"] == [
        ("before", Interval(number, 0, 3, 0, 0, 0.0, 0.0)) for number in (0, 1)
    ]


@pytest.mark.parametrize("asks", [(), ("after_interval",), ("repeat_updates",)])
def test_every_driver_answers_for_an_interval(asks: Sequence[str]) -> None:
    told: list[Any] = []

    class Quiet:
        shown = "f64"

        def update(self, vertex: Vertex, context: VertexContext) -> None: ...

    def hook(interval: Interval) -> bool:
        told.append(interval)
        return True

    does: Any = Quiet()
    for name in asks:
        setattr(does, name, hook)
    harness = VertexHarness(does, EDGES)
    harness._opened()
    assert harness._native.interval(3, 1, 2, 4, 5, 0.25, 0.75) == ("repeat_updates" in asks, None)
    assert told == [Interval(3, 1, 2, 4, 5, 0.25, 0.75)] * len(asks)


def test_steps_and_breakpoints_go_through_every_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[int] = []
    monkeypatch.setattr("sys.breakpointhook", lambda: stops.append(1))
    does = Told()
    does.times = 3
    steps = list(Simulator(does, EDGES, break_at={1}).steps(1))
    assert [step.vertex for step in steps] == [0, 1, 2] * 4 and len(stops) == 1 + 3
    assert [step.before for step in steps[3:]] == [step.shown for step in steps[:-3]]


def test_a_replay_is_told_of_the_interval_of_the_dump(tmp_path: Path) -> None:
    found = dump(Told, EDGES, 1, vertices=3)
    for told, expected in (
        ({}, Interval(1, 0, 3, 0, 0, 0.0, 0.0)),
        ({"interval": {"first": 1, "end": 2, "pass": 7}}, Interval(1, 1, 2, 7, 0, 0.0, 0.0)),
    ):
        does = Told()
        replay = Replay(does, written(tmp_path, found | told))
        assert replay.run() is None
        assert does.told == [(1, 3.0), ("before", expected), 0, 1, 2]


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        (None, "interval is null, and not an object"),
        ({"first": 0, "end": 3}, 'interval has no "pass"'),
        ({"first": 0, "end": 4, "pass": 0}, 'interval: "end" has 4, and not a number from 0 to 3'),
        ({"first": 2, "end": 1, "pass": 0}, "interval: it ends at 1, before its first vertex 2"),
        ({"first": 0, "end": 3, "pass": -1}, 'interval: "pass" has -1'),
    ],
)
def test_an_interval_of_a_dump_that_is_none_is_refused(interval: Any, expected: str, tmp_path: Path) -> None:
    found = dump(Told, EDGES, 1, vertices=3) | {"interval": interval}
    with pytest.raises(ValueError, match=expected):
        Replay(Told(), written(tmp_path, found))
