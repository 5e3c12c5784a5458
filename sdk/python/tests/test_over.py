"""Items of handlers that answer later which are given up, or which their handlers cancel."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from typing import Any

import pytest
from later_handlers import Does, until

import upcall
from upcall import Cancelled, Closed, Context, Emit, Object, TimedOut
from upcall.testing import Failed, Harness, Pending


class Hangs:
    """Waits for ever, and keeps what it has seen."""

    def __init__(self, *, ignores: bool = False) -> None:
        self.ignores = ignores
        self.kept: list[Any] = []
        self.seen: list[BaseException] = []
        self.ended = threading.Event()

    async def on_object(self, obj: Object, emit: Emit) -> None:
        self.kept = [obj, emit]
        assert obj.cancelled is None
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError as error:
            self.seen += [error, *([obj.cancelled] if obj.cancelled else [])]
            if not self.ignores:
                raise
            await asyncio.sleep(0.01)
            raise KeyError("nobody hears it") from None
        finally:
            self.ended.set()


def began(harness: Harness, handler: Hangs, key: str = "key") -> Pending:
    pending = harness.begin(key)
    until(lambda: bool(handler.kept))
    return pending


def uses(handler: Hangs) -> list[BaseException]:
    """What each use of what the handler has kept raises."""
    obj, emit = handler.kept
    raised: list[BaseException] = []
    for use in (
        lambda: obj.key,
        lambda: obj.value,
        lambda: obj.number,
        lambda: obj.version,
        lambda: obj.time,
        lambda: obj.pool,
        lambda: obj.sender,
        lambda: emit("key", "value"),
        lambda: emit.many(["key"], "value"),
        lambda: emit.put_if("key", "value", 0),
        lambda: emit.read("/kept", "key"),
        lambda: emit.list("/kept"),
    ):
        with pytest.raises(Exception) as failed:
            use()
        raised.append(failed.value)
    return raised


@pytest.mark.parametrize("ignores", [False, True])
def test_a_deadline_that_passes(ignores: bool) -> None:
    handler = Hangs(ignores=ignores)
    with Harness(handler, pools=["/out"], deadline=0.02) as harness:
        with pytest.raises(TimedOut) as raised:
            harness.put("key")
        (failed,) = [raised.value.__cause__]
        assert isinstance(failed, Failed) and failed.type_name == "upcall.TimedOut"
        assert "in on_object" in failed.stack and "await asyncio.sleep(1000)" in failed.stack
        assert handler.ended.wait(10)
        error, reason = handler.seen
        assert isinstance(error.args[0], TimedOut) and isinstance(reason, TimedOut)
        assert {type(error) for error in uses(handler)} == {TimedOut}
        assert repr(handler.kept[0]) == "<upcall.Object, ended>"


@pytest.mark.parametrize("ignores", [False, True])
def test_a_cancellation_from_outside(ignores: bool) -> None:
    handler = Hangs(ignores=ignores)
    with Harness(handler, pools=["/out"], deadline=100.0) as harness:
        pending = began(harness, handler)
        assert not pending.done
        pending.cancel()
        pending.cancel()
        with pytest.raises(Cancelled):
            pending.wait()
        assert handler.ended.wait(10)
        assert isinstance(handler.seen[0].args[0], Cancelled) and isinstance(handler.seen[1], Cancelled)
        assert {type(error) for error in uses(handler)} == {Cancelled}


@pytest.mark.parametrize("ignores", [False, True])
def test_a_handler_that_is_closed(ignores: bool) -> None:
    handler = Hangs(ignores=ignores)
    harness = Harness(handler, pools=["/out"])
    pending = began(harness, handler)
    harness.close()
    assert handler.ended.is_set()
    with pytest.raises(Closed):
        pending.wait()
    assert isinstance(handler.seen[0].args[0], Closed) and isinstance(handler.seen[1], Closed)
    assert {type(error) for error in uses(handler)} == {Closed}


def test_what_is_kept_beyond_an_answer_is_closed() -> None:
    kept: list[Any] = []

    async def do(obj: Object, emit: Emit) -> None:
        assert obj.key == b"key" and obj.value == b"value"
        kept.extend([obj, emit])

    with Harness(Does(do), pools=["/out"]) as harness:
        harness.put("key", "value")
        with pytest.raises(Closed, match="the object was used after its item was answered"):
            _ = kept[0].key
        with pytest.raises(Closed, match="emit was used after its item was answered: await whatever uses it"):
            kept[1]("a", "b")
        assert isinstance(kept[0].cancelled, Closed)
        assert str(kept[0].cancelled) == "the object is closed: it was answered already"


def test_the_three_errors_are_of_types_of_their_own() -> None:
    for one in (TimedOut, Cancelled, Closed):
        assert one.__module__ == "upcall" and getattr(upcall, one.__name__) is one
        assert not issubclass(one, (asyncio.CancelledError, *({TimedOut, Cancelled, Closed} - {one})))
        assert issubclass(one, TimeoutError if one is TimedOut else RuntimeError)


def test_a_cancellation_of_the_handlers_own_is_an_ordinary_failure() -> None:
    async def own(obj: Object, emit: Emit) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel("mine")
        await asyncio.sleep(1)

    async def raises(obj: Object, emit: Emit) -> None:
        raise asyncio.CancelledError("mine")

    async def of_another(obj: Object, emit: Emit) -> None:
        other = asyncio.ensure_future(asyncio.sleep(100))
        asyncio.get_running_loop().call_soon(other.cancel, "mine")
        await other

    for do in (own, raises, of_another):
        with Harness(Does(do), pools=["/out"], deadline=100.0) as harness:
            with pytest.raises(Failed) as failed:
                harness.put("key")
            assert failed.value.type_name == "asyncio.exceptions.CancelledError"
            assert failed.value.message == "mine" and "in on_object" in failed.value.stack


def test_each_reason_is_one_plain_sentence() -> None:
    told = {
        TimedOut: "the object timed out",
        Cancelled: "the object was cancelled: the flow is being stopped",
        Closed: "the object is closed: its handler is being closed",
    }
    used = {
        TimedOut: "emit was used after its item timed out",
        Cancelled: "emit was used after its item was cancelled: the flow is being stopped",
        Closed: "emit was used after its item was closed: its handler is being closed",
    }
    for why, text in told.items():
        handler = Hangs()
        harness = Harness(handler, pools=["/out"], deadline=0.02 if why is TimedOut else None)
        pending = began(harness, handler)
        if why is Cancelled:
            pending.cancel()
        if why is Closed:
            harness.close()
        with pytest.raises(why) as raised:
            pending.wait()
        cause = raised.value.__cause__
        assert isinstance(cause, Failed) and (str(raised.value), cause.message) == (text, text)
        assert handler.ended.wait(10)
        assert [str(error) for error in (handler.seen[0].args[0], handler.seen[1])] == [text, text]
        with pytest.raises(why) as late:
            handler.kept[1]("key", "value")
        assert str(late.value) == used[why]
        harness.close()


def test_nothing_is_left_of_items_that_are_over(capsys: pytest.CaptureFixture[str]) -> None:
    problems: list[Any] = []
    gc.collect()
    before = [sys.getrefcount(of) for of in (Object, Emit)]

    class Watched(Hangs):
        async def open(self, ctx: Context) -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: problems.append(context))

    for ignores in (False, True):
        handler = Watched(ignores=ignores)
        with Harness(handler, pools=["/out"], deadline=0.005) as harness:
            for _ in range(10):
                with pytest.raises(TimedOut):
                    harness.put("key")
            handler.kept = []
            gc.collect()
        handler.seen.clear()
        del handler, harness
        gc.collect()
    assert problems == []
    # An object of a type made at run time counts as a reference to it, but for what else refers to the type since.
    after = [sys.getrefcount(of) for of in (Object, Emit)]
    assert all(now < then + 5 for now, then in zip(after, before, strict=True)), (before, after)
    assert capsys.readouterr().err == ""


def test_deadlines_that_pass_about_when_the_answer_comes() -> None:
    class Jitters:
        async def on_object(self, obj: Object, emit: Emit) -> None:
            await asyncio.sleep(int(obj.key) % 5 * 0.001)
            emit(obj.key, obj.value)
            emit(obj.key, b"x" * 5000)

    with Harness(Jitters(), pools=["/out"], deadline=0.002) as harness:
        over = 0
        for _ in range(20):
            for pending in [harness.begin(f"{n}", b"v") for n in range(50)]:
                try:
                    pending.wait()
                except TimedOut:
                    over += 1
        assert len(harness.emitted) == 2 * (1000 - over)
