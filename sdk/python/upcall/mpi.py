"""Message passing over the machine's MPI: Open MPI or MPICH, whichever has started the process.

    import numpy
    from upcall import mpi

    with mpi.Environment() as env:
        world = env.world
        if world.rank == 0:
            world.send(numpy.array([1.5, 2.5]), dest=1)
        elif world.rank == 1:
            print(world.receive(source=0, dtype=float))
        total = world.all_reduce(numpy.array([world.rank]), mpi.SUM)

Or, in a program that uses it from one end to the other, ``world = mpi.world()``: MPI starts with the first call, and is finalized
when the program ends.

- **Arrays** travel as they lie in memory: whatever has a buffer (numpy, ``array.array``, ``bytearray``, ``memoryview``) and is
  contiguous. ``..._into`` forms fill an array that is there; the others make one, of the kind that was given.
- **Objects** have forms of their own, ``send_object`` and its like: pickled, or by the communicator's ``serializer``, or in pack's
  form where a ``type`` with packers is named.
- **Reductions** take ``mpi.SUM`` and its like, numpy's functions (``numpy.add``), or a function of two arrays, which is called once
  per chunk.
- **Windows** are memory that ranks read and write at one another (``Window``, ``SharedWindow``), and ``Buf`` is memory on huge
  pages, which MPIs move faster than other memory.
- **Requests** (``start_send``, ``start_receive``, ``start_all_reduce``, …) keep their buffers until they have ended. Until then nobody
  may write what is sent, or use what is received into. What ends with ``_init`` is made ready once and started for each round.

Nothing of MPI is loaded before it is started. A call that waits lets other threads of Python run. Waiting for requests, by ``wait``
or for several, hears Ctrl-C within a twentieth of a second; a blocking call, as ``receive`` or ``barrier``, does not until it has
ended (the launcher ends the ranks then): where that matters, begin the call and wait for its request. A program that ends with an exception while MPI runs ends the whole
job, so that no rank waits for it for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._mpi_arrays import Parts
from ._mpi_between import BESIDE, HERE, Intercommunicator
from ._mpi_communicator import Communicator
from ._mpi_environment import Environment, environment, is_finalized, is_running, own, world
from ._mpi_error import MpiError
from ._mpi_file import File
from ._mpi_handler import HandlerOperation
from ._mpi_names import MODULE, missing
from ._mpi_objects import ObjectRequest, Pickle, Serializer
from ._mpi_operation import (
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    LOGICAL_AND,
    LOGICAL_OR,
    LOGICAL_XOR,
    MAX,
    MAX_WITH_PLACE,
    MIN,
    MIN_WITH_PLACE,
    PRODUCT,
    REPLACE,
    SUM,
    Operation,
    Operator,
)
from ._mpi_placed import placed
from ._mpi_point import ANY_SOURCE, ANY_TAG, Message
from ._mpi_processes import SpawnedProgram
from ._mpi_reproducible import ExactSum
from ._mpi_requests import ReceiveRequest, start_all, test_all, test_any, test_some, wait_all, wait_any, wait_some
from ._mpi_topology import Cartesian, Graph, Neighborhood
from ._mpi_typed import Checked, Datatype, ElementType
from ._mpi_values import Key
from ._mpi_window import (
    Buf,
    Epoch,
    Exposure,
    LocalMemory,
    Neighbors,
    PassiveEpoch,
    SharedWindow,
    Window,
)
from ._upcall import MpiGroup as Group
from ._upcall import MpiPartitions as Partitions
from ._upcall import MpiPersistent as Persistent
from ._upcall import MpiPort as Port
from ._upcall import MpiPublished as Published
from ._upcall import MpiRequest as Request
from ._upcall import MpiSendBuffer as SendBuffer
from ._upcall import MpiStatus as Status

__all__ = [
    "ANY_SOURCE",
    "ANY_TAG",
    "BESIDE",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "Buf",
    "Cartesian",
    "Checked",
    "Communicator",
    "Datatype",
    "ElementType",
    "Environment",
    "Epoch",
    "ExactSum",
    "Exposure",
    "File",
    "Graph",
    "Group",
    "HERE",
    "HandlerOperation",
    "Intercommunicator",
    "Key",
    "LOGICAL_AND",
    "LOGICAL_OR",
    "LOGICAL_XOR",
    "LocalMemory",
    "MAX",
    "MAX_WITH_PLACE",
    "MIN",
    "MIN_WITH_PLACE",
    "Message",
    "MpiError",
    "Neighborhood",
    "Neighbors",
    "ObjectRequest",
    "Operation",
    "Operator",
    "PRODUCT",
    "Partitions",
    "Parts",
    "PassiveEpoch",
    "Persistent",
    "Pickle",
    "Port",
    "Published",
    "REPLACE",
    "ReceiveRequest",
    "Request",
    "SUM",
    "SendBuffer",
    "Serializer",
    "SharedWindow",
    "SpawnedProgram",
    "Status",
    "Window",
    "environment",
    "is_finalized",
    "is_running",
    "own",
    "placed",
    "start_all",
    "test_all",
    "test_any",
    "test_some",
    "wait_all",
    "wait_any",
    "wait_some",
    "world",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise missing("upcall.mpi", "mpi.", name, MODULE)
