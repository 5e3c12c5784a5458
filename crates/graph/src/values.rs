//! What vertices or edges have: as many elements as there are of them, in memory or in a mapped file.

use crate::error::{Error, ErrorKind};
use crate::write_back::{self, Until, WriteBack};
use memmap2::MmapMut;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;
use upcall_abi::Blit;
use upcall_host::Lent;

/// Where values are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    /// In this process's memory.
    Here,
    /// In memory that other processes can map.
    Shared,
    /// In a nameless file in a folder, from which the system takes what does not fit into memory. Other processes can map it too.
    Folder(&'a Path),
    /// The same, where whoever writes elements has them [written back](WriteBack), so that few pages are dirty at any time.
    Bounded(&'a Path),
}

/// An element for each vertex, or for each edge.
pub struct Values<T> {
    /// Of `count` elements, aligned to a page; dangling where there are none.
    first: NonNull<T>,
    count: usize,
    owner: Owner<T>,
}

enum Owner<T> {
    None,
    Map { map: MmapMut },
    File { map: MmapMut, file: Arc<File>, bounded: bool },
    Vec { _vec: Vec<T> },
}

// SAFETY: it owns what it points to, as a `Vec` does.
unsafe impl<T: Send> Send for Values<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Values<T> {}

impl<T: Blit> Values<T> {
    /// So many of which all bytes are 0.
    pub(crate) fn zeroed(count: usize, place: Place<'_>) -> Result<Values<T>, Error> {
        let no_room = |error: &dyn fmt::Display| {
            let message =
                format!("run the program: make room for {count} values of {} bytes: {error}", size_of::<T>());
            Error::new(ErrorKind::TooLarge, message)
        };
        let bytes = count.checked_mul(size_of::<T>()).ok_or_else(|| no_room(&"there is no such memory"))?;
        if bytes == 0 {
            return Ok(Values { first: NonNull::dangling(), count, owner: Owner::None });
        }
        let mut owner = match place {
            Place::Folder(folder) => in_file(folder, bytes, false)?,
            Place::Bounded(folder) => in_file(folder, bytes, true)?,
            #[cfg(target_os = "linux")]
            Place::Shared => shared(bytes).map_err(|error| no_room(&error))?,
            _ => {
                let map = MmapMut::map_anon(bytes).map_err(|error| no_room(&error))?;
                // Neighbours are looked up at random: fewer pages are found sooner. Where there are none of that size, it is as well.
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                Owner::Map { map }
            }
        };
        let first = match &mut owner {
            Owner::Map { map } | Owner::File { map, .. } => NonNull::new(map.as_mut_ptr().cast::<T>()),
            _ => None,
        };
        Ok(Values { first: first.ok_or_else(|| no_room(&"it is nowhere"))?, count, owner })
    }
}

/// A mapped file without a name, whose room on the disk is taken.
fn in_file<T>(folder: &Path, bytes: usize, bounded: bool) -> Result<Owner<T>, Error> {
    let failed = |error: io::Error| Error::io("keep the run's values in", folder, &error);
    let file = tempfile::tempfile_in(folder).map_err(failed)?;
    if bounded {
        write_back::is_on_disk(&file, folder)?;
    }
    mapped(file, bytes, bounded).map_err(failed)
}

/// Memory with a file that is in no folder.
#[cfg(target_os = "linux")]
fn shared<T>(bytes: usize) -> io::Result<Owner<T>> {
    mapped(in_memory()?, bytes, false)
}

#[cfg(target_os = "linux")]
fn in_memory() -> io::Result<File> {
    Ok(rustix::fs::memfd_create("upcall-values", rustix::fs::MemfdFlags::CLOEXEC)?.into())
}

/// Where [`nameless`] has its file, for messages.
pub(crate) fn place_of_nameless(folder: Option<&Path>) -> PathBuf {
    match folder {
        Some(folder) => folder.to_owned(),
        None if cfg!(target_os = "linux") => PathBuf::from("memory"),
        None => std::env::temp_dir(),
    }
}

/// A file without a name: in a folder, or in memory; other systems than Linux have no such file in memory, and it is in the folder for
/// temporary files.
pub(crate) fn nameless(folder: Option<&Path>) -> io::Result<File> {
    match folder {
        Some(folder) => tempfile::tempfile_in(folder),
        #[cfg(target_os = "linux")]
        None => in_memory(),
        #[cfg(not(target_os = "linux"))]
        None => tempfile::tempfile(),
    }
}

fn mapped<T>(file: File, bytes: usize, bounded: bool) -> io::Result<Owner<T>> {
    reserve(&file, bytes as u64)?;
    // SAFETY: nobody else has the file but who maps it to read.
    let map = unsafe { MmapMut::map_mut(&file) }?;
    if bounded {
        write_back::without_more(&map);
    }
    Ok(Owner::File { map, file: Arc::new(file), bounded })
}

/// Takes the room for so many bytes of an empty file, which are 0. Where it is not taken, a full disk would end the process when the
/// map is written.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::{fs, io::Errno};
        let flags = fs::FallocateFlags::empty();
        // A signal that is to stop the run is looked at when it begins.
        match rustix::io::retry_on_intr(|| fs::fallocate(file, flags, 0, bytes)) {
            // Of a file system that cannot.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
            reserved => return Ok(reserved?),
        }
    }
    let mut file = file;
    io::copy(&mut io::repeat(0).take(bytes), &mut file).map(drop)
}

impl<T> Values<T> {
    /// The first, for whoever shares them among threads; they live as long as this.
    pub(crate) fn as_ptr(&self) -> *mut T {
        self.first.as_ptr()
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// All of them, to be written.
    pub(crate) fn elements(&mut self) -> &mut [T] {
        // SAFETY: so many initialised elements, which it owns: no other process writes them.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.count) }
    }

    /// The memory, where other processes can map it.
    pub(crate) fn lent(&self) -> Option<Lent> {
        match &self.owner {
            Owner::File { map, file, .. } => Some(Lent::new(map, file.clone())),
            _ => None,
        }
    }

    /// Whether they take memory that the system cannot have back while they are there.
    pub(crate) fn is_in_memory(&self) -> bool {
        !matches!(self.owner, Owner::File { bounded: true, .. })
    }
}

impl<T> WriteBack for Values<T> {
    const SIZE: usize = size_of::<T>();

    fn count(&self) -> usize {
        self.count
    }

    /// Has the system write these elements to their file: it begins to, or it has when this returns. Only where they are
    /// [bounded](Place::Bounded): how many bytes that is.
    fn write_back(&self, elements: Range<usize>, until: Until) -> Result<usize, Error> {
        let Owner::File { map, file, bounded: true } = &self.owner else { return Ok(0) };
        let bytes = elements.start * size_of::<T>()..elements.end.min(self.count) * size_of::<T>();
        write_back::mapped(map, file, bytes.clone(), until)?;
        Ok(bytes.len())
    }

    fn will_need(&self, elements: Range<usize>) {
        if let Owner::File { map, bounded: true, .. } = &self.owner {
            let bytes = elements.start * size_of::<T>()..elements.end.min(self.count) * size_of::<T>();
            write_back::will_need(map, bytes);
        }
    }
}

impl<T> From<Vec<T>> for Values<T> {
    fn from(mut all: Vec<T>) -> Values<T> {
        let first = NonNull::new(all.as_mut_ptr()).unwrap_or(NonNull::dangling());
        Values { first, count: all.len(), owner: Owner::Vec { _vec: all } }
    }
}

impl<T> Deref for Values<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: so many initialised elements, for as long as this is there.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl<'a, T> IntoIterator for &'a Values<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq, O: AsRef<[T]> + ?Sized> PartialEq<O> for Values<T> {
    fn eq(&self, other: &O) -> bool {
        **self == *other.as_ref()
    }
}

impl<T> AsRef<[T]> for Values<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}
