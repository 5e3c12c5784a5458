"""Reductions of buffers, by the vector instructions of the machine.

    import numpy
    from upcall import simd

    heights = numpy.array([1.5, -2.0, 8.25], dtype=numpy.float32)
    simd.max(heights)           # 8.25
    simd.index_of(heights, -2)  # 1

Taken is whatever has a buffer of integers of 8 to 64 bits or of floats of 32 or 64: a numpy array, an
``array.array``, a ``ctypes`` array, ``bytes``. Shapes do not count: elements are in the order of their indices. What
lies side by side is not copied, in Fortran's order neither, where the order does not matter to the reduction (sums of
floats are then added in the order of memory); what is strided is copied first. A buffer of something else, or of
another byte order, is a ``TypeError``, as is a masked array (``numpy.ma``), which hides some of its elements: reduce
``values.compressed()``. One that is not aligned is a ``ValueError``.

The rules are the same in all languages: ``sum`` of integers wraps, ``sum_long`` does not, a NaN anywhere is the
``min`` and the ``max``, and ``min_number`` and ``max_number`` pass over it; NaN equals nothing. What is empty has
neither a least value nor a mean, which is a ``ValueError``.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._native import native

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
    "sum_pairwise",
]


_NativeError: Any = native.NativeError
_ERRORS: dict[int, type[Exception]] = {
    native.UPCALL_NO_ELEMENTS: ValueError,
    native.UPCALL_NO_SUM: OverflowError,
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
            {format: getattr(native, f"upcall_{name}_{number}") for format, number in letters.items()}
        )

    def of_any(self, values: ReadableBuffer, *wanted: Number | memoryview, ordered: bool = False) -> Any:
        """The reduction of elements that may lie anywhere; if ``ordered``, in the order of their indices."""
        view = _row(values, ordered)
        return self[view.format](view, *wanted)

    def __missing__(self, letter: str | None) -> Callable[..., Any]:
        raise TypeError(
            f"reducing a buffer: its elements have the format {letter!r}, "
            "wanted are integers of 8 to 64 bits, or floats of 32 or 64, in this machine's byte order"
        )


# Classes of values that are whole: which they are is asked once.
_WHOLE: set[type] = {bytes, bytearray, memoryview}


def _row(values: ReadableBuffer, ordered: bool) -> memoryview:
    """All elements side by side; if ``ordered``, in the order of their indices."""
    if hasattr(values, "mask"):
        raise TypeError(
            f"reducing a {type(values).__name__}: a masked array hides some of its elements, so reduce "
            "values.compressed(), or values.data with all of them"
        )
    view = memoryview(values)
    _WHOLE.add(type(values))
    if view.c_contiguous:
        return view
    if view.f_contiguous and not ordered and hasattr(values, "T"):
        return memoryview(values.T)
    copied = memoryview(view.tobytes())
    # ctypes writes the byte order, which no cast takes; of another than this machine's there is no reduction.
    letter = view.format.lstrip("@=<" if sys.byteorder == "little" else "@=>")
    return copied.cast(letter) if len(letter) == 1 else view  # type: ignore[call-overload]


_SUM = _Numbers("sum")
_SUM_IN_ORDER = _Numbers("sum_in_order")
_SUM_PAIRWISE = _Numbers("sum_pairwise")
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
    if type(values) in _WHOLE:
        try:
            return _SUM[(view := memoryview(values)).format](view)
        except ValueError:
            pass
    return _SUM.of_any(values)


def sum_pairwise(values: ReadableBuffer) -> Any:
    """The sum, as near as numpy's or nearer: its error grows with the logarithm of the length."""
    if type(values) in _WHOLE:
        try:
            return _SUM_PAIRWISE[(view := memoryview(values)).format](view)
        except ValueError:
            pass
    return _SUM_PAIRWISE.of_any(values)


def sum_in_order(values: ReadableBuffer) -> Any:
    """The sum, to the bit what a loop gives."""
    if type(values) in _WHOLE:
        try:
            return _SUM_IN_ORDER[(view := memoryview(values)).format](view)
        except ValueError:
            pass
    return _SUM_IN_ORDER.of_any(values, ordered=True)


def sum_long(values: ReadableBuffer) -> Any:
    """The sum in 64 bits; of floats as ``float``."""
    if type(values) in _WHOLE:
        try:
            return _SUM_LONG[(view := memoryview(values)).format](view)
        except ValueError:
            pass
    return _SUM_LONG.of_any(values)


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
    index: int
    try:
        if type(values) not in _WHOLE:
            raise ValueError
        index = _INDEX_OF[(view := memoryview(values)).format](view, wanted)
    except ValueError:
        index = _INDEX_OF.of_any(values, wanted, ordered=True)
    return index if index >= 0 else None


def count_equal(values: ReadableBuffer, wanted: Number) -> int:
    """How many elements equal ``wanted``."""
    count: int
    try:
        if type(values) not in _WHOLE:
            raise ValueError
        count = _COUNT_EQUAL[(view := memoryview(values)).format](view, wanted)
    except ValueError:
        count = _COUNT_EQUAL.of_any(values, wanted)
    return count


def equal(one: ReadableBuffer, other: ReadableBuffer) -> bool:
    """Whether two buffers of the same type hold equal elements in the same order."""
    same: bool
    try:
        if type(one) not in _WHOLE or type(other) not in _WHOLE:
            raise ValueError
        same = _EQUAL[(view := memoryview(one)).format](view, other)
    except ValueError:
        same = _EQUAL.of_any(one, _row(other, ordered=True), ordered=True)
    return same


def _or_raise(functions: _Numbers, values: ReadableBuffer) -> Any:
    try:
        if type(values) in _WHOLE:
            try:
                return functions[(view := memoryview(values)).format](view)
            except ValueError:
                pass
        return functions.of_any(values)
    except _NativeError as error:
        if error.code not in _ERRORS:
            # A mistake in libupcall.
            raise
        raise _ERRORS[error.code](error.message) from None
