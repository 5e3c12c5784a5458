"""Pi, by processes that this one starts: they are told how many strips there are, and their parts of the area are added up here."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from upcall import mpi

with mpi.Environment() as env:
    program = mpi.SpawnedProgram(sys.executable, 5, [str(Path(__file__).with_name("spawned.py"))])
    try:
        workers = env.own.spawn(program)
    except mpi.MpiError as error:
        # MPICH 4.0.2 cannot.
        sys.exit(f"{error.kind}: {error}")
    workers.broadcast(np.array(100), root=mpi.HERE)
    pi = np.array(0.0)
    workers.reduce_into(None, pi, mpi.SUM, root=mpi.HERE)
    workers.disconnect()
    print(f"pi is about {pi:.10f}, by {program.processes} processes")
