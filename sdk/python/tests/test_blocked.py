"""Handlers that answer later and block their event loop, which then hears of no cancellation."""

from __future__ import annotations

import asyncio
import logging
import threading
import time

import pytest
from later_handlers import Does, until

from upcall import Cancelled, Closed, Emit, Object, TimedOut
from upcall.testing import Failed, Harness


def test_a_loop_that_is_blocked_gives_up_nothing_until_it_comes_back() -> None:
    blocked, go = threading.Event(), threading.Event()
    seen: list[bytes] = []

    async def do(obj: Object, emit: Emit) -> None:
        seen.append(obj.key)
        if obj.key == b"waits":
            await asyncio.sleep(1000)
        blocked.set()
        go.wait(30)
        emit(obj.key, "")

    with Harness(Does(do), pools=["/out"], deadline=100.0) as harness:
        waits = harness.begin("waits")
        until(lambda: bool(seen))
        blocks = harness.begin("blocks")
        assert blocked.wait(10)
        behind = [harness.begin(f"{n}") for n in range(3)]  # the loop does not even take them
        given_up = [waits, *behind]
        for pending in [*given_up, *given_up]:
            pending.cancel()
        behind[0]._cancel(TimedOut, 1)  # the first reason stays
        time.sleep(0.05)
        assert not any(pending.done for pending in [*given_up, blocks])
        go.set()
        for pending in given_up:
            with pytest.raises(Cancelled, match="^the object was cancelled: the flow is being stopped$") as raised:
                pending.wait()
            cause = raised.value.__cause__
            assert isinstance(cause, Failed) and cause.type_name == "upcall.Cancelled"
        blocks.wait()
        assert seen == [b"waits", b"blocks"]
        assert [each.key for each in harness.emitted] == [b"blocks"]


def test_a_deadline_that_passes_while_the_loop_is_blocked_is_heard_afterwards() -> None:
    blocked, go = threading.Event(), threading.Event()

    async def do(obj: Object, emit: Emit) -> None:
        blocked.set()
        go.wait(30)
        await asyncio.sleep(1000)

    with Harness(Does(do), pools=["/out"], deadline=0.02) as harness:
        pending = harness.begin("key")
        assert blocked.wait(10)
        timer = threading.Timer(0.1, go.set)
        timer.start()
        with pytest.raises(TimedOut, match="^the object timed out$"):
            pending.wait()
        assert go.is_set()
        timer.join()


def test_items_of_a_blocked_loop_are_closed_as_what_they_were_given_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcall._later.LIMIT", 0.05)
    blocked, go, seen = threading.Event(), threading.Event(), list[bytes]()

    async def do(obj: Object, emit: Emit) -> None:
        seen.append(obj.key)
        if obj.key == b"blocks":
            blocked.set()
            go.wait(30)
        await asyncio.sleep(1000)

    before = set(threading.enumerate())
    harness = Harness(Does(do), pools=["/out"])
    waits = harness.begin("waits")
    until(lambda: bool(seen))
    (thread,) = set(threading.enumerate()) - before
    blocks = harness.begin("blocks")
    assert blocked.wait(10)
    behind = [harness.begin("1"), harness.begin("2")]
    for pending in (waits, behind[0]):
        pending.cancel()
    harness.close()
    why = {waits: Cancelled, blocks: Closed, behind[0]: Cancelled, behind[1]: Closed}
    for pending, of in why.items():
        assert pending.done
        with pytest.raises(of) as raised:
            pending.wait()
        cause = raised.value.__cause__
        assert isinstance(cause, Failed) and cause.type_name == f"upcall.{of.__name__}"
    go.set()
    thread.join(10)
    assert not thread.is_alive() and seen == [b"waits", b"blocks"]


def test_a_loop_that_is_blocked_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcall._later.LIMIT", 0.05)
    blocked, go, raised = threading.Event(), threading.Event(), list[BaseException]()

    class Blocks:
        async def on_object(self, obj: Object, emit: Emit) -> None:
            blocked.set()
            go.wait(30)
            try:
                emit(obj.key, "late")
            except Closed as error:
                raised.append(error)
            logging.getLogger("upcall").info("nobody hears it")

        async def close(self) -> None:
            raise AssertionError("it is not run")

    before = set(threading.enumerate())
    harness = Harness(Blocks(), pools=["/out"])
    pending = harness.begin("key")
    assert blocked.wait(10)
    (thread,) = set(threading.enumerate()) - before
    with pytest.raises(Failed, match="close was not run: the handler blocks its event loop"):
        harness.close()
    with pytest.raises(Closed):
        pending.wait()
    assert [text for _, text in harness.logged] == ["the handler blocks its event loop, which is left behind"]
    go.set()
    thread.join(10)
    assert not thread.is_alive() and len(raised) == 1
