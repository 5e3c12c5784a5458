"""Whole programs that use MPI: how they start, end, fail, fork, and are without any."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
import time

import pytest
from ranks import LAUNCHERS, environment, run

from upcall import mpi

on_both = pytest.mark.parametrize("launcher", LAUNCHERS)


def program(body: str) -> tuple[str, str]:
    return "-c", "import os, sys, threading, time\nimport numpy\nfrom upcall import mpi\n" + textwrap.dedent(body)


def alone(body: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A program that no launcher has started."""
    env = environment() | more
    return subprocess.run([sys.executable, *program(body)], capture_output=True, text=True, env=env, timeout=60)


def test_nothing_of_mpi_is_loaded_before_it_is_started() -> None:
    done = alone(
        """
        import upcall
        assert "libmpi" not in open("/proc/self/maps").read()
        assert not mpi.is_running()
        print("well")
        """,
        PATH="/nowhere",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "well\n", "")


def test_where_there_is_no_mpi_it_is_said_how_to_get_one() -> None:
    done = alone(
        """
        for _ in range(2):
            try:
                mpi.world()
            except mpi.MpiError as error:
                print(error.kind, error)
        """,
        PATH="/nowhere",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("missing find MPI: there is no mpicc") == 2 and "libopenmpi-dev" in done.stdout
    named = alone("mpi.world()", UPCALL_MPI="/no/mpicc")
    assert named.returncode == 1 and "MpiError: find MPI: UPCALL_MPI is `/no/mpicc`, which is no file" in named.stderr


def test_a_program_without_a_launcher_is_a_job_of_one() -> None:
    for which, library in (("openmpi", "Open MPI"), ("mpich", "MPICH")):
        done = alone(
            """
            with mpi.Environment() as env:
                print(env.library.split()[0], env.world.rank, env.world.size, env.threads, env.standard >= (3, 0))
                assert env.processor() and env.time() <= env.time() and mpi.is_running()
                assert mpi.world() is env.world and mpi.own() is env.own
                assert env.is_main_thread() and env.threads_wanted == "multiple" and not mpi.is_finalized()
                assert 0 < env.time_resolution() < 1 and env.time_is_global() in (True, False)
                assert (env.universe_size() or 1) >= 1 and not env.program_number()
                assert (env.io_rank(), env.host_rank()) == (mpi.ANY_SOURCE, None)
                assert env.has("partitioned") == (env.standard >= (4, 0)) and not env.has("fault_tolerance")
                try:
                    env.has("wings")
                except ValueError as error:
                    assert "'wings' is none of large_counts" in str(error)
                else:
                    raise AssertionError
            assert mpi.is_finalized() and not mpi.is_running()
            """,
            UPCALL_MPI=which,
        )
        assert (done.returncode, done.stdout) == (0, f"{library.split()[0]} 0 1 multiple True\n"), done.stderr


@on_both
def test_an_epoch_that_is_never_ended_is_told_and_ends_the_job(launcher: str) -> None:
    body = """
    world = mpi.world()
    window = mpi.Window.allocate(world, 4, "f8")
    if world.rank == 0:
        epoch = window.lock(0, "exclusive")
        epoch.put(numpy.ones(1), 0, 0)
    world.barrier()
    """
    done = run(launcher, 2, *program(body), timeout=50)
    assert done.returncode != 0 and "upcall.mpi: finalize MPI: 1 epochs" in done.stderr, done.stdout + done.stderr


@on_both
def test_mpi_is_finalized_when_the_program_ends(launcher: str) -> None:
    for end in ("", "sys.exit(0)", "env.finish()", "with env: pass", "world.start_receive(numpy.zeros(3))"):
        done = run(launcher, 2, *program(f"env = mpi.Environment()\nworld = env.world\nworld.barrier()\n{end}\n"))
        assert done.returncode == 0, f"{end}\n{done.stdout}{done.stderr}"
        assert "without calling" not in done.stderr, done.stderr


@on_both
@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("world = mpi.world()\nif world.rank == 1: raise ValueError('not this one')\nworld.receive()", 1, "not this one"),
        (
            "with mpi.Environment() as env:\n  if env.world.rank == 1: raise ValueError('not this one')\n  env.world.receive()",
            1,
            "ValueError: not this one",
        ),
        ("with mpi.Environment() as env:\n  if env.world.rank == 1: sys.exit(7)\n  env.world.receive()", 7, ""),
        ("with mpi.Environment() as env:\n  if env.world.rank == 1: sys.exit('so')\n  env.world.receive()", 1, "so"),
        ("world = mpi.world()\nif world.rank == 1: world.abort(9)\nworld.receive()", 9, ""),
    ],
)
def test_a_rank_that_fails_ends_the_job(launcher: str, body: str, code: int, said: str) -> None:
    start = time.monotonic()
    done = run(launcher, 2, *program(body), timeout=50)
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}{done.stderr}"
    assert said in done.stderr and time.monotonic() - start < 45


@on_both
def test_an_exception_that_is_handled_ends_nothing(launcher: str) -> None:
    done = run(
        launcher,
        2,
        *program(
            """
            try:
                with mpi.Environment() as env:
                    raise ValueError("not this one")
            except ValueError:
                pass
            assert mpi.is_running() and mpi.world().all_reduce(numpy.ones(1), mpi.SUM) == 2
            print("well")
            """
        ),
    )
    # The ranks' lines may meet within one.
    assert (done.returncode, done.stdout.count("well")) == (0, 2), done.stderr


@on_both
def test_after_the_end_everything_says_so(launcher: str) -> None:
    done = run(
        launcher,
        1,
        *program(
            """
            with mpi.Environment() as env:
                world = env.world
                request = world.start_send(numpy.zeros(3), 0)
                message = world.matched()
                made = world.duplicate()
            calls = [
                lambda: world.send(b"", 0), lambda: world.receive(), lambda: world.barrier(), request.wait, request.test,
                message.receive, lambda: world.all_reduce(numpy.zeros(1), mpi.SUM), lambda: made.send_object(1, 0),
                lambda: world.start_receive(bytearray(1)), world.duplicate, env.finish, mpi.Environment, env.processor,
                lambda: env.attach_buffer(100),
            ]
            for call in calls:
                try:
                    call()
                    print("nothing")
                except mpi.MpiError as error:
                    assert "finalized" in str(error), error
                    print(error.kind)
            assert (world.rank, world.size, message.status.bytes) == (0, 1, 24)
            del made, request, message
            """
        ),
    )
    assert done.stdout.split() == ["lifecycle"] * 14 and done.returncode == 0, f"{done.stdout}{done.stderr}"


@on_both
def test_there_is_one_environment(launcher: str) -> None:
    done = run(
        launcher,
        1,
        *program(
            """
            env = mpi.Environment(threads="funneled")
            print(env.threads)
            try:
                mpi.Environment()
            except mpi.MpiError as error:
                print(error.kind)
            try:
                mpi.Environment("all")
            except ValueError as error:
                print(error)
            def elsewhere():
                for call in (env.world.barrier, env.finish):
                    try:
                        call()
                    except mpi.MpiError as error:
                        print(error.kind, "thread that has started" in str(error))
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
            """
        ),
    )
    expected = "funneled\nlifecycle\nthreads: 'all' is none of single, funneled, serialized, multiple\nusage True\nusage True\n"
    assert (done.returncode, done.stdout) == (0, expected), done.stderr


@on_both
def test_a_forked_process_has_no_mpi(launcher: str) -> None:
    done = run(
        launcher,
        2,
        *program(
            """
            world = mpi.world()
            room = numpy.zeros(1)
            request, message = world.start_receive(room, tag=3), None
            made = world.duplicate()
            child = os.fork()
            if child == 0:
                for call in (world.barrier, request.wait, lambda: made.rank, mpi.world().duplicate):
                    try:
                        call()
                    except mpi.MpiError as error:
                        assert "forked from a rank" in str(error)
                        print(error.kind)
                assert not mpi.is_running()
                del request, made
                sys.exit(3)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
            world.send(numpy.ones(1), (world.rank + 1) % 2, 3)
            assert request.wait().bytes == 8 and room[0] == 1
            print("well")
            """
        ),
        # A warning of Open MPI's.
        OMPI_MCA_mpi_warn_on_fork="0",
    )
    assert done.returncode == 0, done.stderr
    assert (done.stdout.count("lifecycle"), done.stdout.count("well")) == (8, 2), done.stdout


@on_both
def test_other_threads_run_while_mpi_waits(launcher: str) -> None:
    done = run(
        launcher,
        2,
        *program(
            """
            world = mpi.world()
            if world.rank == 0:
                ran = threading.Event()
                threading.Timer(0.2, lambda: (world.send(b"go", 1), ran.set())).start()
                assert world.receive(1) == b"gone" and ran.is_set()
            else:
                world.receive(0)
                world.send(b"gone", 0)
            print("well")
            """
        ),
    )
    # The ranks' lines may meet within one.
    assert (done.returncode, done.stdout.count("well")) == (0, 2), done.stderr


def test_an_error_is_pickled_with_its_kind() -> None:
    error = pickle.loads(pickle.dumps(mpi.MpiError("rank", "there is none")))
    assert (type(error), error.kind, str(error)) == (mpi.MpiError, "rank", "there is none")
    assert os.environ.get("OMPI_COMM_WORLD_SIZE") is None, "this test is no rank"


def test_ctrl_c_ends_a_wait_for_the_first_of_some_requests() -> None:
    done = alone(
        """
        import signal
        world = mpi.world()
        request = world.start_receive(bytearray(1))
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            mpi.wait_any([request])
        except KeyboardInterrupt:
            print("well")
        request.cancel()
        request.wait()
        """
    )
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr


@on_both
def test_a_process_of_multiprocessings_has_no_mpi(launcher: str) -> None:
    done = run(
        launcher,
        2,
        *program(
            """
            import multiprocessing
            world = mpi.world()
            window, key = mpi.Window.allocate(world, 3, "i4"), mpi.Key()
            epoch, room = window.lock_all(), mpi.environment().attach_buffer(10)
            def child(queue):
                calls = [world.barrier, mpi.Environment, lambda: mpi.world().send(b"", 0), lambda: window.lock(0), lambda: epoch.put([1], 0)]
                for call in [*calls, room.detach, lambda: world.set(key, 5), epoch.end]:
                    try:
                        call()
                        queue.put("nothing")
                    except mpi.MpiError as error:
                        queue.put(error.kind if "forked from a rank" in str(error) else str(error))
                queue.put(len(mpi.Buf(100)))
            forks = multiprocessing.get_context("fork")
            queue = forks.Queue()
            process = forks.Process(target=child, args=(queue,))
            process.start()
            assert [queue.get(timeout=30) for _ in range(9)] == ["lifecycle"] * 8 + [100]
            process.join()
            assert process.exitcode == 0
            with forks.Pool(2) as pool:
                assert pool.map(abs, [-1, -2]) == [1, 2]
            epoch.end()
            window.free()
            print("well")
            """
        ),
        OMPI_MCA_mpi_warn_on_fork="0",
    )
    assert (done.returncode, done.stdout.count("well")) == (0, 2), done.stdout + done.stderr


@on_both
def test_a_program_may_end_with_everything_open(launcher: str) -> None:
    done = run(
        launcher,
        2,
        *program(
            """
            world = mpi.world()
            other = (world.rank + 1) % 2
            add = lambda a, b: a + b
            kept = [
                world.start_receive(numpy.zeros(3), tag=9), world.start_receive_object(tag=8), world.start_receive_any_size(tag=7),
                world.start_send(numpy.zeros(3), other, 5), world.start_all_reduce(numpy.ones(3), add), world.start_barrier(),
                world.all_reduce_init(numpy.ones(3), numpy.zeros(3), add), world.duplicate(), world.group(), world.matched(tag=5),
                mpi.environment().attach_buffer(1000), mpi.Window.allocate(world, 3), world.cartesian([2]), mpi.Buf(100),
            ]
            kept[6].start()
            world.send_buffered(b"abc", other, 6)
            print("well", flush=True)
            """
        ),
    )
    assert (done.returncode, done.stdout.count("well")) == (0, 2), done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr


@on_both
def test_requests_are_awaited_while_other_tasks_run(launcher: str) -> None:
    done = run(
        launcher,
        2,
        *program(
            """
            import asyncio
            world = mpi.world()
            other = (world.rank + 1) % 2
            async def sends():
                await asyncio.sleep(0.05)
                world.send(numpy.arange(3.0), world.rank, 1)
                world.send(b"ab", world.rank, 2)
                world.send_object({"a": 1}, world.rank, 3)
            async def main():
                task = asyncio.create_task(sends())
                room = numpy.zeros(3)
                received = world.start_receive(room, tag=1)
                assert (await received).bytes == 24 and (await received).bytes == 24 and room[2] == 2
                any_size = world.start_receive_any_size(tag=2)
                assert (await any_size).bytes == 2 and any_size.data == b"ab"
                assert await world.start_receive_object(tag=3) == {"a": 1}
                await task
                sums = numpy.zeros(1)
                rounds = world.send_init(numpy.ones(1), other, 4), world.receive_init(sums, other, 4)
                for one in rounds:
                    one.start()
                await asyncio.gather(*(asyncio.ensure_future(waited(one)) for one in rounds))
                assert sums == 1
                reduced = world.start_all_reduce(numpy.ones(1), lambda a, b: 1 / 0)
                try:
                    await reduced
                except mpi.MpiError as error:
                    assert isinstance(error.__cause__, ZeroDivisionError)
                assert await asyncio.to_thread(lambda: world.all_reduce(numpy.ones(1), mpi.SUM)) == 2
                print("well", flush=True)
            async def waited(one):
                return await one
            asyncio.run(main())
            """
        ),
    )
    assert (done.returncode, done.stdout.count("well")) == (0, 2), done.stdout + done.stderr


def test_mpi_starts_in_the_main_interpreter_alone() -> None:
    done = alone(
        """
        import _xxsubinterpreters as interpreters
        code = '''
        import sys
        sys.path[:0] = PATH
        from upcall import mpi
        try:
            mpi.world()
        except mpi.MpiError as error:
            print(error.kind, error, flush=True)
        '''
        import textwrap
        for isolated in (False, True):
            other = interpreters.create(isolated=isolated)
            interpreters.run_string(other, textwrap.dedent(code).replace("PATH", repr(sys.path)))
            interpreters.destroy(other)
        world = mpi.world()
        assert world.all_reduce(numpy.ones(3), lambda a, b: a + b).tolist() == [1, 1, 1]
        # MPI is the process's, whoever asks.
        other = interpreters.create(isolated=False)
        asked = textwrap.dedent(code).partition("try:")[0] + "print(mpi.is_running(), mpi.is_finalized(), flush=True)"
        interpreters.run_string(other, asked.replace("PATH", repr(sys.path)))
        interpreters.destroy(other)
        """
    )
    said = "lifecycle start MPI: this is a subinterpreter, which may end before the program does; start it in the main one\n"
    assert (done.returncode, done.stdout) == (0, 2 * said + "True False\n"), done.stderr


def test_a_call_that_the_thread_level_does_not_allow_says_how_to_allow_it() -> None:
    done = alone(
        """
        env = mpi.Environment("funneled")
        def elsewhere():
            try:
                env.world.barrier()
            except mpi.MpiError as error:
                print(error)
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        try:
            env.world.send_buffered(b"", 0)
        except mpi.MpiError as error:
            print(error)
        """
    )
    assert "start it for `multiple` threads" in done.stdout and "attach one first" in done.stdout, done.stdout + done.stderr
