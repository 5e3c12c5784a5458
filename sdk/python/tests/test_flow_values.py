"""What a program gives a flow and gets from it, and what it is told where that is of the wrong kind."""

from __future__ import annotations

import array
import ctypes
import decimal
import fractions
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import numpy
import pytest

import upcall
from upcall.flow import FlowBuilder, FlowError


class Reading(ctypes.Structure):
    _fields_ = [("place", ctypes.c_uint64), ("degrees", ctypes.c_double)]


class Name:
    """As upcall bindgen writes packed classes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def pack(self) -> bytes:
        return b"N" + self.name.encode()

    @classmethod
    def unpack(cls, data: Any) -> Name:
        return cls(bytes(data)[1:].decode())


def test_a_decorator_that_is_not_called_says_how_it_is_written() -> None:
    builder = FlowBuilder()
    with pytest.raises(TypeError, match=r'it takes the pool that measure watches: write @builder.on\("/lines", to='):

        @builder.on  # type: ignore[arg-type]
        def measure(line: upcall.Object, emit: upcall.Emit) -> None: ...


def test_pools_take_and_give_values_of_classes() -> None:
    builder = FlowBuilder()
    builder.pool("/readings", type=Reading).pool("/names", type=Name).pool("/texts", type=str).pool("/heights", type=float)
    builder.pool("/warm", type=Name)

    @builder.on("/readings", to="/warm")
    def warm(obj: upcall.Object[Reading], emit: upcall.Emit[Name]) -> None:
        emit(obj.key, Name(f"{obj.value.degrees} degrees"))

    with builder.start() as flow:
        events = flow.watch("/warm")
        readings, names = flow.pool("/readings"), flow.pool("/names")
        readings.put("attic", Reading(7, 31.5))
        names.put("cat", Name("Tom"))
        names.put_many({"mouse": Name("Jerry")})
        flow.pool("/texts").put("greeting", "hello")
        flow.pool("/heights").put("tower", 12.5)
        flow.drain()
        types = [flow.pool(path).value_type for path in flow.pools]
        found = readings.get("attic")
        assert found is not None and found.value_as(Reading).degrees == 31.5
        with pytest.raises(ValueError, match="a Wide has 24 bytes, and this value has 16"):
            found.value_as(type("Wide", (ctypes.Structure,), {"_fields_": [("all", ctypes.c_uint64 * 3)]}))
        with pytest.raises(TypeError, match="read `number`"):
            found.value_as(float)
        assert [names.get(key).value_as(Name).name for key in names.list()] == ["Tom", "Jerry"]  # type: ignore[union-attr]
        assert flow.pool("/texts").get("greeting").value_as(str) == "hello"  # type: ignore[union-attr]
        assert flow.pool("/heights").get("tower").number == 12.5  # type: ignore[union-attr]
        assert [event.value_as(Name).name for event in events.next(5)] == ["31.5 degrees"]
    assert types == ["blittable Reading 16", "packed Name", "text", "f64", "packed Name"]
    with pytest.raises(TypeError, match='pool /counts: type=int is of no size: give a number type by its name, as in type="u64"'):
        FlowBuilder().pool("/counts", type=int)
    with pytest.raises(TypeError, match="pool /counts: list cannot be used as a value type"):
        FlowBuilder().pool("/counts", type=list)


def test_pools_take_any_contiguous_buffer_and_refuse_what_is_none() -> None:
    with FlowBuilder().pool("/in").start() as flow:
        pool = flow.pool("/in")
        wide = array.array("d", [1.0, 2.0])
        for put in (pool.put, pool.try_put, pool.put_with_version, lambda key, value: pool.put_many({key: value})):
            put("key", wide)
            found = pool.get(memoryview(b"key"))
            assert found is not None and found.value == wide.tobytes()
        with pytest.raises(TypeError, match="the key is of type int: give text, bytes or a contiguous buffer"):
            pool.put(1, b"")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="the value is of type object: give text, bytes or a contiguous buffer"):
            pool.put("key", object())  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="the value is of type memoryview: .*C-contiguous"):
            pool.put("key", memoryview(b"12345678")[::2])


NUMBERS: list[Any] = [
    7, 7.5, True, -3, numpy.int64(7), numpy.int8(-3), numpy.uint8(200), numpy.uint64(2**63), numpy.float16(2.5), numpy.float32(1.5),
    numpy.float64(1.5), numpy.bool_(True), numpy.array(5), numpy.array(5.5), numpy.argmax([1, 3, 2]), numpy.datetime64(5, "s"),
    decimal.Decimal("1.5"), fractions.Fraction(3, 2), ctypes.c_uint64(7), array.array("Q", [7]),
]  # fmt: skip


@pytest.mark.parametrize("of", ["u8", "u64", "i8", "i64", "f32", "f64"])
def test_put_takes_as_a_number_what_emit_does(of: str) -> None:
    builder = FlowBuilder().pool("/in").pool("/put", type=of).pool("/emitted", type=of)

    @builder.on("/in", to="/emitted")
    def emits(obj: upcall.Object, emit: upcall.Emit) -> None:
        emit(obj.key, NUMBERS[int(obj.key)])

    with builder.start() as flow:
        refused = []
        for index, value in enumerate(NUMBERS):
            flow.pool("/in").put(f"{index}", "")
            try:
                flow.pool("/put").put(f"{index}", value)
            except (ValueError, FlowError):
                refused.append(f"{index}")
        flow.drain()
        found = [{key: flow.pool(path).get(key) for key in flow.pool(path).list()} for path in ("/put", "/emitted")]
        put, emitted = ({key: value and value.number for key, value in all.items()} for all in found)
        assert put == emitted
        assert sorted(letter.key for letter in flow.dead_letters("/in")) == sorted(refused)
        # Those that are there are the numbers themselves, and not their bytes.
        expected = {f"{index}": value for index, value in enumerate(NUMBERS[:-2])}
        assert {key: number for key, number in put.items() if key in expected} == {
            key: value for key, value in expected.items() if key not in refused
        }
        assert len(put) >= 4


def test_put_many_says_how_many_objects_are_put_where_one_is_refused() -> None:
    # The engine is handed so much at a time that each call has one of them.
    large = "x" * 70_000
    for refused in range(4):
        with FlowBuilder().pool("/texts", type="text").start() as flow:
            pool = flow.pool("/texts")
            objects = [(f"k{index}", b"\xff" * 70_000 if index == refused else large) for index in range(4)]
            with pytest.raises(FlowError, match=f"put many objects: {refused} are put; the next: ") as error:
                pool.put_many(objects)
            assert (error.value.kind, error.value.objects_put) == ("bad value", refused)
            assert pool.list() == [f"k{index}" for index in range(refused)]


def test_put_many_puts_each_object_once_also_without_credit() -> None:
    seen: list[bytes] = []
    builder = FlowBuilder(workers=1, credit={"items": 4, "bytes": "1 MiB"}).pool("/in")

    @builder.on("/in")
    def see(obj: upcall.Object, emit: upcall.Emit) -> None:
        seen.append(obj.key)

    with builder.start() as flow:
        flow.pool("/in").put_many((f"{number}", "") for number in range(500))
        flow.drain()
    assert sorted(seen, key=int) == [b"%d" % number for number in range(500)]


def test_a_watch_waits_for_as_long_as_it_is_told_and_hears_signals() -> None:
    flow = FlowBuilder().pool("/in").start()
    watch = flow.watch("/in")
    assert watch.next(0) == [] and watch.next(0.01) == []
    for forever in (float("inf"), None):
        threading.Timer(0.05, lambda: flow.pool("/in").put("key", "value")).start()
        assert [event.key for event in watch.next(forever)] == ["key"]

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, interrupted)
    try:
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            watch.next(60)
        assert time.monotonic() - begun < 20
    finally:
        signal.signal(signal.SIGUSR1, before)
    threading.Timer(0.1, flow.stop).start()
    assert watch.next(None) == []


PROGRAM = """
    import asyncio, gc
    from upcall.flow import FlowBuilder

    def builder():
        return FlowBuilder().pool("/in").pool("/out")

    def echo(obj, emit):
        emit(obj.key, obj.value)

    first = builder()
    first.on("/in", to="/out")(echo)
    with first.start() as flow:
        pool = flow.pool("/in")
        watch = flow.watch("/out")
        pool.put("a", "b")
        version = pool.put_with_version("a", "c")
        pool.put_if("a", "d", version)
        flow.settle()
        flow.drain()
        print(len(watch.next(1)), flow.pool("/out").get("a").value, len(pool.versions("a")), pool.list())

    async def main():
        async with await builder().start_async() as flow:
            await flow.pool("/in").put_async("a", "b")
            put = asyncio.ensure_future(flow.pool("/in").put_async("a", "b"))
            await asyncio.sleep(0)
            put.cancel()
            await flow.drain_async()

    asyncio.run(main())
    del flow, pool, watch
    gc.collect()
"""


def test_a_program_that_stops_its_flows_is_warned_of_nothing() -> None:
    def run(program: str) -> tuple[str, str]:
        command = [sys.executable, "-X", "dev", "-c", textwrap.dedent(program)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return ran.stdout, ran.stderr

    assert run(PROGRAM) == ("3 b'd' 1 ['a']\n", "")
    out, warned = run(PROGRAM + "    flow = builder().start()\n    del flow\n")
    assert "ResourceWarning: a Flow was not stopped: use it in a `with` block, or call stop()" in warned and "closed" not in warned
