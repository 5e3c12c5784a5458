use super::columns::BlitColumns;
use super::header::{HEADER_MAGIC, HEADER_VERSION, Header};
use super::schema::{count, schema, text};
use crate::columns::COLUMN_ALIGN;
use crate::error::{Error, ErrorKind};
use crate::slice::SoaSlice;
use crate::soa::Soa;
use std::ptr::NonNull;

/// The rows of a file of columns whose bytes are in memory, where they lie.
///
/// The bytes must be aligned as the elements are; a mapped file's are.
///
/// # Errors
/// When they are not a file of these columns: each kind of [`ErrorKind`] but `Io`.
#[expect(clippy::missing_panics_doc, reason = "the assertion is made when it is compiled")]
pub fn view<T: Soa>(bytes: &[u8]) -> Result<SoaSlice<'_, T>, Error>
where
    T::Columns: BlitColumns,
{
    const { assert!(cfg!(target_endian = "little"), "a file of columns is little-endian, as memory must be") };
    let refused = |kind, found: String| {
        let (len, name) = (bytes.len(), T::NAME);
        Error::new(kind, format!("cannot read these {len} bytes as columns of `{name}`: {found}"))
    };
    let Some(header) = Header::from_bytes(bytes) else {
        return Err(refused(ErrorKind::Truncated, format!("a header has {}", size_of::<Header>())));
    };
    if header.magic != HEADER_MAGIC {
        return Err(refused(
            ErrorKind::NotColumns,
            format!("they begin with {}", header.magic.escape_ascii()),
        ));
    }
    if header.version != HEADER_VERSION {
        let found = format!("their version is {}, and {HEADER_VERSION} is known", header.version);
        return Err(refused(ErrorKind::VersionUnknown, found));
    }
    let columns = count::<T::Columns>();
    if header.schema != schema::<T>() || header.columns as usize != columns {
        let found = format!(
            "their {} columns have the schema {:016x}, and the type's {columns} have {:016x}: {}",
            header.columns,
            header.schema,
            schema::<T>(),
            text::<T>().trim_end().replace('\n', ", "),
        );
        return Err(refused(ErrorKind::SchemaDiffers, found));
    }
    let Some(offsets) = bytes.get(size_of::<Header>()..size_of::<Header>() + columns * size_of::<u64>())
    else {
        return Err(refused(
            ErrorKind::Truncated,
            format!("they end before the offsets of {columns} columns do"),
        ));
    };
    let Some(len) = usize::try_from(header.rows).ok().filter(|rows| isize::try_from(*rows).is_ok()) else {
        return Err(refused(
            ErrorKind::TooManyRows,
            format!("{} rows are more than memory has", header.rows),
        ));
    };
    let head = (size_of::<Header>() + offsets.len()) as u64;
    let (offsets, _) = offsets.as_chunks();
    let mut offsets = offsets.iter().map(|offset| u64::from_le_bytes(*offset)).enumerate();
    let at = T::Columns::place(&mut |element| {
        let (index, offset) = offsets.next().expect("as many offsets as columns");
        if offset < head || !offset.is_multiple_of(COLUMN_ALIGN as u64) {
            let found = format!("column {index} is said to begin at byte {offset}");
            return Err(refused(ErrorKind::Misplaced, found));
        }
        let column = usize::try_from(offset).ok().zip(len.checked_mul(element.size));
        let Some(column) = column.and_then(|(start, len)| bytes.get(start..start.checked_add(len)?)) else {
            let found =
                format!("column {index} has {len} elements of {} bytes from byte {offset} on", element.size);
            return Err(refused(ErrorKind::Truncated, found));
        };
        let first = NonNull::from_ref(column).cast::<u8>();
        if !first.addr().get().is_multiple_of(element.align) {
            let found = format!("column {index} is not at a multiple of {} in memory", element.align);
            return Err(refused(ErrorKind::Misplaced, found));
        }
        Ok(first)
    })?;
    // SAFETY: each column has `len` elements, aligned, of which any bytes are one, borrowed with the bytes.
    Ok(unsafe { SoaSlice::new(at, len) })
}
