"""Memory of one rank that the others read and write, without its help."""

from __future__ import annotations

import numpy as np

from upcall import mpi

with mpi.Environment() as env:
    world = env.world
    rank, size = world.rank, world.size

    # All of a window: rank 0 has it, and the others read it.
    with mpi.Window.allocate(world, 10 if rank == 0 else 0, "f4") as window:
        if rank == 0:
            with window.lock(0, "exclusive") as epoch:
                epoch.put(np.full(10, 42, "f4"), 0)
        world.barrier()
        numbers = np.empty(10, dtype="f4")
        with window.lock(0) as epoch:
            epoch.get(numbers, 0)
        assert (numbers == 42).all()

    # A part of one: two numbers, from this rank's on.
    with mpi.Window.allocate(world, size + 1 if rank == 0 else 0, "f4") as window:
        if rank == 0:
            with window.local() as mine:
                mine[:] = np.arange(size + 1)
        world.barrier()
        part = np.zeros(3, dtype="f4")
        with window.lock(0) as epoch:
            epoch.get(part[:2], 0, rank)
        parts = world.gather(part, root=0)

    # A counter, of which each rank gets another number.
    with mpi.Window.allocate(world, 1 if rank == 0 else 0, "i8") as window:
        with window.lock(0) as epoch:
            ticket = epoch.fetch_and_op(1, 0, 0, mpi.SUM)
        tickets = world.gather_objects(int(ticket), root=0)

    if tickets is not None:
        print(f"the whole: {numbers.tolist()}")
        print(f"parts: {parts.tolist()}")
        print(f"tickets: {sorted(tickets)}")
