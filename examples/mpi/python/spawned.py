"""What spawn.py starts: a part of the strips below 4 / (1 + x^2)."""

from __future__ import annotations

import numpy as np

from upcall import mpi

with mpi.Environment() as env:
    parent = env.parent
    assert parent is not None, "start spawn.py, which starts this"
    strips = np.array(0)
    parent.broadcast(strips, root=0)
    x = (np.arange(parent.rank, int(strips), parent.size) + 0.5) / strips
    parent.reduce_into(np.array((4.0 / (1.0 + x * x)).sum() / strips), None, mpi.SUM, root=0)
    parent.disconnect()
