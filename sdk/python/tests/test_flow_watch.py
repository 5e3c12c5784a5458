"""How a watch is walked, by one or by several, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import weakref
from collections.abc import AsyncIterator
from itertools import islice
from typing import Any

import pytest

from upcall.flow import Event, Flow, FlowBuilder, Watch

PATIENCE = 30.0


def watched(count: int) -> tuple[Flow, Watch]:
    """A flow, and a watch that has seen so many puts, which the engine hands over at once."""
    flow = FlowBuilder().pool("/p").start()
    watch = flow.watch("/p")
    for number in range(count):
        flow.pool("/p").put(f"k{number}", "")
    flow.settle()
    return flow, watch


def test_a_loop_that_is_left_loses_no_events() -> None:
    async def first() -> str:
        async for event in watch:
            return event.key
        return "none"

    flow, watch = watched(8)
    # What the watch has seen can be walked to its end, also where some of it is lost.
    flow.stop()
    for event in watch:
        assert event.key == "k0"
        break
    assert asyncio.run(first()) == "k1"
    assert [event.key for event in islice(watch, 2)] == ["k2", "k3"]
    assert [event.key for event in islice(watch, 2)] == ["k4", "k5"]
    assert [event.key for event in watch.next(0)] == ["k6", "k7"]
    assert watch.next(0) == [] and list(watch) == []


def test_close_ends_the_loops_of_other_threads() -> None:
    flow, watch = watched(1)
    taken = threading.Event()

    def walk() -> None:
        for _ in watch:
            taken.set()

    async def walk_async() -> None:
        async for _ in watch:
            taken.set()

    walkers = [threading.Thread(target=walk) for _ in range(2)]
    walkers += [threading.Thread(target=lambda: asyncio.run(walk_async())) for _ in range(2)]
    with flow:
        for walker in walkers:
            walker.start()
        assert taken.wait(PATIENCE)
        watch.close()
        for walker in walkers:
            walker.join(PATIENCE)
        assert not any(walker.is_alive() for walker in walkers)
        flow.pool("/p").put("late", "")
        assert list(watch) == [] and watch.next(None) == []
        watch.close()


def test_a_watch_ends_with_its_block_and_the_flow_goes_on() -> None:
    flow, watch = watched(2)
    with flow:
        with watch as same:
            assert same is watch
            assert [event.key for event in islice(watch, 1)] == ["k0"]
        assert list(watch) == []
        with flow.watch("/p") as other:
            flow.pool("/p").put("more", "")
            assert [event.key for event in other.next(PATIENCE)] == ["more"]


def test_loops_that_wait_at_the_same_time_share_the_events_and_all_end() -> None:
    async def run(flow: Flow, watch: Watch) -> None:
        async def waiting(walks: list[AsyncIterator[Event]]) -> list[asyncio.Task[Event]]:
            tasks = [asyncio.ensure_future(anext(walk)) for walk in walks]  # type: ignore[arg-type]
            # Each has begun when this goes on, and waits.
            await asyncio.sleep(0)
            return tasks

        walks = [aiter(watch), aiter(watch), aiter(watch)]
        tasks = await waiting(walks)
        for number in range(3):
            flow.pool("/p").put(f"k{number}", "")
        async with asyncio.timeout(PATIENCE):
            assert sorted(event.key for event in await asyncio.gather(*tasks)) == ["k0", "k1", "k2"]
        # The one that was asked last goes away; the next event wakes the others all the same.
        tasks = await waiting(walks)
        tasks[2].cancel()
        flow.pool("/p").put("k3", "")
        async with asyncio.timeout(PATIENCE):
            done, left = await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
            assert [task.result().key for task in done] == ["k3"]
            watch.close()
            for task in left:
                with pytest.raises(StopAsyncIteration):
                    await task

    flow, watch = watched(0)
    with flow:
        asyncio.run(run(flow, watch))


def test_a_loop_that_begins_to_wait_takes_what_another_thread_has_read_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_one_of_two() -> None:
        for number in range(2):
            flow.pool("/p").put(f"k{number}", "")
        flow.settle()
        taken.extend(event.key for event in islice(watch, 1))

    def one() -> contextlib.AbstractContextManager[Any]:
        # The loop has found nothing, and is not yet there to be woken.
        monkeypatch.undo()
        other = threading.Thread(target=read_one_of_two)
        other.start()
        other.join(PATIENCE)
        return waiting.one()

    async def run() -> None:
        async with asyncio.timeout(PATIENCE):
            taken.append((await anext(aiter(watch))).key)

    taken: list[str] = []
    flow, watch = watched(0)
    waiting = watch._waiting
    monkeypatch.setattr(waiting, "one", one)
    with flow:
        asyncio.run(run())
    assert taken == ["k0", "k1"]


def test_loops_that_wait_at_the_same_time_all_end_with_the_flow() -> None:
    async def walk(watch: Watch) -> list[str]:
        return [event.key async for event in watch]

    async def run(flow: Flow, watch: Watch) -> None:
        walks = [asyncio.ensure_future(walk(watch)) for _ in range(3)]
        # Each has begun when this goes on, and waits.
        await asyncio.sleep(0)
        walks[2].cancel()
        await flow.pool("/p").put_async("k", "")
        await flow.stop_async()
        async with asyncio.timeout(PATIENCE):
            ended = await asyncio.gather(*walks[:2])
        assert sorted(ended) == [[], ["k"]]

    flow, watch = watched(0)
    with flow:
        asyncio.run(run(flow, watch))


def test_a_watch_that_was_waited_for_is_forgotten() -> None:
    async def given_up(watch: Watch) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await anext(aiter(watch))

    flow, watch = watched(0)
    with flow:
        asyncio.run(given_up(watch))
        ref = weakref.ref(watch)
        del watch
        gc.collect()
        assert ref() is None
