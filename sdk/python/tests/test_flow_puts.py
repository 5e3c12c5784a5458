"""What a program is told whose put is refused or takes too long, and how many of many are put."""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import upcall
from upcall.flow import Flow, FlowBuilder, FlowError, Pool

PATIENCE = 30.0


class Order:
    """As upcall bindgen writes packed classes."""

    def pack(self) -> bytes:
        return b"O"

    @classmethod
    def unpack(cls, data: Any) -> Order:
        return cls()


class Urgent(Order):
    pass


class Bill:
    """Of which the source has another name than Python."""

    __upcall_name__ = "Invoice"

    def pack(self) -> bytes:
        return b"B"

    @classmethod
    def unpack(cls, data: Any) -> Bill:
        return cls()


class Reading(ctypes.Structure):
    _fields_ = [("degrees", ctypes.c_double)]


class Height(ctypes.Structure):
    _fields_ = [("meters", ctypes.c_double)]


def full() -> tuple[Flow, Pool, threading.Event]:
    """A flow whose handler waits to be let go, its pool, which has no credit left, and what lets the handler go."""
    let_go = threading.Event()
    builder = FlowBuilder(workers=1, credit={"items": 2, "bytes": "1 MiB"}).pool("/in")

    @builder.on("/in")
    def wait(obj: upcall.Object, emit: upcall.Emit) -> None:
        let_go.wait(PATIENCE)

    flow = builder.start()
    pool = flow.pool("/in")
    while pool.try_put("filled", ""):
        pass
    return flow, pool, let_go


WAITS: dict[str, Callable[[Pool, float], object]] = {
    "put": lambda pool, timeout: pool.put("put", "", timeout),
    "put_with_version": lambda pool, timeout: pool.put_with_version("put_with_version", "", timeout=timeout),
    "put_if": lambda pool, timeout: pool.put_if("put_if", "", 0, timeout=timeout),
    "trigger": lambda pool, timeout: pool.trigger("trigger", "", timeout=timeout),
    "remove": lambda pool, timeout: pool.remove("filled", timeout=timeout),
}


def test_what_waits_longer_than_its_timeout_says_so_and_goes_on() -> None:
    flow, pool, let_go = full()
    with flow:
        try:
            for call, waits in WAITS.items():
                with pytest.raises(TimeoutError, match=f"^call {call} of pool /in: it has not ended after 0.01 seconds; it goes on$"):
                    waits(pool, 0.01)
        finally:
            let_go.set()
        # What waits for credit is put in its order, so that all of it is put before this.
        pool.put("last", "", PATIENCE)
        flow.drain(PATIENCE)
        assert pool.list() == ["last", "put", "put_if", "put_with_version"]
        for waits in (WAITS["put"], WAITS["trigger"], WAITS["put_with_version"]):
            waits(pool, PATIENCE)


def test_many_objects_that_are_awaited_are_put_once_each_also_without_credit() -> None:
    seen: list[bytes] = []
    builder = FlowBuilder(workers=1, credit={"items": 4, "bytes": "1 MiB"}).pool("/in")

    @builder.on("/in")
    def see(obj: upcall.Object, emit: upcall.Emit) -> None:
        seen.append(obj.key)

    async def run() -> None:
        async with await builder.start_async() as flow:
            await flow.pool("/in").put_many_async((f"{number}", "") for number in range(500))
            await flow.pool("/in").put_many_async({"500": ""})
            await flow.drain_async()

    asyncio.run(run())
    assert sorted(seen, key=int) == [b"%d" % number for number in range(501)]


def test_an_event_loop_goes_on_while_many_objects_are_awaited() -> None:
    turns = 0

    async def run(pool: Pool) -> None:
        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.ensure_future(count())
        # Each object is as much as goes into a call.
        await pool.put_many_async((f"{number}", bytes(70_000)) for number in range(8))
        counting.cancel()

    with FlowBuilder().pool("/p").start() as flow:
        asyncio.run(run(flow.pool("/p")))
        assert len(flow.pool("/p").list()) == 8 and turns >= 8


def ways(pool: Pool) -> list[Callable[[Any], object]]:
    return [pool.put_many, lambda objects: asyncio.run(pool.put_many_async(objects))]


@pytest.mark.parametrize("way", [0, 1])
def test_many_objects_of_which_one_has_no_bytes_say_how_many_are_put(way: int) -> None:
    with FlowBuilder().pool("/n", type="u8").start() as flow:
        put_many = ways(flow.pool("/n"))[way]
        with pytest.raises(FlowError, match="^put many objects: 2 are put; the next: key 'c': 256 is no value of /n") as refused:
            put_many([("a", 1), ("b", 2), ("c", 256), ("d", 3)])
        assert (refused.value.kind, refused.value.objects_put) == ("bad value", 2)
        assert isinstance(refused.value.__cause__, ValueError)
        with pytest.raises(FlowError, match="^put many objects: 1 are put; the next: the key is of type int") as refused:
            put_many([("e", 1), (7, 2)])
        assert (refused.value.kind, refused.value.objects_put) == ("bad key", 1)
        assert flow.pool("/n").list() == ["a", "b", "e"]


@pytest.mark.parametrize("way", [0, 1])
def test_many_objects_whose_source_fails_are_put_as_far_as_it_came(way: int) -> None:
    def objects() -> Iterator[tuple[str, int]]:
        yield "a", 1
        yield "b", 2
        raise OSError("the disk is gone")

    with FlowBuilder().pool("/n", type="u8").start() as flow:
        with pytest.raises(OSError, match="the disk is gone") as failed:
            ways(flow.pool("/n"))[way](objects())
        assert failed.value.__notes__ == ["put many objects: 2 were put before"]
        assert flow.pool("/n").list() == ["a", "b"]


@pytest.mark.parametrize("way", [0, 1])
def test_a_flow_error_of_the_objects_own_source_is_raised_as_it_is(way: int) -> None:
    def objects() -> Iterator[tuple[str, int]]:
        yield "a", 1
        raise theirs

    theirs = FlowError("stopped", "the other flow has stopped", 7)
    with FlowBuilder().pool("/n", type="u8").start() as flow:
        with pytest.raises(FlowError) as raised:
            ways(flow.pool("/n"))[way](objects())
        assert raised.value is theirs
        assert (str(theirs), theirs.objects_put) == ("the other flow has stopped", 7)
        assert theirs.__notes__ == ["put many objects: 1 were put before"]
        assert flow.pool("/n").list() == ["a"]


def test_text_is_no_number_also_where_it_has_as_many_bytes() -> None:
    with FlowBuilder().pool("/n", type="u64").start() as flow:
        pool = flow.pool("/n")
        for put in (pool.put, pool.try_put, pool.put_with_version, pool.trigger, lambda key, value: pool.put_if(key, value, 0)):
            with pytest.raises(TypeError, match="^key 'k': text is no value of /n, whose type is u64: give a number$"):
                put("k", "12345678")
        pool.put("k", b"12345678")
        assert pool.get("k").value == b"12345678"  # type: ignore[union-attr]


@pytest.mark.parametrize(("of", "told"), [(Reading, "blittable Reading 8"), (Order, "packed Order")])
def test_text_is_no_value_of_a_class_also_where_it_has_as_many_bytes(of: type, told: str) -> None:
    with FlowBuilder().pool("/values", type=of).start() as flow:
        pool = flow.pool("/values")
        message = f"key 'k': text is no value of /values, whose type is {told}: give one, or its bytes$"
        for put in (pool.put, pool.try_put, pool.put_with_version, pool.trigger, lambda key, value: pool.put_if(key, value, 0)):
            with pytest.raises(TypeError, match=f"^{message}"):
                put("k", "12345678")
        for put_many in ways(pool):
            with pytest.raises(FlowError, match=f"^put many objects: 0 are put; the next: {message}"):
                put_many({"k": "12345678"})
        pool.put("k", b"12345678")
        assert pool.get("k").value == b"12345678"  # type: ignore[union-attr]


def test_a_value_of_another_class_than_the_pool_declares_is_refused() -> None:
    builder = FlowBuilder().pool("/orders", type=Order).pool("/readings", type=Reading).pool("/any").pool("/texts", type="text")
    with builder.start() as flow:
        orders, readings = flow.pool("/orders"), flow.pool("/readings")
        for _ in range(2):
            with pytest.raises(TypeError, match="^key 'k': the value has the type packed Invoice, and /orders the type packed Order$"):
                orders.put("k", Bill())
            with pytest.raises(TypeError, match="^key 'k': the value has the type blittable Height 8, and /readings the type blittable Reading 8$"):
                readings.put("k", Height(1.5))
        with pytest.raises(TypeError, match="^key 'k': the value has the type packed Order, and /texts the type text$"):
            flow.pool("/texts").try_put("k", Order())
        with pytest.raises(TypeError, match="^key 'k': the value has the type packed Order, and /readings the type blittable"):
            readings.put("k", Order())
        orders.put("k", Order())
        orders.put("k", Urgent())
        orders.put("k", b"O")
        readings.put("k", Reading(1.5))
        flow.pool("/any").put_many({"order": Order(), "invoice": Bill(), "height": Height(1.5)})
        assert orders.list() == readings.list() == ["k"] and len(flow.pool("/any").list()) == 3


def test_half_of_a_surrogate_pair_is_told_with_its_place_and_what_to_do() -> None:
    with FlowBuilder().pool("/p").start() as flow:
        pool = flow.pool("/p")
        uses: list[Callable[[str], object]] = [
            lambda half: pool.put(half, ""),
            lambda half: pool.get(half),
            lambda half: pool.list(half),
            lambda half: pool.versions(half),
            lambda half: pool.remove(half),
        ]
        for use in uses:
            with pytest.raises(UnicodeEncodeError) as refused:
                use("\ud800")
            assert str(refused.value).startswith("'utf-8' codec can't encode character '\\ud800' in position 0: pool /p, key '\\ud800': ")
        with pytest.raises(UnicodeEncodeError) as refused:
            pool.put("k", "a\ud800")
        assert str(refused.value) == (
            "'utf-8' codec can't encode character '\\ud800' in position 1: pool /p, the value of key 'k': half of a surrogate pair has "
            "no UTF-8; give text without it, or bytes of your own, as of text.encode(errors='surrogatepass')"
        )
