"""Requests that are waited for together, and receives of any size."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ._mpi_error import MpiError

if TYPE_CHECKING:
    from ._upcall import MpiPersistent


class Waited(Protocol):
    """What can be waited for: requests of all kinds."""

    def wait(self) -> Any: ...
    def test(self) -> bool: ...


# So long after its last look a request that is awaited is looked at each time that the event loop comes round, and then once per
# millisecond.
_EAGER = 0.002


def awaited(request: Waited) -> Generator[Any, Any, Any]:
    """What ``await request`` goes through: other tasks run until it has ended, and it is what ``wait`` returns."""
    return _awaited(request).__await__()


async def _awaited(request: Waited) -> Any:
    # Not imported before: programs without it wait for nothing.
    import asyncio

    began = time.monotonic()
    while not request.test():
        await asyncio.sleep(0 if time.monotonic() - began < _EAGER else 0.001)
    return request.wait()


class ReceiveRequest:
    """A receive of a message of any size that was begun. It is matched when it is waited for or tested.

    One that is dropped before has taken no message.
    """

    def __init__(self, match: Callable[[], Any], read: Callable[[Any], Any]) -> None:
        self._match, self._read = match, read
        self._ended: Any = None
        self._failed: BaseException | None = None
        self._data: Any = None

    @property
    def data(self) -> Any:
        """What has arrived. Raises ``MpiError`` where it has not ended."""
        if self._ended is None:
            raise MpiError("usage", "take what a request has received: it has not ended; wait for it")
        return self._data

    def __await__(self) -> Generator[Any, Any, Any]:
        return awaited(self)

    def wait(self) -> Any:
        """Waits until it has arrived: its status. Once it has, it says the same again. Ctrl-C is heard."""
        while not self.test():
            time.sleep(0)
        return self._ended

    def test(self) -> bool:
        """Whether it has arrived. Raises what it has failed with."""
        if self._failed is not None:
            raise self._failed
        if self._ended is None:
            message = self._match()
            if message is not None:
                self._end(message)
        return self._ended is not None

    def _end(self, message: Any) -> None:
        status = message.status
        try:
            self._data = self._read(message)
        except Exception as error:
            # The message is gone, and no other is waited for.
            self._failed = error
            raise
        self._ended = status


def wait_all(requests: Iterable[Waited]) -> list[Any]:
    """Waits for all of them: their statuses. Raises the first error, when all have ended."""
    statuses, error = [], None
    for request in requests:
        try:
            statuses.append(request.wait())
        except Exception as raised:
            error = error or raised
    if error is not None:
        raise error
    return statuses


def start_all(requests: Sequence[MpiPersistent]) -> None:
    """Starts a round of each. Raises ``MpiError`` where one of them is under way, and none is started."""
    for request in requests:
        if request.active:
            request.start()  # It says what is wrong.
    for request in requests:
        request.start()


def test_all(requests: Sequence[Waited]) -> list[Any] | None:
    """What ``wait_all`` returns where all have ended, else ``None``."""
    # All are looked at, as one may end only when another is.
    ended = [_has_ended(request) for request in requests]
    return wait_all(requests) if all(ended) else None


def wait_any(requests: Sequence[Waited]) -> int:
    """Waits for the first of them that ends: its index. Take it out before you wait again; it raises what that has failed with.

    Ctrl-C ends it, as it looks at one after the other.
    """
    if not requests:
        raise ValueError("wait for the first of some requests: there are none")
    while True:
        index = test_any(requests)
        if index is not None:
            return index
        time.sleep(0)


def test_any(requests: Sequence[Waited]) -> int | None:
    """As ``wait_any``, without waiting: ``None`` where none has ended."""
    return next((index for index, request in enumerate(requests) if request.test()), None)


def wait_some(requests: Sequence[Waited]) -> list[int]:
    """Waits until at least one of them has ended, well or not: the indices of all that have. ``wait`` of each says how.

    Take them out before you wait again.
    """
    if not requests:
        raise ValueError("wait for some of the requests: there are none")
    while True:
        ended = test_some(requests)
        if ended:
            return ended
        time.sleep(0)


def test_some(requests: Sequence[Waited]) -> list[int]:
    """As ``wait_some``, without waiting: it may be none."""
    return [index for index, request in enumerate(requests) if _has_ended(request)]


def _has_ended(request: Waited) -> bool:
    try:
        return request.test()
    except MpiError:
        return True  # It says so again.
