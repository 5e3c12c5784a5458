"""Handlers that numba compiles."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy
import pytest

from upcall.compiled import compiled
from upcall.flow import FlowBuilder, FlowError
from upcall.testing import Failed, Harness


class Order(ctypes.Structure):
    _fields_ = [("price", ctypes.c_double), ("pieces", ctypes.c_uint32), ("kind", ctypes.c_uint8)]


class Bill(ctypes.Structure):
    _fields_ = [("total", ctypes.c_double), ("rebate", ctypes.c_float)]


@compiled(takes="f64", gives="f64")
def celsius(fahrenheit: Any) -> Any:
    return (fahrenheit - 32.0) / 1.8


@compiled(takes=Order, gives=Bill)
def bill(order: Any, out: Any) -> None:
    out.total = order.price * order.pieces
    if order.kind == 1:
        out.rebate = 0.5


def test_numbers_are_taken_and_given_with_their_keys() -> None:
    with Harness(celsius, input_type="f64", pools={"/c": "f64"}) as harness:
        harness.batch([("boils", 212.0), ("freezes", 32.0)])
        assert harness.numbers("/c") == {"boils": 100.0, "freezes": 0.0}
    assert celsius(212.0) == 100.0


@pytest.mark.parametrize("of", ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"])
def test_every_number_type_is_taken_wherever_it_lies(of: str) -> None:
    @compiled(takes=of, gives=of)
    def same(value: Any) -> Any:
        return value

    values = [0, 1, 127] if of[0] == "u" else [-128 if of == "i8" else -100, 0, 127]
    with Harness(same, input_type=of, pools={"/out": of}) as harness:
        # Keys of different lengths put the values at odd places.
        harness.batch([("k" * index, value) for index, value in enumerate(values, 1)])
        assert list(harness.numbers("/out").values()) == values


def test_structs_are_read_and_filled_field_by_field() -> None:
    with Harness(bill, input_type=Order, pools={"/bills": Bill}) as harness:
        harness.batch([("a", bytes(Order(2.5, 4, 1))), ("b", bytes(Order(1.0, 3, 0)))])
        first, second = (emitted.value_as(Bill) for emitted in harness.emitted)
        assert (first.total, first.rebate, second.total, second.rebate) == (10.0, 0.5, 3.0, 0.0)


def test_the_object_that_raises_fails_and_those_before_it_count(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: raised.append(told.exc_value))

    @compiled(takes="i64", gives="i64")
    def half(value: Any) -> Any:
        if value % 2 != 0:
            raise ValueError("odd")
        return value // 2

    with Harness(half, input_type="i64", pools={"/out": "i64"}) as harness:
        with pytest.raises(Failed, match="half raised an exception, which sys.unraisablehook was told") as failed:
            harness.batch([("a", 2), ("b", 4), ("c", 5), ("d", 6)])
        assert (failed.value.done, failed.value.item) == (2, 2)
        assert harness.numbers("/out") == {"a": 1, "b": 2}
        harness.batch([("d", 6)])
        assert harness.numbers("/out")["d"] == 3
    assert [str(error) for error in raised] == ["odd"]


def test_a_value_of_another_size_fails_its_object() -> None:
    with Harness(celsius, pools={"/c": "f64"}) as harness:
        with pytest.raises(Failed, match="celsius takes f64 of 8 bytes, and this value has 3"):
            harness.batch([("a", b"abc")])
        assert harness.emitted == []


def test_a_flow_counts_into_an_array_of_the_program() -> None:
    counts = numpy.zeros(4, dtype=numpy.int64)

    @compiled(takes="u32", state=counts)
    def count(value: Any, into: Any) -> None:
        into[value % 4] += 1

    builder = FlowBuilder(workers=2).pool("/numbers", type="u32").pool("/f", type="f64").pool("/c", type="f64")
    builder.on("/numbers", order="single")(count)
    builder.on("/f", to="/c")(celsius)
    with builder.start() as flow:
        numbers = flow.pool("/numbers")
        numbers.put_many((str(number), number) for number in range(100_000))
        flow.pool("/f").put("boils", 212.0)
        flow.drain()
        found = flow.pool("/c").get("boils")
        assert found is not None and found.number == 100.0
    assert counts.tolist() == [25_000] * 4


def test_the_same_handler_is_loaded_from_a_file(tmp_path: Path) -> None:
    code = """
        from upcall.compiled import compiled

        @compiled(takes="f64", gives="f64")
        def double(value):
            return 2 * value
    """
    (tmp_path / "handlers.py").write_text(textwrap.dedent(code))
    flow = """
        [pool."/in"]
        type = "f64"
        [pool."/out"]
        type = "f64"
        [[handler]]
        name = "double"
        on = "/in"
        to = "/out"
        python = "handlers.py"
        class = "NAME"
    """
    path, text = tmp_path / "flow.toml", textwrap.dedent(flow)
    with FlowBuilder(text.replace("NAME", "double"), path=path).start() as running:
        running.pool("/in").put("k", 21)
        running.drain()
        found = running.pool("/out").get("k")
        assert found is not None and found.number == 42.0
    with pytest.raises(FlowError, match="double"):
        FlowBuilder(text.replace("NAME", "doubel"), path=path).start()


def test_pools_of_other_types_are_refused() -> None:
    builder = FlowBuilder().pool("/in", type="u32").pool("/out", type="f64")
    builder.on("/in", to="/out")(celsius)
    with pytest.raises(FlowError, match="pool /in has the type u32 of 4 bytes"):
        builder.start()


def test_what_cannot_be_compiled_is_told_at_once() -> None:
    with pytest.raises(TypeError, match="takes is 'text': give one of u8"):
        compiled(takes="text")
    with pytest.raises(TypeError, match="gives is <class 'int'>"):
        compiled(takes="u8", gives=int)
    with pytest.raises(TypeError, match="state is a numpy array that is C-contiguous"):
        compiled(takes="u8", state=[1, 2])(lambda value, state: None)
    with pytest.raises(TypeError, match="nopython"):
        compiled(takes="u8")(lambda value: open("file"))

    def wrong(value: Any) -> Any:
        return value.price * unknown  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(TypeError, match=r"numba does not compile .*wrong \(.*test_compiled.py:\d+\): (.|\n)*unknown"):
        compiled(takes="f64", gives="f64")(wrong)

    with pytest.raises(TypeError, match=r'say what wrong takes and gives: @compiled\(takes="f64", gives="f64"\) above it'):
        compiled(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"it is called as .*two\(value\), and takes \(value, other\)"):

        @compiled(takes="f64", gives="f64")
        def two(value, other):  # type: ignore[no-untyped-def]
            return value + other

    with pytest.raises(TypeError, match=r"silent returns nothing, and gives is f64: gives= is for what it returns"):

        @compiled(takes="f64", gives="f64")
        def silent(value: float) -> None: ...

    with pytest.raises(TypeError, match=r"both returns float64, which is lost, and gives is Bill: it fills the fields of out"):

        @compiled(takes="f64", gives=Bill)
        def both(value: Any, out: Any) -> Any:
            out.total = value
            return value

    with pytest.raises(TypeError, match=r"lost returns float64, which is lost, and there is no gives"):

        @compiled(takes="f64")
        def lost(value: float) -> float:
            return value * 2


def test_without_numba_the_way_out_is_told() -> None:
    code = """
        import sys
        sys.modules["numba"] = None
        from upcall.compiled import compiled
        try:
            compiled(takes="u8")(lambda value: None)
        except ImportError as error:
            print(error)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)
    assert "install it there (pip install numba)" in ran.stdout, ran.stderr


def test_python_code_runs_while_a_batch_is_gone_through() -> None:
    @compiled(takes="u64", gives="u64")
    def slow(rounds: Any) -> Any:
        seed = rounds
        for _ in range(rounds):
            seed = seed * 6364136223846793005 + 1442695040888963407
        return seed

    builder = FlowBuilder().pool("/in", type="u64").pool("/out", type="u64")
    builder.on("/in", to="/out")(slow)
    with builder.start() as flow:
        flow.pool("/in").put("k", 1_000_000_000)
        turns = 0
        while flow.pool("/out").get("k") is None:
            turns += 1
        assert turns > 100


def test_numbers_are_put_into_pools_of_numbers_only() -> None:
    with FlowBuilder().pool("/numbers", type="u8").pool("/bytes").start() as flow:
        flow.pool("/numbers").put("k", 200)
        found = flow.pool("/numbers").get("k")
        assert found is not None and (found.value, found.number) == (b"\xc8", 200)
        with pytest.raises(ValueError, match="256 is no value of /numbers, whose type is u8"):
            flow.pool("/numbers").put("k", 256)
        with pytest.raises(TypeError, match="/bytes declares no number type"):
            flow.pool("/bytes").try_put("k", 1.5)
        flow.pool("/bytes").put("k", "text")
        found = flow.pool("/bytes").get("k")
        assert found is not None and found.number is None
