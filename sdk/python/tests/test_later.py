"""Handlers that answer later: an ``async def on_object``."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import gc
import logging
import sys
import threading
import time
from typing import Any

import pytest
from later_handlers import Does, Echo, Slow

from upcall import Context, Emit, Object, TimedOut
from upcall.testing import Failed, Harness


def test_an_answer_without_waiting() -> None:
    with Harness(Echo(), pools=["/out"]) as harness:
        harness.put("key", b"value")
        harness.batch([("a", "1"), ("b", "2")])
        assert harness.emitted == [("/out", b"key", b"value"), ("/out", b"a", b"1"), ("/out", b"b", b"2")]


def test_100_items_of_10_ms_overlap() -> None:
    handler = Slow()
    with Harness(handler, pools=["/out"]) as harness:
        harness.put("first")
        begun = time.monotonic()
        harness.batch((f"{n}", b"v") for n in range(100))
        assert time.monotonic() - begun < 0.9
        assert handler.most > 50
        assert [each.key for each in harness.emitted[1:]] == [b"%d" % n for n in range(100)]


def test_emissions_before_and_after_an_await_arrive_in_order() -> None:
    async def do(obj: Object, emit: Emit) -> None:
        emit("1", "a")
        await asyncio.sleep(0)
        emit.many(["2", "3"], ["b", "c"])
        await asyncio.sleep(0.001)
        emit("4", "x" * 100_000)
        emit("5", "e")

    with Harness(Does(do), pools=["/out"]) as harness:
        harness.put("key")
        assert [each.key for each in harness.emitted] == [b"1", b"2", b"3", b"4", b"5"]
        assert len(harness.emitted[3].value) == 100_000


def test_a_failure_after_an_await_fails_that_item_only_and_tells_where() -> None:
    async def deeper(key: bytes) -> None:
        await asyncio.sleep(0.001)
        if key == b"1":
            raise KeyError(f"nothing for {key.decode()}")

    async def do(obj: Object, emit: Emit) -> None:
        emit(obj.key, "before")
        await deeper(obj.key)
        emit(obj.key, "after")

    with Harness(Does(do), pools=["/out"]) as harness:
        with pytest.raises(Failed, match="nothing for 1") as failed:
            harness.batch((f"{n}", "") for n in range(3))
        assert (failed.value.type_name, failed.value.item) == ("KeyError", 1)
        assert "in deeper" in failed.value.stack and "in on_object" in failed.value.stack
        assert [each.key for each in harness.emitted] == [b"0", b"0", b"2", b"2"]


def test_all_of_an_object_can_be_read_after_an_await() -> None:
    async def do(obj: Object, emit: Emit) -> None:
        await asyncio.sleep(0.001)
        emit(obj.key, f"{obj.value!r} {obj.number} {obj.pool} {obj.sender} {obj.version} {obj.time} {obj!r}")

    with Harness(Does(do), pools=["/out"], input_type="u64") as harness:
        harness.put("key", 7)
        assert harness.emitted[0].value.decode() == (
            f"{(7).to_bytes(8, 'little')!r} 7 /in harness 1 1 <upcall.Object key v1 (8 bytes)>"
        )


def test_a_large_value_is_bytes_which_may_be_kept() -> None:
    kept = []

    async def do(obj: Object, emit: Emit) -> None:
        kept.append(obj.value)

    with Harness(Does(do)) as harness:
        harness.put("key", b"x" * 100_000)
    assert kept == [b"x" * 100_000] and isinstance(kept[0], bytes)


def test_typed_values() -> None:
    class Adds:
        async def on_object(self, obj: Object[int], emit: Emit[int]) -> None:
            await asyncio.sleep(0)
            emit(obj.key, obj.value + 1)

    with Harness(Adds(), pools={"/out": "i64"}, input_type="u32") as harness:
        harness.put("a", 41)
        assert harness.numbers("/out") == {"a": 42}

    class Text:
        async def on_object(self, obj: Object[str], emit: Emit) -> None: ...

    with Harness(Text()) as harness, pytest.raises(Failed, match="read the value of key as str"):
        harness.put("key", b"\xff")


def test_reading_a_pool_logging_and_a_conditional_emission_after_an_await() -> None:
    class Reads:
        def open(self, ctx: Context) -> None:
            self.log = ctx.log

        async def on_object(self, obj: Object, emit: Emit) -> None:
            await asyncio.sleep(0.001)
            found = emit.read("/kept", obj.key)
            assert found is not None and emit.list("/kept") == [b"a", b"b"]
            self.log.info("found %s", found.value.decode())
            assert await asyncio.to_thread(lambda: emit.read("/kept", "b")) == (b"2", 1, 1)
            await asyncio.to_thread(logging.getLogger("upcall").info, "elsewhere")
            emit.put_if(obj.key, found.value + b"!", found.version)

    reads = {"/kept": {"a": "1", "b": "2"}}
    with Harness(Reads(), pools=["/out"], reads=reads) as harness:
        harness.put("a")
        assert harness.emitted == [("/out", b"a", b"1!")] and harness.emitted[0].previous == 1
        assert harness.logged == [(3, "found 1"), (3, "elsewhere")]


def test_hooks_may_be_coroutines_too() -> None:
    class Hooks:
        async def open(self, ctx: Context) -> None:
            await asyncio.sleep(0.001)
            self.log, self.loop, self.seen = ctx.log, asyncio.get_running_loop(), 0
            self.log.info("open %s", ctx.name)

        async def on_object(self, obj: Object, emit: Emit) -> None:
            assert asyncio.get_running_loop() is self.loop
            self.seen += 1

        async def flush(self, emit: Emit) -> None:
            await asyncio.sleep(0.001)
            emit("seen", str(self.seen))

        async def close(self) -> None:
            await asyncio.sleep(0.001)
            self.log.info("close")

    with Harness(Hooks(), pools=["/out"]) as harness:
        harness.put("a")
        harness.warm("b")
        harness.flush()
    assert harness.emitted == [("/out", b"seen", b"2")]
    assert harness.logged == [(3, "open handler"), (3, "close")]


def test_plain_hooks_and_ones_that_fail() -> None:
    class Plain(Echo):
        def open(self, ctx: Context) -> None:
            assert threading.current_thread() is threading.main_thread()

        def flush(self, emit: Emit) -> None:
            emit("flushed", "")

    with Harness(Plain(), pools=["/out"]) as harness:
        harness.flush()
        assert harness.emitted == [("/out", b"flushed", b"")]

    class Fails(Echo):
        async def open(self, ctx: Context) -> None:
            if ctx.settings:
                raise ValueError("no")

        async def flush(self, emit: Emit) -> None:
            emit("a", "b")
            await asyncio.sleep(0)
            raise KeyError("flush")

        async def close(self) -> None:
            raise KeyError("close")

    with pytest.raises(Failed, match="ValueError: no"):
        Harness(Fails(), settings={"a": "b"}).put("key")
    harness = Harness(Fails(), pools=["/out"])
    with pytest.raises(Failed, match="KeyError: 'flush'"):
        harness.flush()
    assert harness.emitted == []
    with pytest.raises(Failed, match="KeyError: 'close'"):
        harness.close()


def test_a_sample_is_waited_for() -> None:
    handler = Slow()
    with Harness(handler, pools=["/out"]) as harness:
        harness.warm("key")
        assert (handler.most, handler.now, harness.emitted) == (1, 0, [])


def test_timeouts_task_groups_and_context_variables_of_the_handlers_own() -> None:
    variable: contextvars.ContextVar[bytes] = contextvars.ContextVar("variable")

    async def part(emit: Emit, key: str) -> None:
        await asyncio.sleep(0.001)
        emit(key, variable.get())

    async def do(obj: Object, emit: Emit) -> None:
        variable.set(obj.key)
        try:
            async with asyncio.timeout(0.001):
                await asyncio.sleep(100)
        except TimeoutError as error:
            assert not isinstance(error, TimedOut) and obj.cancelled is None
        async with asyncio.TaskGroup() as group:
            for n in range(3):
                group.create_task(part(emit, f"{n}"))

    with Harness(Does(do), pools=["/out"]) as harness:
        harness.batch([("a", ""), ("b", "")])
        assert [each.value for each in harness.emitted] == [b"a"] * 3 + [b"b"] * 3

    async def fails(obj: Object, emit: Emit) -> None:
        async with asyncio.timeout(0.001):
            await asyncio.sleep(100)

    with Harness(Does(fails)) as harness, pytest.raises(Failed) as failed:
        harness.put("a")
    assert failed.value.type_name == "TimeoutError"


@pytest.mark.parametrize("leaves", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_what_would_end_the_loop_fails_one_item(leaves: type[BaseException]) -> None:
    async def do(obj: Object, emit: Emit) -> None:
        await asyncio.sleep(0)
        if obj.key == b"bad":
            raise leaves("away")
        emit(obj.key, "")

    with Harness(Does(do), pools=["/out"]) as harness:
        with pytest.raises(Failed, match=leaves.__name__) as failed:
            harness.put("bad")
        assert "in on_object" in failed.value.stack and "asyncio" not in failed.value.stack
        harness.put("good")
        assert [each.key for each in harness.emitted] == [b"good"]


def test_asynchronous_functions_behind_decorators() -> None:
    def counted(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*given: Any) -> Any:
            return function(*given)

        return wrapper

    class Wrapped:
        @counted
        async def on_object(self, obj: Object, emit: Emit) -> None:
            await asyncio.sleep(0)
            emit(obj.key, "wrapped")

    async def bound(prefix: str, obj: Object, emit: Emit) -> None:
        await asyncio.sleep(0)
        emit(obj.key, prefix)

    class Partial:
        on_object = staticmethod(functools.partial(bound, "partial"))

    with Harness(Wrapped(), pools=["/out"]) as harness:
        harness.put("key")
        assert harness.emitted[0].value == b"wrapped"
    handler = type("Of", (), {"on_object": functools.partialmethod(Echo.on_object)})()
    with Harness(handler, pools=["/out"]) as harness:
        harness.put("key", "value")
        assert harness.emitted[0].value == b"value"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="inspect.markcoroutinefunction")
def test_a_function_that_is_marked() -> None:
    import inspect

    class Marked:
        def on_object(self, obj: Object, emit: Emit) -> Any:
            async def later() -> None:
                await asyncio.sleep(0)
                emit(obj.key, "marked")

            return later()

        getattr(inspect, "markcoroutinefunction")(on_object)

    with Harness(Marked(), pools=["/out"]) as harness:
        harness.put("key")
        assert harness.emitted[0].value == b"marked"


def test_what_cannot_be_asynchronous_is_refused() -> None:
    class Batches:
        async def on_batch(self, batch: Any, emit: Emit) -> None: ...

    class Combines:
        element = "f64"

        async def combine(self, source: Any, into: Any) -> None: ...

    class Yields:
        async def on_object(self, obj: Object, emit: Emit) -> Any:
            yield 1

    class Hook:
        async def flush(self, emit: Emit) -> None: ...

        def on_object(self, obj: Object, emit: Emit) -> None: ...

    for of, why in [
        (Batches, "on_batch is async, and a batch has one answer: write async def on_object"),
        (Combines, "combine is async"),
        (Yields, "on_object is an asynchronous generator"),
        (Hook, "flush is async, and on_object is not"),
    ]:
        with pytest.raises(TypeError, match=why):
            Harness(of())
    with pytest.raises(TypeError, match="this handler answers at once"):
        Harness(type("Sync", (), {"on_object": lambda self, obj, emit: None})()).begin("key")


def test_a_handler_that_was_never_closed_ends_its_thread() -> None:
    before = set(threading.enumerate())
    harness = Harness(Echo(), pools=["/out"])
    harness.put("key")
    (thread,) = set(threading.enumerate()) - before
    assert thread.name == "upcall handler"
    del harness
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()


def test_background_tasks_and_generators_end_with_the_handler() -> None:
    ended = []

    class Background(Echo):
        async def open(self, ctx: Context) -> None:
            self.task = asyncio.create_task(self.forever())
            self.generator = self.numbers()
            await self.generator.__anext__()

        async def forever(self) -> None:
            try:
                await asyncio.sleep(1000)
            finally:
                ended.append("task")

        async def numbers(self) -> Any:
            try:
                yield 1
            finally:
                await asyncio.sleep(0)
                ended.append("generator")

        async def close(self) -> None:
            assert not self.task.done()
            ended.append("close")

    with Harness(Background(), pools=["/out"]) as harness:
        harness.put("key")
    assert ended == ["close", "task", "generator"]


def test_a_coroutine_that_nobody_awaits_fails_its_object_and_says_so() -> None:
    def hidden(method: Any) -> Any:
        return lambda self, obj, emit: method(self, obj, emit)

    class Hidden:
        @hidden
        async def on_object(self, obj: Object, emit: Emit) -> None:
            emit(obj.key, b"never")

    with Harness(Hidden(), pools=["/out"]) as harness:
        with pytest.raises(Failed, match="returned a coroutine, which nobody awaits: write it as `async def on_object`"):
            harness.put("key")
        assert harness.emitted == []
