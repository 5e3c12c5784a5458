"""The arrays that an interval has under the simulator: an index that is not there is an error, as in no other array of numpy's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from upcall.graph import VertexContext, Vertices
from upcall.graph_simulator import Simulator
from upcall.testing import VertexHarness

VALUED = [(0, 1, 0.5), (2, 1, 1.5), (2, 0, -2.0)]
Use = Callable[[Vertices], Any]


def program(use: Use) -> Any:
    class Uses:
        own = shown = edge = "f64"
        writes = True

        def interval(self, vertices: Vertices, context: VertexContext) -> None:
            use(vertices)

    return Uses()


def run(use: Use, by: Any = Simulator) -> Any:
    return by(program(use), VALUED, vertices=4).run(1)


def refuses(use: Use, says: str) -> None:
    with pytest.raises(IndexError) as refused:
        run(use)
    assert (str(refused.value), refused.value.__notes__) == (says, ["iteration 0, the interval of 4 vertices from 0 to 3"])


@pytest.fixture(params=["numpy", "memoryview"])
def shows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How arrays are shown: with numpy and without."""
    if request.param == "memoryview":
        monkeypatch.setitem(sys.modules, "numpy", None)
    return str(request.param)


# Each array of an interval, and how long it is.
ARRAYS: list[tuple[str, Use, int]] = [
    ("vertices.ids", lambda vertices: vertices.ids, 4),
    ("vertices.own", lambda vertices: vertices.own, 4),
    ("vertices.before", lambda vertices: vertices.before, 4),
    ("vertices.next", lambda vertices: vertices.next, 4),
    ("vertices.out_degrees", lambda vertices: vertices.out_degrees, 4),
    ("vertices.shown", lambda vertices: vertices.shown, 4),
    ("vertices.incoming.begins", lambda vertices: vertices.incoming.begins, 4),
    ("vertices.incoming.ends", lambda vertices: vertices.incoming.ends, 4),
    ("vertices.incoming.ids", lambda vertices: vertices.incoming.ids, 3),
    ("vertices.incoming.at", lambda vertices: vertices.incoming.at, 3),
    ("vertices.incoming.shown", lambda vertices: vertices.incoming.shown, 3),
    ("vertices.incoming.values", lambda vertices: vertices.incoming.values, 3),
    ("vertices.incoming.places", lambda vertices: vertices.incoming.places, 3),
    ("vertices.outgoing.at", lambda vertices: vertices.outgoing.at, 3),
    ("vertices.outgoing.next_values", lambda vertices: vertices.outgoing.next_values, 3),
]


@pytest.mark.parametrize(("name", "find", "length"), ARRAYS, ids=[name for name, _, _ in ARRAYS])
def test_an_index_that_an_array_does_not_have_is_an_error_that_names_both(name: str, find: Use, length: int, shows: str) -> None:
    for index in (-1, -length, length, 1 << 40):
        refuses(lambda vertices: find(vertices)[index], f"{name} has {length} elements, from 0 on, and no element {index}")
    run(lambda vertices: [find(vertices)[index] for index in range(length)])
    # The engine's arrays are Python's own, where the last element is at -1.
    run(lambda vertices: find(vertices)[-1], VertexHarness)


def test_nothing_is_written_where_there_is_no_element(shows: str) -> None:
    for index in (-1, 4):

        def write(vertices: Vertices) -> None:
            next = vertices.next
            next[3] = 5.0
            with pytest.raises(IndexError, match=f"vertices.next has 4 elements, from 0 on, and no element {index}"):
                next[index] = 7.0

        assert run(write).shown == [0.0, 0.0, 0.0, 5.0]
    # What is only read is not written anywhere.
    with pytest.raises(ValueError if shows == "numpy" else TypeError, match="read-only"):
        run(lambda vertices: vertices.before.__setitem__(0, 1.0))


def test_a_slice_is_as_in_python_and_checks_nothing_of_its_own(shows: str) -> None:
    def slices(vertices: Vertices) -> None:
        ends, next = vertices.incoming.ends, vertices.next
        assert (list(ends[:-1]), list(ends[2:9]), list(ends[::-1]), ends[1:][-1]) == ([1, 3, 3], [3, 3], [3, 3, 3, 1], 3)
        half = next[2:]
        half[-1] = 4.0
        next[:2] = next[2:]
        assert list(next) == [0.0, 4.0, 0.0, 4.0] and 4.0 in next and len(next) == 4

    for by in (Simulator, VertexHarness):
        assert run(slices, by).shown == [0.0, 4.0, 0.0, 4.0]


def test_without_numpy_it_does_what_a_memoryview_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    def uses(vertices: Vertices) -> None:
        next, before = vertices.next, vertices.before
        assert (next.format, next.nbytes, next.shape, next.readonly, before.readonly) == ("d", 32, (4,), False, True)
        assert next.tolist() == before.tolist() == [0.0] * 4 and next == before
        memoryview(next).cast("B")[16:24] = numpy.ones(1).tobytes()
        assert next[2] == 1.0 and bytes(next) == next.tobytes() and list(reversed(next)) == [0.0, 1.0, 0.0, 0.0]

    for by in (Simulator, VertexHarness):
        assert run(uses, by).shown == [0.0, 0.0, 1.0, 0.0]


def test_arrays_of_indices_are_checked_too() -> None:
    says = "vertices.shown has 4 elements, from 0 on, and no element {}, which is at {} of the array of indices"
    for index, element, place in (
        ([0, -1, -2], -1, 1),
        (numpy.array([3, 2, 4]), 4, 2),
        (numpy.array([[0, 1], [2, -4]], numpy.int32), -4, 3),
        ((numpy.array([0, 9]),), 9, 1),
        # As the place before the first comes out of numbers without a sign.
        (numpy.array([1, 0], numpy.uint64) - numpy.uint64(1), 2**64 - 1, 1),
    ):
        wanted = says.format(element, place)
        refuses(lambda vertices: vertices.shown[index], wanted)
        if not isinstance(index, tuple):
            refuses(lambda vertices: vertices.shown.take(index), wanted)
            refuses(lambda vertices: numpy.take(vertices.shown, index), wanted)
    next = says.replace("shown", "next").format(-1, 1)

    def set_at(vertices: Vertices) -> None:
        vertices.next[[0, -1]] = 1.0

    refuses(set_at, next)
    refuses(lambda vertices: numpy.add.at(vertices.next, numpy.array([0, -1]), 1.0), next)
    refuses(lambda vertices: numpy.put(vertices.next, [0, -1], 1.0), next)
    refuses(lambda vertices: vertices.shown[numpy.int32(-2)], "vertices.shown has 4 elements, from 0 on, and no element -2")


def test_what_numpy_does_with_whole_arrays_comes_to_the_same_bits() -> None:
    def uses(vertices: Vertices) -> None:
        edges, next, own = vertices.incoming, vertices.next, vertices.own
        next += vertices.ids
        next *= 2
        numpy.add(next, 1, out=next, where=vertices.ids > 0)
        with pytest.raises(IndexError):
            next[-1]
        numpy.add.at(next, vertices.outgoing.ids, 0.25)
        numpy.put(own, [0, 1], next[:2])
        own[vertices.out_degrees == 0] += 3
        own[...] = numpy.where(vertices.ids == 2, own.max() + next.sum(), own)
        own[numpy.array([], int)] = 7
        sums = numpy.add.reduceat(numpy.append(edges.shown, 0), edges.begins.astype(int))
        assert list(sums) == [0.0] * 4 and type(next + 1) is numpy.ndarray and type(next[1:]) is numpy.ndarray
        assert numpy.take(vertices.shown, [-1], mode="wrap") == vertices.shown.take([9], mode="clip") == 0
        assert numpy.array_equal(numpy.sort(next)[::-1], sorted(next, reverse=True)) and divmod(next, 2)[0].shape == (4,)

    found = run(uses)
    assert found.shown == [0.25, 3.5, 5.0, 7.0]
    assert found.own == [0.25, 6.5, 6.5 + 15.75, 3.0]
