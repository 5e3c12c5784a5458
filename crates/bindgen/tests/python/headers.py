"""A C library through its header, with both implementations."""

import array
import ctypes

import things
from things import NativeText, Out, kind, node


def buffers():
    for room, letter in [(bytearray(3), 120), (array.array("b", [0] * 3), 120), (memoryview(bytearray(3)), 120)]:
        things.fill(room, len(room))
        assert bytes(room) == bytes([letter] * 3), room
    room = bytearray(2)
    things.fill_bytes(room, 2)
    assert room == b"yy" and things.zeros(bytearray(5), 5) == 5 and things.zeros(memoryview(b"a\0b"), 3) == 1
    for wrong in (b"abc", "abc"):
        try:
            things.fill(wrong, 3)
        except (TypeError, ValueError):
            continue
        raise AssertionError("what cannot be written was written")

    # A returned text is an address that can be read.
    text = things.greeting()
    assert isinstance(text, NativeText) and isinstance(text, int) and str(text) == f"{text}" == "hello"
    assert bytes(text) == b"hello" and things.text_length(text) == 5
    assert str(things.column(0)) == "sp\xe4t" and things.column(1) is None
    name = ctypes.create_string_buffer(b"named")
    assert str(node(name=ctypes.addressof(name)).name) == "named"


def outs():
    high, low = Out(), Out[int](7)
    assert high.value is None and low.value == 7 and repr(low) == "Out(7)"
    things.split((-3 << 32) + 5, high, low)
    assert (high.value, low.value) == (-3, 5)
    size = Out(21)
    things.grow(size)
    things.grow(size)
    assert size.value == 84 and [0] * 100 and range(100)[size] == 84
    size.value = 4
    things.grow(to := size)
    assert to.value == 8
    try:
        things.grow(Out(-1))
    except OverflowError as error:
        assert str(error) == "size of grow is -1, which does not fit into u64", error
    else:
        raise AssertionError("a negative size was taken")

    opened, why = Out(), Out()
    assert things.opaque_open(8, opened, why) == 0 and why.value is None
    # What it holds is passed on as if it were that.
    assert things.opaque_get(opened) == things.opaque_get(opened.value) == 8
    assert things.opaque_open(-1, opened, why) == 1
    assert opened.value is None and str(why.value) == "it is negative"

    made = Out()
    things.node_make(made, 3)
    first = made.value
    assert isinstance(first, node) and first.level == 3
    things.node_make(made, 4)
    assert first.level == 4, "a view of the same memory"
    # Used for something else, it leaves the memory to those who look at it.
    del made
    assert first.level == 4 and first.kind is kind.KIND_SOME
    things.node_make(first, 5)
    assert first.level == 5


def docs():
    assert kind.__doc__ == 'The kinds of "things"' and node.__doc__ == '"First" and then "next"'
    assert things.get_here.__doc__.rstrip().endswith('How many things are "here"\\'), things.get_here.__doc__
    things.set_here(3)
    assert things.get_here() == 3


def main():
    value = things.lambda_(from_=1, in_=2, is_=3)
    assert things.lambda_sum(value, yield_=4) == 10
    assert things.lambda_sum.__doc__.endswith("Adds the fields up.")
    assert things.next_kind(kind.KIND_SOME) is kind.KIND_MANY
    # A C enum may have values without a name.
    assert things.next_kind(kind.KIND_MANY) == 7 and things.next_kind(40) == 41
    assert things.LIMIT == 42 and things.NAME in ("größe", "größe".encode())
    assert things.text_length("größe") == 7 and things.text_length(b"abc") == 3 and things.text_length(None) == 0
    assert ctypes.string_at(things.greeting()) == b"hello"

    first, second = node(level=-3), node(codes=[1, 2, 3], kind=kind.KIND_SOME)
    name = ctypes.create_string_buffer(b"one")
    things.node_set(first, ctypes.addressof(name), 15)
    assert first.ready is True and first.was is kind.KIND_MANY and first.level == 15 and ctypes.string_at(first.name) == b"one"
    first.ready, first.was = False, kind.KIND_SOME
    assert first.ready is False and first.was is kind.KIND_SOME and first.level == 15
    for wrong in (1, None):
        try:
            first.ready = wrong
        except TypeError as error:
            assert str(error).startswith("ready of node must be a bool"), error
        else:
            raise AssertionError("a number for a bool")
    first.next = second
    second.value.real = 1.0
    assert second.value.bits == 0x3F800000

    seen = []

    def visit(at):
        at = node._at_(at)
        seen.append((at.level, at.kind, list(at.codes)))

    things.walk(first, visit)
    assert seen == [(15, kind.KIND_NONE, [0, 0, 0]), (0, kind.KIND_SOME, [1, 2, 3])], seen

    values = array.array("i", [3, 1, 2])
    read = lambda address: ctypes.c_int32.from_address(address).value
    assert things.sort(values, len(values), lambda a, b: read(a) - read(b)) == 1
    assert values.tolist() == [1, 2, 3]
    try:
        things.sort(values, 3, lambda a, b: 1 // 0)
    except ZeroDivisionError:
        pass
    else:
        raise AssertionError("the exception was lost")

    made = things.opaque_make(8)
    assert isinstance(made, int) and things.opaque_get(made) == 8
    assert things.twice(21) == 42
    buffers()
    outs()
    docs()
    print("ok")


main()
