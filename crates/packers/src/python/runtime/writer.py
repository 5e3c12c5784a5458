class Writer:
    """Writes values one after the other."""

    __slots__ = ("data", "_depth", "_text", "_ids", "_kept")

    def __init__(self, options: Options = OPTIONS) -> None:
        self.data = bytearray()
        self._depth = options.depth
        self._text: Encoding = options.text
        self._ids: dict[int, int] = {}
        self._kept: list[object] = []

    def error(self, message: str) -> PackError:
        return PackError(message, len(self.data))

    def enter(self) -> None:
        self._depth -= 1
        if self._depth < 0:
            raise self.error("objects are nested deeper than the options allow")

    def leave(self) -> None:
        self._depth += 1

    def zero(self, size: int) -> None:
        self.data += bytes(size)

    def boolean(self, value: object) -> None:
        if value is None:
            raise self.error("null, where a bool is to be written")
        self.data.append(1 if value else 0)

    def u8(self, value: int) -> None:
        if not 0 <= value <= 255:
            raise self.error(f"{value} does not fit its type")
        self.data.append(value)

    def i8(self, value: int) -> None:
        self.data += _PUT_I8(value)

    def u16(self, value: int) -> None:
        self.data += _PUT_U16(value)

    def i16(self, value: int) -> None:
        self.data += _PUT_I16(value)

    def u32(self, value: int) -> None:
        self.data += _PUT_U32(value)

    def i32(self, value: int) -> None:
        self.data += _PUT_I32(value)

    def u64(self, value: int) -> None:
        self.data += _PUT_U64(value)

    def i64(self, value: int) -> None:
        self.data += _PUT_I64(value)

    def u128(self, value: int) -> None:
        self.data += value.to_bytes(16, "little")

    def i128(self, value: int) -> None:
        self.data += value.to_bytes(16, "little", signed=True)

    def half(self, value: float) -> None:
        try:
            self.data += _PUT_F16(value)
        except OverflowError:
            self.data += _PUT_F16(float("inf") if value > 0 else float("-inf"))

    def f32(self, value: float) -> None:
        try:
            self.data += _PUT_F32(value)
        except OverflowError:
            self.data += _PUT_F32(float("inf") if value > 0 else float("-inf"))

    def f64(self, value: float) -> None:
        self.data += _PUT_F64(value)

    def rune(self, value: str) -> None:
        if len(value) != 1 or 0xD800 <= ord(value) < 0xE000:
            raise self.error("a rune is a string of one character")
        self.u32(ord(value))

    def char(self, value: str) -> None:
        if len(value) != 1 or ord(value) > 0xFFFF:
            raise self.error("a char is a string of one unit of UTF-16")
        self.u16(ord(value))

    def none(self) -> None:
        """What is not there, in a head."""
        self.data.append(_NULL)

    def no_count(self) -> None:
        """What is not there, in a length."""
        self.data += b"\xff\xff\xff\xff"

    def head(self, count: int) -> None:
        """An object's count of members."""
        self.enter()
        self.data.append(count)

    def tag(self, tag: int) -> None:
        self.enter()
        if tag < _WIDE:
            self.data.append(tag)
        else:
            self.data.append(_WIDE)
            self.u16(tag)

    def count(self, count: int) -> None:
        self.i32(count)

    def text(self, value: str, encoding: Encoding | None = None) -> None:
        encoding = encoding or self._text
        if not value:
            if value != "":
                raise self.error("null, where text is to be written")
            self.i32(0)
        elif encoding == "utf16":
            wide = value.encode("utf-16-le")
            self.i32(len(wide) // 2)
            self.data += wide
        else:
            encoded = value.encode()
            if "utf8-without-length" in (encoding, self._text):
                units = -1
            elif len(encoded) == len(value):
                units = len(value)
            else:
                units = len(value.encode("utf-16-le")) // 2
            self.data += _PUT_TWO(~len(encoded), units)
            self.data += encoded

    def block(self, values: Sequence[int] | Sequence[float], code: str, place: str, length: int = -1) -> None:
        """Numbers side by side: in one copy, if they are a buffer of that type."""
        if 0 <= length != len(values):
            raise self.error(f"{len(values)} elements where there have to be {length}")
        if not isinstance(values, (list, tuple)):
            try:
                view: memoryview[Any] = memoryview(values)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                pass
            else:
                _in_a_row(values, view, place)
                if _LITTLE and view.c_contiguous and _MORE.get(view.format, view.format) == code:
                    self.data += view
                    return
                if isinstance(values, (bytes, bytearray)):
                    # Each is a number; `array` would take all of them for its memory.
                    values = list(values)
        try:
            numbers = _array(code, values)
        except TypeError as error:
            raise TypeError(f"{place} takes {'numbers' if code in 'fd' else 'whole numbers'}: {error}") from error
        self.data += numbers.tobytes()

    def numbers(self, values: Sequence[int] | Sequence[float], code: str, place: str) -> None:
        try:
            self.count(len(values))
        except TypeError as error:
            raise TypeError(f"{place} takes a sequence of numbers: {error}") from error
        self.block(values, code, place)

    def blob(self, value: Buffer, place: str) -> None:
        try:
            view = memoryview(value)
        except TypeError:
            found = type(value).__name__
            raise TypeError(f"{place} takes bytes, not a value of class {found}: make them with bytes(...)") from None
        _in_a_row(value, view, place)
        if view.format not in ("B", "c"):
            raise TypeError(f"{place} takes bytes, not elements of type {view.format!r}")
        self.count(len(view))
        self.data += view if view.c_contiguous else view.tobytes()

    def exactly(self, given: int, length: int) -> None:
        if given != length:
            raise self.error(f"{given} elements where there have to be {length}")

    def grid(self, grid: Grid[Any], rank: int) -> None:
        """The head of a grid; its elements follow."""
        if len(grid.dimensions) != rank:
            raise self.error(f"a grid of {len(grid.dimensions)} dimensions, not {rank}")
        self.u8(rank + 1)
        total = 1
        for dimension in grid.dimensions:
            self.count(dimension)
            total *= dimension
        self.exactly(len(grid.items), total)
        self.count(total)

    def _words(self, values: Sequence[object]) -> bytearray:
        words = bytearray((len(values) + 31) // 32 * 4)
        for index, value in enumerate(values):
            if value:
                words[index >> 3] |= 1 << (index & 7)
        return words

    def bits(self, values: Sequence[object]) -> None:
        self.count(len(values))
        self.data += self._words(values)

    def bit_array(self, values: Sequence[object]) -> None:
        words = self._words(values)
        self.u8(2)
        self.count(len(values))
        self.count(len(words) // 4)
        self.data += words

    def big_integer(self, value: int) -> None:
        # The sign needs a bit of its own; -128 is one byte.
        size = ((value if value >= 0 else ~value).bit_length() + 8) // 8
        self.count(size)
        self.data += value.to_bytes(size, "little", signed=True)

    def guid(self, value: uuid.UUID) -> None:
        self.data += value.bytes_le

    def day(self, value: date) -> None:
        self.i32(value.toordinal() - 1)

    def complex_number(self, value: complex) -> None:
        self.f64(value.real)
        self.f64(value.imag)

    def decimal(self, value: Decimal) -> None:
        sign, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int):
            raise self.error(f"{value} is not a decimal number")
        mantissa = int("".join(map(str, digits)) or "0")
        if 0 < exponent < 29:
            mantissa *= 10**exponent
            exponent = 0
        if not -28 <= exponent <= 0 or mantissa >> 96:
            raise self.error(f"{value} has more digits than a decimal")
        self.u32(-exponent << 16 | sign << 31)
        self.u32(mantissa >> 64)
        self.u64(mantissa & 0xFFFF_FFFF_FFFF_FFFF)

    def varint(self, value: int, unsigned: bool = False) -> None:
        if value < 128:
            self.i8(value)
        elif unsigned and value <= 0xFFFF:
            self.i8(-123)
            self.u16(value)
        elif not unsigned and value <= 0x7FFF:
            self.i8(-124)
            self.i16(value)
        elif unsigned:
            self.i8(-125)
            self.u32(value)
        else:
            self.i8(-126)
            self.i32(value)

    def slots(self, count: int) -> Slots:
        """Slots of a version-tolerant object: their lengths are put before them when they are written."""
        self.enter()
        return Slots(self, count)

    def refer(self, value: object) -> bool:
        """Whether an object was written before: it is referred to then, else it has an id from now on."""
        known = self._ids.get(id(value))
        if known is None:
            self._ids[id(value)] = len(self._ids)
            # What has an id must not be gone and another in its place.
            self._kept.append(value)
            return False
        self.data.append(_WIDE)
        self.varint(known, unsigned=True)
        return True

    def id_of(self, value: object) -> int:
        return self._ids[id(value)]


class Slots:
    """Slots that are being written."""

    __slots__ = ("_writer", "_lengths", "_start", "_last")

    def __init__(self, writer: Writer, count: int) -> None:
        self._writer = writer
        self._lengths = [0] * count
        self._start = self._last = len(writer.data)

    def end(self, index: int) -> None:
        """What was written since the last one is this slot."""
        at = len(self._writer.data)
        self._lengths[index] = at - self._last
        self._last = at

    def done(self, value: object = None) -> None:
        """All slots are written. `value` is what has an id."""
        head = Writer()
        head.u8(len(self._lengths))
        for length in self._lengths:
            head.varint(length)
        if value is not None:
            head.varint(self._writer.id_of(value), unsigned=True)
        self._writer.data[self._start : self._start] = head.data
        self._writer.leave()


