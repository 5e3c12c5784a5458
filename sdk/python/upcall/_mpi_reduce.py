"""What all ranks have, combined element by element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._mpi_arrays import own_count, room_like, room_of
from ._upcall import MpiCommunicator


class Reduce(MpiCommunicator):
    """Reductions by ``mpi.SUM`` and its like, by a function of two arrays, or by an ``mpi.Operation``.

    Where a function raises, ``MpiError`` is raised when the reduction has ended, on the ranks where it did; what it raised is the
    ``__cause__``. ``KeyboardInterrupt`` and ``SystemExit``, which are no errors, are raised as themselves then.
    """

    def reduce(self, data: Any, op: Any, root: int = 0) -> Any:
        """Combines the elements of all ranks, of which all have as many, for one of them; ``None`` on the others."""
        into = room_like(data) if self.rank == root else None
        self._reduce_into(data, into, op, root)
        return into

    def reduce_into(self, data: Any, into: Any, op: Any, root: int = 0) -> None:
        """As ``reduce``, into an array at the root; the others' is not looked at, and may be ``None``."""
        self._reduce_into(data, into if self.rank == root else None, op, root)

    def all_reduce(self, data: Any, op: Any) -> Any:
        """As ``reduce``, for all ranks."""
        into = room_like(data)
        self.all_reduce_into(data, into, op)
        return into

    def all_reduce_checked(self, data: Any, op: Any) -> Any:
        """As ``all_reduce``; where the function raises on one rank it is an error on all, for one small exchange more."""
        into = room_like(data)
        self._all_reduce_checked(data, into, op)
        return into

    def reduce_scatter(self, data: Any, counts: Sequence[int], op: Any) -> Any:
        """Combines the elements of all ranks and gives each its part, in one dimension: ``counts[r]`` for rank ``r``."""
        into = room_of(data, own_count(counts, self.rank))
        self.reduce_scatter_into(data, into, counts, op)
        return into

    def scan(self, data: Any, op: Any) -> Any:
        """Combines the elements of the ranks up to this one, itself included."""
        into = room_like(data)
        self.scan_into(data, into, op)
        return into

    def exclusive_scan(self, data: Any, op: Any) -> Any:
        """Combines the elements of the ranks before this one; ``None`` at rank 0."""
        into = room_like(data)
        self.exclusive_scan_into(data, into, op)
        return into if self.rank > 0 else None
