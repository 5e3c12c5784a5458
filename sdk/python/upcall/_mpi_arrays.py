"""Room for what arrives, of the kind that was sent."""

from __future__ import annotations

import array
import operator
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple


class Parts(NamedTuple):
    """Elements of all ranks, side by side: ``counts[r]`` of them are rank ``r``'s."""

    data: Any
    counts: list[int]

    def split(self) -> list[Any]:
        """Those of each rank."""
        ends, start = [], 0
        for count in self.counts:
            ends.append(self.data[start : start + count])
            start += count
        return ends


def is_numpy(data: object) -> bool:
    """Whether it is an array or a scalar of numpy's, which is not imported for this."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(data, (numpy.ndarray, numpy.generic))


def _view(data: Any) -> memoryview:
    try:
        return memoryview(data)
    except TypeError:
        raise TypeError(
            f"{called(data)} has no memory of its own; give a numpy array, an array.array, a bytearray or a memoryview, or"
            " use the form for objects"
        ) from None


def room_like(data: Any, ranks: int | None = None) -> Any:
    """An array as ``data``, or as large as those of so many ranks; nobody has written it."""
    if is_numpy(data):
        import numpy

        return numpy.empty(data.shape if ranks is None else (ranks, *data.shape), data.dtype)
    view = _view(data)
    times = 1 if ranks is None else ranks
    if isinstance(data, array.array):
        return array.array(data.typecode, bytes(view.nbytes * times))
    return _as_format(bytearray(view.nbytes * times), view.format)


def room_of(data: Any, count: int) -> Any:
    """Room for so many elements as those of ``data``, in one dimension."""
    if is_numpy(data):
        import numpy

        return numpy.empty(count, data.dtype)
    view = _view(data)
    if isinstance(data, array.array):
        return array.array(data.typecode, bytes(count * view.itemsize))
    return _as_format(bytearray(count * view.itemsize), view.format)


def as_like(received: bytearray, data: Any) -> Any:
    """Bytes that have arrived, as elements like those of ``data``, in one dimension."""
    if is_numpy(data):
        return as_dtype(received, data.dtype)
    if isinstance(data, array.array):
        made = array.array(data.typecode)
        made.frombytes(received)
        return made
    return _as_format(received, _view(data).format)


def _as_format(made: bytearray, format: str) -> bytearray | memoryview:
    """Memory as elements of a format, where that is one of numbers; of others as bytes."""
    letter = format.lstrip("@=<")
    if letter in tuple("hHiIlLqQnNfd?"):
        return memoryview(made).cast(letter)  # type: ignore[call-overload, no-any-return]
    return made


def as_dtype(received: bytearray, dtype: Any) -> Any:
    """Bytes that have arrived, as a numpy array of a dtype; as they are where that is ``None``."""
    if dtype is None:
        return received
    import numpy

    from ._mpi_error import MpiError

    of = numpy.dtype(dtype)
    if of.hasobject:
        raise TypeError(f"receive elements of {of}: they are Python objects, which are sent as objects")
    if len(received) % max(of.itemsize, 1):
        message = f"receive elements of {of}: the message has {len(received)} bytes, no whole number of them"
        raise MpiError("type", message)
    return numpy.frombuffer(received, of)


def item_size(data: Any) -> int:
    """The bytes of an element."""
    return _view(data).itemsize or 1


def whole(number: Any, name: str) -> int:
    """A whole number, of Python's or numpy's."""
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{name}: wanted is an integer, and {called(number)} is given") from None


def in_bytes(counts: Any, size: int) -> list[int]:
    """Counts of elements as counts of bytes."""
    return [_positive(count, index) * size for index, count in enumerate(listed(counts))]


def _positive(count: int, index: int) -> int:
    if count < 0:
        raise ValueError(f"counts[{index}]: {count} is negative")
    return count


def own_count(counts: Any, rank: int) -> int:
    """What is a rank's of these counts: 0 where they have none for it, which the native part refuses."""
    each = listed(counts)
    return max(each[rank], 0) if rank < len(each) else 0


def listed(counts: Any, name: str = "counts") -> list[int]:
    """Whole numbers, of which there is one for each rank or dimension."""
    try:
        each = list(counts)
    except TypeError:
        raise TypeError(f"{name}: wanted is a list of integers, and {called(counts)} is given") from None
    return [whole(number, f"{name}[{index}]") for index, number in enumerate(each)]


def called(given: object) -> str:
    """What kind of object it is, with its article."""
    if given is None:
        return "None"
    name = type(given).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def elements(counts: Sequence[int], size: int) -> list[int]:
    """Counts of bytes as counts of elements."""
    return [count // size for count in counts]
