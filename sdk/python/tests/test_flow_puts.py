"""What a program is told whose put is refused or takes too long, and how many of many are put."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

import upcall
from upcall.flow import Flow, FlowBuilder, Pool

PATIENCE = 30.0


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
