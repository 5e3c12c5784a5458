from . import _base, _load

implementation = _load.implementation
"""The module that does the work: `_native` where it is built, else `_ctypes`."""

_load.publish(globals())
