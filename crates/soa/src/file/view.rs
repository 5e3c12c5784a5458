use super::columns::BlitColumns;
use super::head::{Head, compare, next_column, refused};
use crate::error::{Error, ErrorKind};
use crate::slice::SoaSlice;
use crate::soa::Soa;
use std::ptr::NonNull;

/// The rows of a file of columns whose bytes are in memory, where they lie.
///
/// The bytes must be aligned as the elements are; a mapped file's are. Only the file's head is looked at, whose
/// checksum is compared: [`verify()`] compares those of the columns.
///
/// # Errors
/// When they are not a file of these columns: each kind of [`ErrorKind`] but `Io` and `NoChecksums`.
pub fn view<T: Soa>(bytes: &[u8]) -> Result<SoaSlice<'_, T>, Error>
where
    T::Columns: BlitColumns,
{
    parts(bytes, &mut |_, _| Ok(()))
}

/// Compares each column of a file whose bytes are in memory with its checksum, which reads all of them once.
///
/// ```
/// # #[derive(upcall_derive::Soa)]
/// # #[soa(crate = upcall_soa)]
/// # struct Point { x: f64 }
/// use upcall_soa::file::verify;
///
/// let mut bytes = Vec::new();
/// PointSoaVec::from([Point { x: 1.0 }]).write_to(&mut bytes)?;
/// # let bytes: Box<[u64]> = bytes.as_chunks().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect();
/// # let (_, bytes, _) = unsafe { bytes.align_to::<u8>() };
/// verify::<Point>(&bytes)?;
/// # Ok::<(), upcall_soa::Error>(())
/// ```
///
/// # Errors
/// As [`view`], [`ErrorKind::Damaged`] that names the first column that is another one than was written, and
/// [`ErrorKind::NoChecksums`] for a file of version 1, which cannot be told from a damaged one.
pub fn verify<T: Soa>(bytes: &[u8]) -> Result<(), Error>
where
    T::Columns: BlitColumns,
{
    let head = Head::of::<T>(bytes)?;
    let Some(checksums) = head.checksums else {
        let found = "version 1 of the format has no checksums: save the rows again to get them";
        return Err(refused::<T>(bytes, ErrorKind::NoChecksums, found));
    };
    parts::<T>(bytes, &mut |index, column| {
        compare::<T>(bytes, column, checksums[index], &format!("column {index}"))
    })
    .map(|_| ())
}

/// The rows, after `each` has seen each column.
fn parts<'a, T: Soa>(
    bytes: &'a [u8],
    each: &mut impl FnMut(usize, &[u8]) -> Result<(), Error>,
) -> Result<SoaSlice<'a, T>, Error>
where
    T::Columns: BlitColumns,
{
    const { assert!(cfg!(target_endian = "little"), "a file of columns is little-endian, as memory must be") };
    let refused = |kind, found: String| refused::<T>(bytes, kind, &found);
    let head = Head::of::<T>(bytes)?;
    let rows = head.rows;
    let Some(len) = usize::try_from(rows).ok().filter(|rows| isize::try_from(*rows).is_ok()) else {
        return Err(refused(ErrorKind::TooManyRows, format!("{rows} rows are more than memory has")));
    };
    let mut offsets = head.offsets.iter().map(|offset| u64::from_le_bytes(*offset)).enumerate();
    let mut end = head.size();
    let at = T::Columns::place(&mut |element| {
        let (index, offset) = offsets.next().expect("as many offsets as columns");
        let begins = next_column(end, element.align);
        if begins.is_none_or(|begins| begins as u64 != offset) {
            let found = format!(
                "column {index} is said to begin at byte {offset}, and what is before it ends at {end}: the \
                 columns are elsewhere, overlap, or are not those of {rows} rows"
            );
            return Err(refused(ErrorKind::Misplaced, found));
        }
        let size = len.checked_mul(element.size);
        let column = begins.zip(size).and_then(|(start, len)| bytes.get(start..start.checked_add(len)?));
        let (Some(column), Some(begins)) = (column, begins) else {
            let found =
                format!("column {index} has {len} elements of {} bytes from byte {offset} on", element.size);
            return Err(refused(ErrorKind::Truncated, found));
        };
        end = begins + column.len();
        let first = NonNull::from_ref(column).cast::<u8>();
        if !first.addr().get().is_multiple_of(element.align) {
            let found = format!("column {index} is not at a multiple of {} in memory", element.align);
            return Err(refused(ErrorKind::Misplaced, found));
        }
        each(index, column)?;
        Ok(first)
    })?;
    if end != bytes.len() {
        let found =
            format!("{rows} rows end at byte {end}: the file has more of them, or something else behind it");
        return Err(refused(ErrorKind::RowsDiffer, found));
    }
    // SAFETY: each column has `len` elements, aligned, of which any bytes are one, borrowed with the bytes.
    Ok(unsafe { SoaSlice::new(at, len) })
}
