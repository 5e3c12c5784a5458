//! Keys as numbers: whether one is ASCII, and its hash, from two words that hold all of a short key.

use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Bytes of the longest key that two words hold.
pub(crate) const SHORT: usize = 16;

/// By length of a short key: the bits of its own.
const OWN: [u128; SHORT + 1] = {
    let mut own = [0; SHORT + 1];
    let mut len = 1;
    while len <= SHORT {
        own[len] = u128::MAX << (8 * (SHORT - len));
        len += 1;
    }
    own
};

/// A key of at most [`SHORT`] bytes: its last byte is the highest one, what it lacks is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Short(u128);

impl Short {
    /// The key, of at most [`SHORT`] bytes.
    #[inline]
    fn of(key: &[u8]) -> Short {
        let long = |part: &[u8; 8]| u128::from(u64::from_le_bytes(*part));
        let word = |part: &[u8; 4]| u128::from(u32::from_le_bytes(*part));
        let missing = 8 * (SHORT - key.len()) as u32;
        // Where the two parts overlap they hold the same bytes.
        Short(if let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk()) {
            long(first) << missing | long(last) << 64
        } else if let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk()) {
            word(first) << missing | word(last) << 96
        } else if let [first, .., last] = key {
            let middle = u128::from(key[key.len() / 2]) << (8 * (key.len() / 2));
            (u128::from(*first) | middle) << missing | u128::from(*last) << 120
        } else {
            key.first().map_or(0, |only| u128::from(*only) << 120)
        })
    }

    /// The key that ends where these bytes end, however many of them are its own: without a branch.
    #[inline]
    fn at_end_of(bytes: &[u8; SHORT], len: usize) -> Short {
        Short(u128::from_le_bytes(*bytes) & OWN[len])
    }

    #[inline]
    fn halves(self) -> (u64, u64) {
        (self.0 as u64, (self.0 >> 64) as u64)
    }
}

/// What is known of a key at one look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) hash: u64,
    pub(crate) ascii: bool,
}

/// The two halves of a product, folded, as foldhash does it.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes the keys of a flow, in each flow differently.
pub(crate) struct Keys {
    seeds: [u64; 2],
    long: RandomState,
}

impl Default for Keys {
    fn default() -> Keys {
        let long = RandomState::default();
        Keys { seeds: [long.hash_one(1), long.hash_one(2)], long }
    }
}

impl Keys {
    /// Looks at a key.
    #[inline]
    pub(crate) fn look(&self, key: &[u8]) -> Look {
        if key.len() <= SHORT { self.short(Short::of(key), key.len()) } else { self.long(key) }
    }

    /// Looks at the key of `len` bytes that is the end of `bytes`, of which there are at least [`SHORT`].
    #[inline]
    pub(crate) fn look_at_end(&self, bytes: &[u8], len: usize) -> Look {
        match bytes.last_chunk() {
            Some(last) if len <= SHORT => self.short(Short::at_end_of(last, len), len),
            _ => self.long(&bytes[bytes.len() - len..]),
        }
    }

    #[inline]
    fn short(&self, key: Short, len: usize) -> Look {
        let (low, high) = key.halves();
        let once = fold(high ^ self.seeds[0], (low ^ self.seeds[1]).wrapping_add(len as u64));
        Look { hash: self.spread(once), ascii: (low | high) & 0x8080_8080_8080_8080 == 0 }
    }

    /// One multiplication leaves similar keys unevenly spread with some seeds: of 7,000 numbered keys a worker of three had
    /// up to 70% too many, with foldhash as with ours. After a second one it is 13% at most, as chance has it.
    #[inline]
    fn spread(&self, hash: u64) -> u64 {
        fold(hash ^ self.seeds[1], 0x9e37_79b9_7f4a_7c15)
    }

    #[inline(never)]
    fn long(&self, key: &[u8]) -> Look {
        let mut hasher = self.long.build_hasher();
        hasher.write(key);
        Look { hash: self.spread(hasher.finish()), ascii: key.is_ascii() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_same_alone_and_at_the_end_of_a_record() {
        let keys = Keys::default();
        let text: Vec<u8> = (100..200).collect();
        for len in 0..40 {
            for from in [0, 7] {
                let key = &text[from..from + len];
                let mut record = vec![0xee; SHORT];
                record.extend(key);
                let look = keys.look(key);
                assert_eq!(look, keys.look_at_end(&record, len), "{len}");
                assert_eq!(look.ascii, key.is_ascii(), "{len}");
            }
        }
    }

    #[test]
    fn the_two_words_hold_every_byte_of_a_short_key() {
        for len in 0..=SHORT {
            let key: Vec<u8> = (1..=len as u8).collect();
            let mut bytes = [0; SHORT];
            bytes[SHORT - len..].copy_from_slice(&key);
            assert_eq!(Short::of(&key), Short(u128::from_le_bytes(bytes)), "{len}");
        }
    }

    #[test]
    fn hashes_of_similar_keys_differ_in_the_bits_that_workers_shards_and_tables_go_by() {
        let keys = Keys::default();
        for of in [|n: u32| format!("{n}"), |n| format!("key-{n:06}"), |n| format!("{n:032}")] {
            let hashes: Vec<u64> = (0..4096).map(|n| keys.look(of(n).as_bytes()).hash).collect();
            for shift in [0, 25, 48, 57] {
                let mut seen = [0; 128];
                hashes.iter().for_each(|hash| seen[(hash >> shift) as usize & 127] += 1);
                assert!(seen.iter().all(|count| (6..80).contains(count)), "{shift}: {seen:?}");
            }
        }
    }
}
