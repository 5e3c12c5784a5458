"""What packers are made of: `pack` has the types."""

from __future__ import annotations

import struct
import sys
import uuid
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import IntEnum
from typing import Any, Generic, Literal, NoReturn, TypeVar, Union

T = TypeVar("T")
V = TypeVar("V")
E = TypeVar("E", bound=IntEnum)

Buffer = Union[bytes, bytearray, memoryview, "array[Any]"]
"""What a value is read from; any other object with the buffer protocol is taken too."""

Encoding = Literal["utf8", "utf8-without-length", "utf16"]


@dataclass(frozen=True)
class Options:
    """How values are written and read."""

    text: Encoding = "utf8"
    """UTF-8 with the length in UTF-16 units, without it, or UTF-16. All of them are read."""

    depth: int = 250
    """How many objects may be inside one another. Python's own limit of recursion has to be some five times
    as much (`sys.setrecursionlimit`)."""


OPTIONS = Options()


class PackError(ValueError):
    """Why a value could not be written, or bytes are not a value, and at which byte."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(f"{message} at byte {offset}")
        self.offset = offset


def pack(write: Callable[[Writer, T], None], value: T, options: Options) -> bytes:
    """The bytes of a value."""
    w = Writer(options)
    try:
        write(w, value)
    except (struct.error, OverflowError) as error:
        raise PackError(f"a number does not fit its type: {error}", len(w.data)) from error
    except UnicodeEncodeError as error:
        raise PackError("a string has half a character", len(w.data)) from error
    except RecursionError as error:
        raise PackError("objects are nested deeper than Python goes", len(w.data)) from error
    return bytes(w.data)


def unpack(read: Callable[[Reader], T], data: Buffer, options: Options) -> T:
    """A value from all of `data`."""
    r = Reader(data, options)
    try:
        value = read(r)
    except RecursionError as error:
        raise r.error("objects are nested deeper than Python goes") from error
    if r.at != r.end:
        raise r.error(f"{r.end - r.at} bytes follow the value")
    return value


_NULL = 0xFF
_WIDE = 0xFA
_LITTLE = sys.byteorder == "little"
_I8 = struct.Struct("<b").unpack_from
_U16 = struct.Struct("<H").unpack_from
_I16 = struct.Struct("<h").unpack_from
_U32 = struct.Struct("<I").unpack_from
_I32 = struct.Struct("<i").unpack_from
_U64 = struct.Struct("<Q").unpack_from
_I64 = struct.Struct("<q").unpack_from
_F16 = struct.Struct("<e").unpack_from
_F32 = struct.Struct("<f").unpack_from
_F64 = struct.Struct("<d").unpack_from
_PUT_I8 = struct.Struct("<b").pack
_PUT_U16 = struct.Struct("<H").pack
_PUT_I16 = struct.Struct("<h").pack
_PUT_U32 = struct.Struct("<I").pack
_PUT_I32 = struct.Struct("<i").pack
_PUT_U64 = struct.Struct("<Q").pack
_PUT_I64 = struct.Struct("<q").pack
_PUT_F16 = struct.Struct("<e").pack
_PUT_F32 = struct.Struct("<f").pack
_PUT_F64 = struct.Struct("<d").pack
_PUT_TWO = struct.Struct("<ii").pack
_MORE = {"l": "i" if struct.calcsize("l") == 4 else "q", "L": "I" if struct.calcsize("L") == 4 else "Q"}


def _in_a_row(values: object, view: memoryview[Any], place: str) -> None:
    """Refuses what is a buffer, and not all or not only a row of numbers."""
    if hasattr(values, "mask"):
        raise TypeError(f"{place} takes all of its elements, and a masked array lacks some: fill it first (filled)")
    if view.ndim != 1:
        raise TypeError(f"{place} takes elements in a row, not in {view.ndim} dimensions")


def _array(code: str, values: Iterable[Any]) -> array[Any]:
    numbers = array(code, values)
    if not _LITTLE:
        numbers.byteswap()
    return numbers


