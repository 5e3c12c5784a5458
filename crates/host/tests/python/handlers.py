"""The handlers of `tests/python.rs`."""

import ctypes
import logging
import os
import sys
import threading

import upcall


class Broken:
    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        self.deeper(obj)

    def deeper(self, obj):
        raise KeyError(f"nothing for {obj.key.decode()}")


class Seventh:
    """Fails on the item "6" the first time, after it has emitted."""

    def __init__(self):
        self.failed = False

    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
        if obj.key == b"6" and not self.failed:
            self.failed = True
            raise RuntimeError("not yet")


class Half:
    """Reports half of its batch, emits all, fails."""

    def on_batch(self, batch, emit):
        half = len(batch) // 2
        for index, obj in enumerate(batch):
            if index == half:
                batch.done(half)
            emit(obj.key, obj.value)
        raise RuntimeError("half of it")


class Large:
    def on_object(self, obj, emit):
        part = b"x" * (1 << 20)
        for index in range(100):
            emit(str(index), part)


class Same:
    def on_object(self, obj, emit):
        emit(obj.key, obj.value)


class Slices:
    """Keeps a slice of each value."""

    def __init__(self):
        self.kept = []

    def on_object(self, obj, emit):
        self.kept.append(obj.value[1:3])
        emit(obj.key, b"")


class Views:
    """Keeps each value as it is."""

    def __init__(self):
        self.kept = []

    def on_object(self, obj, emit):
        self.kept.append(obj.value)
        emit(obj.key, b"")


class Objects:
    """Keeps each object, and uses the one before."""

    def __init__(self):
        self.kept = []

    def on_object(self, obj, emit):
        if self.kept:
            emit("version", str(self.kept[0].version))
        self.kept.append(obj)


class Logs:
    def open(self, ctx):
        self.log = ctx.log
        ctx.log.info("opened %s with %s", ctx.name, ctx.settings["colour"])

    def on_object(self, obj, emit):
        logging.getLogger("library").warning("from a library")
        try:
            1 / 0
        except ZeroDivisionError:
            self.log.exception("divided")


class Threads:
    """Logs from a thread of its own."""

    def on_object(self, obj, emit):
        thread = threading.Thread(target=lambda: logging.info("from a thread"))
        thread.start()
        thread.join()


class Undeclared:
    def on_object(self, obj, emit):
        emit(obj.key, obj.value, pool="/elsewhere")


class Number:
    def on_object(self, obj, emit):
        emit(obj.key, 5)


class Flushes:
    def __init__(self):
        self.seen = 0

    def on_batch(self, batch, emit):
        self.seen += len(batch)

    def flush(self, emit):
        emit("seen", str(self.seen))


class Interpreter:
    """Tells which interpreter it runs in."""

    def on_object(self, obj, emit):
        emit("executable", sys.executable)
        emit("version", sys.version.split()[0])
        emit("home", sys.base_prefix)
        emit("stdlib", os.__file__)
        emit("path", "\n".join(sys.path))
        emit("encoding", sys.stdout.encoding)


class Nests:
    """Recurses, in Python and in C, until Python says that it is too deep."""

    def on_object(self, obj, emit):
        nest = []
        for _ in range(200_000):
            nest = [nest]
        for recurse in (self.forever, lambda: repr(nest)):
            try:
                recurse()
            except RecursionError:
                emit("caught", b"")

    def forever(self):
        self.forever()


class Constructor:
    def __init__(self):
        raise OSError("no such device")

    def on_object(self, obj, emit):
        pass


class Neither:
    def on_objects(self, obj, emit):
        pass


class Awaits:
    async def on_batch(self, batch, emit):
        pass


class Yields:
    async def on_object(self, obj, emit):
        yield obj.key


class Alone:
    def on_object(self, obj):
        pass


NUMBER = 5


class Several:
    def on_batch(self, batch, emit): ...

    def combine(self, source, into): ...


class Silent:
    def combine(self, source, into): ...


class Adds:
    element = "f64"
    commutative = True

    def combine(self, source, into):
        for index, each in enumerate(source):
            into[index] += each


class Longest:
    element = "u32"

    def combine(self, source, into): ...


class Reading(ctypes.Structure):
    _fields_ = [("sensor", ctypes.c_uint64), ("celsius", ctypes.c_double)]


class Typed:
    def on_object(self, obj: upcall.Object[Reading], emit: upcall.Emit[str | Reading]): ...


class Numbers:
    """Which number it is depends on the pool."""

    def on_object(self, obj: upcall.Object[int], emit: upcall.Emit[float]): ...


class Bytes:
    def on_batch(self, batch: upcall.Batch[memoryview], emit: upcall.Emit[bytes]): ...


class Mixed:
    def on_object(self, obj: upcall.Object[bytes], emit: upcall.Emit[bytes | Reading]): ...


class Sampled:
    parameters = {
        "every": upcall.Parameter("u64", default=10, range="1..=1000"),
        "exact": upcall.Parameter("bool", default=False),
        "label": upcall.Parameter("text", range="one\nline"),
        "prefix": upcall.Parameter("text", default=""),
    }

    def on_object(self, obj, emit): ...


class Unparametrised:
    parameters = {"every": 10}

    def on_object(self, obj, emit): ...


class ReadsAt:
    """Reads its key as it was at the version that its value says."""

    def on_object(self, obj, emit):
        emit.read("/kept", obj.key, version=int(obj.value))
