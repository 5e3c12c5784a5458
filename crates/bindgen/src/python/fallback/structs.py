"""Structs, unions, data-carrying enums and arrays as ctypes objects with the extension's surface."""

import ctypes

from ._kinds import BOOL, BYTE_ORDER, STRUCTS, USIZE, At, Kind, check, index


class Field:
    """A field by its offset."""

    def __init__(self, name, owner, kind, offset, docs=None):
        self.name, self.kind, self.offset, self.__doc__ = name, kind, offset, docs
        self.at = At(name, owner)

    def __get__(self, object, owner=None):
        if object is None:
            return self
        return self.kind.get(ctypes.addressof(object) + self.offset, object)

    def __set__(self, object, value):
        self.kind.put(ctypes.addressof(object) + self.offset, value, self.at)

    def __delete__(self, object):
        raise TypeError("a field cannot be deleted")


class Meta(type(ctypes.Structure)):
    """Makes objects that are aligned as the library wants them."""

    def __call__(cls, /, *args, **fields):
        if args:
            raise TypeError(f"{cls.__name__} takes its fields by name only")
        if cls._align_ > 8:
            memory = bytearray(cls._size_ + cls._align_)
            start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
            object = cls.from_buffer(memory, -start % cls._align_)
        else:
            object = super().__call__()
        for name, value in fields.items():
            if name not in cls._shown_:
                raise TypeError(f"{cls.__name__} has no field {name}")
            setattr(object, name, value)
        return object


class Struct(ctypes.Structure, metaclass=Meta):
    _align_, _size_, _shown_, _offsets_, _limits_ = 0, 0, (), {}, ()

    def __setattr__(self, name, value):
        if name not in self._shown_:
            raise AttributeError(f"{type(self).__name__} has no field {name}")
        super().__setattr__(name, value)

    @property
    def _address_(self):
        """Where the bytes are."""
        return ctypes.addressof(self)

    @classmethod
    def _at_(cls, address):
        """A view of the value at an address, which must stay valid."""
        at = At("address", "_at_")
        number = USIZE.take(address, at, None)
        if number == 0:
            raise at.invalid("is null")
        return cls.from_address(number)

    @classmethod
    def _in_(cls, bytes):
        """The value in a buffer of its size: a view, or a copy where it cannot be written."""
        with memoryview(bytes) as view:
            size, readonly = view.nbytes, view.readonly
        if size != cls._size_:
            raise At("bytes", "_in_").invalid(f"must be {cls._size_}, not {size}")
        return cls.from_buffer_copy(bytes) if readonly else cls.from_buffer(bytes)

    def _shows(self):
        for name in self._shown_:
            try:
                yield name, getattr(self, name)
            except ValueError:
                # Another variant than the value's.
                continue

    def __copy__(self):
        """A copy that holds its own bytes."""
        copy = type(self)()
        ctypes.memmove(ctypes.addressof(copy), ctypes.addressof(self), self._size_)
        return copy

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._shows())})"

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return list(self._shows()) == list(other._shows())

    __hash__ = None


class StructKind(Kind):
    letters = ""

    def __init__(self, of):
        self.of, self.name = of, of.__name__
        self.ctype = of if of._passed_ else None
        self.size_of, self.align_of = of._size_, of._align_

    size = property(lambda self: self.size_of)
    align = property(lambda self: self.align_of)

    def get(self, address, owner):
        view = self.of.from_address(address)
        object.__setattr__(view, "_owner", owner)
        return view

    def put(self, address, value, at):
        ctypes.memmove(address, ctypes.addressof(self.take(value, at, None)), self.size)

    def take(self, value, at, keep):
        if type(value) is not self.of:
            raise at.wrong_type(self.name, value)
        # In memory a program may write anything; native code is given values only.
        if keep is not None and value._limits_:
            check(ctypes.addressof(value), value._limits_, at)
        return value


class Array:
    """An array in a struct: a view of the struct's bytes. Its classes are ctypes arrays, so that they are buffers."""

    def __init__(self):
        raise TypeError("arrays are parts of structs only")

    def __len__(self):
        return self._kind.len

    def _place(self, at):
        place = index(at, At("an index", "an array"))
        place += len(self) if place < 0 else 0
        if not 0 <= place < len(self):
            raise IndexError(f"the array has {len(self)} elements, none at {at}")
        return self._address + place * self._kind.of.size

    def __getitem__(self, place):
        return self._kind.of.get(self._place(place), self._owner)

    def __setitem__(self, place, value):
        self._kind.of.put(self._place(place), value, At("an element", "an array"))

    def __repr__(self):
        return repr(list(self))

    def __eq__(self, other):
        if not isinstance(other, (Array, list, tuple)):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None


class ArrayKind(Kind):
    letters = ""

    def __init__(self, of, len):
        self.of, self.len = of, len
        self.inner = of.inner if isinstance(of, ArrayKind) else of
        self.name = f"arrays of {of.name}"
        self.ctype = of.ctype * len if of.ctype else None
        element = getattr(of, "of", None) if isinstance(of, StructKind) else getattr(of, "array", None) or of.ctype
        body = {"_type_": element or ctypes.c_ubyte * of.size, "_length_": len}
        self.array = type("NativeArray", (Array, ctypes.Array), body)

    size = property(lambda self: self.of.size * self.len)
    align = property(lambda self: self.of.align)

    def get(self, address, owner):
        array = self.array.from_address(address)
        array._kind, array._address, array._owner = self, address, owner
        return array

    def put(self, address, value, at):
        try:
            count = len(value)
        except TypeError:
            raise at.wrong_type("a sequence", value) from None
        if count != self.len:
            raise at.invalid(f"has {self.len} elements, not {count}")
        for place in range(count):
            self.of.put(address + place * self.of.size, value[place], at)


class Bits(Kind):
    """A C bitfield: only the bytes that it touches are its own."""

    def __init__(self, size, shift, width, signed, of):
        self.unit, self.shift, self.width, self.signed, self.of = size, shift, width, signed, of

    size = property(lambda self: self.unit)

    def get(self, address, owner):
        value = int.from_bytes(ctypes.string_at(address, self.unit), BYTE_ORDER) >> self.shift
        value &= (1 << self.width) - 1
        return self.of.give(value - (1 << self.width) if self.signed and value >> (self.width - 1) else value)

    def put(self, address, value, at):
        number = BOOL.take(value, at, None) if self.of is BOOL else index(value, at)
        low = -(1 << (self.width - 1)) if self.signed else 0
        if not low <= number < low + (1 << self.width):
            raise at.out_of_range(value, "the bitfield")
        mask = ((1 << self.width) - 1) << self.shift
        whole = int.from_bytes(ctypes.string_at(address, self.unit), BYTE_ORDER)
        whole = (whole & ~mask) | ((number << self.shift) & mask)
        for byte in range(self.shift // 8, (self.shift + self.width - 1) // 8 + 1):
            place = byte if BYTE_ORDER == "little" else self.unit - 1 - byte
            ctypes.c_uint8.from_address(address + place).value = (whole >> (8 * byte)) & 0xFF


class Variant(StructKind):
    """A variant's data within its enum."""

    def __init__(self, of, tag, value):
        super().__init__(of)
        self.tag, self.value = tag, value

    def get(self, address, owner):
        if self.tag.ctype.from_address(address).value != self.value:
            raise ValueError(f"the value is not a {self.name}")
        return super().get(address, owner)

    def put(self, address, value, at):
        super().put(address, value, at)
        self.tag.ctype.from_address(address).value = self.value


def struct(name, module, docs, size, align, fields, whole=None, limits=()):
    """A class. `fields` are name, kind, offset and docs of what is shown; `whole` are name, kind and offset of
    all fields in their order where ctypes may pass the class by value; `limits` see `_kinds.check`."""
    own, passed = [("_bytes", ctypes.c_ubyte * size)], False
    if whole is not None and align <= 8 and all(kind.ctype for _, kind, _ in whole):
        candidate = [(name, kind.ctype) for name, kind, _ in whole]
        probe = type("Probe", (ctypes.Structure,), {"_fields_": candidate})
        offsets = all(getattr(probe, name).offset == offset for name, _, offset in whole)
        if offsets and ctypes.sizeof(probe) == size and ctypes.alignment(probe) == align:
            own, passed = candidate, True
    body = {
        "__doc__": docs,
        "__module__": module,
        "_fields_": own,
        "_passed_": passed,
        "_size_": size,
        "_align_": align,
        "_shown_": tuple(field[0] for field in fields),
        "_limits_": limits,
        "_offsets_": {field[0]: field[2] for field in fields},
    }
    made = Meta(name, (Struct,), body)
    for field in fields:
        setattr(made, field[0], Field(field[0], name, field[1], *field[2:]))
    STRUCTS[name] = made
    return made
