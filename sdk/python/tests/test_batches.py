"""What a handler that takes batches is given."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from upcall import Batch, Emit, Object
from upcall.testing import Failed, Harness

Body = Callable[[Batch, Emit], Any]


class Does:
    def __init__(self, body: Body) -> None:
        self.body = body

    def on_batch(self, batch: Batch, emit: Emit) -> None:
        self.result = self.body(batch, emit)


def result(body: Body, objects: list[tuple[Any, Any]], **given: Any) -> Any:
    handler = Does(body)
    Harness(handler, pools=["/out"], **given).batch(objects)
    return handler.result


OBJECTS = [(f"k{n}", f"v{n}") for n in range(100)]


def test_a_batch_has_a_length_and_objects_by_index() -> None:
    assert result(lambda batch, _: (len(batch), batch[3].key, batch[-1].value), OBJECTS) == (100, b"k3", b"v99")
    with pytest.raises(Failed, match="IndexError: the batch has 100 objects, not one at 100"):
        result(lambda batch, _: batch[100], OBJECTS)


def test_iterating_gives_each_object() -> None:
    pairs = result(lambda batch, _: [(obj.key.decode(), bytes(obj.value).decode()) for obj in batch], OBJECTS)
    assert pairs == OBJECTS


def test_objects_that_are_held_together_are_different_ones() -> None:
    assert result(lambda batch, _: [obj.version for obj in list(batch)], OBJECTS) == list(range(1, 101))


def test_objects_of_a_batch_end_with_it() -> None:
    kept = result(lambda batch, _: (batch, list(batch)), OBJECTS)
    with pytest.raises(RuntimeError, match="the object has ended"):
        kept[1][5].version
    with pytest.raises(RuntimeError, match="the batch has ended"):
        len(kept[0])


def test_keys_and_values_come_as_lists() -> None:
    keys, values = result(lambda batch, _: (batch.keys(), batch.value_list()), OBJECTS)
    assert keys == [key.encode() for key, _ in OBJECTS]
    assert values == [value.encode() for _, value in OBJECTS]


def test_keys_are_right_whatever_their_length() -> None:
    names = ["", "a", "é", *("x" * n for n in range(2, 70)), *(f"{n}" * 3 for n in range(10_000))]
    assert result(lambda batch, _: batch.keys() + batch.keys(), [(name, b"") for name in names]) == [
        name.encode() for name in names
    ] * 2


@pytest.mark.parametrize(
    ("of", "numbers"),
    [("u8", [0, 255]), ("i16", [-5, 5]), ("u64", [2**64 - 1]), ("i64", [-(2**63)]), ("f32", [1.5]), ("f64", [0.1, -2.0])],
)
def test_numbers_come_as_numbers(of: str, numbers: list[float]) -> None:
    objects = [("k", number) for number in numbers]
    assert result(lambda batch, _: batch.value_list(), objects, input_type=of) == numbers
    assert result(lambda batch, _: [obj.number for obj in batch], objects, input_type=of) == numbers


def test_a_pool_without_a_number_type_has_no_number() -> None:
    with pytest.raises(Failed, match="TypeError: pool /in declares no number type: read obj.value"):
        result(lambda batch, _: batch[0].number, OBJECTS)


@pytest.mark.parametrize("of", ["u8", "i16", "u32", "i64", "f32", "f64"])
def test_values_are_a_numpy_view_of_the_engines_memory(of: str) -> None:
    import numpy

    def body(batch: Batch, emit: Emit) -> Any:
        values = batch.values
        assert not values.flags.owndata and not values.flags.writeable
        return values.dtype, values.tolist()

    dtype, numbers = result(body, [("k", n) for n in range(100)], input_type=of)
    assert (dtype, numbers) == (numpy.dtype({"u": "<u", "i": "<i", "f": "<f"}[of[0]] + str(int(of[1:]) // 8)), list(range(100)))


def test_a_numpy_view_that_is_kept_fails_the_batch() -> None:
    objects = [("k", n) for n in range(10)]
    with pytest.raises(Failed, match="BufferError: .* array.copy()"):
        result(lambda batch, _: batch.values, objects, input_type="u64")
    assert result(lambda batch, _: batch.values.copy(), objects, input_type="u64").sum() == 45


def test_columns_are_all_keys_and_values_and_may_be_kept() -> None:
    given = [("", b""), ("k", b"v" * 5000), ("schlüssel", b""), *((f"key{n}", bytes([n]) * n) for n in range(200))]
    keys, key_offsets, values, value_offsets = result(lambda batch, _: batch.columns(), given)
    assert (keys.dtype, key_offsets.dtype, len(key_offsets)) == ("uint8", "int64", len(given) + 1)
    ends = range(1, len(given) + 1)
    assert [keys[key_offsets[n - 1] : key_offsets[n]].tobytes().decode() for n in ends] == [key for key, _ in given]
    assert [values[value_offsets[n - 1] : value_offsets[n]].tobytes() for n in ends] == [value for _, value in given]


def test_columns_end_with_the_batch_and_have_numbers_as_bytes() -> None:
    batch, columns = result(lambda batch, _: (batch, batch.columns()), [("a", 1), ("b", 2**64 - 1)], input_type="u64")
    assert columns.values.view("<u8").tolist() == [1, 2**64 - 1]
    with pytest.raises(RuntimeError, match="the batch has ended"):
        batch.columns()


def test_columns_without_numpy_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(Failed, match="ImportError: batch.columns\\(\\) needs numpy, which .* does not have"):
        result(lambda batch, _: batch.columns(), OBJECTS)


LARGE = [(f"k{n}", bytes([n]) * 5000) for n in range(100)]


def test_large_values_of_a_batch_are_views_of_their_own() -> None:
    def one_by_one(batch: Batch, _: Emit) -> Any:
        return [(obj.value[0], obj.value[-1], len(obj.value)) for obj in batch]

    assert result(one_by_one, LARGE) == [(n, n, 5000) for n in range(100)]
    assert result(lambda batch, _: [view[7] for view in [obj.value for obj in batch]], LARGE) == list(range(100))
    assert result(lambda batch, _: [view[7] for view in batch.value_list()], LARGE) == list(range(100))


@pytest.mark.parametrize("how", ["view", "slice", "ndarray"])
def test_an_early_view_of_a_batch_that_is_kept_is_found_at_its_end(how: str) -> None:
    import numpy

    ways: dict[str, Callable[[Any], Any]] = {
        "view": lambda view: view,
        "slice": lambda view: view[5:],
        "ndarray": lambda view: numpy.ndarray((10,), "u1", view),
    }
    kept = []

    def body(batch: Batch, _: Emit) -> None:
        for index, obj in enumerate(batch):
            view = obj.value
            if index == 3:
                kept.append(ways[how](view))
            # Nothing that was made since lies below what is kept.
            assert not kept or kept[0][0] == 3

    with pytest.raises(Failed, match="BufferError: a view of engine memory was kept"):
        result(body, LARGE)


def test_values_need_a_number_type() -> None:
    with pytest.raises(Failed, match="TypeError: batch.values needs one pool with a declared number type"):
        result(lambda batch, _: batch.values, OBJECTS)


def test_values_without_numpy_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(Failed, match="ImportError: batch.values needs numpy, which .* does not have"):
        result(lambda batch, _: batch.values, [("k", 1)], input_type="u64")


def test_what_was_reported_done_is_kept_when_the_batch_fails() -> None:
    def body(batch: Batch, emit: Emit) -> None:
        for index, obj in enumerate(batch):
            emit(obj.key, obj.value)
            if index < 30:
                batch.done(index + 1)
        raise ValueError("beyond 30")

    harness = Harness(Does(body), pools=["/out"])
    with pytest.raises(Failed) as failed:
        harness.batch(OBJECTS)
    assert (failed.value.done, failed.value.item, len(harness.emitted)) == (30, None, 30)


@pytest.mark.parametrize("count", [-1, 101])
def test_done_takes_what_there_is(count: int) -> None:
    with pytest.raises(Failed, match="it has 100 objects, 0 were done before"):
        result(lambda batch, _: batch.done(count), OBJECTS)


def test_flush_may_emit_and_a_failed_flush_keeps_nothing() -> None:
    class Flushes:
        def on_object(self, obj: Object, emit: Emit) -> None:
            self.fails = obj.key == b"fail"

        def flush(self, emit: Emit) -> None:
            emit("end", b"")
            if self.fails:
                raise ValueError("in flush")

    harness = Harness(Flushes(), pools=["/out"])
    harness.put("go")
    harness.flush()
    harness.put("fail")
    with pytest.raises(Failed, match="in flush"):
        harness.flush()
    assert [each.key for each in harness.emitted] == [b"end"]
