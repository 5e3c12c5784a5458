//! Which bytes of a record belong to what, for back ends that lay it out again.

use super::{Api, Field, Layout};

impl Api {
    /// The first byte that a bitfield touches, and the first byte after it; `None` if it touches none or is not
    /// a bitfield. Its storage unit may overlap other fields.
    pub(crate) fn touched(&self, field: &Field) -> Option<(u64, u64)> {
        let bits = field.bits.as_ref().filter(|bits| bits.width > 0)?;
        let (low, high) = (u64::from(bits.shift) / 8, u64::from(bits.shift + bits.width - 1) / 8);
        if self.target.big_endian {
            let size = self.layout(&field.ty)?.size;
            return Some((field.offset + size - 1 - high, field.offset + size - low));
        }
        Some((field.offset + low, field.offset + high + 1))
    }

    /// The byte ranges that bitfields touch, adjacent ones joined.
    pub(crate) fn all_touched(&self, fields: &[Field]) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = fields.iter().filter_map(|field| self.touched(field)).collect();
        ranges.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (start, end) in ranges {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        joined
    }
}

/// The members of a struct in offset order, with `gap` (from one byte to another) where a compiler would not
/// leave that much room by itself: before a member, and at the end of the `whole`.
pub(crate) fn padded<M>(
    members: Vec<M>,
    place: impl Fn(&M) -> (u64, Layout),
    packed: Option<u64>,
    whole: Option<Layout>,
    gap: impl Fn(u64, u64) -> M,
) -> Vec<M> {
    let mut padded = Vec::with_capacity(members.len());
    let mut end = 0u64;
    for member in members {
        let (offset, layout) = place(&member);
        let align = layout.align.min(packed.unwrap_or(u64::MAX)).max(1);
        if end.next_multiple_of(align) < offset {
            padded.push(gap(end, offset));
        }
        end = offset + layout.size;
        padded.push(member);
    }
    if let Some(whole) = whole
        && end.next_multiple_of(whole.align.max(1)) < whole.size
    {
        padded.push(gap(end, whole.size));
    }
    padded
}
