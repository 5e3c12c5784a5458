"""What all ranks do together, against plain lists."""

from __future__ import annotations

import array
import random
from typing import Any

import numpy
import pytest
import rank_files
import rank_topologies
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)
SIZES = (1, 2, 3, 5)


def everyones(random: random.Random, ranks: int, counts: list[int], dtype: str) -> list[Any]:
    """What each rank has: all know it."""
    return [numpy.array([random.randrange(100) for _ in range(count)], dtype) for count in counts]


@bodies.on(*SIZES)
def arrays_are_shared_as_lists_are(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    for _ in range(40):
        root, count = random.randrange(size), random.randrange(300)
        dtype = random.choice(["u1", "i2", "f4", "f8", "c16"])
        all_have = everyones(random, size, [count] * size, dtype)
        mine = all_have[rank]

        told = mine.copy()
        world.broadcast(told, root)
        assert (told == all_have[root]).all()

        gathered = world.gather(mine, root)
        assert (gathered is None) == (rank != root)
        if gathered is not None:
            assert gathered.shape == (size, count) and (gathered == numpy.stack(all_have)).all()
        assert (world.all_gather(mine) == numpy.stack(all_have)).all()
        into = numpy.zeros((size, count), dtype)
        world.all_gather_into(mine, into)
        assert (into == numpy.stack(all_have)).all()
        into[:] = 0
        world.gather_into(mine, into if rank == root else None, root)
        assert rank != root or (into == numpy.stack(all_have)).all()

        whole = numpy.concatenate(all_have)
        part = world.scatter(whole if rank == root else None, root, dtype)
        assert part.dtype == dtype and (part == mine).all()
        part[:] = 0
        world.scatter_into(whole if rank == root else None, part, root)
        assert (part == mine).all()

        table = [everyones(random, size, [count] * size, dtype) for _ in range(size)]
        swapped = world.all_to_all(numpy.stack(table[rank]))
        assert swapped.shape == (size, count)
        assert (swapped == numpy.stack([table[other][rank] for other in range(size)])).all()
        into[:] = 0
        world.all_to_all_into(numpy.stack(table[rank]), into)
        assert (into == swapped).all()
        world.barrier()


@bodies.on(*SIZES)
def parts_are_of_any_size(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    for _ in range(40):
        root, dtype = random.randrange(size), random.choice(["u1", "i4", "f8"])
        counts = [random.randrange(200) * random.randrange(2) for _ in range(size)]
        all_have = everyones(random, size, counts, dtype)
        whole = numpy.concatenate(all_have)

        parts = world.gather_parts(all_have[rank], root)
        assert (parts is None) == (rank != root)
        for got in filter(None, [parts, world.all_gather_parts(all_have[rank])]):
            assert got.counts == counts and got.data.dtype == dtype and (got.data == whole).all()
            assert [part.tolist() for part in got.split()] == [each.tolist() for each in all_have]
        if rank == root:
            mine = world.scatter_parts(whole, counts, root, dtype)
        else:
            mine = world.scatter_parts(root=root, dtype=dtype)
        assert (mine == all_have[rank]).all()

        sizes = [[random.randrange(50) for _ in range(size)] for _ in range(size)]
        table = [everyones(random, size, each, dtype) for each in sizes]
        swapped = world.all_to_all_parts(numpy.concatenate(table[rank]), sizes[rank])
        assert swapped.counts == [sizes[other][rank] for other in range(size)]
        assert [part.tolist() for part in swapped.split()] == [table[other][rank].tolist() for other in range(size)]


@bodies.on(1, 3)
def what_comes_back_is_of_the_kind_that_was_given(world: mpi.Communicator, random: random.Random) -> None:
    size = world.size
    numbers = array.array("h", [world.rank, 7])
    all_numbers = [each for rank in range(size) for each in (rank, 7)]
    gathered = world.all_gather(numbers)
    assert isinstance(gathered, array.array) and gathered.typecode == "h" and gathered.tolist() == all_numbers
    parts = world.all_gather_parts(numbers)
    assert isinstance(parts.data, array.array) and parts.data.tolist() == all_numbers and parts.counts == [2] * size
    assert world.all_gather(b"ab") == bytearray(b"ab" * size)
    assert world.all_gather_parts(b"a" * world.rank).split() == [b"a" * rank for rank in range(size)]
    view = world.all_gather(memoryview(numbers))
    assert isinstance(view, memoryview) and view.format == "h" and view.tolist() == all_numbers
    summed = world.all_reduce(memoryview(numbers), mpi.SUM)
    assert summed.tolist() == [sum(range(size)), 7 * size]
    assert world.scatter(bytes(size * 3)) == bytes(3)
    records = numpy.array([(world.rank, 0.5)], [("id", "i4"), ("at", "f8")])
    everyone = world.all_gather(records)
    assert everyone.dtype == records.dtype and everyone["id"].ravel().tolist() == list(range(size))


@bodies.on(1, 2, 3)
def what_does_not_fit_is_an_error_on_all_ranks(world: mpi.Communicator, random: random.Random) -> None:
    def kind(call: Any, *arguments: Any) -> str:
        with pytest.raises(mpi.MpiError) as raised:
            call(*arguments)
        return f"{raised.value.kind}: {raised.value}"

    size, rank = world.size, world.rank
    odd = numpy.zeros(size * 2 + 1)
    if size > 1:
        assert "no multiple of the" in kind(world.scatter, odd)
        assert "use all_to_all_parts" in kind(world.all_to_all, odd)
        # Elements are not cut into pieces.
        assert "no multiple of the" in kind(world.scatter, numpy.zeros(1, "V8" if size == 2 else "V9"))
    assert kind(world.scatter, None).startswith("usage")
    assert kind(world.all_gather_into, odd, numpy.zeros(1)).startswith("usage")
    assert kind(world.scatter_parts, odd, [0] * size).startswith("usage")
    assert kind(world.scatter_parts, odd, [1] * (size + 1)).startswith("usage")
    assert kind(world.all_to_all_parts, odd, [0] * size).startswith("usage")
    with pytest.raises(ValueError, match="counts.0.: -1 is negative"):
        world.all_to_all_parts(odd, [-1] * size)
    both = numpy.zeros(size * 4)
    assert "both arrays are in the same memory" in kind(world.all_gather_into, both[:4], both)
    assert "both arrays are in the same memory" in kind(world.all_to_all_into, both, both)
    assert "use all_reduce_in_place" in kind(world.all_reduce_into, both, both, mpi.SUM)
    # What the root alone gets wrong is told to all.
    for error, data, counts in (
        (TypeError, [odd], [1] * size),
        (ValueError, odd, [-1] * size),
        (BufferError, odd[::2], [1] * size),
    ):
        is_root = rank == size - 1
        with pytest.raises(error if is_root else mpi.MpiError):
            world.scatter_parts(data if is_root else None, counts if is_root else None, size - 1)
    # All of them go on.
    assert world.all_gather_objects(rank) == list(range(size))


# In the same jobs, so that fewer are started.
bodies.all += rank_topologies.bodies.all + rank_files.bodies.all
test_on_ranks = bodies.tests()
