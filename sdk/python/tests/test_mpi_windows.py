"""Memory of ranks that others read and write, against a plain model, and memory on huge pages."""

from __future__ import annotations

import array
import gc
import math
import random
import threading
import time
from pathlib import Path
from typing import Any

import numpy
import pytest
from ranks import Bodies, run

from upcall import mpi

bodies = Bodies(__file__)


def drawn(random: random.Random, dtype: Any, count: int) -> Any:
    """Small numbers, which a sum of any order has exactly."""
    return numpy.array([random.randrange(5) for _ in range(count)], dtype)


@bodies.on(1, 2)
def memory_of_a_window_outlives_what_it_was_made_over(world: mpi.Communicator, _: random.Random) -> None:
    memory = numpy.zeros(1 << 20, "u1")
    window = mpi.Window.create(world, memory)
    with window.local() as mine:
        kept = mine
    window.free()
    del memory, window
    gc.collect()
    # It is memory still, whoever sees it.
    assert kept[: 1 << 19].sum() >= 0
    # Whatever has a buffer has elements.
    numbers = array.array("d", [0.0] * 4)
    with mpi.Window.create(world, numbers) as window:
        assert window.length(world.rank) == 4
        with window.fence() as epoch:
            epoch.put(array.array("d", [1.0]), world.rank, 1)
    assert list(numbers) == [0.0, 1.0, 0.0, 0.0]


@bodies.on(1, 3)
def buffers_on_huge_pages_go_where_arrays_go(world: mpi.Communicator, random: random.Random) -> None:
    sent, received = mpi.Buf(560_000), mpi.Buf(560_000)
    assert len(sent) == 560_000 and not numpy.asarray(sent).any()
    numbers = sent.array(float)
    numbers[:] = numpy.arange(70_000) + world.rank
    before, after = (world.rank - 1) % world.size, (world.rank + 1) % world.size
    requests = [world.start_receive(received, before, 1), world.start_send(sent, after, 1)]
    assert mpi.wait_all(requests)[0].bytes == 560_000
    assert (received.array() == numpy.arange(70_000) + before).all()
    assert world.all_reduce(numbers, mpi.SUM)[5] == 5 * world.size + world.size * (world.size - 1) / 2
    # It lives as long as an array over it.
    kept = mpi.Buf(1 << 21).array("i8")
    kept[3] = 7
    gc.collect()
    assert kept[3] == 7 and mpi.Buf(1 << 22).array("i8")[3] == 0
    assert memoryview(sent).nbytes == 560_000 and len(mpi.Buf(0)) == 0
    # Where the system gives any.
    given = "[never]" not in Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()

    def lies_there() -> bool:
        huge = mpi.Buf(4 << 20)
        assert not huge.has_huge_pages
        numpy.frombuffer(memoryview(huge), "u1")[:] = 1
        if not huge.has_huge_pages:
            time.sleep(0.05)
            return False
        return True

    # Where memory is in small pieces at the moment, some are given none.
    assert any(lies_there() for _ in range(100 if given else 1)) == given
    with pytest.raises(ValueError):
        mpi.Buf(-1)
    with pytest.raises(mpi.MpiError, match="make a buffer"):
        mpi.Buf(1 << 62)


MODELS: list[tuple[str, Any, Any]] = [
    ("i4", mpi.SUM, numpy.add),
    ("f8", numpy.add, numpy.add),
    ("i8", mpi.BIT_XOR, numpy.bitwise_xor),
    ("f4", mpi.MAX, numpy.maximum),
    ("i2", mpi.SUM, numpy.add),
    ("u8", mpi.BIT_OR, numpy.bitwise_or),
]


@bodies.on(1, 3)
def random_puts_gets_and_sums_are_those_of_a_model(world: mpi.Communicator, random: random.Random) -> None:
    for dtype, op, model in MODELS:
        lengths = [random.randrange(6, 40) for _ in range(world.size)]
        window = mpi.Window.allocate(world, lengths[world.rank], dtype)
        assert [window.length(rank) for rank in range(window.size)] == lengths
        whole = [numpy.zeros(length, dtype) for length in lengths]
        for turn in range(4):
            fence = window.fence() if turn == 0 else None
            for rank in range(world.size):
                to = random.randrange(world.size)
                # Each rank has its own part, as what overlaps has no order.
                room = lengths[to] // world.size
                count = random.randrange(1, room + 1)
                at = room * rank + random.randrange(room - count + 1)
                values = drawn(random, dtype, count)
                there = whole[to][at : at + count]
                there[:] = model(there, values) if turn == 3 else values
                if rank != world.rank:
                    continue
                if fence is not None:
                    fence.put(values, to, at)
                elif turn == 1:
                    window.put(values.tolist(), to, at)
                    assert (window.get(to, at, count) == values).all()
                elif turn == 2:
                    with window.lock(to, "exclusive") as epoch:
                        epoch.put(values, to, at)
                        epoch.flush(to)
                        into = numpy.zeros(count, dtype)
                        epoch.get(into, to, at)
                        epoch.flush()
                        assert (into == values).all()
                else:
                    with window.lock_all() as epoch:
                        epoch.accumulate(values, to, at, op)
            if fence is not None:
                fence.end()
            world.barrier()
            source = random.randrange(world.size)
            into = numpy.empty(lengths[source], dtype)
            with window.fence() as epoch:
                epoch.get(into, source)
            assert (into == whole[source]).all(), (dtype, turn)
        with window.local() as mine:
            assert (mine == whole[world.rank]).all()
        window.free()


@bodies.on(1, 3)
def numbers_are_fetched_and_combined_at_once(world: mpi.Communicator, random: random.Random) -> None:
    rounds, mine = 15, 0
    with mpi.Window.allocate(world, 3 if world.rank == 0 else 0, "i8") as window:
        with window.lock_all() as epoch:
            for _ in range(rounds):
                mine += epoch.fetch_and_op(1, 0, 0, mpi.SUM)
                # A lock of one's own.
                while epoch.compare_and_swap(0, world.rank + 1, 0, 1) != 0:
                    pass
                assert epoch.fetch_and_op(0, 0, 1, mpi.REPLACE) == world.rank + 1
        whole = rounds * world.size
        assert world.all_reduce(numpy.array([mine]), mpi.SUM)[0] == whole * (whole - 1) // 2
        before, swapped = numpy.zeros(2, "i8"), numpy.zeros(1, "i8")
        with window.fence() as fence:
            if world.rank == 0:
                fence.get_accumulate([5, 7], before, 0, 0, mpi.SUM)
        with window.fence() as fence:
            if world.rank == world.size - 1:
                fence.fetch_and_op_into(1, before[:1], 0, 0, mpi.SUM)
                fence.compare_and_swap_into(7, 70, swapped, 0, 1)
        if world.rank == world.size - 1:
            assert (before[0], swapped[0]) == (whole + 5, 7)
            with window.lock(0) as epoch:
                assert epoch.fetch_and_accumulate([1, 1, 1], 0, 0, mpi.PRODUCT).tolist() == [whole + 6, 70, 0]
                assert epoch.load(0, 1) == 70
                assert epoch.load_all(0, 0, 3).tolist() == [whole + 6, 70, 0]


@bodies.on(1, 3)
def accesses_that_are_requests_are_waited_for_each(world: mpi.Communicator, random: random.Random) -> None:
    size, rank = world.size, world.rank
    for dtype, op, model in MODELS:
        values = [drawn(random, dtype, 8) for _ in range(size)]
        after = (rank + 1) % size
        with mpi.Window.allocate(world, 8 * size, dtype) as window:
            with window.lock_all() as epoch:
                puts = [epoch.start_put(values[rank], to, 8 * rank) for to in range(size)]
                mpi.wait_all(puts)
                epoch.flush()
                world.barrier()
                into = numpy.zeros(8 * size, dtype)
                gets = [epoch.start_get(after, 0, 8 * size), epoch.start_get_into(into, after)]
                while gets:
                    gets.pop(mpi.wait_any(gets)).cancel()
                assert into.tolist() == numpy.concatenate(values).tolist()
                read = epoch.start_get(after, 8 * rank, 8)
                status = read.wait()
                assert read.test() and status.bytes == 0 and read.data.tolist() == values[rank].tolist()
                world.barrier()
                sums = 1 if dtype == "i2" else 8
                for at in range(0, 8, sums):
                    epoch.start_accumulate(values[rank][at : at + sums], after, 8 * rank + at, op)
                # Those are waited for by the epoch's end.
            assert all(request.test() for request in puts)
            world.barrier()
            before = (rank - 1) % size
            with window.local() as mine:
                part = mine[8 * before : 8 * before + 8]
                assert part.tolist() == model(values[before], values[before]).tolist(), (dtype, op)
    window = mpi.Window.allocate(world, 2, "i4")
    fence = window.fence()
    fence.end()
    epoch = window.lock_all()
    refused("rank", epoch.start_put, [1], size)
    refused("range", epoch.start_get, 0, 1, 2)
    refused("usage", epoch.start_accumulate, [1], 0, 0, lambda a, b: a)
    with pytest.raises(TypeError, match="the array of int64"):
        epoch.start_get_into(numpy.zeros(2, "i8"), 0)
    room = bytearray(4)
    kept = epoch.start_get_into(room, 0)
    with pytest.raises(BufferError):
        room.extend(b"more")
    epoch.end()
    room.extend(b"more")
    # It has ended with its epoch.
    assert kept.test()
    refused("synchronization", epoch.start_put, [1], 0)
    window.free()


@bodies.on(1, 3)
def some_ranks_access_what_others_expose(world: mpi.Communicator, random: random.Random) -> None:
    record = numpy.dtype([("id", "i4"), ("at", "f8")], align=True)
    before, after = (world.rank - 1) % world.size, (world.rank + 1) % world.size
    with mpi.Window.allocate(world, 2, record) as window:
        with window.expose([before]) as exposure:
            with window.access([after]) as epoch:
                epoch.put(numpy.array([(world.rank, 0.5), (-1, 1.5)], record), after)
                if world.size > 2:
                    with pytest.raises(mpi.MpiError, match="not with that rank") as refused:
                        epoch.put(numpy.zeros(1, record), before)
                    assert refused.value.kind == "synchronization"
        assert exposure.test()
        with window.local() as mine:
            assert mine.tolist() == [(before, 0.5), (-1, 1.5)]


@bodies.on(1, 3)
def a_window_lies_over_memory_of_the_program(world: mpi.Communicator, random: random.Random) -> None:
    before, after = (world.rank - 1) % world.size, (world.rank + 1) % world.size
    huge, plain = mpi.Buf(64).array("i4"), numpy.arange(5)
    over, also = mpi.Window.create(world, huge), mpi.Window.create(world, plain)
    over.put([world.rank + 20], after, 4)
    also.put([world.rank + 10], after, 3)
    gc.collect()
    world.barrier()
    over.free()
    also.free()
    assert huge[4] == before + 20 and plain.tolist() == [0, 1, 2, before + 10, 4]
    with mpi.Window.create(world, bytearray(3)) as bytes_of:
        bytes_of.put(b"ab", after, 1)
        assert bytes_of.get(after, 0, 3) == b"\0ab"
        world.barrier()


@bodies.on(1, 3)
def ranks_of_one_machine_read_each_other_in_place(world: mpi.Communicator, random: random.Random) -> None:
    before, after = (world.rank - 1) % world.size, (world.rank + 1) % world.size
    with mpi.SharedWindow.allocate(world, 4 + world.rank, float) as table:
        with table.local() as mine:
            mine[:] = world.rank + 0.5
        with table.together() as ranks:
            for rank in range(table.size):
                assert ranks[rank].tolist() == [rank + 0.5] * (4 + rank) and not ranks[rank].flags.writeable
            with pytest.raises(mpi.MpiError) as refused:
                ranks[table.size]
            assert refused.value.kind == "rank"
        with table.memory_of(after) as theirs:
            theirs[3] = 100 * world.rank
        world.barrier()
        with table.lock(before) as epoch:
            assert epoch.fetch(before, 3, 1)[0] == 100 * ((before - 1) % world.size)


def refused(kind: str, call: Any, *arguments: Any) -> None:
    with pytest.raises(mpi.MpiError) as error:
        call(*arguments)
    assert error.value.kind == kind, error.value


@bodies.on(1)
def what_is_put_loses_nothing(world: mpi.Communicator, _: random.Random) -> None:
    def says(error: type[Exception], dtype: str, data: Any, *words: str) -> None:
        with mpi.Window.allocate(world, 4, dtype) as window, window.lock(0) as epoch:
            calls = [lambda: epoch.put(data, 0), lambda: epoch.accumulate(data, 0, 0, mpi.SUM)]
            calls.append(lambda: epoch.get_accumulate(data, numpy.zeros(4, dtype), 0, 0))
            calls.append(lambda: epoch.fetch_and_accumulate(data, 0))
            if numpy.size(data) == 1:
                calls.append(lambda: epoch.fetch_and_op(data, 0, 0, mpi.SUM))
                calls.append(lambda: epoch.fetch_and_op_into(data, numpy.zeros(1, dtype), 0))
            if numpy.size(data) == 1 and dtype[0] in "iu":
                calls += [lambda: epoch.compare_and_swap(data, 1, 0), lambda: epoch.compare_and_swap(1, data, 0)]
            for call in calls:
                with pytest.raises(error) as refused:
                    call()
                text = str(refused.value)
                assert str(numpy.dtype(dtype)) in text and all(word in text for word in words), text
            assert (epoch.fetch(0, 0, 4) == 0).all()

    says(TypeError, "i4", numpy.array([1.0]), "float64", "astype('int32')")
    says(TypeError, "i4", numpy.array([1]), "int64")
    says(TypeError, "f4", numpy.array([1.5, 2.5]), "float64")
    says(TypeError, "u4", numpy.array([1], "i4"), "int32")
    says(TypeError, "i8", array.array("d", [1.0]), "float64")
    says(TypeError, "i8", 1.0, "float")
    says(TypeError, "i8", [1, 2.5], "list of float64")
    says(TypeError, "i8", numpy.float64(1), "float64")
    says(TypeError, "f8", [1j], "list of complex128")
    says(TypeError, "i8", "1", "str")
    says(TypeError, "i8", None, "and None is given")
    says(TypeError, "i4", [None], "and None is given")
    says(TypeError, "f8", [1.5, 2, "x"], "and a str is given")
    says(ValueError, "f8", [2**53 + 1], str(2**53 + 1))
    says(ValueError, "f8", 2**53 + 1, str(2**53 + 1))
    says(ValueError, "f8", [0.5, -(2**53) - 1], str(-(2**53) - 1))
    says(ValueError, "f8", numpy.int64(2**53 + 1), str(2**53 + 1))
    for number in (2**53 + 1, 2**63 - 1, -(2**53) - 1):
        says(ValueError, "f8", numpy.array([1, number]), str(number))
    says(ValueError, "f8", numpy.array([2**64 - 1], "u8"), str(2**64 - 1))
    says(ValueError, "f4", [16777217], "16777217")
    says(ValueError, "f4", [True, 16777217, 0.1], "16777217")
    says(ValueError, "i1", [1, 128], "[1, 128]")
    says(ValueError, "u2", -1, "-1")
    says(ValueError, "i8", [1 << 63], str(1 << 63))
    says(ValueError, "u8", 1 << 70, str(1 << 70))
    says(ValueError, "f4", 1e39, "1e+39")
    says(ValueError, "f8", [10**400])
    given = [("f8", numpy.array([1, 2], "i4")), ("i8", numpy.array([3, 4], ">i2")), ("f4", [0.1, 2]), ("i4", numpy.int64(7))]
    given += [("i4", [True, 5]), ("?", [0, 1]), ("c16", [1j, 2.5]), ("u8", [(1 << 64) - 1]), ("i4", []), ("f8", [math.inf, math.nan])]
    given += [("f8", numpy.array([2**53, -(2**53), 2**60])), ("f8", [2**53, 2**70, 0.5]), ("f4", [16777216, 0.1]), ("f8", numpy.uint64(2**63))]
    given += [("S3", [b"a", b"abc"]), ("U2", ["ab", ""]), ("S3", "abc"), ("S3", b"ab"), ("S3", []), ("c16", numpy.array([2**53, 3]))]
    for dtype, data in given:
        with mpi.Window.allocate(world, 4, dtype) as window:
            window.put(data, 0)
            expected = numpy.array(data, dtype).reshape(-1)
            assert window.get(0, 0, expected.size).tobytes() == expected.tobytes()
    for dtype, wrong, error, words in (
        ("S3", [None], TypeError, "and None is given"),
        ("S3", [b"x", 5], TypeError, "and an int is given"),
        ("S3", [1], TypeError, "and an int is given"),
        ("S3", [b"a", b"abcd"], ValueError, "abcd"),
        ("S3", "abcd", ValueError, "abcd"),
        ("U2", ["abc"], ValueError, "abc"),
        ("U2", numpy.str_("abc"), ValueError, "abc"),
    ):
        with mpi.Window.allocate(world, 2, dtype) as window:
            with pytest.raises(error, match=f"put: the window has elements of .*{words}"):
                window.put(wrong, 0)
            assert not any(window.get(0, 0, 2))
    with mpi.Window.allocate(world, 4, "i4") as window, window.lock(0) as epoch:
        for call in (epoch.fetch, epoch.start_get, epoch.load_all):
            with pytest.raises(TypeError, match="^count: wanted is an integer, and a float is given$"):
                call(0, 0, 1.0)  # type: ignore[arg-type]
            with pytest.raises(ValueError, match="^count: -1 is negative$"):
                call(0, 0, -1)
            assert call(0, 0, numpy.int64(2)) is not None  # type: ignore[arg-type]
        for into in (numpy.zeros(1, "i8"), numpy.zeros(1, "f4"), array.array("d", [0.0])):
            with pytest.raises(TypeError, match="get: the window has elements of int32, and the array of"):
                epoch.get(into, 0)
        with pytest.raises(ValueError, match="give one element; there are 2"):
            epoch.fetch_and_op([1, 2], 0)
        room = bytearray(4)
        epoch.get(room, 0)
        with pytest.raises(TypeError):
            epoch.put([1], "0")  # type: ignore[arg-type]


@bodies.on(1, 2)
def a_count_that_is_none_is_an_error_on_all_ranks(world: mpi.Communicator, _: random.Random) -> None:
    last = world.size - 1
    for make in (mpi.Window.allocate, mpi.SharedWindow.allocate):
        for wrong, error in ((-1, ValueError), ("1", TypeError), (None, TypeError), (1 << 70, OverflowError)):
            mine = world.rank == last
            with pytest.raises(error if mine else mpi.MpiError, match="count: " if mine else f"rank {last} has too many"):
                make(world, wrong if mine else 2, "f8")  # type: ignore[arg-type]


@bodies.on(1, 3)
def what_is_wrong_with_a_window_is_an_error(world: mpi.Communicator, random: random.Random) -> None:
    after = (world.rank + 1) % world.size
    window = mpi.Window.allocate(world, 3, "i4")
    refused("rank", window.length, world.size)
    refused("rank", window.lock, -1)
    with pytest.raises(TypeError):
        mpi.Window.allocate(world, 3, object)
    epoch = window.lock(after)
    with pytest.raises(mpi.MpiError, match="put 2 elements at 2 of rank .*: that rank's window has 3 elements"):
        epoch.put([1, 2], after, 2)
    refused("range", epoch.get, numpy.zeros(4, "i4"), after)
    refused("range", epoch.fetch, after, 1 << 62, 1)
    refused("range", epoch.accumulate, [1], after, (1 << 63) - 1, mpi.SUM)
    refused("rank", epoch.put, [1], world.size)
    refused("usage", epoch.accumulate, [1], after, 0, lambda a, b: a)
    with pytest.raises(ValueError):
        epoch.put([1], after, -1)
    # One at a time, and the window ends after it.
    refused("synchronization", window.fence)
    refused("synchronization", window.lock, after)
    refused("synchronization", window.free)
    epoch.end()
    epoch.end()
    refused("synchronization", epoch.put, [1], after)
    with window.local() as stale:
        pass
    with pytest.raises(ZeroDivisionError), window.fence():
        # An exception within an epoch ends it.
        raise ZeroDivisionError
    with mpi.Window.allocate(world, 1, float) as numbers, numbers.lock_all() as some:
        refused("type", some.compare_and_swap, 1.0, 2.0, 0)
    with pytest.raises(TypeError):
        world.all_reduce(numpy.zeros(1), mpi.REPLACE)
    # An epoch that is begun here may be ended by another thread, as all may call.
    other = window.lock_all()
    thread = threading.Thread(target=other.end)
    thread.start()
    thread.join()
    window.free()
    window.free()
    refused("usage", window.fence)
    # What was a window's memory is nobody's now.
    stale[0] = 1
    mpi.Window.allocate(world, 1)
    gc.collect()


test_on_ranks = bodies.tests()


def test_mpi_is_not_finalized_within_an_epoch() -> None:
    program = """
from upcall import mpi
with mpi.Environment() as env:
    window = mpi.Window.allocate(env.world, 1, "i4")
    epoch = window.lock(0)
    del epoch
    try:
        env.finish()
    except mpi.MpiError as error:
        print(error.kind, error)
    window = mpi.Window.allocate(env.world, 1, "i4")
    window.free()
    env.world.abort(0)
"""
    done = run("mpirun.openmpi", 1, "-c", program)
    assert "synchronization finalize MPI: 1 epochs or guards of windows are open" in done.stdout, done.stderr


if __name__ == "__main__":
    bodies.run()
