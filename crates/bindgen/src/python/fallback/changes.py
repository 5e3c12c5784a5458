

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
