use super::NAMED_VERSION;
use crate::error::{Error, ErrorKind};
use crate::file::header::{HEADER_MAGIC, Header};
use std::mem::offset_of;

/// What a file says of one of its columns.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Entry {
    name: [u8; 32],
    element: [u8; 24],
    size: u32,
    checksum: u32,
    rows: u64,
    offset: u64,
}

const _: () = {
    assert!(size_of::<Entry>() == 80 && align_of::<Entry>() == 8);
    assert!(offset_of!(Entry, element) == 32 && offset_of!(Entry, size) == 56);
    assert!(offset_of!(Entry, checksum) == 60 && offset_of!(Entry, rows) == 64);
    assert!(offset_of!(Entry, offset) == 72);
};

impl Entry {
    pub(super) fn new(name: &str, element: &str, size: u32, offset: u64) -> Result<Entry, Error> {
        let refused = |why: String| {
            Error::new(
                ErrorKind::SchemaDiffers,
                format!("cannot write a column `{name}` of `{element}`: {why}"),
            )
        };
        if size == 0 {
            return Err(refused("its elements have no bytes".to_owned()));
        }
        let fixed = |what: &str, text: &str, room: &mut [u8]| {
            let fits = !text.is_empty() && text.len() <= room.len() && !text.contains('\0');
            if !fits {
                return Err(refused(format!(
                    "the name of {what} has 1 to {} bytes, none of them 0",
                    room.len()
                )));
            }
            room[..text.len()].copy_from_slice(text.as_bytes());
            Ok(())
        };
        let mut entry = Entry { name: [0; 32], element: [0; 24], size, checksum: 0, rows: 0, offset };
        fixed("a column", name, &mut entry.name)?;
        fixed("a type", element, &mut entry.element)?;
        Ok(entry)
    }

    pub(super) fn ended(&mut self, rows: u64, checksum: u32) {
        (self.rows, self.checksum) = (rows, checksum);
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        text(&self.name)
    }

    /// What its elements are, as [`Blit::NAME`](upcall_abi::Blit::NAME) has it.
    #[must_use]
    pub fn element(&self) -> &str {
        text(&self.element)
    }

    /// How many bytes one of them has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// How many of them there are.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The CRC-32 of its bytes, as they were written.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// How many bytes all of them have, if a file can have as many.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.rows.checked_mul(u64::from(self.size))
    }

    fn to_bytes(self) -> [u8; size_of::<Entry>()] {
        let mut bytes = [0; size_of::<Entry>()];
        bytes[..32].copy_from_slice(&self.name);
        bytes[32..56].copy_from_slice(&self.element);
        bytes[56..60].copy_from_slice(&self.size.to_le_bytes());
        bytes[60..64].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[64..72].copy_from_slice(&self.rows.to_le_bytes());
        bytes[72..].copy_from_slice(&self.offset.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; size_of::<Entry>()]) -> Entry {
        let four = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let eight = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        Entry {
            name: bytes[..32].try_into().expect("32 bytes"),
            element: bytes[32..56].try_into().expect("24 bytes"),
            size: four(56),
            checksum: four(60),
            rows: eight(64),
            offset: eight(72),
        }
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} of {}", self.name(), self.rows, self.element())
    }
}

/// The text before the zeroes; nothing where it is not UTF-8, which no name is.
fn text(bytes: &[u8]) -> &str {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).unwrap_or_default()
}

/// How many bytes the head of a file of so many columns has.
pub(super) const fn head_size(columns: usize) -> usize {
    size_of::<Header>() + columns * size_of::<Entry>() + size_of::<u32>()
}

/// A hash of the columns' names and types, as [`schema`](crate::file::schema) has it.
pub(super) fn schema(entries: &[Entry]) -> u64 {
    let text: String = entries
        .iter()
        .map(|entry| format!("{}:{}:{}\n", entry.name(), entry.element(), entry.size))
        .collect();
    crate::file::schema::hash(&text)
}

/// The head of a file.
pub(super) fn head(entries: &[Entry]) -> Vec<u8> {
    let columns = u32::try_from(entries.len()).expect("fewer columns than their entries have bytes");
    let header =
        Header { magic: HEADER_MAGIC, version: NAMED_VERSION, columns, schema: schema(entries), rows: 0 };
    let mut head = header.to_bytes().to_vec();
    head.extend(entries.iter().flat_map(|entry| entry.to_bytes()));
    head.extend(crc32fast::hash(&head).to_le_bytes());
    head
}
