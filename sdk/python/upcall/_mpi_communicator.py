"""Processes that pass messages to one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ._mpi_arrays import listed, whole
from ._mpi_begun import Begun
from ._mpi_between import Intercommunicator
from ._mpi_collective import Collective
from ._mpi_names import COMMUNICATOR, explain
from ._mpi_processes import Processes
from ._mpi_reduce import Reduce
from ._mpi_reproducible import Reproducible
from ._mpi_typed import Checked, Typed
from ._mpi_values import Values
from ._upcall import MpiGroup

if TYPE_CHECKING:
    from ._mpi_topology import Cartesian, Graph

_Made = TypeVar("_Made", bound="Communicator")


class Communicator(Processes, Collective, Reduce, Reproducible, Begun, Typed, Values):
    """Processes that pass messages to one another, each with a ``rank`` from 0 on.

    It may be shared by threads, as far as the thread level goes. One that was made by ``split``, ``duplicate`` and their like is
    freed when nothing refers to it any more.
    """

    def duplicate(self) -> Communicator:
        """The same processes, whose messages never meet those of this communicator. Collective."""
        return self._as_this(self._duplicate())

    def split(self, color: int | None, key: int = 0) -> Communicator | None:
        """The processes that give the same ``color``, ranked by ``key`` and then as here; ``None`` where that is the color.

        Collective. A color is 0 or more; one that is 2 ** 31 or more is an ``MpiError`` on all ranks.
        """
        color = None if color is None else whole(color, "color")
        if color is not None and color < 0:
            raise ValueError(f"split a communicator: a color is 0 or more, or None, and this is {color}")
        # What is more than 64 bits is no more wrong than what is more than 31.
        made = self._split(self._plain(), -1 if color is None else min(color, 2**62), key)
        return None if made is None else self._as_this(made)

    def split_shared_memory(self, key: int = 0) -> Communicator:
        """The processes that share memory with this one (those of its machine), ranked by ``key`` and then as here. Collective."""
        return self._as_this(self._split_shared_memory(self._plain(), key))

    def create(self, group: MpiGroup) -> Communicator | None:
        """The processes of a group, in its order; ``None`` for those that are not in it.

        Collective over all ranks of this communicator, which all give the same group.
        """
        made = self._create(self._plain(), group)
        return None if made is None else self._as_this(made)

    def create_group(self, group: MpiGroup, tag: int = 0) -> Communicator:
        """As ``create``, collective over the processes of the group only. ``tag`` tells apart what threads make at once."""
        return self._as_this(self._create_group(self._plain(), group, tag))

    @property
    def name(self) -> str:
        """Its name, as debuggers and profilers show it; empty where it has none. It may be set, on this process."""
        return self._name()

    @name.setter
    def name(self, name: str) -> None:
        self._set_name(name)

    def cartesian(
        self, sizes: Sequence[int], periodic: bool | Sequence[bool] = False, reorder: bool = False
    ) -> Cartesian | None:
        """Puts the ranks on a grid with so many along each dimension, in the order of rows: the last coordinate changes first.

        A dimension may be periodic: its last rank's neighbor is the first. ``None`` for ranks that have no place. Where
        ``reorder`` is set, MPI may give a rank another number there. Collective.
        """
        from ._mpi_topology import Cartesian

        sizes = listed(sizes, "sizes")
        around = [periodic] * len(sizes) if isinstance(periodic, bool) else periodic
        made = self._cartesian(Cartesian, sizes, around, reorder)
        return None if made is None else self._as_this(made)

    def graph_adjacent(
        self,
        sources: Sequence[int],
        targets: Sequence[int],
        source_weights: Sequence[int] = (),
        target_weights: Sequence[int] = (),
        reorder: bool = False,
    ) -> Graph:
        """Gives each rank neighbors: each says whom it receives from and whom it sends to.

        What the two of an edge say is the same. Weights say how much goes along an edge, compared with others. What is wrong on
        one rank is an error on all. Collective.
        """
        from ._mpi_topology import Graph

        return self._as_this(
            self._graph_adjacent(Graph, sources, source_weights, targets, target_weights, reorder)
        )

    def graph(self, edges: Mapping[int, Sequence[int]], reorder: bool = False) -> Graph:
        """As ``graph_adjacent``, where each rank says some of the edges: whom each rank that is a key sends to. Collective."""
        from ._mpi_topology import Graph

        targets = [target for each in edges.values() for target in each]
        made = self._graph(Graph, list(edges), [len(each) for each in edges.values()], targets, reorder)
        return self._as_this(made)

    def checked(self, wanted: bool = __debug__) -> Checked:
        """The same processes, whose messages say which type their elements have, where all of them want it. Collective.

        Unless the environment says so (``UPCALL_MPI_CHECK_TYPES``, ``1`` or ``0``), where each has given ``wanted``; without it, where
        Python runs without ``-O``.
        """
        return Checked(self._checked(wanted), self)

    def shrink(self) -> Communicator:
        """The ranks that live, in the order that they have here. Collective over these, also where this one was revoked.

        As ``revoke``, ``is_revoked``, ``agree``, ``acknowledge_failures`` and ``failed_ranks`` it is an ``MpiError`` of kind
        ``unsupported`` where the MPI does not have it: Open MPI does from 5 on, started with ``mpirun --with-ft ulfm``.
        """
        return self._as_this(self._shrink(self._plain()))

    def _plain(self) -> type[Communicator]:
        """What is made of it that has no neighbors."""
        return type(self)

    def _as_this(self, made: _Made) -> _Made:
        if "serializer" in self.__dict__:
            made.serializer = self.serializer
        return made

    def __repr__(self) -> str:
        return f"<mpi.{type(self).__name__}: rank {self.rank} of {self.size}>"


explain(Communicator, COMMUNICATOR)
Intercommunicator._merged = Communicator
