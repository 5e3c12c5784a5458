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

A handler is a function, which may be ``async``, a class, the same that ``upcall run`` loads, or an instance of one. Those that
are not ``async`` run on one thread of the engine's, and each ``async`` one on an event loop on a thread of its own; all of them
take turns with the program's threads by the interpreter's lock. Whatever waits lets go of that lock, and hears Ctrl-C.

What takes a while has two forms: ``drain``, ``put_if`` and their like wait, ``drain_async`` and its like are awaited.
Cancelled, a wait ends, and what it waited for goes on; so it does where a wait takes longer than its ``timeout``, in seconds,
and raises ``TimeoutError``. Only ``put_many`` has no timeout. A flow that has stopped raises ``FlowError`` of kind ``stopped``.

A flow stops when its ``with`` block ends, or ``stop`` is called, and what is in flight is lost then: drain it first. One
that is open when the program ends is stopped. A process that is forked has no flow: its threads are its parent's.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import struct
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from . import _upcall
from ._flow_pool import Pool
from ._flow_process import held, release
from ._flow_text import FlowText
from ._flow_values import DeadLetter, Event, FlowError, Found, Seen, failed, number_of
from ._flow_waits import IN_HANDLER, checked, ended, in_handler, wait
from ._flow_watch import Watch
from ._form import declared
from ._given import factory
from ._later import is_loop_of, owner, starting
from ._native import native

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["DeadLetter", "Event", "Flow", "FlowBuilder", "FlowError", "Found", "Pool", "Seen", "Watch"]

H = TypeVar("H")

_open: weakref.WeakSet[Flow] = weakref.WeakSet()


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
        with self._begun() as (task, mark):
            wait(task, timeout, "start a flow")
            return self._started(task, mark)

    async def start_async(self) -> Flow:
        """As ``start``, awaited."""
        with self._begun() as (task, mark):
            await ended(task)
            return self._started(task, mark)

    @contextlib.contextmanager
    def _begun(self) -> Iterator[tuple[Any, object]]:
        """The task, and what the flow's handlers are known by."""
        mark = object()
        starting.add(mark)
        try:
            yield self._begin(mark), mark
        finally:
            starting.discard(mark)

    def _begin(self, mark: object) -> Any:
        with failed():
            builder = native.UpcallFlowBuilder.with_keys(self._text.keys, str(self._text), self._path)
            with builder:
                builder.program("python", _upcall.table(), native.UPCALL_THREADS_ONE)
                for name, make in self._given:
                    builder.give(name, _upcall.handler(_marked(make, mark)))
                return builder.start()

    def _started(self, task: Any, mark: object) -> Flow:
        with task, failed():
            return Flow(task.flow(), mark)

    def _numbered(self, name: str) -> str:
        self._names[name] = count = self._names.get(name, 0) + 1
        return name if count == 1 else f"{name}, {count}"


def _marked(make: Callable[[], object], mark: object) -> Callable[[], object]:
    def made() -> object:
        # On the worker that is going to call it.
        owner().flows = {mark}
        return make()

    return made


class Flow:
    """A running flow. From ``FlowBuilder.start``. Its methods may be called on any thread."""

    def __init__(self, flow: Any, mark: object) -> None:
        self._flow = held(flow)
        self._mark = mark
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
        release(self._flow, self._process)

    def __enter__(self) -> Flow:
        return self

    def __exit__(self, *_: object) -> None:
        # A child that was forked in the block ends as it does without a flow.
        if self._process == os.getpid():
            self.stop()

    async def __aenter__(self) -> Flow:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process == os.getpid():
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
        self._refuse_in_handler("drain a flow", "let another thread wait")
        checked(wait(self._call("drain"), timeout, "drain a flow"))

    async def drain_async(self) -> None:
        """As ``drain``, awaited."""
        checked(await ended(self._call("drain")))

    def settle(self, timeout: float | None = None) -> None:
        """Waits until nothing is in flight."""
        self._refuse_in_handler("settle a flow", "let another thread wait")
        checked(wait(self._call("settle"), timeout, "settle a flow"))

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
        task = self._stop()
        if is_loop_of(self._mark):
            task.close()
            return
        try:
            checked(wait(task, timeout, "stop a flow"))
        except FlowError as error:
            if error.kind != IN_HANDLER:
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

    def _refuse_in_handler(self, what: str, instead: str) -> None:
        """As the engine does on its own threads, which the event loops of handlers are not."""
        if is_loop_of(self._mark):
            raise in_handler(what, instead)

    def _own(self) -> None:
        if self._process != os.getpid():
            raise FlowError("forked", "use a flow of the process that this one was forked from: start one here, or fork before")


def _stop_all() -> None:
    for flow in list(_open):
        if flow._process == os.getpid():
            try:
                flow.stop(timeout=10)
            except (FlowError, TimeoutError):
                pass  # Nobody is left to be told.


atexit.register(_stop_all)
