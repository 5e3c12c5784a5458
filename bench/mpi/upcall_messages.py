"""Messages between two ranks from Python, and by C in the same process, in turn: LIBRARY SECONDS CASE...

Prints one JSON object per line; `cargo xtask bench mpi` runs it on each MPI.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "bench/peers"), str(root / "bench/mpi/build"), str(root / "sdk/python")]

import numpy as np
from measured.pack import Record, Records
from message_turns import Turns, check

from upcall import mpi

TAG = 1


@dataclass
class Plain:
    """A record as `peers/mpi4py_messages.py` has it."""

    id: int
    name: str
    celsius: float


env = mpi.Environment(threads="single")
world = env.world
rank = world.rank
other = 1 - rank


def told(number):
    shared = np.array([number])
    world.broadcast(shared)
    return int(shared[0])


turns = Turns(rank, told, float(sys.argv[2]), sys.argv[1])


def ping_pong(size):
    data = np.zeros(size, np.uint8)
    ways = [
        turns.in_c("bytes", "upcall_bench_bytes", data, size),
        turns.back_and_forth(
            "Python", "numpy", lambda: world.send(data, other, TAG), lambda: world.receive_into(data, other, TAG)
        ),
    ]
    for number, way in enumerate(ways, 1):
        data.fill(number if rank == 0 else 0)
        way[2](1)
        check((data == number).all(), way)
    turns.measure("ping-pong", ways, size, size, 2)


def records(count):
    dicts = [{"id": n, "name": f"sensor {n}", "celsius": 20 + n / 8} for n in range(count)]
    packed = Records(all=[Record(**record) for record in dicts])

    def way(how, wanted, type=None):
        def received():
            found = receive()
            if len(found if type is None else found.all) != count:
                raise RuntimeError("records: there are others")

        def receive():
            return world.receive_object(other, TAG, type=type)

        found = turns.back_and_forth("Python", how, lambda: world.send_object(wanted, other, TAG, type=type), received)
        if rank == 0:
            world.send_object(wanted, other, TAG, type=type)
            again = receive()
        else:
            again = receive()
            world.send_object(wanted, other, TAG, type=type)
        check(again == wanted, found)
        return found

    ways = [
        way("pack", packed, Records),
        way("pickle", dicts),
        way("pickle, dataclasses", [Plain(**record) for record in dicts]),
    ]
    turns.measure("records", ways, count, 0, 2)


def all_reduce(count):
    data = np.full(2 * count, rank + 1.0)
    source, into = data[:count], data[count:]

    def add(one, two):
        np.add(one, two, out=two)

    def way(how, op):
        def batch(times):
            for _ in range(times):
                world.all_reduce_into(source, into, op)

        return "Python", how, batch

    ways = [
        turns.in_c("MPI_SUM", "upcall_bench_sum", data, count),
        turns.in_c("function", "upcall_bench_function", data, count),
        way("MPI_SUM", mpi.SUM),
        way("function of numpy", add),
    ]
    for each in ways:
        into.fill(0)
        each[2](1)
        check((into == 3).all(), each)
    turns.measure("all-reduce", ways, count, 8 * count, 1)


CASES = {
    "ping-pong": lambda: [ping_pong(4**power) for power in range(12)],
    "records": lambda: records(100),
    "all-reduce": lambda: [all_reduce(4**power) for power in range(11)],
}

try:
    for name in sys.argv[3:]:
        CASES[name]()
    turns.library.upcall_bench_end()
    env.finish()
except Exception as error:
    print(f"error: rank {rank}: {error!r}", file=sys.stderr, flush=True)
    world.abort(1)
