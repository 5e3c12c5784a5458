"""Groups, grids and graphs, against plain arithmetic."""

from __future__ import annotations

import array
import random

import numpy
import pytest
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)  # of the jobs of `test_mpi_collectives`
SIZES = (1, 2, 3, 5)


def fails(kind: str) -> pytest.RaisesExc[mpi.MpiError]:
    return pytest.raises(mpi.MpiError, check=lambda error: error.kind == kind)


@bodies.on(*SIZES)
def groups_are_combined_and_become_communicators(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    everybody = world.group()
    assert (everybody.rank, everybody.size) == (rank, size)
    for _ in range(10):
        chosen = random.sample(range(size), random.randrange(1, size + 1))
        some, others = everybody.include(chosen), everybody.exclude(chosen)
        both = some.union(others)
        assert (some.size, others.size, both.size) == (len(chosen), size - len(chosen), size)
        assert some.rank == (chosen.index(rank) if rank in chosen else None)
        assert some.intersection(others).size == 0
        assert both.difference(some).compare(others) == "identical"
        assert some.compare(everybody) == (
            "unequal" if len(chosen) < size else "identical" if chosen == sorted(chosen) else "similar"
        )
        assert some.translate(range(len(chosen)), everybody) == chosen
        assert others.translate(range(others.size), some) == [None] * others.size
        made = world.create(some)
        assert (made is None) == (rank not in chosen)
        if made is not None:
            assert (made.rank, made.all_gather(numpy.array([rank])).ravel().tolist()) == (some.rank, chosen)
            again = made.create_group(some, 3)
            assert made.compare(again) == "congruent"
    assert everybody.include(range(size - 1, -1, -1)).translate(range(size), everybody) == list(reversed(range(size)))
    for wrong in ([size], [-1], [0, 0]):
        with pytest.raises(mpi.MpiError):
            everybody.include(wrong)
    with pytest.raises(TypeError, match=r"give an mpi\.Group"):
        everybody.union(world)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"give an mpi\.Communicator"):
        world.compare(everybody)  # type: ignore[arg-type]
    twin = world.duplicate()
    assert world.compare(twin) == "congruent"
    assert world.split_shared_memory().size == size
    twin.name = "twin \u00e4"
    assert twin.name == "twin \u00e4"


@bodies.on(*SIZES)
def a_grid_knows_its_places_and_neighbors(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    rows, columns = world.dimensions([0, 0])
    assert rows * columns == size
    for around in (False, True):

        def at(row: int, column: int, around: bool = around) -> int | None:
            there = 0 <= row < rows and 0 <= column < columns
            return row % rows * columns + column % columns if there or around else None

        grid = world.cartesian([rows, columns], around)
        assert grid is not None
        row, column = grid.coordinates
        assert (grid.sizes, grid.periodic) == ([rows, columns], [around, around])
        assert (row, column) == divmod(rank, columns)
        assert [grid.rank_of(grid.coordinates_of(other)) for other in range(size)] == list(range(size))
        assert grid.rank_of([-1, 0]) == at(-1, 0)
        neighbors = [at(row - 1, column), at(row + 1, column), at(row, column - 1), at(row, column + 1)]
        assert grid.sources == grid.targets == neighbors
        assert grid.shift(0) == (neighbors[0], neighbors[1]) and grid.shift(1, -1) == (neighbors[3], neighbors[2])

        dtype = random.choice(["u2", "i4", "f8", "c16"])
        mine = numpy.array([rank + 1, 2], dtype)
        gathered = grid.neighbor_all_gather(mine)
        wanted = [[0, 0] if other is None else [other + 1, 2] for other in neighbors]
        assert gathered.dtype == dtype and gathered.tolist() == wanted
        parts = grid.neighbor_all_gather_parts(array.array("h", [rank] * rank))
        assert parts.counts == [other or 0 for other in neighbors]
        assert [part.tolist() for part in parts.split()] == [[other] * other if other else [] for other in neighbors]

        # To each neighbor goes in which direction it is; from the one above comes what it has for the one below.
        sent = numpy.array([[4 * rank + direction + 1] * 3 for direction in range(4)], dtype)
        numbers = [0 if other is None else 4 * other + (index ^ 1) + 1 for index, other in enumerate(neighbors)]
        swapped = grid.neighbor_all_to_all(sent)
        assert swapped.shape == (4, 3) and swapped.tolist() == [[number] * 3 for number in numbers]
        into = numpy.full((4, 3), 77, dtype)
        grid.neighbor_all_to_all_into(sent, into)
        assert into.tolist() == [[number or 77] * 3 for number in numbers]
        flat = grid.neighbor_all_to_all(array.array("i", [4 * rank + direction + 1 for direction in range(4)]))
        assert flat.tolist() == numbers
        counts = [direction * (neighbors[direction] is not None) for direction in range(4)]
        uneven = numpy.repeat(sent[:, 0], counts)
        got = grid.neighbor_all_to_all_parts(uneven, counts)
        assert [part.tolist() for part in got.split()] == [
            [number] * (index ^ 1) if number else [] for index, number in enumerate(numbers)
        ]
        twin = grid.duplicate()
        assert isinstance(twin, mpi.Cartesian) and (twin.neighbor_all_to_all(sent) == swapped).all()
        line = grid.sub_grid([False, True])
        assert (line.size, line.rank, line.sizes) == (columns, column, [columns])
        part = grid.split(0)
        assert type(part) is mpi.Communicator and part.size == size

        with fails("usage"):
            grid.sub_grid([True])
        with fails("usage"):
            grid.shift(2)
        with fails("usage"):
            grid.rank_of([0])
        with fails("rank"):
            grid.coordinates_of(size)
        with fails("usage"):
            grid.neighbor_all_gather_into(mine, numpy.zeros(7, dtype))
        with fails("usage"):
            grid.neighbor_all_gather_into(gathered[0], gathered)
        with fails("usage"):
            grid.neighbor_all_to_all_into(numpy.zeros(5, dtype), numpy.zeros(4, dtype))
        with fails("usage"):
            grid.neighbor_all_to_all_parts(mine, [1])
    assert (world.cartesian([1]) is None) == (rank != 0)
    for sizes, periodic in (([size + 1], False), ([size], [])):
        with fails("usage"):
            world.cartesian(sizes, periodic)
    with fails("usage"):
        world.dimensions([size + 1])
    with fails("usage"):
        world.coordinates_of(0)
    with fails("usage"):
        world.neighbor_all_gather_into(b"", bytearray())


@bodies.on(*SIZES)
def a_graph_has_the_neighbors_that_were_said(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    edges = {source: [target for target in range(size) if random.randrange(2)] for source in range(size)}
    sources = [source for source in range(size) if rank in edges[source]]
    # Each rank says the edges of the next.
    told = {(rank + 1) % size: edges[(rank + 1) % size]}
    for graph in (
        world.graph_adjacent(sources, edges[rank]),
        world.graph(told),
        world.graph_adjacent(sources, edges[rank], [2] * len(sources), [2] * len(edges[rank])),
    ):
        assert sorted(source or 0 for source in graph.sources) == sources
        assert sorted(target or 0 for target in graph.targets) == edges[rank]
        order = [source or 0 for source in graph.sources]
        assert graph.neighbor_all_gather(numpy.array([rank, 7])).tolist() == [[source, 7] for source in order]
        got = graph.neighbor_all_gather_parts(bytes([rank] * rank))
        assert [bytes(part) for part in got.split()] == [bytes([source] * source) for source in order]
        data = numpy.array([100 * rank + (target or 0) for target in graph.targets], "i8")
        assert graph.neighbor_all_to_all(data).tolist() == [100 * source + rank for source in order]
        twin = graph.duplicate()
        assert isinstance(twin, mpi.Graph) and twin.sources == graph.sources
    with fails("rank"):
        world.graph_adjacent([size], [])
    with fails("usage"):
        world.graph_adjacent([], [0], target_weights=[1, 2])
    # What one rank alone gets wrong is told to all.
    with fails("rank" if rank == 0 else "usage"):
        world.graph_adjacent([-1] if rank == 0 else [], [])
    with fails("rank" if rank == 0 else "usage"):
        world.graph({0: [size]} if rank == 0 else {})
