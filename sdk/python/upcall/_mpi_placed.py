"""Numbers with places: what ``MIN_WITH_PLACE`` and ``MAX_WITH_PLACE`` combine."""

from __future__ import annotations

from typing import Any


def placed(dtype: Any = float) -> Any:
    """The numpy dtype of a number with its place, which may be a rank or an index: fields ``value`` and ``place``.

        warmest = numpy.array([(temperature, world.rank)], mpi.placed())
        value, place = world.all_reduce(warmest, mpi.MAX_WITH_PLACE)[0]

    It is laid out as MPI's pairs are (``MPI_DOUBLE_INT``).
    """
    import numpy

    return numpy.dtype([("value", dtype), ("place", numpy.int32)], align=True)


def least(a: Any, b: Any) -> Any:
    """Of two objects that are ``(value, place)``."""
    return a if _is_before(a, b, smaller=True) else b


def most(a: Any, b: Any) -> Any:
    """Of two objects that are ``(value, place)``."""
    return a if _is_before(a, b, smaller=False) else b


def _is_before(a: Any, b: Any, smaller: bool) -> bool:
    (value, place), (other, elsewhere) = a, b
    if value == other or (value != value and other != other):
        return bool(place <= elsewhere)
    if value != value or other != other:
        return bool(value == value)
    return bool(value < other if smaller else value > other)
