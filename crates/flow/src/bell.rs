//! Wakes a worker that sleeps. `tests/loom.rs` runs it through every order of events.

use crate::sync::{AtomicBool, Ordering::SeqCst, Thread, current, park};
use std::sync::OnceLock;

/// Both flags are swapped, never stored: on x86 it is the same instruction, and loom knows the order of swaps
/// only.
#[derive(Default)]
pub(crate) struct Bell {
    rung: AtomicBool,
    sleeping: AtomicBool,
    thread: OnceLock<Thread>,
}

impl Bell {
    /// Tells the worker to look again. What it is to find has been done before.
    pub(crate) fn ring(&self) {
        self.rung.swap(true, SeqCst);
        if self.sleeping.load(SeqCst)
            && self.sleeping.swap(false, SeqCst)
            && let Some(thread) = self.thread.get()
        {
            thread.unpark();
        }
    }

    /// The worker's side: names the thread to wake.
    pub(crate) fn attend(&self) {
        self.thread.get_or_init(current);
    }

    pub(crate) fn rung(&self) -> bool {
        self.rung.load(SeqCst)
    }

    /// Whether it has rung since this was asked last.
    pub(crate) fn answer(&self) -> bool {
        self.rung.swap(false, SeqCst)
    }

    /// Sleeps until it rings, unless it has rung or `awake` says otherwise. May return early.
    ///
    /// `awake` must look at whatever a ring may be for that is not looked at behind each `answer`, which
    /// uses the ring up.
    pub(crate) fn sleep(&self, awake: impl Fn() -> bool) {
        self.sleeping.swap(true, SeqCst);
        // Announced before looking: what was done before is seen here, who rings later sees `sleeping`.
        if !self.rung() && !awake() {
            park();
        }
        self.sleeping.swap(false, SeqCst);
    }
}
