"""What is given to calls that is not what they take: an error that says what to do, and never a crash."""

from __future__ import annotations

import array
import gc
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
from ranks import Bodies

from upcall import mpi

bodies = Bodies(__file__)


def says(error: type[BaseException], words: str, call: Callable[[], Any]) -> None:
    with pytest.raises(error) as raised:
        call()
    assert words in str(raised.value), raised.value


@bodies.on(1)
def numbers_are_told_by_their_names(world: mpi.Communicator, _: random.Random) -> None:
    one, env = numpy.ones(1), mpi.environment()
    # Whatever is a whole number to Python is one here: numpy's too.
    for zero in (0, numpy.int64(0), numpy.uint8(0)):
        world.start_send(one, zero, zero)
        assert world.receive(zero, zero, float) == [1]
    assert mpi.Window.allocate(world, numpy.int64(2), "i4").length(numpy.int8(0)) == 2
    assert len(mpi.Buf(numpy.int64(9))) == 9
    env.attach_buffer(numpy.uint16(10)).detach()
    assert world.scatter_parts(one, [numpy.int64(1)], dtype=float) == [1]
    grid = world.cartesian(numpy.array([1]))
    assert grid is not None and grid.sizes == [1]
    ranks = {
        "dest": lambda x: world.send(one, x),
        "tag": lambda x: world.start_send(one, 0, x),
        "root": lambda x: world.broadcast(one, x),
        "rank": lambda x: mpi.Window.allocate(world, 1).lock(x),
        "color": lambda x: world.split(x),
        "key": lambda x: world.split(0, x),
        "size": lambda x: env.attach_buffer(x),
        "count": lambda x: mpi.Window.allocate(world, x),
        "counts[0]": lambda x: world.scatter_parts(one, [x]),
        "sizes[0]": lambda x: world.cartesian([x]),
    }
    for name, call in ranks.items():
        for wrong, told in (("0", "a str"), (1.5, "a float"), ([], "a list"), (numpy.float64(0), "a float64")):
            says(TypeError, f"{name}: wanted is an integer, and {told} is given", lambda call=call, wrong=wrong: call(wrong))
        if name not in ("color",):
            says(TypeError, f"{name}: wanted is an integer, and None is given", lambda call=call: call(None))
        if name != "color":
            says(OverflowError, f"{name}: the number is more than MPI counts", lambda call=call: call(1 << 70))
    for name in ("size", "count", "counts[0]", "sizes[0]"):
        says(ValueError, f"{name}: -1 is negative", lambda name=name: ranks[name](-1))
    for call in (lambda: world.scatter_parts(one, 5), lambda: world.reduce_scatter(one, None, mpi.SUM)):
        says(TypeError, "counts: wanted is a list of integers, and ", call)
    says(TypeError, "sizes: wanted is a list of integers, and an int is given", lambda: world.cartesian(1))
    says(TypeError, "ranks[0]: wanted is an integer", lambda: mpi.Window.allocate(world, 1).access(["0"]))

    class Odd:
        def __index__(self) -> int:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        world.send(one, Odd())

    def ends(error: BaseException) -> Iterator[int]:
        yield 1
        raise error

    for error in (ValueError("mine"), KeyboardInterrupt("mine"), ZeroDivisionError("mine")):
        for call in (world.cartesian, lambda x: world.scatter_parts(one, x)):
            with pytest.raises(type(error), match="^mine$"):
                call(ends(error))


@bodies.on(1)
def what_is_no_array_is_an_error(world: mpi.Communicator, _: random.Random) -> None:
    one = numpy.ones(1)
    for wrong in (None, "text", 1, [1.0], {}, object()):
        for call in (
            lambda x: world.send(x, 0),
            lambda x: world.receive_into(x, 0),
            lambda x: world.broadcast(x),
            lambda x: world.gather(x),
            lambda x: world.all_reduce(x, mpi.SUM),
            lambda x: world.scan(x, numpy.add),
            lambda x: world.start_all_reduce(x, mpi.SUM),
            lambda x: world.send_init(x, 0),
            lambda x: world.all_reduce_reproducible(x),
            lambda x: mpi.Window.create(world, x),
        ):
            says(TypeError, " has no memory of its own; give a numpy array", lambda call=call, wrong=wrong: call(wrong))
        for call in (lambda x: world.all_reduce(one, x), lambda x: world.start_all_reduce(one, x), lambda x: world.scan(one, x)):
            says(TypeError, "give an operation of MPI's, as mpi.SUM, or a function", lambda call=call, wrong=wrong: call(wrong))
    # Numbers that are others on the two sides.
    for call in (world.all_gather_into, world.all_to_all_into, lambda a, b: world.all_reduce_into(a, b, mpi.SUM), world.gather_into):
        says(TypeError, 'the elements have format "d", and those of the array', lambda call=call: call(one, numpy.zeros(1, "i8")))
    says(TypeError, 'have format "d"', lambda: world.start_all_reduce(one, mpi.SUM, into=numpy.zeros(1, "u8")))
    room = bytearray(8)
    world.all_gather_into(one, room)
    assert numpy.frombuffer(room) == [1]
    says(mpi.MpiError, "use a grid", lambda: world.coordinates_of(0))


@bodies.on(1, 2)
def arrays_of_all_kinds_travel_or_say_why_not(world: mpi.Communicator, _: random.Random) -> None:
    rank, size = world.rank, world.size

    def add(a: Any, b: Any) -> Any:
        return a + b

    for odd in (numpy.arange(10.0)[::2], numpy.asfortranarray(numpy.ones((2, 3))), numpy.ones(4)[::-1], memoryview(bytearray(9))[::2]):
        for call in (lambda x: world.all_reduce(x, mpi.SUM), lambda x: world.start_send(x, 0), lambda x: world.broadcast(x, rank)):
            says(BufferError, "numpy.ascontiguousarray", lambda call=call, odd=odd: call(odd))
        says(BufferError, "and copy from that what has come", lambda odd=odd: world.receive_into(odd))
    fixed = numpy.ones(3)
    fixed.flags.writeable = False
    assert (world.all_reduce(fixed, add) == size).all()
    for call in (lambda: world.receive_into(fixed), lambda: world.all_reduce_in_place(fixed, mpi.SUM), lambda: mpi.Window.create(world, fixed)):
        says(BufferError, "read-only; give a copy", call)
    swapped = numpy.arange(3, dtype=">f8")
    says(mpi.MpiError, "give array.astype", lambda: world.all_reduce(swapped, mpi.SUM))
    for op in (add, numpy.add):
        assert world.all_reduce(swapped, op).tolist() == [0, size, 2 * size]
    for objects in (numpy.array([1, None]), numpy.array([(1, None)], [("a", "i4"), ("b", object)])):
        for call in (lambda x: world.send(x, 0), lambda x: world.all_reduce(x, add), lambda x: world.receive_into(x)):
            says(TypeError, "send them as objects", lambda call=call, objects=objects: call(objects))
        says(TypeError, "plain memory", lambda objects=objects: mpi.Window.create(world, objects))
        assert world.all_gather_objects(objects)[size - 1].tolist() == objects.tolist()
    dates = numpy.array(["2020-01-01"], "M8[D]")
    says(BufferError, "view it as numbers or bytes, or send it as an object", lambda: world.all_reduce(dates, mpi.SUM))
    assert world.all_reduce(dates.view("i8"), mpi.MAX).view("M8[D]") == dates
    # Without dimensions, without elements, of any width.
    assert world.all_reduce(numpy.array(3.0), add) == 3 * size and world.all_reduce(numpy.float32(2), mpi.SUM) == 2 * size
    for empty in (numpy.zeros(0), numpy.zeros((2, 0, 3)), numpy.zeros((0, 4))[:, ::2], bytearray(), array.array("d"), memoryview(b"")):
        assert numpy.size(world.all_reduce(empty, add)) == 0
        world.broadcast(empty if isinstance(empty, numpy.ndarray) else bytearray())
        sent = world.start_send(empty, rank, 3)
        assert len(world.receive(rank, 3)) == 0
        sent.wait()
    for dtype in ("f2", "g", "c8", "?", "S3", "U2", "V5"):
        data = numpy.ones(3, dtype) if dtype[0] not in "SUV" else numpy.zeros(3, dtype)
        assert world.all_gather(data).tolist() == [data.tolist()] * size, dtype
    # A function that does not know the type is its own error.
    try:
        world.all_reduce(numpy.zeros(2, "V5"), add)
        assert size == 1 or rank > 0
    except mpi.MpiError as error:
        assert error.kind == "operation" and isinstance(error.__cause__, TypeError)
    world.barrier()
    numbers = memoryview(bytearray(24)).cast("d", (3,))
    assert list(world.all_reduce(numbers, mpi.SUM)) == [0.0] * 3
    assert bytes(world.all_gather(memoryview(bytearray(24)).cast("B", (4, 6)))) == bytes(24 * size)
    gone = memoryview(bytearray(4))
    gone.release()
    says(BufferError, "released", lambda: world.start_send(gone, 0))
    for dtype, error in ((object, TypeError), ("nonsense", TypeError), ("V", ValueError), ("U3", mpi.MpiError)):
        sent = world.start_send(b"12345678", rank, 4)
        with pytest.raises(error):
            world.receive(rank, 4, dtype)
        sent.wait()


@bodies.on(1)
def memory_that_is_lent_stays(world: mpi.Communicator, _: random.Random) -> None:
    room, numbers = bytearray(8), array.array("d", [0.0])
    view = memoryview(bytearray(8))
    requests = [world.start_receive(room, 0, 1), world.start_receive(numbers, 0, 2), world.start_receive(view, 0, 3)]
    for call in (lambda: room.extend(b"x"), room.clear, room.pop, lambda: numbers.append(1.0), view.release):
        with pytest.raises(BufferError):
            call()
    for tag, data in enumerate((b"12345678", numpy.ones(1), b"ab"), 1):
        world.send(data, 0, tag)
    mpi.wait_all(requests)
    room.extend(b"9")
    numbers.append(2.0)
    view.release()
    assert (room, list(numbers)) == (b"123456789", [1.0, 2.0])
    # Those that are forgotten keep theirs for as long as they have to.
    for _turn in range(50):
        world.start_receive(numpy.zeros(3), 0, 9)
        world.start_send(numpy.zeros(100_000), 0, 10)
    gc.collect()
    for _turn in range(50):
        assert len(world.receive(0, 10)) == 800_000


test_on_ranks = bodies.tests()
