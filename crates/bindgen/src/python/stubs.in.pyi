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
