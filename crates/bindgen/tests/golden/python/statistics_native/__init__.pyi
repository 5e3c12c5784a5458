# Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
import enum as _enum

# Fields and functions may have the names of Python's own.
from builtins import Exception as _Exception
from builtins import bool as _bool
from builtins import bytes as _bytes
from builtins import classmethod as _classmethod
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import memoryview as _memoryview
from builtins import object as _object
from builtins import property as _property
from builtins import staticmethod as _staticmethod
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from types import ModuleType as _ModuleType
from typing import Any as _Any
from typing import ClassVar as _ClassVar
from typing import Final as _Final
from typing import Generic as _Generic
from typing import Protocol as _Protocol
from typing import SupportsIndex as _Index
from typing import TypeVar as _TypeVar

from _typeshed import ReadableBuffer as _Readable
from _typeshed import WriteableBuffer as _Writable
from typing_extensions import Self as _Self
from typing_extensions import TypeAlias as _TypeAlias

_T = _TypeVar("_T")
_Item = _TypeVar("_Item", covariant=True)

implementation: _Final[_ModuleType]

class _Items(_Protocol[_Item]):
    def __len__(self) -> _int: ...
    def __getitem__(self, index: _Any, /) -> _Any: ...
    def __iter__(self) -> _Iterator[_Item]: ...

class NativeError(_Exception):
    """A function of the library has failed."""

    code: _int
    message: _str
    def __init__(self, code: _int, message: _str) -> None: ...

class NativeText(_int):
    """The address of C text: str() and bytes() read it up to its zero, as long as it is there."""

    def __bytes__(self) -> _bytes: ...

class Out(_Generic[_T]):
    """Room for what a function gives through a pointer: pass it there, and read value."""

    def __init__(self, value: _T = ..., /) -> None: ...
    def __index__(self) -> _int: ...
    @_property
    def value(self) -> _T:
        """What lies there; before the first call what it was made of, or None."""
        ...
    @value.setter
    def value(self, value: _T) -> None: ...

class NativeArray(_Generic[_T]):
    """An array in a struct: a view of the struct's bytes."""

    def __len__(self) -> _int: ...
    def __getitem__(self, index: _Index, /) -> _T: ...
    def __setitem__(self, index: _Index, value: _T, /) -> None: ...
    def __iter__(self) -> _Iterator[_T]: ...

class _Elements(_Generic[_T]):
    """Structs side by side in a buffer: views of its bytes, or copies where it cannot be written."""

    def __len__(self) -> _int: ...
    def __getitem__(self, index: _Index, /) -> _T: ...
    def __iter__(self) -> _Iterator[_T]: ...

class NativeBuffer(_Generic[_T]):
    """Memory that the library gave away."""

    def __len__(self) -> _int: ...
    def __getitem__(self, index: _Index, /) -> _T: ...
    def __iter__(self) -> _Iterator[_T]: ...
    def __enter__(self) -> _Self: ...
    def __exit__(self, *exception: _object) -> None: ...
    def __buffer__(self, flags: _int, /) -> _memoryview: ...
    def view(self) -> _memoryview:
        """A memoryview of the elements, until the buffer is released."""
        ...
    def release(self) -> None:
        """Gives the memory back; views of it must have been released."""
        ...

class Callback:
    """A function that native code may keep and call from any thread, until it is released."""

    def __init__(self, function: _Callable[..., _object], /) -> None: ...
    def __enter__(self) -> _Self: ...
    def __exit__(self, *exception: _object) -> None: ...
    def release(self) -> None:
        """Ends it: a native call after this is an error."""
        ...

class _Handle:
    def __index__(self) -> _int: ...
    def __enter__(self) -> _Self: ...
    def __exit__(self, *exception: _object) -> None: ...
    def close(self) -> None:
        """Releases it. Any use after this is an error; closing it again is not."""
        ...

class _Struct:
    _size_: _ClassVar[_int]
    _align_: _ClassVar[_int]
    _offsets_: _ClassVar[_dict[_str, _int]]
    @_property
    def _address_(self) -> _int:
        """Where the bytes are."""
        ...
    @_classmethod
    def _at_(cls, address: _Index, /) -> _Self:
        """A view of the value at an address, which must stay valid."""
        ...
    @_classmethod
    def _in_(cls, bytes: _Readable, /) -> _Self:
        """The value in a buffer of its size: a view, or a copy where it cannot be written."""
        ...
    def __copy__(self) -> _Self: ...
    def __buffer__(self, flags: _int, /) -> _memoryview: ...

class EmptyError(NativeError):
    """A function of the library has failed with its error Empty."""

class Slice_f64(_Struct):
    def __init__(self, *, data: _Index | None = ..., len: _int = ...) -> None: ...
    @_property
    def data(self) -> _int | None: ...
    @data.setter
    def data(self, value: _Index | None) -> None: ...
    @_property
    def len(self) -> _int: ...
    @len.setter
    def len(self, value: _int) -> None: ...

class Text(_Struct):
    def __init__(self, *, data: _Index | None = ..., len: _int = ..., capacity: _int = ..., release: _Index | None = ...) -> None: ...
    @_property
    def data(self) -> _int | None: ...
    @data.setter
    def data(self, value: _Index | None) -> None: ...
    @_property
    def len(self) -> _int: ...
    @len.setter
    def len(self, value: _int) -> None: ...
    @_property
    def capacity(self) -> _int: ...
    @capacity.setter
    def capacity(self, value: _int) -> None: ...
    @_property
    def release(self) -> _int | None: ...
    @release.setter
    def release(self, value: _Index | None) -> None: ...

class Failure(_Struct):
    def __init__(self, *, message: Text = ..., code: _int = ...) -> None: ...
    @_property
    def message(self) -> Text: ...
    @message.setter
    def message(self, value: Text) -> None: ...
    @_property
    def code(self) -> _int: ...
    @code.setter
    def code(self, value: _int) -> None: ...

class Summary(_Struct):
    """What a list of numbers comes to."""
    def __init__(self, *, min: _float = ..., max: _float = ..., count: _int = ...) -> None: ...
    @_property
    def min(self) -> _float: ...
    @min.setter
    def min(self, value: _float) -> None: ...
    @_property
    def max(self) -> _float: ...
    @max.setter
    def max(self, value: _float) -> None: ...
    @_property
    def count(self) -> _int: ...
    @count.setter
    def count(self, value: _int) -> None: ...

class Str(_Struct):
    def __init__(self, *, data: _Index | None = ..., len: _int = ...) -> None: ...
    @_property
    def data(self) -> NativeText | None: ...
    @data.setter
    def data(self, value: _Index | None) -> None: ...
    @_property
    def len(self) -> _int: ...
    @len.setter
    def len(self, value: _int) -> None: ...

class Sum(_Handle):
    """A sum that remembers."""
    def __init__(self, start: _float) -> None:
        """A sum that begins here.

        Raises NativeError when it fails.
        """
        ...
    def add(self, value: _float) -> _float:
        """Adds and tells the sum.

        Raises NativeError when it fails.
        """
        ...

def statistics_version() -> _int:
    """The library's version: a plain C function needs no attribute but its own."""
    ...

def mean(values: _Readable) -> _float:
    """The arithmetic mean.

    Raises EmptyError when it fails.
    """
    ...

def summarize(values: _Readable) -> Summary:
    """Smallest and largest; zeroes of an empty list.

    Raises NativeError when it fails.
    """
    ...

def count_if(values: _Readable, keep: _Callable[[_float], _bool] | Callback | _Index) -> _int:
    """How many of the values the caller wants to keep.

    Raises NativeError when it fails.
    """
    ...

def greet(name: _str | _bytes) -> _str:
    """A greeting.

    Raises NativeError when it fails.
    """
    ...

def sum_new(start: _float) -> _int:
    """A sum that begins here.

    Raises NativeError when it fails.
    """
    ...

def sum_add(sum: _Index, value: _float) -> _float:
    """Adds and tells the sum.

    Raises NativeError when it fails.
    """
    ...

def sum_release(sum: _Index | None) -> None: ...

