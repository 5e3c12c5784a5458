"""The event loop of a handler that answers later."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from ._over import Closed

# How long CLOSE waits for what it has cancelled, in seconds; then it goes on without.
LIMIT = 1.0

# Whether a task may begin at once, so that one that has nothing to wait for is never queued.
EAGER = sys.version_info >= (3, 12)

# The modules whose frames are above those of a handler.
LOOPS = (__name__, "asyncio.base_events", "asyncio.events", "asyncio.tasks")

log = logging.getLogger("upcall")

# The flows of this program that are being started, by what they are known by.
starting: set[object] = set()

_here = threading.local()


class Owner:
    """The flows of this program that the handlers of a worker may be of: those that were being started when it made its first
    loop, or the one that has said that it is."""

    def __init__(self) -> None:
        self.flows = set(starting)


def owner() -> Owner:
    """Of the worker whose thread this is."""
    try:
        found: Owner = _here.worker
    except AttributeError:
        found = _here.worker = Owner()
    return found


def is_loop_of(flow: object) -> bool:
    """Whether a handler of this flow has its event loop on this thread."""
    found: Owner | None = getattr(_here, "loop", None)
    return found is not None and flow in found.flows


class Loop:
    """An event loop on a thread of its own, from OPEN to CLOSE.

    ``items`` is the native part: it begins tasks here, and answers for them.
    """

    def __init__(self, items: Any, name: str) -> None:
        self._items = items
        self._owner = owner()
        self._stopping = False
        self._blocked = False
        self._hooks: set[asyncio.Future[Any]] = set()
        self._loop = asyncio.new_event_loop()
        self._loop.add_reader(items.fileno(), items.take)
        self._thread = threading.Thread(target=self._run, name=f"upcall {name}", daemon=True)
        self._thread.start()

    # On the loop's thread.

    def begin(self, awaitable: Any, done: Callable[[Any], None]) -> asyncio.Future[Any] | None:
        """A task of what the handler's method has returned; ``None`` if that is nothing to wait for."""
        if not asyncio.iscoroutine(awaitable):
            if not isinstance(awaitable, Awaitable):
                return None
            task = asyncio.ensure_future(awaitable, loop=self._loop)
        elif EAGER and self._loop.get_task_factory() is None:
            task = asyncio.Task(awaitable, loop=self._loop, eager_start=True)  # type: ignore[call-arg, unused-ignore]
            if task.done():
                done(task)
                return task
        else:
            task = self._loop.create_task(awaitable)
        task.add_done_callback(done)
        return task

    def ended(self, task: asyncio.Future[Any]) -> BaseException | None:
        """What a task has ended with, a cancellation by the handler's own code too."""
        try:
            error = task.exception()
        except BaseException as cancelled:
            error = cancelled
        if error is not None and (task.cancelled() or isinstance(error, (SystemExit, KeyboardInterrupt))):
            # Without the frames that are only ours, and those of a loop that it has gone through.
            trace = error.__traceback__
            while trace is not None and trace.tb_frame.f_globals.get("__name__", "") in LOOPS:
                trace = trace.tb_next
            error = error.with_traceback(trace)
        return error

    def _run(self) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        _here.loop = self._owner
        self._items.enter()
        while not self._stopping:
            try:
                loop.run_forever()
            except BaseException as error:
                # SystemExit and KeyboardInterrupt end the loop; the task that has raised them has failed with them.
                log.debug("the event loop goes on after %r", error)
        ends: list[Callable[[], Coroutine[Any, Any, None]]] = [
            lambda: _end(asyncio.all_tasks(loop)),
            loop.shutdown_asyncgens,
            loop.shutdown_default_executor,
        ]
        for end in ends:
            try:
                loop.run_until_complete(asyncio.wait_for(end(), LIMIT))
            except BaseException as error:
                log.debug("close the event loop: %r", error)
        for task in asyncio.all_tasks(loop):
            log.warning("%r ignores that it is cancelled, and is left behind", task.get_name())
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        loop.remove_reader(self._items.fileno())
        loop.close()

    # On the worker.

    def where(self, task: asyncio.Future[Any]) -> str:
        """Where a task is waiting, as a traceback shows it."""
        frames = []
        awaited = task.get_coro() if isinstance(task, asyncio.Task) else None
        while awaited is not None:
            frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "gi_frame", None)
            if frame is not None:
                frames.append((frame, frame.f_lineno))
            awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "gi_yieldfrom", None)
        if not frames:
            return ""
        lines = traceback.StackSummary.extract(iter(frames)).format()
        return "It was waiting here (most recent call last):\n" + "".join(lines)

    def cancel(self, task: asyncio.Future[Any], reason: BaseException) -> None:
        """Cancels a task, soon."""
        self._loop.call_soon_threadsafe(task.cancel, reason)

    def wait(self, returned: Any) -> None:
        """Waits for what a hook has returned, if that can be waited for."""
        if not isinstance(returned, Awaitable):
            return
        if self._blocked:
            if asyncio.iscoroutine(returned):
                returned.close()
            raise RuntimeError("close was not run: the handler blocks its event loop; await what takes long")
        done = threading.Event()
        ended: list[BaseException | None] = []

        async def run() -> None:
            try:
                await returned
                ended.append(None)
            except BaseException as error:
                # Without the frame that is only ours.
                ended.append(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
            done.set()

        self._loop.call_soon_threadsafe(lambda: self._keep(self._loop.create_task(run())))
        done.wait()
        (error,) = ended
        if error is not None:
            raise error

    def _keep(self, task: asyncio.Future[Any]) -> None:
        """A loop keeps no references of its own."""
        self._hooks.add(task)
        task.add_done_callback(self._hooks.discard)

    def settle(self, tasks: list[asyncio.Future[Any]]) -> None:
        """Waits, for so long, until these have ended, which were cancelled; before ``close``, whose resources they use."""
        begun, done = threading.Event(), threading.Event()

        async def settled() -> None:
            if tasks:
                await asyncio.wait(tasks, timeout=LIMIT)
            done.set()

        def begin() -> None:
            begun.set()
            self._keep(self._loop.create_task(settled()))

        self._loop.call_soon_threadsafe(begin)
        self._blocked = not begun.wait(LIMIT)
        if not self._blocked:
            done.wait(2 * LIMIT)

    def stop(self) -> None:
        """Ends the loop, and all that is left in it."""

        def stop() -> None:
            self._stopping = True
            self._loop.stop()

        if not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(stop)
        if self._thread is not threading.current_thread():
            self._thread.join(LIMIT if self._blocked else 4 * LIMIT)
        if self._thread.is_alive():
            log.warning("the handler blocks its event loop, which is left behind")


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    """Cancels all these tasks but the current one, and waits for so long until they have ended."""
    others = {task for task in tasks if task is not asyncio.current_task()}
    for task in others:
        if not task.cancelling():
            task.cancel(Closed("the handler is being closed"))
    if others:
        done, _ = await asyncio.wait(others, timeout=LIMIT * 0.9)
        for task in done:
            _ = task.cancelled() or task.exception()
