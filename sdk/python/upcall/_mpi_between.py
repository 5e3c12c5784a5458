"""Two groups of processes, each of which passes messages to the other."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ._mpi_arrays import Parts, as_dtype, as_like, elements, in_bytes, item_size, room_like
from ._mpi_names import COMMUNICATOR, explain
from ._mpi_objects import ObjectMessages
from ._mpi_values import Values

if TYPE_CHECKING:
    from ._mpi_communicator import Communicator
    from ._upcall import MpiGroup

HERE = -3
"""A root: this process, which is what the root itself says."""
BESIDE = -2
"""A root: another of this group, which is what the others of the root's group say. They take no part."""


class Intercommunicator(ObjectMessages, Values):
    """Two groups of processes that have none in common.

    Every rank that is sent to or received from is one of the other group. What all do together goes from one group to the other, or
    both ways: the ``root`` says ``mpi.HERE``, those beside it ``mpi.BESIDE``, and the other group which rank of it the root is. It is
    made of two communicators (``Communicator.intercommunicator``), by ``spawn``, or by a port.
    """

    _merged: type[Communicator]

    @property
    def remote_size(self) -> int:
        """How many processes the other group has; ``rank`` and ``size`` are of this one."""
        return self._remote_size()

    def remote_group(self) -> MpiGroup:
        """The other group's processes; ``group`` is of this one."""
        return self._remote_group()

    @property
    def name(self) -> str:
        """Its name, as debuggers and profilers show it; empty where it has none. It may be set, on this process."""
        return self._name()

    @name.setter
    def name(self, name: str) -> None:
        self._set_name(name)

    def duplicate(self) -> Intercommunicator:
        """The same groups, whose messages never meet those of this one. Collective over both."""
        return self._like_this(self._duplicate())

    def merge(self, high: bool) -> Communicator:
        """All processes of both groups: first those of the group that says that it is not ``high``. Collective over both."""
        merged = self._merge(high, self._merged)
        if "serializer" in self.__dict__:
            merged.serializer = self.serializer
        return merged

    def disconnect(self) -> None:
        """Ends it when all messages have arrived: neither group waits for the other where it finalizes MPI. Collective over both.

        No other thread may be in a call on it.
        """
        self._disconnect()

    def broadcast(self, data: Any, root: int = 0) -> None:
        """Gives all ranks of the other group the elements of the root, in place: all have as many."""
        self._inter_broadcast(data, root)

    def broadcast_object(self, value: Any = None, root: int = 0, type: Any = None) -> Any:
        """Gives all ranks of the other group the root's object; ``None`` in the root's own group."""
        data = None
        if root == HERE:
            try:
                data = self._dumped(value, type)
            except Exception:
                self._fail(lambda: self._inter_broadcast_any(None, root, False))
                raise
        received = self._inter_broadcast_any(data, root, True)
        return None if received is None else self._loaded(received, type, "broadcast an object to another group")

    def gather_into(self, data: Any, into: Any, root: int = 0) -> None:
        """Gives the root the elements of the other group's ranks, of which all have as many. What does not count may be ``None``."""
        self._inter_gather(data if root >= 0 else None, into if root == HERE else None, root)

    def gather_parts(self, data: Any, root: int = 0, dtype: Any = None) -> Parts | None:
        """As ``gather_into``, where each rank may have another number of elements, of the dtype that the root says."""
        gathered = self._inter_gather_parts(data if root >= 0 else None, root)
        if gathered is None:
            return None
        received, counts = gathered
        array = as_dtype(received, dtype)
        return Parts(array, elements(counts, item_size(array)))

    def gather_objects(self, value: Any = None, root: int = 0, type: Any = None) -> list[Any] | None:
        """Gives the root the objects of the other group's ranks, in their order; ``None`` to the others."""
        data = None
        if root >= 0:
            try:
                data = self._dumped(value, type)
            except Exception:
                self._fail(lambda: self._inter_gather_parts(b"", root))
                raise
        gathered = self._inter_gather_parts(data, root)
        return None if gathered is None else self._each(gathered, type, "gather objects of another group")

    def scatter_into(self, data: Any, into: Any, root: int = 0) -> None:
        """Gives each rank of the other group its part of what the root has, as large as ``into`` there."""
        self._inter_scatter(data if root == HERE else None, into if root >= 0 else None, root)

    def scatter_parts(self, data: Any = None, counts: Sequence[int] | None = None, root: int = 0, dtype: Any = None) -> Any:
        """Gives each rank of the other group ``counts[r]`` elements; ``None`` in the root's own group."""
        size = item_size(data) if root == HERE and data is not None else 1
        sizes = None if counts is None else in_bytes(counts, size)
        own = self._inter_scatter_parts(data if root == HERE else None, sizes if root == HERE else None, root)
        return None if own is None else as_dtype(own, dtype)

    def scatter_objects(self, values: Sequence[Any] | None = None, root: int = 0, type: Any = None) -> Any:
        """Gives each rank of the other group one of the root's objects, of which there are as many; ``None`` in its own group."""
        data, counts = b"", list[int]()
        if root == HERE:
            try:
                data, counts = self._joined(values, type)
            except Exception:
                # All ranks are told that there are no parts.
                self._fail(lambda: self._inter_scatter_parts(b"", [], root))
                raise
        own = self._inter_scatter_parts(data, counts, root)
        return None if own is None else self._loaded(own, type, "scatter objects to another group")

    def all_gather_into(self, data: Any, into: Any) -> None:
        """Gives each group the elements of all ranks of the other, of which all of a group have as many."""
        self._inter_all_gather(data, into)

    def all_gather_parts(self, data: Any) -> Parts:
        """As ``all_gather_into``, where each rank may have another number of elements."""
        return _parts(self._inter_all_gather_parts(data), data)

    def all_gather_objects(self, value: Any, type: Any = None) -> list[Any]:
        """Gives each group the objects of all ranks of the other, in their order."""
        try:
            data = self._dumped(value, type)
        except Exception:
            self._fail(lambda: self._inter_all_gather_parts(b""))
            raise
        return self._each(self._inter_all_gather_parts(data), type, "gather objects of two groups")

    def all_to_all_into(self, data: Any, into: Any) -> None:
        """Each rank has a part for each of the other group: what comes is what those had for this one. All parts are as large."""
        self._inter_all_to_all(data, into)

    def all_to_all_parts(self, data: Any, counts: Sequence[int]) -> Parts:
        """As ``all_to_all_into``, with ``counts[r]`` elements for rank ``r`` of the other group."""
        size = item_size(data)
        return _parts(self._inter_all_to_all_parts(data, in_bytes(counts, size)), data)

    def all_to_all_objects(self, values: Sequence[Any], type: Any = None) -> list[Any]:
        """Each rank has an object for each of the other group: what comes is what those had for this one."""
        try:
            data, counts = self._joined(values, type)
        except Exception:
            self._fail(lambda: self._inter_all_to_all_parts(b"", []))
            raise
        return self._each(self._inter_all_to_all_parts(data, counts), type, "exchange objects with another group")

    def reduce_into(self, data: Any, into: Any, op: Any, root: int = 0) -> None:
        """Combines the elements of the other group's ranks, of which all have as many, for the root, into an array that it has."""
        self._inter_reduce(data, into, op, root)

    def all_reduce(self, data: Any, op: Any) -> Any:
        """Combines the elements of each group for all ranks of the other. All ranks of both have as many."""
        into = room_like(data)
        self._inter_all_reduce(data, into, op)
        return into

    def all_reduce_into(self, data: Any, into: Any, op: Any) -> None:
        """As ``all_reduce``, into an array."""
        self._inter_all_reduce(data, into, op)

    def reduce_object(self, value: Any, op: Callable[[Any, Any], Any], root: int = 0, type: Any = None) -> Any:
        """Combines the objects of the other group's ranks, in their order, for the root; ``None`` on the others."""
        values = self.gather_objects(value, root, type)
        return None if values is None else functools.reduce(op, values)

    def all_reduce_object(self, value: Any, op: Callable[[Any, Any], Any], type: Any = None) -> Any:
        """Combines the objects of each group, in the order of its ranks, for all ranks of the other."""
        return functools.reduce(op, self.all_gather_objects(value, type))

    def _joined(self, values: Sequence[Any] | None, type: Any) -> tuple[bytes, list[int]]:
        data = [self._dumped(value, type) for value in values or ()]
        return b"".join(data), [memoryview(each).nbytes for each in data]

    def _each(self, gathered: tuple[bytearray, list[int]], type: Any, what: str) -> list[Any]:
        return [self._loaded(part, type, f"{what}, that of rank {rank}") for rank, part in enumerate(Parts(*gathered).split())]

    def _like_this(self, made: Intercommunicator) -> Intercommunicator:
        if "serializer" in self.__dict__:
            made.serializer = self.serializer
        return made

    def __repr__(self) -> str:
        return f"<mpi.Intercommunicator: rank {self.rank} of {self.size}, to {self.remote_size}>"


def _parts(gathered: tuple[bytearray, list[int]], data: Any) -> Parts:
    received, counts = gathered
    return Parts(as_like(received, data), elements(counts, item_size(data)))


explain(Intercommunicator, COMMUNICATOR)
