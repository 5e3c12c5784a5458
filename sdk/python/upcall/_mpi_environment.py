"""MPI, from when it is started until it is finalized."""

from __future__ import annotations

import atexit
import sys
from types import TracebackType
from typing import Any, Literal

from ._mpi_between import Intercommunicator
from ._mpi_communicator import Communicator
from ._mpi_error import MpiError
from ._upcall import MpiEnvironment, MpiPort

Threads = Literal["single", "funneled", "serialized", "multiple"]
_LEVELS: tuple[Threads, ...] = ("single", "funneled", "serialized", "multiple")

Part = Literal[
    "large_counts",
    "persistent_collectives",
    "partitioned",
    "non_blocking_send_receive",
    "sessions",
    "fault_tolerance",
    "standard_abi",
]
_PARTS: tuple[Part, ...] = (
    "large_counts",
    "persistent_collectives",
    "partitioned",
    "non_blocking_send_receive",
    "sessions",
    "fault_tolerance",
    "standard_abi",
)

# The one of this process, from when it was started.
_started: Environment | None = None


class Environment(MpiEnvironment):
    """MPI, which has been started. There is one per process, and only once; the thread that starts it finalizes it.

    ``threads`` says which threads may call it: ``single`` (there is one), ``funneled`` (the one that has started it), ``serialized``
    (one at a time) or ``multiple`` (all, as they like). What the MPI gives may be less; a call below it is an error.

    As a context manager it is finalized at the end of the block; where that is left by an exception it is not, as others may wait for
    this rank: the exception ends the job, unless the program handles it and ends well.
    """

    world: Communicator
    """All processes of the job."""
    own: Communicator
    """This process alone."""

    _finished = False
    # What the program leaves with, where that is known and not 0.
    _code = 0

    def __new__(cls, threads: Threads = "multiple") -> Environment:
        global _started
        if threads not in _LEVELS:
            raise ValueError(f"threads: {threads!r} is none of {', '.join(_LEVELS)}")
        made = super().__new__(cls, _LEVELS.index(threads))
        made.world, made.own = made._world(Communicator), made._own(Communicator)
        _started = made
        made._watch()
        return made

    @property
    def parent(self) -> Intercommunicator | None:
        """The processes that have started this one and those of its world, by ``spawn``; ``None`` where the launcher has.

        While they are connected, parents and children wait for each other where they finalize MPI.
        """
        return self._parent(Intercommunicator)

    def open_port(self) -> MpiPort:
        """Opens a port that other programs may ``connect`` to; raises ``MpiError`` where the MPI has none, as MPICH over UCX."""
        return self._open_port()

    @property
    def threads(self) -> Threads:
        """Which threads may call it."""
        return _LEVELS[self._threads()]

    @property
    def threads_wanted(self) -> Threads:
        """Which threads MPI was started for; what it has given is in ``threads``."""
        return _LEVELS[self._threads_wanted()]

    def has(self, part: Part) -> bool:
        """Whether the MPI has a part of the standard, or an extension of it, that not every MPI has.

        ``large_counts``: counts of 64 bits; ``persistent_collectives``; ``partitioned`` messages; ``non_blocking_send_receive``: a send
        and a receive as one request; ``sessions`` (all of MPI 4); ``fault_tolerance``: going on where a process has died (ULFM);
        ``standard_abi``: the standard's own binary interface (MPI 5).
        """
        if part not in _PARTS:
            raise ValueError(f"part: {part!r} is none of {', '.join(_PARTS)}")
        return self._has(_PARTS.index(part))

    @property
    def library(self) -> str:
        """What the MPI calls itself: ``Open MPI v4.1.4, …``."""
        return self._library()

    @property
    def standard(self) -> tuple[int, int]:
        """The version of MPI's standard that it has."""
        return self._standard()

    def finish(self) -> None:
        """Finalizes MPI, which waits for the other processes. On the thread that has started it, once."""
        self._finish()
        self._finished = True

    def __enter__(self) -> Environment:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._finished or self._is_forked():
            return
        if isinstance(error, SystemExit):
            self._code = _exit_code(error)
        elif error is None:
            self.finish()

    def _watch(self) -> None:
        """Ends the job where the program ends with an exception, and MPI where it ends well."""
        before = sys.excepthook

        def ended(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> Any:
            try:
                before(kind, error, trace)
            finally:
                if not self._finished and not self._is_forked():
                    self._abort(1)

        sys.excepthook = ended
        atexit.register(self._end)

    def _end(self) -> None:
        if self._finished or self._is_forked():
            return
        if self._code:
            self._abort(self._code)
        try:
            self.finish()
        except MpiError as error:
            print(f"upcall.mpi: {error}", file=sys.stderr)
            if error.kind == "synchronization":
                # An epoch that was never ended: the others wait for it.
                self._abort(1)

    def _abort(self, code: int) -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                pass
        self.world.abort(code)


def _exit_code(error: SystemExit) -> int:
    """What the process ends with."""
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)
    return 1


def environment() -> Environment:
    """MPI of this process, which is started where it was not."""
    return _started or Environment()


def world() -> Communicator:
    """All processes of the job. Starts MPI, where it was not started before; it is finalized when the program ends."""
    return environment().world


def own() -> Communicator:
    """This process alone. Starts MPI as ``world`` does."""
    return environment().own


def is_running() -> bool:
    """Whether MPI was started in this process, and has not been finalized."""
    return MpiEnvironment._is_running()


def is_finalized() -> bool:
    """Whether MPI has been finalized in this process: it cannot be started again."""
    return MpiEnvironment._is_finalized()
