"""Calls the awkward library; raises where something is wrong, or says that all is well."""

import ctypes
import math
import re
from array import array
from collections.abc import Callable

import awkward
from awkward import Access, Arrays, Callback, Event, Hand, NativeError, NotANumberError, Point, Sample, Shape, Stage, Step, Table, Turn, WordCounter

NATIVE = awkward.implementation.__name__ == "awkward._native"


def same(found: object, expected: object, what: str) -> None:
    assert found == expected, f"{what}: {found!r}, not {expected!r}"


def fails(call: Callable[[], object], message: str, code: int | None = None) -> None:
    try:
        call()
    except Exception as error:
        said = error.message if isinstance(error, NativeError) else str(error)
        assert re.search(message, said), f"raised: {error!r}; expected: {message}"
        if code is not None:
            assert isinstance(error, NativeError)
            same(error.code, code, "the code")
    else:
        raise AssertionError(f"nothing was raised; expected: {message}")


def natively(check: Callable[[], object]) -> None:
    """What ctypes says that it cannot pass."""
    check() if NATIVE else fails(check, "ctypes cannot pass .* by value")


def scalars() -> None:
    same(awkward.add(2147483647, 1), -2147483648, "add")
    fails(lambda: awkward.add(2147483648, 1), "left of add")
    same(awkward.increment(1), 2, "increment")
    same(awkward.long_sum(-5, 3), -2, "long_sum")
    natively(lambda: same(awkward.wide_negate(-(1 << 100)), 1 << 100, "wide_negate"))
    natively(lambda: same(awkward.wide_sum(5, -7), -2, "wide_sum"))
    natively(lambda: fails(lambda: awkward.wide_sum(-1, 0), "left of wide_sum"))
    same(awkward.size_sum(5, -3), 2, "size_sum")
    same(awkward.next_char("é"), "ê", "next_char")
    same(awkward.char_after("a"), "b", "char_after")
    fails(lambda: awkward.char_after("\U0010ffff"), "there is none", 1)
    fails(lambda: awkward.next_char("two"), "value of next_char")
    same(awkward.not_(True), False, "not")
    same(awkward.toggled(False), True, "toggled")
    same(awkward.first_char("xyz"), 120, "first_char")
    same(awkward.first_char(None), 0, "first_char of nothing")
    same(awkward.maybe_non_zero(7), 8, "maybe_non_zero")
    natively(lambda: same(awkward.every(-1, 2, -3, 4, 5, -6, 7, 8, 0.5, 0.25), 16.75, "every"))
    same(awkward.keywords(1, 2, 3, function=4, namespace=5), 15, "keywords")
    same(awkward.shadows(1, 2, 3, 4), 6, "shadows")
    same(awkward.made_twice(4), 8, "made_twice")


def enums() -> None:
    same(awkward.signed_flip(awkward.Signed.Below), awkward.Signed.Above, "signed_flip")
    same(awkward.computed_of(awkward.Computed.Other), 101, "computed_of")
    same(awkward.access_flip(Access.READ) & Access.BOTH, Access.WRITE, "access_flip")
    same(awkward.opposite(Turn.Left) is Turn.Right, True, "opposite")
    fails(lambda: awkward.opposite(7), "turn")
    same(awkward.vast_next(awkward.Vast.Class), awkward.Vast.Most, "vast_next")
    same(awkward.hand_other(Hand.LEFT), Hand.RIGHT, "hand_other")
    circle = awkward.Shape_Circle(_0=Point(x=1.0), _1=2.0)
    same(awkward.shape_height(Shape(Circle=circle)), 4.0, "shape_height of a circle")
    shape = Shape(Box=awkward.Shape_Box(low=Point(y=1.0), high=Point(y=4.0)))
    same(awkward.shape_height(shape), 3.0, "shape_height of a box")
    same(shape.tag, 2, "the tag of a box")
    natively(tagged)


def tagged() -> None:
    key = awkward.event_next(Event(Quit=awkward.Event_Quit()))
    same(key.Key._0, 7, "event_next")
    move = awkward.event_next(key).Move
    same((move.x, move.y), (7, -1), "event_next of a key")
    grown = awkward.tagged_grow(awkward.Tagged(Small=awkward.Tagged_Small(_0=5)))
    same(grown.Large._0, 5, "tagged_grow")


def layouts() -> None:
    same(awkward.point_sum(Point(x=1.0, y=2.0), Point(x=3.0, y=4.0)).y, 6.0, "point_sum")
    natively(lambda: same(awkward.packed_sum(awkward.Packed(tag=1, value=2, wide=3)), 6, "packed_sum"))
    natively(lambda: same(awkward.packed_by_two(1, 1 << 60).value, 1 << 60, "packed_by_two"))
    natively(lambda: same(awkward.aligned_double(awkward.Aligned(value=1.5)).value, 3.0, "aligned_double"))
    same(awkward.Aligned()._address_ % awkward.Aligned._align_, 0, "the address of what is aligned")
    same(awkward.meters_half(awkward.Meters(_0=3.0))._0, 1.5, "meters_half")
    same(awkward.pair_swap(awkward.Pair(_0=1, _1=2))._1, 1, "pair_swap")
    points = [Point(x=1.0), Point(y=2.0), Point()]
    arrays = Arrays(points=points, rows=[[1, 2, 3], [4, 5, 6]], bytes=[1, 2, 3, 4, 5])
    arrays.points[2].x = 10.0
    arrays.rows[1][0] = -4
    same(awkward.arrays_sum(arrays), 1.0 + 2 + 10 + 21 - 8 + 15, "arrays_sum")
    natively(lambda: same(awkward.number_of(1.0).int, 0x3FF0000000000000, "number_of"))
    wrapped = awkward.Wrapped()
    same(awkward.wrapped_set(wrapped, 9), 9, "wrapped_set")
    same((wrapped.unset, wrapped.cell), (9, 9), "what wrapped_set has set")
    same(awkward.empty_address(None), True, "empty_address")
    three = array("f", [1, 2, 3.5])
    same(awkward.triple_sum(three.buffer_info()[0]), 6.5, "triple_sum")
    same(awkward.line_first(awkward.Line(bytes=[7, 8, 9])), 7, "line_first")
    same(awkward.made_sum(awkward.Made(left=1, right=2)).right, 2, "made_sum")
    left = awkward.twins_left_Twin(a=3)
    same(awkward.twin_join(awkward.twins_left_Twin(a=1), awkward.twins_right_Twin(a=2, b=left)), 6, "twin_join")
    natively(nested)


def nested() -> None:
    outer = awkward.outer_make(3, "ß")
    same((outer.letter, outer.wide, outer.yes), ("ß", (1 << 128) - 1, True), "outer_make")
    same((outer.packed[1].value, outer.aligned.value, outer.number.int), (7, 1.5, 3), "what lies in it")


def pointers() -> None:
    handle = awkward.handle_new()
    same((awkward.handle_push(handle, 4), awkward.handle_push(handle, 5)), (1, 2), "handle_push")
    same((awkward.handle_sum(handle), awkward.handle_sum(None)), (9, 0), "handle_sum")
    awkward.handle_release(handle)
    point, to = Point(x=2.0, y=3.0), Point()
    same(awkward.point_x(point), 2.0, "point_x")
    same(awkward.maybe_point(None), None, "maybe_point of nothing")
    address = awkward.maybe_point(point)
    assert address is not None
    same(Point._at_(address).y, 3.0, "maybe_point")
    same(awkward.point_copy(point, to), to._address_, "point_copy")
    same(to.y, 3.0, "what point_copy has written")
    same(awkward.read_number(array("I", [77])), 77, "read_number")
    number = ctypes.c_int32(42)
    inner = ctypes.c_uint64(ctypes.addressof(number))
    deep = ctypes.c_uint64(ctypes.addressof(inner))
    same(awkward.deep(ctypes.addressof(deep)), 42, "deep")


def generics() -> None:
    same(awkward.view_points_sum(awkward.view_points()), 10.0, "view_points_sum")
    same(list(awkward.fixed_fill(9).values), [9, 9, 9], "fixed_fill")
    swapped = awkward.both_swap(awkward.Both_u8_f64(left=1, right=2.5))
    same((swapped.left, swapped.right), (2.5, 1), "both_swap")


def values() -> None:
    same(awkward.sum(array("f", [1, 2, 3.5])), 6.5, "sum")
    same(awkward.sum(array("f")), 0.0, "sum of nothing")
    fails(lambda: awkward.sum(array("d", [1])), "values of sum")
    floats = array("f", [1, 2, 3])
    awkward.add_to(floats, array("f", [10, 10, 10]))
    same(floats, array("f", [11, 12, 13]), "add_to")
    fails(lambda: awkward.add_to(bytes(4), floats), "values of add_to")
    same(awkward.floats_sum(memoryview(floats)[1:]), 25.0, "floats_sum of a part")
    rows = memoryview(array("h", [1, 2, 3, -4])).cast("B").cast("h", [2, 2])
    same(awkward.rows_sum(rows), 2, "rows_sum")
    same(awkward.rows_sum(array("h", [1, 2])), 3, "rows_sum of one row")
    fails(lambda: awkward.rows_sum(array("h", [1, 2, 3])), "rows of rows_sum must hold arrays of i16, not h")
    fails(lambda: awkward.rows_sum(array("d", [1])), "rows of rows_sum must hold arrays of i16")
    same(awkward.greet("Zoë 😀"), "hello, Zoë 😀", "greet")
    same((awkward.edition(), awkward.greeting(), awkward.text_bytes("Zoë")), ("2024", "grüezi", 4), "text")
    same(awkward.parse("-42"), -42, "parse")
    fails(lambda: awkward.parse("x"), "^`x` is not a number$", 11)
    fails(lambda: awkward.parse(""), "the text is empty", 10)
    calls: list[tuple[Callable[[], object], type[NativeError]]]
    calls = [(lambda: awkward.parse("x"), NotANumberError), (lambda: awkward.words("x"), NativeError)]
    for call, error in calls:
        try:
            call()
        except NativeError as raised:
            same(type(raised), error, "an exception of the error's own")
    fails(lambda: awkward.nothing(True), "as asked", 1)
    awkward.nothing(False)
    fails(lambda: awkward.checked_add(2147483647, 1), "the sum is too large", -1)
    moved = awkward.moved(Sample(at=1, value=0.5), Sample(at=2, value=1.0))
    same((moved.at, moved.value), (3, 1.5), "moved")
    same(awkward.move_in_place(moved, None), False, "move_in_place by nothing")
    fails(lambda: awkward.move_in_place(moved, moved), "`sample` and `by` overlap", -2)
    same((awkward.move_in_place(moved, Sample(at=4)), moved.at), (True, 7), "move_in_place")


def buffers() -> None:
    kept = awkward.numbers(3)
    same((list(kept), len(kept)), ([0, 1, 2], 3), "numbers")
    kept.release()
    kept.release()
    fails(lambda: kept[0], "released")
    with awkward.samples(3) as samples:
        same([each.value for each in samples], [0.0, 0.5, 1.0], "samples")
    with awkward.words("1 20 300") as words, words.view() as view:
        same(view.tolist(), [1, 20, 300], "words")
    fails(lambda: awkward.words("1 b"), "invalid digit found in string", 1)


def second_of(point: int, context: int) -> int:
    return int(Point._at_(point).x) + context


def callbacks() -> None:
    same(awkward.visit(5, lambda value: value < 2), 3, "visit")
    same(awkward.maybe_call(None, Point(x=1.0)), -1.0, "maybe_call of nothing")
    same(awkward.maybe_call(lambda point: point.x + point.y, Point(x=1.0, y=2.0)), 3.0, "maybe_call")
    same(awkward.call_outer(lambda inner, value: value + 1 if inner else 0, 4), 5, "call_outer")
    same(awkward.count_if(array("i", [1, 2, 3]), lambda value: value % 2 == 1), 2, "count_if")
    fails(lambda: awkward.count_if(array("i", [1]), lambda value: bool(1 // 0)), "division")
    found: list[tuple[str, int]] = []
    awkward.each_word("zwölf große Bären", lambda word, index: found.append((word, index)))
    same(found, [("zwölf", 0), ("große", 1), ("Bären", 2)], "each_word")
    rows = memoryview(array("f", [1, 2, 3, 4])).cast("B").cast("f", [2, 2])
    same(awkward.each_row(rows, lambda row: float(row[0] * row[1])), 14.0, "each_row")

    def sample(address: int) -> None:
        at = Sample._at_(address)
        at.value = at.at * 10.0

    with awkward.sampled(3, sample) as sampled:
        same([each.value for each in sampled], [0.0, 10.0, 20.0], "sampled")
    same(awkward.apply(lambda value: value + 1, lambda value: value * 3), 7, "apply")
    same(awkward.apply(lambda value: value + 1, None), 2, "apply without the other")
    doubler = awkward.doubler()
    assert doubler is not None
    same(awkward.apply(lambda value: value, doubler), 4, "a native function as a callback")
    same(awkward.table_call(Table(first=doubler), 4), 8, "table_call")
    with Callback(lambda value: value * 10) as first, Callback(second_of) as second:
        same(awkward.table_call(Table(first=first, second=second, context=100), 4), 144, "table_call of callbacks")
    if NATIVE:
        with Callback(lambda step: Stage(step=Step(next=step.next, count=step.count - 1), done=step.count < 2)) as next:
            same(awkward.step_all(Step(next=next, count=5)), 5, "step_all of a callback")
    same(awkward.step_all(awkward.step_from(3)), 3, "step_all")
    elsewhere: list[int] = []
    with Callback(elsewhere.append) as keep:
        same((awkward.call_elsewhere(keep, 3), elsewhere), (True, [3]), "call_elsewhere")
    if NATIVE:
        fails(lambda: awkward.call_elsewhere(elsewhere.append, 3), "from another thread.*: pass a Callback")
    with Callback(lambda value: value % 2 == 1) as odd:
        same(awkward.count_if(array("i", [1, 2, 3]), odd), 2, "count_if with a callback")
    odd.release()
    fails(lambda: awkward.count_if(array("i", [1]), odd), "released")


def handles() -> None:
    before = WordCounter.live()
    with WordCounter(41) as counter:
        same(counter.add(1), 42, "add of a counter")
        fails(lambda: counter.add(1000), "42 and 1000 are more than 1000", 1)
        visited: list[int] = []
        same((counter.visit(visited.append), visited), (42, [42]), "visit of a counter")
        fails(lambda: counter.visit(lambda _: counter.add(1)), "in use", -3)
        with counter.fork() as fork, WordCounter.parse("7") as parsed:
            same(fork.add(1), 43, "fork")
            awkward.swap_counts(counter, parsed)
            same((counter.get(), parsed.get()), (7, 42), "swap_counts")
            fails(lambda: awkward.swap_counts(counter, counter), "`left` and `right` overlap", -2)
            same(awkward.total(counter, parsed) + awkward.total(counter, None), 56, "total")
            with awkward.counter_of("a b c") as made:
                same((made.get(), WordCounter.live()), (3, before + 4), "counter_of")
    same(WordCounter.live(), before, "how many are left")
    fails(lambda: WordCounter.parse("x"), "invalid digit")
    counter.close()
    fails(counter.get, "the WordCounter was closed")
    fails(lambda: awkward.total(counter, None), "the WordCounter was closed")
    address = awkward.word_counter_new(5)
    same(awkward.word_counter_add(address, 1), 6, "a counter by its address")
    awkward.word_counter_release(address)


def constants() -> None:
    same((awkward.SMALL, awkward.ULONG, awkward.NEGATIVE), (-2, (1 << 64) - 1, -(1 << 127)), "integers")
    same((awkward.TITLE, awkward.LETTER, awkward.NATIVE), ('awkward "quoted"\n', "é", b"native"), "text")
    same((math.isnan(awkward.NAN), awkward.INFINITE), (True, -math.inf), "floats")
    same((awkward.get_VERSION(), awkward.get_ORIGIN().y, list(awkward.get_TABLE())), (7, -1.0, [1, 2, 3, 4]), "statics")
    awkward.set_LAST(awkward.get_LAST() + 1)
    same(awkward.get_LAST(), 1.5, "LAST")
    same(awkward.count_up() + 1, awkward.count_up(), "count_up")


for part in [scalars, enums, layouts, pointers, generics, values, buffers, callbacks, handles, constants]:
    part()
print("all is well with", awkward.implementation.__name__)
