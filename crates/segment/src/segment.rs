use crate::message::Mailbox;
use crate::turn::Word;
use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;

/// Bytes at the start of a segment that are the segment's own.
pub const HEAD: u64 = 4096;

/// The first bytes of a segment: turn and message, each in cache lines of its own.
#[repr(C, align(128))]
pub(crate) struct Head {
    pub(crate) word: Word,
    pub(crate) mailbox: Mailbox,
}

const _: () = {
    assert!(size_of::<Head>() == 256 && align_of::<Head>() == 128);
    assert!(core::mem::offset_of!(Head, word) == 0 && core::mem::offset_of!(Head, mailbox) == 128);
};

/// A file in memory that this process has mapped, and another one may.
///
/// What the other side writes is visible at any time: what is read from it is read once, through raw pointers, and checked.
#[derive(Debug)]
pub struct Segment {
    at: NonNull<u8>,
    bytes: u64,
    file: OwnedFd,
}

// SAFETY: a mapping that is valid on any thread until it is dropped; what is shared in it is atomic or raw.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

/// Nobody may cut the file off, make it longer, or undo this.
const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

impl Segment {
    /// Makes one of so many bytes, all zero. Only pages that are touched take memory. `name` is what the system's tools call it.
    ///
    /// # Errors
    /// The system has no memory files, or lets no file be as large.
    pub fn create(name: &str, bytes: u64) -> io::Result<Segment> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create(name, flags)?;
        rustix::fs::ftruncate(&file, bytes)?;
        rustix::fs::fcntl_add_seals(&file, SEALS)?;
        Segment::map(file, bytes)
    }

    /// Maps the one that another process has made.
    ///
    /// # Errors
    /// It is no segment, or too large for this process to map.
    pub fn open(file: OwnedFd) -> io::Result<Segment> {
        let bytes = rustix::fs::fstat(&file)?.st_size.cast_unsigned();
        let sealed = rustix::fs::fcntl_get_seals(&file)?.contains(SEALS);
        if !sealed || bytes < HEAD {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is no segment of Upcall's"));
        }
        Segment::map(file, bytes)
    }

    fn map(file: OwnedFd, bytes: u64) -> io::Result<Segment> {
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::NORESERVE);
        let len = usize::try_from(bytes).map_err(io::Error::other)?;
        // SAFETY: a new mapping, wherever there is room, of a file that nobody can cut off.
        let at = unsafe { rustix::mm::mmap(std::ptr::null_mut(), len, access, flags, &file, 0) }?;
        let at = NonNull::new(at.cast()).ok_or_else(|| io::Error::other("it was mapped at address 0"))?;
        Ok(Segment { at, bytes, file })
    }

    /// The address of offset 0 in this process. It may be used as long as the segment lives.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.at.as_ptr().expose_provenance() as u64
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The address of `len` bytes at `offset`; `None` where they are not all inside.
    #[must_use]
    pub fn place(&self, offset: u64, len: u64) -> Option<*mut u8> {
        let end = offset.checked_add(len)?;
        // SAFETY: offset <= end <= bytes, all of which are mapped.
        (end <= self.bytes).then(|| unsafe { self.at.as_ptr().add(offset as usize) })
    }

    /// The file, to give to another process.
    #[must_use]
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Gives the memory of these bytes back, which are zero from now on. Both sides keep their mappings.
    ///
    /// # Errors
    /// The system cannot.
    pub fn forget(&self, range: Range<u64>) -> io::Result<()> {
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        Ok(rustix::fs::fallocate(&self.file, flags, range.start, range.end.saturating_sub(range.start))?)
    }

    pub(crate) fn head(&self) -> &Head {
        // SAFETY: the first page is mapped and aligned, zero at first, and made of atomic integers.
        unsafe { self.at.cast::<Head>().as_ref() }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: mapped by `map`; whoever has addresses from `base` does not use them any more.
        let unmapped = unsafe { rustix::mm::munmap(self.at.as_ptr().cast(), self.bytes as usize) };
        debug_assert!(unmapped.is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_mappings_show_the_same_memory_and_neither_side_can_cut_it_off() {
        let mine = Segment::create("test", 1 << 30).unwrap();
        let theirs = Segment::open(mine.file().try_clone_to_owned().unwrap()).unwrap();
        assert_eq!(mine.bytes(), theirs.bytes());
        let (here, there) = (mine.place(HEAD, 8).unwrap(), theirs.place(HEAD, 8).unwrap());
        assert_ne!(here, there);
        // SAFETY: both are places of 8 bytes in mappings that live.
        unsafe {
            here.cast::<u64>().write_volatile(42);
            assert_eq!(there.cast::<u64>().read_volatile(), 42);
        }
        for bytes in [0, 1 << 29, 1 << 31] {
            assert!(rustix::fs::ftruncate(theirs.file(), bytes).is_err(), "{bytes}");
        }
        mine.forget(0..HEAD * 2).unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { there.cast::<u64>().read_volatile() }, 0);
    }

    #[test]
    fn what_is_not_sealed_is_no_segment() {
        let file = rustix::fs::memfd_create("other", MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&file, 1 << 20).unwrap();
        assert_eq!(Segment::open(file).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_place_is_inside_or_none() {
        let segment = Segment::create("test", 1 << 20).unwrap();
        assert!(segment.place((1 << 20) - 8, 8).is_some());
        assert!(segment.place((1 << 20) - 8, 9).is_none());
        assert!(segment.place(u64::MAX, 2).is_none());
    }
}
