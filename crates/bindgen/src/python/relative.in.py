"""Elements that a struct tells the place of."""

import ctypes
import operator


class Elements:
    """Structs side by side in a buffer: views of its bytes, or copies where it cannot be written."""

    def __init__(self, of, memory):
        self._of, self._memory = of, memory

    def __len__(self):
        return self._memory.nbytes // self._of._size_

    def __getitem__(self, index):
        place = operator.index(index)
        place += len(self) if place < 0 else 0
        if not 0 <= place < len(self):
            raise IndexError(f"there are {len(self)} elements, none at {index}")
        size = self._of._size_
        return self._of._in_(self._memory[place * size : (place + 1) * size])

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))

    def __repr__(self):
        return repr(list(self))


def _memory(base, offset, size, what):
    """The bytes from an offset on: of a buffer, or of all memory after an address."""
    try:
        whole = memoryview(base)
    except TypeError:
        whole = None
    if whole is None:
        try:
            address = operator.index(base)
        except TypeError:
            name = type(base).__name__
            raise TypeError(f"base of {what} must be a buffer or an address, not {name}") from None
        if size == 0:
            return memoryview(bytearray())
        if address + offset <= 0:
            raise ValueError(f"base of {what} is null")
        return memoryview((ctypes.c_ubyte * size).from_address(address + offset)).cast("B")
    if not whole.c_contiguous:
        raise ValueError(f"base of {what} must be contiguous")
    if size == 0:
        return memoryview(bytearray())
    if offset + size > whole.nbytes:
        raise ValueError(f"base of {what} has {whole.nbytes} bytes, and the elements end at {offset + size}")
    return whole.cast("B")[offset : offset + size]


def _seen(memory, size, of, shape):
    """Bytes as elements: `of` is a class of structs, or a letter of the `struct` module; `shape` is that of each."""
    if not isinstance(of, str):
        return Elements(of, memory)
    if memory.nbytes == 0:
        # An empty view cannot be cast.
        return memoryview(bytearray(size)).cast(of)[:0]
    if shape:
        return memory.cast(of, shape=(memory.nbytes // size, *shape))
    return memory.cast(of)


def attach(name, cls, size, of, *shape):
    """Gives a class the method `elements`, which counts from a base."""

    def elements(self, base, /):
        """The elements, whose offset counts from the start of base. Of an address it must hold that they are there."""
        return _seen(_memory(base, self.offset, self.len * size, f"{name}.elements"), size, of, shape)

    elements.__qualname__ = f"{name}.elements"
    cls.elements = elements


def attach_slice(name, cls, size, of, *shape, mutable=True):
    """Gives a class the method `elements`, which knows its own address."""

    def elements(self, /):
        """The elements where they are. They must be there, and stay as long as they are looked at."""
        memory = _memory(self.data or 0, 0, self.len * size, f"{name}.elements")
        return _seen(memory if mutable else memory.toreadonly(), size, of, shape)

    elements.__qualname__ = f"{name}.elements"
    cls.elements = elements
