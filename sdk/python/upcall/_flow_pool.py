"""Pools of a flow inside a program."""

from __future__ import annotations

import asyncio
import functools
import struct
from threading import get_ident
from typing import TYPE_CHECKING, Any, Protocol, SupportsFloat, SupportsIndex

from ._flow_many import Many
from ._flow_process import held, release
from ._flow_values import FlowError, Found, Seen, failed, number_of
from ._flow_waits import IN_HANDLER, ended, in_handler, version_of, wait
from ._form import names_of, no_utf8, shown
from ._native import native

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Buffer

    from .flow import Flow

    class Packs(Protocol):
        """A value of a class that packs itself, as those of ``upcall bindgen`` do."""

        def pack(self) -> Buffer: ...

    Bytes = str | Buffer
    Value = Bytes | SupportsIndex | SupportsFloat | Packs
    Objects = Mapping[str, Value] | Mapping[bytes, Value] | Iterable[tuple[Bytes, Value]]


class Pool:
    """A pool of a running flow, for any thread. Keys are text; values bytes (any contiguous buffer), text, what has ``pack``, or
    numbers, numpy's among them, where the pool declares a number type.

    What waits takes a ``timeout`` in seconds. Where it has passed, ``TimeoutError`` is raised, and what was asked for goes on.
    """

    def __init__(self, flow: Flow, pool: Any, path: str) -> None:
        self._flow = flow
        self._pool = held(pool)
        self.path = path
        # Classes of which it takes values.
        self._agrees: set[type] = set()

    def __del__(self) -> None:
        release(self._pool, self._flow._process)

    @property
    def value_type(self) -> str:
        """What its values are, as a flow's file says it."""
        self._flow._own()
        return str(self._pool.value_type())

    def put(self, key: Bytes, value: Value, timeout: float | None = None) -> None:
        """Puts an object. Waits for credit, so that handlers of the same flow emit instead."""
        self._may_wait("put")
        if not self.try_put(key, value):
            self._sent("put", timeout, native.UpcallSend.Put, key, value)

    def try_put(self, key: Bytes, value: Value) -> bool:
        """Puts an object if there is credit. Returns whether there was."""
        self._flow._own()
        with failed():
            return bool(self._pool.try_put(self._key(key), self._content(key, value)))

    def put_many(self, objects: Objects) -> None:
        """Puts many objects in few calls. Where the pool does not take one, those before it are put, and none behind it; the
        ``FlowError`` says how many (``objects_put``)."""
        self._may_wait("put_many")
        many = Many(self)
        with many.counted():
            for waits in many.put_all(objects):
                if waits is not None:
                    # It waits for credit, and hears signals.
                    self.put(*waits)

    async def put_many_async(self, objects: Objects) -> None:
        """As ``put_many``, awaited. Cancelled, the one that it waits for is put all the same, and none behind it."""
        many = Many(self)
        with many.counted():
            for waits in many.put_all(objects):
                if waits is None:
                    await asyncio.sleep(0)
                else:
                    await self.put_async(*waits)

    def put_with_version(self, key: Bytes, value: Value, timeout: float | None = None) -> int:
        """Puts an object and waits for its version."""
        return self._sent("put_with_version", timeout, native.UpcallSend.Put, key, value)

    async def put_async(self, key: Bytes, value: Value) -> int:
        """Puts an object and returns its version, awaited. Cancelled, it is put all the same."""
        return await self._sent_async(native.UpcallSend.Put, key, value)

    def put_if(self, key: Bytes, value: Value, previous: int, timeout: float | None = None) -> int:
        """Puts an object if ``previous`` is still the newest version of its key, 0 for none; else raises ``FlowError`` of kind
        ``conflict``. Returns its version."""
        return self._sent("put_if", timeout, native.UpcallSend.PutIf, key, value, previous)

    async def put_if_async(self, key: Bytes, value: Value, previous: int) -> int:
        """As ``put_if``, awaited."""
        return await self._sent_async(native.UpcallSend.PutIf, key, value, previous)

    def trigger(self, key: Bytes, value: Value, timeout: float | None = None) -> None:
        """Runs the handlers and stores nothing."""
        self._sent("trigger", timeout, native.UpcallSend.Trigger, key, value)

    async def trigger_async(self, key: Bytes, value: Value) -> None:
        """As ``trigger``, awaited."""
        await self._sent_async(native.UpcallSend.Trigger, key, value)

    def remove(self, key: Bytes, timeout: float | None = None) -> int:
        """Removes a key, in order with the puts to it. Returns the version that removed it."""
        return self._sent("remove", timeout, native.UpcallSend.Remove, key, b"")

    async def remove_async(self, key: Bytes) -> int:
        """As ``remove``, awaited."""
        return await self._sent_async(native.UpcallSend.Remove, key, b"")

    def get(self, key: Bytes) -> Found | None:
        """The newest version of a key."""
        return self._get(key, native.UpcallAsOf.Now, 0)

    def get_at(self, key: Bytes, version: int) -> Found | None:
        """A key as it was at a version of the pool."""
        return self._get(key, native.UpcallAsOf.Version, version)

    def get_by_time(self, key: Bytes, time: int) -> Found | None:
        """A key as it was at a time, in nanoseconds since the Unix epoch."""
        return self._get(key, native.UpcallAsOf.Time, time)

    def versions(self, key: Bytes) -> list[Seen]:
        """The versions of a key that are kept, oldest first."""
        self._flow._own()
        with failed(), self._pool.versions(self._key(key)) as seen:
            return [Seen(one.version, one.time, one.removed != 0) for one in seen]

    def list(self, prefix: Bytes = "") -> list[str]:
        """The keys that begin with ``prefix``, sorted. Walks the whole pool."""
        self._flow._own()
        with failed(), self._pool.list(self._key(prefix)) as listed:
            joined = bytes(listed)
        keys, at = [], 0
        while at < len(joined):
            end = at + 4 + int.from_bytes(joined[at : at + 4], "little")
            keys.append(joined[at + 4 : end].decode())
            at = end
        return keys

    @functools.cached_property
    def _number(self) -> struct.Struct | None:
        return number_of(self.value_type)

    @functools.cached_property
    def _takes_text(self) -> bool:
        # Elsewhere text that happens to have the bytes of a value would be stored as one that nobody has meant.
        return self.value_type in ("bytes", "text")

    def _key(self, key: Bytes) -> Any:
        try:
            return _bytes(key, "key")
        except UnicodeEncodeError as error:
            raise no_utf8(error, f"pool {self.path}, key {shown(key)}") from None

    def _content(self, key: Bytes, value: Value) -> Any:
        if isinstance(value, (bytes, bytearray)):
            return value
        if isinstance(value, str):
            if not self._takes_text:
                instead = "one, or its bytes" if self._number is None else "a number"
                raise TypeError(f"key {shown(key)}: text is no value of {self.path}, whose type is {self.value_type}: give {instead}")
            try:
                return value.encode()
            except UnicodeEncodeError as error:
                raise no_utf8(error, f"pool {self.path}, the value of key {shown(key)}") from None
        if not isinstance(value, (int, float)) and (self._number is None or not _is_number(value)):
            self._must_agree(type(value), key)
            pack = getattr(value, "pack", None)
            content: Any = value if pack is None else pack()
            try:
                return _bytes(content, "value")
            except TypeError as error:
                raise TypeError(f"key {shown(key)}: {error}") from None
        if self._number is None:
            why = f"{value} is a number, and {self.path} declares no number type: give it one, or put bytes or text"
            raise TypeError(f"key {shown(key)}: {why}")
        try:
            return self._number.pack(value)
        except (struct.error, OverflowError, TypeError):
            raise ValueError(f"key {shown(key)}: {value} is no value of {self.path}, whose type is {self.value_type}") from None

    def _must_agree(self, of: type, key: Bytes) -> None:
        """Raises where values of a class are none of the pool, as a handler is refused whose annotation says that it emits them."""
        if of in self._agrees:
            return
        names = names_of(of)
        if names and self.value_type != "bytes" and self.value_type not in names:
            raise TypeError(f"key {shown(key)}: the value has the type {names[0]}, and {self.path} the type {self.value_type}")
        self._agrees.add(of)

    def _sent(self, call: str, timeout: float | None, what: int, key: Bytes, value: Value, previous: int = 0) -> int:
        self._may_wait(call)
        return version_of(wait(self._send(what, key, value, previous), timeout, self._called(call)))

    async def _sent_async(self, what: int, key: Bytes, value: Value, previous: int = 0) -> int:
        return version_of(await ended(self._send(what, key, value, previous)))

    def _called(self, call: str) -> str:
        return f"call {call} of pool {self.path}"

    def _may_wait(self, call: str) -> None:
        """Raises in a handler of the same flow, also where there is credit: one that waits only under load fails only there."""
        self._flow._own()
        if get_ident() in self._flow._waiting:
            return
        instead = "emit instead, or use what does not wait"
        self._flow._refuse_in_handler(self._called(call), instead)
        try:
            with failed():
                self._pool.may_wait()
        except FlowError as error:
            raise in_handler(self._called(call), instead) if error.kind == IN_HANDLER else error from None
        self._flow._waiting.add(get_ident())

    def _send(self, what: int, key: Bytes, value: Value, previous: int) -> Any:
        self._flow._own()
        with failed():
            return self._pool.send(what, self._key(key), self._content(key, value), previous)

    def _get(self, key: Bytes, of: int, at: int) -> Found | None:
        self._flow._own()
        found, room = native.UpcallFound(), bytearray(256)
        with failed():
            # It may be a larger one meanwhile.
            while not self._pool.get(self._key(key), of, at, room, found):
                room = bytearray(found.len)
        if found.version == 0:
            return None
        value = bytes(memoryview(room)[: found.len])
        return Found(value, found.version, found.time, None if self._number is None else self._number.unpack(value)[0])


def _is_number(value: object) -> bool:
    """Whether it is one number, such as numpy's, which are buffers too. Arrays have the methods of numbers as well."""
    of = type(value)
    return (hasattr(of, "__index__") or hasattr(of, "__float__")) and getattr(value, "ndim", 0) == 0


def _bytes(given: Bytes, what: str) -> Any:
    if isinstance(given, str):
        return given.encode()
    if isinstance(given, (bytes, bytearray)):
        return given
    try:
        return memoryview(given).cast("B")
    except TypeError as error:
        raise TypeError(f"the {what} is of type {type(given).__name__}: give text, bytes or a contiguous buffer ({error})") from None
