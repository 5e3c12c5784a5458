"""Reductions through libupcall, beside numpy's."""

from __future__ import annotations

import array
import ctypes
import math
import os
import subprocess
import sys
from typing import Any

import numpy
import pytest

from upcall import simd

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
LENGTHS = [1, 2, 15, 16, 17, 63, 64, 65, 130, 1000]


def some(dtype: str, length: int) -> Any:
    # Whole numbers, whose sums are exact in every order.
    return (numpy.arange(length) * 7919 % 101).astype(dtype)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_every_reduction_agrees_with_numpy(dtype: str) -> None:
    for length in LENGTHS:
        values = some(dtype, length)
        assert simd.sum(values) == values.sum(dtype=dtype)
        assert simd.sum_in_order(values) == values.sum(dtype=dtype)
        assert simd.sum_long(values) == values.sum()
        assert simd.mean(values) == pytest.approx(values.mean(dtype="float64"))
        assert (simd.min(values), simd.max(values)) == (values.min(), values.max())
        assert simd.min_max(values) == simd.min_max_number(values) == (values.min(), values.max())
        assert (simd.min_number(values), simd.max_number(values)) == (values.min(), values.max())
        last = values[-1].item()
        assert simd.index_of(values, last) == numpy.flatnonzero(values == last)[0]
        assert simd.count_equal(values, last) == (values == last).sum()
        assert simd.contains(values, last) and not simd.contains(values, 102)
        assert simd.index_of(values, 102) is None
        assert simd.equal(values, values.copy())
        other = values.copy()
        other[-1] += 1
        assert not simd.equal(values, other) and not simd.equal(values, values[:-1])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_a_sum_that_overflows_wraps_or_is_refused(dtype: str) -> None:
    values = numpy.full(100, numpy.iinfo(dtype).max, dtype)
    assert simd.sum(values) == values.sum(dtype=dtype)
    with pytest.raises(OverflowError, match="the sum does not fit into"):
        simd.checked_sum(values)
    assert simd.checked_sum(values[:1]) == numpy.iinfo(dtype).max


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_decides_unless_numbers_are_asked_for(dtype: str) -> None:
    values = some(dtype, 100)
    values[50] = math.nan
    assert math.isnan(simd.min(values)) and math.isnan(simd.max(values)) and math.isnan(simd.sum(values))
    assert (simd.min_number(values), simd.max_number(values)) == (numpy.nanmin(values), numpy.nanmax(values))
    assert not simd.contains(values, math.nan) and not simd.equal(values, values)


@pytest.mark.parametrize("reduction", [simd.min, simd.max, simd.min_max, simd.mean, simd.max_number])
def test_what_is_empty_is_a_value_error(reduction: Any) -> None:
    with pytest.raises(ValueError, match="there are no elements"):
        reduction(numpy.zeros(0, numpy.float32))
    assert simd.sum(b"") == 0 and not simd.contains(b"", 1)


def test_any_buffer_will_do() -> None:
    assert simd.sum(b"abc") == (97 + 98 + 99) % 256
    assert simd.sum_long(bytearray(b"abc")) == 97 + 98 + 99
    assert simd.max(array.array("q", [3, 9, 2])) == 9
    assert simd.min(memoryview(array.array("d", [3, 9, 2]))[1:]) == 2
    frozen = some("int32", 40)
    frozen.flags.writeable = False
    assert simd.sum(frozen) == frozen.sum()


def test_what_cannot_be_read_in_place_is_an_error() -> None:
    values = some("float32", 40)
    for wrong in [values[::2], values.astype(">f4"), values.astype("?"), [1.0]]:
        with pytest.raises((TypeError, ValueError)):
            simd.sum(wrong)
    with pytest.raises((TypeError, ValueError)):
        simd.equal(values, some("float64", 40))
    with pytest.raises(OverflowError):
        simd.index_of(some("int8", 40), 300)


CTYPES: list[Any] = [ctypes.c_byte, ctypes.c_short, ctypes.c_int, ctypes.c_long, ctypes.c_longlong]
CTYPES += [ctypes.c_ubyte, ctypes.c_ushort, ctypes.c_uint, ctypes.c_ulong, ctypes.c_ulonglong]
CTYPES += [ctypes.c_float, ctypes.c_double]


@pytest.mark.parametrize("element", CTYPES)
def test_ctypes_arrays_are_taken_though_their_format_names_a_byte_order(element: Any) -> None:
    values = (element * 16)(*range(16))
    assert (simd.sum(values), simd.mean(values), simd.max(values)) == (120, 7.5, 15)
    assert simd.index_of(values, 7) == 7
    assert simd.equal(values, (element * 16)(*range(16)))


def test_a_mistake_of_the_library_is_no_error_of_the_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def panics(values: Any) -> None:
        raise simd._NativeError(-1, "it panicked")

    monkeypatch.setitem(simd._MIN, "f", panics)
    with pytest.raises(simd._NativeError, match="it panicked"):
        simd.min(some("float32", 3))


def test_importing_leaves_the_environment_as_it_was() -> None:
    program = "import os; before = dict(os.environ); from upcall import simd; assert dict(os.environ) == before"
    environment = {name: value for name, value in os.environ.items() if name != "UPCALL_LIBRARY"}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
