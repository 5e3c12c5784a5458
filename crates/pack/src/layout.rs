//! Where C# puts the parts of an unmanaged value.

/// How C# laid a type out, which decides where it may lie inside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An integer, a float, a boolean, a character or an enum.
    Primitive,
    /// A struct whose parts lie in declared order.
    Sequential,
    /// A struct whose parts the CLR has put in an order of its own: tuples, `DateTime`, `DateTimeOffset`.
    Automatic,
}

/// The bytes of an unmanaged value on the wire, and what its memory in Rust has in common with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes on the wire, padding included.
    pub size: usize,
    /// Its alignment inside another unmanaged value.
    pub align: usize,
    /// How it was laid out.
    pub kind: Kind,
    /// Its memory has the wire's size and each of its parts at the wire's place.
    pub same: bool,
    /// None of its wire bytes is padding.
    pub full: bool,
    /// Any bytes are a value of it.
    pub any: bool,
}

impl Layout {
    /// No bytes.
    pub const EMPTY: Layout =
        Layout { size: 0, align: 1, kind: Kind::Sequential, same: true, full: true, any: true };

    /// A primitive of `size` bytes, aligned to its size, the same in memory, any bytes of which are a value.
    #[must_use]
    pub const fn primitive(size: usize) -> Layout {
        let same = size == 1 || cfg!(target_endian = "little");
        Layout { size, align: size, kind: Kind::Primitive, same, full: true, any: true }
    }

    /// The same layout, but some bytes are not a value of it.
    #[must_use]
    pub const fn checked(self) -> Layout {
        Layout { any: false, ..self }
    }

    /// The same layout, for a type whose memory differs from it.
    #[must_use]
    pub const fn elsewhere(self) -> Layout {
        Layout { same: false, any: false, ..self }
    }

    /// Whether a slice may be written with one copy.
    #[must_use]
    pub const fn writes_as_memory(&self) -> bool {
        self.same && self.full
    }

    /// `count` of it side by side, as in a Rust array. C# has no such unmanaged type except its fixed buffers.
    #[must_use]
    pub const fn array(self, count: usize) -> Layout {
        Layout { size: self.size * count, kind: Kind::Sequential, ..self }
    }

    /// `Nullable<T>`: a flag byte, padding to the value's alignment, the value.
    ///
    /// An `Option` in Rust is laid out differently, so `same` is false; the value lies at its `align`.
    #[must_use]
    pub const fn nullable(self) -> Layout {
        let (whole, _) = Layout::sequential([Layout::primitive(1), self], usize::MAX);
        whole.elsewhere()
    }

    /// Parts in declared order, each at its alignment but at most `pack`; and where each part lies.
    ///
    /// `same` says only that every part is the same in memory: the caller compares the offsets.
    #[must_use]
    pub const fn sequential<const N: usize>(parts: [Layout; N], pack: usize) -> (Layout, [usize; N]) {
        let mut offsets = [0; N];
        (Layout::sequential_at(&parts, pack, &mut offsets), offsets)
    }

    /// The same for a number of parts that is not known when it is compiled.
    pub(crate) const fn sequential_at(parts: &[Layout], pack: usize, offsets: &mut [usize]) -> Layout {
        let mut whole = Layout { kind: Kind::Sequential, ..Layout::EMPTY };
        let mut at = 0;
        while at < parts.len() {
            offsets[at] = whole.append(parts[at], pack);
            at += 1;
        }
        whole.close(whole.align);
        whole
    }

    /// Parts in the CLR's automatic order, that of tuples; and where each part lies.
    ///
    /// Primitives by size, 8 bytes first, then structs in declared order; the whole is rounded up to 8, or
    /// below that to a power of two. `same` says only that every part is the same in memory: the caller
    /// compares the offsets.
    #[must_use]
    pub const fn automatic<const N: usize>(parts: [Layout; N]) -> (Layout, [usize; N]) {
        let mut offsets = [0; N];
        (Layout::automatic_at(&parts, &mut offsets), offsets)
    }

    /// The same for a number of parts that is not known when it is compiled.
    pub(crate) const fn automatic_at(parts: &[Layout], offsets: &mut [usize]) -> Layout {
        let mut whole = Layout { kind: Kind::Automatic, ..Layout::EMPTY };
        let mut size = 8;
        while size > 0 {
            let mut at = 0;
            while at < parts.len() {
                if matches!(parts[at].kind, Kind::Primitive) && parts[at].size == size {
                    offsets[at] = whole.append(parts[at], usize::MAX);
                }
                at += 1;
            }
            size /= 2;
        }
        let mut at = 0;
        while at < parts.len() {
            if !matches!(parts[at].kind, Kind::Primitive) {
                offsets[at] = whole.append(parts[at], usize::MAX);
            }
            at += 1;
        }
        let unit = if whole.size < 8 { whole.size.next_power_of_two() } else { 8 };
        whole.close(if whole.align > unit { whole.align } else { unit });
        // As a part of another it is aligned as the CLR does it: to 8, or to its size if that is less.
        if whole.align < unit {
            whole.align = unit;
        }
        whole
    }

    /// The layout of a struct of `size` bytes in memory whose parts lie at `here`, and on the wire at `places`.
    #[must_use]
    pub const fn compared<const N: usize>(self, size: usize, here: [usize; N], places: [usize; N]) -> Layout {
        let mut same = self.same && self.size == size;
        let mut at = 0;
        while at < N {
            same &= here[at] == places[at];
            at += 1;
        }
        Layout { same, ..self }
    }

    const fn append(&mut self, part: Layout, pack: usize) -> usize {
        let align = if part.align < pack { part.align } else { pack };
        let offset = self.size.next_multiple_of(align);
        self.same &= part.same;
        self.full &= part.full && offset == self.size;
        self.any &= part.any;
        self.size = offset + part.size;
        if align > self.align {
            self.align = align;
        }
        offset
    }

    const fn close(&mut self, align: usize) {
        let size = self.size.next_multiple_of(align);
        self.full &= size == self.size;
        self.size = size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Layout = Layout::primitive(1);
    const SHORT: Layout = Layout::primitive(2);
    const INT: Layout = Layout::primitive(4);
    const LONG: Layout = Layout::primitive(8);

    #[test]
    fn a_sequential_struct_is_padded_as_in_c() {
        let (um, offsets) = Layout::sequential([BYTE, INT, SHORT], usize::MAX);
        assert_eq!((um.size, um.align, um.full, offsets), (12, 4, false, [0, 4, 8]));
        let (packed, offsets) = Layout::sequential([BYTE, INT, SHORT], 1);
        assert_eq!((packed.size, packed.align, packed.full, offsets), (7, 1, true, [0, 1, 5]));
    }

    #[test]
    fn a_tuple_has_its_primitives_by_size_and_then_its_structs() {
        let b3 = Layout::sequential([BYTE, BYTE, BYTE], usize::MAX).0;
        let vector = Layout::sequential([INT, INT, INT], usize::MAX).0;
        let um = Layout::sequential([BYTE, INT, SHORT], usize::MAX).0;
        let check = |(whole, offsets): (Layout, [usize; 2]), size, expected: [usize; 2]| {
            assert_eq!((whole.size, offsets), (size, expected));
        };
        check(Layout::automatic([BYTE, INT]), 8, [4, 0]);
        check(Layout::automatic([BYTE, um]), 16, [0, 4]);
        check(Layout::automatic([BYTE, Layout::automatic([BYTE, INT]).0]), 16, [0, 8]);
        check(Layout::automatic([BYTE, INT.nullable()]), 16, [0, 4]);
        check(Layout::automatic([b3, SHORT]), 8, [2, 0]);
        check(Layout::automatic([b3, BYTE]), 4, [1, 0]);
        check(Layout::automatic([INT, vector]), 16, [0, 4]);
        check(Layout::automatic([vector, vector]), 24, [0, 12]);
        check(Layout::automatic([BYTE, BYTE.nullable()]), 4, [0, 1]);
        let (whole, offsets) = Layout::automatic([BYTE, INT, SHORT, LONG, BYTE]);
        assert_eq!((whole.size, offsets), (16, [14, 8, 12, 0, 15]));
        assert_eq!(Layout::automatic([INT, INT, INT]).0.size, 16);
        assert_eq!(Layout::automatic([BYTE, BYTE, BYTE]).0.size, 4);
        assert_eq!(Layout::automatic([BYTE]).0.size, 1);
    }

    #[test]
    fn a_tuple_in_a_sequential_struct_is_aligned_to_its_size() {
        let tuple = Layout::automatic([BYTE, INT]).0;
        let (whole, offsets) = Layout::sequential([BYTE, tuple, BYTE], usize::MAX);
        assert_eq!((whole.size, offsets), (24, [0, 8, 16]));
    }

    #[test]
    fn a_nullable_is_a_flag_and_the_value_at_its_alignment() {
        assert_eq!((INT.nullable().size, BYTE.nullable().size, LONG.nullable().size), (8, 2, 16));
    }
}
