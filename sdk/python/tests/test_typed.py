"""Handlers whose annotations say what their values are."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy
import pytest

from upcall import Batch, Emit, Object
from upcall.testing import Failed, Harness


class Reading(ctypes.Structure):
    _fields_ = [("sensor", ctypes.c_uint64), ("celsius", ctypes.c_double)]

    sensor: int
    celsius: float


class Name:
    """A packer as it is generated: UTF-8 behind its length."""

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def unpack(cls, data: bytes | bytearray | memoryview) -> Name:
        if len(data) < 4:
            raise ValueError(f"the input ends at byte {len(data)}")
        return cls(bytes(data[4:]).decode())

    def pack(self) -> bytes:
        text = self.text.encode()
        return len(text).to_bytes(4, "little") + text


class Name_String(Name):
    """Python's name for what the source calls by another."""

    __upcall_name__ = "Name"


class Fahrenheit:
    def on_object(self, obj: Object[Reading], emit: Emit[float]) -> None:
        emit(obj.key, obj.value.celsius * 1.8 + 32)


class Renames:
    def on_object(self, obj: Object[Name], emit: Emit[Name]) -> None:
        emit(obj.key, Name(obj.value.text.upper()))


def message(harness: Harness, *objects: tuple[str, Any]) -> str:
    with pytest.raises(Failed) as failed:
        harness.batch(objects)
    return failed.value.message


def test_a_blittable_value_is_an_object_of_its_class() -> None:
    harness = Harness(Fahrenheit(), pools={"/out": "f64"})
    harness.batch([("roof", Reading(7, 20.0))] * 20)
    assert harness.numbers("/out") == {"roof": 68.0}
    assert len(harness.emitted) == 20


def test_a_value_of_another_size_fails_its_object() -> None:
    harness = Harness(Fahrenheit(), pools={"/out": "f64"})
    with pytest.raises(Failed) as failed:
        harness.batch([("a", Reading()), ("roof", b"123"), ("b", Reading())])
    assert failed.value.message == "read the value of roof as Reading: it has 3 bytes, not 16"
    assert (failed.value.done, failed.value.item, len(harness.emitted)) == (1, 1, 1)


@pytest.mark.parametrize("length", [0, 10, 100_000])
def test_a_packed_value_is_unpacked_and_packed(length: int) -> None:
    harness = Harness(Renames(), pools={"/out": Name}, input_type=Name)
    harness.put("k", Name("x" * length))
    assert harness.emitted[0].value_as(Name).text == "X" * length


def test_a_value_that_does_not_unpack_fails_its_object_and_says_where() -> None:
    harness = Harness(Renames(), pools=["/out"])
    assert message(harness, ("roof", b"ab")) == "read the value of roof as Name: the input ends at byte 2"
    harness.put("again", Name("fine"))
    assert [each.key for each in harness.emitted] == [b"again"]


def test_numbers_and_text_are_what_they_are_called() -> None:
    class Halves:
        def on_object(self, obj: Object[int], emit: Emit[str]) -> None:
            emit(obj.key, f"{obj.value // 2} größe")

    harness = Harness(Halves(), pools={"/out": "text"}, input_type="u64")
    harness.put("k", 84)
    assert harness.emitted[0].value_as(str) == "42 größe"

    class Lengths:
        def on_object(self, obj: Object[str], emit: Emit[int]) -> None:
            emit(obj.key, len(obj.value))

    harness = Harness(Lengths(), pools={"/out": "u8"}, input_type="text")
    harness.put("k", "größe")
    assert harness.numbers("/out") == {"k": 5}
    assert message(harness, ("k", b"ab\xff")).startswith("read the value of k as str: 'utf-8' codec")


def test_a_pool_that_declares_another_type_fails_open_and_both_are_named() -> None:
    harness = Harness(Fahrenheit(), pools={"/out": "f64"}, input_type="f64")
    assert message(harness, ("k", 1.5)) == (
        "pool /in has the type f64 of 8 bytes, and the handler takes Reading of 16 bytes: "
        "change the pool's `type` or the annotation"
    )
    harness = Harness(Renames(), pools={"/out": Reading})
    assert message(harness, ("k", Name("x"))) == (
        "pool /out has the type Reading of 16 bytes, and the handler emits Name: "
        "change the pool's `type` or the annotation"
    )
    harness = Harness(Fahrenheit(), pools=["/out"])
    assert message(harness, ("k", Reading())) == (
        "pool /out declares no number type, and the handler emits float: "
        "change the pool's `type` or the annotation"
    )


def test_what_is_emitted_must_be_of_the_type() -> None:
    class Wrong:
        def on_object(self, obj: Object[Name], emit: Emit[Name | Reading]) -> None:
            emit(obj.key, Reading(1, 2.0))
            emit.many([b"a", b"b"], obj.value)
            emit.many([b"c", b"d"], [obj.value, Reading()])
            emit(obj.key, b"bytes")  # type: ignore[arg-type]

    harness = Harness(Wrong(), pools=["/out"])
    assert message(harness, ("k", Name("x"))) == (
        "emit a value of type bytes: this handler emits Name or Reading"
    )
    assert harness.emitted == []


def test_what_is_emitted_is_compared_with_the_pool_that_it_goes_to() -> None:
    class Both:
        def on_object(self, obj: Object[Name], emit: Emit[Name | Reading]) -> None:
            emit(obj.key, obj.value)
            emit(obj.key, Reading(1, 2.0), "/readings")
            emit(obj.key, Reading(1, 2.0))

    harness = Harness(Both(), pools={"/names": Name, "/readings": Reading})
    assert message(harness, ("k", Name("x"))) == (
        "pool /names has the type Name, and the handler emits Reading of 16 bytes: "
        "change the pool's `type` or the annotation"
    )
    harness = Harness(Both(), pools={"/names": Name, "/readings": Name})
    assert "pool /readings has the type Name" in message(harness, ("k", Name("x")))


def test_a_generated_class_is_what_its_source_calls_it() -> None:
    class Takes:
        def on_object(self, obj: Object[Name_String], emit: Emit[Name_String]) -> None:
            emit(obj.key, obj.value)

    harness = Harness(Takes(), pools={"/out": Name_String}, input_type=Name)
    harness.put("k", Name("x"))
    assert harness.emitted[0].value_as(Name).text == "x"


def test_a_batch_has_values_of_the_type() -> None:
    class Sums:
        def on_batch(self, batch: Batch[Reading], emit: Emit[float]) -> None:
            emit("objects", sum(obj.value.celsius for obj in batch))
            emit("list", sum(reading.celsius for reading in batch.value_list()))
            emit("array", float(batch.values["celsius"].sum()))

    for declared in ("", Reading):
        harness = Harness(Sums(), pools={"/out": "f64"}, input_type=declared)
        harness.batch([(str(n), Reading(n, n / 2)) for n in range(5)])
        assert harness.numbers("/out") == {"objects": 5.0, "list": 5.0, "array": 5.0}


def test_a_batch_of_packed_values_is_no_array() -> None:
    class Arrays:
        def on_batch(self, batch: Batch[Name], emit: Emit) -> None:
            assert [name.text for name in batch.value_list()] == ["x"]
            numpy.asarray(batch.values)

    assert "use batch.value_list()" in message(Harness(Arrays()), ("k", Name("x")))


def test_a_kept_value_stays_what_it_was() -> None:
    class Keeps:
        def __init__(self) -> None:
            self.kept: list[Reading] = []

        def on_object(self, obj: Object[Reading], emit: Emit) -> None:
            self.kept.append(obj.value)

    handler = Keeps()
    Harness(handler).batch([("k", Reading(n, n)) for n in range(100)])
    assert [reading.sensor for reading in handler.kept] == list(range(100))


def test_an_annotation_that_is_no_type_of_a_value_is_refused() -> None:
    class Takes:
        def on_object(self, obj: Object[complex], emit: Emit) -> None: ...

    with pytest.raises(TypeError, match="Takes.on_object: complex cannot be used as a value type"):
        Harness(Takes())

    class Either:
        def on_object(self, obj: Object[Name | Reading], emit: Emit) -> None: ...

    with pytest.raises(TypeError, match="takes Name | Reading"):
        Harness(Either())

    class Unknown:
        def on_object(self, obj: Object[Missing], emit: Emit) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(TypeError, match="cannot be resolved"):
        Harness(Unknown())


def test_a_failure_without_a_line_of_python_has_no_stack() -> None:
    with pytest.raises(Failed) as failed:
        Harness(Fahrenheit(), pools={"/out": "f64"}, input_type="text").put("a")
    assert failed.value.type_name == "TypeError" and failed.value.stack == ""
    assert str(failed.value) == f"TypeError: {failed.value.message}"
