"""The replay of a dumped interval of a program that sets values of edges."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graph_dumps import dump, written

from upcall.graph import Vertex, VertexContext, Vertices
from upcall.graph_simulator import Difference, Replay

NUMBERS = random.Random(5)
EDGES = [(NUMBERS.randrange(1100), NUMBERS.randrange(1100)) for _ in range(2000)]


def is_set(id: int, index: int, context: VertexContext) -> bool:
    return (id + index + context.iteration) % 3 > 0


class Sets:
    shown = edge = "i64"
    own = "f32"
    writes = True

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.own = sum(vertex.incoming.value_list()) / 3
        for index in range(vertex.out_degree):
            if is_set(vertex.id, index, context):
                vertex.outgoing.set_value(index, (vertex.outgoing.value(index) << 33) % 1000007 + 1)


class SetsMany:
    shown = edge = "i64"
    own = "f32"
    writes = True

    def interval(self, vertices: Vertices, context: VertexContext) -> None:
        incoming, values, at = vertices.incoming, vertices.outgoing.next_values, 0
        for place, id in enumerate(map(int, vertices.ids)):
            seen = incoming.places[incoming.begins[place] : incoming.ends[place]]
            vertices.own[place] = sum(int(incoming.values[edge]) for edge in seen) / 3
            for index in range(vertices.out_degrees[place]):
                if is_set(id, index, context):
                    values[at] = (int(values[at]) << 33) % 1000007 + 1
                at += 1


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("iteration", "block"), [(0, 0), (1, 0), (4, 1)])
def test_what_is_set_agrees(directed: bool, iteration: int, block: int, tmp_path: Path) -> None:
    found = dump(Sets, EDGES, iteration, vertices=1100, directed=directed, block=block)
    assert any(len(row["sets"]) > 1 and row["sets"] != row["outgoing"]["values"] for row in found["rows"])
    file = written(tmp_path, found)
    for of in (Sets, SetsMany):
        assert Replay(of(), file).run() is None


def test_the_edge_is_named_that_is_set_to_another_value(tmp_path: Path) -> None:
    found = dump(Sets, EDGES, 1, vertices=1100)
    row = next(row for row in found["rows"] if len(row["sets"]) > 2)
    was = int(row["sets"][1])
    row["sets"][1] = str(was + 1)
    for of in (Sets, SetsMany):
        difference = Replay(of(), written(tmp_path, found)).run()
        assert difference == Difference(row["id"], "sets", was + 1, was, 1)
        assert str(difference) == f"vertex {row['id']} sets outgoing edge 1 to {was + 1} in the engine and {was} in the simulator"
    steps = Replay(Sets(), written(tmp_path, found)).steps()
    step = next(step for step in steps if step.vertex == row["id"])
    assert step.sets is not None and (step.sets[1], len(step.sets)) == (was, len(row["sets"]))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda found: found["rows"][1]["sets"].append("1"), '"sets" has 2, and there are 1 outgoing edges: give one for each'),
        (lambda found: found["rows"][1]["sets"].__setitem__(0, 0.5), r'row 1 \(vertex 1\): "sets" has 0.5, and not a number of i64'),
        (lambda found: found["rows"][1].pop("sets"), r'row 1 \(vertex 1\) has no "sets"'),
        (lambda found: found["rows"][1].pop("outgoing"), r'row 1 \(vertex 1\) has no "outgoing"'),
        (lambda found: found.update(edge=None), '"edge" has null, and the program writes values of edges: f32, f64'),
        (lambda found: found.update(writes="yes"), '"writes" has "yes", and not true or false'),
    ],
)
def test_a_dump_without_what_is_set_says_so(change: Callable[[Any], None], expected: str, tmp_path: Path) -> None:
    found = dump(Sets, [(0, 1), (1, 2)], 0, vertices=3)
    change(found)
    with pytest.raises(ValueError, match=expected):
        Replay(Sets(), written(tmp_path, found))


def test_an_older_dump_is_of_a_program_that_does_not_write(tmp_path: Path) -> None:
    class Reads:
        shown = edge = "i64"
        own = "f32"

        def update(self, vertex: Vertex, context: VertexContext) -> None: ...

    found = dump(Reads, [(0, 1, 5)], 0, vertices=2)
    assert "writes" not in found
    assert Replay(Reads(), written(tmp_path, found)).run() is None
    assert Replay(Reads(), written(tmp_path, found | {"writes": False})).run() is None
    with pytest.raises(TypeError, match="was dumped from Program of program.py with writes = False, and Sets has writes = True: replay it"):
        Replay(Sets(), written(tmp_path, found))
