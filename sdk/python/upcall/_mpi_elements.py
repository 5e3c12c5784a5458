"""What the elements of a window are, and what may become one of them."""

from __future__ import annotations

import numbers
from typing import Any

from ._mpi_arrays import called
from ._mpi_error import MpiError
from ._mpi_operation import Operator, WindowOperator, resolved

# Truths and numbers, by numpy's letters for their kinds, which may become one another where nothing of them is lost.
_NUMBERS = "biufc"


def dtype_of(memory: Any) -> Any:
    """What numpy calls the elements of an array, of numpy's or another kind; ``None`` of bytes."""
    if hasattr(memory, "dtype"):
        return memory.dtype
    try:
        view = memoryview(memory)
    except TypeError:
        raise TypeError(f"make a window: {called(memory)} has no memory of its own; give a numpy array, an array.array or a bytearray") from None
    with view:
        return None if view.itemsize == 1 else view.format


class WindowElements:
    """What a window's elements are: numbers or records of numpy's, or bytes where there is no dtype."""

    def __init__(self, dtype: Any) -> None:
        if dtype is None:
            self.dtype: Any = None
            self.size = 1
            return
        import numpy

        self.dtype = numpy.dtype(dtype)
        if self.dtype.hasobject or self.dtype.itemsize == 0:
            raise TypeError(f"make a window of {self.dtype}: its elements have to be plain memory")
        self.size = self.dtype.itemsize

    def room(self, count: int) -> Any:
        if self.dtype is None:
            return bytearray(count)
        import numpy

        return numpy.empty(count, self.dtype)

    def view(self, memory: Any) -> Any:
        if self.dtype is None:
            return memoryview(memory)
        import numpy

        return numpy.frombuffer(memory, self.dtype)

    def given(self, data: Any, what: str) -> Any:
        """What is written, as elements: it is converted where nothing of it is lost by that."""
        if self.dtype is None:
            return data
        import numpy

        if isinstance(data, numpy.generic) or not _has_elements(data):
            return numpy.ascontiguousarray(self._of_values(data, what), self.dtype)
        array = numpy.asarray(data)
        if array.dtype != self.dtype and not self._takes(array.dtype):
            raise TypeError(
                f"{what}: the window has elements of {self.dtype}, and the array of {array.dtype}, which may lose what they are:"
                f" give array.astype({str(self.dtype)!r}), where that is meant"
            )
        made = numpy.ascontiguousarray(array, self.dtype)
        # Numbers of 64 bits may be converted to those of `float64`, by numpy's rules.
        if array.dtype.kind in "iu" and self.dtype.kind in "fc" and not _has_all(array, made):
            raise self._refused(data, what)
        return made

    def _refused(self, data: Any, what: str) -> ValueError:
        return ValueError(f"{what}: the window has elements of {self.dtype}, and {_shown(data)} is not within them")

    def _takes(self, dtype: Any) -> bool:
        import numpy

        alike = dtype.kind == self.dtype.kind != "V" or (dtype.kind in _NUMBERS and self.dtype.kind in _NUMBERS)
        return alike and numpy.can_cast(dtype, self.dtype, "safe")

    def _of_values(self, data: Any, what: str) -> Any:
        """Python's own values, which have no width: each has to be an element."""
        import numpy

        dtype = self.dtype
        if dtype.kind in "SU":
            return self._of_texts(data, what)
        if dtype.kind not in _NUMBERS:
            return numpy.array(data, dtype)
        values = numpy.asarray(data)
        kind = values.dtype.kind
        # Integers of any size are objects to numpy.
        whole = kind in "biu" or (kind == "O" and all(isinstance(value, int) for value in values.flat))
        # As are those among other numbers.
        if not whole and kind == "O" and all(isinstance(value, (int, float)) for value in values.flat):
            kind = "f"
        if values.size and not whole and (kind not in _NUMBERS or not self._takes_kind(kind)):
            if kind in _NUMBERS:
                named = called(data) + (f" of {values.dtype}" if values.ndim else "")
            else:
                named = called(_odd(values, (int, float, complex, numpy.number)))
            raise TypeError(f"{what}: the window has elements of {dtype}, and {named} is given")
        try:
            with numpy.errstate(over="ignore", invalid="ignore"):
                made = values.astype(dtype)
                fits = whole or not (numpy.isinf(made) & numpy.isfinite(values.astype("c16"))).any()
        except OverflowError:
            raise self._refused(data, what) from None
        # Whole numbers stay what they are, also among others.
        given = numpy.asarray(data, object)
        fits = fits and all(
            kept == int(number)
            for kept, number in zip(made.ravel().tolist(), given.ravel().tolist())
            if isinstance(number, (numbers.Integral, numpy.bool_))
        )
        if not fits:
            raise self._refused(data, what)
        return made

    def _of_texts(self, data: Any, what: str) -> Any:
        import numpy

        # Otherwise numpy makes texts of all that is beside one.
        for value in numpy.asarray(data, object).flat:
            if not isinstance(value, (str, bytes)):
                raise TypeError(f"{what}: the window has elements of {self.dtype}, and {called(value)} is given")
        values = numpy.asarray(data)
        if not values.size:
            return values.astype(self.dtype)
        if _letters(values.dtype) > _letters(self.dtype):
            raise self._refused(data, what)
        return values.astype(self.dtype)

    def _takes_kind(self, kind: str) -> bool:
        return kind in {"f": "f", "c": "fc"}.get(self.dtype.kind, "")

    def filled(self, into: Any, what: str) -> Any:
        """What is read into, which is of this kind."""
        if self.dtype is None or not _has_elements(into):
            return into
        import numpy

        dtype = getattr(into, "dtype", None)
        if dtype is None:
            with memoryview(into) as view:
                # Bytes are room for anything.
                if view.itemsize == 1:
                    return into
                dtype = numpy.dtype(view.format)
        if dtype != self.dtype:
            raise TypeError(f"{what}: the window has elements of {self.dtype}, and the array of {dtype}")
        return into

    def one(self, value: Any, what: str) -> Any:
        if self.dtype is None:
            return bytes([value])
        element = self.given(value, what)
        if element.size != 1:
            raise ValueError(f"{what}: give one element; there are {element.size}")
        return element.reshape(1)

    def number(self) -> str:
        """What MPI's operations call the elements."""
        if self.dtype is None:
            return "u8"
        kind = {"i": "i", "u": "u", "f": "f", "b": "u"}.get(self.dtype.kind)
        if kind is None or not self.dtype.isnative:
            raise MpiError("type", f"combine elements of {self.dtype} in a window: they are none of MPI's numbers")
        return f"{kind}{8 * self.size}"

    def operator(self, op: Any) -> tuple[str, str]:
        if self.dtype is not None:
            import numpy

            if isinstance(op, numpy.ufunc):
                op = resolved(op, numpy.empty(0, self.dtype))[0]
        if not isinstance(op, (Operator, WindowOperator)):
            raise MpiError(
                "usage",
                "combine in a window: a function is run by nobody at the rank whose memory it is; use an operation of MPI's own, as"
                " mpi.SUM",
            )
        return op.name, self.number()


def _has_elements(data: Any) -> bool:
    """Whether it is memory that says what its elements are."""
    if hasattr(data, "dtype"):
        return True
    try:
        with memoryview(data):
            return True
    except TypeError:
        return False


def _has_all(array: Any, made: Any) -> bool:
    """Whether whole numbers are the same as numbers that are not."""
    import numpy

    # All are up to here.
    most = 1 << (numpy.finfo(made.dtype).nmant + 1)
    if not array.size or (int(array.max()) <= most and int(array.min()) >= -most):
        return True
    return bool(made.tolist() == array.tolist())


def _odd(values: Any, fine: tuple[type, ...]) -> Any:
    """The first element that is none of these; the first where all are."""
    each = values.ravel().tolist()
    return next((value for value in each if not isinstance(value, fine)), each[0])


def _letters(dtype: Any) -> int:
    return int(dtype.itemsize) // (4 if dtype.kind == "U" else 1)


def _shown(data: Any) -> str:
    shown = repr(data)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
