"""What all ranks of a communicator do together: each calls the same, in the same order."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from ._mpi_arrays import Parts, as_dtype, as_like, elements, in_bytes, item_size, room_like
from ._mpi_error import MpiError
from ._upcall import MpiCommunicator


class Collective(MpiCommunicator):
    """Collectives that make the room for what they bring."""

    def gather(self, data: Any, root: int = 0) -> Any:
        """Gives one rank the elements of all, of which all have as many: there an array with one more dimension, of the ranks.

        ``None`` on the others.
        """
        into = room_like(data, self.size) if self.rank == root else None
        self.gather_into(data, into, root)
        return into

    def all_gather(self, data: Any) -> Any:
        """As ``gather``, for all ranks."""
        into = room_like(data, self.size)
        self.all_gather_into(data, into)
        return into

    def scatter(self, data: Any, root: int = 0, dtype: Any = None) -> Any:
        """Gives each rank its part of what one has: as many elements each, in the order of the ranks.

        ``data`` counts at the root, and may be ``None`` elsewhere. What comes back is an array of the dtype in one dimension, or a
        ``bytearray``; where all ranks know how much that is, ``scatter_into`` saves an exchange.
        """
        return as_dtype(self._scatter(data, root), dtype)

    def all_to_all(self, data: Any) -> Any:
        """Each rank has a part for each other: what comes back is what all had for this one. All parts are as large."""
        into = room_like(data)
        self.all_to_all_into(data, into)
        return into

    def gather_parts(self, data: Any, root: int = 0) -> Parts | None:
        """As ``gather``, where each rank may have another number of elements: an exchange more tells how many."""
        gathered = self._gather_parts(data, root)
        return None if gathered is None else _parts(gathered, data)

    def all_gather_parts(self, data: Any) -> Parts:
        """As ``gather_parts``, for all ranks."""
        return _parts(self._all_gather_parts(data), data)

    def scatter_parts(
        self, data: Any = None, counts: Sequence[int] | None = None, root: int = 0, dtype: Any = None
    ) -> Any:
        """As ``scatter``, with ``counts[r]`` elements for rank ``r``, which the root says."""
        is_root = self.rank == root
        try:
            size = item_size(data) if is_root and data is not None else 1
            sizes = in_bytes(counts, size) if is_root and counts is not None else None
            received = self._scatter_parts(data, sizes, root)
        except (BufferError, OverflowError, TypeError, ValueError):
            # Nothing has gone out, and the others wait: what fits nothing is told to all.
            if is_root:
                with contextlib.suppress(MpiError):
                    self._scatter_parts(b"", [1], root)
            raise
        return as_dtype(received, dtype)

    def all_to_all_parts(self, data: Any, counts: Sequence[int]) -> Parts:
        """As ``all_to_all``, with ``counts[r]`` elements for rank ``r``."""
        size = item_size(data)
        return _parts(self._all_to_all_parts(data, in_bytes(counts, size)), data)


def _parts(gathered: tuple[bytearray, list[int]], data: Any) -> Parts:
    received, counts = gathered
    return Parts(as_like(received, data), elements(counts, item_size(data)))
