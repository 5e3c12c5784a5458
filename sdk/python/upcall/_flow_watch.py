"""The events of pools, as they happen."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._flow_process import held, release
from ._flow_values import Event, events, failed
from ._flow_waits import PATIENCE, Woken, slices

if TYPE_CHECKING:
    from .flow import Flow


class Watch:
    """The events of some pools, from the moment when it was made: ``for event in watch``, or ``async for``.

    It ends with the flow. One that is walked too slowly is told how many events of a pool it has missed, and never holds up
    the flow.
    """

    def __init__(self, flow: Flow, watch: Any, numbers: Mapping[str, struct.Struct]) -> None:
        self._flow = flow
        self._watch = held(watch)
        self._numbers = numbers

    def __del__(self) -> None:
        release(self._watch, self._flow._process)

    def __iter__(self) -> Iterator[Event]:
        while True:
            last = self._has_ended()
            seen = self.next(PATIENCE)
            yield from seen
            if last and not seen:
                return

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            last = self._has_ended()
            woken = Woken()
            with failed(), self._watch.poll(woken) as given:
                seen = events(bytes(given), self._numbers)
            for event in seen:
                yield event
            if last and not seen:
                return
            if not seen:
                await woken.future

    def next(self, timeout: float | None) -> list[Event]:
        """The events that are there; waits so many seconds for the first, or as long as the flow runs."""
        for milliseconds in slices(timeout):
            last = self._has_ended()
            with failed(), self._watch.next(milliseconds) as given:
                seen = events(bytes(given), self._numbers)
            if seen or last:
                return seen
        return []

    def _has_ended(self) -> bool:
        self._flow._own()
        with failed():
            return bool(self._watch.has_ended())
