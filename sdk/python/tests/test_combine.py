"""Handlers that combine two arrays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from upcall import Context, Emit, Object
from upcall.testing import CombineHarness, Failed, Harness

NUMBERS = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"]


class Add:
    element = "f64"
    commutative = True

    def combine(self, source: Any, into: Any) -> None:
        numpy.add(source, into, out=into)


def does(body: Callable[[Any, Any], Any], of: str = "f64") -> Any:
    """A handler that does one thing."""

    class Does:
        element = of

        def combine(self, source: Any, into: Any) -> None:
            self.result = body(source, into)

    return Does()


def elementwise(source: Any, into: Any) -> None:
    for index, each in enumerate(source):
        into[index] += each


@pytest.fixture(params=["numpy", "memoryview"])
def shown(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How arrays are shown: with numpy and without."""
    if request.param == "memoryview":
        monkeypatch.setitem(sys.modules, "numpy", None)
    return str(request.param)


def test_the_source_is_combined_into_the_second_array() -> None:
    harness = CombineHarness(Add())
    assert harness.combine([1.0, 2.0], [3.0, 4.5]) == [4.0, 6.5]
    assert harness.combine(range(1000), [1.0] * 1000) == [1.0 + n for n in range(1000)]


@pytest.mark.parametrize("of", NUMBERS)
def test_every_number_type_is_combined(of: str, shown: str) -> None:
    harness = CombineHarness(does(elementwise, of))
    for _ in range(3):
        assert harness.combine([1, 2, 3], [10, 20, 30]) == [11, 22, 33]


def test_arrays_have_type_and_length_and_the_source_is_read_only(shown: str) -> None:
    def body(source: Any, into: Any) -> None:
        assert (len(source), len(into)) == (3, 3)
        assert source.itemsize == into.itemsize == 2
        if shown == "numpy":
            assert source.dtype == into.dtype == numpy.dtype("<i2")
            assert (source.flags.writeable, into.flags.writeable) == (False, True)
            assert not source.flags.owndata and into.flags.aligned
        else:
            assert (source.format, into.format, source.shape) == ("h", "h", (3,))
            assert (source.readonly, into.readonly) == (True, False)
            assert source.cast("B").nbytes == bytes(into).__len__() == 6

    CombineHarness(does(body, "i16")).combine([1, 2, 3], [4, 5, 6])

    def writes(source: Any, into: Any) -> None:
        source[0] = 1

    with pytest.raises(Failed, match="read-only"):
        CombineHarness(does(writes)).combine([1.0], [2.0])


def test_no_elements_are_combined_into_none(shown: str) -> None:
    assert CombineHarness(does(elementwise)).combine([], []) == []


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("how", ["itself", "slice"])
def test_an_array_that_is_kept_fails_the_call(which: int, how: str, shown: str) -> None:
    kept: list[Any] = []

    def body(*arrays: Any) -> None:
        kept.append(arrays[which][1:] if how == "slice" else arrays[which])

    class Keeps:
        element = "u32"

        def combine(self, source: Any, into: Any) -> None:
            body(source, into)

    harness = CombineHarness(Keeps())
    with pytest.raises(Failed, match="BufferError: a view of engine memory was kept"):
        harness.combine([1, 2], [3, 4])
    if shown == "memoryview" and how == "itself":
        with pytest.raises(ValueError, match="released memoryview"):
            kept[0][0]


def test_arrays_in_the_frames_of_a_caught_exception_are_no_leak(shown: str) -> None:
    def fails(view: Any) -> None:
        raise ValueError

    def body(source: Any, into: Any) -> None:
        try:
            fails(into[1:])
        except ValueError as error:
            cycle: list[Any] = [error]
            cycle.append(cycle)

    CombineHarness(does(body)).combine([1.0], [2.0])


def test_an_exception_fails_the_call_and_the_next_goes_on(shown: str) -> None:
    def body(source: Any, into: Any) -> None:
        if source[0] < 0:
            raise LookupError(f"below zero: {source[0]}")
        elementwise(source, into)

    harness = CombineHarness(does(body))
    with pytest.raises(Failed, match="LookupError: below zero: -1.0") as failed:
        harness.combine([-1.0], [1.0])
    assert failed.value.item is None and "in body" in failed.value.stack
    assert harness.combine([1.0], [1.0]) == [2.0]


def test_open_has_settings_and_a_log_and_close_is_called() -> None:
    told: list[Any] = []

    class Scales:
        element = "f32"

        def open(self, context: Context) -> None:
            self.by = float(context.settings["by"])
            context.log.info("by %s", self.by)
            told.append((context.name, context.worker, context.workers, *context.pools, *context.senders))

        def combine(self, source: Any, into: Any) -> None:
            into += self.by * source

        def close(self) -> None:
            told.append("closed")

    with CombineHarness(Scales(), settings={"by": "2"}) as harness:
        assert harness.combine([1.5], [1.0]) == [4.0]
        assert harness.logged == [(3, "by 2.0")]
    assert told == [("handler", 0, 1), "closed"]


def test_an_engine_of_another_element_is_refused_by_both_names() -> None:
    with pytest.raises(Failed) as failed:
        CombineHarness(Add(), element="u32").combine([1], [2])
    assert failed.value.message == (
        "the engine combines u32 of 4 bytes, and the handler f64 of 8: change one of them"
    )


def test_a_harness_of_another_kind_is_refused() -> None:
    class Echo:
        def on_object(self, obj: Object, emit: Emit) -> None: ...

    with pytest.raises(TypeError, match="Add combines arrays: use CombineHarness"):
        Harness(Add())
    with pytest.raises(TypeError, match="Echo takes objects of a flow: use Harness"):
        CombineHarness(Echo())


def test_a_handler_is_of_one_kind_and_says_what_it_combines() -> None:
    class Both(Add):
        def on_object(self, obj: Object, emit: Emit) -> None: ...

    class All(Both):
        def on_batch(self, batch: Any, emit: Emit) -> None: ...

    class Silent:
        def combine(self, source: Any, into: Any) -> None: ...

    class Wrong(Silent):
        element = "double"

    class Alone:
        element = "f64"

        def combine(self, source: Any) -> None: ...

    for handler, expected in (
        (Both, "it has both on_object and combine: keep one"),
        (All, "it has on_object and on_batch and combine: keep one"),
        (Silent, 'it does not say what it combines: write element = "f64", or another of u8, u16'),
        (Wrong, "its element is 'double': write element = "),
        (Alone, r"combine must take \(self, source, into\), and takes \(self, source: "),
    ):
        with pytest.raises(TypeError, match=expected):
            CombineHarness(handler())


def test_a_handler_whose_open_was_refused_is_not_called(shown: str) -> None:
    called: list[int] = []
    harness = CombineHarness(does(lambda source, into: called.append(len(into))), element="f32")
    for _ in range(2):
        with pytest.raises(Failed):
            harness.combine([0.0] * 64, [0.0] * 64)
    assert not called


def test_a_handler_is_not_called_after_close() -> None:
    called: list[int] = []
    harness = CombineHarness(does(lambda source, into: called.append(1)))
    harness.combine([1.0], [2.0])
    native = harness._native
    assert native.close() is None
    failure = native.combine(b"\0" * 8, b"\0" * 8, 1)[1]
    assert failure is not None and failure[1] == "the handler was called after CLOSE, which ends it"
    assert native.close() is None and called == [1]
