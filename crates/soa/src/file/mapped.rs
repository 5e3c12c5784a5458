use super::columns::BlitColumns;
use super::view::view;
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
    _map: Mmap,
}

impl<T: Soa> Mapped<T>
where
    T::Columns: BlitColumns,
{
    /// Maps a file of columns; see [`file`](crate::file).
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
        Ok(Mapped { rows, _map: map })
    }
}

impl<T: Soa> Deref for Mapped<T> {
    type Target = Rows<T>;

    fn deref(&self) -> &Rows<T> {
        &self.rows
    }
}
