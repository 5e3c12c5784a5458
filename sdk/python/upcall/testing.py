"""Runs a handler without an engine: the real driver, the real frames, one worker.

    harness = Harness(Counter(), pools={"/counts": "u64"})
    harness.batch([("a", b""), ("a", b"")])
    assert harness.numbers("/counts") == {"a": 2}

    harness = CombineHarness(Add())
    assert harness.combine([1.0, 2.0], [3.0, 4.0]) == [4.0, 6.0]

    harness = VertexHarness(Largest(), [(0, 1), (1, 2), (2, 0), (3, 1)])
    assert harness.run().shown == [3, 3, 3, 3]
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from upcall import Cancelled, Closed, TimedOut

from . import _upcall
from ._form import NUMBERS, form
from ._support import combines, forms, kind_of
from ._testing import Failed, Life
from ._testing_graph import VertexHarness

__all__ = ["CombineHarness", "Emitted", "Failed", "Harness", "Pending", "VertexHarness"]

Bytes = bytes | bytearray | memoryview | str

_WATCH, _EMIT, _READ = 1, 2, 4
# Why an object is given up, as the boundary numbers it.
_TIMED_OUT, _FROM_OUTSIDE = 1, 2
_TOLD: dict[type[TimedOut | Cancelled | Closed], str] = {
    TimedOut: "the object timed out",
    Cancelled: "the object was cancelled: the flow is being stopped",
    Closed: "the object is closed: its handler is being closed",
}

T = TypeVar("T")


class _Object(NamedTuple):
    pool: str
    key: bytes
    value: bytes


class Emitted(_Object):
    """One object that the handler emitted: pool, key and value."""

    previous: int | None
    """Of an emission on condition: the version that its key must have, 0 for none."""

    def __new__(cls, pool: str, key: bytes, value: bytes, previous: int | None = None) -> Emitted:
        made = super().__new__(cls, pool, key, value)
        made.previous = previous
        return made

    def value_as(self, of: type[T]) -> T:
        """The value as what a handler with ``Emit[of]`` emits; numbers are in ``Harness.numbers``."""
        kind, _, _, size, read, _ = form(of, "value_as")
        if kind == "blittable" and len(self.value) != size:
            raise ValueError(f"it has {len(self.value)} bytes, not {size}")
        if kind == "number":
            raise TypeError("a number needs its pool's type: use Harness.numbers")
        made: Any = read(self.value) if read else self.value.decode() if kind == "text" else self.value
        return cast(T, made)


class Harness(Life):
    """A handler and what an engine would give it.

    ``pools`` are those that it may emit to: paths, or paths with the names of their value types.
    ``input`` is the watched pool, ``input_type`` its value type. ``reads`` are pools that it may read, with
    what is in them: a key's value, or a list of its versions 1, 2, …, each put at the time that is its number, with
    ``None`` for one that is no longer kept. ``deadline`` is how many seconds a handler that answers later has for an object;
    ``Pending.wait`` sees to it. Values are as for ``put``; a number goes into a pool whose type is declared, by
    ``read_types`` or where the pool is named otherwise. A value type is its name, or the class itself where it is not a
    number.
    """

    def __init__(
        self,
        handler: object,
        *,
        settings: Mapping[str, str] | None = None,
        pools: Sequence[str] | Mapping[str, str | type] = (),
        input: str = "/in",
        input_type: str | type = "",
        reads: Mapping[str, Mapping[str, Any]] | None = None,
        read_types: Mapping[str, str | type] | None = None,
        deadline: float | None = None,
    ) -> None:
        super().__init__()
        self._deadline = deadline
        self._lock = threading.Lock()
        self._open_calls: list[Pending] = []
        types = dict(pools) if isinstance(pools, Mapping) else {path: "" for path in pools}
        table = [(input, *_declared(input_type), _WATCH)]
        table += ((path, *_declared(of), _EMIT) for path, of in types.items())
        self._types = {path: name for path, name, _, _ in table}
        self._size = table[0][2]
        stored: dict[tuple[int, bytes], tuple[bytes | None, ...]] = {}
        for path in read_types or {}:
            if path not in (reads or {}):
                raise ValueError(f"read_types: pool {path} is not in reads: add it there, or leave its type out")
        known = {input: input_type, **types, **(read_types or {})}
        for path, objects in (reads or {}).items():
            of = known.get(path, "")
            for key, value in objects.items():
                stored[len(table), key.encode()] = _versions(value, of, path, key)
            table.append((path, *_declared(of), _READ))
        self._paths = [path for path, _, _, _ in table]
        self._next = 1
        self.emitted: list[Emitted] = []
        """What was emitted so far, what was undone left out."""
        given = tuple((settings or {}).items())
        self._native = _upcall.Harness(handler, given, tuple(table), stored, self.logged)
        kind = kind_of(handler)
        if kind == "combine":
            raise TypeError(f"{type(handler).__qualname__} combines arrays: use CombineHarness")
        if kind in ("vertex", "gather", "interval"):
            raise TypeError(f"{type(handler).__qualname__} is a vertex program: use VertexHarness")
        self._later = kind == "later"
        takes, _ = forms(handler)
        self._write = takes[0].write if takes else None

    def put(self, key: Bytes, value: Any = b"") -> None:
        """Gives the handler one object: bytes, a number, or what it takes by its annotation."""
        self.batch([(key, value)])

    def batch(self, objects: Iterable[tuple[Bytes, Any]]) -> None:
        """Gives the handler a batch of keys and values, as ``put``. Raises ``Failed`` when it fails.

        A handler that answers later has them all at once; when all are answered, the failure of the first that has failed
        is raised, as ``Pending.wait`` does.
        """
        if not self._later:
            self._opened()
            items = tuple(self._item(key, value) for key, value in objects)
            self._keep(*self._native.run(items, self._size if items else 0))
            return
        failures = []
        for index, pending in enumerate([self.begin(key, value) for key, value in objects]):
            try:
                pending.wait()
            except (Failed, TimedOut, Cancelled, Closed) as failed:
                if isinstance(failed, Failed):
                    failed.item = index
                failures.append(failed)
        if failures:
            raise failures[0]

    def begin(self, key: Bytes, value: Any = b"") -> Pending:
        """Gives a handler that answers later one object, as ``put``, and does not wait for the answer."""
        if not self._later:
            raise TypeError("this handler answers at once: use put, or make its on_object async")
        self._opened()
        self._open_calls = [pending for pending in self._open_calls if not pending.done]
        pending = Pending(self, self._item(key, value))
        self._open_calls.append(pending)
        return pending

    def warm(self, key: Bytes, value: Any = b"") -> None:
        """Gives it the sample of a flow file's ``warm``: an object of version 0, whose emissions are thrown away."""
        self._opened()
        item = (*self._item(key, value)[:3], 0, time.time_ns())
        with self._lock:
            _, failure = self._native.run((item,), self._size)
        self._raise(failure)

    def flush(self) -> None:
        """Tells the handler that the input has ended."""
        self._opened()
        if self._later:
            Pending(self, None).wait()
        else:
            self._keep(*self._native.flush())

    def close(self) -> None:
        """Lets the handler go. Objects that it has not answered end with ``Closed``."""
        for pending in self._open_calls:
            pending._give_up(Closed)
        super().close()

    def _item(self, key: Bytes, value: Any) -> tuple[Bytes, Bytes, int, int, int]:
        if isinstance(value, (int, float)):
            format = NUMBERS.get(self._types[self._paths[0]])
            if format is None:
                raise TypeError("numbers need the harness's input_type: u64, f64, …")
            value = struct.pack(f"<{format}", value)
        elif self._write and not isinstance(value, Bytes):
            value = self._write(value)
        self._next += 1
        return key, value, 0, self._next - 1, self._next - 1

    def numbers(self, pool: str) -> dict[str, int | float]:
        """The newest number of each key that was emitted into a pool that declares a number type."""
        format = NUMBERS[self._types[pool]]
        there = (emitted for emitted in self.emitted if emitted.pool == pool)
        return {each.key.decode(): struct.unpack(f"<{format}", each.value)[0] for each in there}

    def _open_native(self) -> _upcall.Failure | None:
        return self._native.open()

    def _keep(
        self, emitted: list[tuple[int, bytes, bytes, int, int | None]], failure: _upcall.Failure | None
    ) -> None:
        self.emitted += (
            Emitted(self._paths[pool], key, value, previous) for pool, key, value, _, previous in emitted
        )
        self._raise(failure)


class Pending:
    """One object in the hands of a handler that answers later: made by ``Harness.begin``."""

    def __init__(self, harness: Harness, item: tuple[Bytes, Bytes, int, int, int] | None) -> None:
        self._harness = harness
        self._answered = threading.Event()
        self._why: type[TimedOut | Cancelled | Closed] | None = None
        self._ended: Exception | None = None
        self._asked = False
        self._begun = time.monotonic()
        with harness._lock:
            self._number = harness._native.begin(item, self._answered.set)

    @property
    def done(self) -> bool:
        """Whether it has been answered."""
        return self._answered.is_set()

    def cancel(self) -> None:
        """Cancels it from outside, as a flow does that is being stopped."""
        self._cancel(Cancelled, _FROM_OUTSIDE)

    def wait(self) -> None:
        """Waits for the answer; what the handler has emitted is then in ``Harness.emitted``.

        Raises ``Failed`` when it has failed; ``TimedOut``, ``Cancelled`` or ``Closed`` (of ``upcall``, with the ``Failed`` as
        its cause) when that is because it took longer than the ``deadline``, was cancelled, or was open when the harness was
        closed.
        """
        if self._harness._deadline is not None:
            left = self._begun + self._harness._deadline - time.monotonic()
            if not self._answered.wait(max(left, 0)):
                self._cancel(TimedOut, _TIMED_OUT)
        self._answered.wait()
        if not self._asked:
            self._asked = True
            self._ended = self._end()
        if self._ended is not None:
            raise self._ended

    def _give_up(self, why: type[TimedOut | Cancelled | Closed]) -> None:
        if not self.done:
            self._why = self._why or why

    def _cancel(self, why: type[TimedOut | Cancelled | Closed], number: int) -> None:
        with self._harness._lock:
            if self.done:
                return
            self._give_up(why)
            failure = self._harness._native.cancel(self._number, number)
        self._harness._raise(failure)

    def _end(self) -> Exception | None:
        with self._harness._lock:
            emitted, failure = self._harness._native.end(self._number)
        if failure is None:
            self._harness._keep(emitted, None)
            return None
        failed = Failed(*failure)
        if self._why is None:
            return failed
        over = self._why(_TOLD[self._why])
        over.__cause__ = failed
        return over


class CombineHarness(Life):
    """A handler that combines, and what an engine would give it: arrays of ``element``, by default the handler's own."""

    def __init__(
        self, handler: object, *, settings: Mapping[str, str] | None = None, element: str | None = None
    ) -> None:
        super().__init__()
        self._native = _upcall.Harness(handler, tuple((settings or {}).items()), (), {}, self.logged)
        kind = kind_of(handler)
        if kind in ("vertex", "gather", "interval"):
            raise TypeError(f"{type(handler).__qualname__} is a vertex program: use VertexHarness")
        if kind != "combine":
            raise TypeError(f"{type(handler).__qualname__} takes objects of a flow: use Harness")
        self._element = element or str(combines(handler)[0])

    def combine(self, source: Iterable[float], into: Iterable[float]) -> list[Any]:
        """What ``into`` holds when ``source`` has been combined into it. Raises ``Failed`` when the handler fails."""
        self._opened()
        source, into = list(source), list(into)
        if len(source) != len(into):
            raise ValueError(f"combine {len(source)} elements into {len(into)}: give as many of both")
        format = f"<{len(into)}{NUMBERS[self._element]}"
        packed = struct.pack(format, *source), struct.pack(format, *into)
        combined, failure = self._native.combine(*packed, len(into))
        self._raise(failure)
        return list(struct.unpack(format, combined))

    def _open_native(self) -> _upcall.Failure | None:
        size = struct.calcsize(f"<{NUMBERS[self._element]}")
        return self._native.open_combine(self._element, size)


def _versions(value: Any, of: str | type, path: str, key: str) -> tuple[bytes | None, ...]:
    """What a key of a pool was, version by version."""
    # A packed class may be a tuple, too.
    if isinstance(value, (list, tuple)) and not _packs(value):
        return tuple(None if each is None else _stored(each, of, path, key) for each in value)
    return (_stored(value, of, path, key),)


def _stored(value: Any, of: str | type, path: str, key: str) -> bytes:
    """The bytes of a value in a pool that a handler reads."""
    place = f"reads: pool {path}, key {key}"
    name = of if isinstance(of, str) else of.__name__
    if isinstance(value, (int, float)):
        if name not in NUMBERS:
            has = f"the type {name}" if name else "no type"
            raise TypeError(
                f"{place}: {value} is a number, and the pool has {has}: "
                f'give the harness read_types={{"{path}": "i64"}}, or another number type'
            )
        try:
            return struct.pack(f"<{NUMBERS[name]}", value)
        except struct.error as error:
            raise ValueError(f"{place}: {value} is not a value of the pool's type {name}: {error}") from error
    if isinstance(value, str):
        made = value.encode()
    elif _packs(value):
        made = bytes(value.pack())
    else:
        try:
            made = bytes(memoryview(value))
        except TypeError as error:
            raise TypeError(
                f"{place}: a value of type {type(value).__name__} has no bytes: "
                "give bytes, str, a number, or an object that a handler may emit"
            ) from error
    _, size = _declared(of)
    if size and len(made) != size:
        raise ValueError(f"{place}: the value has {len(made)} bytes, and the pool's type {name} has {size}")
    return made


def _packs(value: object) -> bool:
    """Whether it is of a packed class."""
    return all(callable(getattr(value, name, None)) for name in ("pack", "unpack"))


def _declared(of: str | type) -> tuple[str, int]:
    """The name and the size of a pool's value type."""
    if isinstance(of, str):
        return of, struct.calcsize(NUMBERS[of]) if of in NUMBERS else 0
    _, _, name, size, _, _ = form(of, "a pool's type")
    return name, size
