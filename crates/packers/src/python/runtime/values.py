

_DAY = 864_000_000_000
_MINUTE = 600_000_000
_LAST_TICK = _DAY * 3_652_059 - 1
_EPOCH = datetime(1, 1, 1)


def _clock(ticks: int) -> str:
    """The time of day of ticks below a day: `03:04:05.0000001`."""
    seconds, rest = divmod(ticks, 10_000_000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{rest:07}" if rest else text


def _within(w: Writer, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise w.error(f"{value} does not fit its type")


def _checked(r: Reader, value: int, low: int, high: int, size: int) -> int:
    if not low <= value <= high:
        raise r.error(f"{value} does not fit its type", r.at - size)
    return value


@dataclass(frozen=True, order=True)
class TimeSpan:
    """A length of time in ticks of 100 ns: C#'s `TimeSpan`. A `timedelta` has less of it."""

    ticks: int = 0

    @staticmethod
    def of(value: timedelta) -> TimeSpan:
        return TimeSpan((value.days * 86_400 + value.seconds) * 10_000_000 + value.microseconds * 10)

    def to_timedelta(self) -> timedelta:
        """Rounded down to microseconds."""
        return timedelta(microseconds=self.ticks // 10)

    @staticmethod
    def _write(w: Writer, value: TimeSpan) -> None:
        w.i64(value.ticks)

    @staticmethod
    def _read(r: Reader) -> TimeSpan:
        return TimeSpan(r.i64())


@dataclass(frozen=True, order=True)
class DateTime:
    """A point in time in ticks of 100 ns since the year 1: C#'s `DateTime`. A `datetime` has less of it.

    The kind is 0 for no zone, 1 for UTC, 2 for local, 3 for local and ambiguous.
    """

    ticks: int = 0
    kind: int = 0

    @staticmethod
    def of(value: datetime) -> DateTime:
        """In UTC if the value has a zone, else without one."""
        if value.tzinfo is None:
            return DateTime(TimeSpan.of(value - _EPOCH).ticks, 0)
        return DateTime(TimeSpan.of(value.astimezone(timezone.utc).replace(tzinfo=None) - _EPOCH).ticks, 1)

    def to_datetime(self) -> datetime:
        """Rounded down to microseconds; with a zone if it is in UTC."""
        value = _EPOCH + timedelta(microseconds=self.ticks // 10)
        return value.replace(tzinfo=timezone.utc) if self.kind == 1 else value

    def __str__(self) -> str:
        day = date.fromordinal(self.ticks // _DAY + 1)
        return f"{day.isoformat()}T{_clock(self.ticks % _DAY)}{'Z' if self.kind == 1 else ''}"

    @staticmethod
    def _write(w: Writer, value: DateTime) -> None:
        _within(w, value.ticks, 0, _LAST_TICK)
        _within(w, value.kind, 0, 3)
        w.u64(value.ticks | value.kind << 62)

    @staticmethod
    def _read(r: Reader) -> DateTime:
        bits = r.u64()
        return DateTime(_checked(r, bits & (1 << 62) - 1, 0, _LAST_TICK, 8), bits >> 62)


@dataclass(frozen=True, order=True)
class DateTimeOffset:
    """A point in time with its distance from UTC: C#'s `DateTimeOffset`."""

    ticks: int = 0
    """In UTC, of 100 ns since the year 1."""
    minutes: int = 0
    """Of local time from UTC."""

    @staticmethod
    def of(value: datetime) -> DateTimeOffset:
        """Of a value with a zone, whose distance from UTC is whole minutes."""
        offset = value.utcoffset()
        if offset is None:
            raise ValueError(f"{value} has no zone")
        return DateTimeOffset(DateTime.of(value).ticks, offset // timedelta(minutes=1))

    def to_datetime(self) -> datetime:
        """Rounded down to microseconds."""
        value = DateTime(self.ticks, 1).to_datetime()
        return value.astimezone(timezone(timedelta(minutes=self.minutes)))

    @staticmethod
    def _write(w: Writer, value: DateTimeOffset) -> None:
        _within(w, value.minutes, -840, 840)
        _within(w, value.ticks, 0, _LAST_TICK)
        _within(w, value.ticks + value.minutes * _MINUTE, 0, _LAST_TICK)
        w.i16(value.minutes)
        w.zero(6)
        w.u64(value.ticks)

    @staticmethod
    def _read(r: Reader) -> DateTimeOffset:
        minutes = _checked(r, r.i16(), -840, 840, 2)
        r.skip(6)
        # The kind does not count: .NET leaves one there.
        ticks = _checked(r, r.u64() & (1 << 62) - 1, 0, _LAST_TICK, 8)
        _checked(r, ticks + minutes * _MINUTE, 0, _LAST_TICK, 8)
        return DateTimeOffset(ticks, minutes)


@dataclass(frozen=True, order=True)
class TimeOnly:
    """A time of day in ticks of 100 ns: C#'s `TimeOnly`."""

    ticks: int = 0

    def __str__(self) -> str:
        return _clock(self.ticks)

    @staticmethod
    def _write(w: Writer, value: TimeOnly) -> None:
        _within(w, value.ticks, 0, _DAY - 1)
        w.i64(value.ticks)

    @staticmethod
    def _read(r: Reader) -> TimeOnly:
        return TimeOnly(_checked(r, r.i64(), 0, _DAY - 1, 8))


@dataclass(frozen=True)
class Index:
    """A place in a sequence: C#'s `Index`."""

    value: int = 0
    from_end: bool = False

    @staticmethod
    def _write(w: Writer, value: Index) -> None:
        w.i32(~value.value if value.from_end else value.value)

    @staticmethod
    def _read(r: Reader) -> Index:
        value = r.i32()
        return Index(~value, True) if value < 0 else Index(value)


@dataclass(frozen=True)
class Range:
    """Places from one to before the other: C#'s `Range`."""

    start: Index = Index()
    end: Index = Index()

    @staticmethod
    def _write(w: Writer, value: Range) -> None:
        Index._write(w, value.start)
        Index._write(w, value.end)

    @staticmethod
    def _read(r: Reader) -> Range:
        return Range(Index._read(r), Index._read(r))


@dataclass(frozen=True, order=True)
class Version:
    """Two to four parts; `build` and `revision` are -1 where they are not said."""

    major: int = 0
    minor: int = 0
    build: int = -1
    revision: int = -1

    @staticmethod
    def _write(w: Writer, value: Version) -> None:
        w.u8(4)
        w.i32(value.major)
        w.i32(value.minor)
        w.i32(value.build)
        w.i32(value.revision)


@dataclass
class Grid(Generic[T]):
    """An array of several dimensions: its elements with the last dimension fastest."""

    dimensions: Sequence[int]
    items: Sequence[T]


@dataclass
class Group(Generic[T, V]):
    """A key of a lookup and its values."""

    key: T
    values: Sequence[V]
