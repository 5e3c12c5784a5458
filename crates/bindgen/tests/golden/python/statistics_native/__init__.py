# Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
"""The library statistics."""

from . import _base, _load

implementation = _load.implementation
"""The module that does the work: `_native` where it is built, else `_ctypes`."""

_load.publish(globals())

from builtins import classmethod as _classmethod
from builtins import staticmethod as _staticmethod


class _Handle(implementation._Address, _base._Handle):
    pass


class Sum(_Handle):
    """A sum that remembers."""
    @_staticmethod
    def _release(address, _call=sum_release):
        _call(address)

    def __init__(self, start):
        """A sum that begins here.

        Raises NativeError when it fails.
        """
        self._hold(sum_new(start))

    def add(self, value):
        """Adds and tells the sum.

        Raises NativeError when it fails.
        """
        return sum_add(self, value)


implementation._learn((Sum,))
