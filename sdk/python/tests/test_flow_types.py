"""What type checkers say of a program with a flow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import decimal
from typing import Any

import numpy

from upcall.flow import Event, Flow


class Order:
    def pack(self) -> bytes:
        return b""


def fine(flow: Flow, order: Order, given: dict[str, bytes], named: dict[bytes, Order], one: numpy.int64, many: numpy.ndarray[Any, Any]) -> None:
    pool = flow.pool("/p")
    pool.put_many([("a", b"1"), (b"b", "2")])
    pool.put_many((str(number), number) for number in range(3))
    pool.put_many(given)
    pool.put_many(named)
    for value in (order, one, many, decimal.Decimal(1), 1, 1.5, True, "text", bytearray(1), memoryview(b"")):
        pool.put("k", value)
    pool.put("k", order, timeout=1.5)
    pool.put("k", one)
    pool.put("k", many)
    with flow.watch("/p") as watch:
        events: list[Event] = list(watch)


async def awaited(flow: Flow, order: Order) -> int:
    await flow.pool("/p").put_many_async({"k": order})
    return await flow.pool("/p").put_async("k", order)


def wrong(flow: Flow) -> None:
    flow.pool("/p").put("k", object())  # type: ignore[arg-type]
    flow.pool("/p").put_many(["a"])  # type: ignore[list-item]
"""


def test_documented_calls_pass_mypy_and_others_do_not(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "program.py"]
    env = {**os.environ, "MYPYPATH": str(Path(__file__).parents[1])}
    checked = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    assert checked.returncode == 0, checked.stdout + checked.stderr
