use super::entry::{Entry, head, head_size};
use crate::columns::COLUMN_ALIGN;
use crate::error::{Error, ErrorKind};
use crate::file::replace::replace;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use upcall_abi::Blit;

/// Writes a file of so many named columns, replacing a file that is there when it is whole.
///
/// ```
/// use upcall_soa::file::{Named, save};
///
/// let path = std::env::temp_dir().join(format!("named-{}.soa", std::process::id()));
/// save(&path, 2, |file| {
///     file.column("offsets", &[0u64, 2, 3])?;
///     file.column("neighbours", &[1u32, 2, 0])
/// })?;
/// // SAFETY: nobody writes the file as long as it is mapped.
/// let file = unsafe { Named::open(&path) }?;
/// assert_eq!(file.column::<u32>("neighbours")?, [1, 2, 0]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), upcall_soa::Error>(())
/// ```
///
/// # Errors
/// The file cannot be written, or `write` fails or writes another number of columns.
pub fn save<E: From<Error>>(
    path: impl AsRef<Path>,
    columns: usize,
    write: impl FnOnce(&mut NamedWriter<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let path = path.as_ref();
    replace(path, |out| write_to(out, path, columns, write))
}

/// Writes a file of so many named columns to one that is open and empty, as one without a name is. Messages call it `path`.
///
/// # Errors
/// As [`save`].
pub fn write_to<E: From<Error>>(
    out: &mut BufWriter<File>,
    path: &Path,
    columns: usize,
    write: impl FnOnce(&mut NamedWriter<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |source| Error::io(format!("cannot write columns to {}", path.display()), source);
    let size = head_size(columns);
    out.write_all(&vec![0; size]).map_err(failed)?;
    let mut file = NamedWriter { out, path, entries: Vec::with_capacity(columns), end: size as u64 };
    write(&mut file)?;
    let NamedWriter { out, entries, .. } = file;
    if entries.len() != columns {
        let message = format!(
            "cannot write {}: {columns} columns were to come, and {} have",
            path.display(),
            entries.len()
        );
        return Err(Error::new(ErrorKind::SchemaDiffers, message).into());
    }
    out.seek(SeekFrom::Start(0)).map_err(failed)?;
    out.write_all(&head(&entries)).map_err(failed)?;
    Ok(out.flush().map_err(failed)?)
}

/// A file whose columns are written one after the other.
#[derive(Debug)]
pub struct NamedWriter<'a> {
    out: &'a mut BufWriter<File>,
    path: &'a Path,
    entries: Vec<Entry>,
    end: u64,
}

impl<'a> NamedWriter<'a> {
    /// Writes a column of elements that are in memory.
    ///
    /// # Errors
    /// The file cannot be written, or the elements have padding, whose bytes are not defined.
    pub fn column<T: Blit>(&mut self, name: &str, elements: &[T]) -> Result<(), Error> {
        const { assert!(!T::PADDED && cfg!(target_endian = "little"), "elements of a file have no padding") };
        let mut column = self.begin(name, T::NAME, size_of::<T>())?;
        // SAFETY: they are initialised, without padding.
        let bytes = unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) };
        column.write(bytes)?;
        column.end()
    }

    /// Begins a column whose elements come bit by bit, in little-endian bytes: their type's name and size. [`ColumnWriter::end`] ends
    /// it.
    ///
    /// # Errors
    /// The file cannot be written, there is a column of this name, or a name has no room in the file.
    pub fn begin(&mut self, name: &str, element: &str, size: usize) -> Result<ColumnWriter<'_, 'a>, Error> {
        if self.entries.iter().any(|entry| entry.name() == name) {
            let message = format!("cannot write {}: it has a column `{name}`", self.path.display());
            return Err(Error::new(ErrorKind::SchemaDiffers, message));
        }
        let begin = self.end.next_multiple_of(COLUMN_ALIGN as u64);
        let entry = Entry::new(name, element, u32::try_from(size).unwrap_or(0), begin)?;
        let gap = usize::try_from(begin - self.end).unwrap_or(0);
        self.out.write_all(&[0; COLUMN_ALIGN][..gap]).map_err(|source| self.failed(source))?;
        self.end = begin;
        Ok(ColumnWriter { file: self, entry, hash: crc32fast::Hasher::new(), bytes: 0 })
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::io(format!("cannot write columns to {}", self.path.display()), source)
    }
}

/// A column that is being written.
#[derive(Debug)]
pub struct ColumnWriter<'w, 'a> {
    file: &'w mut NamedWriter<'a>,
    entry: Entry,
    hash: crc32fast::Hasher,
    bytes: u64,
}

impl ColumnWriter<'_, '_> {
    /// Adds bytes of elements.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.out.write_all(bytes).map_err(|source| self.file.failed(source))
    }

    /// Ends the column: without it the file does not have it.
    ///
    /// # Errors
    /// The bytes are no whole number of elements.
    pub fn end(self) -> Result<(), Error> {
        let ColumnWriter { file, mut entry, hash, bytes } = self;
        let size = entry.size() as u64;
        if !bytes.is_multiple_of(size) {
            let message = format!(
                "cannot write column `{}` to {}: {bytes} bytes are no whole number of {} of {size}",
                entry.name(),
                file.path.display(),
                entry.element()
            );
            return Err(Error::new(ErrorKind::RowsDiffer, message));
        }
        entry.ended(bytes / size, hash.finalize());
        file.end += bytes;
        file.entries.push(entry);
        Ok(())
    }
}
