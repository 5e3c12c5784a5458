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

    /// A number of which all bits depend on all bits of the key: a product has what is far up in its factors only in its upper
    /// half.
    #[inline]
    pub fn hash(&self) -> u64 {
        const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
        let [head, tail] = [self.head ^ FACTORS[0], self.tail.rotate_left(32) ^ FACTORS[1] ^ self.len as u64];
        let product = u128::from(head) * u128::from(tail);
        (product >> 64) as u64 ^ product as u64
    }
}
