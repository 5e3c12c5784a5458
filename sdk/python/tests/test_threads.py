"""A second thread of a handler that is switched in between the start of a use and its end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from upcall import Batch, Emit, Object
from upcall.testing import Failed, Harness

Use = Callable[[Any, Any], Any]


class Gate:
    """Where the second thread waits, in the middle of a conversion, until the next call runs."""

    def __init__(self) -> None:
        self.inside = threading.Event()
        self.open = threading.Event()

    def wait(self) -> None:
        self.inside.set()
        assert self.open.wait(30)


GATE = Gate()


@pytest.fixture(autouse=True)
def gate() -> Iterator[None]:
    GATE.__init__()  # type: ignore[misc]
    yield
    GATE.open.set()


class Number:
    def __index__(self) -> int:
        GATE.wait()
        return 7


class Buffer:
    def __buffer__(self, flags: int) -> memoryview:
        GATE.wait()
        return memoryview(b"late")


class Text:
    """A packed class whose functions wait."""

    def pack(self) -> bytes:
        GATE.wait()
        return b"late"

    @classmethod
    def unpack(cls, data: bytes) -> Text:
        if data == b"waits":
            GATE.wait()
        return cls()


class Late:
    """Its first call starts a thread that uses what the call was given; the second call lets that go on."""

    def __init__(self, use: Use) -> None:
        self.use = use
        self.result: list[Any] = []
        self.thread: threading.Thread | None = None

    def call(self, given: Any, emit: Any) -> None:
        if self.thread is None:
            self.thread = threading.Thread(target=self.run, args=(given, emit))
            self.thread.start()
            assert GATE.inside.wait(30)
        else:
            GATE.open.set()
            self.thread.join()

    def run(self, given: Any, emit: Any) -> None:
        try:
            self.result.append(self.use(given, emit))
        except Exception as error:
            self.result.append(error)


class LateObject(Late):
    def on_object(self, obj: Object, emit: Emit) -> None:
        self.call(obj, emit)


class LateBatch(Late):
    def on_batch(self, batch: Batch, emit: Emit) -> None:
        self.call(batch, emit)


class LateTyped(Late):
    def on_object(self, obj: Object[Text], emit: Emit[Text]) -> None:
        self.call(obj, emit)


class LateTypedBatch(Late):
    def on_batch(self, batch: Batch[Text], emit: Emit[Text]) -> None:
        self.call(batch, emit)


def ended(handler: Late, values: tuple[bytes, ...] = (b"1",), **given: Any) -> str:
    """What the use raised in its thread; nothing of it was emitted."""
    with Harness(handler, pools={"/out": "", "/number": "i64"}, **given) as harness:
        for _ in range(2):
            harness.batch([(f"k{index}", value) for index, value in enumerate(values)])
        assert harness.emitted == []
    (error,) = handler.result
    assert isinstance(error, RuntimeError), error
    return str(error)


@pytest.mark.parametrize(
    "use",
    [
        lambda _, emit: emit("k", Number(), "/number"),
        lambda _, emit: emit.many(["k"], [Number()], "/number"),
        lambda _, emit: emit.many(["k", "l"], iter([Number(), 2]), "/number"),
    ],
)
@pytest.mark.parametrize("of", [LateObject, LateBatch])
def test_an_emission_whose_number_is_converted_beyond_its_call_is_refused(use: Use, of: type[Late]) -> None:
    assert "after its call had ended" in ended(of(use))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is from 3.12 on")
@pytest.mark.parametrize(
    "use",
    [
        lambda _, emit: emit("k", Buffer()),
        lambda _, emit: emit(Buffer(), b"v"),
        lambda _, emit: emit.many([Buffer()], b"v"),
        lambda _, emit: emit.read("/read", Buffer()),
    ],
)
def test_an_emission_whose_buffer_is_found_beyond_its_call_is_refused(use: Use) -> None:
    assert "after its call had ended" in ended(LateObject(use), reads={"/read": {"late": b"v"}})


@pytest.mark.parametrize(
    "use", [lambda _, emit: emit("k", Text()), lambda _, emit: emit.many(["k", "l"], Text())]
)
def test_an_emission_that_is_packed_beyond_its_call_is_refused(use: Use) -> None:
    assert "after its call had ended" in ended(LateTyped(use))


def test_an_emission_that_is_converted_beyond_its_item_is_not_counted_to_the_next() -> None:
    handler = LateObject(lambda _, emit: emit("k", Number(), "/number"))
    harness = Harness(handler, pools={"/number": "i64"})
    harness.batch([("a", b""), ("b", b"")])
    assert harness.emitted == []
    assert isinstance(handler.result[0], RuntimeError)


def test_progress_that_is_counted_beyond_its_call_is_refused() -> None:
    assert "the batch has ended with its call" in ended(LateBatch(lambda batch, _: batch.done(Number())))


@pytest.mark.parametrize("use", [lambda batch, _: batch.value_list(), lambda batch, _: [obj.value for obj in batch]])
def test_values_that_are_unpacked_beyond_their_call_are_refused(use: Use) -> None:
    assert "has ended with its call" in ended(LateTypedBatch(use), (b"waits", b"gone"))


def test_a_conversion_may_take_the_items_out_of_the_lists_that_are_emitted() -> None:
    class Clears:
        def __init__(self, *lists: list[Any]) -> None:
            self.lists = lists

        def __index__(self) -> int:
            for each in self.lists:
                each.clear()
            return 7

    class Many:
        def on_object(self, obj: Object, emit: Emit) -> None:
            keys: list[Any] = [b"key %d" % index * 100 for index in range(3)]
            values: list[Any] = [1, 2, 3]
            values[1] = Clears(keys, values)
            emit.many(keys, values, "/number")

    harness = Harness(Many(), pools={"/number": "i64"})
    with pytest.raises(Failed, match="IndexError"):
        harness.put("k")
    assert harness.emitted == []


BATCHES: list[Any] = []
SEEN: list[int] = []


class Ends(Text):
    def __del__(self) -> None:
        while BATCHES:
            batch = BATCHES.pop()  # before the objects that are made here end in turn
            try:
                SEEN.append(len([obj.key for obj in batch]))
            except RuntimeError:
                SEEN.append(-1)


class ReadsEnds:
    def on_batch(self, batch: Batch[Ends], emit: Emit) -> None:
        for obj in batch:
            BATCHES[:] = [batch]
            obj.value
        BATCHES.clear()


def test_a_value_whose_end_runs_code_may_use_the_batch() -> None:
    harness = Harness(ReadsEnds())
    for _ in range(3):
        harness.batch([(f"k{index}", b"v") for index in range(30)])
    assert SEEN and set(SEEN) <= {30, -1}


def test_a_handler_cannot_use_the_harness_that_runs_it() -> None:
    class Nests:
        def on_object(self, obj: Object, emit: Emit) -> None:
            harness.put("again")

    harness = Harness(Nests())
    with pytest.raises(Failed, match="the harness is running its handler"):
        harness.put("k")


def test_a_harness_may_be_used_again_after_it_was_closed() -> None:
    class Opens:
        opened = 0

        def open(self, ctx: object) -> None:
            self.opened += 1

        def on_object(self, obj: Object, emit: Emit) -> None:
            emit(obj.key, b"")

    handler = Opens()
    harness = Harness(handler, pools=["/out"])
    for _ in range(2):
        harness.put("k")
        harness.close()
    assert (handler.opened, len(harness.emitted)) == (2, 2)


def test_what_a_thread_still_uses_outlives_its_instance() -> None:
    handler = LateTyped(lambda _, emit: emit("k", Text()))
    harness = Harness(handler, pools=["/out"])
    harness.put("k", b"v")
    harness.close()
    del harness
    GATE.open.set()
    assert handler.thread is not None
    handler.thread.join()
    assert isinstance(handler.result[0], RuntimeError)


class KeepsEmit:
    """Keeps the emitter of its first call, and uses it in each one that follows, on another thread."""

    def __init__(self) -> None:
        self.kept: Any = None
        self.raised: list[BaseException] = []

    def use(self) -> None:
        for use in (lambda: self.kept("late", b""), lambda: self.kept.many(["late"], b""), lambda: self.kept.read("/read", "k")):
            try:
                use()
            except RuntimeError as error:
                self.raised.append(error)

    def call(self, emit: Any, key: Any) -> None:
        if self.kept is None:
            self.kept = emit
        else:
            thread = threading.Thread(target=self.use)
            thread.start()
            thread.join()
        emit(key, b"")


class KeepsEmitOfObjects(KeepsEmit):
    def on_object(self, obj: Object, emit: Emit) -> None:
        self.call(emit, obj.key)


class KeepsEmitOfBatches(KeepsEmit):
    def on_batch(self, batch: Batch, emit: Emit) -> None:
        self.call(emit, batch[0].key)


@pytest.mark.parametrize("of", [KeepsEmitOfObjects, KeepsEmitOfBatches])
def test_an_emitter_that_was_kept_emits_nothing_in_a_later_call(of: type[KeepsEmit]) -> None:
    handler = of()
    with Harness(handler, pools=["/out"], reads={"/read": {"k": b"v"}}) as harness:
        harness.put("a")
        harness.put("b")
        harness.batch([("c", b""), ("d", b"")])
        emitted = [each.key for each in harness.emitted]
        harness.flush()
    calls = len(emitted) - 1
    assert emitted == ([b"a", b"b", b"c", b"d"] if of is KeepsEmitOfObjects else [b"a", b"b", b"c"])
    assert len(handler.raised) == 3 * calls
    assert all("was used after its call had ended" in str(error) for error in handler.raised)
