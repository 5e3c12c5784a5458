//! Memory of windows whose addresses another language has seen: its views of it may outlive the window, and whoever touches one
//! would end the process. What takes the memory's place is nobody's.

use crate::ending::Unended;
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// What was shown of which window: addresses and bytes.
static SHOWN: Mutex<Vec<(Unended, usize, usize)>> = Mutex::new(Vec::new());

/// The address of a window's memory is about to be told.
pub(super) fn shown(of: Unended, address: usize, bytes: usize) {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if bytes > 0 && !shown.contains(&(of, address, bytes)) {
        shown.push((of, address, bytes));
    }
}

/// Whether that of a window was told. A single rank's is MPI's `malloc`, in whose hands nothing could take its place: such a window
/// stays until MPI is finalized.
pub(super) fn is_shown(window: Unended) -> bool {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|(of, ..)| *of == window)
}

/// A window is no more: where its memory was, and nothing else has come to be, there are zeroes from now on.
pub(crate) fn freed(window: Unended) {
    // SAFETY: it may be asked at any time.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut pages = Vec::new();
    shown.retain(|(of, address, bytes)| {
        if *of == window {
            pages.push((*address & !(page - 1), (*address + *bytes).next_multiple_of(page)));
        }
        *of != window
    });
    // The memory of ranks that share a window lies side by side, and need not begin with a page.
    pages.sort_unstable();
    let mut apart: Vec<(usize, usize)> = Vec::new();
    for (first, end) in pages {
        match apart.last_mut() {
            Some(last) if first <= last.1 => last.1 = last.1.max(end),
            _ => apart.push((first, end)),
        }
    }
    for (first, end) in apart {
        fill(first, end - first);
    }
}

/// Whole pages.
fn fill(first: usize, size: usize) {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: nothing that is there is replaced.
    unsafe {
        let made = libc::mmap(ptr::without_provenance_mut(first), size, protection, flags, -1, 0);
        // A system that does not know the flag has put it elsewhere.
        if made != libc::MAP_FAILED && made.addr() != first {
            libc::munmap(made, size);
        }
    }
}
