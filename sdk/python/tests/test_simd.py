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
        assert simd.sum_pairwise(values) == values.sum(dtype=dtype)
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
    for wrong in [values.astype(">f4"), values.astype(">f4")[::2], values.astype("?"), [1.0]]:
        with pytest.raises((TypeError, ValueError)):
            simd.sum(wrong)
    with pytest.raises((TypeError, ValueError)):
        simd.equal(values, some("float64", 40))
    with pytest.raises(OverflowError):
        simd.index_of(some("int8", 40), 300)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_strided_and_transposed_arrays_are_reduced_as_their_copies_are(dtype: str) -> None:
    square = some(dtype, 600).reshape(20, 30)
    backwards = square[::-1, ::-1]
    for values in [square[::2], square[:, 3], square.T, backwards, square[:, ::3].T, square.reshape(2, 10, 30).T]:
        copy = values.flatten()
        assert not values.flags.c_contiguous
        for reduction in [simd.sum, simd.sum_pairwise, simd.sum_in_order, simd.sum_long, simd.checked_sum]:
            if reduction is not simd.checked_sum or dtype not in ("int8", "uint8", "int16"):
                assert reduction(values) == reduction(copy)
        for reduction in [simd.mean, simd.min, simd.max, simd.min_max, simd.min_number, simd.max_number]:
            assert reduction(values) == reduction(copy)
        for wanted in copy[::37].tolist():
            assert simd.index_of(values, wanted) == simd.index_of(copy, wanted)
            assert simd.count_equal(values, wanted) == simd.count_equal(copy, wanted)
        assert simd.equal(values, copy) and simd.equal(copy, values) and simd.equal(values, values)
        assert not simd.equal(values, copy[::-1]) or (copy == copy[::-1]).all()
    assert simd.sum(memoryview(array.array("h", range(9)))[::2]) == 20


def test_what_is_in_order_is_added_in_the_order_of_the_indices() -> None:
    values = numpy.asfortranarray((1 / numpy.arange(1, 601)).astype("float32").reshape(20, 30))
    assert simd.sum_in_order(values) == simd.sum_in_order(values.flatten())
    assert simd.sum(values) == simd.sum(values.T.flatten())


REDUCTIONS: list[Any] = [simd.sum, simd.sum_pairwise, simd.sum_in_order, simd.sum_long, simd.checked_sum]
REDUCTIONS += [simd.mean, simd.min, simd.max, simd.min_max, simd.min_number, simd.max_number, simd.min_max_number]


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_a_masked_array_is_refused_by_name(reduction: Any) -> None:
    for values in [numpy.ma.array([1.0, 2.0], mask=[True, False]), numpy.ma.array([1.0, 2.0])]:
        for _ in range(2):
            with pytest.raises(TypeError, match=r"MaskedArray: .* values\.compressed\(\)"):
                reduction(values)


def test_a_masked_array_is_not_searched_either() -> None:
    values, plain = numpy.ma.array([1.0, 2.0], mask=[True, False]), numpy.array([1.0, 2.0])
    for search in [simd.contains, simd.index_of, simd.count_equal]:
        with pytest.raises(TypeError, match="MaskedArray"):
            search(values, 1)
    for one, other in [(values, plain), (plain, values)]:
        with pytest.raises(TypeError, match="MaskedArray"):
            simd.equal(one, other)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_accurate_sum_is_within_its_bound_and_as_near_as_numpys(dtype: str) -> None:
    random = numpy.random.default_rng(7)
    for length, times in [(100, 500), (1000, 500), (10_000, 200), (1_000_000, 5)]:
        ours, numpys = [], []
        for _ in range(times):
            values = random.random(length).astype(dtype)
            right = math.fsum(values.tolist())
            ours.append(simd.sum_pairwise(values) - right)
            numpys.append(float(values.sum()) - right)
        worst = numpy.finfo(dtype).eps / 2 * (5 + math.log2(length)) * length
        assert max(map(abs, ours)) <= worst
        # Both round as often on average, so they differ by chance; numpy's bound is six roundings above ours.
        assert times == 5 or math.hypot(*ours) <= 1.25 * math.hypot(*numpys)
    assert simd.sum_pairwise(some("int32", 100)) == some("int32", 100).sum()


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
