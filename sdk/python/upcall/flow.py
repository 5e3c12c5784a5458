"""Flows inside a Python program: the engine is loaded, and calls handlers of the program's own.

    from upcall.flow import FlowBuilder

    words = FlowBuilder(name="words")
    words.pool("/lines", kind="trigger")
    words.pool("/lengths", type="u64")

    @words.on("/lines", to="/lengths")
    def measure(line, emit):
        emit(line.key, len(line.value))

    with words.start() as flow:
        flow.pool("/lines").put("1", "In the beginning")
        flow.drain()
        print(flow.pool("/lengths").get("1").number)

A handler is a function, which may be ``async``, a class, the same that ``upcall run`` loads, or an instance of one. All of them run on one
thread of the engine's, beside those of the program, and take turns with these by the interpreter's lock. Whatever waits
lets go of that lock, and hears Ctrl-C.

What takes a while has two forms: ``drain``, ``put_if`` and their like wait, ``drain_async`` and its like are awaited.
Cancelled, a wait ends, and what it waited for goes on. A wait that takes longer than its ``timeout``, in seconds, raises
``TimeoutError``; a flow that has stopped raises ``FlowError`` of kind ``stopped``.

A flow stops when its ``with`` block ends, or ``stop`` is called, and what is in flight is lost then: drain it first. One
that is open when the program ends is stopped. A process that is forked has no flow: its threads are its parent's.
"""

from __future__ import annotations

import atexit
import os
import struct
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeVar

from . import _upcall
from ._flow_text import FlowText
from ._flow_values import DeadLetter, Event, FlowError, Found, Seen, failed, number_of
from ._flow_waits import checked, ended, version_of, wait
from ._flow_watch import Watch
from ._form import declared
from ._given import factory
from ._native import native

if TYPE_CHECKING:
    from os import PathLike

    from typing_extensions import Buffer

    Bytes = str | Buffer
    Value = Bytes | int | float

__all__ = ["DeadLetter", "Event", "Flow", "FlowBuilder", "FlowError", "Found", "Pool", "Seen", "Watch"]

H = TypeVar("H")

_open: weakref.WeakSet[Flow] = weakref.WeakSet()
# What a forked process has of its parent's, which it must not release: the threads that would be waited for are not there.
_inherited: list[Any] = []


class FlowBuilder:
    """A flow that is described and has not started. What is wrong with it is said when it starts, all at once.

    ``text`` is that of a flow's file, where there is one; handlers that it names no code for are given by ``give``. The other
    arguments are the file's own keys: ``workers``, ``memory``, ``batch``, ``delay``, ``credit``.
    """

    def __init__(self, text: str = "", *, path: str | PathLike[str] = "", **keys: Any) -> None:
        self._text = FlowText(text)
        self._path = os.fspath(path)
        self._given: list[tuple[str, Callable[[], object]]] = []
        self._names: dict[str, int] = {}
        for key, value in keys.items():
            self._text.own(key, value)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> FlowBuilder:
        """A flow that a file describes, as ``upcall run`` takes it."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), path=path)

    def pool(self, path: str, **keys: Any) -> FlowBuilder:
        """Adds a pool. The arguments are its keys in a flow's file: ``kind``, ``type``, ``keep``. A ``type`` may be a class, too, as
        typed handlers have it."""
        if isinstance(keys.get("type"), type):
            keys["type"] = declared(keys["type"], f"pool {path}")
        self._text.table(f"[pool.{self._text.quoted(path)}]", keys)
        return self

    def on(self, watched: str, *, to: str | Sequence[str] = (), name: str | None = None, **keys: Any) -> Callable[[H], H]:
        """Adds what it decorates, or is called with, as a handler on a pool and all below it, which emits into others.

        The other arguments are a handler's keys in a flow's file: ``read``, ``retry``, ``order``, ``in_flight``, ``settings``.
        """
        if not isinstance(watched, str):
            name = getattr(watched, "__name__", repr(watched))
            raise TypeError(f'on: it takes the pool that {name} watches: write @builder.on("/lines", to="/lengths")')

        def added(handler: H) -> H:
            called = name or self._numbered(getattr(handler, "__name__", type(handler).__name__))
            self._text.table("[[handler]]", {"name": called, "on": watched, "to": to, **keys})
            self.give(called, handler)
            return handler

        return added

    def give(self, name: str, handler: Any) -> FlowBuilder:
        """Gives the handler that a flow's file names no code for: a function, a class or an instance of one."""
        self._given.append((name, factory(handler)))
        return self

    def start(self, timeout: float | None = None) -> Flow:
        """Checks the description, starts what it needs and opens every handler. Raises ``FlowError``."""
        task = self._begin()
        wait(task, timeout, "start a flow")
        return self._started(task)

    async def start_async(self) -> Flow:
        """As ``start``, awaited."""
        task = self._begin()
        await ended(task)
        return self._started(task)

    def _begin(self) -> Any:
        with failed():
            builder = native.UpcallFlowBuilder.with_keys(self._text.keys, str(self._text), self._path)
            with builder:
                builder.program("python", _upcall.table(), native.UPCALL_THREADS_ONE)
                for name, make in self._given:
                    builder.give(name, _upcall.handler(make))
                return builder.start()

    def _started(self, task: Any) -> Flow:
        with task, failed():
            return Flow(task.flow())

    def _numbered(self, name: str) -> str:
        self._names[name] = count = self._names.get(name, 0) + 1
        return name if count == 1 else f"{name}, {count}"


class Flow:
    """A running flow. From ``FlowBuilder.start``. Its methods may be called on any thread."""

    def __init__(self, flow: Any) -> None:
        self._flow = flow
        self._process = os.getpid()
        self._stopped = False
        # Threads that may wait for it: none of its workers, which all live as long as it runs.
        self._waiting: set[int] = set()
        # The pools that declare a number type, once there is a watch: when the flow has ended, nobody can be asked.
        self._numbers: Mapping[str, struct.Struct] | None = None
        _open.add(self)

    def __del__(self, _warn: Callable[..., None] = warnings.warn) -> None:
        if not self._stopped and self._process == os.getpid():
            _warn("a Flow was not stopped: use it in a `with` block, or call stop()", ResourceWarning, source=self)
        self._flow.close()

    def __enter__(self) -> Flow:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Flow:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop_async()

    @property
    def pools(self) -> list[str]:
        """The paths of its pools."""
        return str(self._call("pools")).splitlines()

    @property
    def in_flight(self) -> int:
        """Objects that were put or emitted, and are not yet handled."""
        return int(self._call("in_flight"))

    def pool(self, path: str) -> Pool:
        """The pool with this path."""
        return Pool(self, self._call("pool", path), path)

    def watch(self, prefix: str, buffer: int = 4096) -> Watch:
        """Watches a pool and all below it, from now on; see ``Watch``."""
        if self._numbers is None:
            types = {path: number_of(self.pool(path).value_type) for path in self.pools}
            self._numbers = {path: number for path, number in types.items() if number is not None}
        return Watch(self, self._call("watch", prefix, buffer), self._numbers)

    def drain(self, timeout: float | None = None) -> None:
        """Waits until nothing is in flight, tells every handler that its input has ended, and waits for what that leads to."""
        checked(wait(self._call("drain"), timeout, "drain a flow"))

    async def drain_async(self) -> None:
        """As ``drain``, awaited."""
        checked(await ended(self._call("drain")))

    def settle(self, timeout: float | None = None) -> None:
        """Waits until nothing is in flight."""
        checked(wait(self._call("settle"), timeout, "wait for a flow"))

    async def settle_async(self) -> None:
        """As ``settle``, awaited."""
        checked(await ended(self._call("settle")))

    def hurry(self) -> None:
        """Lets nothing wait for a retry any more: before a drain that must not take long."""
        self._call("hurry")

    def report(self) -> dict[str, Any]:
        """What it has done so far; docs/report.md has the fields."""
        import json

        report: dict[str, Any] = json.loads(self._call("report"))
        return report

    def dead_letters(self, pool: str) -> list[DeadLetter]:
        """The dead letters about objects of a pool that are kept, oldest first."""
        return DeadLetter.all(self._call("dead_letters", pool))

    def check(self) -> None:
        """Raises what has stopped the flow, if anything has."""
        self._call("check")

    def stop(self, timeout: float | None = None) -> None:
        """Stops it and closes every handler; what is in flight is lost. In one of its own handlers it returns at once."""
        try:
            checked(wait(self._stop(), timeout, "stop a flow"))
        except FlowError as error:
            if error.kind != "in handler":
                raise

    async def stop_async(self) -> None:
        """As ``stop``, awaited."""
        checked(await ended(self._stop()))

    def _stop(self) -> Any:
        task = self._call("stop")
        self._stopped = True
        return task

    def _call(self, name: str, *arguments: object) -> Any:
        self._own()
        with failed():
            return getattr(self._flow, name)(*arguments)

    def _own(self) -> None:
        if self._process != os.getpid():
            raise FlowError("forked", "use a flow of the process that this one was forked from: start one here, or fork before")


class Pool:
    """A pool of a running flow, for any thread. Keys are text; values bytes (any contiguous buffer), text, what has ``pack``, or
    numbers where the pool declares a number type."""

    def __init__(self, flow: Flow, pool: Any, path: str) -> None:
        self._flow = flow
        self._pool = pool
        self.path = path
        self._number: struct.Struct | None = None

    def __del__(self) -> None:
        self._pool.close()

    @property
    def value_type(self) -> str:
        """What its values are, as a flow's file says it."""
        self._flow._own()
        return str(self._pool.value_type())

    def put(self, key: Bytes, value: Value) -> None:
        """Puts an object. Waits for credit, so that handlers of the same flow emit instead."""
        self._may_wait()
        if not self.try_put(key, value):
            self._sent(native.UpcallSend.Put, key, value)

    def try_put(self, key: Bytes, value: Value) -> bool:
        """Puts an object if there is credit. Returns whether there was."""
        self._flow._own()
        with failed():
            return bool(self._pool.try_put(_bytes(key), self._content(value)))

    def put_many(self, objects: Mapping[str, Value] | Iterator[tuple[Bytes, Value]]) -> None:
        """Puts many objects in few calls."""
        self._may_wait()
        pairs = objects.items() if isinstance(objects, Mapping) else objects
        joined = bytearray()
        for key, value in pairs:
            name, content = bytes(_bytes(key)), memoryview(self._content(value)).cast("B")
            joined += len(name).to_bytes(4, "little") + len(content).to_bytes(4, "little") + name + content
            if len(joined) >= 1 << 16:
                self._many(joined)
        self._many(joined)

    def put_with_version(self, key: Bytes, value: Value) -> int:
        """Puts an object and waits for its version."""
        return self._sent(native.UpcallSend.Put, key, value)

    async def put_async(self, key: Bytes, value: Value) -> int:
        """Puts an object and returns its version, awaited. Cancelled, it is put all the same."""
        return await self._sent_async(native.UpcallSend.Put, key, value)

    def put_if(self, key: Bytes, value: Value, previous: int) -> int:
        """Puts an object if ``previous`` is still the newest version of its key, 0 for none; else raises ``FlowError`` of kind
        ``conflict``. Returns its version."""
        return self._sent(native.UpcallSend.PutIf, key, value, previous)

    async def put_if_async(self, key: Bytes, value: Value, previous: int) -> int:
        """As ``put_if``, awaited."""
        return await self._sent_async(native.UpcallSend.PutIf, key, value, previous)

    def trigger(self, key: Bytes, value: Value) -> None:
        """Runs the handlers and stores nothing."""
        self._sent(native.UpcallSend.Trigger, key, value)

    async def trigger_async(self, key: Bytes, value: Value) -> None:
        """As ``trigger``, awaited."""
        await self._sent_async(native.UpcallSend.Trigger, key, value)

    def remove(self, key: Bytes) -> int:
        """Removes a key, in order with the puts to it. Returns the version that removed it."""
        return self._sent(native.UpcallSend.Remove, key, b"")

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
        with failed(), self._pool.versions(_bytes(key)) as seen:
            return [Seen(one.version, one.time, one.removed != 0) for one in seen]

    def list(self, prefix: Bytes = "") -> list[str]:
        """The keys that begin with ``prefix``, sorted. Walks the whole pool."""
        self._flow._own()
        with failed(), self._pool.list(_bytes(prefix)) as listed:
            joined = bytes(listed)
        keys, at = [], 0
        while at < len(joined):
            end = at + 4 + int.from_bytes(joined[at : at + 4], "little")
            keys.append(joined[at + 4 : end].decode())
            at = end
        return keys

    def _many(self, joined: bytearray) -> None:
        self._flow._own()
        at, view = 0, bytes(joined)
        joined.clear()
        with failed():
            while at < len(view):
                taken = self._pool.put_many(view[at:], False)
                at += taken
                if at < len(view) and taken == 0:
                    # No credit: the next one waits for it, and hears signals.
                    lengths = [int.from_bytes(view[at + n : at + n + 4], "little") for n in (0, 4)]
                    key, value = at + 8, at + 8 + lengths[0]
                    at = value + lengths[1]
                    self.put(view[key:value], view[value:at])

    def _content(self, value: Value) -> Any:
        if isinstance(value, (str, bytes, bytearray)):
            return _bytes(value)
        if not isinstance(value, (int, float)):
            pack = getattr(value, "pack", None)
            return _bytes(value if pack is None else pack(), "value")
        self._number = self._number or number_of(self.value_type)
        if self._number is None:
            raise TypeError(f"{value} is a number, and {self.path} declares no number type: give it one, or put bytes or text")
        try:
            return self._number.pack(value)
        except (struct.error, OverflowError):
            raise ValueError(f"{value} is no value of {self.path}, whose type is {self.value_type}") from None

    def _sent(self, what: int, key: Bytes, value: Value, previous: int = 0) -> int:
        self._may_wait()
        return version_of(wait(self._send(what, key, value, previous), None, "wait for a version"))

    async def _sent_async(self, what: int, key: Bytes, value: Value, previous: int = 0) -> int:
        return version_of(await ended(self._send(what, key, value, previous)))

    def _may_wait(self) -> None:
        """Raises in a handler of the same flow, also where there is credit: one that waits only under load fails only there."""
        self._flow._own()
        if get_ident() not in self._flow._waiting:
            with failed():
                self._pool.may_wait()
            self._flow._waiting.add(get_ident())

    def _send(self, what: int, key: Bytes, value: Value, previous: int) -> Any:
        self._flow._own()
        with failed():
            return self._pool.send(what, _bytes(key), self._content(value), previous)

    def _get(self, key: Bytes, of: int, at: int) -> Found | None:
        self._flow._own()
        found, room = native.UpcallFound(), bytearray(256)
        with failed():
            # It may be a larger one meanwhile.
            while not self._pool.get(_bytes(key), of, at, room, found):
                room = bytearray(found.len)
        if found.version == 0:
            return None
        value = bytes(memoryview(room)[: found.len])
        self._number = self._number or number_of(self.value_type)
        return Found(value, found.version, found.time, None if self._number is None else self._number.unpack(value)[0])


def _bytes(given: Bytes, what: str = "key") -> Any:
    if isinstance(given, str):
        return given.encode()
    if isinstance(given, (bytes, bytearray)):
        return given
    try:
        return memoryview(given).cast("B")
    except TypeError as error:
        raise TypeError(f"the {what} is of type {type(given).__name__}: give text, bytes or a contiguous buffer ({error})") from None


def _stop_all() -> None:
    for flow in list(_open):
        if flow._process == os.getpid():
            try:
                flow.stop(timeout=10)
            except (FlowError, TimeoutError):
                pass  # Nobody is left to be told.


def _forked() -> None:
    _inherited.extend(flow._flow for flow in _open)


atexit.register(_stop_all)
os.register_at_fork(after_in_child=_forked)
