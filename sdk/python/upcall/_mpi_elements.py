"""What the elements of a window are, and what may become one of them."""

from __future__ import annotations

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
        return numpy.ascontiguousarray(array, self.dtype)

    def _takes(self, dtype: Any) -> bool:
        import numpy

        alike = dtype.kind == self.dtype.kind != "V" or (dtype.kind in _NUMBERS and self.dtype.kind in _NUMBERS)
        return alike and numpy.can_cast(dtype, self.dtype, "safe")

    def _of_values(self, data: Any, what: str) -> Any:
        """Python's own values, which have no width: each has to be an element."""
        import numpy

        dtype = self.dtype
        if dtype.kind not in _NUMBERS:
            return numpy.array(data, dtype)
        values = numpy.asarray(data)
        kind = values.dtype.kind
        # Integers of any size are objects to numpy.
        whole = kind in "biu" or (kind == "O" and all(isinstance(value, int) for value in values.flat))
        if values.size and not whole and (kind not in _NUMBERS or not self._takes_kind(kind)):
            named = type(data).__name__ if kind == "O" or values.ndim == 0 else f"{type(data).__name__} of {values.dtype}"
            raise TypeError(f"{what}: the window has elements of {dtype}, and a {named} is given")
        try:
            with numpy.errstate(over="ignore", invalid="ignore"):
                made = values.astype(dtype)
        except OverflowError:
            made = None
        if whole and dtype.kind in "biu":
            fits = made is not None and made.tolist() == values.tolist()
        else:
            fits = made is not None and not (numpy.isinf(made) & numpy.isfinite(values.astype("c16"))).any()
        if not fits:
            raise ValueError(f"{what}: the window has elements of {dtype}, and {_shown(data)} is not within them")
        return made

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


def _shown(data: Any) -> str:
    shown = repr(data)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
