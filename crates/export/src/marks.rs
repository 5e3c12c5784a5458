//! Which handles the calls of each thread use, in memory of its own: what a call writes there costs it nothing, where counting
//! itself in the handle takes two locked instructions. Those wait until all that the call has written is out of the processor,
//! such as the message that it has just copied: 90 ns, measured at 4 KiB with `cargo xtask bench mpi`.
//!
//! Who releases such a handle pays instead: it has each processor that runs a thread of this process write out what it has
//! (`membarrier`), and looks through the marks of all threads.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering, compiler_fence};
use std::sync::{Mutex, PoisonError};

/// How many calls a thread may have within each other, of those that mark: others count.
const DEEP: usize = 4;

/// The handles that a thread's calls use, or null.
struct Marks {
    handles: [AtomicPtr<()>; DEEP],
    /// Whether its thread has ended, and another may have it.
    is_free: AtomicBool,
}

/// Those of all threads, which are never freed.
static ALL: Mutex<Vec<&'static Marks>> = Mutex::new(Vec::new());

/// Those of one thread, from its first call on.
struct Mine(Cell<Option<&'static Marks>>);

thread_local! {
    static MINE: Mine = const { Mine(Cell::new(None)) };
}

impl Mine {
    #[cold]
    fn begin(&self) -> Option<&'static Marks> {
        if !barrier::is_there() {
            return None;
        }
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let free = all.iter().find(|marks| marks.is_free.swap(false, Ordering::Acquire)).copied();
        let marks = free.unwrap_or_else(|| {
            let handles = [const { AtomicPtr::new(ptr::null_mut()) }; DEEP];
            let made: &'static Marks =
                Box::leak(Box::new(Marks { handles, is_free: AtomicBool::new(false) }));
            all.push(made);
            made
        });
        self.0.set(Some(marks));
        Some(marks)
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        if let Some(marks) = self.0.take() {
            marks.is_free.store(true, Ordering::Release);
        }
    }
}

/// That a call uses a handle.
#[derive(Clone, Copy)]
pub(crate) struct Mark(&'static AtomicPtr<()>);

impl Mark {
    /// Marks a handle; none where the system has no such barrier, the thread ends, or it has too many calls within each other.
    #[inline]
    pub(crate) fn put(handle: *const ()) -> Option<Mark> {
        let mark = MINE.try_with(|mine| {
            let marks = match mine.0.get() {
                Some(marks) => marks,
                None => mine.begin()?,
            };
            let place = marks.handles.iter().find(|place| place.load(Ordering::Relaxed).is_null())?;
            place.store(handle.cast_mut(), Ordering::Relaxed);
            Some(Mark(place))
        });
        // What follows looks whether it was released: whoever releases it has the processor do that after the mark.
        compiler_fence(Ordering::SeqCst);
        mark.ok().flatten()
    }

    /// Takes it away.
    #[inline]
    pub(crate) fn take(self) {
        self.0.store(ptr::null_mut(), Ordering::Release);
        // As above.
        compiler_fence(Ordering::SeqCst);
    }
}

/// Takes a released handle, unless a call uses it: that one looks when it ends, and comes here itself.
///
/// All that are taken are taken under one lock. Otherwise another could take this one after the look, and it be made anew, marked
/// and released again before `take`.
#[cold]
pub(crate) fn take_unmarked(
    handle: *const (),
    is_released: impl FnOnce() -> bool,
    take: impl FnOnce() -> bool,
) -> bool {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if !is_released() {
        return false;
    }
    let is_marked = || {
        let is = |place: &AtomicPtr<()>| ptr::addr_eq(place.load(Ordering::Acquire), handle);
        all.iter().any(|marks| marks.handles.iter().any(is))
    };
    // Where the barrier is refused, as by a filter of system calls, nobody knows: its value stays.
    (all.is_empty() || (barrier::pass() && !is_marked())) && take()
}

/// A barrier for all threads of this process that run.
#[cfg(all(target_os = "linux", not(miri)))]
mod barrier {
    use std::sync::LazyLock;

    /// Whether this process has said that it wants one.
    static THERE: LazyLock<bool> = LazyLock::new(|| call(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED));

    pub(super) fn is_there() -> bool {
        *THERE
    }

    /// Returns when each has passed one.
    pub(super) fn pass() -> bool {
        call(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED)
    }

    fn call(command: libc::c_int) -> bool {
        // SAFETY: it touches no memory.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }
}

/// There is none: calls count themselves.
#[cfg(not(all(target_os = "linux", not(miri))))]
mod barrier {
    pub(super) fn is_there() -> bool {
        false
    }

    pub(super) fn pass() -> bool {
        true
    }
}
