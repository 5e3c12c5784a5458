"""Reductions against plain Python: MPI's operations, functions, what they raise."""

from __future__ import annotations

import array
import functools
import gc
import operator
import random
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpi_operations
import numpy
import pytest
from ranks import LAUNCHERS, ROOT, Bodies, run

from upcall import mpi

bodies = Bodies(__file__)
SIZES = (1, 2, 3, 5)

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
# MPI's operation, numpy's function that says what it is to come to, and the dtypes that have it.
OPERATIONS: list[tuple[mpi.Operator, Callable[..., Any], list[str]]] = [
    (mpi.SUM, numpy.add, INTEGERS + ["f4", "f8", "c8", "c16"]),
    (mpi.PRODUCT, numpy.multiply, INTEGERS + ["f4", "f8"]),
    (mpi.MIN, numpy.minimum, INTEGERS + ["f4", "f8", "?"]),
    (mpi.MAX, numpy.maximum, INTEGERS + ["f4", "f8", "?"]),
    (mpi.LOGICAL_AND, numpy.logical_and, INTEGERS + ["?"]),
    (mpi.LOGICAL_OR, numpy.logical_or, INTEGERS + ["?"]),
    (mpi.LOGICAL_XOR, numpy.logical_xor, INTEGERS + ["?"]),
    (mpi.BIT_AND, numpy.bitwise_and, INTEGERS + ["?"]),
    (mpi.BIT_OR, numpy.bitwise_or, INTEGERS + ["?"]),
    (mpi.BIT_XOR, numpy.bitwise_xor, INTEGERS + ["?"]),
]


def everyones(random: random.Random, ranks: int, count: int, dtype: str) -> list[Any]:
    """What each rank has. Floating-point numbers are whole and small, so that their sums are exact in any order."""
    of = numpy.dtype(dtype)
    if of.kind in "fc":
        return [numpy.array([random.randrange(-8, 8) for _ in range(count)], of) for _ in range(ranks)]
    if of.kind == "b":
        return [numpy.array([random.random() < 0.5 for _ in range(count)], of) for _ in range(ranks)]
    drawn = [numpy.frombuffer(random.randbytes(count * of.itemsize), of) for _ in range(ranks)]
    # Zeros, for what asks whether there are any.
    return [each * numpy.array([random.randrange(3) > 0 for _ in range(count)], of) for each in drawn]


def folded(function: Callable[..., Any], arrays: list[Any]) -> Any:
    result = functools.reduce(function, arrays)
    return result.astype(arrays[0].dtype)


@bodies.on(*SIZES)
def mpis_operations_come_to_what_numpys_do(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    for op, function, dtypes in OPERATIONS:
        for dtype in dtypes:
            count, root = random.randrange(1, 50), random.randrange(size)
            all_have = everyones(random, size, count, dtype)
            mine, expected = all_have[rank], folded(function, all_have)
            # numpy's own function is the same, whether MPI has it or not.
            for by in (op, function):
                total = world.all_reduce(mine, by)
                assert total.dtype == mine.dtype and (total == expected).all(), (by, dtype, total, expected)
            at_root = world.reduce(mine, op, root)
            assert (at_root is None) == (rank != root) and (at_root is None or (at_root == expected).all())
            changed = mine.copy()
            world.all_reduce_in_place(changed, op)
            assert (changed == expected).all()
            assert (world.scan(mine, op) == folded(function, all_have[: rank + 1])).all()
            before = world.exclusive_scan(mine, op)
            assert (before is None) == (rank == 0)
            assert before is None or (before == folded(function, all_have[:rank])).all()
            cuts = sorted(random.randrange(count + 1) for _ in range(size - 1))
            ends = [0, *cuts, count]
            counts = [end - start for start, end in zip(ends, ends[1:])]
            assert (world.reduce_scatter(mine, counts, op) == expected[ends[rank] : ends[rank + 1]]).all()


@bodies.on(*SIZES)
def functions_combine_arrays_of_any_dtype(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    record = numpy.dtype([("low", "i4"), ("high", "i4")])

    def widest(a: Any, b: Any) -> None:
        assert a.dtype == b.dtype == record and a.shape == b.shape
        numpy.minimum(a["low"], b["low"], out=b["low"])
        numpy.maximum(a["high"], b["high"], out=b["high"])

    for _ in range(10):
        count, root = random.randrange(1, 300), random.randrange(size)
        rows = [[(random.randrange(99), random.randrange(99)) for _ in range(count)] for _ in range(size)]
        all_have = [numpy.array(each, record) for each in rows]
        got = world.all_reduce(all_have[rank], widest)
        assert got["low"].tolist() == [min(row[i][0] for row in rows) for i in range(count)]
        assert got["high"].tolist() == [max(row[i][1] for row in rows) for i in range(count)]

        # A function that does not commute: 2 x 2 matrices, as elements of four numbers.
        matrices = [numpy.array([random.randrange(-3, 4) for _ in range(4 * count)], "i8") for _ in range(size)]

        def times(a: Any, b: Any) -> Any:
            a, b = a["of"].reshape(-1, 2, 2), b["of"].reshape(-1, 2, 2)
            made = numpy.empty(len(b), matrix)
            made["of"] = (a @ b).reshape(-1, 4)
            return made

        matrix = numpy.dtype([("of", "i8", (4,))])
        whole = [each.view(matrix) for each in matrices]
        expected = functools.reduce(lambda a, b: a @ b, [each.reshape(-1, 2, 2) for each in matrices]).ravel()
        by = mpi.Operation(times, commutes=False)
        assert (world.all_reduce(whole[rank], by)["of"].ravel() == expected).all()
        at_root = world.reduce(whole[rank], by, root)
        assert at_root is None or (at_root["of"].ravel() == expected).all()
        scanned = world.scan(whole[rank], by)["of"].ravel()
        up_to = functools.reduce(lambda a, b: a @ b, [each.reshape(-1, 2, 2) for each in matrices[: rank + 1]])
        assert (scanned == up_to.ravel()).all()

        for dtype in ("f2", "g", "c16", ">i4"):
            values = everyones(random, size, count, "i2")
            values = [(each % 8).astype(dtype) for each in values]
            got = world.all_reduce(values[rank], lambda a, b: a + b)
            assert got.dtype == dtype and (got == sum(values[1:], values[0])).all()
    total = world.all_reduce(array.array("i", [rank, 5]), lambda a, b: [x + y for x, y in zip(a, b)])
    assert total.tolist() == [sum(range(size)), 5 * size]
    total = world.all_reduce(numpy.float64(rank), lambda a, b: a + b)
    assert total.shape == () and total == sum(range(size))


@bodies.on(2, 3)
def a_function_is_called_once_per_chunk(world: mpi.Communicator, random: random.Random) -> None:
    calls = []

    def add(a: Any, b: Any) -> None:
        calls.append(len(a))
        b += a

    data = numpy.arange(1 << 16, dtype="f8")
    assert (world.all_reduce(data, add) == data * world.size).all()
    assert len(calls) <= 64 and all(count >= 1000 for count in calls), calls
    assert sum(world.all_gather_objects(sum(calls))) >= len(data)


@bodies.on(2)
def what_numba_has_compiled_is_a_function_too(world: mpi.Communicator, random: random.Random) -> None:
    import numba

    @numba.njit
    def larger(a: Any, b: Any) -> None:
        for index in range(len(b)):
            b[index] = max(a[index], b[index])

    data = numpy.arange(1000.0) * (1 - 2 * world.rank)
    assert (world.all_reduce(data, larger) == numpy.arange(1000.0)).all()


@bodies.on(1, 2, 3)
def what_a_function_raises_is_the_cause(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size

    class Odd(Exception):
        pass

    def fails(a: Any, b: Any) -> None:
        raise Odd(f"on rank {rank}")

    kept = []

    def keeps(a: Any, b: Any) -> Any:
        kept.append(a)
        return a + b

    for reduce in (world.all_reduce, world.scan, world.exclusive_scan, world.all_reduce_checked):
        try:
            reduce(numpy.zeros(100), fails)
            assert reduce != world.all_reduce_checked or size == 1
        except mpi.MpiError as error:
            assert error.kind == "operation", error
            if error.__cause__ is not None:
                assert isinstance(error.__cause__, Odd) and "Odd: on rank" in str(error)
            else:
                assert reduce == world.all_reduce_checked and "failed on rank" in str(error)
    # It failed on one rank alone: all hear of it where they ask to.
    if size > 1:
        calls = [0]

        def fails_here(a: Any, b: Any) -> Any:
            calls[0] += 1
            if rank == 0:
                raise Odd
            return a + b

        with pytest.raises(mpi.MpiError) as raised:
            world.all_reduce_checked(numpy.zeros(3), fails_here if world.rank % 2 == 0 else fails)
        assert raised.value.kind == "operation"
        try:
            world.all_reduce(numpy.zeros(3), keeps)
        except mpi.MpiError as error:
            assert "kept after its call" in str(error)
        # What it has kept looks at nothing that is freed.
        kept.clear()
        gc.collect()
    # All of them go on.
    assert world.all_reduce(numpy.ones(1), mpi.SUM) == size


@bodies.on(1, 2, 3)
def what_ends_a_program_comes_out_as_itself(world: mpi.Communicator, random: random.Random) -> None:
    size, data = world.size, numpy.zeros(10)

    def begun(op: Any) -> Any:
        request = world.start_all_reduce(data, op)
        request.wait()
        return request.data

    def tested(op: Any) -> Any:
        request = world.start_scan(data, op)
        while not request.test():
            pass

    def in_rounds(op: Any) -> None:
        made = world.all_reduce_init(data, numpy.zeros(10), op)
        made.start()
        made.wait()

    ways: list[Callable[[Any], Any]] = [lambda op: world.all_reduce(data, op), lambda op: world.reduce(data, op), begun, tested, in_rounds]
    for way in ways:
        for raised in (KeyboardInterrupt(), SystemExit(3), GeneratorExit(), ZeroDivisionError("so")):
            called = []

            def raises(a: Any, b: Any) -> None:
                called.append(True)
                raise raised

            try:
                way(raises)
                assert not called
            except mpi.MpiError as error:
                assert isinstance(raised, Exception) and error.__cause__ is raised and error.kind == "operation"
            except BaseException as error:
                assert error is raised and not isinstance(raised, Exception)
            # It has ended, on all ranks.
            assert world.all_reduce(numpy.ones(1), mpi.SUM) == size
    if size > 1:
        seen = []
        signal.signal(signal.SIGALRM, signal.default_int_handler)

        def waits(a: Any, b: Any) -> Any:
            seen.append(True)
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            while True:
                pass

        try:
            world.reduce(data, waits)
            assert not seen
        except KeyboardInterrupt:
            assert seen == [True]
        world.barrier()


@bodies.on(1, 2)
def what_mpi_does_not_have_is_said(world: mpi.Communicator, random: random.Random) -> None:
    def said(call: Any, *arguments: Any) -> str:
        with pytest.raises(mpi.MpiError) as raised:
            call(*arguments)
        return f"{raised.value.kind}: {raised.value}"

    refused = [
        ("c16", mpi.PRODUCT, "none for complex numbers; give a function of two arrays"),
        ("c16", mpi.MAX, "none for complex numbers"),
        ("?", mpi.SUM, "view them as numpy.uint8"),
        ("f2", mpi.SUM, "MPI has none for them; give a function"),
        ("g", mpi.SUM, "MPI has none for them"),
        ("S3", mpi.MAX, "MPI has none for them"),
        ([("a", "i4")], mpi.SUM, "or their fields as arrays"),
        (">f8", mpi.SUM, "the order of another machine; give array.astype"),
    ]
    for dtype, op, why in refused:
        text = said(world.all_reduce, numpy.zeros(2, dtype), op)
        assert text.startswith("type: all_reduce_into: ") and why in text, text
    assert "it is for integers" in said(world.all_reduce, numpy.zeros(2), mpi.BIT_AND)
    assert "those of the array for what comes of them 4" in said(
        world.all_reduce_into, numpy.zeros(2), numpy.zeros(4, "f4"), mpi.SUM
    )
    assert said(world.all_reduce_into, numpy.zeros(2), numpy.zeros(3), mpi.SUM).startswith("usage")
    assert said(world.reduce_scatter, numpy.zeros(2), [1] * (world.size + 3), mpi.SUM).startswith("usage")
    with pytest.raises(TypeError, match="reduce by a str: give an operation of MPI's, as mpi.SUM"):
        world.all_reduce(numpy.zeros(2), "sum")
    with pytest.raises(TypeError, match="a float has no memory of its own"):
        world.all_reduce(1.5, mpi.SUM)
    with pytest.raises(ValueError, match="MPI has no operation Minus"):
        mpi.Operator("Minus", "MINUS", operator.sub)
    assert repr(mpi.SUM) == "mpi.SUM" and mpi.SUM(2, 3) == 5


@bodies.on(1, 2, 3)
def numbers_may_lie_anywhere(world: mpi.Communicator, random: random.Random) -> None:
    for dtype in ("f8", "i2", "u4"):
        memory = numpy.zeros(1 + 10 * numpy.dtype(dtype).itemsize, "u1")
        data = memory[1:].view(dtype)
        data[:] = world.rank
        expected = sum(range(world.size))
        assert (world.all_reduce(data, mpi.SUM) == expected).all()
        into = numpy.zeros(81, "u1")[1 : 1 + data.nbytes].view(dtype)
        world.all_reduce_into(data, into, lambda a, b: a + b)
        assert (into == expected).all()
        world.all_reduce_in_place(data, mpi.SUM)
        assert (data == expected).all()
    for op in (mpi.SUM, lambda a, b: a + b):
        assert world.all_reduce(numpy.zeros(0), op).shape == (0,)
        assert world.scan(numpy.zeros((0, 3)), op).shape == (0, 3)
    assert (world.all_reduce(numpy.full((2, 3), world.rank), mpi.MAX) == world.size - 1).all()


mpi_operations.add(bodies)

test_on_ranks = bodies.tests()


@pytest.mark.parametrize("name", LAUNCHERS)
def test_structs_of_a_c_program_are_sent_and_received(name: str, tmp_path: Path) -> None:
    source = ROOT / "crates" / "mpi" / "tests" / "mpi" / "c" / "readings.c"
    program = tmp_path / "readings"
    subprocess.run([name.replace("mpirun", "mpicc"), "-std=c11", "-o", program, source], check=True)
    done = run(name, 1, mpi_operations.__file__, ":", "-n", "1", str(program))
    assert done.stdout.count("1 passed") == 2, done.stdout + done.stderr
