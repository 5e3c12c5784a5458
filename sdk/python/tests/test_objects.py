"""What a handler that takes objects is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from upcall import Context, Emit, Object
from upcall.testing import Emitted, Failed, Harness


class Echo:
    def on_object(self, obj: Object, emit: Emit) -> None:
        emit(obj.key, obj.value)


def test_what_is_emitted_goes_to_the_first_pool() -> None:
    harness = Harness(Echo(), pools=["/first", "/second"])
    harness.put("key", b"value")
    assert harness.emitted == [Emitted("/first", b"key", b"value")]


def test_an_object_tells_where_it_comes_from() -> None:
    class Tells:
        def on_object(self, obj: Object, emit: Emit) -> None:
            emit(obj.pool, f"{obj.sender} {obj.version} {obj.time} {obj!r}")

    harness = Harness(Tells(), pools=["/out"])
    harness.put("a", "12")
    assert harness.emitted == [Emitted("/out", b"/in", b"harness 1 1 <upcall.Object a v1 (2 bytes)>")]


def test_key_and_value_stay_right_when_they_become_fields() -> None:
    """The driver changes the object's type once it has seen what is read."""
    harness = Harness(Echo(), pools=["/out"])
    objects = [(f"key {n}", b"v" * n) for n in range(100)]
    harness.batch(objects[:50])
    for key, value in objects[50:]:
        harness.put(key, value)
    assert [(each.key.decode(), each.value) for each in harness.emitted] == objects


@pytest.mark.parametrize("attribute", ["key", "value"])
def test_the_attribute_that_is_not_a_field_still_answers(attribute: str) -> None:
    class Mostly:
        def on_object(self, obj: Object, emit: Emit) -> None:
            first = getattr(obj, attribute)
            if obj.version > 20:
                first = obj.key + b"=" + bytes(obj.value)
            emit("", first)

    harness = Harness(Mostly(), pools=["/out"])
    harness.batch([("k", b"v")] * 21)
    assert harness.emitted[-1].value == b"k=v"


def test_small_values_are_bytes_and_large_ones_views() -> None:
    seen: list[type] = []

    class Looks:
        def on_object(self, obj: Object, emit: Emit) -> None:
            seen.append(type(obj.value))
            assert bytes(obj.value) == b"x" * len(obj.value)

    harness = Harness(Looks())
    harness.batch([("a", b"x" * 4095), ("b", b"x" * 4096)] * 20)
    assert seen == [bytes, memoryview] * 20


def test_an_object_cannot_be_changed_or_made() -> None:
    class Changes:
        def on_object(self, obj: Object, emit: Emit) -> None:
            obj.key = b"other"  # type: ignore[misc]

    for _ in range(2):
        with pytest.raises(Failed, match="AttributeError"):
            Harness(Changes()).put("a", b"")
    with pytest.raises(TypeError):
        Object()


def test_a_view_that_is_kept_fails_its_item_and_cannot_be_used() -> None:
    kept: list[memoryview] = []

    class Keeps:
        def on_object(self, obj: Object, emit: Emit) -> None:
            assert isinstance(obj.value, memoryview)
            kept.append(obj.value)

    with pytest.raises(Failed, match="BufferError: a view of engine memory was kept"):
        Harness(Keeps()).put("a", b"x" * 5000)
    with pytest.raises(ValueError, match="released memoryview"):
        kept[0][0]


@pytest.mark.parametrize("how", ["frombuffer", "ndarray", "slice", "memoryview"])
def test_what_is_made_of_a_view_and_kept_fails_its_item(how: str) -> None:
    import numpy

    ways: dict[str, Callable[[memoryview], Any]] = {
        "frombuffer": lambda view: numpy.frombuffer(view, dtype="u1"),
        "ndarray": lambda view: numpy.ndarray((10,), "u1", view),
        "slice": lambda view: view[5:],
        "memoryview": memoryview,
    }

    class Keeps:
        def on_object(self, obj: Object, emit: Emit) -> None:
            assert isinstance(obj.value, memoryview)
            made = ways[how](obj.value)
            if obj.version == 2:
                self.kept = made

    harness = Harness(Keeps())
    harness.put("a", b"x" * 5000)
    with pytest.raises(Failed, match="BufferError: a view of engine memory was kept"):
        harness.put("a", b"x" * 5000)


def test_an_object_that_is_kept_with_its_view_is_only_ended() -> None:
    class Keeps:
        def __init__(self) -> None:
            self.kept: list[Object] = []

        def on_object(self, obj: Object, emit: Emit) -> None:
            len(obj.value)
            self.kept.append(obj)

    handler = Keeps()
    Harness(handler).batch([("a", b"x" * 5000)] * 20)
    with pytest.raises(RuntimeError):
        handler.kept[0].value


def test_a_view_in_the_frames_of_a_caught_exception_is_no_leak() -> None:
    class Catches:
        def on_object(self, obj: Object, emit: Emit) -> None:
            try:
                self.fails(obj.value[1:])
            except ValueError as error:
                cycle = [error]
                cycle.append(cycle)  # type: ignore[arg-type]

        def fails(self, view: bytes | memoryview) -> None:
            raise ValueError

    Harness(Catches()).put("a", b"x" * 5000)


def test_the_context_has_settings_pools_and_a_log() -> None:
    class Opens:
        def open(self, ctx: Context) -> None:
            self.ctx = ctx
            ctx.log.warning("top is %s", ctx.settings["top"])

        def on_object(self, obj: Object, emit: Emit) -> None: ...

    handler = Opens()
    harness = Harness(handler, settings={"top": "3"}, pools={"/out": "u64"}, reads={"/kept": {}})
    harness.put("a")
    ctx = handler.ctx
    assert (ctx.name, ctx.worker, ctx.workers, list(ctx.senders)) == ("handler", 0, 1, ["harness"])
    assert [(pool.path, pool.value_type, pool.emits, pool.readable) for pool in ctx.pools] == [
        ("/in", "", False, False),
        ("/out", "u64", True, False),
        ("/kept", "", False, True),
    ]
    assert harness.logged == [(2, "top is 3")]


def test_a_failed_open_is_the_failure_of_the_first_call() -> None:
    class Fails:
        def open(self, ctx: Context) -> None:
            raise LookupError("no top")

        def on_object(self, obj: Object, emit: Emit) -> None: ...

    with pytest.raises(Failed, match="LookupError: no top"):
        Harness(Fails()).put("a")


def test_close_is_called_once() -> None:
    closed: list[int] = []

    class Closes(Echo):
        def close(self) -> None:
            closed.append(1)

    with Harness(Closes(), pools=["/out"]) as harness:
        harness.put("a")
    assert closed == [1]


def test_what_is_no_handler_is_refused() -> None:
    class Neither:
        pass

    class Both(Echo):
        def on_batch(self, batch: object, emit: Emit) -> None: ...

    with pytest.raises(TypeError, match="neither on_object"):
        Harness(Neither())
    with pytest.raises(TypeError, match="both on_object and on_batch"):
        Harness(Both())


def test_a_bound_callable_is_as_good_as_a_method() -> None:
    class Holds:
        def __init__(self) -> None:
            self.seen: list[bytes] = []
            self.on_object = lambda obj, emit: self.seen.append(obj.key)

        def on_object(self, obj: Object, emit: Emit) -> None:  # type: ignore[no-redef]
            raise AssertionError("the instance's own comes first")

    handler = Holds()
    Harness(handler).put("a")
    assert handler.seen == [b"a"]


@pytest.mark.parametrize("name", ["open", "flush", "close"])
def test_a_method_whose_attribute_raises_is_not_taken_for_a_missing_one(name: str) -> None:
    class Raises:
        def on_object(self, obj: Object, emit: Emit) -> None:
            pass

    setattr(Raises, name, property(lambda self: 1 / 0))

    with pytest.raises((Failed, ZeroDivisionError), match="division by zero"):
        with Harness(Raises()) as harness:
            harness.put("key")
            harness.flush()
