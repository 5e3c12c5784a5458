# Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
"""Whether the library is still the one that these bindings were made from."""

import ctypes

# What each of its functions takes and gives, in short.
EXPECTED = (
    "count_if\x0973d0598be37ff1ed\n"
    "greet\x09e6a3c40808343c75\n"
    "mean\x09524cdd4f32b0adba\n"
    "sum_add\x095133676e7c6723f1\n"
    "sum_new\x098179b621e33c3871\n"
    "summarize\x099ede174c5af5d12a\x09Summary 52960416f897c345\n"
).encode()


def check(library):
    """Raises an error that says what has changed, if the library is not the one that these bindings were made from."""
    changes = getattr(library, "upcall_changes", None) if EXPECTED else None
    if changes is None:
        # It was built with an Upcall that did not know yet.
        return
    changes.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    changes.restype = ctypes.c_size_t
    length = changes(EXPECTED, len(EXPECTED), None, 0)
    if length:
        message = ctypes.create_string_buffer(length)
        changes(EXPECTED, len(EXPECTED), message, length)
        raise ImportError(message.raw.decode())
