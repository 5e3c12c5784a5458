"""Pi, by the area under 4 / (1 + x^2): each rank adds up its part of the strips."""

from __future__ import annotations

import sys

import numpy as np

from upcall import mpi

with mpi.Environment() as env:
    world = env.world
    # Rank 0 knows how many strips there are to be.
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    strips = world.broadcast_object(asked if world.rank == 0 else None, root=0)
    x = (np.arange(world.rank, strips, world.size) + 0.5) / strips
    area = np.array((4.0 / (1.0 + x * x)).sum() / strips)
    pi = world.reduce(area, mpi.SUM, root=0)
    if pi is not None:
        print(f"pi is about {pi:.10f}, off by {abs(pi - np.pi):.0e}, with {strips} strips on {world.size} ranks")
