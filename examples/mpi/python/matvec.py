"""A matrix times a vector, each with its part of the rows on every rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from upcall import mpi


def matvec(comm: mpi.Communicator, a: Any, x: Any) -> Any:
    """This rank's rows of ``a @ x``, of which it has its rows of ``a`` and its part of ``x``."""
    return a @ comm.all_gather(x).ravel()


with mpi.Environment() as env:
    world = env.world
    each, size = 3, 3 * world.size
    first = world.rank * each
    rows = np.fromfunction(lambda i, j: (i + first) * size + j, (each, size))
    part = np.arange(first, first + each, dtype=np.float64)
    result = world.gather(matvec(world, rows, part), root=0)
    if result is not None:
        whole = np.arange(size * size, dtype=np.float64).reshape(size, size) @ np.arange(size, dtype=np.float64)
        print(f"{size} x {size}: {result.ravel()[:4]}, as on one rank: {np.array_equal(result.ravel(), whole)}")
