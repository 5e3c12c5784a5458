"""Whole programs with a flow: how they end, fork and are interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap


def run_program(body: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = textwrap.dedent(
        """
        import os, sys, threading, time
        from upcall.flow import FlowBuilder, FlowError
        builder = FlowBuilder()
        builder.pool("/in").pool("/out")
        @builder.on("/in", to="/out")
        def echo(obj, emit):
            emit(obj.key, obj.value)
        flow = builder.start()
        flow.pool("/in").put("k", "v")
        """
    ) + textwrap.dedent(body)
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=env)


def test_a_program_ends_while_its_flow_runs() -> None:
    ended = run_program(
        """
        def put():
            pool = flow.pool("/in")
            while True:
                try:
                    pool.put("k", "v")
                except FlowError:
                    return
        threading.Thread(target=put, daemon=True).start()
        time.sleep(0.1)
        print("bye")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "bye\n", "")


def test_what_the_engine_logs_is_on_the_standard_error_of_who_asks_for_it() -> None:
    class_ = """
        class Loud:
            def open(self, ctx):
                self.log = ctx.log
            def on_object(self, obj, emit):
                self.log.warning("seen %s", obj.key)
                raise ValueError("not this one")
        described = FlowBuilder().pool("/loud").pool("/out")
        described.on("/loud", to="/out")(Loud)
        with described.start() as loud:
            loud.pool("/loud").put("a", "")
            loud.drain()
        """
    ended = run_program(class_)
    assert (ended.returncode, ended.stderr) == (0, "seen b'a'\n")
    asked = run_program(class_, RUST_LOG="warn")
    assert asked.returncode == 0, asked.stderr
    assert "seen b'a'" in asked.stderr and "buried in /dead/loud: ValueError: not this one" in asked.stderr


def test_a_forked_process_has_no_flow() -> None:
    forked = run_program(
        """
        child = os.fork()
        if child == 0:
            try:
                flow.pool("/in")
            except FlowError as error:
                print(error.kind, error)
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        flow.drain()
        print(status, flow.pool("/out").get("k").value)
        flow.stop()
        """
    )
    assert forked.stderr == ""
    assert forked.stdout.splitlines() == [
        "forked use a flow of the process that this one was forked from: start one here, or fork before",
        "0 b'v'",
    ]


def test_ctrl_c_ends_a_wait() -> None:
    interrupted = run_program(
        """
        import signal
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        watch = flow.watch("/out")
        try:
            for _ in watch:
                pass
        except KeyboardInterrupt:
            print("interrupted")
        flow.stop()
        """
    )
    assert (interrupted.returncode, interrupted.stdout) == (0, "interrupted\n"), interrupted.stderr
