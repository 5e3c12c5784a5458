"""Two groups, processes that are started, ports, values that are kept with communicators, and calls for when a process has died."""

from __future__ import annotations

import gc
import operator
import os
import random
import sys
import weakref
from functools import reduce
from pathlib import Path

import numpy as np
import pytest
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)
SIZES = (1, 2, 3)


def side(world: mpi.Communicator, odd: int) -> list[int]:
    return [rank for rank in range(world.size) if rank % 2 == odd]


@bodies.on(*SIZES)
def two_groups_pass_messages_to_each_other(world: mpi.Communicator, _: random.Random) -> None:
    with pytest.raises(TypeError, match="give an mpi.Communicator"):
        world.intercommunicator(0, None, 0)  # type: ignore[arg-type]
    if world.size == 1:
        with pytest.raises(mpi.MpiError, match="there is no rank 1") as refused:
            world.intercommunicator(1, world, 0)
        assert refused.value.kind == "rank"
        return
    odd = world.rank % 2
    theirs = side(world, 1 - odd)
    others = len(theirs)
    mine = world.split(odd)
    assert mine is not None
    with pytest.raises(mpi.MpiError):
        mine.intercommunicator(mine.size, world, 0)
    both = mine.intercommunicator(0, world, 1 - odd, tag=7)
    assert (both.rank, both.size, both.remote_size) == (mine.rank, mine.size, others)
    assert both.remote_group().translate(range(others), world.group()) == theirs
    assert both.group().compare(mine.group()) == "identical"
    both.name = "both"
    assert both.name == "both"

    sent = [both.start_send(np.array([world.rank, peer]), peer, 3) for peer in range(others)]
    for peer in range(others):
        both.send_object({"from": world.rank}, peer, 4)
    for peer, rank in enumerate(theirs):
        assert both.receive(peer, 3, dtype=int).tolist() == [rank, mine.rank]
        assert both.receive_object(peer, 4) == {"from": rank}
    mpi.wait_all(sent)
    with pytest.raises(mpi.MpiError, match="the other group"):
        both.send(b"x", others)
    both.barrier()

    for start in (0, 1):
        last = len(side(world, start)) - 1
        root = last if start != odd else mpi.HERE if mine.rank == last else mpi.BESIDE
        here, remote = root == mpi.HERE, start != odd
        row = np.array([0.5 if here else 0.0, 1])
        both.broadcast(row, root)
        assert row[0] == (0.5 if here or remote else 0)
        assert both.broadcast_object({"hello"} if here else None, root) == ({"hello"} if remote else None)
        room = np.zeros(others, int)
        both.gather_into(np.array([world.rank]), room, root)
        assert room.tolist() == (theirs if here else [0] * others)
        parts = both.gather_parts(np.full(mine.rank, world.rank), root, dtype=int)
        assert (parts is not None) == here
        if parts is not None:
            assert [part.tolist() for part in parts.split()] == [[rank] * at for at, rank in enumerate(theirs)]
        names = [f"rank {rank}" for rank in theirs]
        assert both.gather_objects(f"rank {world.rank}", root) == (names if here else None)
        own = np.zeros(1, int)
        both.scatter_into(np.arange(others) * 3, own, root)
        assert own[0] == (mine.rank * 3 if remote else 0)
        given = both.scatter_parts(np.arange(others * 2), [2] * others, root, dtype=int)
        assert (given is not None) == remote
        if given is not None:
            assert given.tolist() == [mine.rank * 2, mine.rank * 2 + 1]
        assert both.scatter_objects([f"part {at}" for at in range(others)], root) == (f"part {mine.rank}" if remote else None)
        functions = ((mpi.SUM, sum(theirs)), (mpi.MAX, max(theirs)), (np.add, sum(theirs)))
        for op, wanted in (*functions, (lambda a, b: a + b, sum(theirs))):
            into = np.zeros(2, int)
            both.reduce_into(np.full(2, world.rank), into, op, root)
            assert into.tolist() == ([wanted, wanted] if here else [0, 0])
        joined = both.reduce_object(str(world.rank), operator.add, root)
        assert joined == (reduce(operator.add, map(str, theirs)) if here else None)
        # What the root cannot write is told to the other group.
        if here:
            with pytest.raises(Exception, match="pickle"):
                both.broadcast_object(lambda: 1, root)
        elif remote:
            with pytest.raises(mpi.MpiError, match="the root has failed to give a value"):
                both.broadcast_object(None, root)
        else:
            both.broadcast_object(None, root)
    room = np.zeros(others, int)
    both.all_gather_into(np.array([world.rank]), room)
    assert room.tolist() == theirs
    gathered = both.all_gather_parts(np.full(world.rank, world.rank))
    assert [part.tolist() for part in gathered.split()] == [[rank] * rank for rank in theirs]
    assert both.all_gather_objects((world.rank,)) == [(rank,) for rank in theirs]
    sends = np.array([world.rank * 100 + peer for peer in range(others)])
    wanted_all = [rank * 100 + mine.rank for rank in theirs]
    both.all_to_all_into(sends, room)
    assert room.tolist() == wanted_all
    assert both.all_to_all_parts(sends, [1] * others).data.tolist() == wanted_all
    assert both.all_to_all_objects(sends.tolist()) == wanted_all
    with pytest.raises(mpi.MpiError):
        both.all_to_all_parts(sends, [1] * (others + 1))
    assert both.all_reduce(np.array([world.rank]), mpi.SUM).tolist() == [sum(theirs)]
    assert both.all_reduce_object(str(world.rank), operator.add) == "".join(map(str, theirs))

    assert both.duplicate().all_gather_objects(world.rank) == theirs
    assert both.merge(odd == 1).all_gather_objects(world.rank) == side(world, 0) + side(world, 1)
    for wrong in (-1, -4, others):
        with pytest.raises(mpi.MpiError) as refused:
            both.broadcast(room, wrong)
        assert refused.value.kind == "rank"
    both.disconnect()
    for call in (both.barrier, both.disconnect):
        with pytest.raises(mpi.MpiError, match="disconnected"):
            call()


@bodies.on(*SIZES)
def processes_are_started_and_talk_with_their_parents(world: mpi.Communicator, _: random.Random) -> None:
    root = world.size - 1
    with pytest.raises(mpi.MpiError, match="there is no program /no/program") as refused:
        world.spawn(mpi.SpawnedProgram("/no/program", 2), root)
    assert refused.value.kind == "spawn"
    with pytest.raises(mpi.MpiError, match="there is no folder"):
        world.spawn(mpi.SpawnedProgram("true", directory="/no/folder"), root)
    with pytest.raises(mpi.MpiError, match="there are none"):
        world.spawn([], root)
    if world.size != 2:
        return
    child = str(Path(__file__).with_name("mpi_child.py"))
    programs = [mpi.SpawnedProgram(sys.executable, 1, [child, name]) for name in ("first", "second")]
    try:
        children = world.spawn(programs, root)
    except mpi.MpiError as failed:
        # Debian's MPICH has no way to ask its launcher.
        assert failed.kind == "spawn"
        assert environment().library.startswith("MPICH")
        return
    children.broadcast_object("hello", mpi.HERE if world.rank == root else mpi.BESIDE)
    assert children.all_gather_objects(f"parent {world.rank}") == ["first", "second"]
    assert children.merge(False).all_reduce(np.array([1]), mpi.SUM)[0] == 4
    children.disconnect()


def environment() -> mpi.Environment:
    from upcall import _mpi_environment

    assert _mpi_environment._started is not None
    return _mpi_environment._started


@bodies.on(*SIZES)
def programs_find_each_other_by_a_port(world: mpi.Communicator, _: random.Random) -> None:
    env = environment()
    assert env.parent is None
    with pytest.raises(mpi.MpiError):
        env.look_up("upcall-no-such-service")
    port = None
    if world.rank == 0:
        try:
            port = env.open_port()
        except mpi.MpiError as failed:
            # MPICH over UCX has none.
            assert failed.kind in ("unsupported", "port")
            assert env.library.startswith("MPICH")
    if not world.broadcast_object(port is not None) or world.size == 1:
        return
    service = world.broadcast_object(f"upcall-python-{os.getpid()}")
    published = port.publish(service) if port else None
    world.barrier()
    odd = world.rank % 2
    half = world.split(odd)
    assert half is not None
    both = half.connect(env.look_up(service)) if odd else half.accept(port.name if port else "")
    assert both.all_gather_objects(world.rank) == side(world, 1 - odd)
    both.disconnect()
    if published:
        published.close()
        published.close()
    world.barrier()
    with pytest.raises(mpi.MpiError) as gone:
        env.look_up(service)
    assert gone.value.kind == "port"
    if port:
        with port:
            pass
        with pytest.raises(mpi.MpiError, match="closed"):
            port.name  # noqa: B018


class Kept:
    """A value that can be referred to weakly."""


STAYS = mpi.Key[Kept]()
COPIED = mpi.Key[str](copied=True)


@bodies.on(*SIZES)
def values_are_kept_copied_and_let_go_of(world: mpi.Communicator, _: random.Random) -> None:
    comm = world.duplicate()
    assert comm.get(STAYS) is None
    assert comm.get(COPIED, "none") == "none"
    value = Kept()
    comm.set(STAYS, value)
    assert comm.get(STAYS) is value
    comm.set(COPIED, "one")
    comm.set(COPIED, "two")
    twin = comm.duplicate()
    assert (twin.get(STAYS), twin.get(COPIED)) == (None, "two")
    twin.set(COPIED, "three")
    assert comm.get(COPIED) == "two"
    part = comm.split(0)
    assert part is not None
    assert part.get(COPIED) is None
    kept = weakref.ref(value)
    del value
    gc.collect()
    assert kept() is not None
    assert comm.remove(COPIED)
    assert not comm.remove(COPIED)
    # It is let go of with its communicator, when the interpreter is free to.
    del comm
    for _again in range(100):
        if kept() is None:
            break
    assert kept() is None
    with pytest.raises(TypeError, match=r"no mpi\.Key"):
        world.get("key")  # type: ignore[arg-type]


@bodies.on(*SIZES)
def calls_for_dead_ranks_say_where_they_are_not(world: mpi.Communicator, _: random.Random) -> None:
    calls = (
        world.revoke,
        world.is_revoked,
        world.shrink,
        lambda: world.agree(3),
        world.acknowledge_failures,
        world.failed_ranks,
        world.acknowledged_failures,
    )
    for call in calls:
        with pytest.raises(mpi.MpiError) as refused:
            call()
        assert refused.value.kind == "unsupported"


@bodies.on(*SIZES)
def what_one_rank_gets_wrong_is_told_to_all(world: mpi.Communicator, _: random.Random) -> None:
    last = world.rank == world.size - 1
    for color in (2**31, 2**80):
        with pytest.raises(mpi.MpiError):
            world.split(color if last else 0)
    with pytest.raises(Exception, match="pickle" if last else "failed to give one"):
        world.gather_objects((lambda: 1) if last else 1)
    with pytest.raises(Exception, match="pickle" if last else "failed to give one"):
        world.all_gather_objects((lambda: 1) if last else 1)
    assert world.all_reduce(np.array([1]), mpi.SUM)[0] == world.size


test_on_ranks = bodies.tests()
