"""Sums of floating-point numbers that have the same bits whatever the number of ranks."""

from __future__ import annotations

from typing import Any

from ._mpi_arrays import room_like
from ._upcall import MpiCommunicator, MpiExactSum


class ExactSum(MpiExactSum):
    """A sum that is exact until it is read: the same bits in whichever order, and in whatever parts, numbers are added.

    Its ``value`` is the number that is nearest to it, as if it had been computed with infinite precision and rounded once; with
    ``bits=32`` one of 32 bits. Infinite numbers make it infinite, or NaN where both are among them. Ranks add theirs with
    ``all_reduce_exact``.
    """

    def __new__(cls, bits: int = 64) -> ExactSum:
        if bits not in (32, 64):
            raise ValueError(f"sum numbers of {bits} bits exactly: there are 32 and 64")
        return super().__new__(cls, bits == 64)

    def add(self, numbers: Any) -> None:
        """Adds a number, or all of an array of floats of the sum's size."""
        if isinstance(numbers, (int, float)):
            self._add(numbers)
        else:
            self._add_all(numbers)

    def merge(self, other: ExactSum) -> None:
        """Adds what another of the same numbers has."""
        self._merge(other)

    @property
    def value(self) -> float:
        """The number that is nearest to the sum; of two that are as near, the even one."""
        return self._value()

    def __repr__(self) -> str:
        return f"mpi.ExactSum of {self.value!r}"


class Reproducible(MpiCommunicator):
    """Sums with the same bits whatever the number of ranks, which ``SUM`` does not promise."""

    def all_reduce_reproducible(self, data: Any) -> Any:
        """Sums the elements of all ranks, of which all have as many, element by element, rounding each result once.

        It takes longer than ``SUM``: of a thousand elements and more 10 to 35 times. Where each rank has many numbers for one sum,
        ``sum_reproducible`` costs next to nothing.
        """
        into = room_like(data)
        self._all_reduce_reproducible(data, into)
        return into

    def reduce_reproducible(self, data: Any, root: int = 0) -> Any:
        """As ``all_reduce_reproducible``, for one rank; ``None`` on the others."""
        into = room_like(data) if self.rank == root else None
        self._reduce_reproducible(data, into, root)
        return into
