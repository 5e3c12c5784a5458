"""Objects as messages: by pickle, by other serializers, by packers."""

from __future__ import annotations

import ctypes
import json
import random
import struct
from dataclasses import dataclass
from typing import Any

import pytest
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)
SIZES = (1, 2, 3, 5)


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double), ("n", ctypes.c_int32)]


@dataclass(frozen=True)
class Name:
    """A class with packers, as upcall bindgen writes them."""

    text: str
    parts: tuple[int, ...] = ()

    def pack(self) -> bytes:
        raw = self.text.encode()
        return struct.pack(f"<I{len(raw)}s{len(self.parts)}q", len(raw), raw, *self.parts)

    @classmethod
    def unpack(cls, data: bytes) -> Name:
        assert isinstance(data, bytes)
        (length,) = struct.unpack_from("<I", data)
        numbers = struct.unpack(f"<{(len(data) - 4 - length) // 8}q", data[4 + length :])
        return cls(data[4 : 4 + length].decode(), numbers)


class Stays:
    def __reduce__(self) -> Any:
        raise RuntimeError("it stays here")


def value(random: random.Random, depth: int = 3) -> Any:
    """Some object."""
    kind = random.randrange(8 if depth else 5)
    if kind < 5:
        made: list[Any] = [None, random.random(), random.randrange(1 << 70), "é" * random.randrange(9), random.randbytes(9)]
        return made[kind]
    items = [value(random, depth - 1) for _ in range(random.randrange(5))]
    if kind == 5:
        return items
    return tuple(items) if kind == 6 else {f"key {index}": item for index, item in enumerate(items)}


@bodies.on(*SIZES)
def objects_are_shared_as_they_were(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    for _ in range(25):
        root, values = random.randrange(size), [value(random) for _ in range(size)]
        mine = values[rank]
        assert world.broadcast_object(mine, root) == values[root]
        assert world.gather_objects(mine, root) == (values if rank == root else None)
        assert world.all_gather_objects(mine) == values
        assert world.scatter_objects(values if rank == root else None, root) == mine
        table = [[value(random) for _ in range(size)] for _ in range(size)]
        assert world.all_to_all_objects(table[rank]) == [row[rank] for row in table]
        texts = [f"{number}," for number in range(size)]
        assert world.all_reduce_object(texts[rank], mpi.SUM) == "".join(texts)
        assert world.reduce_object(texts[rank], lambda a, b: a + b, root) == ("".join(texts) if rank == root else None)
        assert world.scan_object(texts[rank], mpi.SUM) == "".join(texts[: rank + 1])
        assert world.exclusive_scan_object(texts[rank], mpi.SUM) == ("".join(texts[:rank]) if rank else None)
        assert world.all_reduce_object((-rank, rank), mpi.MIN) == (1 - size, size - 1)
        dest, source = (rank + 1) % size, (rank - 1) % size
        assert world.send_receive_object(mine, dest, source) == values[source]
    world.barrier()
    request = world.start_receive_object(tag=5)
    assert not request.test()
    world.barrier()
    sends = [world.start_send_object(["to", rank], (rank + 1) % size, 5)]
    assert request.wait() == ["to", (rank - 1) % size] and request.test() and request.wait() == request.wait()
    status = mpi.Status()
    sends += [world.start_send_object("x" * 50_000, (rank + 1) % size, 6)]
    assert world.matched(tag=6).receive_object() == "x" * 50_000
    sends += [world.start_send_object({}, rank, 8)]
    assert world.receive_object(status=status) == {} and (status.source, status.tag) == (rank, 8)
    mpi.wait_all(sends)


@bodies.on(1, 2, 3)
def classes_travel_by_their_packers(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    for _ in range(10):
        names = [Name("n" * random.randrange(20), tuple(range(random.randrange(9)))) for _ in range(size)]
        mine, peer = names[rank], (rank + 1) % size
        send = world.start_send_object(mine, peer, 1, type=Name)
        message = world.matched(tag=1)
        # The same bytes, whichever language reads them.
        assert message.receive() == names[(rank - 1) % size].pack()
        send.wait()
        send = world.start_send_object(mine, peer, 1, type=Name)
        assert world.receive_object(tag=1, type=Name) == names[(rank - 1) % size]
        send.wait()
        assert world.all_gather_objects(mine, type=Name) == names
        assert world.broadcast_object(mine, size - 1, type=Name) == names[-1]
        assert world.scatter_objects(names if rank == 0 else None, type=Name) == mine
        assert world.all_to_all_objects(names, type=Name) == [mine] * size
        longest = world.all_reduce_object(mine, lambda a, b: max(a, b, key=lambda name: len(name.text)), type=Name)
        assert len(longest.text) == max(len(name.text) for name in names)
    points = world.all_gather_objects(Point(rank / 2, rank), type=Point)
    assert [(point.x, point.n) for point in points] == [(number / 2, number) for number in range(size)]
    with pytest.raises(TypeError, match="send a str as Name: it is none"):
        world.send_object("text", 0, type=Name)
    with pytest.raises(TypeError, match="has no form of its own: leave it out"):
        world.send_object("text", 0, type=str)
    send = world.start_send(b"123", rank)
    with pytest.raises(mpi.MpiError, match="no Point: it has 3 bytes, and a Point has 16") as raised:
        world.receive_object(type=Point)
    assert raised.value.kind == "type"
    send.wait()


@bodies.on(1, 2, 3)
def a_serializer_is_the_programs_choice(world: mpi.Communicator, random: random.Random) -> None:
    twin = world.duplicate()
    twin.serializer = json
    send = twin.start_send_object({"rank": twin.rank}, (twin.rank + 1) % twin.size)
    assert bytes(twin.matched().receive()) == b'{"rank": %d}' % ((twin.rank - 1) % twin.size)
    send.wait()
    assert twin.duplicate().all_gather_objects([twin.rank]) == [[rank] for rank in range(twin.size)]
    with pytest.raises(TypeError, match="not JSON serializable"):
        twin.send_object({1, 2}, 0)
    # The world's own is another.
    assert world.all_gather_objects({world.rank}) == [{rank} for rank in range(world.size)]
    world.serializer = mpi.Pickle(protocol=2)
    assert world.all_gather_objects({world.rank}) == [{rank} for rank in range(world.size)]
    del world.serializer


@bodies.on(1, 2, 3)
def a_value_that_cannot_be_written_is_an_error_on_all_ranks(world: mpi.Communicator, random: random.Random) -> None:
    rank, size = world.rank, world.size
    bad = size - 1
    mine = Stays() if rank == bad else "well"

    def fails(call: Any, *arguments: Any) -> None:
        expected: type[Exception] = RuntimeError if rank == bad else mpi.MpiError
        with pytest.raises(expected, match="it stays here" if rank == bad else f"rank {bad} has failed to give one"):
            call(*arguments)

    fails(world.broadcast_object, mine, bad)
    fails(world.all_gather_objects, mine)
    fails(world.all_reduce_object, mine, mpi.SUM)
    fails(world.scan_object, mine, mpi.SUM)
    fails(world.all_to_all_objects, [mine] * size)
    fails(world.gather_objects, mine, 0)
    with pytest.raises((RuntimeError, mpi.MpiError)):
        world.scatter_objects([mine] * size if rank == bad else None, bad)
    with pytest.raises(mpi.MpiError) as raised:
        world.scatter_objects([1] * (size + 1) if rank == 0 else None, 0)
    assert raised.value.kind == "usage"
    send = world.start_send(b"no pickle", rank)
    with pytest.raises(mpi.MpiError, match="no value that the serializer reads") as raised:
        world.receive_object()
    assert raised.value.kind == "type" and raised.value.__cause__ is not None
    send.wait()
    # All of them go on.
    assert world.all_gather_objects(rank) == list(range(size))


test_on_ranks = bodies.tests()
