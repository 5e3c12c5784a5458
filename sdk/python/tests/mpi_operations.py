"""Bodies on ranks: numbers with places, sums with the same bits, handlers as operations, types that are checked, fields."""

from __future__ import annotations

import fractions
import math
import random
from pathlib import Path
from typing import Any

import numpy
import pytest
from ranks import ROOT, Bodies

from upcall import mpi

HANDLERS = ROOT / "crates" / "cli" / "tests" / "handlers"


def add(bodies: Bodies) -> None:
    """Adds all of them."""
    bodies.on(1, 2, 3)(ends_have_places)
    bodies.on(1, 2, 3)(sums_have_the_same_bits)
    bodies.on(2, 3)(handlers_of_any_language_combine)
    bodies.on(1, 2, 3)(checked_messages_arrive_as_what_they_are)
    bodies.on(2)(other_types_are_told_apart)
    bodies.on(2)(structs_travel_field_by_field)


def ends_have_places(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    for letter in ("f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        count, root = random.randrange(0, 30), random.randrange(size)
        low = -2 if letter[0] in "fi" else 0
        drawn = [[(random.randrange(low, 3), whose) for _ in range(count)] for whose in range(size)]
        mine = numpy.array(drawn[rank], mpi.placed(letter))
        least = [min(drawn[whose][index] for whose in range(size)) for index in range(count)]
        most = [max((drawn[whose][index] for whose in range(size)), key=lambda at: (at[0], -at[1])) for index in range(count)]
        assert world.all_reduce(mine, mpi.MIN_WITH_PLACE).tolist() == least
        assert world.all_reduce_checked(mine, mpi.MAX_WITH_PLACE).tolist() == most
        reduced = world.reduce(mine, mpi.MAX_WITH_PLACE, root)
        assert (reduced is None) == (rank != root)
        assert reduced is None or reduced.tolist() == most
    # A number is chosen before a NaN.
    value = numpy.array([(1.0 if rank == size - 1 else math.nan, rank)], mpi.placed())
    assert world.all_reduce(value, mpi.MIN_WITH_PLACE)[0]["place"] == size - 1
    assert world.all_reduce_object((rank % 2, rank), mpi.MAX_WITH_PLACE) == ((1, 1) if size > 1 else (0, 0))
    for wrong in (numpy.zeros(3), numpy.zeros(3, [("value", "f8"), ("place", "i4")]), numpy.zeros(3, [("a", "f8"), ("b", "i4")])):
        with pytest.raises(mpi.MpiError, match="mpi.placed") as refused:
            world.all_reduce(wrong, mpi.MIN_WITH_PLACE)
        assert refused.value.kind == "type"


def sums_have_the_same_bits(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    for _ in range(5):
        count, root = random.randrange(0, 200), random.randrange(size)
        everyones = [
            [math.ldexp(random.uniform(-1, 1), random.randrange(-200, 200)) for _ in range(count)] for _ in range(size)
        ]
        mine = numpy.array(everyones[rank])
        wanted = [math.fsum(everyones[whose][index] for whose in range(size)) for index in range(count)]
        assert world.all_reduce_reproducible(mine).tolist() == wanted
        reduced = world.reduce_reproducible(mine, root)
        assert (reduced is None) == (rank != root)
        assert reduced is None or reduced.tolist() == wanted
        whole = math.fsum(number for of in everyones for number in of)
        assert world.sum_reproducible(mine) == whole
        exact, half = mpi.ExactSum(), mpi.ExactSum()
        for number in everyones[rank][: count // 2]:
            half.add(number)
        exact.add(mine[count // 2 :])
        exact.merge(half)
        assert exact.value == math.fsum(everyones[rank])
        world.all_reduce_exact(exact)
        assert exact.value == whole
        singles = [numpy.ldexp(numpy.array(of, "f4"), 0) for of in [[random.uniform(-9, 9) for _ in range(50)] for _ in range(size)]]
        parts = [fractions.Fraction(float(number)) for of in singles for number in of]
        assert world.sum_reproducible(singles[rank]) == float(numpy.float32(float(sum(parts))))
        each = [sum(fractions.Fraction(float(of[index])) for of in singles) for index in range(50)]
        assert world.all_reduce_reproducible(singles[rank]).tolist() == [float(numpy.float32(float(of))) for of in each]
    assert world.sum_reproducible(numpy.array([math.inf if rank == 0 else 1.0])) == math.inf
    if size > 1:
        with pytest.raises(mpi.MpiError) as refused:
            world.all_reduce_reproducible(numpy.zeros(2 if rank == 0 else 3))
        assert refused.value.kind == "usage"
    with pytest.raises(mpi.MpiError, match="not floats of 32 or 64 bits"):
        world.sum_reproducible(numpy.zeros(3, "i4"))
    sums = mpi.ExactSum(), mpi.ExactSum(32)
    with pytest.raises(mpi.MpiError, match="with itself"):
        sums[0].merge(sums[0])
    with pytest.raises(mpi.MpiError, match="different sizes"):
        sums[0].merge(sums[1])
    with pytest.raises(mpi.MpiError, match="another size"):
        sums[1].add(numpy.zeros(3))
    with pytest.raises(ValueError, match="there are 32 and 64"):
        mpi.ExactSum(16)
    with pytest.raises(TypeError, match=r"mpi\.ExactSum"):
        world.all_reduce_exact(3)  # type: ignore[arg-type]


def handlers_of_any_language_combine(world: mpi.Communicator, random: random.Random) -> None:
    built = ROOT / "build" / "tests"
    handled(world, "native", built / "libhandlers.so", "failure: after ")
    handled(world, "csharp", built / "handlers.dll", "System.ArithmeticException: after ")
    handled(world, "python", HANDLERS / "combines.py", "ArithmeticError: after ")
    array = numpy.zeros(3)
    for guest, file, type, kind, why in (
        ("pyton", "x.py", "Sums", "usage", r"there is no guest pyton \(`python`\?\)"),
        ("python", HANDLERS / "combines.py", "Nobody", "operation", "handler Nobody"),
        ("python", "nothing.py", "Sums", "operation", "nothing.py"),
    ):
        with pytest.raises(mpi.MpiError, match=why) as refused:
            world.all_reduce(array, mpi.HandlerOperation(guest, file, type))
        assert refused.value.kind == kind
    with pytest.raises(mpi.MpiError, match="it combines f64 of 8 bytes, and the elements are f32 of 4") as refused:
        world.all_reduce(numpy.zeros(3, "f4"), mpi.HandlerOperation("python", HANDLERS / "combines.py", "Sums"))
    assert refused.value.kind == "type"


def handled(world: mpi.Communicator, guest: str, file: Path, raised: str) -> None:
    rank, size = world.rank, world.size
    sums = mpi.HandlerOperation(guest, file, "Sums", {"a": "b"})
    for count in (1, 100, 10_000):
        mine = numpy.arange(count) * 0.5 + rank
        assert world.all_reduce(mine, sums).tolist() == (numpy.arange(count) * 0.5 * size + sum(range(size))).tolist()
    last = numpy.array([math.nan if rank == size - 1 else 1.0])
    with pytest.raises(mpi.MpiError) as failed:
        world.all_reduce_checked(last, sums)
    assert failed.value.kind == "operation"
    combined = failed.value.__cause__ is not None and raised in str(failed.value.__cause__)
    assert combined or "failed on rank " in str(failed.value), failed.value
    assert world.all_reduce(numpy.array([combined]), mpi.LOGICAL_OR)[0]
    assert world.all_reduce(numpy.array([2.0]), sums).tolist() == [2.0 * size]
    # What does not commute is combined in the order of the ranks.
    first = mpi.HandlerOperation(guest, file, "First")
    assert world.all_reduce(numpy.full(1000, 7 + rank, "u4"), first).tolist() == [7] * 1000
    assert world.scan(numpy.array([7 + rank], "u4"), first).tolist() == [7]


PAIR = numpy.dtype([("sensor", "u4"), ("value", "f8")], align=True)


def checked_messages_arrive_as_what_they_are(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    after, before = (rank + 1) % size, (rank - 1) % size
    for on in (True, False):
        checked = world.checked(on)
        assert (checked.is_on, checked.rank, checked.size) == (on, rank, size)
        for tag in range(3):
            counts = [random.randrange(30) for _ in range(size)]
            all_of = [numpy.array([(index, whose * 0.5) for index in range(counts[whose])], PAIR) for whose in range(size)]
            into = numpy.zeros(40, PAIR)
            status = checked.send_receive(all_of[rank], after, into, before, tag, tag, "Pair", "Pair")
            assert status.count(PAIR.itemsize) == counts[before]
            assert into[: counts[before]].tolist() == all_of[before].tolist()
            if rank == 0:
                for other in range(1, size):
                    checked.send(numpy.array([1.5 * other], "f4"), other, 9)
                    checked.send(all_of[0], other, 9, "Pair")
            else:
                told = mpi.Status()
                assert checked.receive("f4", 0, status=told).tolist() == [1.5 * rank]
                assert (told.source, told.tag, told.bytes) == (0, 9, 4)
                assert checked.receive(PAIR, tag=9, type="Pair").tolist() == all_of[0].tolist()
        assert checked.together(float).all_reduce(numpy.array([2.0]), mpi.SUM).tolist() == [2.0 * size]
    assert not mpi.Communicator.checked(world, wanted=rank > 0).is_on


def other_types_are_told_apart(world: mpi.Communicator, random: random.Random) -> None:
    checked = world.checked(True)
    other = numpy.dtype([("value", "f8"), ("sensor", "u4")], align=True)
    mine = ["i32 of 4 bytes: rank 1 has i64", "i64 of 8 bytes: rank 0 has i32"][world.rank]
    with pytest.raises(mpi.MpiError, match=mine) as mixed:
        checked.together(["i4", "i8"][world.rank])
    assert mixed.value.kind == "type"
    if world.rank == 1:
        checked.send(numpy.zeros(2), 0, 3)
        checked.send(numpy.zeros(2, PAIR), 0, 4, "Pair")
        checked.send(numpy.zeros(2), 0, 5)
    else:
        sent = "receive from rank 1 with tag 3: it sent f64 of 8 bytes, and this rank receives f32 of 4 bytes"
        with pytest.raises(mpi.MpiError, match=sent) as told:
            checked.receive("f4", 1, 3)
        assert told.value.kind == "type"
        with pytest.raises(mpi.MpiError, match="it sent Pair of 16 bytes with other fields"):
            checked.receive(other, 1, 4, "Pair")
        with pytest.raises(mpi.MpiError) as told:
            checked.receive_into(numpy.zeros(1), 1, 5)
        assert told.value.kind == "truncated"
    with pytest.raises(mpi.MpiError, match="is a struct; give its name"):
        checked.send(numpy.zeros(2, PAIR), 0)
    with pytest.raises(mpi.MpiError, match="no number of this machine's"):
        checked.send(numpy.zeros(2, "c16"), 0)


def structs_travel_field_by_field(world: mpi.Communicator, random: random.Random) -> None:
    inner = numpy.dtype([("small", "u1"), ("wide", "i8")], align=True)
    outer = numpy.dtype([("odd", "?"), ("pairs", inner, 2), ("numbers", "f4", 3)], align=True)
    datatype = mpi.Datatype(world, outer)
    mine = numpy.array([(True, [(1, -2), (3, -4)], [0.5, 1.5, 2.5]), (False, [(5, 6), (7, 8)], [9, 10, 11])], outer)
    if world.rank == 1:
        world.send_typed(mine, datatype, 0, 2)
        world.send_typed(mine, datatype, 0, 3)
        world.broadcast_typed(mine, datatype, 1)
    else:
        told = mpi.Status()
        assert str(world.receive_typed(datatype, 1, 2, told)) == str(mine)
        assert (told.source, told.tag) == (1, 2)
        room = numpy.zeros(3, outer)
        assert world.receive_typed_into(room, datatype, 1, 3) == 2
        assert str(room[:2]) == str(mine)
        room = numpy.zeros(2, outer)
        world.broadcast_typed(room, datatype, 1)
        assert str(room) == str(mine)
    overlaps = numpy.dtype({"names": ["a", "b"], "formats": ["u4", "u2"], "offsets": [0, 2]})
    with pytest.raises(mpi.MpiError, match="overlap"):
        mpi.Datatype(world, overlaps)
    with pytest.raises(mpi.MpiError, match="the datatype is of struct of"):
        world.send_typed(numpy.zeros(3, "u1"), datatype, 0)


READING = numpy.dtype([("sensor", "u4"), ("value", "f8"), ("tags", "i2", 3), ("level", "u1")], align=True)


def beside_c() -> None:
    """Rank 0, beside a rank in C: ``crates/mpi/tests/mpi/c/readings.c``."""
    stream = random.Random(5)
    with mpi.Environment() as env:
        world = env.world
        reading = mpi.Datatype(world, READING)
        for round in range(8):
            count = stream.randrange(1000)
            mine = numpy.zeros(count, READING)
            for one in mine:
                one["sensor"], one["value"] = stream.randrange(2**32 - 1), stream.uniform(-1, 1)
                one["tags"], one["level"] = [stream.randrange(-30000, 30000) for _ in range(3)], stream.randrange(256)
            wanted: Any = mine.copy()
            wanted["sensor"] += 1
            wanted["value"] *= 2
            wanted["tags"] *= -1
            wanted["level"] ^= 255
            world.send_typed(mine, reading, 1, 5)
            if round % 2:
                found = numpy.zeros(count + 3, READING)
                assert world.receive_typed_into(found, reading, 1, 6) == count
                found = found[:count]
            else:
                found = world.receive_typed(reading, 1, 6)
            assert (found == wanted).all() and len(found) == count
            world.broadcast_typed(mine, reading, 1)
            assert (mine == wanted).all()
    print("1 passed")


if __name__ == "__main__":
    beside_c()
