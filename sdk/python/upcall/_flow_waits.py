"""How a program waits for the engine."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import time
from collections.abc import Iterator
from typing import Any

from ._flow_process import held, release
from ._flow_values import FlowError, failed

# How long Python hears no signal while it waits for the engine.
PATIENCE = 0.05
# The kind of error of what would wait for the handler that it is called in.
IN_HANDLER = "in handler"


class Woken:
    """A future of the running loop, which the engine completes from whatever thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[None] = self._loop.create_future()

    def __call__(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._complete)
        except RuntimeError:
            pass  # The loop is closed: nobody waits.

    def _complete(self) -> None:
        if not self.future.done():
            self.future.set_result(None)


def wait(task: Any, timeout: float | None, what: str) -> Any:
    """Waits until a task has ended."""
    with _let_go(task):
        try:
            with failed():
                for milliseconds in slices(timeout):
                    if task.wait(milliseconds):
                        return task
        except FlowError as error:
            raise in_handler(what, "let another thread wait") if error.kind == IN_HANDLER else error from None
        raise TimeoutError(f"{what}: it has not ended after {timeout} seconds; it goes on")


def in_handler(what: str, instead: str) -> FlowError:
    """The error of a call that would wait for the handler that it is made in."""
    return FlowError(IN_HANDLER, f"{what} from inside a handler of the same flow: it would wait for itself; {instead}")


async def ended(task: Any) -> Any:
    with _let_go(held(task)):
        while True:
            woken = Woken()
            with failed():
                if task.poll(woken):
                    return task
            await woken.future


@contextlib.contextmanager
def _let_go(task: Any) -> Iterator[None]:
    """Releases a task of which nobody will read what has come of it."""
    process = os.getpid()
    try:
        yield
    except BaseException:
        release(task, process)
        raise


def slices(timeout: float | None) -> Iterator[int]:
    """Times to wait, in milliseconds, one after the other, once at least: between two of them Python hears signals."""
    until = None if timeout is None else time.monotonic() + timeout
    while True:
        left = PATIENCE if until is None else min(PATIENCE, until - time.monotonic())
        yield max(0, math.ceil(left * 1000))
        if until is not None and time.monotonic() >= until:
            return


def checked(task: Any) -> None:
    with task, failed():
        task.check()


def version_of(task: Any) -> int:
    with task, failed():
        return int(task.version())
