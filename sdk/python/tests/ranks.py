"""Tests on ranks: bodies that jobs of both MPIs run, each on so many ranks.

A test file has ``bodies = Bodies(__file__)``, functions under ``@bodies.on(1, 2, 3)``, each of which is given the world and one random
stream that is the same on all ranks, and at its end ``test_on_ranks = bodies.tests()``. There is one job per launcher and size,
which runs all bodies that are for the size, of all files whose tests are run.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# Both, which setup installs: one that is missing fails.
LAUNCHERS = ("mpirun.openmpi", "mpirun.mpich")
ROOT = Path(__file__).resolve().parents[3]


def launcher(name: str, ranks: int, timeout: int = 120) -> list[str]:
    """The command that starts a program on so many ranks."""
    command = [name]
    if name.endswith("openmpi"):
        # More ranks than cores, as root.
        command += ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--timeout", str(timeout)]
        command += ["--mca", "mpi_yield_when_idle", "1"]
    return [*command, "-n", str(ranks)]


def environment(timeout: int = 120) -> dict[str, str]:
    """That of ranks."""
    ours = {name: value for name, value in os.environ.items() if name != "UPCALL_MPI"}
    cache = str(ROOT / "build" / "tests" / "mpi")
    return ours | {"UPCALL_MPI_CACHE": cache, "MPIEXEC_TIMEOUT": str(timeout)}


def run(name: str, ranks: int, *program: str, timeout: int = 120, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of Python's on ranks."""
    command = [*launcher(name, ranks, timeout), sys.executable, *program]
    env = environment(timeout) | more
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=timeout + 60)


# Those that have tests: pytest imports all of them before it runs the first.
files: list[str] = []


@functools.cache
def job(name: str, ranks: int) -> subprocess.CompletedProcess[str]:
    """A job, which is run once for all of its tests."""
    return run(name, ranks, __file__, *files, timeout=480)


class Bodies:
    """The bodies of a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.all: list[tuple[Callable[..., Any], tuple[int, ...]]] = []

    def on(self, *sizes: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Adds one, for so many ranks each."""

        def added(body: Callable[..., Any]) -> Callable[..., Any]:
            self.all.append((body, sizes))
            return body

        return added

    def tests(self) -> Callable[..., None]:
        """A test for each body, launcher and size."""
        files.append(self.file)
        cases = [(body.__name__, name, size) for body, sizes in self.all for name in LAUNCHERS for size in sizes]

        @pytest.mark.parametrize(("body", "name", "ranks"), cases)
        def test_on_ranks(body: str, name: str, ranks: int) -> None:
            done = job(name, ranks)
            well = done.stdout.count(self.line(body))
            assert well == ranks, f"{body} on {ranks} ranks of {name}, {done.returncode}:\n{done.stdout}{done.stderr}"

        return test_on_ranks

    def line(self, body: str) -> str:
        """What a rank prints of a body that has ended well."""
        return f"well: {Path(self.file).stem}.{body};"

    def run(self) -> None:
        """What a rank does."""
        from upcall import mpi

        world = mpi.world()
        for body, sizes in self.all:
            if world.size in sizes:
                body(world, random.Random(body.__name__))
                world.barrier()
                print(self.line(body.__name__), flush=True)


def main(file: str) -> None:
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Objects are pickled by it.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    module.bodies.run()


if __name__ == "__main__":
    for file in sys.argv[1:]:
        main(file)
