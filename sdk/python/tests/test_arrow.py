"""Columns as Arrow's own implementation in C sees them, through the C data interface."""

from __future__ import annotations

import ctypes
from typing import Any

import nanoarrow
import pytest
from nanoarrow.c_array import allocate_c_array
from nanoarrow.c_schema import allocate_c_schema

from upcall._find import built


@pytest.fixture(scope="module")
def library() -> Any:
    found = ctypes.CDLL(str(built("tests/libhandlers.so")))
    found.bodies_to_arrow.argtypes = [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
    found.bodies_to_arrow.restype = None
    found.bodies_alive.restype = ctypes.c_void_p
    return found


def bodies(library: Any, count: int) -> Any:
    schema = allocate_c_schema()
    array = allocate_c_array(schema)
    library.bodies_to_arrow(count, schema._addr(), array._addr())
    return array


def test_the_columns_are_a_struct_array_where_they_lie(library: Any) -> None:
    array = bodies(library, 10)
    kind = array.view().child(0).buffer(1)
    assert (kind.element(9), kind._addr()) == (9, library.bodies_alive())
    assert list(nanoarrow.Array(array).iter_py()) == [
        {
            "kind": number,
            "awake": number % 3 == 0,
            "place": {"at": [float(number), 0.5, -1.0], "cell": number << 33},
            "marks": [number % 2 == 0, True, False],
        }
        for number in range(10)
    ]


def test_the_container_lives_until_the_array_is_released(library: Any) -> None:
    array = bodies(library, 3)
    assert library.bodies_alive()
    del array
    assert not library.bodies_alive()


def test_no_rows_are_an_array_too(library: Any) -> None:
    assert list(nanoarrow.Array(bodies(library, 0)).iter_py()) == []
