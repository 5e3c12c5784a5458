"""Memory of ranks that others read and write, and memory on huge pages."""

from __future__ import annotations

import array
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ._mpi_arrays import listed, whole
from ._mpi_elements import WindowElements, dtype_of
from ._mpi_operation import REPLACE
from ._upcall import MpiBuf, MpiCommunicator, MpiEpoch, MpiExposure, MpiRequest, MpiWindow

if TYPE_CHECKING:
    from ._upcall import Elements

S = TypeVar("S", bound="_Span")


class Buf(MpiBuf):
    """Memory on huge pages of 2 MiB, which MPIs move faster than other memory: between processes of one machine 1.8 times at 64 KiB
    and 3 times at 1 MiB.

    So many bytes, zero at first, with the buffer protocol: ``numpy.asarray(buf)`` has its bytes, and ``buf.array(dtype)`` its
    numbers. It goes where arrays go, and lives as long as an array over it. It is for few large buffers that are used often; MPI
    need not have been started.
    """

    def __new__(cls, size: int) -> Buf:
        return super().__new__(cls, size)

    def array(self, dtype: Any = float) -> Any:
        """A numpy array over it, in one dimension."""
        import numpy

        return numpy.frombuffer(memoryview(self), dtype)

    def __repr__(self) -> str:
        return f"<mpi.Buf: {len(self)} bytes>"


class _Span:
    """What is open on a window from its beginning until ``end``, or the end of a ``with``."""

    def __init__(self, epoch: MpiEpoch, of: WindowElements) -> None:
        self._epoch = epoch
        self._of = of

    def end(self) -> None:
        """Ends it: what was begun is done. A second call does nothing. Raises ``MpiError`` where what was begun has failed."""
        if not self._epoch.has_ended():
            self._epoch.end()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.end()


class Epoch(_Span):
    """What is done to other ranks' memory between two points in time: see ``Window``.

    What it begins has ended when the epoch has. What was given to it is not changed until then, and what is fetched is there then.
    """

    def put(self, data: Any, rank: int, at: int = 0) -> None:
        """Writes elements at a rank, from its element ``at`` on.

        Others are converted to the window's where nothing is lost: an array of ``int32`` in a window of ``int64``, and Python's
        numbers. Raises ``TypeError`` where something may be, as of ``float64`` in a window of integers or of ``float32``, and
        ``ValueError`` of numbers of Python's that are no elements.
        """
        self._epoch.put(self._of.given(data, "put"), rank, at)

    def get(self, into: Elements, rank: int, at: int = 0) -> None:
        """Reads elements of a rank's, from its element ``at`` on, into an array: they are there when the epoch has ended."""
        self._epoch.get(self._of.filled(into, "get"), rank, at)

    def accumulate(self, data: Any, rank: int, at: int = 0, op: Any = REPLACE) -> None:
        """Combines elements into those of a rank's, each at once, by ``mpi.SUM`` and its like or ``mpi.REPLACE``.

        Several ranks may do so to the same elements, with one operation.
        """
        name, number = self._of.operator(op)
        self._epoch.accumulate(self._of.given(data, "accumulate"), rank, at, name, number)

    def get_accumulate(self, data: Any, before: Elements, rank: int, at: int = 0, op: Any = REPLACE) -> None:
        """As ``accumulate``; ``before`` has what was there before, when the epoch has ended."""
        name, number = self._of.operator(op)
        before = self._of.filled(before, "get_accumulate")
        data = self._of.given(data, "get_accumulate")
        self._epoch.get_accumulate(data, before, rank, at, name, number)

    def fetch_and_op_into(self, value: Any, before: Elements, rank: int, at: int = 0, op: Any = REPLACE) -> None:
        """Combines one number into one of a rank's at once; ``before``, of one element, is what was there, when the epoch has ended."""
        name, number = self._of.operator(op)
        before = self._of.filled(before, "fetch_and_op_into")
        value = self._of.one(value, "fetch_and_op_into")
        self._epoch.fetch_and_op(value, before, rank, at, name, number, False)

    def compare_and_swap_into(self, expected: Any, value: Any, before: Elements, rank: int, at: int = 0) -> None:
        """Writes an integer at a rank if what is there is ``expected``, at once; ``before``, of one element, is what was there, when
        the epoch has ended."""
        before = self._of.filled(before, "compare_and_swap_into")
        self._epoch.compare_and_swap(*self._swapped(expected, value), before, rank, at, self._of.number(), False)

    def _swapped(self, expected: Any, value: Any) -> tuple[Any, Any]:
        return self._of.one(expected, "compare_and_swap"), self._of.one(value, "compare_and_swap")


class PassiveEpoch(Epoch):
    """An epoch of locks, whose operations may be completed before it ends, and which has such as are complete when they return."""

    def flush(self, rank: int | None = None) -> None:
        """Completes what was begun with a rank, or with all: there too."""
        self._epoch.flush(rank, False)

    def flush_local(self, rank: int | None = None) -> None:
        """Completes what was begun with a rank, or with all, on this side only: what was put may not be there yet."""
        self._epoch.flush(rank, True)

    def fetch(self, rank: int, at: int, count: int) -> Any:
        """Elements of a rank's."""
        into = self._of.room(_count(count))
        self._epoch.fetch(into, rank, at)
        return into

    def fetch_and_accumulate(self, data: Any, rank: int, at: int = 0, op: Any = REPLACE) -> Any:
        """Combines elements into those of a rank's, each at once: what was there before."""
        name, number = self._of.operator(op)
        data = self._of.given(data, "fetch_and_accumulate")
        before = self._of.room(memoryview(data).nbytes // self._of.size)
        self._epoch.fetch_and_accumulate(data, before, rank, at, name, number)
        return before

    def fetch_and_op(self, value: Any, rank: int, at: int = 0, op: Any = REPLACE) -> Any:
        """Combines one number into one of a rank's at once: what was there before."""
        name, number = self._of.operator(op)
        return self._fetched(value, rank, at, name, number)

    def start_put(self, data: Any, rank: int, at: int = 0) -> MpiRequest:
        """Begins to write elements at a rank: when the request has ended they may be changed, and they are there when the epoch has
        ended, or after a ``flush``.

        A request that nobody waits for ends with the epoch, as do those below.
        """
        return self._epoch.start_put(self._of.given(data, "start_put"), rank, at)

    def start_get(self, rank: int, at: int, count: int) -> MpiRequest:
        """Begins to read elements of a rank's: ``request.data`` has them when the request has ended."""
        return self._epoch.start_get(self._of.room(_count(count)), rank, at)

    def start_get_into(self, into: Elements, rank: int, at: int = 0) -> MpiRequest:
        """The same into an array, which nobody uses before the request has ended."""
        return self._epoch.start_get(self._of.filled(into, "start_get"), rank, at)

    def start_accumulate(self, data: Any, rank: int, at: int = 0, op: Any = REPLACE) -> MpiRequest:
        """Begins to combine elements into those of a rank's, as ``accumulate``: when the request has ended they may be changed."""
        name, number = self._of.operator(op)
        return self._epoch.start_accumulate(self._of.given(data, "start_accumulate"), rank, at, name, number)

    def load(self, rank: int, at: int = 0) -> Any:
        """One number of a rank's, read at once, whatever others combine into it meanwhile."""
        return self._fetched(0, rank, at, "Nothing", self._of.number())

    def load_all(self, rank: int, at: int, count: int) -> Any:
        """Numbers of a rank's, each read at once, whatever others combine into them meanwhile."""
        count = _count(count)
        # Nobody reads the one.
        unread, before = self._of.room(count), self._of.room(count)
        self._epoch.fetch_and_accumulate(unread, before, rank, at, "Nothing", self._of.number())
        return before

    def _fetched(self, value: Any, rank: int, at: int, name: str, number: str) -> Any:
        before = self._of.room(1)
        self._epoch.fetch_and_op(self._of.one(value, "fetch_and_op"), before, rank, at, name, number, True)
        return before[0]

    def compare_and_swap(self, expected: Any, value: Any, rank: int, at: int = 0) -> Any:
        """Writes an integer at a rank if what is there is ``expected``, at once: what was there."""
        before = self._of.room(1)
        self._epoch.compare_and_swap(*self._swapped(expected, value), before, rank, at, self._of.number(), True)
        return before[0]


class LocalMemory(_Span):
    """A rank's memory, in place: no other rank reads or writes it until this ends. ``with`` gives the array."""

    def __init__(self, epoch: MpiEpoch, of: WindowElements, rank: int) -> None:
        super().__init__(epoch, of)
        self._rank = rank

    @property
    def array(self) -> Any:
        """The elements: a numpy array, or a memoryview of bytes, not to be used when this has ended."""
        return self._of.view(self._epoch.memory(self._rank, False))

    def __enter__(self) -> Any:
        return self.array


class Neighbors(_Span):
    """The memory of all ranks of a ``SharedWindow``, to read, while nobody writes it: ``neighbors[rank]``."""

    def __getitem__(self, rank: int) -> Any:
        return self._of.view(self._epoch.memory(rank, True))


class Exposure:
    """This rank's memory, which others access until it is waited for, as the end of a ``with`` does."""

    def __init__(self, exposure: MpiExposure) -> None:
        self._exposure: MpiExposure | None = exposure

    def wait(self) -> None:
        """Waits until all ranks that it is for have ended their access. A second call does nothing."""
        if self._exposure is not None:
            self._exposure.wait()
            self._exposure = None

    def test(self) -> bool:
        """Whether they have, which ends it."""
        if self._exposure is not None and self._exposure.test():
            self._exposure = None
        return self._exposure is None

    def __enter__(self) -> Exposure:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.wait()


def _count(count: int) -> int:
    count = whole(count, "count")
    if count < 0:
        raise ValueError(f"count: {count} is negative")
    return count


def _ranks(ranks: Sequence[int]) -> array.array[int]:
    each = listed(ranks, "ranks")
    # One that is more than MPI counts is no rank either.
    return array.array("i", [rank if abs(rank) < 2**31 else 2**31 - 1 for rank in each])


W = TypeVar("W", bound="_AnyWindow")


class _AnyWindow:
    """What both kinds of windows have."""

    def __init__(self, window: MpiWindow, of: WindowElements) -> None:
        self._window = window
        self._of = of

    @property
    def rank(self) -> int:
        """This process's rank, as the window numbers them."""
        return self._window.rank

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return self._window.size

    @property
    def dtype(self) -> Any:
        """What the elements are; ``None`` of bytes."""
        return self._of.dtype

    def length(self, rank: int) -> int:
        """How many elements a rank has."""
        return self._window.length(rank)

    def is_unified(self) -> bool:
        """Whether what is written here and what others write is one memory, in MPI's words: its unified model."""
        return self._window.is_unified()

    def lock(self, rank: int, kind: Literal["shared", "exclusive"] = "shared") -> PassiveEpoch:
        """An epoch with one rank, which need not call anything. Several ranks may be locked at once, each once."""
        if kind not in ("shared", "exclusive"):
            raise ValueError(f"lock a window: {kind!r} is neither 'shared' nor 'exclusive'")
        return PassiveEpoch(self._window.lock(kind == "exclusive", rank), self._of)

    def lock_all(self) -> PassiveEpoch:
        """An epoch with all ranks, which others may have at the same time."""
        return PassiveEpoch(self._window.lock_all(), self._of)

    def local(self) -> LocalMemory:
        """This rank's own memory, in place, when no other rank has locked it: it is locked until that ends."""
        return LocalMemory(self._window.memory_of(self.rank), self._of, self.rank)

    def free(self) -> None:
        """Ends it, when all ranks do. Collective. A second call does nothing. Raises ``MpiError`` where an epoch is open."""
        self._window.free()

    def __enter__(self: W) -> W:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        # Others may not come here where one is left by an exception, and freeing waits for them.
        if error is None:
            self.free()


class Window(_AnyWindow):
    """Memory of each rank's of a communicator, which all of them read and write: so many elements at each, from 0 on.

    What is done lies in an epoch::

        with mpi.Window.allocate(world, 10, "i8") as window:
            with window.fence() as epoch:
                epoch.put([world.rank], next_rank, 0)
            with window.lock_all() as epoch:
                ticket = epoch.fetch_and_op(1, 0, 9, mpi.SUM)

    Within one epoch, what is put and what is fetched or combined must not overlap, but for what is accumulated with one operation.
    It is freed at the end of the ``with``, which is collective; one that is forgotten stays until MPI is finalized.
    """

    @classmethod
    def allocate(cls, comm: MpiCommunicator, count: int, dtype: Any = None) -> Window:
        """One over memory of MPI's, which is faster for others to reach: ``count`` elements here, which are zero.

        Collective; each rank has its own number. Without a dtype its elements are bytes.
        """
        of = WindowElements(dtype)
        return cls(comm._window(count, of.size), of)

    @classmethod
    def create(cls, comm: MpiCommunicator, memory: Elements) -> Window:
        """One over an array, which is the window's until that is freed, and has its elements then. Collective.

        Where MPI does not take it where it lies, as Open MPI 4 does among the ranks of one machine, it is copied, and back in the
        end: read and write it by ``local`` meanwhile.
        """
        of = WindowElements(dtype_of(memory))
        return cls(comm._window_over(memory, of.size), of)

    def fence(self) -> Epoch:
        """An epoch of all ranks: when it ends, all that was begun by any rank is done. Collective, at both ends."""
        return Epoch(self._window.fence(), self._of)

    def access(self, ranks: Sequence[int]) -> Epoch:
        """An epoch with some ranks, which ``expose`` their memory to this one meanwhile: it may wait for that."""
        return Epoch(self._window.access(_ranks(ranks)), self._of)

    def expose(self, ranks: Sequence[int]) -> Exposure:
        """Lets some ranks ``access`` this rank's memory, each once, until it is waited for."""
        return Exposure(self._window.expose(_ranks(ranks)))

    def put(self, data: Any, rank: int, at: int = 0) -> None:
        """Writes elements at a rank, in an epoch of its own, and returns when they are there."""
        with self.lock(rank) as epoch:
            epoch.put(data, rank, at)

    def get(self, rank: int, at: int, count: int) -> Any:
        """Elements of a rank's, read in an epoch of their own."""
        with self.lock(rank) as epoch:
            return epoch.fetch(rank, at, count)


class SharedWindow(_AnyWindow):
    """A window among the ranks of one machine, whose memory each of them reaches in place::

        with mpi.SharedWindow.allocate(world, 1000, float) as table:
            with table.local() as mine:
                mine[:] = 1
            with table.together() as all:
                first = all[0][0]

    It has the epochs of locks, not those of fences.
    """

    @classmethod
    def allocate(cls, comm: MpiCommunicator, count: int, dtype: Any = None) -> SharedWindow:
        """Memory among those ranks that run on this machine, numbered anew: ``count`` elements here, which are zero. Collective."""
        of = WindowElements(dtype)
        return cls(comm._shared_window(count, of.size), of)

    def memory_of(self, rank: int) -> LocalMemory:
        """A rank's memory, in place, when nobody else has locked it: it is locked until that ends."""
        return LocalMemory(self._window.memory_of(rank), self._of, rank)

    def together(self) -> Neighbors:
        """The memory of all ranks, to read. Collective: it begins when all have called this, and ends when all have ended it."""
        return Neighbors(self._window.together(), self._of)
