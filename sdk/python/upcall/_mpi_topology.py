"""Communicators whose ranks have neighbors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._mpi_arrays import Parts, as_like, elements, in_bytes, is_numpy, item_size, room_like, room_of
from ._mpi_communicator import Communicator


class Neighborhood(Communicator):
    """A communicator whose ranks have neighbors: ``sources``, that a rank receives from, and ``targets``, that it sends to.

    What is called here, all ranks call in the same order.
    """

    @property
    def sources(self) -> list[int | None]:
        """The ranks that this one receives from, in the order in which their parts arrive; ``None`` where nobody is."""
        return self._sources()

    @property
    def targets(self) -> list[int | None]:
        """The ranks that this one sends to, in the order of their parts; ``None`` where nobody is."""
        return self._targets()

    def neighbor_all_gather(self, data: Any) -> Any:
        """Gives elements to each target, and gets those of each source, of which all have as many.

        There is one more dimension, of the sources, with zeroes of those that are nobody.
        """
        into = _zeroed(room_like(data, len(self.sources)))
        self.neighbor_all_gather_into(data, into)
        return into

    def neighbor_all_gather_parts(self, data: Any) -> Parts:
        """As ``neighbor_all_gather``, where each rank may have another number of elements; there are none of nobody."""
        received, counts = self._neighbor_all_gather_parts(data)
        return Parts(as_like(received, data), elements(counts, item_size(data)))

    def neighbor_all_to_all(self, data: Any) -> Any:
        """Gives each target its part of some elements, all of them as large, and gets one of each source: zeroes of nobody.

        Of numpy's arrays whose first dimension is that of the targets there is one of the sources in its place.
        """
        sources, targets = len(self.sources), len(self.targets)
        if is_numpy(data) and data.ndim > 1 and data.shape[0] == targets:
            import numpy

            into: Any = numpy.zeros((sources, *data.shape[1:]), data.dtype)
        else:
            count = memoryview(data).nbytes // item_size(data)
            into = _zeroed(room_of(data, count // targets * sources if targets else 0))
        self.neighbor_all_to_all_into(data, into)
        return into

    def neighbor_all_to_all_parts(self, data: Any, counts: Sequence[int]) -> Parts:
        """As ``neighbor_all_to_all``, with ``counts[t]`` elements for the target ``t``."""
        size = item_size(data)
        received, told = self._neighbor_all_to_all_parts(data, in_bytes(counts, size))
        return Parts(as_like(received, data), elements(told, size))

    def _plain(self) -> type[Communicator]:
        return Communicator


class Cartesian(Neighborhood):
    """A communicator whose ranks lie on a grid, in the order of rows: the last coordinate changes first.

    The neighbors of a rank are, for each dimension, the one before and the one behind.
    """

    @property
    def sizes(self) -> list[int]:
        """How many ranks lie along each dimension."""
        return self._sizes()

    @property
    def periodic(self) -> list[bool]:
        """Of each dimension, whether the last rank's neighbor is the first."""
        return self._periodic()

    @property
    def coordinates(self) -> list[int]:
        """Where this rank is."""
        return self.coordinates_of(self.rank)

    def shift(self, dimension: int, steps: int = 1) -> tuple[int | None, int | None]:
        """Whom this rank receives from and whom it sends to, where all move so many steps along a dimension."""
        source, target = self._shift(dimension, steps)
        return source, target

    def sub_grid(self, kept: Sequence[bool]) -> Cartesian:
        """This rank's part of the grid with the dimensions that are kept: of rows and columns, ``[False, True]`` is its row.

        Collective.
        """
        return self._as_this(self._sub_grid(Cartesian, kept))

    def duplicate(self) -> Cartesian:
        """The same grid, whose messages never meet those of this one. Collective."""
        return self._as_this(self._duplicate())


class Graph(Neighborhood):
    """A communicator whose ranks have the neighbors that were said."""

    def duplicate(self) -> Graph:
        """The same graph, whose messages never meet those of this one. Collective."""
        return self._as_this(self._duplicate())


def _zeroed(room: Any) -> Any:
    """What is new and numpy's, which was written by nobody."""
    if is_numpy(room):
        room.fill(0)
    return room
