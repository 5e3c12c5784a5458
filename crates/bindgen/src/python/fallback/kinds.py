"""What values are, for ctypes: how each is read, written, passed and returned."""

import ctypes
import functools
import math
import operator
import struct

from ._base import NativeText


class At:
    """Whose value it is, for messages."""

    def __init__(self, name, owner):
        self.text = f"{name} of {owner}" if owner else name

    def wrong_type(self, wanted, value):
        return TypeError(f"{self.text} must be {wanted}, not {type(value).__name__}")

    def out_of_range(self, value, kind):
        return OverflowError(f"{self.text} is {value}, which does not fit into {kind}")

    def invalid(self, what):
        return ValueError(f"{self.text} {what}")


def index(value, at):
    try:
        return operator.index(value)
    except TypeError:
        raise at.wrong_type("an int", value) from None


def check(address, limits, at, before=""):
    """Raises if Rust's enums in a value hold other numbers than theirs, which would be undefined behaviour. A limit
    is a field, its offset, and either a kind, its numbers (with the limits of each variant's data) and what they are
    called, or a count, the bytes from one element to the next, and the limits of each."""
    for path, offset, of, numbers, inner in limits:
        path = f"{before}.{path}" if before and path else before or path
        place = address + offset
        if not isinstance(of, Kind):
            for index in range(of):
                check(place + index * numbers, inner, at, f"{path}[{index}]")
            continue
        number = of.get(place, None)
        if number not in numbers:
            what = f"holds {number} in {path}" if path else f"is {number}"
            raise at.invalid(f"{what}, which is not {inner}")
        check(place, numbers[number], at, path)


class Kind:
    """A value. `ctype` is what ctypes passes it as; None where ctypes cannot."""

    ctype = None
    letter = None
    said = "a value"

    def get(self, address, owner):
        return self.give(self.ctype.from_address(address).value)

    def put(self, address, value, at):
        self.ctype.from_address(address).value = self.take(value, at, None)

    def take(self, value, at, keep):
        raise NotImplementedError

    def give(self, value):
        return value

    @functools.cached_property
    def size(self):
        return ctypes.sizeof(self.ctype)

    @functools.cached_property
    def align(self):
        return ctypes.alignment(self.ctype)


class Bool(Kind):
    # A byte: other values than 0 and 1 must not become undefined.
    ctype = ctypes.c_uint8
    letter = "?"
    letters = "?"
    name = "bool"

    def take(self, value, at, keep):
        if value is not True and value is not False:
            raise at.wrong_type("a bool", value)
        return int(value)

    def give(self, value):
        return value != 0


class Char(Kind):
    ctype = ctypes.c_uint32
    letter = "I"
    letters = "IL"
    name = "char"

    def take(self, value, at, keep):
        if not isinstance(value, str) or len(value) != 1:
            raise at.wrong_type("a str of one character", value)
        if 0xD800 <= ord(value) < 0xE000:
            raise at.invalid("is not a Unicode scalar value")
        return ord(value)

    def give(self, value):
        return chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else "\ufffd"


class Int(Kind):
    LETTERS = {(1, True): "b", (1, False): "Bc", (2, True): "h", (2, False): "H"}

    def __init__(self, bits, signed, letters=None):
        size = bits // 8
        self.name = f"{'i' if signed else 'u'}{bits}"
        self.low = -(1 << (bits - 1)) if signed else 0
        self.high = (1 << (bits - 1 if signed else bits)) - 1
        self.ctype = getattr(ctypes, f"c_{'' if signed else 'u'}int{bits}")
        self.letter = {1: "b", 2: "h", 4: "i", 8: "q"}[size]
        self.letter = self.letter if signed else self.letter.upper()
        self.letters = letters or self.LETTERS.get((size, signed), "ilqn" if signed else "ILQN")

    def take(self, value, at, keep):
        number = value if value.__class__ is int else index(value, at)
        if not self.low <= number <= self.high:
            raise at.out_of_range(value, self.name)
        return number


class Wide(Kind):
    """128 bits, which ctypes cannot pass."""

    size = 16

    def __init__(self, signed):
        self.signed = signed
        self.name = "i128" if signed else "u128"

    def get(self, address, owner):
        return int.from_bytes(ctypes.string_at(address, 16), BYTE_ORDER, signed=self.signed)

    def put(self, address, value, at):
        number = index(value, at)
        try:
            ctypes.memmove(address, number.to_bytes(16, BYTE_ORDER, signed=self.signed), 16)
        except OverflowError:
            raise at.out_of_range(value, self.name) from None

    def take(self, value, at, keep):
        raise AssertionError("never passed")


class Float(Kind):
    def __init__(self, letter):
        self.letter = self.letters = letter
        self.name = "f32" if letter == "f" else "f64"
        self.ctype = ctypes.c_float if letter == "f" else ctypes.c_double

    def take(self, value, at, keep):
        if not isinstance(value, float):
            try:
                if not hasattr(type(value), "__float__"):
                    value.__index__
                value = float(value)
            except (TypeError, ValueError, AttributeError):
                raise at.wrong_type("a float", value) from None
            except OverflowError:
                raise at.out_of_range(value, "f64") from None
        if self.letter == "f" and math.isfinite(value):
            try:
                struct.pack("<f", value)
            except OverflowError:
                raise at.out_of_range(value, "f32") from None
        return value


class Enum(Kind):
    def __init__(self, of, repr, strict):
        self.of, self.repr, self.strict, self.ctype = of, repr, strict, repr.ctype
        self.name, self.letter, self.letters = of.__name__, repr.letter, repr.letters

    def take(self, value, at, keep):
        number = self.repr.take(value, at, keep)
        if self.strict and number not in self.of._value2member_map_:
            raise at.invalid(f"is {number}, which is not a value of {self.name}")
        return int(number)

    def give(self, value):
        try:
            return self.of(value)
        except ValueError:
            return value


class Nothing(Kind):
    """A value without bytes: not passed at all."""

    size = 0

    def take(self, value, at, keep):
        if value is not None:
            raise at.wrong_type("None", value)
        return None


class Address(Kind):
    """What is an address, whatever of."""

    ctype = ctypes.c_void_p
    letter = "Q" if ctypes.sizeof(ctypes.c_void_p) == 8 else "I"
    letters = "QLNPqln"
    name = "addresses"

    def give(self, value):
        return value or None


class Pointer(Address):
    """An address: `to` is the name of a struct, a kind, "void", or None where only the address is known; `out` is the
    kind of what lies there, which an `Out` has room for; `says` is whether it may be the address of C text."""

    def __init__(self, to=None, mutable=True, nullable=True, text=False, out=None, says=False):
        self.to, self.mutable, self.nullable, self.text, self.says = to, mutable, nullable, text, says
        self.out = to if isinstance(to, Kind) else out

    def put(self, address, value, at):
        self.ctype.from_address(address).value = self._address(value, True, at)

    def give(self, value):
        return NativeText(value) if self.says and value else value or None

    def _address(self, value, nullable, at):
        if isinstance(self.to, str) and self.to != "void" and isinstance(value, STRUCTS[self.to]):
            return ctypes.addressof(value)
        number = 0 if value is None else USIZE.take(value, at, None)
        if number == 0 and not nullable:
            raise at.invalid("must not be null")
        return number

    def take(self, value, at, keep):
        if keep is None or value is None or value.__class__ is int:
            return self._address(value, self.nullable, at)
        if isinstance(value, Room) and self.out:
            return value.place(self.out, at)
        if isinstance(value, Lender):
            value = value.view()
        if self.text and isinstance(value, (str, bytes)):
            data = utf8(value, at) if isinstance(value, str) else value
            if 0 in data:
                raise at.invalid("holds a zero character")
            keep.append(ctypes.c_char_p(data))
            return ctypes.cast(keep[-1], ctypes.c_void_p).value
        if isinstance(self.to, Kind) and is_buffer(value):
            return take_buffer(value, self.to, self.mutable, at, keep)[0]
        if self.to == "void" and is_buffer(value):
            return take_buffer(value, None, self.mutable, at, keep)[0]
        address = self._address(value, self.nullable, at)
        if not self.mutable and not hasattr(value, "__index__"):
            check(address, value._limits_, at)
        return address


BYTE_ORDER = __import__("sys").byteorder
BOOL, CHAR = Bool(), Char()
I8, I16, I32, I64 = (Int(bits, True) for bits in (8, 16, 32, 64))
U8, U16, U32, U64 = (Int(bits, False) for bits in (8, 16, 32, 64))
I128, U128 = Wide(True), Wide(False)
# What C calls char: text, or bytes.
CHAR_I8, CHAR_U8 = Int(8, True, "bBc"), Int(8, False, "bBc")
F32, F64 = Float("f"), Float("d")
NOTHING = Nothing()
USIZE = U64 if ctypes.sizeof(ctypes.c_void_p) == 8 else U32
STRUCTS = {}


class PyBuffer(ctypes.Structure):
    """`Py_buffer`: the only way to the address of a buffer that cannot be written."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]

    def __del__(self):
        if self.obj:
            ctypes.pythonapi.PyBuffer_Release(ctypes.byref(self))


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(PyBuffer), ctypes.c_int]


class Room:
    """What has a `place` for a value of a kind."""


class Lender:
    """What has a `view` for whoever wants a buffer."""


def is_buffer(value):
    return ctypes.pythonapi.PyObject_CheckBuffer(ctypes.py_object(value)) != 0


def take_buffer(value, of, mutable, at, keep):
    """Address and count of the elements of a contiguous buffer; any buffer where `of` is None."""
    if isinstance(value, Lender):
        value = value.view()
    try:
        view = memoryview(value)
    except (TypeError, BufferError, ValueError):
        view = None
    # What is right at once is looked at no further: what can be written tells its address.
    if view is not None and not view.readonly and view.nbytes and view.c_contiguous:
        if of is None or view.itemsize == of.size and len(view.format) == 1 and view.format in of.letters:
            first = ctypes.c_char.from_buffer(view)
            address = ctypes.addressof(first)
            if of is None or address % of.align == 0:
                keep.append(first)
                return address, view.nbytes if of is None else view.nbytes // of.size
    if not is_buffer(value):
        raise at.wrong_type("a buffer", value)
    view = PyBuffer()
    # C_CONTIGUOUS | FORMAT, or SIMPLE; WRITABLE.
    flags = (0x38 | 0x04 if of else 0) | (0x01 if mutable else 0)
    try:
        _get_buffer(value, ctypes.byref(view), flags)
    except (BufferError, ValueError):
        what = "must be a contiguous buffer that can be written" if mutable else "must be contiguous"
        raise at.invalid(what) from None
    keep.append(view)
    if of is None:
        return view.buf or 0, view.len
    form = (view.format or b"B").decode()
    item = getattr(of, "inner", of)
    letters = getattr(item, "letters", "")
    fits = False
    if letters:
        plain = len(form) == 2 and (form[0] in "@=" + ("<" if BYTE_ORDER == "little" else ">") or view.itemsize == 1)
        fits = view.itemsize == item.size and (form[1:] if plain else form) in letters
    if not fits and (item is not of or not letters):
        fits = view.itemsize == of.size or view.itemsize == 1 and form in ("B", "b", "c", "<B")
    if not fits or view.len % of.size:
        raise at.invalid(f"must hold {of.name}, not {form} of {view.itemsize} bytes")
    if view.len and view.buf % of.align:
        raise at.invalid(f"must be aligned to {of.align} bytes")
    return view.buf if view.len else of.align, view.len // of.size


def utf8(value, at):
    if isinstance(value, str):
        try:
            return value.encode()
        except UnicodeEncodeError:
            raise at.invalid("holds a lone surrogate") from None
    if not isinstance(value, bytes):
        raise at.wrong_type("str or bytes", value)
    try:
        value.decode()
    except UnicodeDecodeError:
        raise at.invalid("is not UTF-8") from None
    return value
