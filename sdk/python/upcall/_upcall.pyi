"""The native part: what a handler is given."""

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, Generic, TypeAlias, final

from typing_extensions import TypeVar

from ._over import Cancelled, Closed, TimedOut
from ._support import Columns, Found

__version__: str

Bytes: TypeAlias = bytes | bytearray | memoryview | str
Number: TypeAlias = int | float
Failure: TypeAlias = tuple[str, str, str, int, int | None]

_Value = TypeVar("_Value", default=bytes | memoryview, covariant=True)
_Each = TypeVar("_Each", default=Any, covariant=True)
_Emitted = TypeVar("_Emitted", default=Bytes | Number, contravariant=True)

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
    def close(self) -> Failure | None: ...
