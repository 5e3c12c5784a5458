"""What a handler may emit, and what it is told when it may not."""

from __future__ import annotations

import array
import concurrent.futures
import ctypes
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from upcall import Batch, Emit, Found, Object
from upcall.testing import Failed, Harness

Body = Callable[[Emit], Any]


class Does:
    """A handler that does one thing."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def on_object(self, obj: Object, emit: Emit) -> None:
        self.body(emit)


def emitted(body: Body, **given: Any) -> list[tuple[str, bytes, bytes]]:
    harness = Harness(Does(body), **{"pools": {"/out": "", "/number": "u64"}, **given})
    harness.put("a", b"1")
    return [(each.pool, each.key, each.value) for each in harness.emitted]


def failure(body: Body, **given: Any) -> str:
    with pytest.raises(Failed) as failed:
        emitted(body, **given)
    return f"{failed.value.type_name}: {failed.value.message}"


@pytest.mark.parametrize("value", [b"ab", "ab", bytearray(b"ab"), memoryview(b"xaby")[1:3], array.array("B", b"ab")])
def test_keys_and_values_are_bytes_text_or_buffers(value: Any) -> None:
    assert emitted(lambda emit: emit(value, value)) == [("/out", b"ab", b"ab")]


def test_text_is_utf_8() -> None:
    assert emitted(lambda emit: emit("é", "ü")) == [("/out", "é".encode(), "ü".encode())]


HALF = "half of a surrogate pair has no UTF-8; give text without it, or bytes of your own, as of text.encode(errors='surrogatepass')"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (lambda emit: emit("\ud800", b""), "pool /out, key '\\ud800'"),
        (lambda emit: emit("k", "\ud800"), "the value for pool /out, key 'k'"),
        (lambda emit: emit.many(["a", "b"], ["fine", "\ud800"]), "the value for pool /out, key 'b'"),
        (lambda emit: emit.many(["a", "b"], "\ud800"), "the value for pool /out"),
        (lambda emit: emit.put_if("k", "\ud800", 0), "the value for pool /out, key 'k'"),
    ],
)
def test_half_of_a_surrogate_pair_is_told_with_its_place_and_what_to_do(body: Body, place: str) -> None:
    expected = f"UnicodeEncodeError: 'utf-8' codec can't encode character '\\ud800' in position 0: {place}: {HALF}"
    assert failure(body) == expected


def test_empty_keys_and_values_are_kept() -> None:
    assert emitted(lambda emit: emit(b"", bytearray())) == [("/out", b"", b"")]


@pytest.mark.parametrize("call", [lambda emit: emit("a", 5, "/number"), lambda emit: emit("a", 5, pool="/number")])
def test_a_number_goes_into_a_pool_of_numbers(call: Body) -> None:
    assert emitted(call) == [("/number", b"a", (5).to_bytes(8, "little"))]


@pytest.mark.parametrize(
    ("of", "number", "expected"),
    [
        ("u8", 255, "ff"),
        ("i8", -1, "ff"),
        ("u16", 258, "0201"),
        ("i16", -2, "feff"),
        ("u32", 2**32 - 1, "ffffffff"),
        ("i32", -(2**31), "00000080"),
        ("u64", 2**64 - 1, "ff" * 8),
        ("i64", -(2**63), "00" * 7 + "80"),
        ("f32", 1.5, "0000c03f"),
        ("f32", 3.4028234e38, "ffff7f7f"),
        ("f32", float("-inf"), "000080ff"),
        ("f64", -1.0, "000000000000f0bf"),
        ("f64", 2, "0000000000000040"),
    ],
)
def test_numbers_are_little_endian(of: str, number: float, expected: str) -> None:
    assert emitted(lambda emit: emit("", number), pools={"/out": of})[0][2].hex() == expected


@pytest.mark.parametrize(("of", "number"), [("u8", 256), ("i8", 128), ("i8", -129), ("u16", 2**16), ("u64", -1), ("i64", 2**63)])
def test_a_number_that_does_not_fit_fails(of: str, number: int) -> None:
    for body in (lambda emit: emit("k", number), lambda emit: emit.many(["k"], [number]), lambda emit: emit.put_if("k", number, 0)):
        assert failure(body, pools={"/out": of}).startswith("OverflowError: pool /out, key 'k': ")


@pytest.mark.parametrize("number", [1e300, -1e300, 3.4028236e38, 2**200])
def test_a_float_that_is_too_large_for_its_pool_fails(number: float) -> None:
    for body in (lambda emit: emit("k", number), lambda emit: emit.many(["k"], number)):
        assert re.search("OverflowError: pool /out(, key 'k')?: .* does not fit the pool's f32", failure(body, pools={"/out": "f32"}))


def test_text_is_no_number_also_where_it_has_as_many_bytes() -> None:
    expected = "TypeError: pool /number, key 'k': text is no value of the type u64: emit a number"
    for body in (
        lambda emit: emit("k", "12345678", "/number"),
        lambda emit: emit.put_if("k", "12345678", 0, "/number"),
        lambda emit: emit.many(["k"], ["12345678"], "/number"),
    ):
        assert failure(body) == expected
    assert failure(lambda emit: emit.many(["k"], "12345678", "/number")) == expected.replace(", key 'k'", "")


def test_what_a_value_raises_itself_is_left_as_it_is() -> None:
    class Own:
        def __index__(self) -> int:
            raise ValueError("mine")

    assert failure(lambda emit: emit("k", Own(), "/number")) == "ValueError: mine"


def test_bytes_into_a_pool_of_numbers_must_have_its_size() -> None:
    assert emitted(lambda emit: emit("", b"12345678", "/number"))[0][2] == b"12345678"
    expected = "ValueError: pool /number, key '': a value of 3 bytes is no u64, which has 8"
    assert failure(lambda emit: emit("", b"123", "/number")) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (lambda emit: emit("a", 5), "TypeError: pool /out, key 'a': a value of type int: give bytes, str or a buffer, or declare"),
        (lambda emit: emit(5, b""), "TypeError: pool /out, key 5: a key of type int: give bytes, str or a buffer"),
        (lambda emit: emit("a", b"", "/in"), "ValueError: pool /in is not declared by this handler; it has /out, /number:"),
        (lambda emit: emit("a"), "TypeError: emit needs key, value: value is missing"),
        (lambda emit: emit("a", b"", "/out", 1), "TypeError: emit takes key, value, pool arguments, got 4"),
        (lambda emit: emit("a", b"", to="/out"), "TypeError: emit has no argument to; it has key, value, pool"),
        (lambda emit: emit("a", b"", key="b"), "TypeError: emit got key twice"),
        (lambda emit: emit.many(["a"], [1, 2], "/number"), "ValueError: emit.many got 1 keys and 2 values"),
        (lambda emit: emit.many(["a", None], b""), "TypeError: pool /out: a key of type NoneType"),
    ],
)
def test_what_is_wrong_is_told(body: Body, expected: str) -> None:
    assert failure(body).startswith(expected)


def test_a_handler_without_pools_is_told_so() -> None:
    assert failure(lambda emit: emit("a", b""), pools=[]) == "ValueError: this handler has no output pool: add one to its `to`"


def test_an_emission_that_failed_and_was_caught_is_forgotten() -> None:
    def body(emit: Emit) -> None:
        try:
            emit("a", object())  # type: ignore[arg-type]
        except TypeError:
            emit("b", b"")

    assert emitted(body) == [("/out", b"b", b"")]


@pytest.mark.parametrize("keys", [["a", b"b"], ("a", b"b"), {"a": 1, b"b": 2}, (key for key in ("a", "b"))])
def test_many_takes_any_keys_and_one_value(keys: Any) -> None:
    assert emitted(lambda emit: emit.many(keys, b"v")) == [("/out", b"a", b"v"), ("/out", b"b", b"v")]


def test_many_takes_a_value_for_each_key() -> None:
    one, two = (1).to_bytes(8, "little"), (2).to_bytes(8, "little")
    expected = [("/number", b"a", one), ("/number", b"b", two)]
    assert emitted(lambda emit: emit.many({"a": 0, "b": 0}, iter([1, 2]), pool="/number")) == expected
    assert emitted(lambda emit: emit.many(["a", "b"], (one, two), "/number")) == expected


def test_output_goes_on_in_the_next_chunk() -> None:
    def body(emit: Emit) -> None:
        for number in range(1000):
            emit(str(number), b"x" * number)

    assert [len(value) for _, _, value in emitted(body)] == list(range(1000))


def test_a_failed_item_leaves_nothing_in_any_chunk() -> None:
    class Fails:
        def on_object(self, obj: Object, emit: Emit) -> None:
            emit.many([obj.key] * 1000, b"x" * 20)
            if obj.key == b"b":
                raise ValueError

    harness = Harness(Fails(), pools=["/out"])
    with pytest.raises(Failed) as failed:
        harness.batch([("a", b""), ("b", b""), ("c", b"")])
    assert (failed.value.done, failed.value.item) == (1, 1)
    assert [each.key for each in harness.emitted] == [b"a"] * 1000


def test_reading_a_pool_finds_the_newest_version_or_none() -> None:
    found: list[Found | None] = []
    body = lambda emit: found.extend([emit.read("/kept", "a"), emit.read("/kept", b"b")])  # noqa: E731
    emitted(body, reads={"/kept": {"a": b"1"}})
    assert found == [Found(b"1", 1, 1), None]
    message = failure(lambda emit: emit.read("/out", "a"), reads={"/kept": {}})
    assert message == "ValueError: pool /out is not declared by this handler; it has /kept: add /out to its `read`"


def conditions(body: Body, **given: Any) -> list[tuple[str, bytes, bytes, int | None]]:
    harness = Harness(Does(body), pools={"/out": "", "/number": "u64"}, **given)
    harness.put("a", b"1")
    return [(*each, each.previous) for each in harness.emitted]


def test_an_emission_on_condition_says_under_which_version() -> None:
    def body(emit: Emit) -> None:
        emit("before", b"")
        emit.put_if("k", "new", 7)
        emit("after", b"")

    assert conditions(body) == [("/out", b"before", b"", None), ("/out", b"k", b"new", 7), ("/out", b"after", b"", None)]
    five = (5).to_bytes(8, "little")
    assert conditions(lambda emit: emit.put_if("n", 5, previous=0, pool="/number")) == [("/number", b"n", five, 0)]


def test_an_emission_on_condition_that_is_refused_leaves_no_condition_behind() -> None:
    def body(emit: Emit) -> None:
        for wrong in [("k", 1.5, 7, "/number"), ("k", "v", 7, "/nowhere"), ("k", "v", -1), ("k", "v", "7")]:
            with pytest.raises((TypeError, ValueError, OverflowError)):
                emit.put_if(*wrong)
        emit("k", "v")
        emit.put_if("k", "first", 7)

    assert conditions(body) == [("/out", b"k", b"v", None), ("/out", b"k", b"first", 7)]


TWICE = (
    "RuntimeError: emit on condition twice for one object: two conditions cannot be decided together; "
    "emit on condition once for each object"
)
NO_OBJECT = (
    "RuntimeError: emit on condition for no object in particular: there is none that could fail; "
    "emit on condition where one object is handled, not for a batch or at the flush"
)


def test_a_second_emission_on_condition_fails_its_object_and_no_other() -> None:
    class Repeats:
        def on_object(self, obj: Object, emit: Emit) -> None:
            for _ in bytes(obj.value):
                emit.put_if(obj.key, b"", 7)

    harness = Harness(Repeats(), pools=["/out"])
    harness.put("first", b"1")
    with pytest.raises(Failed) as failed:
        harness.batch([("a", b"1"), ("b", b"1"), ("c", b"22"), ("d", b"1")])
    assert (failed.value.done, failed.value.item) == (2, 2)
    assert f"{failed.value.type_name}: {failed.value.message}" == TWICE
    harness.batch([("c", b"1"), ("d", b"1")])
    assert [(each.key, each.previous) for each in harness.emitted] == [(key, 7) for key in (b"first", b"a", b"b", b"c", b"d")]


def test_a_second_emission_on_condition_that_was_caught_leaves_the_first() -> None:
    def body(emit: Emit) -> None:
        emit.put_if("k", "first", 1)
        with pytest.raises(RuntimeError):
            emit.put_if("k", "second", 2)
        emit("k", "third")

    assert conditions(body) == [("/out", b"k", b"first", 1), ("/out", b"k", b"third", None)]


def test_without_an_object_nothing_is_emitted_on_condition() -> None:
    class AtTheEnd:
        def on_batch(self, batch: Batch, emit: Emit) -> None:
            emit.put_if("k", b"", 7)

        def flush(self, emit: Emit) -> None:
            emit("end", b"")
            emit.put_if("end", b"", 7)

    harness = Harness(AtTheEnd(), pools=["/out"])
    uses: list[Callable[[], None]] = [lambda: harness.put("a"), harness.flush]
    for use in uses:
        with pytest.raises(Failed) as failed:
            use()
        assert failed.value.item is None
        assert f"{failed.value.type_name}: {failed.value.message}" == NO_OBJECT
    assert harness.emitted == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (lambda emit: emit.put_if("k", "v"), "TypeError: emit.put_if needs key, value, previous: previous is missing"),
        (lambda emit: emit.put_if("k", "v", 1 << 64), "OverflowError"),
        (lambda emit: emit.put_if("k", "v", None), "TypeError"),
    ],
)
def test_a_wrong_emission_on_condition_is_told(body: Body, expected: str) -> None:
    assert failure(body).startswith(expected)


VERSIONS = {"/kept": {"a": [None, b"second", b"third"], "ab": b"x", "b": [b"1"]}, "/other": {"ac": b""}}


@pytest.mark.parametrize("by", ["version", "time"])
def test_reading_finds_what_a_key_was_at_a_version_or_a_time(by: str) -> None:
    found: list[Found | None] = []

    def body(emit: Emit) -> None:
        for at in (0, 2, 3, 100, None):
            found.append(emit.read("/kept", "a", **{by: at}))

    emitted(body, reads=VERSIONS)
    second, third = Found(b"second", 2, 2), Found(b"third", 3, 3)
    assert found == [None, second, third, third, third]


def test_what_is_no_longer_kept_is_told() -> None:
    message = failure(lambda emit: emit.read("/kept", "a", version=1), reads=VERSIONS)
    assert message == "ValueError: read a as it was: that is no longer kept; raise `keep` of the pool"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (lambda emit: emit.read("/kept", "a", 1), "TypeError: emit.read takes pool and key, got 3: write version=… or time=…"),
        (lambda emit: emit.read("/kept", "a", version=1, time=1), "TypeError: emit.read takes a version or a time, not both"),
        (lambda emit: emit.read("/kept", "a", version=-1), "OverflowError"),
        (lambda emit: emit.read("/kept", "a", time="now"), "TypeError"),
        (lambda emit: emit.read("/kept", "a", at=1), "TypeError: emit.read has no argument at; it has pool, key, version, time"),
        (lambda emit: emit.list("/kept", 5), "TypeError"),
        (lambda emit: emit.list("/out"), "ValueError: pool /out is not declared by this handler; it has /kept, /other: add /out"),
    ],
)
def test_a_wrong_read_is_told(body: Body, expected: str) -> None:
    assert failure(body, reads=VERSIONS).startswith(expected)


def test_the_keys_of_a_pool_are_listed_by_their_prefix() -> None:
    lists: list[list[bytes]] = []

    def body(emit: Emit) -> None:
        lists.extend([emit.list("/kept"), emit.list("/kept", "a"), emit.list("/kept", prefix=b"ab"), emit.list("/other", "z")])

    emitted(body, reads=VERSIONS)
    assert lists == [[b"a", b"ab", b"b"], [b"a", b"ab"], [b"ab"], []]


class Amount(ctypes.Structure):
    _fields_ = [("cents", ctypes.c_uint32)]


class Pair(NamedTuple):
    """A packed class that is a tuple, too."""

    one: int
    other: int

    @classmethod
    def unpack(cls, data: bytes) -> Pair:
        return cls(*data)

    def pack(self) -> bytes:
        return bytes(self)


@pytest.mark.parametrize(
    ("value", "given", "expected"),
    [
        (50, {"read_types": {"/kept": "i64"}}, (50).to_bytes(8, "little")),
        ([1, None, -2], {"read_types": {"/kept": "i16"}}, b"\xfe\xff"),
        (0.5, {"pools": {"/kept": "f32"}}, b"\0\0\0?"),
        (7, {"input": "/kept", "input_type": "u8"}, b"\x07"),
        (Amount(258), {"read_types": {"/kept": Amount}}, b"\x02\x01\0\0"),
        (Amount(258), {}, b"\x02\x01\0\0"),
        (Pair(3, 4), {"read_types": {"/kept": Pair}}, b"\x03\x04"),
        (memoryview(b"ab"), {}, b"ab"),
        ("ü", {}, "ü".encode()),
    ],
)
def test_a_harness_holds_numbers_and_what_handlers_emit(value: Any, given: dict[str, Any], expected: bytes) -> None:
    found: list[Found | None] = []
    emitted(lambda emit: found.append(emit.read("/kept", "ada")), reads={"/kept": {"ada": value}}, **given)
    assert found[0] is not None and found[0].value == expected


@pytest.mark.parametrize(
    ("value", "of", "expected"),
    [
        (50, "", '50 is a number, and the pool has no type: give the harness read_types={"/kept": "i64"}, or another number type'),
        (True, "text", "True is a number, and the pool has the type text: give"),
        ([5, 300], "u8", "300 is not a value of the pool's type u8: ubyte format requires"),
        (0.5, "i64", "0.5 is not a value of the pool's type i64: required argument is not an integer"),
        ("50", "i64", "the value has 2 bytes, and the pool's type i64 has 8"),
        ({}, "", "a value of type dict has no bytes: give bytes, str, a number, or an object that a handler may emit"),
        (None, "", "a value of type NoneType has no bytes"),
    ],
)
def test_a_value_that_a_pool_cannot_hold_is_told_with_pool_and_key(value: Any, of: str, expected: str) -> None:
    with pytest.raises((TypeError, ValueError)) as wrong:
        Harness(Does(lambda emit: None), reads={"/kept": {"ada": value}}, read_types={"/kept": of})
    assert str(wrong.value).startswith(f"reads: pool /kept, key ada: {expected}")


def test_a_type_of_a_pool_that_is_not_read_is_told() -> None:
    with pytest.raises(ValueError, match="read_types: pool /other is not in reads"):
        Harness(Does(lambda emit: None), reads={"/kept": {}}, read_types={"/other": "i64"})


@pytest.mark.parametrize("name", ["read", "list"])
def test_reading_is_for_the_handlers_own_thread(name: str) -> None:
    def body(emit: Emit) -> None:
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            threads.submit(getattr(emit, name), "/kept", "a").result()

    assert failure(body, reads={"/kept": {}}).startswith(f"RuntimeError: emit.{name} was used on another thread")


def test_a_handler_that_runs_another_reads_its_own_pools() -> None:
    found: list[Any] = []

    def body(outer: Emit) -> None:
        inner = lambda emit: found.extend([emit.read("/kept", "a"), outer.read("/kept", "a")])  # noqa: E731
        emitted(inner, reads={"/kept": {"a": b"inner"}})

    emitted(body, reads={"/kept": {"a": b"outer"}})
    assert [each.value for each in found] == [b"inner", b"outer"]


def test_emit_ends_with_its_call() -> None:
    kept: list[Emit] = []
    emitted(kept.append)
    uses: list[Body] = [
        lambda emit: emit("a", b""),
        lambda emit: emit.many(["a"], b""),
        lambda emit: emit.read("/out", "a"),
        lambda emit: emit.list("/out"),
    ]
    for use in uses:
        with pytest.raises(RuntimeError, match="after its call had ended"):
            use(kept[0])
