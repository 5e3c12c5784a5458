class Reader:
    """Reads values one after the other, and nothing beyond the end of the data."""

    __slots__ = ("data", "at", "end", "_bytes", "_depth", "_objects")

    def __init__(self, data: Buffer, options: Options = OPTIONS) -> None:
        self.data = memoryview(data).cast("B")
        self._bytes = data if isinstance(data, bytes) else None
        self.at = 0
        self.end = len(self.data)
        self._depth = options.depth
        self._objects: dict[int, object] = {}

    def error(self, message: str, offset: int | None = None) -> PackError:
        return PackError(message, self.at if offset is None else offset)

    def enter(self) -> None:
        self._depth -= 1
        if self._depth < 0:
            raise self.error("objects are nested deeper than the options allow")

    def leave(self) -> None:
        self._depth += 1

    def take(self, size: int) -> int:
        """Where `size` bytes are that are read now."""
        at = self.at
        self.at = end = at + size
        if end > self.end:
            raise self._short(at, size)
        return at

    def _short(self, at: int, size: int) -> PackError:
        self.at = at
        return self.error(f"the bytes end {size - (self.end - at)} too early")

    def skip(self, size: int) -> None:
        self.take(size)

    def boolean(self) -> bool:
        at = self.take(1)
        value = self.data[at]
        if value > 1:
            raise self.error(f"{value} is not a bool", at)
        return value == 1

    def u8(self) -> int:
        at = self.at
        self.at = end = at + 1
        if end > self.end:
            raise self._short(at, 1)
        return self.data[at]

    def i8(self) -> int:
        at = self.at
        self.at = end = at + 1
        if end > self.end:
            raise self._short(at, 1)
        value: int = _I8(self.data, at)[0]
        return value

    def u16(self) -> int:
        at = self.at
        self.at = end = at + 2
        if end > self.end:
            raise self._short(at, 2)
        value: int = _U16(self.data, at)[0]
        return value

    def i16(self) -> int:
        at = self.at
        self.at = end = at + 2
        if end > self.end:
            raise self._short(at, 2)
        value: int = _I16(self.data, at)[0]
        return value

    def u32(self) -> int:
        at = self.at
        self.at = end = at + 4
        if end > self.end:
            raise self._short(at, 4)
        value: int = _U32(self.data, at)[0]
        return value

    def i32(self) -> int:
        at = self.at
        self.at = end = at + 4
        if end > self.end:
            raise self._short(at, 4)
        value: int = _I32(self.data, at)[0]
        return value

    def u64(self) -> int:
        at = self.at
        self.at = end = at + 8
        if end > self.end:
            raise self._short(at, 8)
        value: int = _U64(self.data, at)[0]
        return value

    def i64(self) -> int:
        at = self.at
        self.at = end = at + 8
        if end > self.end:
            raise self._short(at, 8)
        value: int = _I64(self.data, at)[0]
        return value

    def u128(self) -> int:
        at = self.take(16)
        return int.from_bytes(self.data[at : at + 16], "little")

    def i128(self) -> int:
        at = self.take(16)
        return int.from_bytes(self.data[at : at + 16], "little", signed=True)

    def half(self) -> float:
        at = self.at
        self.at = end = at + 2
        if end > self.end:
            raise self._short(at, 2)
        value: float = _F16(self.data, at)[0]
        return value

    def f32(self) -> float:
        at = self.at
        self.at = end = at + 4
        if end > self.end:
            raise self._short(at, 4)
        value: float = _F32(self.data, at)[0]
        return value

    def f64(self) -> float:
        at = self.at
        self.at = end = at + 8
        if end > self.end:
            raise self._short(at, 8)
        value: float = _F64(self.data, at)[0]
        return value

    def rune(self) -> str:
        at = self.at
        code = self.u32()
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise self.error(f"{code} is not a character", at)
        return chr(code)

    def char(self) -> str:
        return chr(self.u16())

    def among(self, kind: type[E], value: int, size: int) -> E:
        """One of the values of an enum."""
        try:
            return kind(value)
        except ValueError:
            raise self.error(f"{value} is not one of the enum's values", self.at - size) from None

    def none(self) -> bool:
        """Whether the value is not there, by its head."""
        if self.at < self.end and self.data[self.at] == _NULL:
            self.at += 1
            return True
        return False

    def no_count(self) -> bool:
        """Whether the value is not there, by its length."""
        if self.end - self.at >= 4 and bytes(self.data[self.at : self.at + 4]) == b"\xff\xff\xff\xff":
            self.at += 4
            return True
        return False

    def some(self) -> bool:
        """Whether a value follows."""
        at = self.at
        flag = self.u8()
        if flag not in (1, _NULL):
            raise self.error(f"{flag} is neither a value nor null", at)
        return flag == 1

    def there(self, pad: int, size: int) -> bool:
        """Whether a value of `size` bytes is there, behind `pad` bytes of nothing; passed over if not."""
        flag = self.boolean()
        self.skip(pad if flag else pad + size)
        return flag

    def _null(self, at: int) -> PackError:
        return self.error("null where there has to be a value", at)

    def head(self, known: int) -> int:
        """An object's count of members, at most `known`."""
        self.enter()
        at = self.at
        count = self.u8()
        if count == _NULL:
            raise self._null(at)
        if count > known:
            raise self.error(f"{count} members where at most {known} are known", at)
        return count

    def exact_head(self, count: int) -> None:
        """The head of what always has this many parts."""
        at = self.at
        found = self.u8()
        if found == _NULL:
            raise self._null(at)
        if found != count:
            raise self.error(f"{found} members where there are {count}", at)

    def missing(self, name: str) -> NoReturn:
        """For a member that is not there and has no default."""
        raise self.error(f"the member {name} is missing, and there is no default for it")

    def tag(self) -> int:
        self.enter()
        at = self.at
        tag = self.u8()
        if tag < _WIDE:
            return tag
        if tag == _WIDE:
            return self.u16()
        raise self._null(at) if tag == _NULL else self.error(f"{tag} is not a tag", at)

    def unknown_tag(self, tag: int) -> NoReturn:
        raise self.error(f"the tag {tag} is not one of the union's")

    def count(self, fewest: int) -> int:
        """A count of elements that take at least `fewest` bytes each."""
        at = self.at
        count = self.i32()
        if count == -1:
            raise self._null(at)
        if count < 0:
            raise self.error(f"{count} is not a count", at)
        if count * fewest > self.end - self.at:
            raise self.error(f"{count} elements are not in what is left", at)
        return count

    def exact_count(self, count: int) -> int:
        """A count that has to be this."""
        at = self.at
        found = self.count(0)
        if found != count:
            raise self.error(f"{found} elements where there have to be {count}", at)
        return count

    def text(self) -> str:
        start = self.at
        length = self.i32()
        if length == 0:
            return ""
        if length == -1:
            raise self._null(start)
        try:
            if length > 0:
                at = self.take(2 * length)
                return str(self.data[at : self.at], "utf-16-le")
            units = self.i32()
            at = self.take(~length)
            whole = self._bytes
            # Twice as fast as from a view.
            value = str(self.data[at : self.at], "utf-8") if whole is None else whole[at : self.at].decode()
            if units == ~length == len(value):
                return value
        except UnicodeDecodeError as error:
            raise self.error("the text is not Unicode", start) from error
        if units > 0:
            right = len(value.encode("utf-16-le")) // 2
            if units != right:
                raise self.error(f"text of {right} units says {units}", start)
        return value

    def blob(self) -> bytes:
        return self.raw(self.count(1))

    def raw(self, size: int) -> bytes:
        at = self.take(size)
        return bytes(self.data[at : at + size])

    def block(self, code: str, count: int) -> array[Any]:
        """Numbers side by side, in one copy."""
        numbers = array(code)
        size = count * numbers.itemsize
        at = self.take(size)
        numbers.frombytes(self.data[at : at + size])
        if not _LITTLE:
            numbers.byteswap()
        return numbers

    def dictionary(self, pairs: Iterable[tuple[T, V]]) -> dict[T, V]:
        """Pairs that are read as they are asked for; no key may be there twice."""
        values: dict[T, V] = {}
        at = self.at
        for key, value in pairs:
            if key in values:
                raise self.error("a key that the dictionary has already", at)
            values[key] = value
            at = self.at
        return values

    def dimensions(self, rank: int, fewest: int) -> tuple[list[int], int]:
        """The dimensions of a grid, and how many elements that take at least `fewest` bytes each."""
        at = self.at
        self.exact_head(rank + 1)
        dimensions = [self.i32() for _ in range(rank)]
        total = self.count(fewest)
        product = 1
        for dimension in dimensions:
            product *= dimension
        if product != total or min(dimensions) < 0:
            raise self.error(f"{total} elements are not a grid of these dimensions: {dimensions}", at)
        return dimensions, total

    def bits(self) -> list[bool]:
        at = self.at
        count = self.i32()
        if count == -1:
            raise self._null(at)
        if count < 0:
            raise self.error(f"{count} is not a count", at)
        return self._words(count)

    def bit_array(self) -> list[bool]:
        self.exact_head(2)
        at = self.at
        count = self.i32()
        words = self.count(4)
        spare = words - (count + 31) // 32
        if count < 0 or spare < 0:
            raise self.error(f"{words} words are not {count} bits", at)
        values = self._words(count)
        # .NET keeps words when an array is made shorter.
        self.skip(4 * spare)
        return values

    def _words(self, count: int) -> list[bool]:
        at = self.take((count + 31) // 32 * 4)
        data = self.data
        return [data[at + (bit >> 3)] >> (bit & 7) & 1 == 1 for bit in range(count)]

    def big_integer(self) -> int:
        return int.from_bytes(self.blob(), "little", signed=True)

    def guid(self) -> uuid.UUID:
        return uuid.UUID(bytes_le=self.raw(16))

    def day(self) -> date:
        at = self.at
        day = self.i32()
        if not 0 <= day <= 3_652_058:
            raise self.error(f"{day} is not a day", at)
        return date.fromordinal(day + 1)

    def complex_number(self) -> complex:
        return complex(self.f64(), self.f64())

    def decimal(self) -> Decimal:
        at = self.at
        flags = self.u32()
        scale = flags >> 16 & 0xFF
        if flags & 0x7F00_FFFF or scale > 28:
            raise self.error("this is not a decimal", at)
        high = self.u32()
        digits = tuple(map(int, str(high << 64 | self.u64())))
        return Decimal((flags >> 31, digits, -scale))

    def version(self) -> Version:
        self.exact_head(4)
        return Version(self.i32(), self.i32(), self.i32(), self.i32())

    def varint(self) -> int:
        code = self.i8()
        if code >= -120:
            return code
        return (self.i64, self.u64, self.i32, self.u32, self.i16, self.u16, self.i8, self.u8)[code + 128]()

    def referred(self, kind: type[T]) -> T | None:
        """An object that was there before, if this refers to one."""
        if self.at >= self.end or self.data[self.at] != _WIDE:
            return None
        at = self.at
        self.at += 1
        value = self._objects.get(self.varint())
        if not isinstance(value, kind):
            raise self.error("a reference to an object that was not there before", at)
        return value

    def slots(self, circular: bool) -> OpenSlots:
        """What stands before a version-tolerant object's values."""
        self.enter()
        at = self.at
        count = self.u8()
        if count == _NULL:
            raise self._null(at)
        if count >= _WIDE:
            raise self.error(f"{count} is not a count of slots", at)
        lengths = [self.varint() for _ in range(count)]
        number = self.varint() if circular else 0
        if circular and (not 0 <= number < 1 << 32 or number in self._objects):
            raise self.error(f"{number} is not a new object's id", at)
        if any(length < 0 for length in lengths) or sum(lengths) > self.end - self.at:
            raise self.error("slots are longer than what is left", at)
        return OpenSlots(self, lengths, number)

    def remember(self, number: int, value: object) -> None:
        """A circular object has its id before its members are read."""
        self._objects[number] = value


class OpenSlots:
    """Slots that are being read, in ascending order."""

    __slots__ = ("id", "_reader", "_lengths", "_at", "_end", "_next")

    def __init__(self, reader: Reader, lengths: list[int], number: int) -> None:
        self.id = number
        self._reader = reader
        self._lengths = lengths
        self._at = reader.at
        self._end = reader.end
        self._next = 0

    def open(self, index: int) -> bool:
        """Goes to a slot, beyond whose end nothing is read. Whether anything is in it."""
        lengths = self._lengths
        while self._next < min(index, len(lengths)):
            self._at += lengths[self._next]
            self._next += 1
        length = lengths[index] if index < len(lengths) else 0
        self._reader.at = self._at
        self._reader.end = self._at + length
        return length > 0

    def close(self) -> None:
        """Goes behind all of them."""
        self._reader.at = self._at + sum(self._lengths[self._next :])
        self._reader.end = self._end
        self._reader.leave()
