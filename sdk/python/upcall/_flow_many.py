"""Many objects at a time, put in few calls of the engine."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._flow_values import FlowError, failed

if TYPE_CHECKING:
    from ._flow_pool import Objects, Pool

# So many bytes go into a call, or one object that has more.
_CALL = 1 << 16


class Many:
    """Objects on their way into a pool, and how many have arrived."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        # What the next call puts, how many objects that is, and how far they are put.
        self._joined = bytearray()
        self._count = 0
        self._at = 0
        # How many objects the calls before have put.
        self._before = 0
        # What the objects' own iterator has raised.
        self._theirs: Exception | None = None

    def put_all(self, objects: Objects) -> Iterator[tuple[bytes, bytes] | None]:
        """Puts objects. Gives the caller each one for which there is no credit, to put it and wait, and ``None`` between calls."""
        pairs: Iterator[tuple[Any, Any]] = iter(objects.items() if isinstance(objects, Mapping) else objects)
        key_of, content_of, joined = self._pool._key, self._pool._content, self._joined
        while True:
            try:
                key, value = next(pairs)
            except StopIteration:
                break
            except Exception as error:
                self._theirs = error
                yield from self._call()
                error.add_note(f"put many objects: {self.put} were put before")
                raise
            try:
                kind = "bad key"
                name = bytes(key_of(key))
                kind = "bad value"
                content = memoryview(content_of(key, value)).cast("B")
            except Exception as error:
                yield from self._call()
                raise FlowError(kind, str(error)) from error
            self._count += 1
            joined += len(name).to_bytes(4, "little") + len(content).to_bytes(4, "little") + name + content
            if len(joined) >= _CALL:
                yield from self._call()
                yield None
        yield from self._call()

    @property
    def put(self) -> int:
        """How many objects are put."""
        at, count = 0, self._before
        while at < self._at:
            at, count = _object(self._joined, at)[2], count + 1
        return count

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """Has a ``FlowError`` say how many objects are put, but not one of the objects' own iterator."""
        try:
            yield
        except FlowError as error:
            if error is self._theirs:
                raise
            message = f"put many objects: {self.put} are put; the next: {error}"
            raise FlowError(error.kind, message, self.put) from error.__cause__

    def _call(self) -> Iterator[tuple[bytes, bytes]]:
        joined = bytes(self._joined)
        while self._at < len(joined):
            self._pool._flow._own()
            with failed():
                # It ends before an object that is refused; the next call, which begins with that, says why.
                taken = self._pool._pool.put_many(joined[self._at :], False)
            if taken == 0:
                key, value, end = _object(joined, self._at)
                yield joined[key:value], joined[value:end]
                taken = end - self._at
            self._at += taken
        self._before += self._count
        self._count = self._at = 0
        self._joined.clear()


def _object(joined: bytes | bytearray, at: int) -> tuple[int, int, int]:
    """Where the key and the value begin of the object that begins here, and where it ends."""
    key, value = (int.from_bytes(joined[at + n : at + n + 4], "little") for n in (0, 4))
    return at + 8, at + 8 + key, at + 8 + key + value
