"""What the test of processes starts."""

import sys

import numpy as np

from upcall import mpi

with mpi.Environment() as env:
    parent = env.parent
    assert parent is not None
    assert parent.broadcast_object(root=parent.remote_size - 1) == "hello"
    assert parent.all_gather_objects(sys.argv[1]) == ["parent 0", "parent 1"]
    assert parent.merge(True).all_reduce(np.array([1]), mpi.SUM)[0] == 4
    parent.disconnect()
    assert env.parent is None
