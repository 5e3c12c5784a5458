"""Files of all ranks, against bytes."""

from __future__ import annotations

import array
import os
import random
import tempfile
from pathlib import Path

import numpy
import pytest
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)  # of the jobs of `test_mpi_collectives`
SIZES = (1, 2, 3)


def fails(kind: str, match: str | None = None) -> pytest.RaisesExc[mpi.MpiError]:
    return pytest.raises(mpi.MpiError, match=match, check=lambda error: error.kind == kind)


def path_of(world: mpi.Communicator, name: str) -> Path:
    return Path(tempfile.gettempdir(), f"upcall-python-{name}-{world.broadcast_object(os.getpid())}")


@bodies.on(*SIZES)
def every_way_of_reading_finds_what_was_written(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    path = path_of(world, "ways")
    with mpi.File.open(
        world, path, read=True, write=True, create_new=True, delete_on_close=True, hints={"cb_nodes": "1"}
    ) as file:
        assert file.path == str(path) and isinstance(file.hints, dict)
        for dtype in ("u1", "i2", "f8", "c16"):
            counts = [random.randrange(1, 60) for _ in range(size)]
            starts = [sum(counts[:other]) for other in range(size)]
            everything = numpy.array([random.randrange(100) for _ in range(sum(counts))], dtype)
            of = [everything[start : start + count] for start, count in zip(starts, counts, strict=True)]
            mine, here = of[rank].copy(), starts[rank]
            file.view(dtype, 3)
            for way in range(6):
                file.set_size(3)
                file.sync()
                if way == 0:
                    file.write_at(mine, here)
                elif way == 1:
                    file.write_at_all(memoryview(mine), here)
                elif way == 2:
                    assert file.seek(here) == here
                    file.write(mine)
                    assert file.position == here + counts[rank]
                elif way == 3:
                    file.seek(here)
                    file.write_all(mine)
                elif way == 4:
                    file.seek_shared(0)
                    file.write_ordered(mine)
                    world.barrier()
                    assert file.position_shared == len(everything)
                else:
                    assert file.start_write_at(mine, here).wait().bytes == mine.nbytes
                file.sync()
                world.barrier()
                assert path.read_bytes()[3:] == everything.tobytes() and file.size == 3 + everything.nbytes
                other = (rank + random.randrange(size)) % size
                wanted, there, count = of[other], starts[other], counts[other]
                got = file.read_at(there, count, dtype)
                assert got.dtype == dtype and (got == wanted).all()
                assert (file.read_at_all(there, count, dtype) == wanted).all()
                file.seek(there)
                assert (file.read(count, dtype) == wanted).all()
                file.seek(-count, os.SEEK_CUR)
                into = numpy.zeros_like(wanted)
                assert file.read_all_into(into) == count and (into == wanted).all()
                into[:] = 0
                request = file.start_read_at(into, there)
                while not request.test():
                    pass
                assert (into == wanted).all() and request.data is into and request.wait().bytes == into.nbytes
                file.seek_shared(0)
                assert (file.read_ordered(counts[rank], dtype) == mine).all()
                world.barrier()
                file.seek_shared(0)
                assert len(file.read_shared(1, dtype)) == 1
                world.barrier()
                assert file.position_shared == size
                # Fewer than are asked for.
                end = len(everything)
                assert (file.read_at(end - 1, 9, dtype) == everything[-1:]).all()
                assert len(file.read_at_all(end, 9, dtype)) == 0
                into = numpy.full(4, 77, dtype)
                assert file.read_at_into(into, end - 1) == 1 and into[1:].tolist() == [77] * 3
                world.barrier()
            file.seek_shared(0)
            file.write_shared(everything[:1])
            world.barrier()
            assert (file.read_at(rank, 1, dtype) == everything[:1]).all()
            world.barrier()
    world.barrier()
    assert not path.exists()


@bodies.on(*SIZES)
def a_view_is_a_part_of_a_file(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    path = path_of(world, "views")
    record = numpy.dtype([("kind", "u1"), ("place", "f8")])
    for dtype in ("i4", "f8", record):
        with mpi.File.open(world, path, read=True, write=True, create=True, truncate=True) as file:
            everything = numpy.zeros(size * 6, dtype)
            everything["kind" if dtype is record else ...] = [random.randrange(100) for _ in range(size * 6)]
            block = random.choice([1, 2, 3])
            file.view_blocks(dtype, 8, block)
            file.write_at_all(everything.reshape(-1, size, block)[:, rank].ravel(), 0)
            file.sync()
            file.view(dtype, 8)
            assert (file.read_at_all(0, len(everything), dtype) == everything).all()
            # The file as 6 rows of as many columns as ranks.
            table = everything.reshape(6, size)
            file.view_strided(dtype, 8, rank, 1, size)
            assert (file.read_at_all(0, 6, dtype) == table[:, rank]).all()
            assert (file.read(9, dtype) == table[:, rank]).all()
            file.view_subarray(dtype, 8, [6, size], [4, 1], [1, rank])
            assert (file.read_at_all(0, 4, dtype) == table[1:5, rank]).all()
            with fails("usage"):
                file.read_ordered(1, dtype)
            if dtype is record:
                # One field of each: its bytes, from where it is in the first to where it is in the next.
                everything["place"] = everything["kind"] / 7
                file.view(dtype, 8)
                file.write_at_all(everything, 0)
                file.sync()
                world.barrier()
                file.view_strided(1, 8, 1, 8, record.itemsize)
                assert (file.read_at_all(0, len(everything), "f8") == everything["place"]).all()
            file.view(3 * everything.itemsize, 8)
            assert file.read_at(1, 3, dtype).tolist() == everything[3:6].tolist()
            with fails("type"):
                file.read_at(0, 2, dtype)
            # What one rank alone gets wrong is told to all.
            with fails("usage"):
                file.view_blocks(dtype, 0, 0 if rank == 0 else 1)
            with fails("usage"):
                file.view_subarray(dtype, 0, [6, size], [7, 1], [0, 0])
            file.set_atomic(True)
            assert file.atomic
            file.preallocate(4096)
            assert file.size == 4096
    world.barrier()
    if rank == 0:
        mpi.File.delete(world, path)
    world.barrier()
    assert not path.exists()


@bodies.on(*SIZES)
def what_is_wrong_is_named(world: mpi.Communicator, random: random.Random) -> None:
    path = path_of(world, "errors")
    with fails("not found", "upcall-python-errors.*`create`"):
        mpi.File.open(world, path)
    with fails("not found"):
        mpi.File.delete(world, path)
    with fails("not found"):
        mpi.File.create(world, path / "in" / "none")
    with fails("usage"):
        mpi.File.open(world, path, create=True)
    with fails("usage"):
        mpi.File.open(world, path, hints={"": "x"})
    with pytest.raises(TypeError):
        mpi.File.open(world, 5)  # type: ignore[arg-type]
    file = mpi.File.create(world, path)
    with fails("access", "not opened to read"):
        file.read_at(0, 1)
    with fails("range"):
        file.seek(-1)
    with fails("range"):
        file.write_at(b"abc", -1)
    with pytest.raises(TypeError):
        file.write_at("text", 0)  # type: ignore[arg-type]
    with pytest.raises(BufferError):
        file.start_read_at(b"read-only", 0)
    kept = array.array("d", [1.5] * 10_000)
    writing = file.start_write_at(kept, 0)
    file.close()
    file.close()
    assert writing.wait().bytes == 80_000
    kept.append(2.5)
    for call in (lambda: file.write_at(b"a", 0), lambda: file.view(4), lambda: file.size, file.sync):
        with fails("usage", "upcall-python-errors.*closed"):
            call()
    with fails("usage", "closed"):
        file.start_write_at(kept, 0)
    kept.append(2.5)
    with fails("exists"):
        mpi.File.open(world, path, write=True, create_new=True)
    with mpi.File.open(world, path) as file:
        assert file.read_at(79_992, 99).hex() == array.array("d", [1.5]).tobytes().hex()
        file.view(8)
        with fails("type", "no whole number"):
            file.read_at(0, 9)
    with mpi.File.open(world, "/dev/full", write=True) as full:
        with fails("no space"):
            full.write_at(bytes(10), 0)
        request = full.start_write_at(bytes(10), 0)
        for _ in range(2):
            with fails("no space"):
                request.wait()
    with fails("lifecycle"):
        mpi.File().sync()
    # One whose block is left by an exception stays open, and MPI closes it at its end.
    with pytest.raises(ZeroDivisionError), mpi.File.open(world, path):
        raise ZeroDivisionError
    world.barrier()
    if world.rank == 0:
        path.unlink()
