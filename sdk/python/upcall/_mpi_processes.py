"""Other processes: another group, what is started, and what finds this program by a port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._mpi_between import Intercommunicator
from ._mpi_objects import Objects

if TYPE_CHECKING:
    from ._mpi_communicator import Communicator


@dataclass(frozen=True)
class SpawnedProgram:
    """A program to start by ``Communicator.spawn``, how often, and where.

    ``path`` is its path, or a name that is on ``PATH``; ``sys.executable`` is this Python. ``directory`` is the folder that it starts
    in and ``hosts`` where it starts; without them, that is the launcher's affair, which is told more by ``info``.
    """

    path: str
    processes: int = 1
    arguments: Sequence[str] = ()
    directory: str | None = None
    hosts: Sequence[str] = ()
    info: Mapping[str, str] = field(default_factory=dict)


class Processes(Objects):
    """What a communicator has of other processes."""

    def intercommunicator(self, leader: int, bridge: Communicator, remote_leader: int, tag: int = 0) -> Intercommunicator:
        """Joins these ranks with those of another communicator: each side calls it, with a leader of its own.

        The two leaders are ranks of one ``bridge``, in which ``remote_leader`` is the other side's, and exchange messages there with
        this tag. Collective over both sides, which have no process in common.
        """
        return self._other(self._intercommunicator(leader, bridge, remote_leader, tag, Intercommunicator))

    def spawn(self, programs: SpawnedProgram | Sequence[SpawnedProgram], root: int = 0) -> Intercommunicator:
        """Starts the processes of programs, in one group in their order: they see these ranks as ``Environment.parent``.

        What the programs are counts at the root, and all ranks give as many. Collective; it returns when they have started MPI, which
        a program has to do. Where they could not be started, ``MpiError`` of kind ``spawn`` is raised on all ranks, and the job goes
        on. The MPICH of Debian 12 cannot start any.
        """
        all_of_them = [programs] if isinstance(programs, SpawnedProgram) else programs
        described = [
            (
                str(program.path),
                program.processes,
                [str(argument) for argument in program.arguments],
                program.directory,
                list(program.hosts),
                list(program.info.items()),
            )
            for program in all_of_them
        ]
        return self._other(self._spawn(described, root, Intercommunicator))

    def accept(self, port: str, root: int = 0) -> Intercommunicator:
        """Waits until another program's ranks ``connect`` to a port of this one. Its name counts at the root. Collective."""
        return self._other(self._accept(port, root, Intercommunicator))

    def connect(self, port: str, root: int = 0) -> Intercommunicator:
        """Joins the ranks of another program that wait at a port by ``accept``. Its name counts at the root. Collective."""
        return self._other(self._connect(port, root, Intercommunicator))

    def _other(self, made: Intercommunicator) -> Intercommunicator:
        if "serializer" in self.__dict__:
            made.serializer = self.serializer
        return made
