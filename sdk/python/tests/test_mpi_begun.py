"""Calls that go on while the program works, once or in rounds: of all ranks, in partitions, from the buffer, of any size."""

from __future__ import annotations

import array
import functools
import gc
import operator
import os
import random
import signal
import threading
import time
from typing import Any

import numpy
import pytest
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)

DTYPES: list[Any] = ["i1", "u2", "i4", "f4", "f8", "c16", "?", numpy.dtype([("id", "i4"), ("at", "f8", (3,))])]


def drawn(random: random.Random, dtype: Any, count: int) -> numpy.ndarray[Any, Any]:
    of = numpy.dtype(dtype)
    data = numpy.frombuffer(random.randbytes(count * of.itemsize), "u1")
    return (data & 1).view(of) if of.kind == "b" else data.view(of)


def refused(kind: str, call: Any, *arguments: Any) -> str:
    with pytest.raises(mpi.MpiError) as raised:
        call(*arguments)
    assert raised.value.kind == kind, raised.value
    return str(raised.value)


def same(found: Any, wanted: Any) -> None:
    assert numpy.asarray(found).tobytes() == numpy.asarray(wanted).tobytes(), (found, wanted)


@bodies.on(1, 3)
def begun_collectives_move_what_the_waiting_ones_do(world: mpi.Communicator, random: random.Random) -> None:
    size, rank = world.size, world.rank
    for _ in range(25):
        dtype, count, root = random.choice(DTYPES), random.randrange(30), random.randrange(size)
        all = [drawn(random, dtype, count) for _ in range(size)]
        to_all = [drawn(random, dtype, count * size) for _ in range(size)]
        counts = [random.randrange(20) for _ in range(size)]
        shares = [[random.randrange(9) for _ in range(size)] for _ in range(size)]
        varied = [drawn(random, dtype, count) for count in counts]
        shared = [drawn(random, dtype, sum(share)) for share in shares]
        copy = all[root] if rank == root else numpy.empty(count, dtype)
        own, scattered = numpy.empty(counts[rank], dtype), numpy.empty(count, dtype)
        received = world.start_receive_any_size((rank - 1) % size, 5, dtype)
        requests: list[Any] = [
            world.start_barrier(),
            world.start_broadcast(copy, root),
            world.start_gather(all[rank], root),
            world.start_all_gather(all[rank]),
            world.start_scatter(numpy.concatenate(all) if rank == root else None, scattered, root),
            world.start_all_to_all(to_all[rank]),
            world.start_gather_parts(varied[rank], counts, root),
            world.start_all_gather_parts(varied[rank], counts),
            world.start_scatter_parts(numpy.concatenate(varied) if rank == root else None, counts, own, root),
            world.start_all_to_all_parts(shared[rank], shares[rank], [share[rank] for share in shares]),
            received,
            world.start_send(varied[rank], (rank + 1) % size, 5),
        ]
        gc.collect()
        how = random.randrange(3)
        if how == 0:
            assert len(mpi.wait_all(requests)) == 12
        elif how == 1:
            while mpi.test_all(requests) is None:
                pass
        else:
            left = list(requests)
            while left:
                ended = mpi.wait_some(left)
                left = [request for index, request in enumerate(left) if index not in ended]
        assert mpi.test_any(requests) == 0 and len(mpi.test_some(requests)) == 12
        data = [request.data for request in requests]
        assert data[1] is copy
        same(copy, all[root])
        assert (data[2] is not None) == (rank == root) == (data[6] is not None)
        if rank == root:
            same(data[2], all)
            same(data[6], numpy.concatenate(varied))
        assert data[3].shape == (size, count) and data[3].dtype == numpy.dtype(dtype)
        same(data[3], all)
        same(scattered, all[rank])
        same(data[5], numpy.concatenate([array[count * rank : count * (rank + 1)] for array in to_all]))
        same(data[7], numpy.concatenate(varied))
        same(own, varied[rank])
        starts = [sum(share[:rank]) for share in shares]
        same(data[9], numpy.concatenate([s[at : at + n[rank]] for s, at, n in zip(shared, starts, shares, strict=True)]))
        same(data[10], varied[(rank - 1) % size])
        assert received.wait().source == (rank - 1) % size
    # Whatever has a buffer.
    got = world.start_all_gather(array.array("h", [rank, -rank]))
    got.wait()
    assert got.data == array.array("h", [n for of in range(size) for n in (of, -of)])


@bodies.on(1, 3)
def begun_reductions_combine_what_the_waiting_ones_do(world: mpi.Communicator, random: random.Random) -> None:
    size, rank = world.size, world.rank

    def left(a: Any, b: Any) -> None:
        b[...] = a

    cases: list[tuple[Any, Any]] = [
        (mpi.SUM, operator.add),
        (mpi.MAX, numpy.maximum),
        (numpy.add, operator.add),
        (lambda a, b: a | b, operator.or_),
        (mpi.Operation(left, commutes=False), lambda a, b: a),
    ]
    for op, by in cases:
        count, root = random.randrange(1, 40), random.randrange(size)
        counts = [random.randrange(9) for _ in range(size)]
        values = [numpy.array([random.randrange(50) for _ in range(count)], "i8") for _ in range(size)]
        parts = [numpy.array([random.randrange(50) for _ in range(sum(counts))], "i8") for _ in range(size)]
        requests = [
            world.start_reduce(values[rank], op, root),
            world.start_all_reduce(values[rank], op),
            world.start_reduce_scatter(parts[rank], counts, op),
            world.start_scan(values[rank], op),
            world.start_exclusive_scan(values[rank], op),
        ]
        gc.collect()
        mpi.wait_all(requests)
        reduced, all_reduced, scattered, scanned, before = (request.data for request in requests)
        assert (reduced is not None) == (rank == root)
        if rank == root:
            same(reduced, functools.reduce(by, values))
        same(all_reduced, functools.reduce(by, values))
        same(scattered, functools.reduce(by, parts)[sum(counts[:rank]) : sum(counts[: rank + 1])])
        same(scanned, functools.reduce(by, values[: rank + 1]))
        if rank > 0:
            same(before, functools.reduce(by, values[:rank]))


@bodies.on(3)
def what_a_function_raises_comes_out_of_the_wait(world: mpi.Communicator, random: random.Random) -> None:
    def fails(a: Any, b: Any) -> Any:
        raise LookupError("not these")

    raised = 0
    request = world.start_all_reduce(numpy.arange(3), fails)
    del fails
    gc.collect()
    try:
        request.wait()
    except mpi.MpiError as error:
        raised = 1
        assert error.kind == "operation" and isinstance(error.__cause__, LookupError)
        refused("operation", request.wait)
        refused("operation", request.test)
    assert world.all_reduce(numpy.array([raised]), mpi.MAX)[0] == 1


@bodies.on(3)
def a_round_whose_function_raises_is_none_of_the_others(world: mpi.Communicator, random: random.Random) -> None:
    turn = 0

    def adds(a: Any, b: Any) -> Any:
        if turn == 1:
            raise LookupError("not now")
        return a + b

    again = world.all_reduce_init(numpy.arange(3), numpy.empty(3, "i8"), adds)
    for turn in range(3):
        raised = 0
        again.start()
        try:
            again.wait()
            assert turn == 1 or again.data.tolist() == [0, 3, 6]
        except mpi.MpiError as error:
            assert error.kind == "operation" and turn == 1 and "not now" in str(error.__cause__)
            raised = 1
        assert world.all_reduce(numpy.array([raised]), mpi.MAX)[0] == (turn == 1)


@bodies.on(1, 3)
def requests_are_started_again_and_again(world: mpi.Communicator, random: random.Random) -> None:
    size, rank = world.size, world.rank
    after, before, root = (rank + 1) % size, (rank - 1) % size, size - 1
    counts = list(range(1, size + 1))
    mine, sums, scanned = numpy.zeros(4), numpy.zeros(4), numpy.zeros(4)
    come, shared, all = numpy.zeros(6), numpy.zeros(2, "i4"), numpy.zeros((size, 4))
    part, parts, own = numpy.zeros(rank + 1, "i2"), numpy.zeros(sum(counts), "i2"), numpy.zeros(rank + 1, "i2")
    gathered, one, exchanged = numpy.zeros((size, 4)), numpy.zeros(4), numpy.zeros(size)
    side, to_all = numpy.zeros(sum(counts), "i2"), numpy.zeros(size)
    share, earlier = numpy.zeros(1), numpy.zeros(4)
    shares, into_shares = [rank + 1] * size, counts
    sent_parts, come_parts = numpy.zeros((rank + 1) * size), numpy.zeros(sum(counts))
    receive, send = world.receive_init(come, before, 1), world.send_init(mine, after, 1)
    assert "was not started" in refused("usage", send.wait)
    requests = [
        receive,
        send,
        world.barrier_init(),
        world.broadcast_init(shared, root),
        world.all_gather_init(mine, all),
        world.gather_init(mine, gathered, root),
        world.scatter_init(all.copy() * 0 + 3, one, root),
        world.all_to_all_init(to_all, exchanged),
        world.gather_parts_init(part, counts, side, root),
        world.all_gather_parts_init(part, counts, parts),
        world.scatter_parts_init(numpy.arange(sum(counts), dtype="i2"), counts, own, root),
        world.all_to_all_parts_init(sent_parts, shares, come_parts, into_shares),
        world.all_reduce_init(mine, sums, mpi.SUM),
        world.reduce_init(mine, numpy.zeros(4), lambda a, b: a + b, root),
        world.reduce_scatter_init(to_all, share, [1] * size, mpi.SUM),
        world.scan_init(mine, scanned, numpy.fmax),
        world.exclusive_scan_init(mine, earlier, mpi.SUM),
        world.send_synchronous_init(shared[:1].copy(), rank, 9),
        world.receive_init(numpy.zeros(1, "i4"), rank, 9),
    ]
    for turn in range(4):
        value = [of * 2.0 + turn for of in range(size)]
        mine[:], shared[:], part[:] = value[rank], turn if rank == root else -1, value[rank]
        to_all[:], sent_parts[:] = value[rank], value[rank]
        for request in requests:
            request.start()
            assert request.active
            refused("usage", request.start)
        gc.collect()
        statuses = mpi.wait_all(requests)
        assert (statuses[0].source, statuses[0].count(8)) == (before, 4)
        assert receive.test() and receive.wait().bytes == 32 and not receive.active
        assert come.tolist() == [value[before]] * 4 + [0] * 2
        assert shared.tolist() == [turn] * 2
        assert all.tolist() == [[of] * 4 for of in value]
        assert not rank == root or gathered.tolist() == all.tolist()
        assert one.tolist() == [3] * 4 and exchanged.tolist() == value
        varied = [int(of) for rank, of in enumerate(value) for _ in range(rank + 1)]
        assert parts.tolist() == varied and (rank != root or side.tolist() == varied)
        assert own.tolist() == list(range(sum(counts)))[sum(counts[:rank]) : sum(counts[: rank + 1])]
        assert come_parts.tolist() == varied
        assert sums.tolist() == [sum(value)] * 4 and share.tolist() == [sum(value)]
        assert not rank == root or requests[13].data.tolist() == [sum(value)] * 4
        assert scanned.tolist() == [value[rank]] * 4
        assert rank == 0 or earlier.tolist() == [sum(value[:rank])] * 4
    # One that nobody waits for; and buffers that are lent stay as they are.
    room = bytearray(8)
    lent = world.receive_init(room, before, 2)
    lent.start()
    with pytest.raises(BufferError):
        room.extend(b"more")
    del lent
    gc.collect()


@bodies.on(1, 3)
def what_does_not_fit_is_an_error_that_says_so(world: mpi.Communicator, random: random.Random) -> None:
    size = world.size
    data = numpy.zeros(2)
    refused("rank", world.start_broadcast, data, size)
    refused("usage", world.start_all_gather, data, numpy.zeros(2 * size + 1))
    refused("usage", world.start_all_gather_parts, data, [2] * (size + 1))
    refused("usage", world.start_all_reduce, data, mpi.SUM, numpy.zeros(3))
    assert "same memory" in refused("usage", world.start_all_reduce, data, mpi.SUM, data)
    assert "same memory" in refused("usage", world.all_reduce_init, data, data, mpi.SUM)
    refused("type", world.start_all_reduce, numpy.zeros(2, "S3"), mpi.SUM)
    odd = numpy.frombuffer(bytearray(17), "u1")[1:].view("f8")
    assert "multiples of their size" in refused("usage", world.start_all_reduce, odd, mpi.SUM)
    with pytest.raises(BufferError):
        world.start_all_gather(data, b"read-only")
    with pytest.raises(ValueError, match="counts.0.: -1 is negative"):
        world.start_all_gather_parts(data, [-1] * size, numpy.zeros(2))
    with pytest.raises(TypeError):
        world.start_all_reduce(data, "sum")
    if size > 1:
        refused("usage", world.start_all_to_all, numpy.zeros(size + 1))
    with pytest.raises(ValueError):
        mpi.wait_some([])
    receive = world.start_receive_any_size(world.rank, 71, "f8")
    assert not receive.test()
    refused("usage", lambda: receive.data)
    sent = world.start_send(b"seven b", world.rank, 71)
    refused("type", receive.wait)
    refused("type", receive.test)
    sent.wait()


@bodies.on(1, 3)
def buffered_sends_return_whether_or_not_anybody_receives(world: mpi.Communicator, random: random.Random) -> None:
    after, before = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    data = numpy.full(100_000, float(world.rank))
    refused("buffer", world.send_buffered, data, after)
    env = mpi.environment()
    with env.attach_buffer(1 << 20) as buffer:
        refused("usage", env.attach_buffer, 1)
        refused("buffer", world.send_buffered, bytes(2 << 20), after)
        world.send_buffered(data, after, 3)
        assert buffer.used >= 0
        assert (world.receive(before, 3, float) == before).all()
        # With a request, which has ended already, and in rounds.
        request = world.start_send_buffered(data[:9], after, 4)
        assert request.test()
        rounds = world.send_buffered_init(data[:3], after, 4)
        for turn in range(3):
            data[:3] = turn
            rounds.start()
            refused("usage", rounds.start)
            # It is sent as it was when the round was started.
            data[:3] = -1
            rounds.wait()
        assert (world.receive(before, 4, float) == before).all()
        assert [world.receive(before, 4, float).tolist() for _ in range(3)] == [[turn] * 3 for turn in range(3)]
        large = world.send_buffered_init(bytes(2 << 20), after)
        refused("buffer", large.start)
    buffer.detach()
    refused("usage", lambda: buffer.used)
    refused("buffer", rounds.start)
    refused("buffer", world.start_send_buffered, data, after)
    with pytest.raises(ValueError):
        env.attach_buffer(-1)
    # One that is forgotten is in nobody's way.
    forgotten = env.attach_buffer(100)
    world.send_buffered(bytes(100), after, 4)
    refused("usage", env.attach_buffer, 1000)
    del forgotten
    with env.attach_buffer(1000):
        world.send_buffered(bytes(101), after, 4)
        assert [len(world.receive(before, 4)) for _ in range(2)] == [100, 101]


@bodies.on(1, 3)
def ready_and_synchronous_sends_go_to_who_waits(world: mpi.Communicator, random: random.Random) -> None:
    after, before = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    data, come = numpy.full(5, world.rank), numpy.zeros(5, int)
    ready, rounds = world.send_ready_init(data, after, 5), world.receive_init(come, before, 5)
    for _ in range(3):
        receive = world.start_receive(come, before, 6)
        world.barrier()
        world.start_send_ready(data, after, 6).wait()
        assert receive.wait().count(come.itemsize) == 5 and come.tolist() == [before] * 5
        come[:] = -1
        rounds.start()
        world.barrier()
        mpi.start_all([ready])
        refused("usage", mpi.start_all, [rounds])
        mpi.wait_all([ready, rounds])
        assert come.tolist() == [before] * 5
    # One that is received has ended, and not before.
    request = world.start_send_synchronous(data, after, 7)
    world.barrier()
    assert not request.test()
    world.barrier()
    world.receive_into(come, before, 7)
    request.wait()
    refused("rank", world.start_send_ready, data, world.size)
    refused("rank", world.send_ready_init, data, world.size)


@bodies.on(1, 3)
def partitions_are_sent_when_they_are_ready(world: mpi.Communicator, random: random.Random) -> None:
    after, before = (world.rank + 1) % world.size, (world.rank - 1) % world.size
    sent, come = numpy.zeros(12, "i4"), numpy.zeros(12, "i4")
    if mpi.environment().standard < (4, 0):
        assert "MPI_Psend_init" in refused("unsupported", world.partitioned_send_init, sent, 4, after)
        return
    refused("usage", world.partitioned_send_init, sent, 5, after)
    send, receive = world.partitioned_send_init(sent, 4, after, 7), world.partitioned_receive_init(come, 3, before, 7)
    refused("usage", send.ready, 0)
    refused("usage", receive.wait)
    for turn in range(3):
        receive.start()
        send.start()
        refused("usage", send.start)

        def fill(part: int, turn: int = turn) -> None:
            sent[part * 3 : part * 3 + 3] = world.rank * 100 + turn * 10 + part
            send.ready(part)

        threads = [threading.Thread(target=fill, args=(part,)) for part in (3, 0, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        refused("usage", send.ready, 2)
        refused("usage", send.ready, 4)
        refused("usage", send.arrived, 0)
        sent[3:6] = -1
        send.wait()
        while not all(receive.arrived(part) for part in range(3)):
            pass
        assert receive.active
        receive.wait()
        expected = [-1 if part == 1 else before * 100 + turn * 10 + part for part in range(4)]
        assert come.tolist() == [number for number in expected for _ in range(3)]


@bodies.on(1)
def long_waits_hear_signals(world: mpi.Communicator, random: random.Random) -> None:
    class Heard(Exception):
        pass

    def heard(*_: object) -> None:
        raise Heard

    before = signal.signal(signal.SIGUSR1, heard)
    try:
        room = numpy.zeros(1)
        requests: list[Any] = [
            world.start_receive(room, 0, 80),
            world.receive_init(numpy.zeros(1), 0, 81),
            world.start_receive_any_size(0, 82, float),
        ]
        requests[1].start()
        for tag, request in enumerate(requests, 80):
            killer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1))
            killer.start()
            began = time.monotonic()
            with pytest.raises(Heard):
                request.wait()
            assert time.monotonic() - began < 30
            killer.join()
            # It goes on.
            assert not request.test()
            sent = world.start_send(numpy.array([float(tag)]), 0, tag)
            request.wait()
            sent.wait()
            assert request.data[0] == tag
    finally:
        signal.signal(signal.SIGUSR1, before)


test_on_ranks = bodies.tests()
