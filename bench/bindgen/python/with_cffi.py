"""What one writes with cffi: its compiled mode, and the mode without a compiler.

`with_cffi.py FILE` writes the C source of the compiled mode.
"""

import os
import sys

import cffi

DECLARATIONS = """
typedef struct { double x, y, z, dx, dy, dz; } Body;
typedef struct { const void *data; size_t length; } Slice;
int32_t add(int32_t a, int32_t b);
Body moved(Body body);
uint32_t length(Slice text, void **failure);
float sum(Slice values);
int32_t apply(int32_t value, int32_t (*callback)(void *, int32_t), void *context);
int32_t repeat(int32_t times, int32_t (*callback)(void *, int32_t), void *context);
uint32_t checked(int32_t value, void **failure);
"""


class Functions:
    """The six functions as a program wants to call them."""

    def __init__(self, ffi, library):
        self.add, self.moved = library.add, library.moved

        def length(text):
            data, failure = text.encode(), ffi.new("void **")
            pointer = ffi.from_buffer(data)
            result = library.length(ffi.new("Slice *", (pointer, len(data)))[0], failure)
            if failure[0]:
                raise ValueError("length failed")
            return result

        def sum(values):
            pointer = ffi.from_buffer(values)
            return library.sum(ffi.new("Slice *", (pointer, len(values)))[0])

        def apply(value, callback):
            """The callback was made before: a new one for each call costs several times as much."""
            return library.apply(value, *callback)

        def repeat(times, callback):
            return library.repeat(times, *callback)

        def checked(value):
            failure = ffi.new("void **")
            result = library.checked(value, failure)
            if failure[0]:
                raise ValueError("checked failed")
            return result

        self.length, self.sum, self.apply, self.repeat, self.checked = length, sum, apply, repeat, checked
        self.body = ffi.new("Body *")[0]


def without_compiler(function):
    """The functions, and `function` as their callback."""
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS)
    library = ffi.dlopen(os.environ["UPCALL_BENCH_API_LIBRARY"])
    callback = ffi.callback("int32_t(void *, int32_t)", lambda context, value: function(value))
    return Functions(ffi, library), (callback, ffi.NULL)


def compiled(function):
    """The same from the compiled module."""
    from compiled_cffi import ffi, lib

    @ffi.def_extern()
    def called(context, value):
        return function(value)

    return Functions(ffi, lib), (lib.called, ffi.NULL)


def write_source(file):
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS + 'extern "Python" int32_t called(void *, int32_t);')
    ffi.set_source("compiled_cffi", "#include <stdint.h>\n" + DECLARATIONS)
    ffi.emit_c_code(file)


if __name__ == "__main__":
    write_source(sys.argv[1])
