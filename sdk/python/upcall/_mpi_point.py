"""Messages from one rank to another."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from ._mpi_arrays import as_dtype
from ._upcall import MpiCommunicator, MpiMessage, MpiRequest, MpiStatus

ANY_SOURCE = ANY_TAG = -1


class Message:
    """A message that was matched, and is this process's to receive, once: nobody else gets it.

    Where it is dropped it is received and thrown away, so that it does not stay in MPI's memory.
    """

    def __init__(self, message: MpiMessage, comm: Point) -> None:
        self._message = message
        self._comm = comm

    @property
    def status(self) -> MpiStatus:
        """Who has sent it, with which tag, and how large it is."""
        return self._message.status

    def receive(self, dtype: Any = None) -> Any:
        """Receives it: a numpy array of the dtype, or a ``bytearray``."""
        return as_dtype(self._message.receive(), dtype)

    def receive_into(self, into: Any) -> MpiStatus:
        """Receives it into memory that may have room for more. Where it is larger it is thrown away, and ``MpiError`` raised."""
        return self._message.receive_into(into)

    def receive_object(self, type: Any = None) -> Any:
        """Receives it as an object, as ``Communicator.receive_object`` does."""
        return self._comm._loaded(self._message.receive(), type, "receive an object")


class Point(MpiCommunicator):
    """Messages from one rank to another, of any size."""

    def receive(
        self, source: int = ANY_SOURCE, tag: int = ANY_TAG, dtype: Any = None, status: MpiStatus | None = None
    ) -> Any:
        """Receives a message of any size: a numpy array of the dtype, or a ``bytearray``.

        Safe where several threads receive. A ``status`` is filled with what is known of the message.
        """
        return as_dtype(self._receive(source, tag, status), dtype)

    def matched(self, source: int = ANY_SOURCE, tag: int = ANY_TAG) -> Message:
        """Waits for a message and takes it, to be received later, by whichever thread."""
        message = self._matched(source, tag)
        assert message is not None
        return Message(message, self)

    def try_matched(self, source: int = ANY_SOURCE, tag: int = ANY_TAG) -> Message | None:
        """As ``matched``, of a message that has arrived already, if there is one."""
        message = self._try_matched(source, tag)
        return None if message is None else Message(message, self)

    def _loaded(self, data: bytearray | memoryview, type: Any, what: str) -> Any:
        raise NotImplementedError


def wait_all(requests: Iterable[MpiRequest]) -> list[MpiStatus]:
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


def wait_any(requests: Sequence[MpiRequest]) -> int:
    """Waits for the first of them that ends: its index. Take it out before you wait again; it raises what that has failed with.

    Ctrl-C ends it, as it looks at one after the other.
    """
    if not requests:
        raise ValueError("wait for the first of some requests: there are none")
    while True:
        for index, request in enumerate(requests):
            if request.test():
                return index
        time.sleep(0)
