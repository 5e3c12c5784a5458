"""Processes that pass messages to one another."""

from __future__ import annotations

from ._mpi_between import Intercommunicator
from ._mpi_collective import Collective
from ._mpi_processes import Processes
from ._mpi_reduce import Reduce
from ._mpi_values import Values


class Communicator(Processes, Collective, Reduce, Values):
    """Processes that pass messages to one another, each with a ``rank`` from 0 on.

    It may be shared by threads, as far as the thread level goes. One that was made by ``split`` or ``duplicate`` is freed when
    nothing refers to it any more.
    """

    def duplicate(self) -> Communicator:
        """The same processes, whose messages never meet those of this communicator. Collective."""
        return self._as_this(self._duplicate())

    def split(self, color: int | None, key: int = 0) -> Communicator | None:
        """The processes that give the same ``color``, ranked by ``key`` and then as here; ``None`` where that is the color.

        Collective. A color is 0 or more; one that is 2 ** 31 or more is an ``MpiError`` on all ranks.
        """
        if color is not None and color < 0:
            raise ValueError(f"split a communicator: a color is 0 or more, or None, and this is {color}")
        # What is more than 64 bits is no more wrong than what is more than 31.
        made = self._split(-1 if color is None else min(color, 2**62), key)
        return None if made is None else self._as_this(made)

    def shrink(self) -> Communicator:
        """The ranks that live, in the order that they have here. Collective over these, also where this one was revoked.

        As ``revoke``, ``is_revoked``, ``agree``, ``acknowledge_failures`` and ``failed_ranks`` it is an ``MpiError`` of kind
        ``unsupported`` where the MPI does not have it: Open MPI does from 5 on, started with ``mpirun --with-ft ulfm``.
        """
        return self._as_this(self._shrink())

    def _as_this(self, made: Communicator) -> Communicator:
        if "serializer" in self.__dict__:
            made.serializer = self.serializer
        return made

    def __repr__(self) -> str:
        return f"<mpi.Communicator: rank {self.rank} of {self.size}>"


Intercommunicator._merged = Communicator
