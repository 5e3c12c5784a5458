"""Keeps callbacks, as a program in Python does."""

from __future__ import annotations

import asyncio
import collections
import ctypes
import gc
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable

import kept


def until(holds: Callable[[], bool]) -> None:
    for _ in range(20000):
        if holds():
            return
        time.sleep(0.001)
    raise AssertionError("it does not come")


def fails(error: type[Exception], message: str, call: Callable[[], object]) -> None:
    try:
        call()
    except error as raised:
        assert message in str(raised), raised
        return
    raise AssertionError("it does not fail")


# Called on threads of the library's, after everything that could be collected was.
seen: collections.Counter[str] = collections.Counter()
lock = threading.Lock()


def listen() -> None:
    step = "sum"

    def add(value: int) -> None:
        with lock:
            seen[step] += value
            seen["calls"] += 1

    kept.hear(add)


listen()
gc.collect()
kept.fire(5)
assert seen["sum"] == 5
kept.fire_and_wait(4)
assert seen["sum"] == 11
kept.fire_from_threads(4, 1000)
until(lambda: seen["calls"] == 5 + 4000)
assert kept.alive() == 1
kept.forget_on_a_thread()
assert kept.alive() == 0

# Nobody catches what it raises.
raised: list[str] = []
shown, sys.unraisablehook = sys.unraisablehook, lambda unraisable: raised.append(str(unraisable.exc_value))


def refuse(value: int) -> None:
    raise ValueError(f"no {value}")


kept.hear(refuse)
kept.fire(7)
kept.fire_and_wait(1)
assert raised == ["no 7", "no 0"], raised


def rank(text: str, numbers: memoryview) -> float:
    if not text:
        raise ValueError("empty")
    return len(text) * float(numbers[0])


kept.rank_with(rank)
assert kept.ranked("four", memoryview(b"".join([bytes.fromhex("0000000000000440")])).cast("d")) == 10.0
assert kept.ranked("", memoryview(bytes(8)).cast("d")) == 0.0 and raised[-1] == "empty", raised
kept.forget_rank()


def paint(pixel: int, bright: bool) -> kept.Color:
    return kept.Color.Green if bright and ctypes.c_int32.from_address(pixel + 4).value == -4 else kept.Color.Red


kept.paint_with(paint)
assert kept.painted(3, -4, True) == 9
kept.paint_with(lambda pixel, bright: 7)
assert kept.painted(3, -4, True) == 4 and "Color" in raised[-1], raised
sys.unraisablehook = shown


# It may call the library, replace itself, and be the last to be called.
def again(value: int) -> None:
    seen["alive"] = kept.alive()
    kept.hear(lambda value: seen.update(again=value))
    kept.fire(value)


kept.hear(again)
kept.fire(3)
assert seen["again"] == 3 and kept.alive() == 1
kept.hear(lambda value: kept.forget())
kept.fire_and_wait(1)
assert kept.alive() == 0


# A call that fails has released it.
class Listener:
    def __call__(self, value: int) -> None:
        pass


def gone(refs: list[weakref.ref[Listener]]) -> bool:
    gc.collect()
    return not any(ref() for ref in refs)


def watched(call: Callable[[Listener], object]) -> weakref.ref[Listener]:
    listener = Listener()
    call(listener)
    return weakref.ref(listener)


def refused(listener: Listener) -> None:
    fails(kept.NativeError, "a listener needs a name", lambda: kept.hear_as(listener, ""))
    fails(TypeError, "name of hear_as must be str", lambda: kept.hear_as(listener, 5))  # type: ignore[arg-type]


refs = [watched(refused) for _ in range(100)]
until(lambda: gone(refs))
assert kept.alive() == 0
fails(TypeError, "listener of hear must be a callable", lambda: kept.hear(None))  # type: ignore[arg-type]

refs = [watched(kept.hear) for _ in range(10000)]
kept.forget()
until(lambda: gone(refs))
assert kept.alive() == 0


# What ends with a callable may call the library that has just forgotten it.
class Caller(Listener):
    def __del__(self) -> None:
        kept.hear(lambda value: seen.update(last=value))


kept.hear(Caller())
kept.forget()
until(lambda: kept.alive() == 1)
kept.fire(9)
assert seen["last"] == 9
kept.forget()

# A handle keeps them until it is closed.
told: list[str] = []
topic = kept.Topic()
topic.subscribe(told.append)
topic.subscribe(lambda text: told.append(2 * text))
topic.publish("four")
topic.close()
assert told == ["four", "fourfour"] and kept.alive() == 0


# A waker completes a future.
async def after(milliseconds: int) -> None:
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    kept.wake_after(milliseconds, lambda: loop.call_soon_threadsafe(done.set_result, None))
    await done


async def all_of_them() -> None:
    # On a busy machine a step takes longer than the tenth of a second that `-X dev` tells of.
    asyncio.get_running_loop().slow_callback_duration = 60
    await asyncio.gather(*(after(milliseconds % 10) for milliseconds in range(100)))


asyncio.run(all_of_them())
until(lambda: kept.alive() == 0)

print("done", flush=True)
# The library goes on calling while the program ends, which the extension is ready for.
if os.environ["KEPT_PYTHON"] == "native":
    count = [0]

    def called(value: int) -> None:
        count[0] += 1

    kept.hear(called)
    kept.fire_for_ever()
    until(lambda: count[0] > 1000)
