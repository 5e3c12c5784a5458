"""Files of all ranks: MPI-IO."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from ._mpi_arrays import item_size
from ._upcall import MpiCommunicator, MpiFile

_AT, _AT_ALL, _POINTER, _POINTER_ALL, _SHARED, _ORDERED = range(6)


class FileAccess(MpiFile):
    """Reading and writing. Offsets count the elements of the view.

    What is read into and written is memory of the program's: a numpy array, an ``array.array``, a ``bytearray``. A read returns as
    many elements as there are before the file's end, which may be none; a write that is not done in full is an error.
    """

    def read_at(self, offset: int, count: int, dtype: Any = None) -> Any:
        """Reads so many elements at an offset: an array of the dtype, or a ``bytearray``."""
        return self._made(count, dtype, _AT, offset)

    def read_at_into(self, into: Any, offset: int) -> int:
        """The same into an array: how many there were."""
        return self._read(into, _AT, offset) // item_size(into)

    def write_at(self, data: Any, offset: int) -> None:
        """Writes elements at an offset."""
        self._write(data, _AT, offset)

    def read_at_all(self, offset: int, count: int, dtype: Any = None) -> Any:
        """Reads so many elements at an offset of each rank's own, all ranks together: an array of the dtype, or a ``bytearray``.

        Collective.
        """
        return self._made(count, dtype, _AT_ALL, offset)

    def read_at_all_into(self, into: Any, offset: int) -> int:
        """The same into an array: how many there were."""
        return self._read(into, _AT_ALL, offset) // item_size(into)

    def write_at_all(self, data: Any, offset: int) -> None:
        """Writes elements at an offset of each rank's own, all ranks together. Collective."""
        self._write(data, _AT_ALL, offset)

    def read(self, count: int, dtype: Any = None) -> Any:
        """Reads so many elements from this rank's pointer on: an array of the dtype, or a ``bytearray``. It moves behind them."""
        return self._made(count, dtype, _POINTER, 0)

    def read_into(self, into: Any) -> int:
        """The same into an array: how many there were."""
        return self._read(into, _POINTER, 0) // item_size(into)

    def write(self, data: Any) -> None:
        """Writes elements from this rank's pointer on, and moves that behind them."""
        self._write(data, _POINTER, 0)

    def read_all(self, count: int, dtype: Any = None) -> Any:
        """Reads so many elements from this rank's pointer on, all ranks together: an array of the dtype, or a ``bytearray``.

        Collective.
        """
        return self._made(count, dtype, _POINTER_ALL, 0)

    def read_all_into(self, into: Any) -> int:
        """The same into an array: how many there were."""
        return self._read(into, _POINTER_ALL, 0) // item_size(into)

    def write_all(self, data: Any) -> None:
        """Writes elements from this rank's pointer on, all ranks together. Collective."""
        self._write(data, _POINTER_ALL, 0)

    def read_shared(self, count: int, dtype: Any = None) -> Any:
        """Reads so many elements from the pointer on that all ranks have, in no order: an array of the dtype, or a ``bytearray``.

        No two ranks read the same, and all have the same view.
        """
        return self._made(count, dtype, _SHARED, 0)

    def read_shared_into(self, into: Any) -> int:
        """The same into an array: how many there were."""
        return self._read(into, _SHARED, 0) // item_size(into)

    def write_shared(self, data: Any) -> None:
        """Writes elements from the pointer on that all ranks have, in no order."""
        self._write(data, _SHARED, 0)

    def read_ordered(self, count: int, dtype: Any = None) -> Any:
        """Reads so many elements from the pointer on that all ranks have: an array of the dtype, or a ``bytearray``.

        In the order of the ranks. Collective.
        """
        return self._made(count, dtype, _ORDERED, 0)

    def read_ordered_into(self, into: Any) -> int:
        """The same into an array: how many there were."""
        return self._read(into, _ORDERED, 0) // item_size(into)

    def write_ordered(self, data: Any) -> None:
        """Writes elements from the pointer on that all ranks have, in the order of the ranks. Collective."""
        self._write(data, _ORDERED, 0)

    def _made(self, count: int, dtype: Any, place: int, offset: int) -> Any:
        if dtype is None:
            room = bytearray(count)
            del room[self._read(room, place, offset) :]
            return room
        import numpy

        into = numpy.empty(count, dtype)
        return into[: self._read(into, place, offset) // max(into.itemsize, 1)]


class File(FileAccess):
    """A file that the ranks of a communicator have opened together.

        with mpi.File.open(world, "numbers", read=True, write=True, create=True) as file:
            file.view_blocks(float, 0, 100)  # rank 0 has the first 100, rank 1 the next, and so on, round and round
            file.write_at_all(mine, 0)

    Offsets count the elements of the view, which are bytes until ``view`` or one of its kin says otherwise; a rank's view may be a
    part of the file, and differ from the others'. What one rank writes is seen by another when both have called ``sync``, the first
    after writing and the other before reading, or when the file is ``atomic``.

    What is collective is called by all ranks, in one order. Closing is: a file that is forgotten, or whose block is left by an
    exception, stays open until MPI is finalized, which closes it. Calls on a closed one raise ``MpiError`` ("usage").
    """

    @staticmethod
    def open(
        comm: MpiCommunicator,
        path: str | os.PathLike[str],
        *,
        read: bool = False,
        write: bool = False,
        append: bool = False,
        create: bool = False,
        create_new: bool = False,
        truncate: bool = False,
        delete_on_close: bool = False,
        hints: Mapping[str, str] | None = None,
    ) -> File:
        """Opens a file, to read where nothing else is said. Collective: all ranks say the same.

        It may be made where there is none (``create``), or where it must not be there (``create_new``). Hints may make it faster, as
        MPI's manual says (``{"striping_factor": "8"}``); what MPI does not know it ignores. Raises ``MpiError``: "not found",
        "exists", "access", or "usage" where what is said contradicts itself.
        """
        said = (read, write, append, create, create_new, truncate, delete_on_close)
        how = sum(bool(flag) << bit for bit, flag in enumerate(said))
        return comm._file_open(File, os.fspath(path), how or 1, list((hints or {}).items()))

    @staticmethod
    def create(comm: MpiCommunicator, path: str | os.PathLike[str]) -> File:
        """Opens a file to write, without what may be in it. Collective."""
        return File.open(comm, path, write=True, create=True, truncate=True)

    @staticmethod
    def delete(comm: MpiCommunicator, path: str | os.PathLike[str]) -> None:
        """Deletes a file: one rank does that, when none has it open."""
        comm._file_delete(os.fspath(path))

    @property
    def hints(self) -> dict[str, str]:
        """The hints in use: what MPI has made of those that it was opened with, and its own."""
        return dict(self._hints())

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Moves this rank's pointer, as files of Python do: where it is then, in elements of the view."""
        return self._seek(offset, whence, False)

    def seek_shared(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Moves the pointer that all ranks have. Collective."""
        return self._seek(offset, whence, True)

    def view(self, dtype: Any, place: int = 0) -> None:
        """Sees the file as elements of a dtype, or of so many bytes, from a place in bytes on: offsets count these.

        Collective, as all views are; what is wrong on one rank is an error on all.
        """
        self._view(_size(dtype), place)

    def view_blocks(self, dtype: Any, place: int, block: int) -> None:
        """Shares the file out in blocks of so many elements, from a place in bytes on.

        The first is rank 0's, the next rank 1's, and behind that of the last rank comes rank 0's next. Each rank sees its own, side by
        side.
        """
        self._view_blocks(_size(dtype), place, block)

    def view_strided(self, dtype: Any, place: int, first: int, block: int, stride: int) -> None:
        """Sees, from a place in bytes on, ``block`` of each ``stride`` elements, of which it skips ``first``.

        ``(0, 2, 1, 10)`` sees column 2 of a table with 10. Each rank says what it sees itself.
        """
        self._view_strided(_size(dtype), place, first, block, stride)

    def view_subarray(
        self, dtype: Any, place: int, sizes: Sequence[int], part: Sequence[int], starts: Sequence[int]
    ) -> None:
        """Sees a part of an array that lies in the file, from a place in bytes on, its last index next to each other.

        ``sizes`` are those of the array, ``part`` those of what this rank sees, which begins at ``starts``.
        """
        self._view_subarray(_size(dtype), place, sizes, part, starts)

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        # The others may be elsewhere by now, and never close it.
        if error is None:
            self.close()

    def __repr__(self) -> str:
        return f"<mpi.File: {self.path}>"


def _size(dtype: Any) -> int:
    """The bytes of an element."""
    if isinstance(dtype, int):
        return dtype
    import numpy

    return int(numpy.dtype(dtype).itemsize)
