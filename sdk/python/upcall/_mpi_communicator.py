"""Processes that pass messages to one another."""

from __future__ import annotations

from ._mpi_collective import Collective
from ._mpi_objects import Objects
from ._mpi_reduce import Reduce
from ._mpi_reproducible import Reproducible
from ._mpi_typed import Checked, Typed


class Communicator(Objects, Collective, Reduce, Reproducible, Typed):
    """Processes that pass messages to one another, each with a ``rank`` from 0 on.

    It may be shared by threads, as far as the thread level goes. One that was made by ``split`` or ``duplicate`` is freed when
    nothing refers to it any more.
    """

    def duplicate(self) -> Communicator:
        """The same processes, whose messages never meet those of this communicator. Collective."""
        return self._as_this(self._duplicate())

    def split(self, color: int | None, key: int = 0) -> Communicator | None:
        """The processes that give the same ``color``, ranked by ``key`` and then as here; ``None`` where that is the color.

        Collective. A color is 0 or more.
        """
        if color is not None and color < 0:
            raise ValueError(f"split a communicator: a color is 0 or more, or None, and this is {color}")
        made = self._split(-1 if color is None else color, key)
        return None if made is None else self._as_this(made)

    def checked(self, wanted: bool = __debug__) -> Checked:
        """The same processes, whose messages say which type their elements have, where all of them want it. Collective.

        Unless the environment says so (``UPCALL_MPI_CHECK_TYPES``, ``1`` or ``0``), where each has given ``wanted``; without it, where
        Python runs without ``-O``.
        """
        return Checked(self._checked(wanted), self)

    def _as_this(self, made: Communicator) -> Communicator:
        if "serializer" in self.__dict__:
            made.serializer = self.serializer
        return made

    def __repr__(self) -> str:
        return f"<mpi.Communicator: rank {self.rank} of {self.size}>"
