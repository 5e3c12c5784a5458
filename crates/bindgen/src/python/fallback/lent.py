"""Slices, text and buffers: memory that one side lends or gives to the other, for ctypes."""

import ctypes
import weakref

from ._kinds import At, Kind, Lender, index, take_buffer, utf8
from ._structs import StructKind


class SliceStruct(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("len", ctypes.c_size_t)]


class TextStruct(ctypes.Structure):
    """The same as it is passed: it keeps its bytes."""

    _fields_ = [("data", ctypes.c_char_p), ("len", ctypes.c_size_t)]


class BufferStruct(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("len", ctypes.c_size_t),
        ("capacity", ctypes.c_size_t),
        ("release", ctypes.c_void_p),
    ]


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)


def _release(parts):
    if parts.release:
        _RELEASE(parts.release)(parts.data, parts.len, parts.capacity)


def decoded(data, length):
    return ctypes.string_at(data, length).decode(errors="replace") if length else ""


def _elements(of, address, length):
    """A ctypes array over memory."""
    element = of.of if isinstance(of, StructKind) else of.ctype or ctypes.c_ubyte * of.size
    return (element * length).from_address(address or of.align)


def _view(of, array):
    """A memoryview in the extension's format."""
    view = memoryview(array)
    if of.letter is None:
        return view
    if not len(array):
        # An empty view cannot be cast; one of an empty slice keeps the format.
        return memoryview(bytearray(8)).cast(of.letter)[:0]
    return view.cast("B").cast(of.letter)


class Slice(Kind):
    ctype = SliceStruct

    def __init__(self, of, mutable):
        self.of, self.mutable = of, mutable

    def take(self, value, at, keep):
        return SliceStruct(*take_buffer(value, self.of, self.mutable, at, keep))

    def give(self, value):
        return self.lend(value)[0]

    def lend(self, value):
        """A view, and what tells whether anything looks at the elements."""
        array = _elements(self.of, value.data, value.len)
        view = _view(self.of, array)
        return view if self.mutable else view.toreadonly(), weakref.ref(array)


class Str(Kind):
    ctype = TextStruct

    def take(self, value, at, keep):
        data = utf8(value, at)
        return TextStruct(data, len(data))

    def give(self, value):
        # As bytes it would end at the first zero.
        parts = SliceStruct.from_buffer(value)
        return decoded(parts.data, parts.len)


class Text(Kind):
    ctype = BufferStruct

    def give(self, value):
        text = decoded(value.data, value.len)
        _release(value)
        return text

    def drop(self, value):
        _release(value)


class Buffer(Kind):
    ctype = BufferStruct

    def __init__(self, of):
        self.of = of

    def give(self, value):
        made = object.__new__(NativeBuffer)
        # The parts are the call's own: they are copied.
        made._parts = BufferStruct.from_buffer_copy(value)
        made._of, made._open, made._views = self.of, True, []
        return made

    def drop(self, value):
        _release(value)


class NativeBuffer(Lender):
    """Memory that the library gave away. It is not a buffer itself before Python 3.12: nothing would count who looks."""

    def __init__(self):
        raise TypeError("buffers come from the library only")

    def __reduce_ex__(self, _):
        raise TypeError("a NativeBuffer cannot be copied: the library has one of it")

    def _check(self):
        if not self._open:
            raise ValueError("the buffer was released")

    def release(self):
        """Gives the memory back; views of it must have been released."""
        if not self._open:
            return
        if any(array() is not None for array in self._views):
            raise BufferError("a view still uses the buffer: release the view first")
        self._open = False
        _release(self._parts)

    def view(self):
        """A memoryview of the elements, until the buffer is released."""
        self._check()
        array = _elements(self._of, self._parts.data, self._parts.len)
        # Views keep the array until they are released.
        self._views = [array for array in self._views if array() is not None]
        self._views.append(weakref.ref(array))
        return _view(self._of, array)

    def __buffer__(self, flags):
        return self.view()

    def __array__(self, dtype=None, copy=None):
        numpy = __import__("numpy")
        return (numpy.array if copy else numpy.asarray)(self.view(), dtype)

    def __len__(self):
        self._check()
        return self._parts.len

    def __getitem__(self, at):
        length = len(self)
        place = index(at, At("an index", "a buffer"))
        place += length if place < 0 else 0
        if not 0 <= place < length:
            raise IndexError(f"the buffer has {length} elements, none at {at}")
        value = self._of.get(self._parts.data + place * self._of.size, self)
        # A copy: a view would not keep the buffer from being released.
        return value.__copy__() if isinstance(self._of, StructKind) else value

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *_):
        self.release()

    def __del__(self):
        if self.__dict__.get("_open"):
            self._open = False
            _release(self._parts)
