"""What a flow inside a program gives: objects, events, dead letters, errors."""

from __future__ import annotations

import base64
import contextlib
import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._form import NUMBERS, value_as
from ._native import native

_KINDS = {
    native.UPCALL_INVALID: "invalid",
    native.UPCALL_LOAD: "load",
    native.UPCALL_NO_POOL: "no pool",
    native.UPCALL_BAD_KEY: "bad key",
    native.UPCALL_BAD_VALUE: "bad value",
    native.UPCALL_DEAD_POOL: "dead pool",
    native.UPCALL_STORES_NOTHING: "stores nothing",
    native.UPCALL_COMPACTED: "compacted",
    native.UPCALL_CONFLICT: "conflict",
    native.UPCALL_IN_HANDLER: "in handler",
    native.UPCALL_OUT_OF_MEMORY: "out of memory",
    native.UPCALL_FLUSH: "flush",
    native.UPCALL_STOPPED: "stopped",
}
# `UpcallEvent`: what, lengths of path, key and value, version, time, missed.
_HEAD = struct.Struct("=IIIIQQQ")


class FlowError(Exception):
    """A flow did not do what it was asked. ``kind`` says why in a word or two: ``conflict``, ``stopped``, ``no pool``."""

    def __init__(self, kind: str, message: str, objects_put: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.objects_put = objects_put
        """Of ``put_many``: how many objects were put before the one that was refused."""


@contextlib.contextmanager
def failed() -> Iterator[None]:
    """Raises as ``FlowError`` what a function of the engine has failed with."""
    try:
        yield
    except native.NativeError as error:
        raise FlowError(_KINDS.get(error.code, "internal"), error.message) from None


class Found(NamedTuple):
    """A value that a pool stores, copied."""

    value: bytes
    version: int
    time: int
    number: int | float | None = None
    """The value as a number, in a pool that declares a number type."""

    def value_as(self, of: type) -> Any:
        """The value as one of a class: ``str``, a ``ctypes.Structure``, or what has ``unpack``."""
        return value_as(of, self.value)


def number_of(value_type: str) -> struct.Struct | None:
    """How a value of a number type is packed; ``None`` for any other."""
    letter = NUMBERS.get(value_type)
    return None if letter is None else struct.Struct(f"<{letter}")


class Seen(NamedTuple):
    """A version of a key that a pool keeps, and whether it removed the key."""

    version: int
    time: int
    removed: bool


@dataclass(frozen=True, slots=True)
class Event:
    """What a watch has seen: an object that was ``put`` (or emitted, or triggered), a key that was ``removed``, or that
    ``missed`` events were dropped, whose versions lie between ``version`` and ``time``."""

    what: str
    pool: str
    key: str
    value: bytes
    version: int
    time: int
    missed: int
    number: int | float | None = None
    """The value as a number, in a pool that declares a number type."""

    def value_as(self, of: type) -> Any:
        """As that of ``Found``."""
        return value_as(of, self.value)


def events(joined: bytes, numbers: Mapping[str, struct.Struct]) -> list[Event]:
    """The events in what the engine has handed over. ``numbers`` are the pools that declare a number type."""
    found, at = [], 0
    while at < len(joined):
        what, pool, key, value, version, time, missed = _HEAD.unpack_from(joined, at)
        at += _HEAD.size
        ends = (at + pool, at + pool + key, at + pool + key + value)
        path, name = joined[at : ends[0]].decode(), joined[ends[0] : ends[1]].decode()
        word = ("put", "removed", "missed")[what]
        content = joined[ends[1] : ends[2]]
        number = numbers[path].unpack(content)[0] if word == "put" and path in numbers else None
        found.append(Event(word, path, name, content, version, time, missed, number))
        at = -(-ends[2] // 8) * 8
    return found


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """An object that no handler could handle, and why."""

    pool: str
    key: str
    value: bytes
    version: int
    time: int
    trace: tuple[str, ...]
    attempts: int
    type_name: str
    message: str
    stack: str

    @staticmethod
    def all(text: str) -> list[DeadLetter]:
        """Those in the engine's text."""
        return [
            DeadLetter(
                letter["pool"],
                letter["key"],
                base64.b64decode(letter["value"]),
                letter["version"],
                letter["time"],
                tuple(letter["trace"]),
                letter["attempts"],
                letter["cause"]["type"],
                letter["cause"]["message"],
                letter["cause"]["stack"],
            )
            for letter in json.loads(text)
        ]
