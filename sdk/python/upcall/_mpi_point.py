"""Messages from one rank to another."""

from __future__ import annotations

from typing import Any

from ._mpi_arrays import as_dtype
from ._mpi_requests import ReceiveRequest
from ._upcall import MpiCommunicator, MpiMessage, MpiStatus

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

    def start_receive_any_size(
        self, source: int = ANY_SOURCE, tag: int = ANY_TAG, dtype: Any = None
    ) -> ReceiveRequest:
        """Begins to receive a message of any size: a numpy array of the dtype, or a ``bytearray``, is the request's ``data`` then.

        It is matched when the request is asked: of several such requests and other receives, the first that is asked gets the first
        message that fits.
        """
        return ReceiveRequest(lambda: self.try_matched(source, tag), lambda message: message.receive(dtype))

    def _loaded(self, data: bytearray | memoryview, type: Any, what: str) -> Any:
        raise NotImplementedError
