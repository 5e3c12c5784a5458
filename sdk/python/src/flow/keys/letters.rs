//! Short keys as numbers. Pure functions, so that they are tested without an interpreter.

/// Bytes of the longest key that is kept.
pub const LONGEST: usize = 16;

/// A key of 2 to [`LONGEST`] bytes as two numbers, compared without a loop. They overlap in a short key; with
/// the length they are its bytes.
#[derive(PartialEq)]
pub struct Letters {
    head: u64,
    tail: u64,
    len: usize,
}

impl Letters {
    /// Of a key of at most [`LONGEST`] bytes.
    #[inline]
    pub fn of(key: &[u8]) -> Letters {
        let (head, tail) = if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
            (u64::from_le_bytes(*head), u64::from_le_bytes(*tail))
        } else if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
            (u32::from_le_bytes(*head).into(), u32::from_le_bytes(*tail).into())
        } else if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
            (u16::from_le_bytes(*head).into(), u16::from_le_bytes(*tail).into())
        } else {
            (0, 0)
        };
        Letters { head, tail, len: key.len() }
    }

    /// The upper bits of a product depend on all bits of its factors.
    #[inline]
    pub fn hash(&self) -> u64 {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let head = (self.head ^ self.len as u64).wrapping_mul(FACTOR);
        (head.rotate_left(23) ^ self.tail).wrapping_mul(FACTOR) >> 32
    }
}
