"""Flows inside programs, and processes: those of isolated handlers, and how a program's own ends."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from upcall.flow import FlowBuilder

# Its handler forks while it handles the first of three objects; it prints what its child has ended with.
PROGRAM = """
    import asyncio, os, sys, warnings
    from upcall.flow import FlowBuilder

    warnings.simplefilter("ignore", DeprecationWarning)  # of os.fork beside threads
    children = []

    class Forks:
        def call(self, obj, emit):
            if obj.key == b"0":
                child = os.fork()
                if child == 0:
                    print("child", end=" ")
                    {body}
                    return
                children.append(child)
            emit(obj.key, b"")

        on_object = call
        {later}

    builder = FlowBuilder(workers=2)
    builder.pool("/in").pool("/out").on("/in", to="/out", order="single")(Forks)
    with builder.start() as flow:
        flow.pool("/in").put_many({{"0": b"", "1": b"", "2": b""}})
        flow.drain()
        (child,) = children
        _, status = os.waitpid(child, 0)
        print(len(flow.pool("/out").list()), os.waitstatus_to_exitcode(status))
"""

def test_a_program_that_ends_by_an_exception_prints_nothing_else() -> None:
    program = """
        from upcall.flow import FlowBuilder

        def work() -> None:
            with FlowBuilder().pool("/a").start() as flow:
                pool = flow.pool("/a")
                pool.put("k", 1.5)

        work()
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 1
    assert "/a declares no number type" in ran.stderr and "Exception ignored" not in ran.stderr, ran.stderr


def test_isolated_handlers_run_in_processes_that_may_die(tmp_path: Path) -> None:
    (tmp_path / "handlers.py").write_text(
        textwrap.dedent("""
        import os

        class Pid:
            def on_object(self, obj, emit):
                if obj.value == b"die":
                    os._exit(7)
                emit(obj.key, str(os.getpid()))

        class Endless:
            def on_object(self, obj, emit):
                while True:
                    pass
    """)
    )
    (tmp_path / "up.mjs").write_text(
        "export class Up { onObject(object, emit) { emit.put(object.key, object.text().toUpperCase()); } }"
    )
    text = """
        [pool."/in"]
        [pool."/pids"]
        [pool."/loud"]
        [pool."/slow"]
        [[handler]]
        name = "pid"
        on = "/in"
        to = "/pids"
        python = "handlers.py"
        class = "Pid"
        isolation = "process"
        [[handler]]
        name = "up"
        on = "/in"
        to = "/loud"
        node = "up.mjs"
        class = "Up"
        [[handler]]
        name = "endless"
        on = "/slow"
        python = "handlers.py"
        class = "Endless"
        isolation = "process"
        deadline = "200 ms"
    """
    with FlowBuilder(textwrap.dedent(text), path=tmp_path / "flow.toml").start() as flow:
        for key, value in ("a", "one"), ("b", "die"), ("c", "two"):
            flow.pool("/in").put(key, value)
        flow.pool("/slow").put("s", "")
        flow.drain(timeout=60)
        pid, loud = flow.pool("/pids").get("a"), flow.pool("/loud").get("c")
        assert pid is not None and int(pid.value) != os.getpid()
        assert loud is not None and loud.value == b"TWO"
        (died,), (endless,) = flow.dead_letters("/in"), flow.dead_letters("/slow")
        assert died.key == "b" and "it ended itself with exit code 7" in died.message
        assert "killed, as a call took longer than its deadline of 200ms" in endless.message


@pytest.mark.parametrize("later", ["", "async def on_object(self, obj, emit): self.call(obj, emit)"])
@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("raise ValueError('in the child')", 1, "ValueError: in the child"),
        ("pass", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("sys.exit('gone')", 1, "gone"),
    ],
)
def test_a_child_that_a_handler_has_forked_ends_where_its_call_ends(body: str, code: int, said: str, later: str) -> None:
    program = textwrap.dedent(PROGRAM).format(body=body, later=later)
    # What the child has printed is in its buffer when the call ends.
    env = {**os.environ, "PYTHONUNBUFFERED": ""}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=env)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"child 3 {code}\n"
    assert ran.stderr.strip().endswith(said) and bool(ran.stderr) == bool(said), ran.stderr
