"""Objects as messages: pickled, or by a serializer of the program's, or in pack's form."""

from __future__ import annotations

import functools
import pickle
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Protocol

from ._form import Form, form
from ._mpi_arrays import Parts
from ._mpi_error import MpiError
from ._mpi_point import ANY_SOURCE, ANY_TAG, Point
from ._mpi_requests import awaited
from ._upcall import MpiCommunicator, MpiRequest, MpiStatus


class Serializer(Protocol):
    """What makes bytes of values, and values of bytes: a module as ``pickle``, ``json`` or ``marshal`` is one."""

    def dumps(self, value: Any, /) -> bytes | bytearray | str: ...
    def loads(self, data: Any, /) -> Any: ...


class Pickle:
    """Python's own, by which objects travel where nothing else was named. Who can send messages can run code by it."""

    def __init__(self, protocol: int = 5) -> None:
        self.dumps: Callable[[Any], bytes] = functools.partial(pickle.dumps, protocol=protocol)
        self.loads: Callable[[Any], Any] = pickle.loads


class ObjectRequest:
    """A receive of an object that was begun. It is matched when it is waited for or tested."""

    def __init__(self, comm: ObjectMessages, source: int, tag: int, type: Any) -> None:
        self._comm, self._source, self._tag, self._type = comm, source, tag, type
        self._ended = False
        self._value: Any = None

    def __await__(self) -> Generator[Any, Any, Any]:
        return awaited(self)

    def wait(self) -> Any:
        """Waits until it has arrived: the object. Ctrl-C is heard."""
        while not self.test():
            time.sleep(0)
        return self._value

    def test(self) -> bool:
        """Whether it has arrived."""
        if not self._ended:
            message = self._comm.try_matched(self._source, self._tag)
            if message is not None:
                self._end(message)
        return self._ended

    def _end(self, message: Any) -> None:
        self._value, self._ended = message.receive_object(self._type), True


class ObjectMessages(Point):
    """Objects of any size, one message each. All of it is safe where several threads receive.

    ``type`` is a class that upcall bindgen wrote, or another one with ``pack`` and ``unpack``, or a ``ctypes.Structure``: both
    sides name it, and other languages read the same. Without it, objects are the ``serializer``'s.
    """

    serializer: Serializer = Pickle()
    """Of this communicator; all ranks have the same. ``world.serializer = json``."""

    def send_object(self, value: Any, dest: int, tag: int = 0, type: Any = None) -> None:
        """Sends an object."""
        self.send(self._dumped(value, type), dest, tag)

    def start_send_object(self, value: Any, dest: int, tag: int = 0, type: Any = None) -> MpiRequest:
        """Begins to send an object, as it is now."""
        return self.start_send(self._dumped(value, type), dest, tag)

    def receive_object(
        self, source: int = ANY_SOURCE, tag: int = ANY_TAG, type: Any = None, status: MpiStatus | None = None
    ) -> Any:
        """Receives an object. A ``status`` is filled with what is known of the message."""
        return self._loaded(self._receive(source, tag, status), type, "receive an object")

    def start_receive_object(self, source: int = ANY_SOURCE, tag: int = ANY_TAG, type: Any = None) -> ObjectRequest:
        """Begins to receive an object."""
        return ObjectRequest(self, source, tag, type)

    def send_receive_object(
        self,
        value: Any,
        dest: int,
        source: int = ANY_SOURCE,
        tag: int = 0,
        receive_tag: int = ANY_TAG,
        type: Any = None,
    ) -> Any:
        """Sends an object and receives another, which cannot block each other."""
        sent = self.start_send_object(value, dest, tag, type)
        received = self.receive_object(source, receive_tag, type)
        sent.wait()
        return received

    def _dumped(self, value: Any, type: Any) -> Any:
        if type is None:
            data = self.serializer.dumps(value)
            return data.encode() if isinstance(data, str) else data
        of = _formed(type)
        if not isinstance(value, of.of):
            raise TypeError(f"send a {value.__class__.__name__} as {of.name}: it is none")
        return value if of.write is None else of.write(value)

    def _loaded(self, data: bytearray | memoryview, type: Any, what: str) -> Any:
        try:
            if type is None:
                return self.serializer.loads(data)
            of = _formed(type)
            if of.size and of.size != len(data):
                raise ValueError(f"it has {len(data)} bytes, and a {of.name} has {of.size}")
            # What the program has written may know `bytes` alone.
            return of.read(bytes(data) if of.kind == "packed" else data)  # type: ignore[misc]
        except Exception as error:
            how = "no value that the serializer reads" if type is None else f"no {getattr(type, '__name__', type)}"
            raise MpiError("type", f"{what}: what has arrived is {how}: {error}") from error

    @staticmethod
    def _fail(exchange: Callable[[], Any]) -> None:
        """Takes part in an exchange for the others' sake; what is raised here is what came before."""
        try:
            exchange()
        except MpiError:
            pass


class Objects(ObjectMessages):
    """Objects of all ranks."""

    def broadcast_object(self, value: Any = None, root: int = 0, type: Any = None) -> Any:
        """Gives all ranks the object of one; what the others give does not count."""
        if self.rank != root:
            return self._loaded(self._broadcast_any(None, root, True), type, "broadcast an object")
        try:
            data = self._dumped(value, type)
        except Exception:
            self._fail(lambda: self._broadcast_any(None, root, False))
            raise
        self._broadcast_any(data, root, True)
        return value

    def gather_objects(self, value: Any, root: int = 0, type: Any = None) -> list[Any] | None:
        """Gives one rank the objects of all, in the order of the ranks; ``None`` to the others."""
        parts = self._of_each(value, type, lambda data: self._gather_parts(data, root))
        return None if parts is None else self._all(parts, type, "gather objects")

    def all_gather_objects(self, value: Any, type: Any = None) -> list[Any]:
        """As ``gather_objects``, for all ranks."""
        return self._all(self._of_each(value, type, self._all_gather_parts), type, "gather objects")

    def scatter_objects(self, values: Sequence[Any] | None = None, root: int = 0, type: Any = None) -> Any:
        """Gives each rank one of the objects of one, which has as many as there are ranks."""
        data, counts = b"", list[int]()
        if self.rank == root:
            try:
                data, counts = self._side_by_side(values, type)
            except Exception:
                # All ranks are told that there are no parts.
                self._fail(lambda: self._scatter_parts(b"", [], root))
                raise
        return self._loaded(self._scatter_parts(data, counts, root), type, "scatter objects")

    def all_to_all_objects(self, values: Sequence[Any], type: Any = None) -> list[Any]:
        """Each rank has an object for each other: what comes back is what all had for this one."""
        try:
            data, counts = self._side_by_side(values, type)
        except Exception:
            self._fail(lambda: self._all_to_all_parts(b"", [0] * self.size))
            raise
        return self._all(self._all_to_all_parts(data, counts), type, "exchange objects")

    def reduce_object(self, value: Any, op: Callable[[Any, Any], Any], root: int = 0, type: Any = None) -> Any:
        """Combines the objects of all ranks, in the order of the ranks, for one of them; ``None`` on the others."""
        values = self.gather_objects(value, root, type)
        return None if values is None else functools.reduce(op, values)

    def all_reduce_object(self, value: Any, op: Callable[[Any, Any], Any], type: Any = None) -> Any:
        """As ``reduce_object``, for all ranks: ``world.all_reduce_object(name, lambda a, b: a + b)``."""
        return functools.reduce(op, self.all_gather_objects(value, type))

    def scan_object(self, value: Any, op: Callable[[Any, Any], Any], type: Any = None) -> Any:
        """Combines the objects of the ranks up to this one, itself included."""
        return functools.reduce(op, self.all_gather_objects(value, type)[: self.rank + 1])

    def exclusive_scan_object(self, value: Any, op: Callable[[Any, Any], Any], type: Any = None) -> Any:
        """Combines the objects of the ranks before this one; ``None`` at rank 0."""
        values = self.all_gather_objects(value, type)[: self.rank]
        return functools.reduce(op, values) if values else None

    def _of_each(self, value: Any, type: Any, exchange: Callable[[Any], Any]) -> Any:
        """Exchanges this rank's object. The others wait for it, whatever has happened here: by ``None`` they are told."""
        try:
            data = self._dumped(value, type)
        except Exception:
            self._fail(lambda: exchange(None))
            raise
        return exchange(data)

    def _side_by_side(self, values: Iterable[Any] | None, type: Any) -> tuple[bytes, list[int]]:
        data = [self._dumped(value, type) for value in values or ()]
        if len(data) != self.size:
            message = f"give each rank an object: there are {len(data)}, and {self.size} ranks"
            raise MpiError("usage", message)
        return b"".join(data), [memoryview(each).nbytes for each in data]

    def _all(self, gathered: tuple[bytearray, list[int]], type: Any, what: str) -> list[Any]:
        values = []
        for rank, part in enumerate(Parts(*gathered).split()):
            try:
                values.append(self._loaded(part, type, what))
            except MpiError:
                if part:
                    raise
                raise MpiError("usage", f"{what}: rank {rank} has failed to give one") from None
        return values


def _formed(type: Any) -> Form:
    of = form(type, "type")
    if of.kind not in ("packed", "blittable"):
        raise TypeError(f"type: {of.name or of.of.__name__} has no form of its own: leave it out, and it is the serializer's")
    return of
