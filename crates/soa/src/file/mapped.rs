use super::columns::BlitColumns;
use super::view::{verify, view};
use crate::error::Error;
use crate::rows::{Held, Rows};
use crate::soa::Soa;
use memmap2::Mmap;
use std::fs::File;
use std::ops::Deref;
use std::path::Path;

/// Rows of a file of columns that is mapped into memory: nothing is read before it is looked at.
pub struct Mapped<T: Soa> {
    rows: Held<T>,
    map: Mmap,
}

impl<T: Soa> Mapped<T>
where
    T::Columns: BlitColumns,
{
    /// Maps a file of columns; see [`file`](crate::file). Of its bytes only the head is read and compared with
    /// its checksum: [`verify`](Mapped::verify) does so with the rest.
    ///
    /// # Errors
    /// When the file cannot be mapped, or is not a file of these columns.
    ///
    /// # Safety
    /// As long as it is mapped, no one writes or shortens the file, in this process or another: its bytes are
    /// lent as slices that do not change.
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Mapped<T>, Error> {
        let path = path.as_ref();
        let failed = |source| Error::io(format!("cannot map {}", path.display()), source);
        let file = File::open(path).map_err(failed)?;
        // SAFETY: the caller's promise.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        let rows = view::<T>(&map)?.held();
        Ok(Mapped { rows, map })
    }

    /// Compares each column with its checksum, which reads the whole file; see [`verify`](super::verify).
    ///
    /// # Errors
    /// When a column is another one than was written, or the file is of version 1, which has no checksums.
    pub fn verify(&self) -> Result<(), Error> {
        verify::<T>(&self.map)
    }
}

impl<T: Soa> Deref for Mapped<T> {
    type Target = Rows<T>;

    fn deref(&self) -> &Rows<T> {
        &self.rows
    }
}
