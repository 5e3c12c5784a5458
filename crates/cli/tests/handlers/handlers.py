"""Handlers for the tests of the command."""

import ctypes
import os
import subprocess
import sys
import threading
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


class Raises:
    """Emits, and then raises on the value `fail`."""

    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        if obj.value == b"fail":
            self.refuse(obj)

    def refuse(self, obj):
        raise ValueError(f"will not pass on {obj.key.decode()}")


class Bombs:
    """Starts process after process on the value `fork`."""

    def on_object(self, obj, emit):
        for _ in range(1000 if obj.value == b"fork" else 0):
            subprocess.Popen(["sleep", "60"])
        emit(obj.key, obj.value)


class Seventh:
    """Emits, and then fails on the value `7`, the first time that it comes."""

    def __init__(self):
        self.failed = False

    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        if obj.value == b"7" and not self.failed:
            self.failed = True
            raise ValueError("not the seventh")


class Strays:
    """Emits, and then emits to a pool that nobody declares if the value is `fail`."""

    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        if obj.value == b"fail":
            emit(obj.key, obj.value, pool="/nowhere")


class BadKey:
    """Emits, and then emits a key that is not UTF-8 if the value is `fail`."""

    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        if obj.value == b"fail":
            emit(b"bad \xff", obj.value)


class Adds:
    """Adds one to the number `sum` of its pool, on condition that it is what was read; of the value `fail`, that it is
    what it never is. Says so in its second pool."""

    def on_object(self, obj, emit):
        emit(obj.key, obj.value, "/out")
        found = emit.read("/sums", "sum")
        sum = int.from_bytes(found.value, "little") if found else 0
        version = 1 << 40 if obj.value == b"fail" else found.version if found else 0
        emit.put_if("sum", sum + 1, version, "/sums")


class Floods:
    """Makes 100 objects of 1 MiB."""

    def on_object(self, obj, emit):
        value = b"x" * (1 << 20)
        for number in range(100):
            emit(str(number), value)


class Sizes:
    """Makes an object of 0 bytes and one of 64 MiB."""

    def on_object(self, obj, emit):
        emit("empty", b"")
        emit("large", b"x" * (64 << 20))


class Measures:
    """Emits of each value how many bytes of it are an `x`."""

    def on_object(self, obj, emit):
        emit(obj.key, bytes(obj.value).count(b"x").to_bytes(8, "little"))


class Keys:
    """Makes a million objects, each with a key of its own."""

    def on_object(self, obj, emit):
        for number in range(1_000_000):
            emit(b"%d" % number, b"")


class Counts:
    """Emits at the end how many objects came."""

    def __init__(self):
        self.count = 0

    def on_object(self, obj, emit):
        self.count += 1

    def flush(self, emit):
        emit("objects", self.count.to_bytes(8, "little"))


class Doubles:
    """Makes two of one."""

    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        emit("more", obj.value)


class Slow:
    """Says that it has begun, takes its time, and emits."""

    def on_object(self, obj, emit):
        print("busy", flush=True)
        time.sleep(0.3)
        emit(obj.key, obj.value)


class Ends:
    """Emits, and then ends the process, or tries to, in the way that the value says."""

    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        match obj.value:
            case b"exit":
                sys.exit(0)
            case b"exit on a thread":
                thread = threading.Thread(target=sys.exit)
                thread.start()
                thread.join()
            case b"throw on a thread":
                thread = threading.Thread(target=lambda: 1 / 0)
                thread.start()
                thread.join()
            case b"os._exit":
                os._exit(0)
            case b"hang":
                time.sleep(1_000_000)
            case b"overflow":
                ctypes.string_at(0)
            case b"eat":
                eaten = []
                while True:
                    eaten.append(b"1" * (1 << 20))
            case b"abort":
                os.abort()


class Prints:
    """Prints each value."""

    def on_object(self, obj, emit):
        print(bytes(obj.value).decode())
