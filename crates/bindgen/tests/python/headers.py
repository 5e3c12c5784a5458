"""A C library through its header, with both implementations."""

import array
import ctypes

import things
from things import kind, node


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
    assert first.ready == 1 and first.level == 15 and ctypes.string_at(first.name) == b"one"
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
    print("ok")


main()
