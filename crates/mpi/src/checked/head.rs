//! What a checked message begins with.

use crate::datatype::number;
use upcall_abi::Blit;

/// What a message says of its elements.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// Bytes of an element; of an array, of one of its own.
    size: u32,
    /// Those of the name.
    length: u32,
    /// Of the table of fields; 0 where there is none.
    fields: u64,
    name: [u8; Head::NAME],
}

const _: () = assert!(size_of::<Head>() == Head::BYTES);

impl Head {
    pub(super) const BYTES: usize = 64;
    const NAME: usize = 48;

    pub(super) fn of<T: Blit>() -> Head {
        let mut head = Head::named(T::NAME, size_of::<T>());
        for field in T::FIELDS {
            head.add(field.name, field.type_name, field.offset, field.size);
        }
        head
    }

    /// One without a table of fields.
    pub(super) fn named(of: &str, size: usize) -> Head {
        // An array of numbers is as many numbers.
        let size = number(of).map_or(size, |number| number.size);
        let mut name = [0; Head::NAME];
        let length = of.floor_char_boundary(Head::NAME);
        name[..length].copy_from_slice(&of.as_bytes()[..length]);
        Head { size: size as u32, length: length as u32, fields: 0, name }
    }

    /// Adds the next field.
    pub(super) fn add(&mut self, name: &str, type_name: &str, offset: usize, size: usize) {
        let before = if self.fields == 0 { FNV } else { self.fields };
        let hash = hashed(hashed(before, name.as_bytes()), type_name.as_bytes());
        let hash = hashed(hashed(hash, &offset.to_le_bytes()), &size.to_le_bytes());
        // Not 0, which stands for none.
        self.fields = hash | 1;
    }

    pub(super) fn bytes(&self) -> [u8; Head::BYTES] {
        let mut bytes = [0; Head::BYTES];
        bytes[..4].copy_from_slice(&self.size.to_ne_bytes());
        bytes[4..8].copy_from_slice(&self.length.to_ne_bytes());
        bytes[8..16].copy_from_slice(&self.fields.to_ne_bytes());
        bytes[16..].copy_from_slice(&self.name);
        bytes
    }

    /// That of a message, where it has one.
    pub(super) fn read(bytes: &[u8]) -> Option<Head> {
        let bytes: &[u8; Head::BYTES] = bytes.first_chunk()?;
        let number = |at: usize| u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let fields = bytes[8..].first_chunk().map_or(0, |fields| u64::from_ne_bytes(*fields));
        let mut name = [0; Head::NAME];
        name.copy_from_slice(&bytes[16..]);
        Some(Head { size: number(0), length: number(4), fields, name })
    }

    pub(super) fn hash(&self) -> u64 {
        hashed(FNV, &self.bytes())
    }

    /// Whether elements of the one are elements of the other. An array of structs has no table of fields.
    pub(super) fn fits(&self, other: &Head) -> bool {
        let named = (self.name, self.length) == (other.name, other.length);
        named
            && (self.fields == 0
                || other.fields == 0
                || (self.fields, self.size) == (other.fields, other.size))
    }

    pub(super) fn told(&self) -> String {
        let name = &self.name[..(self.length as usize).min(Head::NAME)];
        format!("{} of {} bytes", String::from_utf8_lossy(name), self.size)
    }
}

/// FNV-1a, which is the same in every build.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

fn hashed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}
