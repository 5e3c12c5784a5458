"""Reads and writes the golden bytes with the packers that bindgen made."""

from __future__ import annotations

import datetime
import decimal
import json
import sys
import uuid
from array import array
from pathlib import Path
from typing import Any, Callable

import numpy

from fixture import pack as packs
from fixture.pack_runtime import DateTime, Options, PackError

lines = json.loads(Path(__file__).with_name("golden.json").read_text())
wrong = 0


def check(right: bool, what: str) -> None:
    global wrong
    if not right:
        wrong += 1
        print(what)


def fails(what: str, run: Callable[[], object], message: str = "") -> None:
    try:
        run()
    except PackError as error:
        check(error.offset >= 0 and message in str(error), f"{what}: {error}")
    except Exception as error:  # noqa: BLE001: what else comes is wrong
        check(False, f"{what}: {error!r}")
    else:
        check(False, f"{what}: no error")


UTF16 = Options(text="utf16")
for line in lines:
    packer: Any = getattr(packs, line["type"])
    name, data = line["name"], bytes.fromhex(line["hex"])
    if line["written"].startswith("error"):
        fails(name, lambda: packer.unpack(data), line["written"].removeprefix("error"))
        continue
    try:
        value = packer.unpack(data)
        written = value.pack() if line["text"] == "utf8" else value.pack(Options(text=line["text"]))
        check(written.hex().upper() == line["written"], f"{name}: {written.hex().upper()} for {line['written']}")
    except Exception as error:  # noqa: BLE001: whatever it is, it is wrong
        check(False, f"{name}: {error!r}")
    # Every prefix of MemoryPack's, some of the many of Rust's.
    for end in range(0, len(data), 17 if "made by Rust" in name else 1):
        fails(f"{name} up to {end}", lambda: packer.unpack(data[:end]))
    fails(f"{name} and more", lambda: packer.unpack(data + b"\0"))
    # Whatever bytes are given, nothing but a value or this error comes of it.
    for at in range(0, min(len(data), 300), 17 if "made by Rust" in name else 1):
        for byte in (0, 1, 0x7F, 0x80, 0xFA, 0xFF):
            other = bytearray(data)
            other[at] = byte
            try:
                packer.unpack(other)
            except PackError:
                pass
            except Exception as error:  # noqa: BLE001: what else comes is wrong
                check(False, f"{name} with {byte} at {at}: {error!r}")

# Values, as MemoryPack has them.
golden = {line["name"]: bytes.fromhex(line["hex"]) for line in lines}
person = packs.Person.unpack(golden["Person"])
check(person == packs.Person(40, "John"), "Person")
check(packs.Person.unpack(memoryview(golden["Person utf8 nonascii"])).name == "あ😀", "text")
log = packs.Log.unpack(golden["Log"])
check((log.addr, log.size, log.opt, log.opt2) == (0x04030201, 99, 7, None), "Log numbers")
check(isinstance(log.fs, array) and list(log.fs) == [1, 2], "Log floats")
check(log.ps == [packs.Person(1), None] and log.d == {"a": 1} and log.tu == (5, "x"), "Log lists")
utc = datetime.timezone.utc
moment = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=utc)
check(log.dt.to_datetime() == moment and DateTime.of(moment) == log.dt, "Log date")
check(str(log.dt) == "2024-01-02T03:04:05Z", str(log.dt))
check(log.g == uuid.UUID("00112233-4455-6677-8899-aabbccddeeff") and log.m == decimal.Decimal("1.5"), "Log guid")
check(packs.Um.unpack(golden["Um"]) == packs.Um(1, 2, 3), "Um")
shape = packs.Iu.unpack(golden["IU300"])
check(shape == packs.Iu_Ub(packs.Ub("z")), "Iu")
node = packs.Node.unpack(golden["Node"])
check(node.kids is not None and node.kids[0].parent is node, "a circle is one")
many = packs.Node.unpack(golden["Node 200 kids, then kid 150 again"])
check(many.kids is not None and many.kids[200] is many.kids[150] and len(many.kids) == 201, "a shared one is one")

# A value with everything comes back equal.
wide: Any = numpy.array([-1, 2**62], dtype=numpy.int64)
halves = [0.0, -0.0, 1.0, -2.5, 65504.0, 2**-24, 2**-14, 1 / 3, float("inf"), 65520.0, 1e-8, 2049.0, 2051.0]
everything = packs.Everything(
    i8=-128, u16=0xFFFF, u128=2**128 - 1, size=2**63, three=[1, 2, 3], two=["a", None], bytes_=b"\1\2\xff",
    wide=memoryview(wide), halves=halves,
    sorted={"a": [1.5], "b": []}, levels={packs.Level.Low, packs.Level.High}, queue=[person],
    shape=packs.Iu_Ua(packs.Ua(1)), pair=packs.Pair_String("é", None), numbers=packs.Pair_i32(1, 2),
    nested=[None, packs.Vt(1, 2, "x")], class_=True, pack_=True,
)
data = everything.pack()
back = packs.Everything.unpack(data)
check(back.pack() == data and packs.Everything.unpack(bytearray(data)).pack() == data, "everything")
check(back.u128 == 2**128 - 1 and back.size == 2**63 and list(back.wide) == [-1, 2**62], "wide numbers")
check(back.bytes_ == b"\1\2\xff" and list(back.three) == [1, 2, 3] and back.two == ["a", None], "lists")
expected = halves[:7] + [0.333251953125, float("inf"), float("inf"), 0.0, 2048.0, 2052.0]
check(back.halves == expected and str(back.halves[1]) == "-0.0", f"halves {back.halves}")
check(list(back.sorted["a"]) == [1.5] and packs.Level.Low in back.levels and back.queue == [person], "more lists")
check(back.shape == packs.Iu_Ua(packs.Ua(1)) and back.nested == [None, packs.Vt(1, 2, "x")], "objects")
check(back.class_ and back.pack_ and back.pair == packs.Pair_String("é"), "names")
for numbers in ([1.0, 2.0], array("f", [1, 2]), numpy.array([1, 2], "f4"), numpy.array([1, 2], "f8"), (1.0, 2.0)):
    given: Any = numbers
    check(packs.Log(fs=given).pack() == packs.Log(fs=[1.0, 2.0]).pack(), f"{type(numbers)}")
every: Any = numpy.array([0, 1, 0, 2], "f4")[1::2]
check(packs.Log(fs=every).pack() == packs.Log(fs=[1.0, 2.0]).pack(), "every second")

# Lists of numbers are taken from any sequence of numbers that fit, whatever it is made of, and from nothing else.
def raises(what: str, run: Callable[[], object], place: str) -> None:
    try:
        run()
    except TypeError as error:
        check(str(error).startswith(place), f"{what}: {error}")
    except Exception as error:  # noqa: BLE001: what else comes is wrong
        check(False, f"{what}: {error!r}")
    else:
        check(False, f"{what}: no error")


class Lazy:
    """A sequence that is no buffer."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> int:
        return [1, 2][index]


kinds = {"i8s": "b", "i16s": "h", "u16s": "H", "i32s": "i", "u32s": "I", "i64s": "q", "u64s": "Q"}
kinds |= {"isizes": "q", "usizes": "Q", "f32s": "f", "f64s": "d"}
for member, code in kinds.items():
    def holder(value: object, member: str = member) -> bytes:
        numbers = packs.NumberLists()
        setattr(numbers, member, value)
        return numbers.pack()

    ones = holder([1, 2])
    given_all: list[Any] = [
        (1, 2), range(1, 3), b"\1\2", bytearray(b"\1\2"), memoryview(b"\1\2"), Lazy(),
        *(array(other, [1, 2]) for other in "bBhHiIlLqQ"), *(numpy.array([1, 2], other) for other in "bBhHiIlLqQ"),
        numpy.array([1, 2], ">" + code), numpy.array([1, 0, 2, 0], code)[::2],
    ]
    for other in given_all:
        check(holder(other) == ones, f"{member} of {other!r}")
    wrong_all: list[Any] = [None, 7, iter([1]), "ab", ["a"], [None]]
    wrong_all += [numpy.ma.array([1, 2], code), numpy.ones((2, 1), code)]
    for other in wrong_all:
        raises(f"{member} of {other!r}", lambda: holder(other), f"NumberLists.{member} takes ")
    if code not in "fd":
        raises(f"{member} of floats", lambda: holder([1.0]), f"NumberLists.{member} takes whole numbers")
        raises(f"{member} of an array of floats", lambda: holder(array("d", [1])), f"NumberLists.{member} takes whole numbers")
        fails(f"{member} too large", lambda: holder([2**65]), "does not fit")
bytes_all: list[Any] = [b"\1\2", bytearray(b"\1\2"), memoryview(b"\1\0\2")[::2], array("B", [1, 2]), numpy.array([1, 0, 2], "B")[::2]]
for given in bytes_all:
    check(packs.NumberLists(u8s=given).pack() == packs.NumberLists(u8s=b"\1\2").pack(), f"bytes of {given!r}")
bad: list[Any] = [None, [1, 2], "ab", array("b", [1]), array("d", [1]), numpy.ones((2, 2), "B"), numpy.ma.array([1], "B")]
for given in bad:
    raises(f"bytes of {given!r}", lambda: packs.NumberLists(u8s=given).pack(), "NumberLists.u8s takes ")
floats: Any = [0.5, 1]
raises("floats in a list", lambda: packs.NumberLists(lists=[floats]).pack(), "NumberLists.lists takes ")
raises("floats in a dictionary", lambda: packs.NumberLists(named={"a": floats}).pack(), "NumberLists.named takes ")
raises("floats side by side", lambda: packs.NumberLists(fixed=floats).pack(), "NumberLists.fixed takes ")
raises("floats in a raw struct", lambda: packs.Keys(floats).pack(), "Keys.keys takes ")

for text in ("utf8", "utf8-without-length", "utf16"):
    encoding: Any = text
    check(packs.Person.unpack(packs.Person(1, "あ😀").pack(Options(text=encoding))).name == "あ😀", text)

# Raw structs of numbers are one call of struct; what that refuses is said with the byte that it is at.
nested = packs.Nested(1, packs.Inner(-2, 0.5, 3), packs.Inner(4, -1.5, 255), 2.25)
check(packs.Nested.unpack(nested.pack()) == nested and len(nested.pack()) == 40, "raw structs in one another")
check(packs.Nested.unpack(memoryview(nested.pack())).second == packs.Inner(4, -1.5, 255), "from a buffer")
for wrong_nested, offset, what in [
    (packs.Nested(256), 0, "does not fit"),
    (packs.Nested(1, packs.Inner(1 << 15)), 4, "does not fit"),
]:
    for write, before in [(wrong_nested.pack, 0), (packs.RawList([nested, wrong_nested]).pack, 1 + 4 + 40)]:
        try:
            write()
            check(False, f"{wrong_nested}: no error")
        except PackError as error:
            check(error.offset == before + offset and what in str(error), f"{wrong_nested}: {error}")
for size, offset, what in [(39, 0, "the bytes end 1 too early"), (41, 40, "1 bytes follow"), (0, 0, "end 40 too early")]:
    try:
        packs.Nested.unpack(bytes(size))
        check(False, f"{size} bytes: no error")
    except PackError as error:
        check(error.offset == offset and what in str(error), f"{size} bytes: {error}")
fails("no bool in a raw struct", lambda: packs.Checked.unpack(b"\1\2"), "not a bool")

# What is missing has its default, and what is unknown is passed over.
check(packs.Person.unpack(b"\0") == packs.Person(), "no members")

# What a pool calls them: the source's name, whatever Python's is.
check(packs.Pair_String.__upcall_name__ == packs.Pair_i32.__upcall_name__ == "Pair", "a generic's name")
check((packs.Iu_Ua.__upcall_name__, packs.Um.__upcall_name__) == ("Iu", "Um"), "a name")

# What cannot be written.
fails("too large", lambda: packs.Person(2**31).pack(), "does not fit")
fails("too large in a list", lambda: packs.W3([packs.Um(256, 0, 0)]).pack(), "does not fit")
null: Any = None
fails("no text", lambda: packs.Recm(1, null).pack(), "null, where text is to be written")
fails("no bool", lambda: packs.Everything(shape=shape, class_=null).pack(), "null, where a bool is to be written")
fails("half a character", lambda: packs.Person(1, "a\ud800").pack(), "half a character")
fails("half a character in UTF-16", lambda: packs.Person(1, "\udc00").pack(UTF16), "half a character")
fails("no decimal", lambda: packs.Log(m=decimal.Decimal("NaN")).pack(), "not a decimal")
deep = last = packs.Node()
for _ in range(5000):
    last.parent = packs.Node()
    last = last.parent
fails("too deep", lambda: deep.pack(), "nested deeper")
fails("too deep for Python", lambda: deep.pack(Options(depth=10_000)), "nested deeper")

# What cannot be read, and where.
for text, packer, offset, what in [
    ("FF", packs.Person, 0, "null"),
    ("03", packs.Person, 0, "members"),
    ("0201000000FEFFFFFF0200000061", packs.Person, 5, "says 2"),
    ("0201000000FBFFFFFF01000000F09F9880", packs.Person, 5, "of 2 units says 1"),
    ("0201000000FCFFFFFF03000000E38182", packs.Person, 5, "of 1 units says 3"),
    ("0201000000FEFFFFFF01000000C0", packs.Person, 5, "Unicode"),
    ("02010000000100000000D8", packs.Person, 5, "Unicode"),
    ("0200000000FFFFFF7F", packs.Person, 9, "too early"),
    ("FE", packs.Iu, 0, "not a tag"),
    ("FA2D01", packs.Iu, 3, "not one of the union"),
    ("FA00", packs.Node, 0, "not there before"),
    ("01FFFFFF7F", packs.W3, 1, "not in what is left"),
    ("01FEFFFFFF", packs.W3, 1, "not a count"),
    ("017F", packs.Vt, 0, "longer than what is left"),
]:
    try:
        packer.unpack(bytes.fromhex(text))
        check(False, f"{text}: no error")
    except PackError as error:
        check(error.offset == offset and what in str(error), f"{text}: {error}")

print(f"{len(lines)} lines, nothing wrong" if wrong == 0 else f"{wrong} wrong")
sys.exit(wrong != 0)
