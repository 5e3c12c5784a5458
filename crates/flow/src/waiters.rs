//! Threads that wait for something to become true. `tests/loom.rs` runs it through every order of events.

use crate::sync::{AtomicUsize, Condvar, Mutex, Ordering::SeqCst};
use std::sync::PoisonError;

pub(crate) struct Waiters {
    count: AtomicUsize,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Waiters {
    pub(crate) fn new() -> Waiters {
        Waiters { count: AtomicUsize::new(0), lock: Mutex::new(()), changed: Condvar::new() }
    }

    /// Whether anybody waits.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.count.load(SeqCst) > 0
    }

    /// Lets all who wait look again. What they are to find has been done before.
    pub(crate) fn wake(&self) {
        if self.any() {
            drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
            self.changed.notify_all();
        }
    }

    /// Waits until `ready` says so. It is asked again after each [`Waiters::wake`].
    pub(crate) fn wait(&self, mut ready: impl FnMut() -> bool) {
        if ready() {
            return;
        }
        self.count.fetch_add(1, SeqCst);
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        // Announced before asking again, so whoever changes something after this question sees the waiter
        // and, needing the lock, cannot notify before the wait has begun.
        while !ready() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        drop(guard);
        self.count.fetch_sub(1, SeqCst);
    }
}
