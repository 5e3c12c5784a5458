//! Neighbours as a graph's file has them, and where those of each vertex are.

use std::ops::Range;
use upcall_derive::Blit;

/// A vertex in five bytes, little-endian: where there are more than u32 counts.
#[derive(Blit, Clone, Copy, Debug, PartialEq, Eq, Default)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub struct Wide {
    /// The bytes.
    pub bytes: [u8; 5],
}

impl Wide {
    /// The largest that there is.
    pub const MAX: u64 = (1 << 40) - 1;

    /// A vertex; of a number that has no room the higher bits are lost.
    #[must_use]
    pub fn new(vertex: u64) -> Wide {
        let [a, b, c, d, e, ..] = vertex.to_le_bytes();
        Wide { bytes: [a, b, c, d, e] }
    }
}

/// A vertex as a file has it.
pub trait Id: upcall_abi::Blit + Copy + Send + Sync {
    /// Its number.
    fn vertex(self) -> usize;

    /// Room for ids as numbers of 32 bits, if they are such: compressed ones are.
    #[doc(hidden)]
    fn narrow(ids: &mut [Self]) -> Option<&mut [u32]> {
        let _ = ids;
        None
    }
}

impl Id for u32 {
    #[inline(always)]
    fn vertex(self) -> usize {
        self as usize
    }

    fn narrow(ids: &mut [u32]) -> Option<&mut [u32]> {
        Some(ids)
    }
}

impl Id for Wide {
    #[inline(always)]
    fn vertex(self) -> usize {
        let [a, b, c, d, e] = self.bytes;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

/// Neighbours, as a file has them.
#[derive(Clone, Copy, Debug)]
pub enum Ids<'a> {
    /// Of graphs with fewer than 2^32 vertices.
    Narrow(&'a [u32]),
    /// Of larger ones.
    Wide(&'a [Wide]),
}

impl<'a> Ids<'a> {
    /// Those at some places, which are within.
    pub(crate) fn within(&self, places: Range<usize>) -> Ids<'a> {
        match self {
            Ids::Narrow(ids) => Ids::Narrow(&ids[places]),
            Ids::Wide(ids) => Ids::Wide(&ids[places]),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Ids::Narrow(ids) => ids.len(),
            Ids::Wide(ids) => ids.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    ///
    /// # Panics
    /// There are fewer.
    #[must_use]
    pub fn get(&self, index: usize) -> usize {
        match self {
            Ids::Narrow(ids) => ids[index].vertex(),
            Ids::Wide(ids) => ids[index].vertex(),
        }
    }
}

/// The edges of all vertices in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Adjacency<'a> {
    /// Where those of each vertex begin, and where the last ones end.
    pub offsets: &'a [u64],
    /// The vertices at their other ends.
    pub neighbours: Ids<'a>,
}

impl Adjacency<'_> {
    /// The places of a vertex's edges. What a damaged file says of them is cut to those that there are.
    #[must_use]
    pub fn of(&self, vertex: usize) -> Range<usize> {
        places(self.offsets, vertex, self.neighbours.len())
    }
}

/// The places of a vertex's edges, of which there are `count` in all.
#[inline(always)]
pub(crate) fn places(offsets: &[u64], vertex: usize, count: usize) -> Range<usize> {
    let place = |offset: u64| usize::try_from(offset).unwrap_or(count).min(count);
    let end = place(offsets[vertex + 1]);
    place(offsets[vertex]).min(end)..end
}
