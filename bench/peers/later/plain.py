"""Asks a service COUNT times, IN_FLIGHT requests at a time, and keeps the answers: what a program without a flow does, with
the requests of the example's handler.

``python plain.py URL COUNT IN_FLIGHT``; ``cargo xtask bench later`` runs it.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "examples/later"), str(ROOT / "sdk/python")]

from fetch import Fetch  # noqa: E402


async def ask(url: str, count: int, in_flight: int) -> dict[bytes, bytes]:
    service, answers = Fetch(), {}
    service.open(SimpleNamespace(settings={"url": url}))
    keys = iter(range(1, count + 1))

    async def worker() -> None:
        for key in keys:
            name = b"%d" % key
            status, answers[name] = await service.get(name)
            assert status == 200, status

    await asyncio.gather(*(worker() for _ in range(in_flight)))
    await service.close()
    return answers


url, count, in_flight = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
answers = asyncio.run(ask(url, count, in_flight))
assert len(answers) == count, f"{len(answers)} of {count} answers came"
