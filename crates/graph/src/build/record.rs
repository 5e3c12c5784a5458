//! An edge as it is sorted: by the vertex whose edges are put together, then by the one at the other end.

use upcall_abi::Blit;
use upcall_derive::Blit;

/// An edge of the vertex `major`, whose neighbour is `minor`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) major: u64,
    pub(crate) minor: u64,
    /// Its value's bits, or its place.
    pub(crate) payload: u64,
}

/// An edge in as few bytes as it needs.
pub(crate) trait Record: Blit + Default + Send {
    /// How many bytes a vertex has.
    const WIDTH: usize;
    type Key: Ord + Copy;

    fn new(edge: Edge) -> Self;
    fn edge(self) -> Edge;
    fn key(self) -> Self::Key;

    /// One byte of its key, of which there are twice [`WIDTH`](Record::WIDTH), the least that counts first.
    #[inline(always)]
    fn digit(self, digit: usize) -> usize {
        let Edge { major, minor, .. } = self.edge();
        let (vertex, digit) = if digit < Self::WIDTH { (minor, digit) } else { (major, digit - Self::WIDTH) };
        (vertex >> (8 * digit) & 0xff) as usize
    }
}

/// The bytes of records, to be written.
pub(crate) fn bytes<R: Record>(records: &[R]) -> &[u8] {
    const { assert!(!R::PADDED, "padding has no defined bytes") };
    // SAFETY: they are initialised, without padding.
    unsafe { std::slice::from_raw_parts(records.as_ptr().cast(), size_of_val(records)) }
}

/// The bytes of records, to be read into.
pub(crate) fn bytes_mut<R: Record>(records: &mut [R]) -> &mut [u8] {
    const { assert!(!R::PADDED, "padding has no defined bytes") };
    // SAFETY: they are initialised, without padding, and whatever is written into them is a value, as of all that is `Blit`.
    unsafe { std::slice::from_raw_parts_mut(records.as_mut_ptr().cast(), size_of_val(records)) }
}

/// An edge without a value, of vertices that u32 counts.
#[derive(Blit, Clone, Copy, Default)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub(crate) struct Plain {
    key: u64,
}

/// The same with a value of four bytes.
#[derive(Blit, Clone, Copy, Default)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub(crate) struct Four {
    minor: u32,
    major: u32,
    payload: u32,
}

/// The same with a value of eight bytes, or a place.
#[derive(Blit, Clone, Copy, Default)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub(crate) struct Eight {
    key: u64,
    payload: u64,
}

/// An edge without a value, of vertices that have 40 bits.
#[derive(Blit, Clone, Copy, Default)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub(crate) struct WidePlain {
    minor: u64,
    major: u64,
}

/// The same with a value, or a place.
#[derive(Blit, Clone, Copy, Default)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub(crate) struct WideEight {
    minor: u64,
    major: u64,
    payload: u64,
}

impl Record for Plain {
    const WIDTH: usize = 4;
    type Key = u64;

    #[inline(always)]
    fn new(edge: Edge) -> Plain {
        Plain { key: edge.major << 32 | edge.minor }
    }

    #[inline(always)]
    fn edge(self) -> Edge {
        Edge { major: self.key >> 32, minor: self.key & 0xffff_ffff, payload: 0 }
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.key
    }
}

impl Record for Four {
    const WIDTH: usize = 4;
    type Key = u64;

    #[inline(always)]
    fn new(edge: Edge) -> Four {
        Four { minor: edge.minor as u32, major: edge.major as u32, payload: edge.payload as u32 }
    }

    #[inline(always)]
    fn edge(self) -> Edge {
        Edge { major: self.major.into(), minor: self.minor.into(), payload: self.payload.into() }
    }

    #[inline(always)]
    fn key(self) -> u64 {
        u64::from(self.major) << 32 | u64::from(self.minor)
    }
}

impl Record for Eight {
    const WIDTH: usize = 4;
    type Key = u64;

    #[inline(always)]
    fn new(edge: Edge) -> Eight {
        Eight { key: edge.major << 32 | edge.minor, payload: edge.payload }
    }

    #[inline(always)]
    fn edge(self) -> Edge {
        Edge { major: self.key >> 32, minor: self.key & 0xffff_ffff, payload: self.payload }
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.key
    }
}

impl Record for WidePlain {
    const WIDTH: usize = 5;
    type Key = (u64, u64);

    #[inline(always)]
    fn new(edge: Edge) -> WidePlain {
        WidePlain { minor: edge.minor, major: edge.major }
    }

    #[inline(always)]
    fn edge(self) -> Edge {
        Edge { major: self.major, minor: self.minor, payload: 0 }
    }

    #[inline(always)]
    fn key(self) -> (u64, u64) {
        (self.major, self.minor)
    }
}

impl Record for WideEight {
    const WIDTH: usize = 5;
    type Key = (u64, u64);

    #[inline(always)]
    fn new(edge: Edge) -> WideEight {
        WideEight { minor: edge.minor, major: edge.major, payload: edge.payload }
    }

    #[inline(always)]
    fn edge(self) -> Edge {
        Edge { major: self.major, minor: self.minor, payload: self.payload }
    }

    #[inline(always)]
    fn key(self) -> (u64, u64) {
        (self.major, self.minor)
    }
}
