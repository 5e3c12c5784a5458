"""The same for those who have numpy, which this needs."""

from __future__ import annotations

from typing import Any

import numpy

from ._simulated_arrays import missing, within


class Ranged(numpy.ndarray[Any, Any]):
    """An array that checks indices. What is made of it, a slice or a sum, is an array that checks none."""

    name = ""
    """Empty where numpy has made it."""

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return _plain(self)[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        _plain(self)[index] = value

    def __iter__(self) -> Any:
        return iter(_plain(self))

    def take(self, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
        if mode == "raise":
            self._check(indices)
        return _plain(self).take(indices, axis, out, mode)

    def put(self, indices: Any, values: Any, mode: Any = "raise") -> None:
        if mode == "raise":
            self._check(indices)
        _plain(self).put(indices, values, mode)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "at" and isinstance(inputs[0], Ranged):
            inputs[0]._check(inputs[1])
        into = options.pop("out", ())
        plain = {name: _plain(value) for name, value in options.items()}
        if into:
            plain["out"] = tuple(map(_plain, into))
        found = getattr(ufunc, method)(*map(_plain, inputs), **plain)
        # `next += 1` goes on with the array that it was.
        return into[0] if len(into) == 1 else found

    def _check(self, index: Any) -> None:
        if not self.name:
            return
        for part in index if isinstance(index, tuple) else (index,):
            if isinstance(part, int) and not isinstance(part, bool):
                within(self.name, len(self), part)
            elif part is not None and part is not Ellipsis and not isinstance(part, slice):
                self._check_all(numpy.asarray(part))

    def _check_all(self, indices: numpy.ndarray[Any, Any]) -> None:
        # What are no indices, numpy refuses, or picks by.
        if indices.dtype.kind not in "iu":
            return
        wrong = numpy.flatnonzero((indices < 0) | (indices >= len(self)))
        if len(wrong):
            place = int(wrong[0])
            raise missing(self.name, len(self), int(indices.flat[place]), place if indices.ndim else None)


def ranged(values: Any, name: str) -> Any:
    """An array that checks indices, over the same memory."""
    made = values.view(Ranged)
    made.name = name
    return made


def _plain(value: Any) -> Any:
    return value.view(numpy.ndarray) if isinstance(value, Ranged) else value
