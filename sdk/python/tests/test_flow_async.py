"""Handlers that answer later inside a flow of this program: what waits for their own flow is refused, as it would block their loop."""

from __future__ import annotations

import asyncio
import functools
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import upcall
from upcall.flow import Flow, FlowBuilder, FlowError

PATIENCE = 30.0

WAYS: dict[str, Callable[[Flow], object]] = {
    "put": lambda flow: flow.pool("/other").put("k", "v"),
    "put_many": lambda flow: flow.pool("/other").put_many({"k": "v"}),
    "put_with_version": lambda flow: flow.pool("/other").put_with_version("k", "v"),
    "put_if": lambda flow: flow.pool("/other").put_if("k", "v", 0),
    "trigger": lambda flow: flow.pool("/other").trigger("k", "v"),
    "remove": lambda flow: flow.pool("/other").remove("k"),
    "drain": lambda flow: flow.drain(PATIENCE),
    "settle": lambda flow: flow.settle(PATIENCE),
}


def test_an_async_handler_that_waits_for_its_own_flow_is_refused_and_its_loop_goes_on() -> None:
    builder = FlowBuilder().pool("/in").pool("/other")
    flows: list[Flow] = []

    @builder.on("/in", in_flight=len(WAYS))
    async def wait(obj: upcall.Object, emit: upcall.Emit) -> None:
        way = obj.key.decode()
        called = f"{way} a flow" if way in ("drain", "settle") else f"call {way} of pool /other"
        with pytest.raises(FlowError, match=f"^{called} from inside a handler of the same flow: it would wait for itself") as refused:
            WAYS[way](flows[0])
        assert refused.value.kind == "in handler"
        assert flows[0].pool("/other").try_put(obj.key, "refused")

    with builder.start() as flow:
        flows.append(flow)
        # A thread of the program's may wait before and after.
        flow.pool("/other").put("before", "")
        flow.pool("/in").put_many({way: "" for way in WAYS})
        flow.drain(PATIENCE)
        assert [letter.message for letter in flow.dead_letters("/in")] == []
        assert flow.pool("/other").list() == sorted([*WAYS, "before"])


def test_what_an_async_handler_starts_on_another_thread_may_wait() -> None:
    builder = FlowBuilder().pool("/in").pool("/other")
    flows: list[Flow] = []

    @builder.on("/in")
    async def put(obj: upcall.Object, emit: upcall.Emit) -> None:
        await asyncio.to_thread(flows[0].pool("/other").put, obj.key, "")
        await flows[0].pool("/other").put_async("awaited", "")

    with builder.start() as flow:
        flows.append(flow)
        flow.pool("/in").put("k", "")
        flow.drain(PATIENCE)
        assert flow.pool("/other").list() == ["awaited", "k"]


def test_an_async_handler_may_wait_for_another_flow_also_where_both_are_started_at_once() -> None:
    first, second = FlowBuilder().pool("/in"), FlowBuilder().pool("/in")
    flows: list[Flow] = []

    async def pass_on(obj: upcall.Object, emit: upcall.Emit) -> None:
        flows[1].pool("/in").put(obj.key, obj.value)
        flows[1].drain(PATIENCE)

    first.on("/in")(pass_on)

    @second.on("/in")
    async def take(obj: upcall.Object, emit: upcall.Emit) -> None:
        await asyncio.sleep(0)

    async def started() -> None:
        flows.extend(await asyncio.gather(first.start_async(), second.start_async()))

    asyncio.run(started())
    with flows[0], flows[1]:
        flows[0].pool("/in").put("k", "v")
        flows[0].drain(PATIENCE)
        assert [letter.message for letter in flows[0].dead_letters("/in")] == []
        assert flows[1].pool("/in").list() == ["k"]


def test_an_async_handler_of_a_file_that_waits_for_its_own_flow_is_refused(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "drains.py").write_text(
        textwrap.dedent(
            """
            import upcall.flow

            class Drains:
                async def on_object(self, obj, emit):
                    upcall.flow.of_the_test.drain(30)
            """
        )
    )
    text = '[pool."/in"]\n[[handler]]\nname = "drains"\non = "/in"\npython = "drains.py"\nclass = "Drains"\n'
    with FlowBuilder(text, path=tmp_path / "flow.toml").start() as flow:
        monkeypatch.setattr(upcall.flow, "of_the_test", flow, raising=False)
        flow.pool("/in").put("k", "")
        flow.settle(PATIENCE)
        (letter,) = flow.dead_letters("/in")
        assert letter.message.startswith("drain a flow from inside a handler of the same flow")


def test_stop_returns_at_once_in_an_async_handler() -> None:
    builder = FlowBuilder().pool("/in")
    flows: list[Flow] = []
    happened: list[str] = []
    closed = threading.Event()

    @builder.on("/in")
    class Ends:
        async def on_object(self, obj: upcall.Object, emit: upcall.Emit) -> None:
            flows[0].stop()
            happened.append("stop has returned")

        def close(self) -> None:
            happened.append("closed")
            closed.set()

    flows.append(builder.start())
    flows[0].pool("/in").put("k", "")
    assert closed.wait(PATIENCE)
    flows[0].stop()
    assert happened == ["stop has returned", "closed"]


def test_an_async_function_behind_a_wrapper_and_an_object_that_is_called_as_one_answer_later() -> None:
    def logged(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def around(*given: Any) -> Any:
            return function(*given)

        return around

    @logged
    async def wrapped(obj: upcall.Object, emit: upcall.Emit) -> None:
        await asyncio.sleep(0)
        emit(obj.key, "wrapped")

    class Called:
        async def __call__(self, obj: upcall.Object, emit: upcall.Emit) -> None:
            await asyncio.sleep(0)
            emit(obj.key, "called")

    async def bound(word: str, obj: upcall.Object, emit: upcall.Emit) -> None:
        await asyncio.sleep(0)
        emit(obj.key, word)

    for handler, word in ((wrapped, b"wrapped"), (Called(), b"called"), (functools.partial(bound, "bound"), b"bound")):
        builder = FlowBuilder().pool("/in").pool("/out")
        builder.on("/in", to="/out", in_flight=10)(handler)
        with builder.start() as flow:
            flow.pool("/in").put("k", "")
            flow.drain(PATIENCE)
            assert [letter.message for letter in flow.dead_letters("/in")] == []
            found = flow.pool("/out").get("k")
            assert found is not None and found.value == word
