"""What every package has, whatever its library's names hide: no name of the API is in this module."""

import sys
import warnings

_PREFIX, _SUFFIX = {"win32": ("", ".dll"), "darwin": ("lib", ".dylib")}.get(sys.platform, ("lib", ".so"))


def file_name(library):
    """What the system calls the file of a library."""
    return f"{_PREFIX}{library}{_SUFFIX}"


class NativeError(Exception):
    """A function of the library has failed."""

    def __init__(self, code, message):
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self):
        return f"{self.message} ({self.code})"


class NativeText(int):
    """The address of C text: str() and bytes() read it up to its zero, as long as it is there."""

    def __bytes__(self):
        return self._at(int(self))

    def __str__(self):
        return bytes(self).decode(errors="replace")

    def __format__(self, how):
        return format(str(self), how)

    def __repr__(self):
        return f"NativeText({int(self):#x})"


class _Handle:
    """Something of the library's that is released with close(), or at the end of a with block."""

    def _hold(self, address):
        if not address:
            raise NativeError(0, f"{type(self).__name__} could not be made: the library returned null")
        self._address = address

    @classmethod
    def _of(cls, address):
        handle = cls.__new__(cls)
        _Handle._hold(handle, address)
        return handle

    def __index__(self):
        if not self._address:
            raise ValueError(f"the {type(self).__name__} was closed")
        return self._address

    def __reduce_ex__(self, _):
        raise TypeError(f"a {type(self).__name__} cannot be copied: the library has one of it")

    def __enter__(self):
        self.__index__()
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Releases it. Any use after this is an error; closing it again is not."""
        address, self._address = self._address, 0
        if address and hasattr(self, "_release"):
            self._release(address)

    def __del__(self, _warn=warnings.warn):
        if self._address:
            _warn(f"a {type(self).__name__} was not closed", ResourceWarning, source=self)
            self.close()
