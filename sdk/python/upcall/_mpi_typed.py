"""Types of elements: messages that say theirs, and structs that MPI knows field by field."""

from __future__ import annotations

import array
import math
from typing import TYPE_CHECKING, Any

from ._mpi_arrays import as_dtype, is_numpy
from ._mpi_error import MpiError
from ._upcall import MpiChecked, MpiCommunicator, MpiDatatype, MpiElementType, MpiStatus

if TYPE_CHECKING:
    from ._mpi_communicator import Communicator

_Field = tuple[str, str, int, int]


class ElementType:
    """A type of elements as programs in other languages have it, by its numpy dtype.

    Of numbers it is Rust's (``f64``). A structured dtype has a ``name``, that of the struct, and its fields; types are the same where
    names, sizes and fields are. A struct in a struct has no name that numpy knows: such types are the same among programs in Python.
    """

    _known: dict[tuple[Any, str | None], ElementType] = {}

    def __init__(self, dtype: Any, name: str | None = None) -> None:
        import numpy

        self.dtype: Any = numpy.dtype(dtype)
        if self.dtype.names is not None and name is None:
            raise MpiError("usage", f"name a type of elements: {self.dtype} is a struct; give its name")
        self.name = name or _number(self.dtype)
        self.size: int = self.dtype.itemsize
        self._native = MpiElementType(self.name, self.size, tuple(_fields(self.dtype)))

    @classmethod
    def known(cls, dtype: Any, name: str | None) -> ElementType:
        """One that was made before, or is now."""
        import numpy

        of = numpy.dtype(dtype)
        made = cls._known.get((of, name))
        if made is None:
            made = cls._known[of, name] = cls(of, name)
        return made

    @classmethod
    def of(cls, data: Any, name: str | None) -> ElementType:
        """That of an array's elements."""
        if is_numpy(data):
            return cls.known(data.dtype, name)
        import numpy

        return cls.known(numpy.asarray(memoryview(data)).dtype if not isinstance(data, array.array) else data.typecode, name)


def _number(dtype: Any) -> str:
    kinds = {"i": "i", "u": "u", "f": "f"}
    if dtype.kind == "b":
        return "bool"
    if dtype.kind not in kinds or dtype.itemsize > 8 or not dtype.isnative:
        raise MpiError("type", f"name a type of elements: {dtype} is no number of this machine's that other languages have")
    return f"{kinds[dtype.kind]}{8 * dtype.itemsize}"


def _fields(dtype: Any) -> list[_Field]:
    """Those of a struct. One inside has no name that numpy knows."""
    fields = []
    for name in dtype.names or ():
        of, offset = dtype.fields[name][:2]
        base, _ = of.subdtype or (of, ())
        fields.append((name, "struct" if base.names else _number(base), offset, of.itemsize))
    return sorted(fields, key=lambda field: field[2])


def _numbers(dtype: Any, start: int, name: str) -> list[_Field]:
    """All numbers of a type, also those of structs inside."""
    base, shape = dtype.subdtype or (dtype, ())
    if base.names is None:
        number = "u8" if base.kind == "b" else _number(base)
        return [(name, number, start, dtype.itemsize)]
    numbers = []
    for index in range(math.prod(shape)):
        for inner in sorted(base.names, key=lambda each: base.fields[each][1]):
            of, offset = base.fields[inner][:2]
            numbers += _numbers(of, start + index * base.itemsize + offset, inner)
    return numbers


class Datatype:
    """A structured numpy dtype as MPI knows it: its fields, each a number at its place.

    What C programs make with ``MPI_Type_create_struct`` matches it where their numbers do, in the order of the fields, wherever these
    lie. Padding does not travel.

        reading = mpi.Datatype(world, numpy.dtype([("sensor", "u4"), ("value", "f8")], align=True))
        world.send_typed(readings, reading, dest=1)
    """

    _native: MpiDatatype

    def __init__(self, communicator: Communicator, dtype: Any) -> None:
        import numpy

        self.dtype: Any = numpy.dtype(dtype)
        of = MpiElementType("struct", self.dtype.itemsize, tuple(_numbers(self.dtype, 0, "value")))
        self._native = communicator._datatype(of)


class Typed(MpiCommunicator):
    """Messages of structs that MPI knows field by field."""

    def send_typed(self, data: Any, datatype: Datatype, dest: int, tag: int = 0) -> None:
        """Sends elements field by field."""
        self._send_typed(data, datatype._native, dest, tag)

    def receive_typed(self, datatype: Datatype, source: int = -1, tag: int = -1, status: MpiStatus | None = None) -> Any:
        """Receives elements field by field, however many there are: an array of the dtype, whose padding is zero."""
        return as_dtype(self._receive_typed(datatype._native, source, tag, status), datatype.dtype)

    def receive_typed_into(
        self, into: Any, datatype: Datatype, source: int = -1, tag: int = -1, status: MpiStatus | None = None
    ) -> int:
        """Receives elements field by field into an array, which may have room for more, and returns how many there were.

        Padding stays as it was.
        """
        return self._receive_typed_into(into, datatype._native, source, tag, status)

    def broadcast_typed(self, data: Any, datatype: Datatype, root: int = 0) -> None:
        """Gives all ranks the elements of one, of which all have as many, field by field, in place."""
        self._broadcast_typed(data, datatype._native, root)


class Checked:
    """A communicator whose messages say which type their elements have, which ``Communicator.checked`` makes.

    Where the receiver's is another it is an ``MpiError`` that names both, in place of numbers that mean nothing. Arrays of numbers
    have a type; of a structured dtype ``type`` is the struct's name.

    It is on where all of its ranks want it, which they tell each other when it is made; otherwise it costs nothing. Where it is on,
    messages have a head of 64 bytes, so nothing else is sent on it.
    """

    def __init__(self, native: MpiChecked, of: Communicator) -> None:
        self._native, self._of = native, of

    @property
    def rank(self) -> int:
        """This process's rank, from 0 on."""
        return self._of.rank

    @property
    def size(self) -> int:
        """How many processes there are."""
        return self._of.size

    @property
    def is_on(self) -> bool:
        """Whether types are checked."""
        return self._native.is_on()

    def send(self, data: Any, dest: int, tag: int = 0, type: str | None = None) -> None:
        """Sends an array."""
        self._native.send(data, ElementType.of(data, type)._native, dest, tag)

    def receive(
        self, dtype: Any, source: int = -1, tag: int = -1, type: str | None = None, status: MpiStatus | None = None
    ) -> Any:
        """Receives a message of any size: a numpy array of the dtype. Where the sender's type is another the message is gone."""
        of = ElementType.known(dtype, type)
        return as_dtype(self._native.receive(of._native, source, tag, status), of.dtype)

    def receive_into(self, into: Any, source: int = -1, tag: int = -1, type: str | None = None) -> MpiStatus:
        """Receives into an array, which may have room for more: the status counts."""
        return self._native.receive_into(into, ElementType.of(into, type)._native, source, tag)

    def send_receive(
        self,
        data: Any,
        dest: int,
        into: Any,
        source: int = -1,
        tag: int = 0,
        receive_tag: int = -1,
        type: str | None = None,
        receive_type: str | None = None,
    ) -> MpiStatus:
        """Sends to one rank and receives, maybe another type, from another in one call, which cannot block each other."""
        of, into_of = ElementType.of(data, type), ElementType.of(into, receive_type)
        return self._native.send_receive(data, of._native, dest, tag, into, into_of._native, source, receive_tag)

    def together(self, dtype: Any, type: str | None = None) -> Communicator:
        """The communicator for what all ranks do together with elements of a dtype, which they compare: one small exchange.

        Where a rank has another type ``MpiError`` is raised on all of them. What is sent from rank to rank on it is not checked.
        """
        made = self._native.together(self._of.__class__, ElementType.known(dtype, type)._native)
        return self._of._as_this(made)
