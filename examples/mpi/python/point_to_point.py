"""Messages from rank 0 to rank 1: objects, objects without waiting, arrays of numbers."""

from __future__ import annotations

import numpy as np

from upcall import mpi

world = mpi.world()

# Python objects: pickled.
if world.rank == 0:
    world.send_object({"a": 7, "b": 3.14}, dest=1, tag=11)
elif world.rank == 1:
    data = world.receive_object(source=0, tag=11)
    print(f"an object: {data}")

# The same, without waiting.
if world.rank == 0:
    sent = world.start_send_object({"key1": [7, 2.72, 2 + 3j], "key2": ("abc", "xyz")}, dest=1, tag=11)
    sent.wait()
elif world.rank == 1:
    request = world.start_receive_object(source=0, tag=11)
    print(f"without waiting: {request.wait()}")

# Arrays, in place: as fast as in C.
if world.rank == 0:
    world.send(np.arange(1000, dtype="i"), dest=1, tag=77)
elif world.rank == 1:
    numbers = np.empty(1000, dtype="i")
    world.receive_into(numbers, source=0, tag=77)
    print(f"an array: {numbers[:3]} to {numbers[-1]}")

# An array of which the receiver does not know how long it is.
if world.rank == 0:
    world.send(np.arange(100, dtype=np.float64), dest=1, tag=13)
elif world.rank == 1:
    status = mpi.Status()
    numbers = world.receive(source=0, tag=13, dtype=np.float64, status=status)
    print(f"of any length: {len(numbers)} numbers, {status.bytes} bytes of rank {status.source}")
