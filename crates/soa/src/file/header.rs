use std::mem::offset_of;

/// What a file of columns begins with. As in PNG, a transfer that takes the file for text damages it.
pub const HEADER_MAGIC: [u8; 8] = *b"\x89SOA\r\n\x1a\n";

/// The version of the format that is written. Version 1, which has no checksums, is read too.
pub const HEADER_VERSION: u32 = 2;

/// The first bytes of a file of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Header {
    /// [`HEADER_MAGIC`].
    pub magic: [u8; 8],
    /// [`HEADER_VERSION`].
    pub version: u32,
    /// How many columns there are.
    pub columns: u32,
    /// A hash of the columns' names, types and order: [`schema`](super::schema).
    pub schema: u64,
    /// How many rows there are.
    pub rows: u64,
}

const _: () = {
    assert!(size_of::<Header>() == 32 && align_of::<Header>() == 8);
    assert!(offset_of!(Header, version) == 8 && offset_of!(Header, columns) == 12);
    assert!(offset_of!(Header, schema) == 16 && offset_of!(Header, rows) == 24);
};

impl Header {
    /// Its bytes in a file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; size_of::<Header>()] {
        let mut bytes = [0; size_of::<Header>()];
        bytes[..8].copy_from_slice(&self.magic);
        bytes[8..12].copy_from_slice(&self.version.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.columns.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.schema.to_le_bytes());
        bytes[24..].copy_from_slice(&self.rows.to_le_bytes());
        bytes
    }

    /// The header that these bytes begin with, whatever it says, or nothing if they are too few.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Header> {
        Some(Header {
            magic: *bytes.first_chunk()?,
            version: u32::from_le_bytes(*bytes.get(8..)?.first_chunk()?),
            columns: u32::from_le_bytes(*bytes.get(12..)?.first_chunk()?),
            schema: u64::from_le_bytes(*bytes.get(16..)?.first_chunk()?),
            rows: u64::from_le_bytes(*bytes.get(24..)?.first_chunk()?),
        })
    }
}
