"""What all ranks do together: objects and arrays are broadcast, scattered and gathered."""

from __future__ import annotations

import numpy as np

from upcall import mpi

world = mpi.world()
rank, size = world.rank, world.size

# A dictionary for everyone.
data = {"key1": [7, 2.72, 2 + 3j], "key2": ("abc", "xyz")} if rank == 0 else None
data = world.broadcast_object(data, root=0)
assert data["key2"] == ("abc", "xyz")

# An object for each rank, and back.
squares = [(index + 1) ** 2 for index in range(size)] if rank == 0 else None
mine = world.scatter_objects(squares, root=0)
assert mine == (rank + 1) ** 2
everyones = world.gather_objects(mine, root=0)
assert everyones == squares

# An array for everyone, in place.
numbers = np.arange(100, dtype="i") if rank == 0 else np.empty(100, dtype="i")
world.broadcast(numbers, root=0)
assert (numbers == range(100)).all()

# A row of an array for each rank, and back.
rows = np.array([[index] * 100 for index in range(size)], dtype="i") if rank == 0 else None
row = np.empty(100, dtype="i")
world.scatter_into(rows, row, root=0)
assert (row == rank).all()
gathered = world.gather(row, root=0)
assert gathered is None or (gathered == rows).all()

# Rows of different lengths.
parts = world.all_gather_parts(np.full(rank + 1, rank))
assert parts.counts == [index + 1 for index in range(size)]

# What all have, combined: by an operation of MPI's, and by a function that is called with whole arrays.
total = world.all_reduce(np.array([rank, 1]), mpi.SUM)
furthest = world.all_reduce(np.array([0.5, -rank]), lambda a, b: np.where(abs(a) > abs(b), a, b))
names = world.all_reduce_object(f"rank {rank}, ", mpi.SUM)

if rank == 0:
    print(f"scattered and gathered: {everyones}")
    print(f"in parts: {[part.tolist() for part in parts.split()]}")
    print(f"sums: {total}")
    print(f"by a function: {furthest}")
    print(f"joined: {names.rstrip(', ')}")
