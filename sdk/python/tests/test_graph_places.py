"""Where the values of an interval's edges are: the same in the engine, in the simulator and in a replay."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from upcall.graph_simulator import Replay, Simulator, load

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(os.environ.get("UPCALL_PROGRAMS", ROOT / "target" / "release"))
VERTICES = 1500
TEXT = '''
from upcall.graph import VertexContext, Vertices


class Looks:
    own = shown = edge = "f64"
    outgoing = True

    def open(self, ctx):
        self.directed = ctx.graph[2]
        self.weight = int(ctx.settings.get("weight", 0))

    def interval(self, vertices: Vertices, context: VertexContext) -> None:
        writes = getattr(self, "writes", False)
        incoming, outgoing, shown = vertices.incoming, vertices.outgoing, vertices.shown.tolist()
        heard = self.mix(incoming, shown, writes, vertices.own.tolist())
        vertices.own[:] = self.mix(outgoing, shown, self.directed and not writes, heard)
        vertices.next[:] = vertices.before + vertices.own % 7

    def mix(self, edges, shown, has_places, numbers):
        """What vertices see of their edges, through the arrays."""
        assert (edges.places is not None) == has_places
        values, ids, at, beside = edges.values.tolist(), edges.ids.tolist(), edges.at.tolist(), iter(edges.shown.tolist())
        places = edges.places.tolist() if has_places else range(len(ids))
        mixed = []
        for so, begin, end in zip(numbers, edges.begins.tolist(), edges.ends.tolist()):
            for edge in range(begin, end):
                showed = next(beside)
                assert showed == shown[at[edge]]
                so = (so * 3 + values[places[edge]] + showed + ids[edge] + self.weight * places[edge]) % 1009
            mixed.append(so)
        assert next(beside, None) is None
        return mixed


class Sets(Looks):
    writes = True

    def interval(self, vertices: Vertices, context: VertexContext) -> None:
        super().interval(vertices, context)
        edges, at = vertices.outgoing.next_values, 0
        for id, own, degree in zip(vertices.ids.tolist(), vertices.own.tolist(), vertices.out_degrees.tolist()):
            for index in range(degree):
                if (id + index + context.iteration) % 3 > 0:
                    edges[at + index] = own + index / 8
            at += degree


class Picks(Sets):
    selective = True

    def start(self, vertex, context):
        if vertex.id % 3 == 0:
            vertex.schedule()
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs, a list of edges, and its graphs."""
    folder = tmp_path_factory.mktemp("places")
    (folder / "places.py").write_text(TEXT)
    (folder / "list.txt").write_text("".join(f"{source} {end} {value}\n" for source, end, value in edges()))
    for way in ("directed", "undirected"):
        options = ["--values", "f64", "--direction", way, "--vertices", str(VERTICES)]
        upcall("build", folder / "list.txt", "-o", folder / f"{way}.graph", *options)
    return folder


def edges() -> list[tuple[int, int, float]]:
    """With loops, hubs, and edges that are there twice."""
    numbers = random.Random(11)
    return [(numbers.randrange(VERTICES), int(VERTICES * numbers.random() ** 3), numbers.randrange(100) / 4) for _ in range(5000)]


def upcall(what: str, *arguments: Any) -> None:
    subprocess.run([PROGRAMS / "upcall", "graph", what, *map(str, arguments)], check=True, capture_output=True)


def run(folder: Path, name: str, way: str, *more: Any) -> None:
    upcall("run", folder / f"{way}.graph", folder / "places.py", "--python", sys.executable, "--class", name, "--iterations", 4, *more)


def last(file: Path) -> list[float]:
    """The numbers at the ends of lines."""
    return [float(line.split("\t")[-1]) for line in file.read_text().splitlines()]


@pytest.mark.parametrize("way", ["directed", "undirected"])
@pytest.mark.parametrize("name", ["Looks", "Sets", "Picks"])
def test_places_are_the_same_in_the_engine_and_in_the_simulator(name: str, way: str, folder: Path) -> None:
    of = load(folder / "places.py", name)
    kept, set_to = folder / "kept.tsv", folder / "set.tsv"
    run(folder, name, way, "--set", "weight=1", "-o", kept, *([] if name == "Looks" else ["--edges", set_to]))
    for frame in (1024, 2048):
        options: Any = {"vertices": VERTICES, "directed": way == "directed", "settings": {"weight": "1"}, "frame": frame}
        found = Simulator(of(), edges(), **options).run(4)
        assert found.own == last(kept)
        assert name == "Looks" or found.edges == last(set_to)


@pytest.mark.parametrize("way", ["directed", "undirected"])
@pytest.mark.parametrize("name", ["Looks", "Sets", "Picks"])
def test_what_the_engine_dumps_is_replayed(name: str, way: str, folder: Path) -> None:
    dumped = folder / "interval.json"
    run(folder, name, way, "--dump-interval", 1, "--dump-iteration", 2, "--dump-to", dumped)
    replay = Replay(load(folder / "places.py", name)(), dumped)
    assert len(replay.ids) > 100
    assert replay.run() is None
