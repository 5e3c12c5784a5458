//! The wire layout of types that travel as plain memory. The rules are C's and the CLR's, not a target's.

use super::{Float, Int, Known, Layout, PackedBody, Plan, Raw, Wire};

/// A size, and where the parts are within it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// The whole.
    pub layout: Layout,
    /// Of each part, in source order. The bytes between are zero.
    pub offsets: Vec<u64>,
    /// Bytes of each part.
    pub sizes: Vec<u64>,
}

/// A part or a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A part, by its place in the source.
    Part(usize),
    /// Padding bytes, which are zero.
    Room {
        /// Where they begin.
        at: u64,
        /// How many.
        size: u64,
    },
}

impl Placed {
    /// Its parts in memory order, with the gaps between and after them.
    #[must_use]
    pub fn pieces(&self) -> Vec<Piece> {
        let mut order: Vec<usize> = (0..self.offsets.len()).collect();
        order.sort_by_key(|index| self.offsets[*index]);
        let mut pieces = Vec::new();
        let mut end = 0;
        let room = |from: u64, to: u64| (to > from).then(|| Piece::Room { at: from, size: to - from });
        for index in order {
            pieces.extend(room(end, self.offsets[index]));
            pieces.push(Piece::Part(index));
            end = self.offsets[index] + self.sizes[index];
        }
        pieces.extend(room(end, self.layout.size));
        pieces
    }
}

/// That many parts in the order they are met: in memory order if that is known, else in source order.
pub fn pieces(parts: usize, placed: Option<&Placed>) -> Vec<Piece> {
    placed.map_or_else(|| (0..parts).map(Piece::Part).collect(), Placed::pieces)
}

/// The most items that a tuple has in C#; the rest is a tuple in place of the eighth.
const TUPLE: usize = 7;

/// The number of members in the head before this item of a class tuple of that many items, if there is a head.
#[must_use]
pub fn tuple_head(item: usize, items: usize) -> Option<usize> {
    item.is_multiple_of(TUPLE).then(|| (items - item).min(TUPLE + 1))
}

/// How a missing value is written, and a present one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// C#'s `Nullable` of a raw type: always full length, a bool and the value at these offsets.
    Nullable(Placed),
    /// A length (i32) of -1; or the value as it is.
    Length,
    /// `FF` for its head; or the value as it is.
    Head,
    /// `FF`; or `01` and the value.
    Flag,
}

impl Plan {
    /// Size and alignment of a raw type; `None` for other types.
    #[must_use]
    pub fn wire_layout(&self, wire: &Wire) -> Option<Layout> {
        let same = |size| Some(Layout { size, align: size });
        let placed = |placed: Option<Placed>| placed.map(|placed| placed.layout);
        match wire {
            Wire::Bool => same(1),
            Wire::Char => same(2),
            Wire::Rune | Wire::Float(Float::F32) => same(4),
            Wire::Float(Float::F64) => same(8),
            Wire::Int(int) => same(wire_size(*int)),
            Wire::Known(known) => Some(known.layout()),
            Wire::Named(id) => match &self.packed(*id).body {
                PackedBody::Enum { of, .. } => same(wire_size(of.repr)),
                PackedBody::Raw(raw) => Some(raw.placed.layout),
                PackedBody::Object(_) | PackedBody::Union(_) => None,
            },
            Wire::Fixed { of, len } => {
                let of = self.wire_layout(of)?;
                Some(Layout { size: of.size.saturating_mul(*len), align: of.align })
            }
            Wire::Tuple(items) => placed(self.placed_tuple(items)),
            Wire::Pair(key, value) => placed(self.placed_pair(key, value)),
            Wire::Optional(of) => placed(self.placed_optional(of)),
            _ => None,
        }
    }

    /// Whether all of it is plain memory.
    #[must_use]
    pub fn is_raw(&self, wire: &Wire) -> bool {
        self.wire_layout(wire).is_some()
    }

    /// The fields of a raw struct, from the layouts of the types it holds. `None` if one of them is not raw.
    #[must_use]
    pub fn place_raw(&self, raw: &Raw) -> Option<Placed> {
        self.sequential(raw.fields.iter().map(|field| &field.wire), raw.packed)
    }

    /// C#'s `KeyValuePair`: as a struct in C. `None` unless both are raw.
    #[must_use]
    pub fn placed_pair(&self, key: &Wire, value: &Wire) -> Option<Placed> {
        self.sequential([key, value].into_iter(), None)
    }

    /// C#'s `Nullable`: a bool and the value, as a struct in C. `None` if the value is not raw.
    #[must_use]
    pub fn placed_optional(&self, of: &Wire) -> Option<Placed> {
        self.sequential([&Wire::Bool, of].into_iter(), None)
    }

    /// C#'s `ValueTuple` in the CLR's automatic layout: numbers by size, the largest first, then structs. The items
    /// beyond the seventh are a tuple of their own, which comes last. `None` unless all items are raw.
    #[must_use]
    pub fn placed_tuple(&self, items: &[Wire]) -> Option<Placed> {
        if let Some((own, rest)) = items.split_at_checked(TUPLE)
            && !rest.is_empty()
        {
            let parts: Vec<Wire> = own.iter().cloned().chain([Wire::Tuple(rest.to_vec())]).collect();
            let mut whole = self.placed_parts(&parts)?;
            let within = self.placed_tuple(rest)?;
            let start = whole.offsets.pop()?;
            whole.sizes.pop();
            whole.offsets.extend(within.offsets.iter().map(|offset| start + offset));
            whole.sizes.extend(within.sizes);
            return Some(whole);
        }
        self.placed_parts(items)
    }

    fn placed_parts(&self, items: &[Wire]) -> Option<Placed> {
        let layouts: Vec<Layout> = items.iter().map(|item| self.wire_layout(item)).collect::<Option<_>>()?;
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|index| match self.is_number(&items[*index]) {
            true => 8 - layouts[*index].size,
            false => 8,
        });
        let mut offsets = vec![0; items.len()];
        let mut end: u64 = 0;
        for index in order {
            offsets[index] = end.checked_next_multiple_of(layouts[index].align)?;
            end = offsets[index].checked_add(layouts[index].size)?;
        }
        let size = if end > 8 { end.checked_next_multiple_of(8)? } else { end.max(1).next_power_of_two() };
        let widest = layouts.iter().map(|layout| layout.align).max().unwrap_or(1);
        let align = if widest > 8 { widest } else { size.min(8) };
        let layout = Layout { size: size.checked_next_multiple_of(align)?, align };
        Some(Placed { layout, offsets, sizes: layouts.iter().map(|layout| layout.size).collect() })
    }

    /// How an `Option` of it is written.
    #[must_use]
    pub fn absence(&self, of: &Wire) -> Absence {
        if let Some(placed) = self.placed_optional(of) {
            return Absence::Nullable(placed);
        }
        match of {
            Wire::Text(_) | Wire::Uri | Wire::Builder | Wire::BitPack | Wire::Brotli(_) => Absence::Length,
            Wire::List { .. } | Wire::Map { .. } | Wire::Fixed { .. } => Absence::Length,
            Wire::Named(id) => match &self.packed(*id).body {
                PackedBody::Object(object) if object.value => Absence::Flag,
                _ => Absence::Head,
            },
            Wire::Version | Wire::BitArray | Wire::Grid { .. } => Absence::Head,
            Wire::ClassTuple(_) | Wire::Group(..) | Wire::Lazy(_) => Absence::Head,
            _ => Absence::Flag,
        }
    }

    fn sequential<'a>(&self, wires: impl Iterator<Item = &'a Wire>, packed: Option<u64>) -> Option<Placed> {
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        let (mut end, mut align): (u64, u64) = (0, 1);
        for wire in wires {
            let layout = self.wire_layout(wire)?;
            let own = layout.align.min(packed.unwrap_or(u64::MAX)).max(1);
            let offset = end.checked_next_multiple_of(own)?;
            offsets.push(offset);
            sizes.push(layout.size);
            end = offset.checked_add(layout.size)?;
            align = align.max(own);
        }
        let layout = Layout { size: end.checked_next_multiple_of(align)?, align };
        Some(Placed { layout, offsets, sizes })
    }

    /// The CLR's primitives, and enums.
    fn is_number(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Bool | Wire::Char | Wire::Float(_) => true,
            Wire::Int(int) => wire_size(*int) <= 8,
            Wire::Named(id) => matches!(self.packed(*id).body, PackedBody::Enum { .. }),
            _ => false,
        }
    }
}

impl Known {
    /// Size and alignment.
    #[must_use]
    pub fn layout(self) -> Layout {
        let (size, align) = match self {
            Known::Half => (2, 2),
            Known::TimeSpan | Known::DateTime | Known::TimeOnly => (8, 8),
            Known::DateTimeOffset | Known::Decimal | Known::Complex => (16, 8),
            Known::DateOnly | Known::Index => (4, 4),
            Known::Range => (8, 4),
            Known::Guid => (16, 4),
        };
        Layout { size, align }
    }
}

/// Bytes of an integer on the wire.
fn wire_size(int: Int) -> u64 {
    match int {
        Int::I8 | Int::U8 | Int::CChar => 1,
        Int::I16 | Int::U16 => 2,
        Int::I32 | Int::U32 => 4,
        Int::I64 | Int::U64 | Int::Isize | Int::Usize | Int::Long | Int::ULong => 8,
        Int::I128 | Int::U128 => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Enum, Packed, PackedId, Slot};

    const U8: Wire = Wire::Int(Int::U8);
    const I16: Wire = Wire::Int(Int::I16);
    const I32: Wire = Wire::Int(Int::I32);
    const I64: Wire = Wire::Int(Int::I64);

    fn plan() -> Plan {
        let slot = |wire: &Wire| Slot {
            name: "a".into(),
            index: 0,
            wire: wire.clone(),
            include: false,
            docs: String::new(),
        };
        let packed = |body| Packed {
            name: "T".into(),
            source: "T".into(),
            docs: String::new(),
            deprecated: None,
            place: Default::default(),
            body,
            has_default: true,
        };
        let raw = |fields: &[Wire], packed| {
            let fields = fields.iter().map(slot).collect();
            let mut raw = Raw { packed, fields, placed: Placed::default() };
            raw.placed = Plan::default().place_raw(&raw).unwrap();
            raw
        };
        let bodies = [
            PackedBody::Raw(raw(&[U8, I32, I16], None)),
            PackedBody::Raw(raw(&[U8, U8, U8], None)),
            PackedBody::Enum {
                of: Enum { repr: Int::U8, variants: Vec::new(), closed: true },
                default: None,
            },
            PackedBody::Raw(raw(&[U8, I32, I16], Some(1))),
        ];
        Plan { types: bodies.into_iter().map(packed).collect() }
    }

    const UM: Wire = Wire::Named(PackedId(0));
    const B3: Wire = Wire::Named(PackedId(1));
    const E8: Wire = Wire::Named(PackedId(2));
    const PK: Wire = Wire::Named(PackedId(3));

    /// Sizes and offsets as in the golden bytes, whose names are in the comments.
    #[test]
    fn tuples_lie_as_the_clr_lays_them_out() {
        let plan = plan();
        let tuple = |items: &[Wire]| {
            let placed = plan.placed_tuple(items).unwrap();
            (placed.layout.size, placed.offsets)
        };
        assert_eq!(tuple(&[U8, I32]), (8, vec![4, 0]));
        assert_eq!(tuple(&[U8, I16, I64]), (16, vec![10, 8, 0]));
        assert_eq!(tuple(&[U8, I32, I16, I64, U8]), (16, vec![14, 8, 12, 0, 15]));
        assert_eq!(tuple(&[U8, UM]), (16, vec![0, 4]));
        assert_eq!(tuple(&[U8, UM, I32]), (24, vec![4, 8, 0]));
        assert_eq!(tuple(&[U8, Wire::Tuple(vec![U8, I32])]), (16, vec![0, 8]));
        assert_eq!(tuple(&[U8, Wire::Optional(Box::new(I32))]), (16, vec![0, 4]));
        assert_eq!(tuple(&[U8, Wire::Known(Known::Decimal)]), (24, vec![0, 8]));
        assert_eq!(tuple(&[U8, Wire::Known(Known::Guid)]), (24, vec![0, 4]));
        assert_eq!(tuple(&[U8, B3, U8]), (8, vec![0, 2, 1]));
        assert_eq!(tuple(&[I32, E8, Wire::Char]), (8, vec![0, 6, 4]));
        assert_eq!(tuple(&[U8, U8, U8]), (4, vec![0, 1, 2]));
        assert_eq!(tuple(&[I32, I32, I32]), (16, vec![0, 4, 8]));
        assert_eq!(tuple(&[B3, I16]), (8, vec![2, 0]));
        assert_eq!(tuple(&[B3, B3]), (8, vec![0, 3]));
        assert_eq!(tuple(&[U8, Wire::Int(Int::I128)]), (32, vec![0, 16]));
        assert_eq!(tuple(&[U8]), (1, vec![0]));
        // Seven bytes, followed by a tuple of an 8-byte number and a byte.
        let nine = [U8, U8, U8, U8, U8, U8, U8, U8, I64];
        assert_eq!(tuple(&nine), (24, vec![0, 1, 2, 3, 4, 5, 6, 16, 8]));
        let heads = |items| (0..items).filter_map(move |item| Some((item, tuple_head(item, items)?)));
        assert_eq!(heads(7).collect::<Vec<_>>(), [(0, 7)]);
        assert_eq!(heads(8).collect::<Vec<_>>(), [(0, 8), (7, 1)]);
        assert_eq!(heads(15).collect::<Vec<_>>(), [(0, 8), (7, 8), (14, 1)]);
    }

    #[test]
    fn structs_and_nullables_lie_as_in_c() {
        let plan = plan();
        let layout = |wire: &Wire| plan.wire_layout(wire).map(|layout| layout.size);
        assert_eq!(layout(&UM), Some(12));
        assert_eq!(layout(&PK), Some(7));
        assert_eq!(layout(&Wire::Optional(Box::new(UM))), Some(16));
        assert_eq!(layout(&Wire::Optional(Box::new(Wire::Bool))), Some(2));
        assert_eq!(layout(&Wire::Optional(Box::new(Wire::Int(Int::I128)))), Some(32));
        assert_eq!(layout(&Wire::Pair(Box::new(I32), Box::new(I64))), Some(16));
        assert_eq!(
            layout(&Wire::Pair(Box::new(I32), Box::new(Wire::Text(crate::plan::Encoding::Chosen)))),
            None
        );
        let within = Raw {
            packed: None,
            fields: [U8, Wire::Tuple(vec![U8, I32]), U8]
                .map(|wire| Slot { name: String::new(), index: 0, wire, include: false, docs: String::new() })
                .into(),
            placed: Placed::default(),
        };
        let placed = plan.place_raw(&within).unwrap();
        let room = |at, size| Piece::Room { at, size };
        let expected = [Piece::Part(0), room(1, 7), Piece::Part(1), Piece::Part(2), room(17, 7)];
        assert_eq!(placed.pieces(), expected);
        assert_eq!(pieces(2, None), [Piece::Part(0), Piece::Part(1)]);
        assert_eq!((placed.layout.size, placed.offsets), (24, vec![0, 8, 16]));
    }
}
