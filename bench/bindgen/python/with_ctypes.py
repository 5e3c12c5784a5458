"""What one writes without a generator: ctypes."""

import ctypes
import os

_library = ctypes.CDLL(os.environ["UPCALL_BENCH_API_LIBRARY"])


class Body(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("x", "y", "z", "dx", "dy", "dz")]


class Slice(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


Callback = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32)

add = _library.add
add.argtypes, add.restype = [ctypes.c_int32, ctypes.c_int32], ctypes.c_int32
moved = _library.moved
moved.argtypes, moved.restype = [Body], Body
_length = _library.length
_length.argtypes, _length.restype = [Text, ctypes.c_void_p], ctypes.c_uint32
_sum = _library.sum
_sum.argtypes, _sum.restype = [Slice], ctypes.c_float
_apply = _library.apply
_apply.argtypes, _apply.restype = [ctypes.c_int32, Callback, ctypes.c_void_p], ctypes.c_int32
_repeat = _library.repeat
_repeat.argtypes, _repeat.restype = [ctypes.c_int32, Callback, ctypes.c_void_p], ctypes.c_int32
_checked = _library.checked
_checked.argtypes, _checked.restype = [ctypes.c_int32, ctypes.c_void_p], ctypes.c_uint32


def length(text):
    data, failure = text.encode(), ctypes.c_void_p()
    result = _length(Text(data, len(data)), ctypes.byref(failure))
    if failure:
        raise ValueError("length failed")
    return result


def sum(values):
    return _sum(Slice(*values.buffer_info()))


def apply(value, callback):
    """The callback was made before: a new one for each call costs several times as much."""
    return _apply(value, callback, None)


def repeat(times, callback):
    return _repeat(times, callback, None)


def checked(value):
    failure = ctypes.c_void_p()
    result = _checked(value, ctypes.byref(failure))
    if failure:
        raise ValueError("checked failed")
    return result
