# Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
"""Room for what a function gives through a pointer, for ctypes."""

import ctypes
import operator

from ._kinds import At, Room


class Out(Room):
    """Room for what a function gives through a pointer: pass it there, and read value."""

    def __init__(self, value=None, /):
        self._given, self._of, self._memory = value, None, None

    def __class_getitem__(cls, _):
        return cls

    @property
    def value(self):
        """What lies there."""
        return self._given if self._of is None else self._of.get(self._place, self._memory)

    @value.setter
    def value(self, value):
        if self._of is None:
            self._given = value
        else:
            self._of.put(self._place, value, At("value", "Out"))

    def place(self, of, at):
        """The place of a value of this kind, which is what it has been so far."""
        if self._of is not of:
            memory = (ctypes.c_ubyte * (of.size + of.align))()
            place = ctypes.addressof(memory)
            place += -place % of.align
            value = self.value
            if value is not None:
                of.put(place, value, at)
            self._of, self._memory, self._place = of, memory, place
        return self._place

    def __index__(self):
        value = self.value
        return 0 if value is None else operator.index(value)

    def __repr__(self):
        return f"Out({self.value!r})"
