"""Arrays of an interval under the simulator: an index that is not there is an error that names it, and one from the end is not there.

Where a program takes -1 for a place that it has calculated, Python would give it another vertex's value.
"""

from __future__ import annotations

import operator
from array import array
from collections.abc import Iterable
from typing import Any

from ._support import array_of_elements


class Elements(array):  # type: ignore[type-arg]  # Python 3.11 has no array[Any].
    """Elements that a program sees under a name; without numpy it is given this array itself, which does what a ``memoryview`` does.

    As an array is no ``memoryview``, whoever looks from C sees its elements too.
    """

    name: str
    writable: bool

    def __new__(cls, name: str, typecode: str, values: Iterable[Any], writable: bool = False) -> Elements:
        made = super().__new__(cls, typecode, values)
        made.name = name
        made.writable = writable
        return made

    def seen(self, of: str) -> Any:
        """What a program is given of these elements. It refers to this array."""
        make = array_of_elements(of)
        if make is None:
            return self
        from ._simulated_numpy import ranged

        return ranged(make(self.view()), self.name)

    def view(self) -> memoryview:
        """All of them, to be read or, where that is allowed, written."""
        view = memoryview(self)
        return view if self.writable else view.toreadonly()

    def __getitem__(self, index: Any) -> Any:
        return self.view()[index if isinstance(index, slice) else within(self.name, len(self), index)]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.view()[index if isinstance(index, slice) else within(self.name, len(self), index)] = value

    def __getattr__(self, name: str) -> Any:
        return getattr(self.view(), name)


def within(name: str, length: int, index: Any) -> int:
    """An index that an array of this length has."""
    found = operator.index(index)
    if not 0 <= found < length:
        raise missing(name, length, found)
    return found


def missing(name: str, length: int, index: int, place: int | None = None) -> IndexError:
    """What is told of an index that is not there; of one in an array of indices, with its place."""
    s = "" if length == 1 else "s"
    which = "" if place is None else f", which is at {place} of the array of indices"
    return IndexError(f"{name} has {length} element{s}, from 0 on, and no element {index}{which}")
