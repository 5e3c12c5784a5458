"""Messages between two ranks by mpi4py, and by C in the same process, in turn: LIBRARY SECONDS CASE...

Prints one JSON object per line; `cargo xtask bench mpi` runs it on each MPI.
"""

import sys
from dataclasses import dataclass

import mpi4py

# As in the other programs. Its own default lets all threads call MPI, which costs more.
mpi4py.rc.threads = False

import numpy as np
from message_turns import Turns, check
from mpi4py import MPI

TAG = 1

world = MPI.COMM_WORLD
rank = world.Get_rank()
other = 1 - rank
turns = Turns(rank, lambda number: world.bcast(number, 0), float(sys.argv[2]), sys.argv[1])


@dataclass
class Record:
    id: int
    name: str
    celsius: float


def back_and_forth(how, send, receive):
    return turns.back_and_forth("mpi4py", how, send, receive)


def ping_pong(size):
    data = np.zeros(size, np.uint8)
    ways = [
        turns.in_c("bytes", "upcall_bench_bytes", data, size),
        back_and_forth(
            "numpy", lambda: world.Send(data, other, TAG), lambda: world.Recv(data, other, TAG)
        ),
    ]
    for number, way in enumerate(ways, 1):
        data.fill(number if rank == 0 else 0)
        way[2](1)
        check((data == number).all(), way)
    turns.measure("ping-pong", ways, size, size, 2)


def records(count):
    dicts = [{"id": n, "name": f"sensor {n}", "celsius": 20 + n / 8} for n in range(count)]
    objects = [Record(**record) for record in dicts]

    def way(how, wanted):
        def receive():
            received = world.recv(source=other, tag=TAG)
            if len(received) != count:
                raise RuntimeError("records: there are others")

        found = back_and_forth(how, lambda: world.send(wanted, other, TAG), receive)
        check(world.sendrecv(wanted, other, source=other) == wanted, found)
        return found

    turns.measure("records", [way("pickle", dicts), way("pickle, dataclasses", objects)], count, 0, 2)


def all_reduce(count):
    data = np.full(2 * count, rank + 1.0)
    source, into = data[:count], data[count:]

    def add(one, two, _):
        two = np.frombuffer(two, np.float64)
        np.add(np.frombuffer(one, np.float64), two, out=two)

    op = MPI.Op.Create(add, commute=True)

    def way(how, op):
        def batch(times):
            for _ in range(times):
                world.Allreduce(source, into, op)

        return "mpi4py", how, batch

    ways = [
        turns.in_c("MPI_SUM", "upcall_bench_sum", data, count),
        turns.in_c("function", "upcall_bench_function", data, count),
        way("MPI_SUM", MPI.SUM),
        way("function of numpy", op),
    ]
    for each in ways:
        into.fill(0)
        each[2](1)
        check((into == 3).all(), each)
    turns.measure("all-reduce", ways, count, 8 * count, 1)
    op.Free()


CASES = {
    "ping-pong": lambda: [ping_pong(4**power) for power in range(12)],
    "records": lambda: records(100),
    "all-reduce": lambda: [all_reduce(4**power) for power in range(11)],
}

try:
    for name in sys.argv[3:]:
        CASES[name]()
    turns.library.upcall_bench_end()
except Exception as error:
    print(f"error: rank {rank}: {error!r}", file=sys.stderr, flush=True)
    world.Abort(1)
