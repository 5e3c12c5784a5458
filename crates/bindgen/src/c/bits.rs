//! Where the bits of a bitfield are: the integer that an accessor reads.

use crate::model::{Bits, Field, Int, Ty};

/// A bitfield as clang lays it out.
pub struct Bitfield {
    /// With the type it is declared with.
    pub field: Field,
    /// From the start of the record, counted in memory order: on a big-endian target the most significant
    /// bit of a byte comes first.
    pub start: u64,
    pub width: u32,
    /// Bytes of the type it is declared with in C.
    pub declared: u64,
    pub signed: bool,
}

/// A record's size, alignment and the bytes of its other fields.
pub struct Surroundings<'a> {
    pub size: u64,
    pub align: u64,
    /// Start and end of each field that is not a bitfield.
    pub taken: &'a [(u64, u64)],
    pub big_endian: bool,
}

/// Gives each bitfield a storage unit within the record. Returns the names of those that no integer holds.
///
/// Neighbors that share a byte share the unit. Where possible, a unit stays off other fields, is aligned
/// and has the type declared in C; accessors mask.
pub fn place(mut bitfields: Vec<Bitfield>, around: &Surroundings<'_>) -> (Vec<Field>, Vec<String>) {
    bitfields.sort_by_key(|bitfield| bitfield.start);
    let (mut placed, mut refused) = (Vec::new(), Vec::new());
    let mut behind = 0;
    let mut rest = bitfields.as_slice();
    while let Some(first) = rest.first() {
        let (start, mut end) = bytes(first);
        let mut count = 1;
        while let Some(next) = rest.get(count).filter(|next| bytes(next).0 < end) {
            end = end.max(bytes(next).1);
            count += 1;
        }
        let (cluster, others) = rest.split_at(count);
        rest = others;
        let declared = cluster.iter().map(|bitfield| bitfield.declared).max().unwrap_or(1);
        match unit((start, end), declared, behind, around) {
            Some(unit) => {
                behind = unit.0 + unit.1;
                placed.extend(cluster.iter().map(|bitfield| within(bitfield, unit, around.big_endian)));
            }
            None => {
                for bitfield in cluster {
                    match unit(bytes(bitfield), bitfield.declared, 0, around) {
                        Some(unit) => placed.push(within(bitfield, unit, around.big_endian)),
                        None => refused.push(bitfield.field.name.clone()),
                    }
                }
            }
        }
    }
    (placed, refused)
}

/// The bytes that hold any of its bits.
fn bytes(bitfield: &Bitfield) -> (u64, u64) {
    (bitfield.start / 8, (bitfield.start + u64::from(bitfield.width)).div_ceil(8))
}

/// Offset and size of an integer over these bytes.
fn unit(
    (start, end): (u64, u64),
    declared: u64,
    behind: u64,
    around: &Surroundings<'_>,
) -> Option<(u64, u64)> {
    let sizes = || [declared, 1, 2, 4, 8].into_iter().filter(|size| *size >= end - start && *size <= 8);
    let aligned = sizes().filter(|size| *size <= around.align).map(|size| (start / size * size, size));
    let unaligned = sizes().map(|size| (start.min(around.size.saturating_sub(size)), size));
    let candidates: Vec<_> = aligned
        .chain(unaligned)
        .filter(|(offset, size)| *offset <= start && offset + size >= end && offset + size <= around.size)
        .collect();
    let free = |(offset, size): &&(u64, u64)| {
        *offset >= behind && around.taken.iter().all(|(from, to)| offset + size <= *from || offset >= to)
    };
    candidates.iter().find(free).or(candidates.first()).copied()
}

fn within(bitfield: &Bitfield, (offset, size): (u64, u64), big_endian: bool) -> Field {
    let from_start = (bitfield.start - offset * 8) as u32;
    let shift = if big_endian { size as u32 * 8 - from_start - bitfield.width } else { from_start };
    let int = match size {
        1 => Int::U8,
        2 => Int::U16,
        4 => Int::U32,
        _ => Int::U64,
    };
    Field {
        ty: Ty::Int(int),
        offset,
        bits: Some(Bits {
            shift,
            width: bitfield.width,
            signed: bitfield.signed,
            of: bitfield.field.ty.clone(),
        }),
        ..bitfield.field.clone()
    }
}
