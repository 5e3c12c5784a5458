"""Messages between two ranks by mpi4py, and by C in the same process, in turn: LIBRARY SECONDS CASE...

Prints one JSON object per line; `cargo xtask bench mpi` runs it on each MPI.
"""

import ctypes
import json
import statistics
import sys
import time
from dataclasses import dataclass

import mpi4py

# As in the other programs. Its own default lets all threads call MPI, which costs more.
mpi4py.rc.threads = False

import numpy as np
from mpi4py import MPI

TAG = 1
BATCH = 100e-6
LEAST = 5

world = MPI.COMM_WORLD
rank = world.Get_rank()
other = 1 - rank
library = ctypes.CDLL(sys.argv[1])
seconds = float(sys.argv[2])


@dataclass
class Record:
    id: int
    name: str
    celsius: float


def told(number):
    return world.bcast(number, 0)


def in_c(how, function, data, count):
    run = getattr(library, function)
    run.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.c_long]
    address = data.ctypes.data

    def batch(times):
        code = run(rank, address, count, times)
        if code:
            raise RuntimeError(f"{function}: MPI returns the error {code}")

    return "C", how, batch


def back_and_forth(how, send, receive):
    def batch(times):
        for _ in range(times):
            if rank == 0:
                send()
            receive()
            if rank == 1:
                send()

    return "mpi4py", how, batch


def fitting(batch):
    begun, looks, least = time.perf_counter(), 0, BATCH
    while told(looks < 20 and time.perf_counter() - begun < 50e-3):
        start = time.perf_counter()
        batch(2)
        least = min(least, (time.perf_counter() - start) / 2)
        looks += 1
    return told(min(max(int(BATCH / least), 1), 10_000))


def measure(case, ways, count, size, messages):
    """The least mean of short batches, of all ways in turn: as bench/src/mpi/turns.rs."""
    found = [(fitting(batch), []) for _, _, batch in ways]
    start = time.perf_counter()
    budget = seconds * len(ways)
    turn = 0
    while told(turn < LEAST or time.perf_counter() - start < budget):
        for place in range(len(ways)):
            index = (place + turn) % len(ways)
            times, batches = found[index]
            batch = ways[index][2]
            batch(1)
            begun = time.perf_counter()
            batch(times)
            batches.append((time.perf_counter() - begun) * 1e9 / times / messages)
        turn += 1
    def least(batches):
        return statistics.mean(sorted(batches)[: -(-len(batches) // 10)])

    first = least(found[0][1])
    for (who, how, _), (times, batches) in zip(ways, found):
        row = {
            "case": case, "count": count, "bytes": size, "who": who, "how": how, "nanos": min(batches),
            "median": statistics.median(batches), "more": least(batches) - first, "batches": len(batches),
            "times": times * messages,
        }
        if rank == 0:
            print(json.dumps(row), flush=True)


def check(right, way):
    if not right:
        raise RuntimeError(f"{way[0]} {way[1]}: what arrived is not what was sent")


def ping_pong(size):
    data = np.zeros(size, np.uint8)
    ways = [
        in_c("bytes", "upcall_bench_bytes", data, size),
        back_and_forth(
            "numpy", lambda: world.Send(data, other, TAG), lambda: world.Recv(data, other, TAG)
        ),
    ]
    for number, way in enumerate(ways, 1):
        data.fill(number if rank == 0 else 0)
        way[2](1)
        check((data == number).all(), way)
    measure("ping-pong", ways, size, size, 2)


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

    measure("records", [way("pickle", dicts), way("pickle, dataclasses", objects)], count, 0, 2)


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
        in_c("MPI_SUM", "upcall_bench_sum", data, count),
        in_c("function", "upcall_bench_function", data, count),
        way("MPI_SUM", MPI.SUM),
        way("function of numpy", op),
    ]
    for each in ways:
        into.fill(0)
        each[2](1)
        check((into == 3).all(), each)
    measure("all-reduce", ways, count, 8 * count, 1)
    op.Free()


CASES = {
    "ping-pong": lambda: [ping_pong(4**power) for power in range(12)],
    "records": lambda: records(100),
    "all-reduce": lambda: [all_reduce(4**power) for power in range(11)],
}

try:
    for name in sys.argv[3:]:
        CASES[name]()
    library.upcall_bench_end()
except Exception as error:
    print(f"error: rank {rank}: {error!r}", file=sys.stderr, flush=True)
    world.Abort(1)
