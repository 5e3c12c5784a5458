"""The simulator: as the driver, bit for bit, and what it finds besides."""

from __future__ import annotations

import builtins
import io
import math
import os
import random
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import upcall
from upcall import Context
from upcall.graph import Iteration, Vertex, VertexContext, Vertices
from upcall.graph_simulator import Simulator, Step, load, main, read_edges
from upcall.testing import VertexHarness

EDGES = [(0, 1), (1, 2), (2, 0), (3, 1)]
EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "graph" / "python"
LARGEST = '''
from upcall.graph import Vertex, VertexContext
import least

class Largest:
    shown = "u64"
    selective = True

    def open(self, ctx):
        self.floor = int(ctx.settings.get("floor", 0))

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(max(vertex.id, self.floor, least.OF_ALL))
        vertex.schedule()

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(max([vertex.shown, *vertex.incoming.shown_list()]))
'''


def does(update: Any, **says: Any) -> Any:
    def updated(self: object, vertex: Vertex, context: VertexContext) -> None:
        update(vertex, context)

    return type("Does", (), {"shown": "f64", **says, "update": updated})()


def edges(count: int, of: int, seed: int) -> list[tuple[int, int, float]]:
    numbers = random.Random(seed)
    return [(numbers.randrange(of), min(numbers.randrange(of), numbers.randrange(of)), numbers.random()) for _ in range(count)]


def bits(found: Any) -> Any:
    def all(numbers: list[Any]) -> bytes:
        return b"".join(struct.pack("<d", each) if isinstance(each, float) else b"%d," % each for each in numbers)

    return all(found.shown), all(found.own), all(found.edges), found.iterations


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(
    ("file", "name", "settings"),
    [
        ("pagerank", "PageRank", {"damping": "0.9"}),
        ("pagerank", "PageRankGather", {}),
        ("pagerank_interval", "PageRankInterval", {"tolerance": "1e-9"}),
        ("pagerank", "PageRankEdges", {"tolerance": "1e-9"}),
        ("components", "Components", {}),
        ("paths", "ShortestPaths", {"from": "7"}),
        ("labels", "Labels", {}),
    ],
)
def test_the_examples_come_to_the_same_bits_as_through_the_driver(
    file: str, name: str, settings: dict[str, str], directed: bool
) -> None:
    of = load(EXAMPLES / f"{file}.py", name)
    for count, vertices in ((3000, 1100), (300, 40), (0, 3)):
        given = edges(count, vertices, count)
        options: Any = {"vertices": vertices, "directed": directed, "settings": settings}
        native = VertexHarness(of(), given, frame=2048, **options).run(12)
        assert bits(native) == bits(Simulator(of(), given, **options).run(12))


@pytest.mark.parametrize("of", ["f32", "f64", "i32", "i64", "u32", "u64"])
@pytest.mark.parametrize("by", ["sum", "min", "max", "count"])
def test_every_type_and_every_gathering_come_to_the_same_bits(of: str, by: str) -> None:
    class Mixes:
        own = shown = edge = of
        gather = by
        outgoing = True

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(vertex.id * 3 % 17)
            vertex.own = vertex.out_degree
            context.add_total(vertex.id / 7)

        def apply(self, vertex: Vertex, gathered: Any, context: VertexContext) -> None:
            mixed = (gathered % 1000) / 3 + vertex.own + context.total % 10 if math.isfinite(gathered) else 1.0
            whole = of[0] != "f"
            vertex.own = int(mixed) % 100 if whole else mixed
            vertex.show(int(mixed * 7) % 1000 if whole else mixed * 0.1)
            context.add_residual(mixed)
            context.add_total(mixed / 3)

        def after_iteration(self, iteration: Iteration) -> bool:
            told.append(iteration)
            return False

    given = [(a, b, int(c * 100)) for a, b, c in edges(3000, 1500, 3)]
    told: list[Iteration] = []
    native = bits(VertexHarness(Mixes(), given, vertices=1600).run(5))
    driver, told = told, []
    assert native == bits(Simulator(Mixes(), given, vertices=1600).run(5))
    assert driver == told and len(told) == 5


@pytest.mark.parametrize("outgoing", [True, False])
@pytest.mark.parametrize("directed", [True, False])
def test_the_same_vertices_are_woken(directed: bool, outgoing: bool) -> None:
    looks = outgoing

    class Wakes:
        shown = "i64"
        selective = True
        outgoing = looks

        def start(self, vertex: Vertex, context: VertexContext) -> None:
            if vertex.id % 10 == 0:
                vertex.schedule()

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            seen.append((context.iteration, vertex.id))
            if vertex.shown < 3:
                vertex.show(vertex.shown + vertex.id % 3)
            if vertex.id % 500 == 0:
                vertex.schedule((vertex.id + 77) % context.vertices)

    seen: list[Any] = []
    given = edges(3000, 2500, 5)
    native = VertexHarness(Wakes(), given, vertices=2500, directed=directed).run(6)
    driver, seen = seen, []
    assert Simulator(Wakes(), given, vertices=2500, directed=directed).run(6) == native
    assert seen == driver and len(seen) > 500


class Reached:
    """How many edges lead to each vertex from vertex 0."""

    shown = "u32"
    selective = True

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(0 if vertex.id == 0 else 10**9)
        if vertex.id == 0:
            for each in range(context.vertices):
                vertex.schedule(each)

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        seen.append(vertex.id)
        vertex.show(min([vertex.shown, *(each + 1 for each in vertex.incoming.shown_list())]))


seen: list[int] = []


def test_later_intervals_see_what_earlier_ones_show_in_the_same_iteration() -> None:
    given = [(block * 1024, (block + 1) * 1024) for block in range(5)]
    wanted = Simulator(Reached(), given).run()
    found = Simulator(Reached(), given, gauss_seidel=1000).run()
    assert wanted.shown == found.shown and found.shown[5 * 1024] == 5
    assert (wanted.iterations, found.iterations) == (5, 1)
    # Nobody was scheduled twice.
    assert sorted(seen[-5 * 1024 - 1 :]) == list(range(5 * 1024 + 1))
    with pytest.raises(ValueError, match="gauss_seidel=0"):
        Simulator(Reached(), given, gauss_seidel=0)


def test_a_vertex_that_is_kept_is_named_with_the_one_that_is_updated() -> None:
    kept: list[Any] = []
    uses: list[Any] = [
        lambda vertex, context: vertex.show(1.0),
        lambda vertex, context: setattr(vertex, "own", 1.0),
        lambda vertex, context: vertex.schedule(),
        lambda vertex, context: vertex.incoming.shown_list(),
        lambda vertex, context: context.add_total(1.0),
    ]
    for use in uses:

        def update(vertex: Vertex, context: VertexContext) -> None:
            if vertex.id == 1:
                kept[:] = [vertex, context]
            if vertex.id == 3:
                use(*kept)

        with pytest.raises(RuntimeError, match=r"ended with its call: .* This is vertex 1. The program is called for vertex 3\.") as failed:
            Simulator(does(update, own="f64", selective=True, start=lambda self, vertex, context: vertex.schedule()), EDGES).run(1)
        assert failed.value.__notes__ == ["iteration 0, vertex 3"]
    with pytest.raises(RuntimeError, match="This is vertex 1.$"):
        kept[0].show(1.0)


def test_a_nan_names_its_vertex_unless_it_is_allowed() -> None:
    def keep(vertex: Vertex, context: VertexContext) -> None:
        if vertex.id == 2:
            vertex.own = math.inf - math.inf

    def at_once(body: Any) -> Any:
        return type("Does", (), {"shown": "f32", "own": "f64", "interval": lambda self, vertices, context: body(vertices)})()

    def show(vertex: Vertex, context: VertexContext) -> None:
        vertex.show(math.nan if vertex.id == 2 else 0.0)

    amounts = [1.0, 2.0, math.nan, 3.0]
    for made, expected in (
        (does(show), "vertex 2 shows nan"),
        (does(keep, own="f32"), "vertex 2 keeps nan"),
        (does(lambda vertex, context: context.add_residual(math.nan)), "vertex 0 adds to the residual nan"),
        (does(lambda vertex, context: context.add_total(math.nan if vertex.id == 3 else 1.0)), "vertex 3 adds to the total nan"),
        (does(keep, own="f32", start=lambda self, vertex, context: context.add_total(math.nan)), "vertex 0 adds to the total nan"),
        (at_once(lambda vertices: vertices.next.__setitem__(2, math.nan)), "vertex 2 shows nan"),
        (at_once(lambda vertices: vertices.own.__setitem__(1, math.nan)), "vertex 1 keeps nan"),
        (at_once(lambda vertices: vertices.add_residual(amounts)), "vertex 2 adds to the residual nan"),
        (at_once(lambda vertices: vertices.add_total(amounts)), "vertex 2 adds to the total nan"),
    ):
        with pytest.raises(ValueError, match=expected + r": find out where it comes from, or allow it with allow_nan=True"):
            Simulator(made, EDGES).run(1)
        Simulator(made, EDGES, allow_nan=True).run(1)


def test_numbers_are_rounded_and_refused_as_their_type_is() -> None:
    assert Simulator(does(lambda vertex, context: vertex.show(0.1), shown="f32"), EDGES).run(1).shown[0] == 0.10000000149011612
    for of, value, error in (
        ("f32", 1e300, OverflowError),
        ("u32", -1, OverflowError),
        ("i32", 1 << 31, OverflowError),
        ("u64", 1 << 64, OverflowError),
        ("i64", 0.5, TypeError),
        ("f64", "1", TypeError),
    ):
        with pytest.raises(error):
            Simulator(does(lambda vertex, context: vertex.show(value), shown=of), EDGES).run(1)


def test_an_array_that_is_kept_is_told() -> None:
    finds: list[Any] = [lambda each: each.shown, lambda each: each.next[1:], lambda each: each.incoming.at[:1], lambda each: each.incoming.shown]
    for find in finds:
        for numpy in (True, False):
            kept: list[Any] = []

            def body(self: object, vertices: Vertices, context: VertexContext) -> None:
                vertices.next[0] = vertices.next[1] = 2.0
                kept.append(find(vertices))

            with pytest.MonkeyPatch.context() as patch:
                if not numpy:
                    patch.setitem(sys.modules, "numpy", None)
                with pytest.raises(BufferError, match="a view of engine memory was kept after its call"):
                    Simulator(type("Keeps", (), {"shown": "f64", "interval": body})(), EDGES).run(1)


def test_the_debugger_is_called_for_the_vertices_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[Any] = []
    simulator = Simulator(does(lambda vertex, context: None), EDGES, break_at={1, 3})

    def stop(*given: Any) -> None:
        assert simulator.call is not None
        stops.append((simulator.call.what, sys._getframe(1).f_locals["given"][0].id))

    monkeypatch.setattr(sys, "breakpointhook", stop)
    simulator.run(2)
    assert stops == [("vertex 1", 1), ("vertex 3", 3)] * 2


def test_steps_pause_behind_each_vertex() -> None:
    simulator = Simulator(
        does(lambda vertex, context: vertex.show(vertex.id + vertex.shown), own="i32", start=lambda self, vertex, context: vertex.show(1)),
        EDGES,
    )
    steps = simulator.steps(1)
    assert [next(steps) for _ in range(5)] == [
        *(Step(None, id, 0.0, 1.0, 0) for id in range(4)),
        Step(0, 0, 1.0, 1.0, 0),
    ]
    assert list(simulator.next) == [1.0] * 4 and next(steps) == Step(0, 1, 1.0, 2.0, 0)
    assert len(list(steps)) == 2
    with pytest.raises(RuntimeError, match="this simulator has run: make another one"):
        simulator.run()


def test_open_and_close_are_called_and_what_is_raised_has_a_note() -> None:
    told: list[Any] = []

    class Opens:
        shown = "f64"

        def open(self, ctx: Context) -> None:
            told.append((ctx.graph, dict(ctx.settings)))

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            if context.iteration == 1:
                raise LookupError("not this one")

        def close(self) -> None:
            told.append("closed")

    Simulator(Opens(), EDGES, settings={"a": "b"}).run(1)
    assert told == [((4, 4, True), {"a": "b"}), "closed"]
    with pytest.raises(LookupError) as failed:
        Simulator(Opens(), EDGES).run()
    assert failed.value.__notes__ == ["iteration 1, vertex 0"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "largest.py").write_text(LARGEST)
    (tmp_path / "least.py").write_text("OF_ALL = 0\n")
    (tmp_path / "links.txt").write_text("# links\n0 1\n1\t2 2.5\n\n% more\n2 0 3\n3 1 -1e2\n")
    return tmp_path


def test_edges_are_read_from_a_text_file(files: Path) -> None:
    assert read_edges(files / "links.txt") == [(0, 1), (1, 2, 2.5), (2, 0, 3), (3, 1, -100.0)]
    (files / "bad.txt").write_text("0 1\n1 two\n")
    with pytest.raises(ValueError, match="bad.txt, line 2: '1 two' is no edge: two numbers, and perhaps a value"):
        read_edges(files / "bad.txt")


def test_the_command_prints_what_vertices_show(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "links.txt").write_text("0 1\n1 2\n2 0\n3 1\n")
    arguments = [str(files / "largest.py"), str(files / "links.txt"), "--class", "Largest"]
    assert main([*arguments, "--set", "floor=2"]) == 0
    assert capsys.readouterr() == ("0\t3\n1\t3\n2\t3\n3\t3\n", "4 iterations\n")
    assert "least" not in vars(builtins) and str(files) not in sys.path
    for wrong, expected in (
        (["--class", "Other"], "has no class Other; it has Largest"),
        (["--set", "floor"], "--set floor: write NAME=VALUE"),
        (["--vertices", "2"], "an edge leads to vertex 3, and the graph has 2"),
    ):
        with pytest.raises(SystemExit):
            main([*arguments, *wrong])
        assert expected in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(files / "none.py"), *arguments[1:]])
    assert "there is no such Python file" in capsys.readouterr().err


def test_the_command_steps(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (files / "links.txt").write_text("0 1\n1 2\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n\nc\n"))
    assert main([str(files / "largest.py"), str(files / "links.txt"), "--class", "Largest", "--step", "--undirected"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [*(f"start, vertex {id}: showed 0, shows {id}" for id in range(3)), "iteration 0, vertex 0: showed 0, shows 1", "3 iterations"]


def test_the_debugger_steps_into_the_program(files: Path) -> None:
    (files / "links.txt").write_text("0 1\n1 2\n2 0\n")
    command = [sys.executable, "-m", "upcall.graph_simulator", "largest.py", "links.txt", "--class", "Largest", "--break", "1"]
    environment = {**os.environ, "PYTHONPATH": str(Path(upcall.__file__).parents[1]), "TERM": "dumb"}
    typed = "s\ns\np 'here', vertex.id, vertex.shown\nq\n"
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=files, input=typed)
    assert "largest.py" in ran.stdout and "('here', 1, 0)" in ran.stdout
    assert (ran.returncode, ran.stderr) == (1, "")


def test_it_needs_no_native_part(files: Path) -> None:
    package = Path(upcall.__file__).parent
    shutil.copytree(package, files / "alone" / "upcall", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    (files / "links.txt").write_text("0 1\n1 2\n2 0\n3 1\n")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("UPCALL_")}
    environment = {**clean, "PYTHONPATH": str(files / "alone")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=files)

    ran = run("-m", "upcall.graph_simulator", "largest.py", "links.txt", "--class", "Largest")
    assert (ran.stdout, ran.stderr) == ("0\t3\n1\t3\n2\t3\n3\t3\n", "4 iterations\n")
    # Whoever needs it is told, now as before.
    for line in ("from upcall import Object", "import upcall.testing", "import upcall; upcall.Emit"):
        refused = run("-c", line)
        assert refused.returncode == 1 and "ImportError: upcall's native part is in none of " in refused.stderr
    assert "AttributeError" in run("-c", "import upcall; upcall.Emits").stderr
