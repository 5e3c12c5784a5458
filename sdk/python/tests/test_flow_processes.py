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


# A flow, a pool, a watch and a wait, of which a child has copies.
FORKS = """
    import asyncio, gc, os, sys, warnings
    from upcall.flow import FlowBuilder

    warnings.simplefilter("ignore", DeprecationWarning)  # of os.fork beside threads

    def exit_code(child):
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def echo(obj, emit):
        emit(obj.key, obj.value)

    builder = FlowBuilder().pool("/in").pool("/out")
    builder.on("/in", to="/out")(echo)
"""


def run_forks(program: str) -> str:
    program = textwrap.dedent(FORKS) + textwrap.dedent(program)
    # Whatever else is wrong in the child is told: of what is released late and of exceptions that nobody hears.
    command = [sys.executable, "-W", "always::ResourceWarning", "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_a_forked_child_forgets_its_parents_flow_and_lives_on() -> None:
    program = """
        flow = builder.start()
        pool, watch = flow.pool("/in"), flow.watch("/out")
        wait = watch.__aiter__().__anext__()
        child = os.fork()
        if child == 0:
            del flow, pool, watch, wait
            gc.collect()
            # Nothing has started a thread that would wait for those of the parent.
            print("child", len(os.listdir("/proc/self/task")), flush=True)
            sys.exit(0)
        print("parent", exit_code(child))
        pool.put("k", "v")
        flow.drain()
        print([event.key for event in watch.next(10)])
        del wait
        flow.stop()
    """
    assert run_forks(program) == "child 1\nparent 0\n['k']\n"


def test_a_forked_child_leaves_the_block_of_its_parents_flow_without_a_word() -> None:
    program = """
        async def leave():
            async with flow:
                sys.exit(5)

        with builder.start() as flow:
            first = os.fork()
            if first == 0:
                sys.exit(4)
            second = os.fork()
            if second == 0:
                asyncio.run(leave())
            with flow.watch("/out") as watch:
                third = os.fork()
                if third == 0:
                    sys.exit(6)
                print(exit_code(first), exit_code(second), exit_code(third))
                pool = flow.pool("/in")
                pool.put("k", "v")
                print([event.key for event in watch.next(10)])
    """
    assert run_forks(program) == "4 5 6\n['k']\n"


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
