"""The events of pools, as they happen."""

from __future__ import annotations

import contextlib
import os
import struct
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ._flow_process import held, release
from ._flow_values import Event, events, failed
from ._flow_waits import PATIENCE, Woken, slices

if TYPE_CHECKING:
    from .flow import Flow

T = TypeVar("T")


class Watch:
    """The events of some pools, from the moment when it was made: ``for event in watch``, or ``async for``.

    It ends with the flow, by ``close()``, or with its ``with`` block. A loop that is left does not end it: the next one goes on with
    the next event. Where several walk it at the same time, each event goes to one of them. One that is walked too slowly is told how
    many events of a pool it has missed, and never holds up the flow.
    """

    def __init__(self, flow: Flow, watch: Any, numbers: Mapping[str, struct.Struct]) -> None:
        self._flow = flow
        self._watch = held(watch)
        self._numbers = numbers
        self._closed = False
        # The engine hands over all that it has, more than a loop may take.
        self._unread: deque[Event] = deque()
        self._waiting = _Waiting()

    def __del__(self) -> None:
        release(self._watch, self._flow._process)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Event]:
        while True:
            yield from self._taken()
            last = self._has_ended()
            if not self._read(lambda: self._watch.next(int(1000 * PATIENCE))) and last:
                return

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            for event in self._taken():
                yield event
            last = self._has_ended()
            with self._waiting.one() as woken:
                # Another thread may have read events and woken who waited before this one was there, and then have left its loop.
                if self._read(lambda: self._watch.poll(self._waiting)) or self._unread:
                    continue
                # It may have been closed before it was there to be woken.
                if last or self._closed:
                    return
                await woken.future

    def next(self, timeout: float | None) -> list[Event]:
        """The events that are there; waits so many seconds for the first, or as long as the flow runs."""
        for milliseconds in slices(timeout):
            seen = list(self._taken())
            if seen:
                return seen
            last = self._has_ended()
            self._read(lambda: self._watch.next(milliseconds))
            if last:
                break
        return list(self._taken())

    def close(self) -> None:
        """Ends it: whoever walks it, on whatever thread, sees no more events."""
        if self._flow._process != os.getpid():
            return
        self._closed = True
        self._unread.clear()
        self._watch.close()
        self._waiting()

    def _taken(self) -> Iterator[Event]:
        """The unread events, each taken when it is asked for."""
        while True:
            try:
                event = self._unread.popleft()
            except IndexError:
                return
            yield event

    def _read(self, ask: Callable[[], Any]) -> bool:
        """Has the engine hand over events. Returns whether there were any."""

        def copied() -> bytes:
            with ask() as given:
                return bytes(given)

        seen = events(self._unless_closed(copied, b""), self._numbers)
        self._unread.extend(seen)
        if self._closed:
            self._unread.clear()
        elif seen:
            # The engine wakes who asked last, and that was us.
            self._waiting()
        return bool(seen)

    def _has_ended(self) -> bool:
        self._flow._own()
        return self._unless_closed(lambda: bool(self._watch.has_ended()), True)

    def _unless_closed(self, ask: Callable[[], T], otherwise: T) -> T:
        if self._closed:
            return otherwise
        try:
            with failed():
                return ask()
        except ValueError:
            # Closed meanwhile, on another thread.
            if self._closed:
                return otherwise
            raise


class _Waiting:
    """Who waits for events on an event loop; called, it wakes them. The engine keeps it, and through it no watch."""

    def __init__(self) -> None:
        self._all: set[Woken] = set()

    def __call__(self) -> None:
        for woken in list(self._all):
            woken()

    @contextlib.contextmanager
    def one(self) -> Iterator[Woken]:
        woken = Woken()
        self._all.add(woken)
        try:
            yield woken
        finally:
            self._all.discard(woken)
