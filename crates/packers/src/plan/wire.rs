use super::{Float, Int, PackedId};

/// The type of one value in pack's wire form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// One byte, 0 or 1.
    Bool,
    /// An integer; `isize` and `usize` have 8 bytes.
    Int(Int),
    /// A floating point number.
    Float(Float),
    /// A Rust `char`: 4 bytes, a Unicode scalar value.
    Rune,
    /// C#'s `char`: 2 bytes, a unit of UTF-16.
    Char,
    /// A value of the library that lies in memory as it does on the wire.
    Known(Known),
    /// Text: i32 length with its encoding.
    Text(Encoding),
    /// Text that is an address, encoded like other text.
    Uri,
    /// Text in UTF-16 units, always encoded that way.
    Builder,
    /// Four or fewer parts: `04`, i32 each, -1 for a missing one.
    Version,
    /// i32 count of bytes, the smallest two's complement that holds the number, least significant first.
    BigInteger,
    /// `02`, i32 count of bits, i32 count of words, words of 32 bits, the lowest bit first.
    BitArray,
    /// A list of bools: i32 count of bits, words of 32 bits.
    BitPack,
    /// Compressed with Brotli: i32 length, i32 compressed length, the compressed bytes. A list of `u8`, or text.
    Brotli(Box<Wire>),
    /// One of [`super::Plan::types`].
    Named(PackedId),
    /// i32 count, elements.
    List {
        /// The element.
        of: Box<Wire>,
        /// What holds them.
        kind: ListKind,
    },
    /// i32 count, then each key and its value, as [`Wire::Pair`] is.
    Map {
        /// The key.
        key: Box<Wire>,
        /// The value.
        value: Box<Wire>,
        /// Whether it is ordered by its keys.
        sorted: bool,
    },
    /// `len` elements side by side: raw if they are, else after their i32 count.
    Fixed {
        /// The element.
        of: Box<Wire>,
        /// How many.
        len: u64,
    },
    /// A u8 that is `rank + 1`, i32 for each dimension, i32 count, elements, the last dimension fastest.
    Grid {
        /// The element.
        of: Box<Wire>,
        /// 2, 3 or 4.
        rank: u32,
    },
    /// C#'s `ValueTuple`, never null: raw in the order of [`super::Plan::placed_tuple`], else the items.
    Tuple(Vec<Wire>),
    /// C#'s class `Tuple`: the head of an object, and the items. Every eighth item begins a tuple of its own; see
    /// [`super::tuple_head`].
    ClassTuple(Vec<Wire>),
    /// C#'s `KeyValuePair`, never null: raw as a struct of both, else key and value.
    Pair(Box<Wire>, Box<Wire>),
    /// `02`, the key, a list of values: an element of a lookup.
    Group(Box<Wire>, Box<Wire>),
    /// `01` and the value.
    Lazy(Box<Wire>),
    /// A value or none; [`super::Plan::absence`] says how.
    Optional(Box<Wire>),
}

/// Values of `upcall-pack` with a layout of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Known {
    /// A 16-bit floating point number.
    Half,
    /// i64 in 100 ns.
    TimeSpan,
    /// u64: 100 ns since the year 1 in the lower 62 bits, the kind (0 none, 1 UTC, 2 and 3 local) above.
    DateTime,
    /// i16 minutes, 6 unused bytes, u64 as [`Known::DateTime`] in UTC, whose kind does not count; 0 is written.
    DateTimeOffset,
    /// i32 days since 1 January of the year 1.
    DateOnly,
    /// i64: 100 ns since midnight.
    TimeOnly,
    /// u32, u16, u16 (little-endian), 8 bytes.
    Guid,
    /// u32 flags (scale in bits 16 to 23, sign in bit 31), u32 high, u64 low.
    Decimal,
    /// Two `f64`: real, imaginary.
    Complex,
    /// i32: a position from the start; a negative number is the complement of a position from the end.
    Index,
    /// Two [`Known::Index`]: the start, and the end, which is not included.
    Range,
}

/// How text is encoded; readers accept both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As the writer's options say.
    Chosen,
    /// UTF-8.
    Utf8,
    /// UTF-16.
    Utf16,
}

/// The container of a list's elements. On the wire they are all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListKind {
    /// `Vec`, a slice.
    List,
    /// `HashSet`.
    Set,
    /// `BTreeSet`.
    SortedSet,
    /// `VecDeque`.
    Queue,
    /// `LinkedList`.
    LinkedList,
    /// The bottom first.
    Stack,
    /// Of tuples: element and priority. `BinaryHeap`: of elements.
    PriorityQueue,
    /// Of [`Wire::Group`].
    Lookup,
}

impl ListKind {
    /// Whether elements are unique.
    #[must_use]
    pub fn is_set(self) -> bool {
        matches!(self, ListKind::Set | ListKind::SortedSet)
    }
}

impl Wire {
    /// A list of these.
    #[must_use]
    pub fn list(of: &Wire) -> Wire {
        Wire::List { of: Box::new(of.clone()), kind: ListKind::List }
    }

    /// A map's entry.
    #[must_use]
    pub fn entry(key: &Wire, value: &Wire) -> Wire {
        Wire::Pair(Box::new(key.clone()), Box::new(value.clone()))
    }

    /// Its parts, one level down.
    #[must_use]
    pub fn parts(&self) -> Vec<&Wire> {
        match self {
            Wire::Brotli(of) | Wire::Lazy(of) | Wire::Optional(of) => vec![of],
            Wire::List { of, .. } | Wire::Fixed { of, .. } | Wire::Grid { of, .. } => vec![of],
            Wire::Map { key, value, .. } | Wire::Pair(key, value) | Wire::Group(key, value) => {
                vec![key, value]
            }
            Wire::Tuple(items) | Wire::ClassTuple(items) => items.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether this or any part of it is what is `wanted`; named types are not entered.
    pub fn any(&self, wanted: &mut dyn FnMut(&Wire) -> bool) -> bool {
        wanted(self) || self.parts().into_iter().any(|part| part.any(wanted))
    }

    fn parts_mut(&mut self) -> Vec<&mut Wire> {
        match self {
            Wire::Brotli(of) | Wire::Lazy(of) | Wire::Optional(of) => vec![of],
            Wire::List { of, .. } | Wire::Fixed { of, .. } | Wire::Grid { of, .. } => vec![of],
            Wire::Map { key, value, .. } | Wire::Pair(key, value) | Wire::Group(key, value) => {
                vec![key, value]
            }
            Wire::Tuple(items) | Wire::ClassTuple(items) => items.iter_mut().collect(),
            _ => Vec::new(),
        }
    }

    /// Calls `change` on each named type.
    pub fn named_mut(&mut self, change: &mut dyn FnMut(&mut PackedId)) {
        if let Wire::Named(id) = self {
            change(id);
        }
        self.parts_mut().into_iter().for_each(|part| part.named_mut(change));
    }

    /// Gives all text an encoding of its own. Returns whether there is any; named types are not entered.
    pub fn encode(&mut self, encoding: Encoding) -> bool {
        if matches!(self, Wire::Text(_) | Wire::Uri) {
            *self = Wire::Text(encoding);
            return true;
        }
        self.parts_mut().into_iter().fold(false, |any, part| part.encode(encoding) | any)
    }
}
