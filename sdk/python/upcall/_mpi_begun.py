"""What all ranks do together, begun now and waited for later, or made ready and started again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._mpi_arrays import listed, own_count, room_like, room_of
from ._upcall import MpiCommunicator, MpiPersistent, MpiRequest

# As the native part has them.
(
    _BARRIER,
    _BROADCAST,
    _GATHER,
    _SCATTER,
    _ALL_GATHER,
    _ALL_TO_ALL,
    _GATHER_PARTS,
    _SCATTER_PARTS,
    _ALL_GATHER_PARTS,
    _ALL_TO_ALL_PARTS,
    _REDUCE,
    _ALL_REDUCE,
    _REDUCE_SCATTER,
    _SCAN,
    _EXCLUSIVE_SCAN,
) = range(15)


class Begun(MpiCommunicator):
    """Calls of all ranks that go on while the program works. All ranks begin the same calls, in the same order.

    ``request.data`` is what comes, once the request has ended: the array ``into``, or one that is made. Until then nobody may write
    what is given, or use what comes; the request keeps both. Where a function raises, ``wait`` and ``test`` raise ``MpiError``.

    What ends with ``_init`` is made ready once, in the same order on all ranks, and started for each round: what is given is read
    when a round is started, and what comes is in the array when it has ended.
    """

    def start_barrier(self) -> MpiRequest:
        """Begins to wait for all ranks: it ends when all have begun it."""
        return self._start_together("start_barrier", _BARRIER, None, None, 0, None, None, None)

    def start_broadcast(self, data: Any, root: int = 0) -> MpiRequest:
        """Begins a ``broadcast``, in place."""
        return self._start_together("start_broadcast", _BROADCAST, None, data, root, None, None, None)

    def start_gather(self, data: Any, root: int = 0, into: Any = None) -> MpiRequest:
        """Begins a ``gather``; ``request.data`` is ``None`` but at the root."""
        into = self._at_root(root, into, lambda: room_like(data, self.size))
        return self._start_together("start_gather", _GATHER, data, into, root, None, None, None)

    def start_all_gather(self, data: Any, into: Any = None) -> MpiRequest:
        """Begins an ``all_gather``."""
        into = room_like(data, self.size) if into is None else into
        return self._start_together("start_all_gather", _ALL_GATHER, data, into, 0, None, None, None)

    def start_scatter(self, data: Any, into: Any, root: int = 0) -> MpiRequest:
        """Begins a ``scatter_into``: ``data`` counts at the root, and ``into`` is as long on all ranks."""
        data = data if self.rank == root else None
        return self._start_together("start_scatter", _SCATTER, data, into, root, None, None, None)

    def start_all_to_all(self, data: Any, into: Any = None) -> MpiRequest:
        """Begins an ``all_to_all``."""
        into = room_like(data) if into is None else into
        return self._start_together("start_all_to_all", _ALL_TO_ALL, data, into, 0, None, None, None)

    def start_gather_parts(self, data: Any, counts: Sequence[int], root: int = 0, into: Any = None) -> MpiRequest:
        """Begins a ``gather_parts`` of ``counts[r]`` elements of rank ``r``, the same counts on all ranks."""
        into = self._at_root(root, into, lambda: room_of(data, sum(listed(counts))))
        return self._start_together("start_gather_parts", _GATHER_PARTS, data, into, root, counts, None, None)

    def start_all_gather_parts(self, data: Any, counts: Sequence[int], into: Any = None) -> MpiRequest:
        """As ``start_gather_parts``, for all ranks."""
        into = room_of(data, sum(listed(counts))) if into is None else into
        return self._start_together("start_all_gather_parts", _ALL_GATHER_PARTS, data, into, 0, counts, None, None)

    def start_scatter_parts(self, data: Any, counts: Sequence[int], into: Any, root: int = 0) -> MpiRequest:
        """Begins a ``scatter_parts`` of ``counts[r]`` elements for rank ``r``, the same counts on all ranks."""
        data = data if self.rank == root else None
        return self._start_together("start_scatter_parts", _SCATTER_PARTS, data, into, root, counts, None, None)

    def start_all_to_all_parts(
        self, data: Any, counts: Sequence[int], into_counts: Sequence[int], into: Any = None
    ) -> MpiRequest:
        """Begins an ``all_to_all_parts``: ``counts[r]`` elements for rank ``r``, which has ``into_counts[r]`` for this one."""
        into = room_of(data, sum(listed(into_counts, "into_counts"))) if into is None else into
        name = "start_all_to_all_parts"
        return self._start_together(name, _ALL_TO_ALL_PARTS, data, into, 0, counts, into_counts, None)

    def start_reduce(self, data: Any, op: Any, root: int = 0, into: Any = None) -> MpiRequest:
        """Begins a ``reduce``; ``request.data`` is ``None`` but at the root."""
        into = self._at_root(root, into, lambda: room_like(data))
        return self._start_together("start_reduce", _REDUCE, data, into, root, None, None, op)

    def start_all_reduce(self, data: Any, op: Any, into: Any = None) -> MpiRequest:
        """Begins an ``all_reduce``."""
        into = room_like(data) if into is None else into
        return self._start_together("start_all_reduce", _ALL_REDUCE, data, into, 0, None, None, op)

    def start_reduce_scatter(self, data: Any, counts: Sequence[int], op: Any, into: Any = None) -> MpiRequest:
        """Begins a ``reduce_scatter``: ``counts[r]`` elements for rank ``r``."""
        into = room_of(data, self._own(counts)) if into is None else into
        return self._start_together("start_reduce_scatter", _REDUCE_SCATTER, data, into, 0, counts, None, op)

    def start_scan(self, data: Any, op: Any, into: Any = None) -> MpiRequest:
        """Begins a ``scan``."""
        into = room_like(data) if into is None else into
        return self._start_together("start_scan", _SCAN, data, into, 0, None, None, op)

    def start_exclusive_scan(self, data: Any, op: Any, into: Any = None) -> MpiRequest:
        """Begins an ``exclusive_scan``; what comes at rank 0 says nothing."""
        into = room_like(data) if into is None else into
        return self._start_together("start_exclusive_scan", _EXCLUSIVE_SCAN, data, into, 0, None, None, op)

    def barrier_init(self) -> MpiPersistent:
        """Makes a barrier ready."""
        return self._together_init("barrier_init", _BARRIER, None, None, 0, None, None, None)

    def broadcast_init(self, data: Any, root: int = 0) -> MpiPersistent:
        """Makes a broadcast ready, in place."""
        return self._together_init("broadcast_init", _BROADCAST, None, data, root, None, None, None)

    def gather_init(self, data: Any, into: Any, root: int = 0) -> MpiPersistent:
        """Makes a ``gather_into`` ready; ``into`` counts at the root."""
        into = into if self.rank == root else None
        return self._together_init("gather_init", _GATHER, data, into, root, None, None, None)

    def all_gather_init(self, data: Any, into: Any) -> MpiPersistent:
        """Makes an ``all_gather_into`` ready."""
        return self._together_init("all_gather_init", _ALL_GATHER, data, into, 0, None, None, None)

    def scatter_init(self, data: Any, into: Any, root: int = 0) -> MpiPersistent:
        """Makes a ``scatter_into`` ready; ``data`` counts at the root."""
        data = data if self.rank == root else None
        return self._together_init("scatter_init", _SCATTER, data, into, root, None, None, None)

    def all_to_all_init(self, data: Any, into: Any) -> MpiPersistent:
        """Makes an ``all_to_all_into`` ready."""
        return self._together_init("all_to_all_init", _ALL_TO_ALL, data, into, 0, None, None, None)

    def gather_parts_init(self, data: Any, counts: Sequence[int], into: Any, root: int = 0) -> MpiPersistent:
        """Makes a gather in parts ready; ``into`` counts at the root."""
        into = into if self.rank == root else None
        return self._together_init("gather_parts_init", _GATHER_PARTS, data, into, root, counts, None, None)

    def all_gather_parts_init(self, data: Any, counts: Sequence[int], into: Any) -> MpiPersistent:
        """Makes a gather in parts for all ranks ready."""
        return self._together_init("all_gather_parts_init", _ALL_GATHER_PARTS, data, into, 0, counts, None, None)

    def scatter_parts_init(self, data: Any, counts: Sequence[int], into: Any, root: int = 0) -> MpiPersistent:
        """Makes a scatter in parts ready; ``data`` counts at the root."""
        data = data if self.rank == root else None
        return self._together_init("scatter_parts_init", _SCATTER_PARTS, data, into, root, counts, None, None)

    def all_to_all_parts_init(
        self, data: Any, counts: Sequence[int], into: Any, into_counts: Sequence[int]
    ) -> MpiPersistent:
        """Makes an exchange in parts ready."""
        name = "all_to_all_parts_init"
        return self._together_init(name, _ALL_TO_ALL_PARTS, data, into, 0, counts, into_counts, None)

    def reduce_init(self, data: Any, into: Any, op: Any, root: int = 0) -> MpiPersistent:
        """Makes a ``reduce_into`` ready; ``into`` counts at the root."""
        into = into if self.rank == root else None
        return self._together_init("reduce_init", _REDUCE, data, into, root, None, None, op)

    def all_reduce_init(self, data: Any, into: Any, op: Any) -> MpiPersistent:
        """Makes an ``all_reduce_into`` ready."""
        return self._together_init("all_reduce_init", _ALL_REDUCE, data, into, 0, None, None, op)

    def reduce_scatter_init(self, data: Any, into: Any, counts: Sequence[int], op: Any) -> MpiPersistent:
        """Makes a ``reduce_scatter_into`` ready."""
        return self._together_init("reduce_scatter_init", _REDUCE_SCATTER, data, into, 0, counts, None, op)

    def scan_init(self, data: Any, into: Any, op: Any) -> MpiPersistent:
        """Makes a ``scan_into`` ready."""
        return self._together_init("scan_init", _SCAN, data, into, 0, None, None, op)

    def exclusive_scan_init(self, data: Any, into: Any, op: Any) -> MpiPersistent:
        """Makes an ``exclusive_scan_into`` ready; rank 0's array stays as it is."""
        return self._together_init("exclusive_scan_init", _EXCLUSIVE_SCAN, data, into, 0, None, None, op)

    def _at_root(self, root: int, into: Any, make: Any) -> Any:
        if self.rank != root:
            return None
        return make() if into is None else into

    def _own(self, counts: Sequence[int]) -> int:
        return own_count(counts, self.rank)
