use crate::message::Mailbox;
use crate::turn::Word;
use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};
use rustix::mm::{Advice, MapFlags, ProtFlags};
use rustix::process::Resource;
use std::ffi::c_void;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;

/// Bytes at the start of a segment that are the segment's own.
pub const HEAD: u64 = 4096;

/// Bytes of the larger pages that systems have. A segment begins at a multiple of it in each process.
pub const HUGE: u64 = 2 << 20;

/// The first bytes of a segment: turn and message, each in cache lines of its own.
#[repr(C, align(128))]
#[derive(Debug)]
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

/// Fewer bytes are of no use to anybody.
const LEAST: u64 = 256 << 20;

/// So many bytes up to a multiple of [`HUGE`].
fn whole(len: usize) -> usize {
    len.checked_next_multiple_of(HUGE as usize).unwrap_or(usize::MAX)
}

/// An error with the name of the call that failed.
fn said(error: impl Into<io::Error>, call: &str) -> io::Error {
    let error = error.into();
    io::Error::new(error.kind(), format!("{call}: {error}"))
}

/// Nobody may cut the file off, make it longer, or undo this.
const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

impl Segment {
    /// Makes one, all zero, of so many bytes at `most`, or as many as this process may have. Only pages that are touched take
    /// memory. `name` is what the system's tools call it.
    ///
    /// # Errors
    /// The system has no memory files, or its limits leave less than 256 MiB.
    pub fn create(name: &str, most: u64) -> io::Result<Segment> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        // Linux before 6.3 does not know that it is not to be executed.
        let file = rustix::fs::memfd_create(name, flags | MemfdFlags::NOEXEC_SEAL)
            .or_else(|_| rustix::fs::memfd_create(name, flags))
            .map_err(|error| said(error, "memfd_create"))?;
        // A file that grows beyond this limit ends the process.
        let limit = rustix::process::getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
        let mut bytes = most.min(limit) & !(HEAD - 1);
        loop {
            if bytes < LEAST.min(most) {
                let what = "less than 256 MiB of address space or of file size may be used: raise `ulimit -v` or `ulimit -f`";
                return Err(io::Error::new(io::ErrorKind::OutOfMemory, what));
            }
            rustix::fs::ftruncate(&file, bytes).map_err(|error| said(error, "ftruncate"))?;
            match Segment::map(&file, bytes) {
                Ok(at) => {
                    rustix::fs::fcntl_add_seals(&file, SEALS).map_err(|error| said(error, "seal it"))?;
                    return Ok(Segment { at, bytes, file });
                }
                Err(error) if error.kind() == io::ErrorKind::OutOfMemory => bytes = (bytes / 2) & !(HEAD - 1),
                Err(error) => return Err(said(error, "mmap")),
            }
        }
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
        Ok(Segment { at: Segment::map(&file, bytes)?, bytes, file })
    }

    fn map(file: &OwnedFd, bytes: u64) -> io::Result<NonNull<u8>> {
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::NORESERVE);
        let len = usize::try_from(bytes).map_err(io::Error::other)?;
        let at = Segment::room(len)?;
        // SAFETY: in the place of the room that was just taken, a file that nobody can cut off.
        if let Err(error) = unsafe { rustix::mm::mmap(at, len, access, flags | MapFlags::FIXED, file, 0) } {
            // SAFETY: the room, which nobody else has.
            unsafe { rustix::mm::munmap(at, whole(len)) }?;
            return Err(error.into());
        }
        for advice in [Advice::LinuxDontDump, Advice::LinuxDontFork] {
            // A dump of the process would allocate all of it; a child has no part in it.
            // SAFETY: the mapping that was just made; neither changes what is in it.
            unsafe { rustix::mm::madvise(at, len, advice) }?;
        }
        NonNull::new(at.cast()).ok_or_else(|| io::Error::other("it was mapped at address 0"))
    }

    /// Addresses for so many bytes, up to a multiple of [`HUGE`] and from one on, that nobody else is given.
    fn room(len: usize) -> io::Result<*mut c_void> {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        let len = whole(len);
        let more = len.checked_add(HUGE as usize).ok_or(rustix::io::Errno::NOMEM)?;
        // SAFETY: a new mapping, wherever there is room, of nothing.
        let first =
            unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), more, ProtFlags::empty(), flags) }?;
        let before = first.addr().next_multiple_of(HUGE as usize) - first.addr();
        let at = first.wrapping_byte_add(before);
        for (from, bytes) in [(first, before), (at.wrapping_byte_add(len), HUGE as usize - before)] {
            if bytes > 0 {
                // SAFETY: what is in front and behind, of the same mapping, which nobody has seen yet.
                unsafe { rustix::mm::munmap(from, bytes) }?;
            }
        }
        Ok(at)
    }

    /// Bytes of it that take memory.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn resident(&self) -> io::Result<u64> {
        Ok(rustix::fs::fstat(&self.file)?.st_blocks.cast_unsigned() * 512)
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

    /// Shows a file, which is only read, in place of these bytes of this process's mapping, for as long as the mapping is there.
    /// `at` is a multiple of a page.
    ///
    /// # Errors
    /// They are not all inside, or the system cannot.
    ///
    /// # Safety
    /// Nobody here uses what was there, and nobody shortens the file meanwhile.
    pub unsafe fn cover(&self, at: u64, bytes: u64, file: BorrowedFd<'_>) -> io::Result<()> {
        let outside = || io::Error::new(io::ErrorKind::InvalidInput, "it is outside of the segment");
        let to =
            self.place(at, bytes).filter(|to| to.addr().is_multiple_of(HEAD as usize)).ok_or_else(outside)?;
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        // SAFETY: inside the segment's own mapping, of which the caller says that nobody uses it.
        unsafe { rustix::mm::mmap(to.cast(), bytes as usize, ProtFlags::READ, flags, file, 0) }?;
        for advice in [Advice::LinuxDontDump, Advice::LinuxDontFork] {
            // SAFETY: as for the whole mapping.
            unsafe { rustix::mm::madvise(to.cast(), bytes as usize, advice) }?;
        }
        Ok(())
    }

    pub(crate) fn first_page(&self) -> NonNull<u8> {
        self.at
    }

    pub(crate) fn head(&self) -> &Head {
        // SAFETY: the first page is mapped and aligned, zero at first, and made of atomic integers.
        unsafe { self.at.cast::<Head>().as_ref() }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: mapped by `map`; whoever has addresses from `base` does not use them any more.
        let unmapped = unsafe { rustix::mm::munmap(self.at.as_ptr().cast(), whole(self.bytes as usize)) };
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
    fn a_segment_is_in_no_core_dump_and_what_is_touched_counts() {
        let segment = Segment::create("upcall-smaps", 1 << 30).unwrap();
        let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut of_it = smaps.lines().skip_while(|line| !line.contains("memfd:upcall-smaps"));
        let flags = of_it.find(|line| line.starts_with("VmFlags")).unwrap();
        assert!(flags.contains(" dd") && flags.contains(" dc"), "{flags}");
        assert_eq!(segment.resident().unwrap(), 0);
        // SAFETY: inside a mapping that lives.
        unsafe { segment.place(1 << 20, 1).unwrap().write(1) };
        assert_eq!(segment.resident().unwrap(), 4096);
    }

    #[test]
    fn a_segment_is_as_large_as_the_limits_let_it_be() {
        let limit = |resource, bytes| {
            let before = rustix::process::getrlimit(resource);
            let current = Some(bytes);
            rustix::process::setrlimit(resource, rustix::process::Rlimit { current, ..before }).unwrap();
            move || rustix::process::setrlimit(resource, before).unwrap()
        };
        let again = limit(Resource::Fsize, 1 << 30);
        assert_eq!(Segment::create("small", 1 << 36).unwrap().bytes(), 1 << 30);
        again();
        let again = limit(Resource::Fsize, 1 << 20);
        let refused = Segment::create("small", 1 << 36).unwrap_err().to_string();
        again();
        assert!(refused.contains("raise `ulimit -v` or `ulimit -f`"), "{refused}");
        let again = limit(Resource::As, 8 << 30);
        let bytes = Segment::create("small", 1 << 36).map(|segment| segment.bytes());
        again();
        assert!((1 << 30..8 << 30).contains(&bytes.unwrap()));
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
