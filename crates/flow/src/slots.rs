//! How many calls of a handler that answers later may be open, over all its workers. `tests/loom.rs` runs it through every
//! order of events.

use crate::sync::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// Calls that are open, of a handler that answers later.
pub(crate) struct Slots {
    most: usize,
    open: AtomicUsize,
    /// Whether a worker has found none free, and sleeps or is about to.
    wanted: AtomicBool,
}

impl Slots {
    pub(crate) fn new(most: usize) -> Slots {
        Slots { most, open: AtomicUsize::new(0), wanted: AtomicBool::new(false) }
    }

    /// Whether none is free. Whoever frees one says so from then on: [`Slots::give`].
    pub(crate) fn full(&self) -> bool {
        if self.open.load(SeqCst) < self.most {
            return false;
        }
        // Announced before looking again, so that whoever frees one meanwhile sees it.
        self.wanted.swap(true, SeqCst);
        self.open.load(SeqCst) >= self.most
    }

    /// Takes one, if one is free or it is needed `now`.
    pub(crate) fn take(&self, now: bool) -> bool {
        let more = |open| (now || open < self.most).then_some(open + 1);
        self.open.fetch_update(SeqCst, SeqCst, more).is_ok()
    }

    /// Frees one. Returns whether a worker is to be told.
    pub(crate) fn give(&self) -> bool {
        self.open.fetch_sub(1, SeqCst);
        self.wanted.load(SeqCst) && self.wanted.swap(false, SeqCst)
    }
}
