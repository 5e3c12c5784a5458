"""A file that all ranks write together: each a run of its own, and then each every n-th number."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from upcall import mpi

with mpi.Environment() as env:
    world = env.world
    rank, size = world.rank, world.size
    folder = Path(world.broadcast_object(tempfile.mkdtemp() if rank == 0 else None, root=0))
    numbers = np.full(10, rank, dtype="i")

    # One behind the other.
    with mpi.File.open(world, folder / "contiguous", write=True, create=True) as file:
        file.view(numbers.dtype)
        file.write_at_all(numbers, rank * len(numbers))

    # By turns: this rank sees one of each `size` numbers, from its own on, as if they lay side by side.
    with mpi.File.open(world, folder / "strided", read=True, write=True, create=True) as file:
        file.view_strided(numbers.dtype, 0, rank, 1, size)
        file.write_all(numbers)
        file.sync()
        assert (file.read_at_all(0, 10, numbers.dtype) == rank).all()

    if rank == 0:
        for name in ("contiguous", "strided"):
            path = folder / name
            print(f"{name}: {np.fromfile(path, dtype='i').tolist()}")
            path.unlink()
        folder.rmdir()
