//! Encodes neighbours as they come in order, in the memory of one part.

use super::{GROUP, PART, unsigned};
use streamvbyte64::{Coder as _, Coder1234};

/// What is not yet encoded of a block.
pub(crate) struct Encoder {
    numbers: Vec<u32>,
    /// The part that was encoded last.
    bytes: Vec<u8>,
    /// The edge that came last, if the block has one.
    last: Option<(u64, u32)>,
}

impl Encoder {
    pub(crate) fn new() -> Encoder {
        Encoder { numbers: Vec::with_capacity(PART), bytes: Vec::new(), last: None }
    }

    /// Adds an edge, those of a block in order: the bytes of a part, if it is the last of one. Vertices are less than 2^32.
    #[inline]
    pub(crate) fn push(&mut self, vertex: u64, neighbour: u64) -> &[u8] {
        let neighbour = neighbour as u32;
        self.numbers.push(match self.last {
            Some((last, before)) if last == vertex => neighbour.wrapping_sub(before),
            _ => unsigned(neighbour.wrapping_sub(vertex as u32)),
        });
        self.last = Some((vertex, neighbour));
        if self.numbers.len() == PART { self.part() } else { &[] }
    }

    /// The block has no more edges: the bytes of its last part.
    pub(crate) fn end(&mut self) -> &[u8] {
        self.last = None;
        if self.numbers.is_empty() { &[] } else { self.part() }
    }

    fn part(&mut self) -> &[u8] {
        self.numbers.resize(self.numbers.len().next_multiple_of(GROUP), 0);
        let (lengths, most) = Coder1234::max_compressed_bytes(self.numbers.len());
        self.bytes.resize(lengths + most, 0);
        let (lengths, bytes) = self.bytes.split_at_mut(lengths);
        let used = Coder1234::new().encode(&self.numbers, lengths, bytes);
        self.numbers.clear();
        &self.bytes[..self.bytes.len() - most + used]
    }
}
