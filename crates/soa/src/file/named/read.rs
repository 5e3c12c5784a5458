use super::NAMED_VERSION;
use super::entry::{Entry, head_size, schema};
use crate::columns::COLUMN_ALIGN;
use crate::error::{Error, ErrorKind};
use crate::file::header::{HEADER_MAGIC, Header};
#[cfg(feature = "map")]
use std::path::Path;
use upcall_abi::Blit;

/// A file of named columns whose bytes are in memory: mapped, or in an aligned slice.
///
/// When it is made, its head is read and compared with its checksum, and the columns' places with the file's length; the
/// columns stay unread until they are looked at.
pub struct Named<B> {
    bytes: B,
    entries: Vec<Entry>,
}

#[cfg(feature = "map")]
impl Named<memmap2::Mmap> {
    /// Maps a file.
    ///
    /// # Errors
    /// When it cannot be mapped, or is no file of named columns.
    ///
    /// # Safety
    /// As long as it is mapped, no one writes or shortens the file, in this process or another.
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let failed = |source| Error::io(format!("cannot map {}", path.display()), source);
        let file = std::fs::File::open(path).map_err(failed)?;
        // SAFETY: the caller's promise.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(failed)?;
        Named::new(map).map_err(|error| error.of(path))
    }
}

impl<B: AsRef<[u8]>> Named<B> {
    /// The columns in these bytes, which are aligned to 64 for elements that need it.
    ///
    /// # Errors
    /// They are no file of named columns, or not all of it.
    pub fn new(bytes: B) -> Result<Named<B>, Error> {
        let entries = entries(bytes.as_ref())?;
        Ok(Named { bytes, entries })
    }

    /// The bytes.
    pub fn file(&self) -> &B {
        &self.bytes
    }

    /// What the file says of its columns, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The column of this name, if there is one.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name() == name)
    }

    /// A column's elements, where they lie.
    ///
    /// # Errors
    /// There is no such column, or its elements are of another type.
    pub fn column<T: Blit>(&self, name: &str) -> Result<&[T], Error> {
        let entry = self.entry(name).ok_or_else(|| self.without(name))?;
        if (entry.element(), entry.size()) != (T::NAME, size_of::<T>()) {
            let found = format!(
                "column `{name}` has elements `{}` of {} bytes, and `{}` of {} were asked for",
                entry.element(),
                entry.size(),
                T::NAME,
                size_of::<T>()
            );
            return Err(refused(ErrorKind::SchemaDiffers, &found));
        }
        let bytes = self.of(entry);
        // SAFETY: any bytes are elements; that they are aligned, and whole ones, is looked at.
        match unsafe { bytes.align_to::<T>() } {
            ([], elements, []) => Ok(elements),
            _ => {
                let found = format!("column `{name}` is not at a multiple of {} in memory", align_of::<T>());
                Err(refused(ErrorKind::Misplaced, &found))
            }
        }
    }

    /// A column's bytes, whatever its elements are.
    ///
    /// # Errors
    /// There is no such column.
    pub fn bytes(&self, name: &str) -> Result<&[u8], Error> {
        Ok(self.of(self.entry(name).ok_or_else(|| self.without(name))?))
    }

    /// Compares each column with its checksum, which reads the whole file; `read` is told how many bytes have just been.
    ///
    /// # Errors
    /// The first column that is another one than was written.
    pub fn verify(&self, mut read: impl FnMut(usize)) -> Result<(), Error> {
        const PART: usize = 1 << 20;
        for entry in &self.entries {
            let mut hash = crc32fast::Hasher::new();
            for part in self.of(entry).chunks(PART) {
                hash.update(part);
                read(part.len());
            }
            let (found, said) = (hash.finalize(), entry.checksum());
            if found != said {
                let found = format!(
                    "column `{}` has the checksum {found:08x}, and the file says {said:08x}: it is damaged, take it from \
                     where it came from",
                    entry.name()
                );
                return Err(refused(ErrorKind::Damaged, &found));
            }
        }
        Ok(())
    }

    fn of(&self, entry: &Entry) -> &[u8] {
        let begin = entry.offset() as usize;
        // It was compared with the length when the head was read.
        &self.bytes.as_ref()[begin..begin + entry.bytes().unwrap_or(0) as usize]
    }

    #[cold]
    fn without(&self, name: &str) -> Error {
        let names: Vec<&str> = self.entries.iter().map(Entry::name).collect();
        let found = format!("there is no column `{name}`; the columns are {}", names.join(", "));
        refused(ErrorKind::SchemaDiffers, &found)
    }
}

impl<B> std::fmt::Debug for Named<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.entries).finish()
    }
}

#[cold]
fn refused(kind: ErrorKind, found: &str) -> Error {
    Error::new(kind, format!("cannot read a file of named columns: {found}"))
}

/// Reads and checks the head.
fn entries(bytes: &[u8]) -> Result<Vec<Entry>, Error> {
    const { assert!(cfg!(target_endian = "little"), "a file of columns is little-endian, as memory must be") };
    let ended = |what: &str| {
        refused(ErrorKind::Truncated, &format!("it has {} bytes, and ends before {what} does", bytes.len()))
    };
    let header = Header::from_bytes(bytes).ok_or_else(|| ended("its header"))?;
    if header.magic != HEADER_MAGIC {
        let found = format!("it begins with {}", header.magic.escape_ascii());
        return Err(refused(ErrorKind::NotColumns, &found));
    }
    if header.version != NAMED_VERSION {
        let found = format!("its version is {}, and {NAMED_VERSION} has names", header.version);
        return Err(refused(ErrorKind::VersionUnknown, &found));
    }
    let columns = header.columns as usize;
    let size = columns.checked_mul(size_of::<Entry>()).and_then(|size| size.checked_add(head_size(0)));
    let head = size.and_then(|size| bytes.get(..size)).ok_or_else(|| ended("its head"))?;
    let (head, said) = head.split_at(head.len() - size_of::<u32>());
    let (found, said) = (crc32fast::hash(head), u32::from_le_bytes(said.try_into().expect("four bytes")));
    if found != said {
        let found = format!("its head has the checksum {found:08x}, and says {said:08x}: it is damaged");
        return Err(refused(ErrorKind::Damaged, &found));
    }
    let (all, _) = head[size_of::<Header>()..].as_chunks();
    let entries: Vec<Entry> = all.iter().map(Entry::from_bytes).collect();
    if schema(&entries) != header.schema {
        return Err(refused(ErrorKind::SchemaDiffers, "the hash of its columns is that of others"));
    }
    let mut end = head_size(columns) as u64;
    for (index, entry) in entries.iter().enumerate() {
        let (name, named) = (entry.name(), !entry.name().is_empty() && !entry.element().is_empty());
        if !named || entry.size() == 0 || entries[..index].iter().any(|other| other.name() == name) {
            let found = format!("column {index} has no name, no type, or the name of another");
            return Err(refused(ErrorKind::SchemaDiffers, &found));
        }
        let begin = end.checked_next_multiple_of(COLUMN_ALIGN as u64);
        if begin != Some(entry.offset()) {
            let found = format!(
                "column `{name}` is said to begin at byte {}, and what is before it ends at {end}",
                entry.offset()
            );
            return Err(refused(ErrorKind::Misplaced, &found));
        }
        let its_end = entry.bytes().and_then(|size| size.checked_add(entry.offset()));
        end = its_end
            .filter(|end| *end <= bytes.len() as u64)
            .ok_or_else(|| ended(&format!("column `{name}`")))?;
    }
    if end != bytes.len() as u64 {
        let found = format!("its columns end at byte {end}, and it has {}", bytes.len());
        return Err(refused(ErrorKind::RowsDiffer, &found));
    }
    Ok(entries)
}
