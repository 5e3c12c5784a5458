"""Values that are kept with communicators."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

from ._upcall import MpiCommunicator, MpiKey

T = TypeVar("T")


class Key(MpiKey, Generic[T]):
    """What a value is kept under with communicators, as MPI's own attributes: ``ROUND = mpi.Key[int](copied=True)``.

    A library in C that duplicates or frees a communicator has its values copied and let go of as well. Where it is ``copied``, a
    duplicate of a communicator has its value too: the same object, not a copy of it.
    """

    def __new__(cls, copied: bool = False) -> Key[T]:
        return super().__new__(cls, copied)


class Values(MpiCommunicator):
    """Values that are kept with a communicator, on this process."""

    def set(self, key: Key[T], value: T) -> None:
        """Keeps a value, instead of what was there under this key.

        It is let go of when it is replaced or removed, or the communicator is freed.
        """
        self._set_value(MpiKey, key, value)

    def get(self, key: Key[T], default: T | None = None) -> T | None:
        """What is kept under a key; the ``default`` where nothing is."""
        return cast("T | None", self._value(MpiKey, key, default))

    def remove(self, key: Key[T]) -> bool:
        """Takes away what is kept under a key. Returns whether there was anything."""
        return self._remove_value(MpiKey, key)
