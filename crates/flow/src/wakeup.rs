//! Wakes a worker that sleeps. `tests/loom.rs` runs it through every order of events.

use crate::sync::{AtomicBool, Ordering::SeqCst, Thread, current, park, park_timeout};
use std::sync::OnceLock;
use std::time::Duration;

/// Both flags are swapped, never stored: on x86 it is the same instruction, and loom knows the order of swaps
/// only.
#[derive(Default)]
pub(crate) struct Wakeup {
    woken: AtomicBool,
    sleeping: AtomicBool,
    thread: OnceLock<Thread>,
}

impl Wakeup {
    /// Tells the worker to look again. What it is to find has been done before.
    #[inline]
    pub(crate) fn wake(&self) {
        self.woken.swap(true, SeqCst);
        if self.sleeping.load(SeqCst)
            && self.sleeping.swap(false, SeqCst)
            && let Some(thread) = self.thread.get()
        {
            thread.unpark();
        }
    }

    /// As [`Wakeup::wake`], if the worker sleeps. Returns whether it does.
    pub(crate) fn wake_sleeper(&self) -> bool {
        let sleeps = self.sleeping.load(SeqCst);
        if sleeps {
            self.wake();
        }
        sleeps
    }

    /// The worker's side: names the thread to wake.
    pub(crate) fn register(&self) {
        self.thread.get_or_init(current);
    }

    pub(crate) fn woken(&self) -> bool {
        self.woken.load(SeqCst)
    }

    /// Whether it was woken since this was asked last.
    pub(crate) fn take(&self) -> bool {
        self.woken.swap(false, SeqCst)
    }

    /// Sleeps until it is woken, or for as long as `patience`, unless it was woken already or `awake` says
    /// otherwise. May return early.
    ///
    /// `awake` must check every reason to wake that is not checked after each `take`, which uses the
    /// wake-up up.
    pub(crate) fn sleep(&self, awake: impl Fn() -> bool, patience: Option<Duration>) {
        self.sleeping.swap(true, SeqCst);
        // Announced before looking: what was done before is seen here, who wakes later sees `sleeping`.
        if !self.woken() && !awake() {
            match patience {
                Some(patience) => park_timeout(patience),
                None => park(),
            }
        }
        self.sleeping.swap(false, SeqCst);
    }
}
