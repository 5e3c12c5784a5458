//! Pages of mapped files that were written go to the disk while a run goes on: the system itself would do it after half a minute, or when
//! a good part of all memory is dirty.

use crate::error::{Error, ErrorKind};
use memmap2::MmapMut;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Bytes that are written before the system is told to write them to the disk: few beside the least budget, and enough for a disk to be
/// busy with.
pub(crate) const WINDOW: usize = 1 << 20;

/// How far somebody waits for the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    Begun,
    Done,
}

/// Refuses a file whose pages stay in memory whatever is done.
pub(crate) fn is_on_disk(file: &File, folder: &Path) -> Result<(), Error> {
    if !is_in_memory(file) {
        return Ok(());
    }
    let why = format!(
        "keep the run's values in {}: it is a folder in memory, and they have to be on a disk to keep within the memory that the run \
         may take: name another folder",
        folder.display()
    );
    Err(Error::new(ErrorKind::Usage, why))
}

/// The same of a folder for files that are made later.
pub(crate) fn is_folder_on_disk(folder: &Path) -> Result<(), Error> {
    let file = tempfile::tempfile_in(folder);
    is_on_disk(&file.map_err(|error| Error::io("keep the run's values in", folder, &error))?, folder)
}

#[cfg(target_os = "linux")]
fn is_in_memory(file: &File) -> bool {
    // The second is RAMFS_MAGIC of the kernel's `magic.h`, which no crate has. Some systems have it with a sign.
    const IN_MEMORY: [u32; 2] = [libc::TMPFS_MAGIC as u32, 0x8584_58f6];
    rustix::fs::fstatfs(file).is_ok_and(|system| IN_MEMORY.contains(&(system.f_type as u32)))
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: &File) -> bool {
    false
}

/// Has these bytes of a mapped file written to it.
pub(crate) fn mapped(map: &MmapMut, file: &File, bytes: Range<usize>, until: Until) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    #[cfg(target_os = "linux")]
    let outcome = {
        let _ = map;
        range(file, bytes.start as u64, bytes.len() as u64, until)
    };
    #[cfg(not(target_os = "linux"))]
    let outcome = {
        let _ = file;
        match until {
            Until::Begun => map.flush_async_range(bytes.start, bytes.len()),
            Until::Done => map.flush_range(bytes.start, bytes.len()),
        }
    };
    outcome.map_err(|error| Error::io("write the run's values back to", Path::new("their file"), &error))
}

/// What is missing of a mapped file is fetched without what lies around it, which may be many MiB: where there is little memory, what others
/// look at sooner would be thrown away for it. Whoever knows what comes [says so](will_need).
pub(crate) fn without_more(map: &MmapMut) {
    // It is advice, here and below.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Random);
    #[cfg(not(unix))]
    let _ = map;
}

/// Has the system fetch these bytes soon.
pub(crate) fn will_need(map: &MmapMut, bytes: Range<usize>) {
    #[cfg(unix)]
    let _ = map.advise_range(memmap2::Advice::WillNeed, bytes.start, bytes.len());
    #[cfg(not(unix))]
    let _ = (map, bytes);
}

/// Has all that was written of a file go to the disk: waits for what was begun before, and begins with the rest.
pub(crate) fn written(file: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return sync(file, 0, 0, libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WRITE);
    #[cfg(not(target_os = "linux"))]
    file.sync_data()
}

/// `fdatasync` would also have the file system keep what it knows of the file, which takes many times as long, and nobody reads the file
/// after a crash.
#[cfg(target_os = "linux")]
fn range(file: &File, first: u64, bytes: u64, until: Until) -> io::Result<()> {
    let wait = libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    let flags = libc::SYNC_FILE_RANGE_WRITE | if until == Until::Done { wait } else { 0 };
    sync(file, first, bytes, flags)
}

/// So many bytes, or all to the end where they are 0.
#[cfg(target_os = "linux")]
fn sync(file: &File, first: u64, bytes: u64, flags: u32) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;
    loop {
        // SAFETY: it looks at no memory of ours, and the file is open as long as it is borrowed.
        let status = unsafe {
            libc::sync_file_range(file.as_raw_fd(), first.cast_signed(), bytes.cast_signed(), flags)
        };
        if status == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EINTR) => {}
            // A file system that knows of no such ranges writes the whole file.
            Some(libc::ENOSYS | libc::EOPNOTSUPP | libc::ESPIPE) => return file.sync_data(),
            _ => return Err(error),
        }
    }
}

/// An array that may be in a file, to which it is written back.
pub(crate) trait WriteBack {
    /// The bytes of an element.
    const SIZE: usize;

    fn count(&self) -> usize;

    /// As [`Values::write_back`](crate::Values::write_back).
    fn write_back(&self, elements: Range<usize>, until: Until) -> Result<usize, Error>;

    /// Has the system fetch these elements soon, if they are written back.
    fn will_need(&self, elements: Range<usize>);
}

/// How far an array was written that is written from its first element to its last, and what of it is on its way to the disk.
#[derive(Debug, Default)]
pub(crate) struct Front {
    on_its_way: Range<usize>,
}

impl Front {
    /// All before this element was written.
    pub(crate) fn reaches<A: WriteBack>(&mut self, array: &A, element: usize) -> Result<(), Error> {
        let Range { start, end } = self.on_its_way;
        // Of a damaged file elements are in any order.
        if element.saturating_sub(end) < piece(A::SIZE) {
            return Ok(());
        }
        array.write_back(end..element, Until::Begun)?;
        array.write_back(start..end, Until::Done)?;
        self.on_its_way = end..element;
        Ok(())
    }

    /// All was written, and is on the disk when this returns.
    pub(crate) fn ends<A: WriteBack>(self, array: &A) -> Result<(), Error> {
        array.write_back(self.on_its_way.start..array.count(), Until::Done).map(drop)
    }
}

/// How many elements of so many bytes are written at a time.
const fn piece(size: usize) -> usize {
    if size == 0 { WINDOW } else { WINDOW.div_ceil(size) }
}

/// The parts of a range that are written at a time.
pub(crate) fn pieces<T>(elements: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let (Range { start, end }, size) = (elements, piece(size_of::<T>()));
    (start..end).step_by(size).map(move |first| first..end.min(first + size))
}
