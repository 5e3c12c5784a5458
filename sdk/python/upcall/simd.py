"""Reductions of buffers, by the vector instructions of the machine.

    import numpy
    from upcall import simd

    heights = numpy.array([1.5, -2.0, 8.25], dtype=numpy.float32)
    simd.max(heights)           # 8.25
    simd.index_of(heights, -2)  # 1

Taken is whatever has a contiguous buffer of integers of 8 to 64 bits or of floats of 32 or 64: a numpy array,
an ``array.array``, a ``ctypes`` array, ``bytes``. Nothing is copied, and shapes do not count. A buffer of something
else, or of another byte order, is a ``TypeError``; one that is not contiguous or not aligned a ``ValueError``.

The rules are the same in all languages: ``sum`` of integers wraps, ``sum_long`` does not, a NaN anywhere is the
``min`` and the ``max``, and ``min_number`` and ``max_number`` pass over it; NaN equals nothing. What is empty has
neither a least value nor a mean, which is a ``ValueError``.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._find import built

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    Number = int | float

__all__ = [
    "checked_sum",
    "contains",
    "count_equal",
    "equal",
    "index_of",
    "max",
    "max_number",
    "mean",
    "min",
    "min_max",
    "min_max_number",
    "min_number",
    "sum",
    "sum_in_order",
    "sum_long",
]


def _open() -> Any:
    """The bindings of libupcall."""
    chosen = os.environ.get("UPCALL_LIBRARY")
    if not chosen:
        os.environ["UPCALL_LIBRARY"] = str(built("libupcall.so"))
    folder = str(built("python"))
    sys.path.insert(0, folder)
    try:
        import upcall_native  # type: ignore[import-not-found, unused-ignore]
    finally:
        sys.path.remove(folder)
        # Programs that are started from here find their own.
        if chosen is None:
            os.environ.pop("UPCALL_LIBRARY", None)
        else:
            os.environ["UPCALL_LIBRARY"] = chosen
    return upcall_native


_native = _open()
_NativeError: Any = _native.NativeError
_ERRORS: dict[int, type[Exception]] = {
    _native.UPCALL_NO_ELEMENTS: ValueError,
    _native.UPCALL_NO_SUM: OverflowError,
}


class _Numbers(dict[str | None, Callable[..., Any]]):
    """A function for each number, by the format that ``struct`` has for it."""

    def __init__(self, name: str) -> None:
        letters: dict[str, str] = {}
        # ctypes writes the byte order before the letter.
        for order in ("", "@", "=", "<" if sys.byteorder == "little" else ">"):
            letters |= {order + letter: f"i{8 * struct.calcsize(order + letter)}" for letter in "bhilq"}
            letters |= {order + letter: f"u{8 * struct.calcsize(order + letter)}" for letter in "BHILQ"}
            letters |= {order + "f": "f32", order + "d": "f64"}
        super().__init__(
            {format: getattr(_native, f"upcall_{name}_{number}") for format, number in letters.items()}
        )

    def __missing__(self, letter: str | None) -> Callable[..., Any]:
        raise TypeError(
            f"reducing a buffer: its elements have the format {letter!r}, "
            "wanted are integers of 8 to 64 bits, or floats of 32 or 64, in this machine's byte order"
        )


_SUM = _Numbers("sum")
_SUM_IN_ORDER = _Numbers("sum_in_order")
_SUM_LONG = _Numbers("sum_long")
_CHECKED_SUM = _Numbers("checked_sum")
_MEAN = _Numbers("mean")
_MIN = _Numbers("min")
_MAX = _Numbers("max")
_MIN_MAX = _Numbers("min_max")
_MIN_NUMBER = _Numbers("min_number")
_MAX_NUMBER = _Numbers("max_number")
_MIN_MAX_NUMBER = _Numbers("min_max_number")
_INDEX_OF = _Numbers("index_of")
_COUNT_EQUAL = _Numbers("count_equal")
_EQUAL = _Numbers("equal")


def sum(values: ReadableBuffer) -> Any:
    """The sum. Integers wrap at their own width; floats are added in 256 bytes' worth of lanes."""
    return _SUM[(view := memoryview(values)).format](view)


def sum_in_order(values: ReadableBuffer) -> Any:
    """The sum, to the bit what a loop gives."""
    return _SUM_IN_ORDER[(view := memoryview(values)).format](view)


def sum_long(values: ReadableBuffer) -> Any:
    """The sum in 64 bits; of floats as ``float``."""
    return _SUM_LONG[(view := memoryview(values)).format](view)


def checked_sum(values: ReadableBuffer) -> Any:
    """The sum; an ``OverflowError`` if the type of the elements cannot hold it, or if it is not finite."""
    return _or_raise(_CHECKED_SUM, values)


def mean(values: ReadableBuffer) -> float:
    """The arithmetic mean. It does not overflow."""
    found: float = _or_raise(_MEAN, values)
    return found


def min(values: ReadableBuffer) -> Any:
    """The least value; NaN if there is one."""
    return _or_raise(_MIN, values)


def max(values: ReadableBuffer) -> Any:
    """The greatest value; NaN if there is one."""
    return _or_raise(_MAX, values)


def min_max(values: ReadableBuffer) -> tuple[Any, Any]:
    """The least value and the greatest; NaN if there is one."""
    ends = _or_raise(_MIN_MAX, values)
    return ends.min, ends.max


def min_number(values: ReadableBuffer) -> Any:
    """The least number; NaN if all are."""
    return _or_raise(_MIN_NUMBER, values)


def max_number(values: ReadableBuffer) -> Any:
    """The greatest number; NaN if all are."""
    return _or_raise(_MAX_NUMBER, values)


def min_max_number(values: ReadableBuffer) -> tuple[Any, Any]:
    """The least number and the greatest; NaN if all are."""
    ends = _or_raise(_MIN_MAX_NUMBER, values)
    return ends.min, ends.max


def contains(values: ReadableBuffer, wanted: Number) -> bool:
    """Whether an element equals ``wanted``. NaN equals nothing."""
    return index_of(values, wanted) is not None


def index_of(values: ReadableBuffer, wanted: Number) -> int | None:
    """The index of the first element that equals ``wanted``; ``None`` if there is none."""
    index: int = _INDEX_OF[(view := memoryview(values)).format](view, wanted)
    return index if index >= 0 else None


def count_equal(values: ReadableBuffer, wanted: Number) -> int:
    """How many elements equal ``wanted``."""
    count: int = _COUNT_EQUAL[(view := memoryview(values)).format](view, wanted)
    return count


def equal(one: ReadableBuffer, other: ReadableBuffer) -> bool:
    """Whether two buffers of the same type hold equal elements in the same order."""
    same: bool = _EQUAL[(view := memoryview(one)).format](view, other)
    return same


def _or_raise(functions: _Numbers, values: ReadableBuffer) -> Any:
    try:
        return functions[(view := memoryview(values)).format](view)
    except _NativeError as error:
        if error.code not in _ERRORS:
            # A mistake in libupcall.
            raise
        raise _ERRORS[error.code](error.message) from None
