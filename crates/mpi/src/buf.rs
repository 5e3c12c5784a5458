//! Buffers on huge pages: what MPIs copy from process to process they copy page by page.

use crate::error::{Error, ErrorKind};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use upcall_abi::Blit;

/// A huge page of x86-64, and of Arm with pages of 4 KiB.
const HUGE: usize = 2 << 20;

/// Elements on huge pages of 2 MiB, which MPIs move faster than memory of `malloc`: between processes of one machine 1.8 times
/// at 64 KiB and 3 times at 1 MiB, measured under Open MPI 4.1.4 and MPICH 4.0.2.
///
/// It is a slice of fixed length, zero at first, whose memory begins at a huge page and is a whole number of them: it is for few
/// large buffers that are used often, not for many small ones. Where the system has no huge pages to give, it lies on
/// ordinary ones and is used all the same; [`has_huge_pages`](Buf::has_huge_pages) tells. Before and behind it lies a page that
/// nobody may touch.
///
/// ```
/// # use upcall_mpi::Buf;
/// let mut numbers = Buf::<f64>::zeroed(1 << 17)?;
/// numbers[5] = 1.5;
/// assert_eq!(numbers.iter().sum::<f64>(), 1.5);
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
pub struct Buf<T: Blit> {
    /// The first element.
    data: NonNull<T>,
    length: usize,
    /// What is reserved: more than the elements have, and nothing where they have no bytes.
    region: Region,
}

// SAFETY: it owns its elements, as a `Vec` does.
unsafe impl<T: Blit + Send> Send for Buf<T> {}
// SAFETY: as above; shared, it gives shared elements.
unsafe impl<T: Blit + Sync> Sync for Buf<T> {}

impl<T: Blit> Buf<T> {
    /// One of `length` elements, all zero.
    ///
    /// # Errors
    /// There is no room for as many, or the type is aligned to more than 2 MiB.
    pub fn zeroed(length: usize) -> Result<Buf<T>, Error> {
        let failed = |why: &str| {
            let message = format!("make a buffer of {length} elements of {} bytes: {why}", size_of::<T>());
            Error::new(ErrorKind::Count, message)
        };
        if align_of::<T>() > HUGE {
            return Err(failed("they are aligned to more than the 2 MiB of a huge page"));
        }
        let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
        let bytes = bytes.ok_or_else(|| failed("an address counts fewer bytes"))?;
        if bytes == 0 {
            return Ok(Buf { data: NonNull::dangling(), length, region: Region::NONE });
        }
        let (region, data) = Region::new(bytes).map_err(|error| failed(&error.to_string()))?;
        Ok(Buf { data: data.cast(), length, region })
    }

    /// A copy of elements.
    ///
    /// # Errors
    /// As [`zeroed`](Buf::zeroed).
    pub fn from_slice(elements: &[T]) -> Result<Buf<T>, Error> {
        let mut made = Buf::zeroed(elements.len())?;
        made.copy_from_slice(elements);
        Ok(made)
    }

    /// Gives its pages back to the system: it is all zero then. Whether the system has taken them.
    #[doc(hidden)]
    pub fn discard(&mut self) -> bool {
        let bytes = size_of_val(&**self).next_multiple_of(HUGE);
        // SAFETY: whole pages of this buffer's, which are as new ones then; of no bytes there is nothing to give back.
        self.region.size > 0
            && unsafe { libc::madvise(self.data.as_ptr().cast(), bytes, libc::MADV_DONTNEED) } == 0
    }

    /// Whether all of its elements lie on huge pages. Those that were never written lie nowhere yet.
    ///
    /// It reads what the system says of all memory of the process: for a look, not for a loop.
    #[must_use]
    pub fn has_huge_pages(&self) -> bool {
        self.lies_on_huge_pages(size_of_val(&**self))
    }

    /// The same of its first bytes.
    #[doc(hidden)]
    #[must_use]
    pub fn lies_on_huge_pages(&self, bytes: usize) -> bool {
        let huge = || huge_bytes(self.data.as_ptr().addr());
        self.region.size > 0 && huge().is_some_and(|found| found >= bytes)
    }
}

/// How many bytes of the mapping that begins here lie on huge pages.
fn huge_bytes(begin: usize) -> Option<usize> {
    let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
    // Guards on both sides make it a mapping of its own.
    let head = format!("{begin:x}-");
    let of = maps.lines().skip_while(|line| !line.starts_with(&head));
    let huge = of.take(32).find_map(|line| line.strip_prefix("AnonHugePages:"))?;
    Some(huge.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// Addresses that are reserved: a guard, whole huge pages, and a guard.
struct Region {
    begin: *mut libc::c_void,
    size: usize,
}

impl Region {
    const NONE: Region = Region { begin: ptr::null_mut(), size: 0 };

    /// One with so many bytes that may be used, and where they are.
    fn new(bytes: usize) -> Result<(Region, NonNull<u8>), std::io::Error> {
        // Room to begin at a huge page, and on each side a page that stays as it is.
        const GUARD: usize = 1 << 16;
        let usable = bytes.checked_next_multiple_of(HUGE);
        let size = usable.and_then(|usable| usable.checked_add(HUGE + 2 * GUARD));
        let (Some(usable), Some(size)) = (usable, size) else {
            return Err(std::io::Error::from(std::io::ErrorKind::OutOfMemory));
        };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: new addresses, which nobody else has.
        let begin = unsafe { libc::mmap(ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
        if begin == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        let region = Region { begin, size };
        let first = (begin.addr() + GUARD).next_multiple_of(HUGE);
        let data = begin.cast::<u8>().wrapping_add(first - begin.addr());
        // SAFETY: part of what was just reserved.
        if unsafe { libc::mprotect(data.cast(), usable, libc::PROT_READ | libc::PROT_WRITE) } != 0 {
            return Err(std::io::Error::last_os_error());
        }
        // Advice: where it is not taken, the pages are ordinary ones.
        // SAFETY: as above.
        unsafe { libc::madvise(data.cast(), usable, libc::MADV_HUGEPAGE) };
        let data = NonNull::new(data).ok_or(std::io::ErrorKind::OutOfMemory)?;
        Ok((region, data))
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if self.size > 0 {
            // By the C library, in which MPIs listen for memory that goes: they may have registered it with a network's card.
            // SAFETY: it was reserved by `new`, and whoever had it has it no more.
            unsafe { libc::munmap(self.begin, self.size) };
        }
    }
}

impl<T: Blit> Deref for Buf<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: as many elements are there, and any bytes are one.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.length) }
    }
}

impl<T: Blit> DerefMut for Buf<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; they are this buffer's alone.
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), self.length) }
    }
}

impl<T: Blit> Clone for Buf<T> {
    /// # Panics
    /// There is no room; [`from_slice`](Buf::from_slice) says so instead.
    fn clone(&self) -> Buf<T> {
        Buf::from_slice(self).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<T: Blit + fmt::Debug> fmt::Debug for Buf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Blit + PartialEq> PartialEq for Buf<T> {
    fn eq(&self, other: &Buf<T>) -> bool {
        **self == **other
    }
}

impl<T: Blit> Default for Buf<T> {
    /// One without elements, and without memory.
    fn default() -> Buf<T> {
        Buf { data: NonNull::dangling(), length: 0, region: Region::NONE }
    }
}

impl<T: Blit> AsRef<[T]> for Buf<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T: Blit> AsMut<[T]> for Buf<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C, align(4096))]
    #[derive(Clone, Copy)]
    struct Page([u8; 4096]);

    // SAFETY: bytes, without padding.
    unsafe impl Blit for Page {
        const NAME: &'static str = "Page";
        const FIELDS: &'static [upcall_abi::Field] = &[];
        const PADDED: bool = false;
    }

    #[test]
    fn it_is_zero_at_first_and_holds_what_it_is_given() {
        for length in [1, 3, HUGE / 8, HUGE / 8 + 1] {
            let mut made = Buf::<u64>::zeroed(length).unwrap();
            assert!(made.as_ptr().addr().is_multiple_of(HUGE) && made.iter().all(|number| *number == 0));
            for (index, element) in made.iter_mut().enumerate() {
                *element = index as u64;
            }
            let copy = made.clone();
            made[0] = 7;
            assert!(copy.iter().enumerate().all(|(index, element)| *element == index as u64));
            assert_eq!(made[1..], copy[1..]);
            assert_ne!(made, copy);
        }
    }

    #[test]
    fn elements_without_bytes_and_too_many_of_them_are_no_trouble() {
        assert_eq!(Buf::<[u64; 0]>::zeroed(usize::MAX).unwrap().len(), usize::MAX);
        assert!(Buf::<u8>::from_slice(&[]).unwrap().is_empty());
        for length in [usize::MAX, usize::MAX / 8, isize::MAX as usize / 8] {
            assert_eq!(Buf::<u64>::zeroed(length).unwrap_err().kind(), ErrorKind::Count);
        }
        assert!(Buf::<Page>::zeroed(3).unwrap().as_ptr().is_aligned());
    }

    #[test]
    fn what_was_written_lies_on_huge_pages_where_the_system_gives_any() {
        let lies_there = || {
            let mut made = Buf::<u8>::zeroed(2 * HUGE).unwrap();
            assert!(!made.has_huge_pages(), "nothing was written yet");
            made.fill(1);
            made.has_huge_pages()
        };
        let enabled =
            std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
        if enabled.contains("[always]") || enabled.contains("[madvise]") {
            // Where memory is in small pieces at the moment, some are given none.
            let given = (0..100).any(|_| {
                lies_there() || {
                    std::thread::sleep(std::time::Duration::from_millis(50));
                    false
                }
            });
            assert!(given, "{enabled}");
        } else {
            assert!(!lies_there(), "{enabled}");
        }
    }
}
