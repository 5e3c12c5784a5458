use super::columns::BlitColumns;
use super::header::{HEADER_MAGIC, HEADER_VERSION, Header};
use super::schema::{count, schema, text};
use crate::columns::COLUMN_ALIGN;
use crate::error::{Error, ErrorKind};
use crate::soa::Soa;

/// The version before, which has no checksums.
const WITHOUT_CHECKSUMS: u32 = 1;

/// What a file has before its columns.
pub struct Head<'a> {
    pub rows: u64,
    /// Where each column begins.
    pub offsets: &'a [[u8; 8]],
    /// A checksum of each column, which version 1 does not have.
    pub checksums: Option<&'a [[u8; 4]]>,
}

/// How many bytes the head of a file of version 2 has.
pub const fn size(columns: usize) -> usize {
    size_of::<Header>() + columns * (size_of::<u64>() + size_of::<u32>()) + size_of::<u32>()
}

/// The first multiple of the columns' alignment from `end` on.
pub fn next_column(end: usize, align: usize) -> Option<usize> {
    end.checked_next_multiple_of(COLUMN_ALIGN.max(align))
}

/// The error for bytes that are not a file of columns of `T`.
#[cold]
pub fn refused<T: Soa>(bytes: &[u8], kind: ErrorKind, found: &str) -> Error {
    let (len, name) = (bytes.len(), T::NAME);
    Error::new(kind, format!("cannot read these {len} bytes as columns of `{name}`: {found}"))
}

/// Compares bytes with their checksum; `what` they are.
pub fn compare<T: Soa>(file: &[u8], bytes: &[u8], checksum: [u8; 4], what: &str) -> Result<(), Error> {
    let (said, found) = (u32::from_le_bytes(checksum), crc32fast::hash(bytes));
    if said == found {
        return Ok(());
    }
    let found = format!(
        "{what} has the checksum {found:08x}, and the file says {said:08x}: it is damaged, take it from where it \
         came from"
    );
    Err(refused::<T>(file, ErrorKind::Damaged, &found))
}

impl Head<'_> {
    /// Reads and checks it: it is that of a file of these columns.
    pub fn of<T: Soa>(bytes: &[u8]) -> Result<Head<'_>, Error>
    where
        T::Columns: BlitColumns,
    {
        let refused = |kind, found: String| refused::<T>(bytes, kind, &found);
        let Some(header) = Header::from_bytes(bytes) else {
            return Err(refused(ErrorKind::Truncated, format!("a header has {}", size_of::<Header>())));
        };
        if header.magic != HEADER_MAGIC {
            let found = format!("they begin with {}", header.magic.escape_ascii());
            return Err(refused(ErrorKind::NotColumns, found));
        }
        if ![WITHOUT_CHECKSUMS, HEADER_VERSION].contains(&header.version) {
            let found = format!(
                "their version is {}, and {WITHOUT_CHECKSUMS} and {HEADER_VERSION} are known",
                header.version
            );
            return Err(refused(ErrorKind::VersionUnknown, found));
        }
        let ended = || {
            refused(
                ErrorKind::Truncated,
                format!("they end before the head of {} columns does", header.columns),
            )
        };
        let said = usize::try_from(header.columns).unwrap_or(usize::MAX);
        let mut rest = &bytes[size_of::<Header>()..];
        let offsets =
            said.checked_mul(size_of::<u64>()).and_then(|len| rest.split_off(..len)).ok_or_else(ended)?;
        let mut checksums = None;
        if header.version == HEADER_VERSION {
            let sums = rest.split_off(..said * size_of::<u32>()).ok_or_else(ended)?;
            let own = *rest.first_chunk().ok_or_else(ended)?;
            compare::<T>(bytes, &bytes[..size(said) - size_of::<u32>()], own, "their head")?;
            checksums = Some(sums.as_chunks().0);
        }
        let columns = count::<T::Columns>();
        if header.schema != schema::<T>() || said != columns {
            let found = format!(
                "their {} columns have the schema {:016x}, and the type's {columns} have {:016x}: {}",
                header.columns,
                header.schema,
                schema::<T>(),
                text::<T>().trim_end().replace('\n', ", "),
            );
            return Err(refused(ErrorKind::SchemaDiffers, found));
        }
        Ok(Head { rows: header.rows, offsets: offsets.as_chunks().0, checksums })
    }

    /// Where it ends.
    pub fn size(&self) -> usize {
        let all = size(self.offsets.len());
        match self.checksums {
            Some(_) => all,
            None => size_of::<Header>() + size_of_val(self.offsets),
        }
    }
}
