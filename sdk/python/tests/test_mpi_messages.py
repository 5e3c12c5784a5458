"""Messages from rank to rank: arrays of all kinds, requests, what is refused."""

from __future__ import annotations

import array
import ctypes
import gc
import random
import threading
from typing import Any

import numpy
import pytest
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)

RECORD = numpy.dtype([("id", "i4"), ("at", "f8", (3,)), ("name", "S5")])
DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g", "c8", "c16", "?", "S7", ">f8", RECORD]


def drawn(random: random.Random, dtype: Any, count: int) -> numpy.ndarray[Any, Any]:
    """An array whose bytes are drawn; of truths, and of floating-point numbers as bits."""
    of = numpy.dtype(dtype)
    data = numpy.frombuffer(random.randbytes(count * of.itemsize), "u1")
    return (data & 1).view(of) if of.kind == "b" else data.view(of)


@bodies.on(2, 3, 5)
def arrays_of_every_dtype_arrive_as_they_were(world: mpi.Communicator, random: random.Random) -> None:
    for _ in range(60):
        dtype, shape = random.choice(DTYPES), (random.randrange(4), random.randrange(60))
        source, dest, tag = random.randrange(world.size), random.randrange(world.size), random.randrange(1000)
        sent = drawn(random, dtype, shape[0] * shape[1]).reshape(shape)
        sends = [world.start_send(sent, dest, tag)] if world.rank == source else []
        if world.rank == dest:
            status = mpi.Status()
            got = world.receive(source, tag, dtype, status)
            assert got.dtype == sent.dtype and got.tobytes() == sent.tobytes() and got.flags.writeable
            assert (status.source, status.tag, status.bytes) == (source, tag, sent.nbytes)
        mpi.wait_all(sends)


@bodies.on(2)
def whatever_has_a_buffer_is_sent_and_received_in_place(world: mpi.Communicator, random: random.Random) -> None:
    def ctypes_array() -> Any:
        return (ctypes.c_double * 4)()

    # What is sent, and room for it.
    cases: list[tuple[Any, Any]] = [
        (b"four", bytearray(4)),
        (bytearray(b"many more"), memoryview(bytearray(9))),
        (array.array("d", [1.5, -2.5]), array.array("d", [0.0] * 2)),
        (array.array("h", range(5)), numpy.zeros(5, "i2")),
        (numpy.arange(12.0).reshape(3, 4), numpy.zeros((4, 3))),
        (numpy.arange(4.0), ctypes_array()),
        (numpy.float64(2.5), numpy.zeros((), "f8")),
        (numpy.arange(20)[4:9], numpy.arange(20)[10:15]),
        (memoryview(array.array("i", range(10)))[2:8], bytearray(24)),
    ]
    for sent, room in cases:
        size = memoryview(sent).nbytes
        if world.rank == 0:
            world.send(sent, 1, 3)
            world.send_synchronous(sent, dest=1, tag=4)
        else:
            status = world.receive_into(room, 0, 3)
            assert (status.bytes, status.count(1), status.cancelled) == (size, size, False)
            assert bytes(memoryview(room)) == bytes(memoryview(sent))
            assert world.receive(0, 4) == bytes(memoryview(sent))
    # There is room for more than arrives.
    if world.rank == 0:
        world.send(numpy.arange(3.0), 1)
    else:
        room = numpy.full(5, 7.0)
        assert world.receive_into(room).count(8) == 3
        assert room.tolist() == [0, 1, 2, 7, 7]
    # A large one, which does not fit into MPI's own memory.
    large = numpy.arange(3 << 20, dtype="u4")
    if world.rank == 0:
        world.send(large, 1)
    else:
        assert (world.receive(0, dtype="u4") == large).all()


@bodies.on(1, 2)
def what_is_empty_is_a_message(world: mpi.Communicator, random: random.Random) -> None:
    peer = (world.rank + 1) % world.size
    for empty in (b"", bytearray(), array.array("d"), numpy.empty(0), numpy.empty((3, 0, 2), "i2")):
        send = world.start_send(empty, peer, 9)
        assert world.receive(tag=9) == b""
        send.wait()
        send = world.start_send(empty, peer, 9)
        assert world.receive_into(bytearray() if isinstance(empty, bytes) else empty, tag=9).bytes == 0
        send.wait()


@bodies.on(1, 2, 3)
def what_cannot_be_is_said_here(world: mpi.Communicator, random: random.Random) -> None:
    def kind(call: Any, *arguments: Any, **named: Any) -> tuple[str, str]:
        with pytest.raises(mpi.MpiError) as raised:
            call(*arguments, **named)
        return raised.value.kind, str(raised.value)

    one = numpy.zeros(1)
    for rank in (world.size, -1, -7, 1 << 20):
        assert kind(world.send, one, rank)[0] == "rank"
        assert kind(world.start_send, one, rank)[0] == "rank"
        if rank != mpi.ANY_SOURCE:
            assert kind(world.receive_into, one, rank)[0] == "rank"
            assert kind(world.receive, rank)[0] == "rank"
            assert kind(world.start_receive, one, rank)[0] == "rank"
            assert kind(world.probe, rank)[0] == "rank"
        assert kind(world.broadcast, one, rank)[0] == "rank"
        assert kind(world.reduce, one, mpi.SUM, rank)[0] == "rank"
    said = kind(world.send, numpy.zeros(3), world.size)[1]
    assert f"send 24 bytes to rank {world.size}" in said and f"has {world.size}, from 0 on" in said, said
    for tag in (-1, -5):
        assert kind(world.send, one, 0, tag)[0] == "tag"
    assert kind(world.receive_into, one, 0, -5)[0] == "tag"
    assert world.largest_tag >= 32767
    with pytest.raises(OverflowError, match="tag: 4294967296 is more than MPI counts"):
        world.send(one, 0, 1 << 32)
    with pytest.raises(TypeError, match="send needs data, dest: dest is missing"):
        world.send(one)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="send has no argument to"):
        world.send(one, 0, to=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="send: an int has no memory of its own; .* or use the form for objects"):
        world.send(3, 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="its elements are Python objects"):
        world.send(numpy.array([object()]), 0)
    with pytest.raises(TypeError, match="its elements are Python objects"):
        world.receive_into(numpy.zeros(1, [("a", "i4"), ("b", "O")]))
    with pytest.raises(BufferError, match="not side by side; give numpy.ascontiguousarray"):
        world.send(numpy.zeros((4, 4)).T[1:], 0)
    with pytest.raises(BufferError, match="not side by side"):
        world.receive_into(numpy.zeros(8)[::2])
    with pytest.raises(BufferError, match="a bytes that is read-only; give a copy"):
        world.receive_into(b"four")
    frozen = numpy.zeros(3)
    frozen.flags.writeable = False
    with pytest.raises(BufferError, match="a ndarray that is read-only"):
        world.receive_into(frozen)
    with pytest.raises(BufferError, match="view it as numbers or bytes"):
        world.send(numpy.zeros(2, "M8[s]"), 0)
    with pytest.raises(TypeError, match="give an mpi.Status"):
        world.start_send(one, world.rank).wait
        world.receive(world.rank, status=3)  # type: ignore[arg-type]
    whole = bytearray(8)
    kind(world.send_receive, whole, 0, memoryview(whole)[4:], 0)


@bodies.on(2, 3)
def a_message_that_is_too_large_is_an_error_and_the_next_one_arrives(
    world: mpi.Communicator, random: random.Random
) -> None:
    for size in (2, 100, 70_000):
        if world.rank == 0:
            world.send(bytes(size), 1, 1)
            world.send(b"next", 1, 1)
        elif world.rank == 1:
            with pytest.raises(mpi.MpiError) as raised:
                world.receive_into(bytearray(size - 1), 0, 1)
            assert raised.value.kind == "truncated", raised.value
            assert world.receive(0, 1) == b"next"
    if world.rank == 0:
        world.send(bytes(7), 1)
    elif world.rank == 1:
        with pytest.raises(mpi.MpiError, match="the message has 7 bytes, no whole number of them") as raised:
            world.receive(0, dtype="i4")
        assert raised.value.kind == "type"


@bodies.on(1, 2, 3)
def a_message_is_looked_for_and_taken(world: mpi.Communicator, random: random.Random) -> None:
    world.barrier()
    assert world.try_probe() is None and world.try_matched(0, 5) is None
    world.barrier()
    peer = (world.rank + 1) % world.size
    sends = [world.start_send(bytes([number]) * number, peer, number) for number in range(1, 5)]
    # In another order than they were sent in.
    for number in (3, 1, 4, 2):
        status = world.probe(tag=number)
        assert (status.tag, status.bytes, status.source) == (number, number, (world.rank - 1) % world.size)
        message = world.matched(status.source, number)
        assert message.status.bytes == number
        if number % 2:
            assert message.receive() == bytes([number]) * number
            with pytest.raises(mpi.MpiError, match="it has been received"):
                message.receive()
        else:
            room = numpy.zeros(number + 1, "u1")
            assert message.receive_into(room).bytes == number
            assert room.tolist() == [number] * number + [0]
    mpi.wait_all(sends)
    # One that nobody receives is thrown away.
    for size in (1, 90_000):
        send = world.start_send(bytes(size), peer, 7)
        message = world.matched(tag=7)
        del message
        send.wait()
        assert world.try_probe(tag=7) is None
        world.barrier()
    # One that has no room.
    send = world.start_send(b"12345", peer, 7)
    with pytest.raises(mpi.MpiError, match="it has 5 bytes, and there is room for 4"):
        world.matched(tag=7).receive_into(bytearray(4))
    send.wait()


@bodies.on(1, 2, 5)
def all_send_and_receive_at_once(world: mpi.Communicator, random: random.Random) -> None:
    for _ in range(20):
        shift, count = random.randrange(world.size), random.randrange(2000)
        into = numpy.zeros(count)
        dest, source = (world.rank + shift) % world.size, (world.rank - shift) % world.size
        status = world.send_receive(numpy.full(count, world.rank, "f8"), dest, into, source, 5, 5)
        assert (status.source, status.bytes) == (source, count * 8) and (into == source).all()


@bodies.on(1, 2, 3, 5)
def requests_end_in_any_order(world: mpi.Communicator, random: random.Random) -> None:
    for _ in range(10):
        sizes = [random.randrange(3000) for _ in range(world.size)]
        received = [numpy.zeros(size, "i4") for size in sizes]
        requests = [world.start_receive(room, rank, 2) for rank, room in enumerate(received)]
        sends = []
        for dest in random.sample(range(world.size), world.size):
            begin = random.choice([world.start_send, world.start_send_synchronous])
            sends.append(begin(numpy.full(sizes[world.rank], world.rank * 10 + dest, "i4"), dest, 2))
        waiting = list(enumerate(requests))
        while waiting:
            index = mpi.wait_any([request for _, request in waiting])
            rank, request = waiting.pop(index)
            status = request.wait()
            assert status is request.wait() and request.test()
            assert (status.source, status.bytes) == (rank, 4 * sizes[rank])
            assert request.data is received[rank] and (received[rank] == rank * 10 + world.rank).all()
        assert all(status.bytes == 0 for status in mpi.wait_all(sends))


@bodies.on(1, 2)
def requests_keep_their_memory(world: mpi.Communicator, random: random.Random) -> None:
    peer = (world.rank + 1) % world.size
    room = bytearray(1 << 17)
    receive = world.start_receive(room, tag=4)
    with pytest.raises(BufferError):
        room.extend(b"more")
    send = world.start_send(bytearray(b"x" * (1 << 17)), peer, 4)
    gc.collect()
    mpi.wait_all([receive, send])
    assert room == b"x" * (1 << 17)
    room.extend(b"more")
    # A receive that nothing arrives for is given up.
    waits = world.start_receive(room, tag=99)
    assert not waits.test()
    waits.cancel()
    status = waits.wait()
    assert (status.cancelled, status.source, status.bytes) == (True, -1, 0)
    waits.cancel()
    # One that is dropped is cancelled, and its memory is free.
    waits = world.start_receive(room, tag=99)
    del waits
    room.extend(b"more")
    # A send that is dropped goes on.
    for size in (10, 1 << 20):
        world.start_send(bytearray(b"y" * size), peer, 5)
        gc.collect()
        assert world.receive(tag=5) == b"y" * size
    with pytest.raises(ValueError, match="there are none"):
        mpi.wait_any([])
    assert mpi.wait_all([]) == []


# On two ranks or more: Open MPI 4.1.4 says nothing of what it has cut off where a rank sends to itself.
@bodies.on(2, 3)
def a_request_that_has_failed_says_so_again(world: mpi.Communicator, random: random.Random) -> None:
    peer = (world.rank + 1) % world.size
    short = world.start_receive(bytearray(3), tag=6)
    send = world.start_send(b"four", peer, 6)
    for _ in range(2):
        with pytest.raises(mpi.MpiError) as raised:
            short.wait()
        assert raised.value.kind == "truncated"
    send.wait()
    short = world.start_receive(bytearray(3), tag=6)
    long, send = world.start_receive(bytearray(9), tag=7), world.start_send(b"four", peer, 6)
    other = world.start_send(b"seven", peer, 7)
    with pytest.raises(mpi.MpiError):
        mpi.wait_all([short, long, send, other])
    assert long.wait().bytes == 5


@bodies.on(2, 3)
def several_threads_receive_from_anyone(world: mpi.Communicator, random: random.Random) -> None:
    THREADS, EACH = 3, 40
    others = world.size - 1
    if world.rank > 0:
        for number in range(THREADS * EACH):
            world.send_object((world.rank, number, "x" * random.randrange(3000)), 0, number % 2)
        return
    received: list[Any] = []
    failed: list[BaseException] = []

    def receive() -> None:
        try:
            for _ in range(EACH * others):
                received.append(world.receive_object()[:2])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=receive) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    assert sorted(received) == [(rank, number) for rank in range(1, world.size) for number in range(THREADS * EACH)]


@bodies.on(1, 2, 5)
def communicators_are_apart(world: mpi.Communicator, random: random.Random) -> None:
    twin = world.duplicate()
    assert (twin.rank, twin.size) == (world.rank, world.size)
    send = world.start_send(b"world", world.rank)
    assert twin.try_probe() is None
    assert world.receive() == b"world"
    send.wait()
    parts = world.split(world.rank % 2, -world.rank)
    assert parts is not None
    members = [rank for rank in reversed(range(world.size)) if rank % 2 == world.rank % 2]
    assert parts.all_gather_objects(world.rank) == members and members[parts.rank] == world.rank
    none = world.split(None if world.rank else 0)
    assert (none is None) == (world.rank > 0)
    with pytest.raises(ValueError, match="a color is 0 or more, or None"):
        world.split(-3)
    own = mpi.own()
    assert (own.rank, own.size, repr(own)) == (0, 1, "<mpi.Communicator: rank 0 of 1>")
    with pytest.raises(mpi.MpiError, match="none that MPI has made"):
        _ = mpi.Communicator().rank


test_on_ranks = bodies.tests()
