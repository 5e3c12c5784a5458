"""The replay of a dumped interval: every vertex agrees, or the first that does not is named."""

from __future__ import annotations

import io
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graph_dumps import Edge, dump, written

import upcall
from upcall import Context
from upcall.graph import Vertex, VertexContext, Vertices
from upcall.graph_simulator import Difference, Replay, Step, load, main

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "graph" / "python"
TYPES = ["f32", "f64", "i32", "i64", "u32", "u64"]
FORMS = ["update", "sum", "min", "max", "count", "interval"]
LARGEST = '''
class Largest:
    own = "i32"
    shown = "f64"

    def open(self, ctx):
        self.adds = float(ctx.settings.get("adds", 0.5))

    def start(self, vertex, context):
        vertex.show(vertex.id)

    def update(self, vertex, context):
        vertex.own = vertex.in_degree
        vertex.show(max([vertex.shown, *vertex.incoming.shown_list()]) + self.adds)
'''


def edges(count: int, of: int, seed: int) -> list[Edge]:
    numbers = random.Random(seed)
    return [(numbers.randrange(of), min(numbers.randrange(of), numbers.randrange(of)), numbers.randrange(100)) for _ in range(count)]


def mixes(of: str, form: str) -> type:
    """A program whose vertices show, keep and see numbers of a type, near both of its ends."""
    whole, bits = of[0] != "f", int(of[1:])
    least = 0 if of[0] == "u" else -(1 << bits - 1)

    def start(self: object, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(least + vertex.id * 3 % 17 if whole else (vertex.id - 10) / 7)
        vertex.own = least + (1 << bits) - 1 - vertex.id if whole else math.inf if vertex.id % 5 == 0 else -vertex.id / 3
        context.add_total(vertex.id / 7)

    def mixed(own: Any, shown: Any, seen: Any, context: VertexContext) -> tuple[Any, Any]:
        if whole:
            wide = own * 31 + shown + int(seen) + int(context.total) + context.iteration
            return least + wide % (1 << bits), least + wide * 7 % (1 << bits)
        kept = (own + shown) / 3 if math.isfinite(own) else -0.0
        return kept, (float(seen) % 1000 if math.isfinite(seen) else 1.0) * 0.1 + context.total % 10

    def update(self: object, vertex: Vertex, context: VertexContext) -> None:
        seen = vertex.in_degree - vertex.out_degree + max(vertex.outgoing.ids(), default=0)
        for side in (vertex.incoming, vertex.outgoing):
            seen += sum(each % 100 + value for each, value in zip(side.shown_list(), side.value_list()))
        kept, shows = mixed(vertex.own, vertex.shown, seen, context)
        vertex.own = kept
        vertex.show(shows)
        context.add_total(context.total / 3 + 0.1)

    def apply(self: object, vertex: Vertex, gathered: Any, context: VertexContext) -> None:
        vertex.own, shows = mixed(vertex.own, vertex.shown, gathered, context)
        vertex.show(shows)
        context.add_total(0.1)

    def interval(self: object, vertices: Vertices, context: VertexContext) -> None:
        shown, ids = vertices.shown.tolist(), list(vertices.ids)
        besides = [iter(side.shown.tolist()) for side in (vertices.incoming, vertices.outgoing)]
        for k in range(len(vertices)):
            seen = int(ids[k]) + int(vertices.out_degrees[k])
            for side, beside in zip((vertices.incoming, vertices.outgoing), besides):
                begin, end = int(side.begins[k]), int(side.ends[k])
                at, values, places = side.at.tolist(), side.values.tolist(), None if side.places is None else side.places.tolist()
                for edge in range(begin, end):
                    showed = next(beside)
                    assert showed == shown[at[edge]]
                    seen += showed % 100 + values[edge if places is None else places[edge]] + int(side.ids[edge])
            own, before = vertices.own.tolist()[k], vertices.before.tolist()[k]
            vertices.own[k], vertices.next[k] = mixed(own, before, seen, context)

    method: dict[str, Any] = {"update": update, "interval": interval}
    does = {form: method[form]} if form in method else {"apply": apply, "gather": form}
    return type("Mixes", (), {"own": of, "shown": of, "edge": of, "outgoing": True, "start": start, **does})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("of", TYPES)
def test_every_type_and_form_agrees_and_a_changed_number_is_named(of: str, form: str, tmp_path: Path) -> None:
    program = mixes(of, form)
    for directed in (True, False):
        found = dump(program, edges(120, 40, 7), 2, vertices=45, directed=directed)
        assert len(found["rows"]) == 45
        assert Replay(program(), written(tmp_path, found)).run() is None
    row = found["rows"][29]
    for what in ("shows", "keeps"):
        was = row[what]
        row[what] = "7" if of[1:] == "64" and of[0] != "f" else 7
        difference = Replay(program(), written(tmp_path, found)).run()
        assert difference is not None and difference[:3] == (29, what, 7)
        assert Replay(program(), written(tmp_path, {**found, "rows": found["rows"][:29]})).run() is None
        row[what] = was
    assert Replay(program(), written(tmp_path, found)).run() is None


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(
    ("file", "name", "settings"),
    [
        ("pagerank", "PageRank", {"damping": "0.9"}),
        ("pagerank", "PageRankGather", {}),
        ("pagerank_interval", "PageRankInterval", {"tolerance": "1e-9"}),
        ("pagerank", "PageRankEdges", {"damping": "0.9"}),
        ("components", "Components", {}),
        ("paths", "ShortestPaths", {"from": "0"}),
        ("labels", "Labels", {}),
    ],
)
def test_the_examples_agree(file: str, name: str, settings: dict[str, str], directed: bool, tmp_path: Path) -> None:
    of = load(EXAMPLES / f"{file}.py", name)
    some = 0
    for iteration, block in ((0, 0), (2, 0), (5, 0), (2, 1)):
        found = dump(of, edges(2000, 1100, 3), iteration, vertices=1100, directed=directed, settings=settings, block=block)
        some += len(found["rows"])
        assert Replay(of(), written(tmp_path, found)).run() is None
    assert some > 20



@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.update(own=row["own"] + 1),
        lambda row: row.update(shown=row["shown"] + 1),
        lambda row: row.update(outDegree=row["outDegree"] + 1),
        lambda row: row["incoming"]["shown"].__setitem__(0, row["incoming"]["shown"][0] + 1),
        lambda row: row["incoming"]["values"].__setitem__(0, row["incoming"]["values"][0] + 1),
        lambda row: row["outgoing"]["ids"].__setitem__(-1, 44),
    ],
)
def test_a_vertex_sees_what_the_file_says(change: Callable[[Any], None], tmp_path: Path) -> None:
    program = mixes("f64", "update")
    found = dump(program, [(1, 2, 5), (2, 3, 6), (1, 3, 8)], 1, vertices=50)
    change(found["rows"][2])
    difference = Replay(program(), written(tmp_path, found)).run()
    assert difference is not None and difference.vertex == 2


@pytest.mark.parametrize("by", ["sum", "min", "max", "count"])
def test_what_is_gathered_is_what_the_engine_had(by: str, tmp_path: Path) -> None:
    program = mixes("f64", by)
    found = dump(program, [(1, 2, 5), (2, 3, 6), (1, 3, 8)], 1, vertices=4)
    found["rows"][3]["gathered"] += 0.5
    difference = Replay(program(), written(tmp_path, found)).run()
    assert difference is not None and difference.vertex == 3


def test_what_an_edge_shows_is_that_edges_own(tmp_path: Path) -> None:
    class Sums:
        shown = "f64"

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(sum(vertex.incoming.shown_list()))

    found = dump(Sums, [(0, 1), (0, 2)], 0, vertices=3)
    # Both see vertex 0, which is in the file itself too.
    found["rows"][0]["shown"] = 1.0
    for row, showed in zip(found["rows"][1:], (2.0, 4.0)):
        row["incoming"]["shown"] = [showed]
        row["shows"] = showed
    assert Replay(Sums(), written(tmp_path, found)).run() is None


def test_only_those_of_a_large_graph_take_room(tmp_path: Path) -> None:
    class Tells:
        shown = "u32"
        selective = True

        def update(self, vertex: Vertex, context: VertexContext) -> None:
            assert (context.vertices, context.edges, context.directed, context.iteration, context.total) == (1 << 32, 10**12, True, 9, 0.25)
            vertex.schedule(context.vertices - 1)
            context.add_residual(1.0)
            vertex.show(vertex.id)

    last = (1 << 32) - 1
    ends: dict[str, Any] = {"ids": [last - 1], "shown": [0]}
    row = {"shown": 0, "outDegree": 2, "incoming": ends}
    found = dump(Tells, [], 0, vertices=1)
    found.update(vertices=1 << 32, edges=10**12, iteration=9, total=0.25)
    found["rows"] = [{"id": id, **row, "shows": id} for id in (last - 1000, last - 3, last)]
    assert Replay(Tells(), written(tmp_path, found)).run() is None
    found["rows"] = []
    assert Replay(Tells(), written(tmp_path, found)).run() is None


class Largest:
    shown = "f64"

    def __init__(self) -> None:
        self.adds = 0.5

    def open(self, ctx: Context) -> None:
        self.adds = float(ctx.settings.get("adds", 0.5))

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(max([vertex.shown, *vertex.incoming.shown_list()]) + self.adds)


LINKS: list[Edge] = [(0, 1), (1, 2), (2, 0), (3, 1)]


def test_a_program_has_the_settings_of_the_run_unless_others_are_given(tmp_path: Path) -> None:
    file = written(tmp_path, dump(Largest, LINKS, 1, vertices=4, settings={"adds": "0.25", "more": "x"}))
    assert Replay(Largest(), file).run() is None
    assert Replay(Largest(), file, settings={"more": "y"}).run() is None
    difference = Replay(Largest(), file, settings={"adds": "1"}).run()
    assert difference == Difference(0, "shows", 0.5, 1.25)
    assert str(difference) == "vertex 0 shows 0.5 in the engine and 1.25 in the simulator"


def test_a_zero_has_a_sign_and_a_nan_is_a_nan(tmp_path: Path) -> None:
    class Gives(Largest):
        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show([-0.0, math.nan, math.inf, -math.inf][vertex.id])

    found = dump(Gives, [], 0, vertices=4)
    assert [row["shows"] for row in found["rows"]][1:] == ["NaN", "inf", "-inf"]
    text = json.dumps(found)
    assert Replay(Gives(), written(tmp_path, found), allow_nan=True).run() is None
    assert Replay(Gives(), written(tmp_path, text.replace('"shows": -0.0', '"shows": -0')), allow_nan=True).run() is None
    difference = Replay(Gives(), written(tmp_path, text.replace('"shows": -0.0', '"shows": 0'))).run()
    assert str(difference) == "vertex 0 shows 0.0 in the engine and -0.0 in the simulator"
    with pytest.raises(ValueError, match="vertex 1 shows nan: find out where it comes from"):
        Replay(Gives(), written(tmp_path, found)).run()


def test_what_the_simulator_checks_is_checked(tmp_path: Path) -> None:
    kept: list[Vertex] = []

    class Keeps(Largest):
        def update(self, vertex: Vertex, context: VertexContext) -> None:
            kept.append(vertex)
            kept[0].show(1.0)

    file = written(tmp_path, dump(Largest, LINKS, 1, vertices=4))
    with pytest.raises(RuntimeError, match=r"This is vertex 0\. The program is called for vertex 1\.") as failed:
        Replay(Keeps(), file).run()
    assert failed.value.__notes__ == ["iteration 1, vertex 1"]

    class Beyond(Largest):
        def update(self, vertex: Vertex, context: VertexContext) -> None:
            vertex.show(vertex.incoming.shown(vertex.in_degree))

    with pytest.raises(IndexError, match="vertex 0 has 1 incoming edge, from 0 on, and no edge 1"):
        Replay(Beyond(), file).run()


def test_the_debugger_is_called_and_steps_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[str] = []
    found = dump(Largest, LINKS, 1, vertices=4)
    found["rows"][2]["shows"] = 9
    replay = Replay(Largest(), written(tmp_path, found), break_at={1, 3})
    monkeypatch.setattr(sys, "breakpointhook", lambda: stops.append(replay.call.what if replay.call else ""))
    steps = replay.steps()
    assert next(steps) == Step(1, 0, 0.5, 1.0, None) and stops == []
    assert next(steps) == Step(1, 1, 0.5, 1.0, None) and stops == ["vertex 1"]
    assert next(steps) == Step(1, 2, 0.5, 1.0, None)
    with pytest.raises(StopIteration) as ended:
        next(steps)
    assert ended.value.value == Difference(2, "shows", 9.0, 1.0) and stops == ["vertex 1"]
    with pytest.raises(RuntimeError, match="this simulator has run: make another one"):
        replay.run()
    with pytest.raises(ValueError, match=r"break at vertex 4: it is not in .*interval.json, which has 4 vertices from 0 to 3"):
        Replay(Largest(), written(tmp_path, found), break_at={1, 4})


def test_another_program_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, dump(mixes("f64", "sum"), [], 0, vertices=2))
    expected = (
        r"interval.json was dumped from Program of program.py with own = 'f64', edge = 'f64', outgoing = True, gather = 'sum', and Largest"
        r" has own = None, edge = None, outgoing = False, gather = None: replay it with the program that it is of"
    )
    with pytest.raises(TypeError, match=expected):
        Replay(Largest(), file)
    with pytest.raises(TypeError, match="dumped from Program of program.py with shown = 'f64', and Narrow has shown = 'f32'"):
        Replay(type("Narrow", (Largest,), {"shown": "f32"})(), written(tmp_path, dump(Largest, [], 0, vertices=2)))
    with pytest.raises(TypeError, match="Handler is no vertex program: use the harnesses of upcall.testing"):
        Replay(type("Handler", (), {"on_object": lambda self, obj, emit: None})(), file)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda found: found.pop("upcall"), 'is no dumped interval, which says "upcall": "interval": upcall graph run'),
        (lambda found: found.pop("version"), 'interval.json has no "version"'),
        (lambda found: found.update(version=2), "has version 2, and this simulator reads 1: take that of the upcall that wrote it"),
        (lambda found: found.pop("total"), 'interval.json has no "total"'),
        (lambda found: found.pop("edge"), 'interval.json has no "edge"'),
        (lambda found: found.update(shown="f16"), '"shown" has "f16", and not a type of numbers: f32, f64'),
        (lambda found: found.update(shown=None), '"shown" has null, and not a type of numbers'),
        (lambda found: found.update(gather="mean"), '"gather" has "mean", and not a way to gather: sum, min'),
        (lambda found: found.update(selective=0), '"selective" has 0, and not true or false'),
        (lambda found: found.update(vertices=1 << 33), r'"vertices" has 8589934592, and not a number from 0 to 4294967296'),
        (lambda found: found.update(rows={}), r'"rows" has \{\}, and not a list'),
        (lambda found: found.update(settings={"a": 1}), '"settings" has 1, and not a text'),
        (lambda found: found["rows"].__setitem__(1, 3), "interval.json, row 1 is 3, and not an object"),
        (lambda found: found["rows"].reverse(), "row 1: vertex 2 comes after vertex 3, and rows are in ascending order"),
        (lambda found: found["rows"][2].pop("shows"), r'row 2 \(vertex 2\) has no "shows"'),
        (lambda found: found["rows"][2].pop("incoming"), r'row 2 \(vertex 2\) has no "incoming"'),
        (lambda found: found["rows"][2].update(id=4), 'row 2: "id" has 4, and not a number from 0 to 3'),
        (lambda found: found["rows"][2].update(shown="1"), r'row 2 \(vertex 2\): "shown" has "1", and not a number of f64'),
        (lambda found: found["rows"][2].update(shown=True), '"shown" has true, and not a number of f64'),
        (lambda found: found["rows"][1]["incoming"].pop("shown"), r'row 1 \(vertex 1\), incoming has no "shown"'),
        (lambda found: found["rows"][1]["incoming"]["shown"].pop(), '"ids" has 2, and "shown" 1: give one of each for an edge'),
        (lambda found: found["rows"][1]["incoming"]["ids"].__setitem__(0, 4), "an edge of vertex 4, and the graph has 4, from 0 on"),
        (lambda found: found["rows"][1]["incoming"]["ids"].__setitem__(0, -1), '"ids" has -1, and not a number of u32'),
    ],
)
def test_a_file_that_is_no_dump_says_what_is_missing(change: Callable[[Any], None], expected: str, tmp_path: Path) -> None:
    found = dump(Largest, LINKS, 0, vertices=4)
    change(found)
    with pytest.raises(ValueError, match=expected):
        Replay(Largest(), written(tmp_path, found))


def test_numbers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    for of, wrong in (("u64", str(1 << 64)), ("u64", "-1"), ("i64", 0.5), ("u32", 1 << 32), ("i32", "x"), ("f32", 1e300), ("u32", "inf")):
        found = dump(mixes(of, "update"), [], 0, vertices=1)
        found["rows"][0]["keeps"] = wrong
        with pytest.raises(ValueError, match=f'"keeps" has .*, and not a number of {of}'):
            Replay(mixes(of, "update")(), written(tmp_path, found))
    for text, expected in (("", "it is not JSON: Expecting value"), ("[1]", "is no dumped interval, which says"), ("{", "it is not JSON")):
        with pytest.raises(ValueError, match=expected):
            Replay(Largest(), written(tmp_path, text))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="bytes is no dumped interval: it is not JSON"):
        Replay(Largest(), tmp_path / "bytes")


def test_the_command_says_whether_all_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "largest.py"
    program.write_text(LARGEST)
    found = dump(load(program, "Largest"), LINKS, 1, vertices=4)
    command = [str(program), "--class", "Largest", "--replay", str(written(tmp_path, found))]
    assert main(command) == 0
    assert capsys.readouterr() == ("all 4 vertices agree\n", "")
    assert main([*command, "--set", "adds=0"]) == 1
    assert capsys.readouterr().out == "vertex 0 shows 3.0 in the engine and 2.5 in the simulator\n"
    found["rows"][1]["keeps"] += 1
    written(tmp_path, found)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nc\n"))
    assert main([*command, "--step"]) == 1
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "iteration 1, vertex 0: showed 2.5, shows 3.0, keeps 1",
        "iteration 1, vertex 1: showed 3.5, shows 4.0, keeps 2",
    ]
    assert told.out.endswith("vertex 1 keeps 3 in the engine and 2 in the simulator\n")
    for wrong, expected in (
        (["links.txt"], "give a file of edges, or --replay with a dumped interval"),
        (["--undirected"], "--vertices, --undirected, --iterations and --gauss-seidel are of a graph: leave them out with --replay"),
        (["--break", "7"], "break at vertex 7: it is not in "),
        (["--replay", str(program)], "largest.py is no dumped interval: it is not JSON"),
        (["--replay", str(tmp_path / "none")], "No such file"),
    ):
        with pytest.raises(SystemExit) as ended:
            main([*command, *wrong])
        assert ended.value.code == 2 and expected in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(command[:3])


def test_the_debugger_steps_into_a_replayed_vertex(tmp_path: Path) -> None:
    (tmp_path / "largest.py").write_text(LARGEST)
    written(tmp_path, dump(load(tmp_path / "largest.py", "Largest"), LINKS, 1, vertices=4))
    given = ["largest.py", "--class", "Largest", "--replay", "interval.json", "--break", "1"]
    command = [sys.executable, "-m", "upcall.graph_simulator", *given]
    environment = {**os.environ, "PYTHONPATH": str(Path(upcall.__file__).parents[1]), "TERM": "dumb"}

    def run(typed: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, input=typed)

    ran = run("s\ns\np 'here', vertex.id, vertex.incoming.shown_list()\nc\n")
    assert "('here', 1, [2.5, 3.5])" in ran.stdout and ran.stdout.endswith("all 4 vertices agree\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert run("q\n").returncode == 1
