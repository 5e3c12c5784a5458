"""What a handler of a Python program costs that has loaded us, beside a callback by PyO3.

``embed.py LIBRARY PYO3_FOLDER`` prints one JSON object per line, as the peers do.
"""

import ctypes
import json
import sys

sys.path.insert(0, sys.argv[2])

import upcall_bench_pyo3 as by_pyo3  # noqa: E402
from upcall import _upcall  # noqa: E402
from upcall._given import factory  # noqa: E402

library = ctypes.CDLL(sys.argv[1])
given = library.upcall_bench_given
given.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
given.restype = ctypes.c_double


def handles(obj, emit):
    """What an engine calls."""
    obj.key
    obj.value


class Batches:
    """The same for a batch at once."""

    def on_batch(self, batch, emit):
        """What an engine calls."""
        batch.keys()
        batch.value_list()


class Columns:
    """The same with arrays of all keys and values: the sum of what is read in other languages."""

    seen = 0

    def on_batch(self, batch, emit):
        """What an engine calls."""
        _, key_offsets, values, value_offsets = batch.columns()
        self.seen += key_offsets[-1] + values[value_offsets[:-1]].sum()


def called(key, value):
    """The same, with both made before the call."""
    key
    value


def row(who: str, batch: int, nanos: float) -> None:
    """Prints one."""
    print(json.dumps({"language": "Python", "who": who, "batch": batch, "nanos": nanos}))


def ours(handler, batch: int) -> float:
    """Nanoseconds per object."""
    return given(b"python", _upcall.table(), _upcall.handler(factory(handler)), batch)


row("PyO3, attached", 1, by_pyo3.attached(called))
row("PyO3, attaching", 1, by_pyo3.detached(called))
row("Upcall", 1, ours(handles, 1))
row("Upcall", 1024, ours(handles, 1024))
row("Upcall, batch handler", 1024, ours(Batches, 1024))
row("Upcall, columns of a batch", 1024, ours(Columns, 1024))
