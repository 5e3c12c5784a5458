"""Handlers that answer later, for tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from upcall import Emit, Object


class Echo:
    async def on_object(self, obj: Object, emit: Emit) -> None:
        emit(obj.key, obj.value)


class Slow:
    """Answers after 10 ms, and counts."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def on_object(self, obj: Object, emit: Emit) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        emit(obj.key, obj.value)


class Does:
    """Does what it is given."""

    def __init__(self, do: Callable[[Any, Any], Any]) -> None:
        self.do = do

    async def on_object(self, obj: Object, emit: Emit) -> None:
        await self.do(obj, emit)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.001)
