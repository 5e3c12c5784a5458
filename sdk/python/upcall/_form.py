"""What values of a type are, as the native part takes it."""

from __future__ import annotations

import ctypes
import reprlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

# Number types by the name that pools have for them, and their letter in ``struct``.
NUMBERS = dict(u8="B", u16="H", u32="I", u64="Q", i8="b", i16="h", i32="i", i64="q", f32="f", f64="d")

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 100


class Form(NamedTuple):
    """What values of an annotated type are, as the native part takes it."""

    kind: str
    of: type
    name: str
    size: int = 0
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


def form(of: Any, place: str) -> Form:
    """What values of a type are."""
    if of in (int, float):
        return Form("number", of, of.__name__)
    if of is str:
        return Form("text", of, "text")
    if of in (bytes, memoryview):
        return Form("bytes", of, "")
    if isinstance(of, type):
        # As the source calls what upcall bindgen made: Python may have another name for it.
        name = getattr(of, "__upcall_name__", of.__name__)
        if hasattr(of, "_in_"):
            return Form("blittable", of, name, of._size_, of._in_)  # type: ignore[attr-defined]
        if issubclass(of, ctypes.Structure):
            return Form("blittable", of, name, ctypes.sizeof(of), of.from_buffer_copy)
        read, write = getattr(of, "unpack", None), getattr(of, "pack", None)
        if callable(read) and callable(write):
            return Form("packed", of, name, 0, read, write)
    raise TypeError(
        f"{place}: {getattr(of, '__name__', of)} cannot be used as a value type: give int, float, str, bytes, a "
        "ctypes.Structure, or a class with unpack and pack, as upcall bindgen writes them"
    )


def declared(of: type, pool: str) -> Any:
    """The type of a pool of such values, as a flow's file has it; ``None`` for bytes."""
    if of is int:
        raise TypeError(f"{pool}: type=int is of no size: give a number type by its name, as in type=\"u64\"")
    kind, _, name, size, *_ = form(of, pool)
    if kind == "blittable":
        return {"blittable": name, "size": size}
    return {"packed": {"packed": name}, "number": "f64", "text": "text"}.get(kind)


def names_of(of: type) -> list[str]:
    """The types of pools that take values of a class: of itself, and of what it inherits from. None where it is no value type."""
    names = []
    for base in of.__mro__:
        try:
            kind, _, name, size, *_ = form(base, "")
        except TypeError:
            continue
        if kind == "blittable" and size:
            names.append(f"blittable {name} {size}")
        elif kind == "packed":
            names.append(f"packed {name}")
    return names


def shown(key: object) -> str:
    """A key in a message, shortened where it is long."""
    return _short.repr(key)


def no_utf8(error: UnicodeEncodeError, place: str) -> UnicodeEncodeError:
    """The error, which says where the text is and what to do."""
    instead = "give text without it, or bytes of your own, as of text.encode(errors='surrogatepass')"
    error.reason = f"{place}: half of a surrogate pair has no UTF-8; {instead}"
    return error


def value_as(of: type, value: bytes) -> Any:
    """A value of a class whose bytes these are."""
    kind, _, name, size, read, _ = form(of, "value_as")
    if kind == "blittable" and len(value) != size:
        raise ValueError(f"a {name} has {size} bytes, and this value has {len(value)}")
    if kind == "number":
        raise TypeError(f"value_as({name}): a number is of the pool's number type: read `number`")
    if kind == "text":
        return value.decode()
    return value if read is None else read(value)


def record(numpy: ModuleType, of: type) -> Any:
    """The dtype of a blittable class."""
    dtype = numpy.dtype(of) if issubclass(of, ctypes.Structure) else numpy.asarray(of()).dtype
    if dtype.names is None:
        raise TypeError(f"{of.__name__} cannot be shown as a numpy record: take its values one by one")
    return dtype
