//! The key of an entry: inside the entry while it is short, so that looking at it is no second way into memory.

use std::ops::Deref;

/// Bytes of the longest key that lies inside: as many as there is room for beside a box.
const INSIDE: usize = 22;

pub(crate) enum SmallKey {
    Inside { len: u8, bytes: [u8; INSIDE] },
    Boxed(Box<[u8]>),
}

impl From<&[u8]> for SmallKey {
    fn from(key: &[u8]) -> SmallKey {
        if key.len() > INSIDE {
            return SmallKey::Boxed(key.into());
        }
        let mut bytes = [0; INSIDE];
        bytes[..key.len()].copy_from_slice(key);
        SmallKey::Inside { len: key.len() as u8, bytes }
    }
}

impl Deref for SmallKey {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            SmallKey::Inside { len, bytes } => &bytes[..usize::from(*len)],
            SmallKey::Boxed(key) => key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_any_length_is_what_it_was() {
        assert_eq!(size_of::<SmallKey>(), 24);
        let text: Vec<u8> = (0..64).collect();
        for len in 0..text.len() {
            assert_eq!(*SmallKey::from(&text[..len]), text[..len]);
        }
    }
}
