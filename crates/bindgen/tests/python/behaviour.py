"""What both implementations do, run against the shapes library. Each function is one test."""

import array
import ctypes
import gc
import struct
import sys
import threading
import warnings

import numpy as np
import shapes
from shapes import (
    Aligned,
    Bitfields,
    Callback,
    Color,
    Access,
    Counter,
    Event,
    Event_Key,
    Meters,
    Mixed,
    NativeError,
    Number,
    Packed,
    Point,
    Shape,
    Shape_Circle,
    Shape_Rect,
)

NATIVE = shapes.implementation.__name__.endswith("_native")


def raises(kind, text, function, *args, **named):
    try:
        function(*args, **named)
    except kind as error:
        assert text in str(error), f"{error!r} does not say {text!r}"
        return error
    raise AssertionError(f"{function} did not raise {kind}")


def unless_refused(function, *args):
    """Calls; ctypes refuses what libffi cannot pass, and says so."""
    try:
        return function(*args)
    except NotImplementedError as error:
        assert not NATIVE, error
        assert "extension" in str(error), error
        return None


def test_numbers():
    assert shapes.add(2, 3) == 5
    assert shapes.add(a=2, b=-3) == -1
    assert shapes.add(2, b=3) == 5
    assert shapes.widest(2**64 - 1, -1, 255, -(2**63), in_=0) == (2**64 - 1) ^ (2**64 - 1) ^ 255 ^ 2**63
    assert shapes.halve(3.0) == 1.5
    assert shapes.not_(True) is False and shapes.not_(False) is True
    assert shapes.next_letter("a") == "b" and shapes.next_letter("\U0001f600") == "\U0001f601"
    for value in (0, 1, -1, 2**64, -(2**64), 2**126, -(2**126) + 5):
        result = unless_refused(shapes.negate, value)
        assert result is None or result == -value


def test_wrong_numbers():
    raises(OverflowError, "a of add is 2147483648, which does not fit into i32", shapes.add, 2**31, 0)
    raises(OverflowError, "b of add is -99999999999999999999", shapes.add, 1, -99999999999999999999)
    raises(OverflowError, "a of widest is -1, which does not fit into u64", shapes.widest, -1, 0, 0, 0, 0)
    raises(OverflowError, "c of widest is 256, which does not fit into u8", shapes.widest, 1, 0, 256, 0, 0)
    raises(TypeError, "a of add must be an int, not float", shapes.add, 1.5, 0)
    raises(TypeError, "a of widest must be an int, not str", shapes.widest, "1", 0, 0, 0, 0)
    raises(TypeError, "value of not_ must be a bool, not int", shapes.not_, 1)
    raises(TypeError, "value of next_letter must be a str of one character", shapes.next_letter, "ab")
    raises(ValueError, "value of next_letter is not a Unicode scalar value", shapes.next_letter, "\ud800")
    raises(TypeError, "add() needs the argument b", shapes.add, 1)
    raises(TypeError, "add() takes 2 arguments, got 3", shapes.add, 1, 2, 3)
    raises(TypeError, "add() has no argument c", shapes.add, 1, c=2)
    raises(TypeError, "add() got the argument a twice", shapes.add, 1, a=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raises(TypeError, "value of halve must be a float, not str", shapes.halve, "1")
        raises(OverflowError, "value of halve is 1e+300, which does not fit into f32", shapes.halve, 1e300)

    class Index:
        def __index__(self):
            return 7

    assert shapes.add(Index(), 1) == 8 and shapes.widest(Index(), 0, 0, 0, 0) == 7


def test_docs_and_deprecation():
    assert "Adds two numbers." in shapes.add.__doc__ and "It wraps around." in shapes.add.__doc__
    assert "What Point is." in Point.__doc__ and Color.__doc__ == "What Color is."
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shapes.halve(1.0)
    assert caught[0].category is DeprecationWarning, caught
    assert "halve() is deprecated: use a multiplication" in str(caught[0].message)
    assert caught[0].filename == __file__, caught[0].filename


def test_enums_and_flags():
    assert shapes.flip(Color.Red) is Color.Green and shapes.flip(8) is Color.Red
    assert Color.Red == -1
    raises(ValueError, "color of flip is 3, which is not a value of Color", shapes.flip, 3)
    raises(OverflowError, "color of flip is 70000, which does not fit into i16", shapes.flip, 70000)
    assert shapes.widen(Access.READ | Access.WRITE) == 7
    assert isinstance(shapes.widen(Access.READ), Access)
    assert shapes.widen(16) == 20


def test_constants_and_statics():
    assert shapes.LIMIT == 2**64 - 1 and shapes.HUGE == 2**128 - 1
    assert shapes.RATIO == 0.1 and shapes.FAR == float("-inf") and shapes.ON is True and shapes.LETTER == "ß"
    assert shapes.GREETING == 'say "hé"\n' and shapes.RAW == b"a\xff\\"
    assert shapes.get_SCALE() == 2.5 and not hasattr(shapes, "set_SCALE")
    assert shapes.get_LEVEL() == 7
    shapes.set_LEVEL(-3)
    assert shapes.get_LEVEL() == -3
    raises(OverflowError, "value of set_LEVEL", shapes.set_LEVEL, 2**40)


def test_structs():
    point = Point(x=1.0, y=2.0)
    assert (point.x, point.y) == (1.0, 2.0) and Point().x == 0.0
    assert repr(point) == "Point(x=1.0, y=2.0)"
    assert point == Point(y=2.0, x=1.0) and point != Point() and point != 3
    assert (Point._size_, Point._align_, Point._offsets_) == (8, 4, {"x": 0, "y": 4})
    swapped = shapes.mirror_point(point)
    assert swapped == Point(x=2.0, y=1.0)
    point.x = 5
    assert point.x == 5.0 and swapped.y == 1.0
    raises(TypeError, "Point has no field z", Point, z=1)
    raises(TypeError, "by name", Point, 1.0)
    raises(TypeError, "x of Point must be a float, not str", setattr, point, "x", "no")
    raises(TypeError, "a field cannot be deleted", delattr, point, "x")
    raises(TypeError, "point of mirror_point must be Point, not Aligned", shapes.mirror_point, Aligned())
    raises(TypeError, "", hash, point)
    shapes.move_point(point, by=Point(x=1.0, y=1.0))
    assert (point.x, point.y) == (6.0, 3.0)
    shapes.move_point(point._address_, Point(x=1.0, y=1.0))
    assert point.x == 7.0
    view = Point._at_(point._address_)
    view.y = 9.0
    assert point.y == 9.0
    import copy

    other = copy.copy(point)
    other.x = 0.0
    assert point.x == 7.0 and other.y == 9.0
    assert shapes.double_meters(Meters(_0=1.25))._0 == 2.5


def test_packed_and_aligned():
    assert (Packed._size_, Packed._align_, Packed._offsets_["wide"]) == (12, 2, 2)
    packed = Packed(small=3, wide=0x0102030405060708, last=5)
    swapped = unless_refused(shapes.swap_packed, packed)
    assert swapped is None or swapped == Packed(small=5, wide=0x0807060504030201, last=3)
    assert (Aligned._size_, Aligned._align_) == (16, 16)
    for _ in range(50):
        assert Aligned()._address_ % 16 == 0
    raised = unless_refused(shapes.raise_aligned, Aligned(value=4))
    assert raised is None or raised.value == 5


def test_mixed():
    mixed = Mixed(flag=True, letter="ß", color=Color.Green, big=-(2**100), type=-5)
    mixed.points = [Point(x=1.0), Point(y=4.0)]
    mixed.grid = [[1, 2, 3], (4, 5, 65535)]
    mixed.nested = Aligned(value=9)
    assert mixed.next is None and mixed.call is None
    mixed.next = mixed
    assert mixed.next == mixed._address_
    mixed.next = None
    echoed = unless_refused(shapes.echo_mixed, mixed) or mixed
    assert echoed == mixed
    assert echoed.letter == "ß" and echoed.color is Color.Green and echoed.big == -(2**100) and echoed.type == -5
    assert [point.y for point in echoed.points] == [0.0, 4.0] and len(echoed.points) == 2
    assert [list(row) for row in echoed.grid] == [[1, 2, 3], [4, 5, 65535]]
    assert echoed.grid == [[1, 2, 3], [4, 5, 65535]] and echoed.grid[-1][0] == 4
    echoed.grid[0][1] = 77
    assert echoed.grid[0][1] == 77 and np.asarray(echoed.grid).tolist() == [[1, 77, 3], [4, 5, 65535]]
    assert memoryview(echoed.grid).shape == (2, 3) and bytes(echoed.points)[4:8] == bytes(4)
    raises(OverflowError, "65536", echoed.grid[0].__setitem__, 0, 65536)
    raises(IndexError, "3 elements", lambda: echoed.grid[0][3])
    raises(ValueError, "points of Mixed has 2 elements, not 1", setattr, mixed, "points", [Point()])
    raises(TypeError, "points of Mixed must be a sequence", setattr, mixed, "points", 3)
    # Views keep what they look at alive.
    nested = Mixed(nested=Aligned(value=6)).nested
    points = Mixed(points=[Point(x=1.5), Point()]).points
    gc.collect()
    assert nested.value == 6 and points[0].x == 1.5
    nested = mixed.nested
    nested.value = 11
    assert mixed.nested.value == 11
    raises(ValueError, "color of Mixed is 4, which is not a value of Color", setattr, mixed, "color", 4)
    raises(OverflowError, "type of Mixed is 128, which does not fit into i8", setattr, mixed, "type", 128)
    raises(OverflowError, "which does not fit into i128", setattr, mixed, "big", 2**127)


def test_unions_and_variants():
    number = Number(real=1.5)
    assert number.whole == struct.unpack("<I", struct.pack("<d", 1.5)[:4])[0]
    number.bytes = bytes(range(12))
    assert list(number.bytes) == list(range(12))
    echoed = unless_refused(shapes.echo_number, number)
    assert echoed is None or list(echoed.bytes)[:12] == list(range(12))
    shape = Shape(Circle=Shape_Circle(_0=2.5))
    assert shape.tag == 1 and shape.Circle._0 == 2.5
    raises(ValueError, "the value is not a Shape_Rect", lambda: shape.Rect)
    grown = unless_refused(shapes.grow, shape)
    assert grown is None or grown.Circle._0 == 5.0
    shape.Rect = Shape_Rect(corner=Point(x=1.0), width=3)
    assert shape.tag == 2 and shape.Rect.corner.x == 1.0
    shape.Rect.width = 4
    grown = unless_refused(shapes.grow, shape)
    assert grown is None or grown.Rect.width == 5 and grown != shape
    assert repr(shape).startswith("Shape(tag=2, Rect=Shape_Rect(corner=Point(x=1.0, y=0.0), width=4)"), repr(shape)
    event = Event(Key=Event_Key(code=300))
    echoed = unless_refused(shapes.echo_event, event)
    assert echoed is None or echoed.Key.code == 300 and echoed.tag == 1


def test_bitfields():
    bits = Bitfields(a=-4, b=127, c=-7, d=(1 << 20) - 1)
    assert (bits.a, bits.b, bits.c, bits.d) == (-4, 127, -7, (1 << 20) - 1)
    bits.b = 64
    assert (bits.a, bits.b, bits.c) == (-4, 64, -7)
    assert bytes(bits)[:3] == bytes([0b100 | (64 << 3) & 0xFF, 64 >> 5, 0xF9])
    raises(OverflowError, "a of Bitfields is 4", setattr, bits, "a", 4)
    raises(OverflowError, "b of Bitfields is 128", setattr, bits, "b", 128)
    raises(OverflowError, "", setattr, bits, "b", -1)
    echoed = unless_refused(shapes.echo_bits, bits)
    assert echoed is None or echoed == bits


def test_buffers_of_structs():
    point = Point(x=1.0, y=2.0)
    assert bytes(point) == struct.pack("<ff", 1.0, 2.0)
    assert struct.unpack_from("<f", point, 4) == (2.0,)
    assert memoryview(point).nbytes == 8 and not memoryview(point).readonly
    assert np.frombuffer(point, dtype=np.float32).tolist() == [1.0, 2.0]
    seen = np.asarray(point)
    assert seen["x"] == 1.0 and seen.dtype.itemsize == 8
    memoryview(point).cast("B")[0:4] = struct.pack("<f", 8.0)
    assert point.x == 8.0


def test_slices():
    assert shapes.sum(array.array("f", [1.0, 2.0, 3.5])) == 6.5
    assert shapes.sum(np.arange(5, dtype=np.float32)) == 10.0
    assert shapes.sum(memoryview(array.array("f", [4.0, 5.0]))) == 9.0
    assert shapes.sum(np.zeros(0, dtype=np.float32)) == 0.0
    values = array.array("f", [1.0, 2.0])
    shapes.scale(values, 3.0)
    assert values.tolist() == [3.0, 6.0]
    raises(ValueError, "values of sum must hold f32, not d of 8 bytes", shapes.sum, array.array("d", [1.0]))
    raises(ValueError, "values of sum must hold f32", shapes.sum, np.zeros(4, dtype=np.int32))
    raises(ValueError, "values of sum must hold f32", shapes.sum, np.zeros(4, dtype=">f4"))
    raises(ValueError, "values of sum must be contiguous", shapes.sum, np.zeros(8, dtype=np.float32)[::2])
    raises(TypeError, "values of sum must be a buffer, not list", shapes.sum, [1.0])
    frozen = np.zeros(4, dtype=np.float32)
    frozen.flags.writeable = False
    raises(ValueError, "values of scale must be a contiguous buffer that can be written", shapes.scale, frozen, 2.0)
    assert shapes.sum(frozen) == 0.0
    raises(ValueError, "", shapes.scale, bytes(8), 2.0)
    records = np.zeros(3, dtype=[("x", "<f4"), ("y", "<f4")])
    records["x"] = [1.0, 2.0, 4.0]
    assert shapes.total_x(records) == 7.0
    assert shapes.total_x(Point(x=3.0)) == 3.0
    assert shapes.total_x(struct.pack("<4f", 1.0, 0.0, 2.0, 0.0)) == 3.0
    raises(ValueError, "points of total_x must hold Point", shapes.total_x, bytes(7))
    primes = shapes.primes()
    assert primes.tolist() == [2.0, 3.0, 5.0, 7.0] and primes.readonly and primes.format == "f"
    assert np.asarray(primes)[3] == 7.0


def test_text():
    assert shapes.count_letters("größer") == 6 and shapes.count_letters("größer".encode()) == 6
    assert shapes.count_letters("") == 0 and shapes.count_letters("a\0b") == 3
    raises(ValueError, "text of count_letters is not UTF-8", shapes.count_letters, b"\xff")
    raises(ValueError, "text of count_letters holds a lone surrogate", shapes.count_letters, "\ud800")
    raises(TypeError, "text of count_letters must be str or bytes, not int", shapes.count_letters, 3)
    assert shapes.motto() == "größer"
    before = shapes.released()
    assert shapes.spell(7) == "nº 7"
    assert shapes.released() == before + 1
    assert shapes.first_letter("xyz") == ord("x") and shapes.first_letter(b"q\xff") == ord("q")
    assert shapes.first_letter(None) == 0
    letters = ctypes.create_string_buffer(b"k")
    assert shapes.first_letter(ctypes.addressof(letters)) == ord("k")
    raises(ValueError, "text of first_letter holds a zero character", shapes.first_letter, "a\0")


def test_owned_buffers():
    before = shapes.released()
    with shapes.squares(4) as squares:
        assert len(squares) == 4 and list(squares) == [0, 1, 4, 9] and squares[3] == 9 and squares[-1] == 9
        assert np.asarray(squares).tolist() == [0, 1, 4, 9]
        gc.collect()
        view = squares.view()
        assert view.tolist() == [0, 1, 4, 9] and view.format == "i"
        raises(BufferError, "still uses", squares.release)
        view.release()
        assert shapes.released() == before
    assert shapes.released() == before + 1
    raises(ValueError, "the buffer was released", len, squares)
    squares.release()
    assert shapes.released() == before + 1, "a second release does nothing"
    raises(IndexError, "3 elements", lambda: shapes.squares(3)[3])
    gc.collect()
    assert shapes.released() == before + 2
    with shapes.squares(0) as nothing:
        assert len(nothing) == 0 and list(nothing) == [] and nothing.view().tolist() == []


def test_failures():
    assert shapes.divide(7, 2) == 3
    before = shapes.released()
    error = raises(NativeError, "cannot divide by zero, naïvely", shapes.divide, 7, 0)
    assert error.code == 33 and error.message == "cannot divide by zero, naïvely"
    assert shapes.released() == before + 1
    assert shapes.divide(a=9, b=3) == 3


def test_handles():
    before = shapes.released()
    with Counter(5) as counter:
        assert counter.add(2) == 7 and counter.add(by=-1) == 6
        assert shapes.counter_add(counter, 1) == 7
    assert shapes.released() == before + 1
    raises(ValueError, "the Counter was closed", counter.add, 1)
    raises(ValueError, "the Counter was closed", shapes.counter_add, counter, 1)
    counter.close()
    assert shapes.released() == before + 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Counter(start=1)
        gc.collect()
    assert [warning.category for warning in caught] == [ResourceWarning]
    assert shapes.released() == before + 2
    plain = shapes.counter_new(3)
    assert shapes.counter_add(plain, 1) == 4
    shapes.counter_release(plain)


def test_callbacks():
    seen = []

    def step(sum, index):
        seen.append(index)
        return sum + index * 10

    assert shapes.fold(4, step) == 60 and seen == [0, 1, 2, 3]
    assert shapes.fold(count=3, step=lambda sum, index: sum + 1) == 3
    raises(TypeError, "step of fold must be a callable", shapes.fold, 1, "no")
    raises(ValueError, "step of fold must not be null", shapes.fold, 1, None)

    def fails(sum, index):
        seen.append(index)
        if index == 1:
            raise KeyError("mine")
        return 5

    seen.clear()
    raises(KeyError, "mine", shapes.fold, 5, fails)
    assert seen == [0, 1], "after an exception the function is not called again"
    raises(TypeError, "the result of a callback must be an int, not str", shapes.fold, 2, lambda sum, index: "x")
    raises(OverflowError, "the result of a callback", shapes.fold, 2, lambda sum, index: 2**40)
    assert shapes.fold(3, step) == 30

    # One in another: both are alive.
    assert shapes.fold(3, lambda sum, index: sum + shapes.fold(2, lambda a, b: a + 1)) == 6


def test_callbacks_without_context():
    def turn(point, tag):
        assert ctypes.string_at(tag, 1) == b"x"
        return Point(x=-point.x, y=point.y)

    assert shapes.apply(None, Point(x=2.0)) == Point(x=2.0)
    turned = unless_refused(shapes.apply, turn, Point(x=2.0, y=1.0))
    if turned is None:
        return
    assert turned == Point(x=-2.0, y=1.0)
    for _ in range(200):
        assert shapes.apply(lambda point, tag: point, Point(x=2.0)).x == 2.0
    raises(ZeroDivisionError, "", shapes.apply, lambda point, tag: 1 / 0, Point())


def test_kept_callbacks():
    seen = []
    with Callback(seen.append) as notify:
        shapes.keep(notify)
        shapes.notify_from_thread(3)
        shapes.notify_from_thread(value=4)
        assert seen == [3, 4]
        # Plain functions work beside it.
        assert shapes.fold(4, lambda sum, index: sum + index) == 6
    raises(ValueError, "notify of keep is a Callback that was released", shapes.keep, notify)

    def late():
        shapes.notify_from_thread(5)

    # Another one lives, so that the GIL is free for the thread.
    with Callback(print):
        raises(RuntimeError, "a callback was called after it was released", late)
    assert seen == [3, 4]
    with Callback(lambda value: 1 // value) as notify:
        shapes.keep(notify)
        raises(ZeroDivisionError, "", shapes.notify_from_thread, 0)
        thread = threading.Thread(target=shapes.notify_from_thread, args=(1,))
        thread.start()
        thread.join()
    with Callback(lambda sum, index: sum + 2) as step:
        assert shapes.fold(3, step) == 6
        assert shapes.fold(2, step) == 4
    raises(TypeError, "function of Callback must be a callable", Callback, 3)


def test_callbacks_from_other_threads():
    count = lambda sum, index: sum + 1
    # It gives up the GIL, so a plain function can be called.
    assert shapes.fold_aside(5, count) == 5
    raises(ZeroDivisionError, "", shapes.fold_aside, 2, lambda sum, index: 1 // index)
    if NATIVE:
        # It keeps the GIL: nobody else can call Python. That is an error, not a standstill.
        raises(RuntimeError, "from another thread", shapes.fold_elsewhere, 3, count)
        assert shapes.fold(3, count) == 3
    with Callback(count) as explicit:
        assert shapes.fold_elsewhere(4, explicit) == 4
        assert shapes.fold_elsewhere(4, count) == 4
        # A callback that calls a function that calls the same thread's callbacks.
        inner = lambda sum, index: sum + shapes.fold(2, count) + shapes.fold_elsewhere(2, explicit)
        assert shapes.fold(3, inner) == 12 and shapes.fold_elsewhere(3, inner) == 12
    assert shapes.fold(3, lambda sum, index: sum + shapes.fold_aside(2, count)) == 6
    threads = [threading.Thread(target=lambda: results.append(shapes.fold_aside(200, count))) for _ in range(8)]
    results = []
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [200] * 8


def test_nothing():
    assert shapes.zero(None) == 9
    raises(TypeError, "nothing of zero must be None", shapes.zero, 3)


def main():
    wanted = sys.argv[1:]
    for name, test in list(globals().items()):
        if name.startswith("test_") and (not wanted or name in wanted):
            test()
            print(name, "ok", flush=True)


main()
