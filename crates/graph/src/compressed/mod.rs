//! Neighbours that are compressed, in blocks of vertices that are decoded one at a time.
//!
//! A block has the edges of 1,024 vertices in one direction, as numbers: of each vertex, how far its first neighbour is from the vertex
//! itself (0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …), and how far each other one is from the one before it; all modulo 2^32. They are
//! written in parts of 4,096, the last of which has what is left. A part is in the format of Stream VByte (Lemire, Kurz, Rupp 2018):
//! first a byte for each four numbers, which says of each in two bits how many bytes it has, 1 to 4; then these bytes, little-endian.
//! What is missing of the last four is written as 0.

mod encode;
mod in_order;
#[cfg(target_arch = "x86_64")]
mod ssse3;
#[cfg(test)]
mod tests;
mod whole;

pub(crate) use encode::Encoder;
pub use in_order::InOrder;
pub(crate) use in_order::damaged;
pub(crate) use whole::Whole;

use std::ops::Range;
use streamvbyte64::{Coder as _, Coder1234};

/// Vertices of a block.
pub(crate) const BLOCK: usize = 1024;

/// Numbers of a part: few enough that they stay in the fastest cache, and a multiple of those that a byte of lengths is for.
const PART: usize = 4096;

/// Numbers that a byte of lengths is for.
const GROUP: usize = 4;

const _: () = assert!(PART.is_multiple_of(GROUP));

/// The compressed neighbours of all vertices in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compressed<'g> {
    /// Where each block begins in the bytes, and where the last one ends.
    begins: &'g [u64],
    bytes: &'g [u8],
}

impl<'g> Compressed<'g> {
    pub(crate) fn new(begins: &'g [u64], bytes: &'g [u8]) -> Compressed<'g> {
        Compressed { begins, bytes }
    }

    /// The bytes of these blocks; nothing where the file is damaged.
    pub(crate) fn bytes_of(&self, blocks: Range<usize>) -> Option<&'g [u8]> {
        let place = |block: usize| self.begins.get(block).and_then(|begin| usize::try_from(*begin).ok());
        self.bytes.get(place(blocks.start)?..place(blocks.end)?)
    }

    /// How many bytes come before a block.
    pub(crate) fn bytes_before(&self, block: usize) -> u64 {
        self.begins.get(block).copied().unwrap_or_default()
    }

    /// Decodes a block. `offsets` say where the edges of each of its vertices begin, and where the last ones end: `ids` has room for as
    /// many. Ids may be of vertices that there are not; nothing is returned where the block is not one of so many edges, or offsets are
    /// not in order.
    pub(crate) fn decode(&self, block: usize, offsets: &[u64], ids: &mut [u32]) -> Option<()> {
        let mut rest = self.bytes_of(block..block + 1)?;
        let mut before = 0;
        for part in ids.chunks_mut(PART) {
            let (lengths, numbers) = rest.split_at_checked(part.len().div_ceil(GROUP))?;
            let end = Coder1234::new().data_len(lengths);
            rest = numbers.get(end..)?;
            before = sums(before, lengths, numbers, part);
        }
        rest.is_empty().then_some(())?;
        // What is there is the sum of all numbers up to each: it differs from the ids by the same amount for all edges of a vertex.
        let (begin, ends) = offsets.split_first()?;
        let (mut begin, mut rest, mut before) = (*begin, ids, 0u32);
        for (vertex, end) in (block * BLOCK..).zip(ends) {
            let edges = usize::try_from(end.checked_sub(begin)?).ok()?;
            let (ids, behind) = rest.split_at_mut_checked(edges)?;
            (rest, begin) = (behind, *end);
            let (Some(first), Some(last)) = (ids.first().copied(), ids.last().copied()) else { continue };
            let neighbour = (vertex as u32).wrapping_add(signed(first.wrapping_sub(before)));
            before = last;
            let more = neighbour.wrapping_sub(first);
            ids.iter_mut().for_each(|id| *id = id.wrapping_add(more));
        }
        rest.is_empty().then_some(())
    }
}

/// A distance in either direction, modulo 2^32, as a number that is small where it is short.
fn unsigned(distance: u32) -> u32 {
    (distance << 1) ^ (distance.cast_signed() >> 31).cast_unsigned()
}

/// The distance that a number stands for.
fn signed(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Decodes a part whose numbers are all there, as the sum of all up to each, beginning with `before`; returns the last one. What is
/// behind the part in `numbers` is not looked at.
fn sums(before: u32, lengths: &[u8], numbers: &[u8], sums: &mut [u32]) -> u32 {
    let whole = sums.len() / GROUP;
    let (lengths, last) = lengths.split_at(whole);
    let (sums, left) = sums.split_at_mut(whole * GROUP);
    let (mut done, mut read) = (0, 0);
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("ssse3") {
        // SAFETY: the processor has the instructions.
        (done, read) = unsafe { ssse3::sums(before, lengths, numbers, sums) };
    }
    let before = match done.checked_sub(1) {
        Some(last) => sums[last * GROUP + GROUP - 1],
        None => before,
    };
    read += portable(before, &lengths[done..], &numbers[read..], &mut sums[done * GROUP..]);
    let before = sums.last().copied().unwrap_or(before);
    if left.is_empty() {
        return before;
    }
    let mut four = [0; GROUP];
    portable(before, &last[..1], &numbers[read..], &mut four);
    left.copy_from_slice(&four[..left.len()]);
    left[left.len() - 1]
}

/// Decodes four numbers per byte of lengths, as many as there is room for sums: how many bytes they have. The coder's `decode_deltas`
/// would add them up, but panics on ARM where sums are more than 2^32 and overflow is checked.
fn portable(mut before: u32, lengths: &[u8], numbers: &[u8], sums: &mut [u32]) -> usize {
    let read = Coder1234::new().decode(lengths, numbers, sums);
    for sum in sums {
        before = before.wrapping_add(*sum);
        *sum = before;
    }
    read
}
