"""Flows inside this program."""

from __future__ import annotations

import asyncio
import gc
import os
import textwrap
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import upcall
from upcall.flow import Flow, FlowBuilder, FlowError, Pool


def echo(**keys: Any) -> FlowBuilder:
    builder = FlowBuilder(**keys)
    builder.pool("/in").pool("/out")
    return builder


def test_words_are_counted_by_a_function_and_a_class() -> None:
    words = FlowBuilder(name="words", workers=2)
    words.pool("/lines", kind="trigger").pool("/words", kind="trigger").pool("/counts", type="u64")

    @words.on("/lines", to="/words")
    def split(line: upcall.Object, emit: upcall.Emit) -> None:
        for word in bytes(line.value).split():
            emit(word, b"")

    @words.on("/words", to="/counts")
    class Count:
        def __init__(self) -> None:
            self.counts: Counter[bytes] = Counter()

        def on_object(self, word: upcall.Object, emit: upcall.Emit) -> None:
            self.counts[word.key] += 1
            emit(word.key, self.counts[word.key].to_bytes(8, "little"))

    with words.start() as flow:
        lines = flow.pool("/lines")
        lines.put("1", "the quick the lazy")
        lines.put_many({"2": b"the end"})
        flow.drain()
        counts = flow.pool("/counts")
        assert counts.list() == ["end", "lazy", "quick", "the"]
        found = counts.get("the")
        assert found is not None and int.from_bytes(found.value, "little") == 3
        assert flow.pools == ["/lines", "/words", "/counts"]
        assert flow.report()["flow"] == "words"
        assert counts.value_type == "u64"


def test_a_file_names_a_handler_and_leaves_another_to_the_program(tmp_path: Path) -> None:
    (tmp_path / "shout.py").write_text(
        "class Shout:\n    def on_object(self, obj, emit):\n        emit(obj.key.upper(), obj.value)\n"
    )
    (tmp_path / "flow.toml").write_text(
        textwrap.dedent(
            """
            [pool."/in"]
            [pool."/loud"]
            [pool."/seen"]
            [[handler]]
            name = "shout"
            on = "/in"
            to = "/loud"
            python = "shout.py"
            class = "Shout"
            [[handler]]
            name = "see"
            on = "/loud"
            to = "/seen"
            """
        )
    )

    def see(obj: upcall.Object, emit: upcall.Emit) -> None:
        emit(obj.key, obj.value)

    with FlowBuilder.from_file(tmp_path / "flow.toml").give("see", see).start() as flow:
        flow.pool("/in").put("key", "value")
        flow.drain()
        assert flow.pool("/seen").list() == ["KEY"]


def test_a_mistake_is_told_at_its_line_of_the_file_whatever_keys_are_added() -> None:
    builder = FlowBuilder("[pool.'/a']\nkeeps = 2\n", path="flow.toml", workers=1, batch=10)
    with pytest.raises(FlowError, match=r"flow\.toml:2:1\n"):
        builder.start()


def test_versions_are_put_on_condition_kept_and_removed() -> None:
    with FlowBuilder().pool("/p", keep=3).start() as flow:
        pool = flow.pool("/p")
        first = pool.put_with_version("k", "one")
        second = pool.put_if("k", "two", first)
        with pytest.raises(FlowError, match="has version") as conflict:
            pool.put_if("k", "three", first)
        assert conflict.value.kind == "conflict"
        then, now = pool.get_at("k", first), pool.get("k")
        assert then is not None and then.value == b"one"
        assert now is not None and now == pool.get_by_time("k", now.time)
        removed = pool.remove("k")
        assert pool.get("k") is None
        seen = pool.versions("k")
        assert [one.version for one in seen] == [first, second, removed]
        assert [one.removed for one in seen] == [False, False, True]
        large = os.urandom(100_000)
        pool.put("large", large)
        flow.settle()
        found = pool.get("large")
        assert found is not None and found.value == large


def test_a_watch_is_walked_until_the_flow_ends() -> None:
    flow = FlowBuilder().pool("/p").start()
    watch = flow.watch("/p")
    seen: list[str] = []
    walker = threading.Thread(target=lambda: seen.extend(f"{event.what} {event.key}" for event in watch))
    walker.start()
    for number in range(3):
        flow.pool("/p").put(f"k{number}", "")
    flow.pool("/p").remove("k1")
    flow.drain()
    flow.stop()
    walker.join(30)
    assert seen == ["put k0", "put k1", "put k2", "removed k1"]


def test_everything_can_be_awaited() -> None:
    async def run() -> list[str]:
        builder = echo()

        @builder.on("/in", to="/out", in_flight=100)
        async def late(obj: upcall.Object, emit: upcall.Emit) -> None:
            await asyncio.sleep(0.01)
            emit(obj.key, b"late")

        async with await builder.start_async() as flow:
            watch = flow.watch("/out")
            versions = await asyncio.gather(*(flow.pool("/in").put_async(f"k{n}", "") for n in range(50)))
            assert len(set(versions)) == 50
            await flow.drain_async()
            keys = []
            async for event in watch:
                keys.append(event.key)
                if len(keys) == 50:
                    break
            return keys

    assert sorted(asyncio.run(run())) == sorted(f"k{n}" for n in range(50))


def test_puts_wait_for_credit_without_a_thread() -> None:
    hold = threading.Event()
    builder = echo(workers=1, credit={"items": 2, "bytes": "1 MiB"})

    @builder.on("/in", to="/out")
    def wait(obj: upcall.Object, emit: upcall.Emit) -> None:
        hold.wait()
        emit(obj.key, b"")

    async def run(flow: Flow) -> None:
        puts = [asyncio.ensure_future(flow.pool("/in").put_async(f"k{n}", "v")) for n in range(20)]
        await asyncio.sleep(0.05)
        assert not flow.pool("/in").try_put("refused", "")
        assert not all(put.done() for put in puts)
        hold.set()
        assert len(set(await asyncio.gather(*puts))) == 20
        await flow.drain_async()

    with builder.start() as flow:
        asyncio.run(run(flow))
        assert len(flow.pool("/out").list()) == 20


def test_puts_that_wait_for_credit_are_put_in_the_order_in_which_they_were_asked_for() -> None:
    builder = FlowBuilder(credit={"items": 4, "bytes": "1 MiB"})

    @builder.pool("/in").on("/in", order="any", in_flight=4)
    async def slow(obj: upcall.Object, emit: upcall.Emit) -> None:
        await asyncio.sleep(0.001)

    async def run(flow: Flow) -> None:
        pool = flow.pool("/in")
        puts = []
        for number in range(300):
            puts.append(asyncio.ensure_future(pool.put_async("k", str(number))))
            # Credit comes back in between.
            await asyncio.sleep(0.001 if number % 3 == 0 else 0)
        # One that holds up its thread waits behind them too.
        await asyncio.to_thread(pool.put, "k", "last")
        versions = await asyncio.gather(*puts)
        assert versions == sorted(versions)
        # That one was put without a wait for its version.
        await flow.settle_async()
        found = pool.get("k")
        assert found is not None and bytes(found.value) == b"last" and found.version > versions[-1]

    with builder.start() as flow:
        asyncio.run(run(flow))


def test_a_put_that_was_cancelled_while_it_waited_for_credit_is_put() -> None:
    release = threading.Event()
    builder = echo(workers=1, credit={"items": 2, "bytes": "1 MiB"})

    @builder.on("/in", to="/out")
    def wait(obj: upcall.Object, emit: upcall.Emit) -> None:
        release.wait()

    async def cancelled(flow: Flow) -> None:
        while flow.pool("/in").try_put("first", ""):
            pass
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(flow.pool("/in").put_async("second", "kept"), 0.05)

    with builder.start() as flow:
        asyncio.run(cancelled(flow))
        release.set()
        deadline = time.monotonic() + 10
        while flow.pool("/in").get("second") is None and time.monotonic() < deadline:
            time.sleep(0.01)
        found = flow.pool("/in").get("second")
        assert found is not None and bytes(found.value) == b"kept"


def test_timed_out_cancelled_and_stopped_are_told_apart() -> None:
    hold = threading.Event()
    builder = echo(workers=1)

    @builder.on("/in", to="/out")
    def wait(obj: upcall.Object, emit: upcall.Emit) -> None:
        hold.wait()

    flow = builder.start()
    flow.pool("/in").put("k", "")
    with pytest.raises(TimeoutError, match="drain a flow: it has not ended after 0.02 seconds; it goes on"):
        flow.drain(timeout=0.02)

    async def cancelled() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(flow.drain_async(), 0.02)
        drain = asyncio.ensure_future(flow.drain_async())
        await asyncio.sleep(0.02)
        stop = asyncio.ensure_future(flow.stop_async())
        with pytest.raises(FlowError, match="has been stopped") as stopped:
            await drain
        assert stopped.value.kind == "stopped"
        hold.set()
        await stop

    asyncio.run(cancelled())
    with pytest.raises(FlowError, match="has been stopped"):
        flow.pool("/in")
    flow.stop()


def test_an_exception_makes_a_dead_letter() -> None:
    builder = echo()

    @builder.on("/in", to="/out", retry=2)
    def refuse(obj: upcall.Object, emit: upcall.Emit) -> None:
        raise ValueError(f"not {obj.key.decode()}")

    with builder.start() as flow:
        flow.pool("/in").put("that", "value")
        flow.drain()
        (letter,) = flow.dead_letters("/in")
        assert (letter.type_name, letter.message, letter.attempts) == ("ValueError", "not that", 3)
        assert (letter.key, letter.value) == ("that", b"value")
        assert "in refuse" in letter.stack


def test_a_handler_may_stop_its_own_flow_and_may_not_wait_for_it() -> None:
    builder = echo()
    flows: list[Flow] = []
    stopped = threading.Event()

    @builder.on("/in", to="/out")
    def end(obj: upcall.Object, emit: upcall.Emit) -> None:
        if obj.key == b"drain":
            flows[0].drain()
        flows[0].stop()
        stopped.set()

    flows.append(builder.start())
    flows[0].pool("/in").put("drain", "")
    while not flows[0].dead_letters("/in"):
        time.sleep(0.001)
    assert flows[0].dead_letters("/in")[0].message.startswith("drain a flow from inside a handler of the same flow")
    flows[0].pool("/in").put("stop", "")
    assert stopped.wait(30)
    flows[0].stop()


def test_what_may_wait_is_refused_inside_a_handler_though_there_is_credit_and_puts_nothing() -> None:
    ways: list[Callable[[Pool], object]] = [
        lambda pool: pool.put("k", "v"),
        lambda pool: pool.put_many({"k": "v"}),
        lambda pool: pool.put_with_version("k", "v"),
        lambda pool: pool.put_if("k", "v", 0),
        lambda pool: pool.trigger("k", "v"),
        lambda pool: pool.remove("k"),
        lambda pool: pool.try_put("tried", "v"),
    ]
    builder = echo().pool("/other")
    flows: list[Flow] = []

    @builder.on("/in", to="/out")
    def wait(obj: upcall.Object, emit: upcall.Emit) -> None:
        ways[int(obj.key)](flows[0].pool("/other"))

    with builder.start() as flow:
        flows.append(flow)
        flow.pool("/other").put("before", "")
        flow.pool("/in").put_many({str(way): "" for way in range(len(ways))})
        flow.drain()
        letters = flow.dead_letters("/in")
        assert sorted(letter.key for letter in letters) == [str(way) for way in range(len(ways) - 1)]
        why = (
            "of pool /other from inside a handler of the same flow: it would wait for itself; emit instead, or use what does not wait"
        )
        calls = ["put", "put_many", "put_with_version", "put_if", "trigger", "remove"]
        assert [letter.message for letter in sorted(letters, key=lambda letter: int(letter.key))] == [
            f"call {call} {why}" for call in calls
        ], letters
        assert flow.pool("/other").list() == ["before", "tried"]


def test_a_second_stop_waits_for_the_first_and_not_in_its_own_handler() -> None:
    builder = FlowBuilder()
    closing = threading.Event()
    let_go = threading.Event()
    closed: list[bool] = []

    @builder.pool("/in").on("/in")
    class Slow:
        def on_object(self, item: upcall.Object, emit: upcall.Emit) -> None:
            pass

        def close(self) -> None:
            flow.stop(timeout=0.1)
            closing.set()
            closed.append(let_go.wait(30))

    flow = builder.start()
    with pytest.raises(TimeoutError):
        flow.stop(timeout=0.1)
    assert closing.wait(30)
    with pytest.raises(TimeoutError):
        flow.stop(timeout=0.1)
    threading.Timer(0.2, let_go.set).start()
    flow.stop(timeout=30)
    assert closed == [True]
    asyncio.run(flow.stop_async())


def test_mistakes_are_said_all_at_once() -> None:
    builder = FlowBuilder().pool("/in")
    builder.on("/inn", to="/out")(lambda obj, emit: None)
    with pytest.raises(FlowError, match="did you mean `/in`?") as wrong:
        builder.start()
    assert wrong.value.kind == "invalid"
    with pytest.raises(FlowError, match="give handler nobody: the flow has no such handler"):
        FlowBuilder().pool("/in").give("nobody", lambda obj, emit: None).start()
    with pytest.raises(TypeError, match="a handler is a function, a class or an instance"):
        FlowBuilder().give("nobody", "no handler")
    with pytest.raises(TypeError, match=r"a handler takes \(obj, emit\), and .*<lambda> takes \(obj\)"):
        FlowBuilder().give("nobody", lambda obj: None)
    broken = echo()

    @broken.on("/in", to="/out")
    class Broken:
        def __init__(self) -> None:
            raise RuntimeError("cannot be made")

        def on_object(self, obj: upcall.Object, emit: upcall.Emit) -> None: ...

    with pytest.raises(FlowError, match="cannot be made"):
        broken.start()


def test_mistakes_in_a_description_are_told_without_a_file_that_is_not_there() -> None:
    with pytest.raises(FlowError) as twice:
        FlowBuilder().pool("/a").pool("/a", kind="trigger").start()
    assert twice.value.kind == "invalid"
    message = str(twice.value)
    assert "pool /a is described twice\n --> the flow's description:" in message and ".toml" not in message, message
    misspelled = FlowBuilder().pool("/a", kind="trigger")
    misspelled.on("/a", retries=3)(lambda obj, emit: None)
    with pytest.raises(FlowError, match="did you mean `retry`?") as wrong:
        misspelled.start()
    assert wrong.value.kind == "invalid" and "the flow's description:" in str(wrong.value)
    described = FlowBuilder('[pool."/in"]\n[[handler]]\nname = "greet"\non = "/in"\n')
    with pytest.raises(FlowError) as lost:
        described.give("gret", lambda obj, emit: None).start()
    assert str(lost.value) == "give handler gret: the flow has no such handler; it has greet; did you mean greet?"
    both = echo()
    both.on("/in", to="/out", name="echo")(lambda obj, emit: None)
    with pytest.raises(FlowError, match="^give handler echo: it is given twice; give it once$"):
        both.give("echo", lambda obj, emit: None).start()


def test_what_is_forgotten_is_kept_by_the_engine_and_given_back_by_it() -> None:
    class Token:
        pass

    def started() -> tuple[Flow, weakref.ref[Token]]:
        builder, token = echo(), Token()
        ref = weakref.ref(token)

        @builder.on("/in", to="/out")
        def use(obj: upcall.Object, emit: upcall.Emit, of: Token = token) -> None:
            emit(obj.key, type(of).__name__)

        return builder.start(), ref

    flow, ref = started()
    for number in range(10):
        gc.collect()
        flow.pool("/in").put(f"k{number}", "")
    flow.drain()
    assert len(flow.pool("/out").list()) == 10
    assert ref() is not None
    flow.stop()
    for _ in range(100):
        gc.collect()
        if ref() is None:
            return
        time.sleep(0.01)
    raise AssertionError("the handler is still there")


def test_events_of_a_watch_have_numbers_where_their_pool_declares_a_type_also_when_the_flow_has_ended() -> None:
    flow = FlowBuilder().pool("/n/u64", type="u64").pool("/n/f32", type="f32").pool("/n/bytes").start()
    watch = flow.watch("/n")
    flow.pool("/n/u64").put("a", 2**63)
    flow.pool("/n/f32").put("b", -1.5)
    flow.pool("/n/bytes").put("c", "text")
    flow.pool("/n/u64").remove("a")
    flow.stop()
    seen = [(event.what, event.key, event.number) for event in watch]
    assert seen == [("put", "a", 2**63), ("put", "b", -1.5), ("put", "c", None), ("removed", "a", None)]
