"""The native part: what a handler is given."""

import builtins
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, Generic, Literal, NoReturn, Protocol, Self, TypeAlias, final

from typing_extensions import Buffer, TypeVar

from ._over import Cancelled, Closed, TimedOut
from ._support import Columns, Found

__version__: str

Bytes: TypeAlias = bytes | bytearray | memoryview | str
Number: TypeAlias = int | float
Failure: TypeAlias = tuple[str, str, str, int, int | None]

_Value = TypeVar("_Value", default=bytes | memoryview, covariant=True)
_Each = TypeVar("_Each", default=Any, covariant=True)
_Emitted = TypeVar("_Emitted", default=Bytes | Number, contravariant=True)
_Communicator = TypeVar("_Communicator", bound="MpiCommunicator")
_File = TypeVar("_File", bound="MpiFile")
_Comparison: TypeAlias = Literal["identical", "congruent", "similar", "unequal"]

@final
class Object(Generic[_Value]):
    """One object that reaches a handler: a view that ends with the call, or with the task of an ``async def on_object``.

    ``Object[T]`` as an annotation makes ``obj.value`` a ``T``: ``int``, ``float``, ``str``, ``bytes``, a
    ``ctypes.Structure``, or a class with ``unpack`` and ``pack``.
    """

    @property
    def key(self) -> bytes:
        """The key: UTF-8 bytes."""
    @property
    def value(self) -> _Value:
        """The value: ``bytes``, or from 4 KiB on a ``memoryview`` that ends with the call. In an ``async def`` always ``bytes``.

        ``bytes(obj.value)`` is yours to keep; for ``bytes`` it costs nothing. In an ``Object[T]`` a ``T``,
        which is yours.
        """
    @property
    def number(self) -> Any:
        """The value as ``int`` or ``float``, in a pool that declares a number type."""
    @property
    def version(self) -> int:
        """Strictly increasing per key, unique per pool; 0 for the sample of a flow file's ``warm``."""
    @property
    def time(self) -> int:
        """Nanoseconds since the Unix epoch, never backward within a pool."""
    @property
    def pool(self) -> str:
        """The path of the pool it was put into."""
    @property
    def sender(self) -> str:
        """Who put it: a handler's name, or who puts from outside."""
    @property
    def cancelled(self) -> TimedOut | Cancelled | Closed | None:
        """Of a handler that answers later: why the object is no longer waited for; ``None`` while it is.

        All else of the object, and its ``emit``, then raises an exception of the same type.
        """

@final
class Batch(Generic[_Each]):
    """The objects of one call. Ends with the call.

    ``Batch[T]`` as an annotation is to it what ``Object[T]`` is to an object.

    On failure everything since the last ``done`` fails together and keeps nothing that it emitted.
    """

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Object[_Each]: ...
    def __iter__(self) -> Iterator[Object[_Each]]: ...
    def keys(self) -> list[bytes]:
        """The keys: the fastest way to them."""
    def value_list(self) -> list[_Each]:
        """The values: ``int`` or ``float`` where the pool declares a number type, else as ``obj.value``."""
    def columns(self) -> Columns:
        """Keys and values as numpy arrays, which are copies: the fastest way to all of them."""
    @property
    def values(self) -> Any:
        """The values as a numpy array that ends with the call.

        The pool must declare a number type, or the batch be a ``Batch[T]`` of a blittable class: then it is
        an array of records.
        """
    def done(self, count: int) -> None:
        """Reports that the first ``count`` objects are done: what was emitted so far is kept."""

@final
class Emit(Generic[_Emitted]):
    """Writes what a handler emits. Ends with the call, or with the task of an ``async def``.

    ``Emit[T]`` as an annotation takes values of that type; ``Emit[A | B]`` of either.
    """

    def __call__(self, key: Bytes, value: _Emitted, pool: str | None = None) -> None:
        """Emits an object, into the handler's first pool if none is named.

        A number goes into a pool that declares a number type.
        """
    def many(
        self,
        keys: Iterable[Bytes],
        values: _Emitted | Iterable[_Emitted],
        pool: str | None = None,
    ) -> None:
        """Emits an object for each key, with its value or one value for all, in native code."""
    def put_if(self, key: Bytes, value: _Emitted, previous: int, pool: str | None = None) -> None:
        """Emits an object if the newest version of its key is ``previous`` when it arrives in the pool, 0 for none.

        If it is not, the object that is being handled fails, and nothing counts of what it has emitted; with ``retry`` it
        is handled again, and may read the key again. For each object one such emission: a second one is a
        ``RuntimeError``, as is one from a batch handler or at the flush, where there is no object that could fail.
        """
    def read(
        self, pool: str, key: Bytes, *, version: int | None = None, time: int | None = None
    ) -> Found | None:
        """A key of a pool that the handler may read, copied: its newest version.

        With ``version`` or ``time`` (nanoseconds since the Unix epoch), what it was at that version of the pool or at that
        time. ``ValueError`` when that is no longer kept: raise the pool's ``keep``.
        """
    def list(self, pool: str, prefix: Bytes = b"") -> builtins.list[bytes]:
        """The keys of such a pool that begin with ``prefix``, sorted, as they are now. Walks the whole pool."""

def table() -> int: ...
def handler(make: Callable[[], object], /) -> int: ...
def log(level: int, text: str, /) -> None: ...
def route_imports(import_: Callable[..., ModuleType], /) -> None: ...
def import_elsewhere(
    name: str, globals: Any = ..., locals: Any = ..., fromlist: Any = ..., level: int = ...
) -> ModuleType: ...
def __import__(
    name: str, globals: Any = ..., locals: Any = ..., fromlist: Any = ..., level: int = ...
) -> ModuleType: ...
@final
class Harness:
    def __new__(
        cls,
        handler: object,
        settings: tuple[tuple[str, str], ...],
        pools: tuple[tuple[str, str, int, int], ...],
        stored: dict[tuple[int, bytes], tuple[bytes | None, ...]],
        logged: list[tuple[int, str]],
        /,
    ) -> Harness: ...
    def open(self) -> Failure | None: ...
    def run(
        self, objects: Sequence[tuple[Bytes, Bytes, int, int, int]], size: int
    ) -> tuple[list[tuple[int, bytes, bytes, int, int | None]], Failure | None]: ...
    def begin(
        self, object: tuple[Bytes, Bytes, int, int, int] | None, answered: Callable[[], None]
    ) -> int: ...
    def cancel(self, number: int, why: int) -> Failure | None: ...
    def end(self, number: int) -> tuple[list[tuple[int, bytes, bytes, int, int | None]], Failure | None]: ...
    def flush(self) -> tuple[list[tuple[int, bytes, bytes, int, int | None]], Failure | None]: ...
    def open_combine(self, element: str, size: int) -> Failure | None: ...
    def combine(self, source: bytes, into: bytes, count: int) -> tuple[bytes, Failure | None]: ...
    def describe(self) -> list[tuple[int, str, str]] | Failure: ...
    def open_vertex(self, vertices: int, edges: int, directed: bool) -> Failure | None: ...
    def vertices(
        self,
        numbers: tuple[int, int, int, int, int, int, int, int, int],
        total: float,
        lent: tuple[Any, ...],
        written: tuple[Any, Any, Any],
        incoming: tuple[Any, ...],
        outgoing: tuple[Any, ...],
        room: tuple[int, int],
    ) -> tuple[bytes, bytes, bytes, bytes, bytes, Failure | None]: ...
    def after(
        self, iteration: int, updated: int, scheduled: int, residual: float, total: float
    ) -> tuple[bool, Failure | None]: ...
    def interval(
        self, iteration: int, first: int, end: int, pass_: int, updated: int, residual: float, total: float
    ) -> tuple[bool, Failure | None]: ...
    def close(self) -> Failure | None: ...

class _Array(Protocol):
    """A numpy array, which has a buffer in every Python, and says so to type checkers from 3.12 on."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

Elements: TypeAlias = Buffer | _Array

class MpiEnvironment:
    """What ``upcall.mpi.Environment`` is derived from."""

    def __new__(cls, threads: int) -> Self: ...
    def _finish(self) -> None: ...
    def _world(self, of: type[_Communicator]) -> _Communicator: ...
    def _own(self, of: type[_Communicator]) -> _Communicator: ...
    def _parent(self, of: type[_Comm]) -> _Comm | None: ...
    def _open_port(self) -> MpiPort: ...
    def look_up(self, service: str) -> str:
        """The name of the port that was published as a service; raises ``MpiError`` of kind ``port`` where there is none."""
    def _threads(self) -> int: ...
    def _library(self) -> str: ...
    def _standard(self) -> tuple[int, int]: ...
    def _is_forked(self) -> bool: ...
    @classmethod
    def _is_running(cls) -> bool: ...
    @classmethod
    def _is_finalized(cls) -> bool: ...
    def attach_buffer(self, size: int) -> MpiSendBuffer:
        """Attaches room for ``size`` bytes of messages at once, for ``send_buffered`` of all communicators. There is one at a time.

        Raises ``MpiError`` where one is attached already (``usage``), or MPI has been finalized (``lifecycle``).
        """
    def processor(self) -> str:
        """The name of the machine that this process runs on."""
    def time(self) -> float:
        """Seconds since some moment in the past, by the clock of MPI's."""
    def time_resolution(self) -> float:
        """Seconds between two ticks of the clock of ``time``."""
    def time_is_global(self) -> bool:
        """Whether the clocks of all ranks show the same time."""
    def is_main_thread(self) -> bool:
        """Whether this thread is the one that has started MPI."""
    def universe_size(self) -> int | None:
        """How many processes the launcher has room for, those that run included; ``None`` where it does not say."""
    def program_number(self) -> int | None:
        """Which of the programs this is that were started at once, from 0 on; ``None`` where nobody says."""
    def io_rank(self) -> int | None:
        """Which rank may read and write files as the language does: ``mpi.ANY_SOURCE`` where all may, ``None`` where none."""
    def host_rank(self) -> int | None:
        """The rank of the host process; ``None`` where there is none."""
    def _threads_wanted(self) -> int: ...
    def _has(self, part: int) -> bool: ...

@final
class MpiStatus:
    """What is known of a message that has arrived."""

    @property
    def source(self) -> int:
        """The rank that has sent it; -1 where the receive was cancelled."""
    @property
    def tag(self) -> int:
        """Its tag."""
    @property
    def bytes(self) -> int:
        """Its bytes."""
    @property
    def cancelled(self) -> bool:
        """Whether the receive was cancelled before anything arrived."""
    def count(self, size: int) -> int:
        """How many elements of so many bytes it has. Raises ``MpiError`` where it is no whole number of them."""

@final
class MpiRequest:
    """A call that goes on: a send, a receive or a call of all ranks, with the memory that it needs, which it keeps until it has ended.

    Dropped before its end, a receive is cancelled, and a send goes on by itself. Under asyncio ``await request`` is ``wait``, while
    other tasks run.
    """

    def __await__(self) -> Generator[Any, Any, MpiStatus]: ...

    @property
    def data(self) -> Any:
        """What is sent, or received into; of a call of all ranks, what comes."""
    def wait(self) -> MpiStatus:
        """Waits until it has ended. Once it has, it says the same again. Ctrl-C is heard, and it may be waited for again."""
    def test(self) -> bool:
        """Whether it has ended. Raises what it has failed with."""
    def cancel(self) -> None:
        """Asks MPI to give up a receive that nothing has arrived for: it has still to be waited for, and its status says whether
        it was cancelled. A send goes on."""

@final
class MpiPersistent:
    """A message, or a call of all ranks, that is made ready once and started again and again, over memory that it keeps.

    What it sends is read when a round is started, and what comes is there when it has ended; in between nobody uses either. One that
    is dropped while a round is under way does no harm. ``await`` waits for a round as it does for a request.
    """

    def __await__(self) -> Generator[Any, Any, MpiStatus]: ...

    @property
    def sent(self) -> Any:
        """What is sent, if anything is."""
    @property
    def data(self) -> Any:
        """What is received into, or comes; of a send, what is sent."""
    @property
    def active(self) -> bool:
        """Whether a round is under way."""
    def start(self) -> None:
        """Starts a round. Raises ``MpiError`` where one is under way."""
    def wait(self) -> MpiStatus:
        """Waits until the round has ended. Once it has, it says the same again, until the next is started. Ctrl-C is heard."""
    def test(self) -> bool:
        """Whether the round has ended. Raises what it has failed with."""

@final
class MpiPartitions:
    """A message in partitions, which are sent when they are ready, and read when they have arrived, again and again.

    MPI 4 has them: Open MPI before 5 raises ``MpiError``, ``unsupported``.
    """

    @property
    def data(self) -> Any:
        """What is sent, or received into."""
    @property
    def active(self) -> bool:
        """Whether a round is under way."""
    def start(self) -> None:
        """Starts a round."""
    def ready(self, partition: int) -> None:
        """Sends a partition, which nobody may change until the round has ended. By any thread."""
    def arrived(self, partition: int) -> bool:
        """Whether a partition has arrived, and may be read. By any thread."""
    def wait(self) -> None:
        """Waits until the round has ended. Of a send, partitions that are not ready go as they are."""

@final
class MpiSendBuffer:
    """The room for ``send_buffered``, until it is detached. As a context manager it is at the end of the block.

    One that is forgotten stays until another one is attached.
    """

    @property
    def used(self) -> int:
        """How many bytes are under way."""
    def detach(self) -> None:
        """Waits until all that was sent by it has left, and takes it away. A second call does nothing."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object, error: object, trace: object) -> None: ...

@final
class MpiMessage:
    """What ``upcall.mpi.Message`` is around."""

    @property
    def status(self) -> MpiStatus: ...
    def receive(self) -> bytearray: ...
    def receive_into(self, into: Elements) -> MpiStatus: ...

@final
class MpiGroup:
    """Processes in an order: what a communicator is made of. It passes no messages by itself, and every call on it is of this
    process alone."""

    @property
    def rank(self) -> int | None:
        """This process's rank in it; ``None`` where it is not in it."""
    @property
    def size(self) -> int:
        """How many processes it has."""
    def union(self, other: MpiGroup) -> MpiGroup:
        """The processes of this one, and then those of the other that are not in it."""
    def intersection(self, other: MpiGroup) -> MpiGroup:
        """The processes of this one that are in the other, too."""
    def difference(self, other: MpiGroup) -> MpiGroup:
        """The processes of this one that are not in the other."""
    def include(self, ranks: Iterable[int]) -> MpiGroup:
        """Its processes of these ranks, in this order: a list, a ``range``, or whatever gives ranks.

        Raises ``MpiError`` where there is no such rank, or one is there twice."""
    def exclude(self, ranks: Iterable[int]) -> MpiGroup:
        """Its processes without those of these ranks."""
    def translate(self, ranks: Iterable[int], other: MpiGroup) -> list[int | None]:
        """Which ranks those of these ranks have in the other; ``None`` for those that are not in it."""
    def compare(self, other: MpiGroup) -> _Comparison:
        """How alike the two are."""

class MpiFile:
    """What ``upcall.mpi.File`` is derived from."""

    @property
    def path(self) -> str:
        """Its path, as it was opened."""
    @property
    def size(self) -> int:
        """Its bytes."""
    @property
    def position(self) -> int:
        """Where this rank's pointer is, in elements of the view."""
    @property
    def position_shared(self) -> int:
        """Where the pointer is that all ranks have."""
    @property
    def atomic(self) -> bool:
        """Whether each read and write is done at once, as others see it, without ``sync``. Off at first."""
    def close(self) -> None:
        """Closes it, when all that was begun has ended. Collective. A second call does nothing."""
    def sync(self) -> None:
        """Brings what was written to the disk, and what others have brought there to this rank's eyes. Collective."""
    def _hints(self) -> list[tuple[str, str]]: ...
    def set_size(self, bytes: int) -> None:
        """Makes it as large: what is behind is cut off, what is new is zero. Collective."""
    def preallocate(self, bytes: int) -> None:
        """Takes room for so many bytes, so that writing them does not find the disk full; a larger file stays as it is.

        Collective."""
    def set_atomic(self, atomic: bool) -> None:
        """Says whether each read and write is done at once. Collective."""
    def _seek(self, offset: int, whence: int, shared: bool) -> int: ...
    def _read(self, into: Elements, place: int, offset: int) -> int: ...
    def _write(self, data: Elements, place: int, offset: int) -> None: ...
    def start_read_at(self, into: Elements, offset: int) -> MpiRequest:
        """Begins to read into an array at an offset, which nobody may use until it has ended: the status counts the bytes.

        It goes on in the background where all threads may call MPI, else it is done when this returns. Closing waits for it."""
    def start_write_at(self, data: Elements, offset: int) -> MpiRequest:
        """Begins to write an array at an offset, which nobody may change until it has ended, as ``start_read_at`` reads."""
    def _view(self, element: int, place: int) -> None: ...
    def _view_blocks(self, element: int, place: int, block: int) -> None: ...
    def _view_strided(self, element: int, place: int, first: int, block: int, stride: int) -> None: ...
    def _view_subarray(
        self, element: int, place: int, sizes: Sequence[int], part: Sequence[int], starts: Sequence[int]
    ) -> None: ...

class MpiOperator:
    """What ``upcall.mpi.Operator`` is derived from."""

    def __new__(cls, name: str) -> Self: ...

class MpiBuf:
    """What ``upcall.mpi.Buf`` is derived from."""

    def __new__(cls, size: int) -> Self: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __len__(self) -> int: ...
    @property
    def has_huge_pages(self) -> bool:
        """Whether what was written lies on huge pages: where the system has none to give, it lies on ordinary ones."""

@final
class MpiMemory:
    """Memory of a window's, with the buffer protocol."""

    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __len__(self) -> int: ...

@final
class MpiEpoch:
    """What ``upcall.mpi.Epoch`` and its like are around."""

    def put(self, data: Elements, rank: int, at: int) -> None: ...
    def get(self, into: Elements, rank: int, at: int) -> None: ...
    def fetch(self, into: Elements, rank: int, at: int) -> None: ...
    def accumulate(self, data: Elements, rank: int, at: int, op: str, number: str) -> None: ...
    def get_accumulate(
        self, data: Elements, before: Elements, rank: int, at: int, op: str, number: str
    ) -> None: ...
    def fetch_and_accumulate(
        self, data: Elements, before: Elements, rank: int, at: int, op: str, number: str
    ) -> None: ...
    def fetch_and_op(
        self, value: Elements, before: Elements, rank: int, at: int, op: str, number: str, now: bool
    ) -> None: ...
    def compare_and_swap(
        self, expected: Elements, value: Elements, before: Elements, rank: int, at: int, number: str, now: bool
    ) -> None: ...
    def start_put(self, data: Elements, rank: int, at: int) -> MpiRequest: ...
    def start_get(self, into: Elements, rank: int, at: int) -> MpiRequest: ...
    def start_accumulate(self, data: Elements, rank: int, at: int, op: str, number: str) -> MpiRequest: ...
    def flush(self, rank: int | None, local: bool) -> None: ...
    def memory(self, rank: int, readonly: bool) -> MpiMemory: ...
    def has_ended(self) -> bool: ...
    def end(self) -> None: ...

@final
class MpiExposure:
    """What ``upcall.mpi.Exposure`` is around."""

    def wait(self) -> None: ...
    def test(self) -> bool: ...

@final
class MpiWindow:
    """What ``upcall.mpi.Window`` and ``upcall.mpi.SharedWindow`` are around."""

    @property
    def rank(self) -> int: ...
    @property
    def size(self) -> int: ...
    def length(self, rank: int) -> int: ...
    def is_unified(self) -> bool: ...
    def fence(self) -> MpiEpoch: ...
    def access(self, ranks: Elements) -> MpiEpoch: ...
    def expose(self, ranks: Elements) -> MpiExposure: ...
    def lock(self, exclusive: bool, rank: int) -> MpiEpoch: ...
    def lock_all(self) -> MpiEpoch: ...
    def memory_of(self, rank: int) -> MpiEpoch: ...
    def together(self) -> MpiEpoch: ...
    def free(self) -> None: ...

class MpiPort:
    """Where other programs may connect to. It is closed when it is dropped, or at the end of a ``with`` block."""

    @property
    def name(self) -> str:
        """Its name, which others are told."""
    def publish(self, service: str) -> MpiPublished:
        """Tells others its name under that of a service, until what is returned is closed or dropped."""
    def close(self) -> None:
        """Closes it. A second time does nothing."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object, error: object, trace: object) -> None: ...

class MpiPublished:
    """The name of a port under that of a service. It is taken back when this is closed or dropped."""

    def close(self) -> None:
        """Takes it back. A second time does nothing."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object, error: object, trace: object) -> None: ...

class MpiKey:
    """What ``upcall.mpi.Key`` is derived from."""

    def __new__(cls, copied: bool) -> Self: ...

_Comm = TypeVar("_Comm", bound=MpiCommunicator)

class MpiExactSum:
    """What ``upcall.mpi.ExactSum`` is derived from."""

    def __new__(cls, double: bool) -> Self: ...
    def _add(self, number: float) -> None: ...
    def _add_all(self, numbers: Elements) -> None: ...
    def _merge(self, other: MpiExactSum) -> None: ...
    def _value(self) -> float: ...

@final
class MpiElementType:
    """A type of elements, by its name, its size, and its fields: ``(name, type, offset, size)`` each."""

    def __new__(cls, name: str, size: int, fields: tuple[tuple[str, str, int, int], ...]) -> Self: ...

@final
class MpiDatatype:
    """What ``upcall.mpi.Datatype`` is around."""

@final
class MpiChecked:
    """What ``upcall.mpi.Checked`` is around."""

    def is_on(self) -> bool: ...
    def send(self, data: Elements, type_: MpiElementType, dest: int, tag: int) -> None: ...
    def receive(self, type_: MpiElementType, source: int, tag: int, status: MpiStatus | None = None) -> bytearray: ...
    def receive_into(self, into: Elements, type_: MpiElementType, source: int, tag: int) -> MpiStatus: ...
    def send_receive(
        self,
        data: Elements,
        type_: MpiElementType,
        dest: int,
        tag: int,
        into: Elements,
        into_type: MpiElementType,
        source: int,
        receive_tag: int,
    ) -> MpiStatus: ...
    def together(self, of: type[_Communicator], type_: MpiElementType) -> _Communicator: ...

class MpiCommunicator:
    """What ``upcall.mpi.Communicator`` is derived from: what needs no more than bytes."""

    @property
    def rank(self) -> int:
        """This process's rank, from 0 on."""
    @property
    def size(self) -> int:
        """How many processes there are."""
    @property
    def largest_tag(self) -> int:
        """The largest tag that messages may have: 32,767 or more."""
    def abort(self, code: int = 1) -> NoReturn:
        """Ends all processes of the job at once, with this exit code. For what cannot go on: messages are lost."""
    def _window(self, count: int, element: int) -> MpiWindow: ...
    def _window_over(self, memory: Elements, element: int) -> MpiWindow: ...
    def _shared_window(self, count: int, element: int) -> MpiWindow: ...
    def _duplicate(self) -> Self: ...
    def _split(self, of: type[_Communicator], color: int, key: int) -> _Communicator | None: ...
    def group(self) -> MpiGroup:
        """Its processes."""
    def _remote_group(self) -> MpiGroup: ...
    def _create(self, of: type[_Communicator], group: MpiGroup) -> _Communicator | None: ...
    def _create_group(self, of: type[_Communicator], group: MpiGroup, tag: int) -> _Communicator: ...
    def _split_shared_memory(self, of: type[_Communicator], key: int) -> _Communicator: ...
    def compare(self, other: MpiCommunicator) -> _Comparison:
        """How alike this one and another are: a duplicate is ``congruent``."""
    def _name(self) -> str: ...
    def _set_name(self, name: str) -> None: ...
    def dimensions(self, sizes: Sequence[int]) -> list[int]:
        """How many ranks to put along each dimension, so that all are as many as here and the dimensions are as equal as can be.

        One that is not 0 stays as it is."""
    def _cartesian(
        self, of: type[_Communicator], sizes: Sequence[int], periodic: Sequence[bool], reorder: bool
    ) -> _Communicator | None: ...
    def _graph_adjacent(
        self,
        of: type[_Communicator],
        sources: Sequence[int],
        source_weights: Sequence[int],
        targets: Sequence[int],
        target_weights: Sequence[int],
        reorder: bool,
    ) -> _Communicator: ...
    def _graph(
        self,
        of: type[_Communicator],
        sources: Sequence[int],
        degrees: Sequence[int],
        targets: Sequence[int],
        reorder: bool,
    ) -> _Communicator: ...
    def _sizes(self) -> list[int]: ...
    def _periodic(self) -> list[bool]: ...
    def coordinates_of(self, rank: int) -> list[int]:
        """Of a grid: where a rank is."""
    def rank_of(self, coordinates: Sequence[int]) -> int | None:
        """Of a grid: who is there; ``None`` where nobody is. Along a periodic dimension any number is a coordinate."""
    def _shift(self, dimension: int, steps: int) -> list[int | None]: ...
    def _sub_grid(self, of: type[_Communicator], kept: Sequence[bool]) -> _Communicator: ...
    def _sources(self) -> list[int | None]: ...
    def _targets(self) -> list[int | None]: ...
    def neighbor_all_gather_into(self, data: Elements, into: Elements) -> None:
        """As ``neighbor_all_gather``, into an array: the room of a source that is nobody stays as it is."""
    def _neighbor_all_gather_parts(self, data: Elements) -> tuple[bytearray, list[int]]: ...
    def neighbor_all_to_all_into(self, data: Elements, into: Elements) -> None:
        """As ``neighbor_all_to_all``, into an array: the room of a source that is nobody stays as it is."""
    def _neighbor_all_to_all_parts(self, data: Elements, counts: Sequence[int]) -> tuple[bytearray, list[int]]: ...
    def _file_open(self, of: type[_File], path: str, how: int, hints: Sequence[tuple[str, str]]) -> _File: ...
    def _file_delete(self, path: str) -> None: ...

    def _intercommunicator(self, leader: int, bridge: MpiCommunicator, remote_leader: int, tag: int, of: type[_Comm]) -> _Comm: ...
    def _remote_size(self) -> int: ...
    def _merge(self, high: bool, of: type[_Comm]) -> _Comm: ...
    def _disconnect(self) -> None: ...
    def _spawn(self, programs: Sequence[tuple[Any, ...]], root: int, of: type[_Comm]) -> _Comm: ...
    def _accept(self, port: str, root: int, of: type[_Comm]) -> _Comm: ...
    def _connect(self, port: str, root: int, of: type[_Comm]) -> _Comm: ...
    def _inter_broadcast(self, data: Elements, root: int) -> None: ...
    def _inter_broadcast_any(self, data: Elements | None, root: int, valid: bool) -> bytearray | None: ...
    def _inter_gather(self, data: Elements | None, into: Elements | None, root: int) -> None: ...
    def _inter_gather_parts(self, data: Elements | None, root: int) -> tuple[bytearray, list[int]] | None: ...
    def _inter_scatter(self, data: Elements | None, into: Elements | None, root: int) -> None: ...
    def _inter_scatter_parts(self, data: Elements | None, counts: Sequence[int] | None, root: int) -> bytearray | None: ...
    def _inter_all_gather(self, data: Elements, into: Elements) -> None: ...
    def _inter_all_gather_parts(self, data: Elements) -> tuple[bytearray, list[int]]: ...
    def _inter_all_to_all(self, data: Elements, into: Elements) -> None: ...
    def _inter_all_to_all_parts(self, data: Elements, counts: Sequence[int]) -> tuple[bytearray, list[int]]: ...
    def _inter_reduce(self, data: Elements | None, into: Elements | None, op: Any, root: int) -> None: ...
    def _inter_all_reduce(self, data: Elements, into: Elements, op: Any) -> None: ...
    def _set_value(self, of: type[MpiKey], key: MpiKey, value: object) -> None: ...
    def _value(self, of: type[MpiKey], key: MpiKey, default: object) -> object: ...
    def _remove_value(self, of: type[MpiKey], key: MpiKey) -> bool: ...

    def revoke(self) -> None:
        """Ends what is under way on this communicator, on all ranks: only ``shrink`` and ``agree`` go on with it. One rank calls it."""
    def is_revoked(self) -> bool:
        """Whether it was revoked, as far as this rank knows by now."""
    def _shrink(self, of: type[_Communicator]) -> _Communicator: ...
    def agree(self, flags: int) -> int:
        """The bits that are set in what all ranks that live give. Collective over these, also where this one was revoked."""
    def acknowledge_failures(self) -> None:
        """Takes note of the ranks that are known to have died: what receives from any rank waits for the others again."""
    def acknowledged_failures(self) -> MpiGroup:
        """The processes whose failure was acknowledged."""
    def failed_ranks(self) -> list[int]:
        """The ranks whose failure was acknowledged."""

    def send(self, data: Elements, dest: int, tag: int = 0) -> None:
        """Sends an array. Returns when it may be changed again, which may be before or after it is received."""
    def send_synchronous(self, data: Elements, dest: int, tag: int = 0) -> None:
        """As ``send``; returns when the receiver has begun to receive."""
    def send_ready(self, data: Elements, dest: int, tag: int = 0) -> None:
        """As ``send``, where the receiver is known to wait already: otherwise the message may be lost."""
    def receive_into(self, into: Elements, source: int = -1, tag: int = -1) -> MpiStatus:
        """Receives into an array, which may have room for more: the status counts. Raises ``MpiError`` where it has less."""
    def send_receive(
        self, data: Elements, dest: int, into: Elements, source: int = -1, tag: int = 0, receive_tag: int = -1
    ) -> MpiStatus:
        """Sends to one rank and receives from another in one call, which cannot block each other."""
    def _receive(self, source: int, tag: int, status: MpiStatus | None = None) -> bytearray: ...
    def probe(self, source: int = -1, tag: int = -1) -> MpiStatus:
        """Waits for a message and says what is known of it. Of several threads that receive, each uses ``matched``."""
    def try_probe(self, source: int = -1, tag: int = -1) -> MpiStatus | None:
        """As ``probe``, of a message that has arrived already, if there is one."""
    def _matched(self, source: int, tag: int) -> MpiMessage | None: ...
    def _try_matched(self, source: int, tag: int) -> MpiMessage | None: ...
    def start_send(self, data: Elements, dest: int, tag: int = 0) -> MpiRequest:
        """Begins to send an array, which nobody may change until it has ended."""
    def start_send_synchronous(self, data: Elements, dest: int, tag: int = 0) -> MpiRequest:
        """As ``start_send``; it ends when the receiver has begun to receive."""
    def start_send_ready(self, data: Elements, dest: int, tag: int = 0) -> MpiRequest:
        """As ``start_send``, where the receiver is known to wait already."""
    def start_send_buffered(self, data: Elements, dest: int, tag: int = 0) -> MpiRequest:
        """As ``send_buffered``, with a request that has ended when it is begun."""
    def start_receive(self, into: Elements, source: int = -1, tag: int = -1) -> MpiRequest:
        """Begins to receive into an array, which nobody may use until it has ended."""

    def send_buffered(self, data: Elements, dest: int, tag: int = 0) -> None:
        """As ``send``, of a copy: it returns whether or not anybody receives it. ``Environment.attach_buffer`` gives it room."""
    def send_init(self, data: Elements, dest: int, tag: int = 0) -> MpiPersistent:
        """Makes a ``send`` ready, to be started again and again."""
    def send_synchronous_init(self, data: Elements, dest: int, tag: int = 0) -> MpiPersistent:
        """As ``send_init``; a round ends when the receiver has begun to receive."""
    def send_ready_init(self, data: Elements, dest: int, tag: int = 0) -> MpiPersistent:
        """As ``send_init``, where the receiver is known to wait already when a round is started."""
    def send_buffered_init(self, data: Elements, dest: int, tag: int = 0) -> MpiPersistent:
        """As ``send_init``; each round copies the elements into the room for buffered sends, and has ended then.

        That there is no room for them is raised by ``start``."""
    def receive_init(self, into: Elements, source: int = -1, tag: int = -1) -> MpiPersistent:
        """Makes a ``receive_into`` ready, to be started again and again."""
    def partitioned_send_init(self, data: Elements, partitions: int, dest: int, tag: int = 0) -> MpiPartitions:
        """Makes a message of so many partitions ready, of as many bytes each."""
    def partitioned_receive_init(self, into: Elements, partitions: int, source: int, tag: int = 0) -> MpiPartitions:
        """Makes the receive of such a message ready, whose partitions are as the receiver likes."""

    def _start_together(
        self,
        name: str,
        what: int,
        data: Elements | None,
        into: Elements | None,
        root: int,
        counts: Sequence[int] | None,
        into_counts: Sequence[int] | None,
        op: Any,
    ) -> MpiRequest: ...
    def _together_init(
        self,
        name: str,
        what: int,
        data: Elements | None,
        into: Elements | None,
        root: int,
        counts: Sequence[int] | None,
        into_counts: Sequence[int] | None,
        op: Any,
    ) -> MpiPersistent: ...

    def sum_reproducible(self, data: Elements) -> float:
        """The sum of all elements of all ranks, which may have different numbers of them: the same bits whatever the number of ranks,
        however the elements are cut among them, and in whichever order they are."""
    def all_reduce_exact(self, sum: MpiExactSum) -> None:
        """Adds up the sums of all ranks: afterwards each has that of all."""
    def _all_reduce_reproducible(self, data: Elements, into: Elements) -> None: ...
    def _reduce_reproducible(self, data: Elements, into: Elements | None, root: int) -> None: ...
    def _checked(self, wanted: bool) -> MpiChecked: ...
    def _datatype(self, type_: MpiElementType) -> MpiDatatype: ...
    def _send_typed(self, data: Elements, datatype: MpiDatatype, dest: int, tag: int) -> None: ...
    def _receive_typed(self, datatype: MpiDatatype, source: int, tag: int, status: MpiStatus | None = None) -> bytearray: ...
    def _receive_typed_into(
        self, into: Elements, datatype: MpiDatatype, source: int, tag: int, status: MpiStatus | None = None
    ) -> int: ...
    def _broadcast_typed(self, data: Elements, datatype: MpiDatatype, root: int) -> None: ...

    def barrier(self) -> None:
        """Waits until all ranks have called it."""
    def broadcast(self, data: Elements, root: int = 0) -> None:
        """Gives all ranks the elements of one, in place: all have as many."""
    def _broadcast_any(self, data: Elements | None, root: int, valid: bool) -> bytearray: ...
    def gather_into(self, data: Elements, into: Elements | None, root: int = 0) -> None:
        """As ``gather``, into an array at the root; the others' may be ``None``."""
    def all_gather_into(self, data: Elements, into: Elements) -> None:
        """As ``all_gather``, into an array."""
    def scatter_into(self, data: Elements | None, into: Elements, root: int = 0) -> None:
        """As ``scatter``, into an array of as many elements as each rank gets, which all ranks know."""
    def _scatter(self, data: Elements | None, root: int) -> bytearray: ...
    def all_to_all_into(self, data: Elements, into: Elements) -> None:
        """As ``all_to_all``, into an array."""
    def _gather_parts(self, data: Elements | None, root: int) -> tuple[bytearray, list[int]] | None: ...
    def _all_gather_parts(self, data: Elements | None) -> tuple[bytearray, list[int]]: ...
    def _scatter_parts(self, data: Elements | None, counts: Sequence[int] | None, root: int) -> bytearray: ...
    def _all_to_all_parts(self, data: Elements, counts: Sequence[int]) -> tuple[bytearray, list[int]]: ...

    def _reduce_into(self, data: Elements, into: Elements | None, op: Any, root: int) -> None: ...
    def all_reduce_into(self, data: Elements, into: Elements, op: Any) -> None:
        """As ``all_reduce``, into an array."""
    def all_reduce_in_place(self, data: Elements, op: Any) -> None:
        """As ``all_reduce``, where what is combined is replaced by what comes of it."""
    def _all_reduce_checked(self, data: Elements, into: Elements, op: Any) -> None: ...
    def reduce_scatter_into(self, data: Elements, into: Elements, counts: Sequence[int], op: Any) -> None:
        """As ``reduce_scatter``, into an array of ``counts[rank]`` elements."""
    def scan_into(self, data: Elements, into: Elements, op: Any) -> None:
        """As ``scan``, into an array."""
    def exclusive_scan_into(self, data: Elements, into: Elements, op: Any) -> None:
        """As ``exclusive_scan``, into an array, which stays as it is at rank 0."""
