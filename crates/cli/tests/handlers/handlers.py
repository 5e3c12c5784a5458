"""Handlers for the tests of the command."""

import time


class Say:
    """Prints each object at once, and that its input has ended."""

    def on_object(self, obj, emit):
        print("python", obj.key.decode(), bytes(obj.value).decode(), flush=True)

    def flush(self, emit):
        print("python flushed", flush=True)


class Sleep:
    """Never comes back."""

    def on_object(self, obj, emit):
        print("asleep", flush=True)
        time.sleep(1_000_000)


class Refuse:
    """Fails on the value `b`, passes on what else there is."""

    def on_object(self, obj, emit):
        if obj.value == b"b":
            raise ValueError("no b, please")
        emit(obj.key, obj.value)
