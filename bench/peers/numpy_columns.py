"""Reductions by numpy, and by upcall.simd from Python: one JSON object per line, nanoseconds per call.

Called with a number of elements that fit a cache, and with one of bytes that do not; `bench/src/bin/soa.rs` runs it.
"""

import json
import sys
import time

import numpy

from upcall import simd

TYPES = ["uint8", "int32", "int64", "float32", "float64"]
NAMES = {"uint8": "u8", "int32": "i32", "int64": "i64", "float32": "f32", "float64": "f64"}


def least(ways, elements):
    """The least mean of each, in turn."""
    found = [float("inf")] * len(ways)
    calls = 200 if elements < 1_000_000 else 1
    for _ in range(200 if elements < 1_000_000 else 10):
        for index, way in enumerate(ways):
            start = time.thread_time_ns()
            for _ in range(calls):
                way()
            found[index] = min(found[index], (time.thread_time_ns() - start) / calls)
    return found


def main(small, large):
    for dtype in TYPES:
        compare(dtype, small)
    for dtype in TYPES:
        compare(dtype, large // numpy.dtype(dtype).itemsize)


def compare(dtype, elements):
    values = (numpy.arange(elements) % 97).astype(dtype)
    other = values.copy()
    functions = {
        "sum": (lambda: values.sum(dtype=dtype), lambda: simd.sum(values)),
        "max": (values.max, lambda: simd.max(values)),
        "min_max": (lambda: (values.min(), values.max()), lambda: simd.min_max(values)),
        "contains": (lambda: (values == 120).any(), lambda: simd.contains(values, 120)),
        "equal": (lambda: numpy.array_equal(values, other), lambda: simd.equal(values, other)),
        "mean": (values.mean, lambda: simd.mean(values)),
        "count_equal": (lambda: numpy.count_nonzero(values == 5), lambda: simd.count_equal(values, 5)),
    }
    for name, ways in functions.items():
        for who, nanos in zip(["numpy", "upcall, from Python"], least(ways, elements)):
            row = {"function": name, "type": NAMES[dtype], "elements": elements, "who": who, "nanos": nanos}
            print(json.dumps(row), flush=True)


main(*map(int, sys.argv[1:]))
