//! What is in flight: counted over all that an object leads to, waited for at ingress only. `tests/loom.rs`
//! runs it through every order of events.

use crate::spec::Credit;
use crate::sync::{AtomicU64, AtomicUsize, Condvar, Mutex, Ordering::SeqCst};
use std::sync::PoisonError;

pub(crate) struct InFlight {
    bytes: AtomicU64,
    items: AtomicU64,
    peak: AtomicU64,
    limit: Credit,
    waiting: AtomicUsize,
    lock: Mutex<()>,
    changed: Condvar,
}

impl InFlight {
    pub(crate) fn new(limit: Credit) -> InFlight {
        InFlight {
            bytes: AtomicU64::new(0),
            items: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            limit,
            waiting: AtomicUsize::new(0),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(SeqCst)
    }

    pub(crate) fn items(&self) -> u64 {
        self.items.load(SeqCst)
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(SeqCst)
    }

    pub(crate) fn idle(&self) -> bool {
        self.items.load(SeqCst) == 0
    }

    /// Whether one more object may come in from outside.
    #[inline]
    pub(crate) fn open(&self) -> bool {
        self.items.load(SeqCst) < self.limit.items && self.bytes.load(SeqCst) < self.limit.bytes
    }

    /// Counts objects in; returns the bytes now in flight.
    #[inline]
    pub(crate) fn add(&self, items: u64, bytes: u64) -> u64 {
        self.items.fetch_add(items, SeqCst);
        let now = self.bytes.fetch_add(bytes, SeqCst) + bytes;
        if now > self.peak.load(SeqCst) {
            self.peak.fetch_max(now, SeqCst);
        }
        now
    }

    /// Counts objects out. What they led to has been counted in before.
    #[inline]
    pub(crate) fn sub(&self, items: u64, bytes: u64) {
        self.bytes.fetch_sub(bytes, SeqCst);
        self.items.fetch_sub(items, SeqCst);
        if self.waiting.load(SeqCst) > 0 && (self.idle() || self.open()) {
            self.wake();
        }
    }

    /// Wakes whoever waits, to look again.
    pub(crate) fn wake(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Waits until `ready` says so. It is asked again after each change.
    pub(crate) fn wait(&self, mut ready: impl FnMut() -> bool) {
        if ready() {
            return;
        }
        self.waiting.fetch_add(1, SeqCst);
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        // Announced before asking again, so a `sub` that comes after this question sees the waiter and,
        // needing the lock, cannot notify before the wait has begun.
        while !ready() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        drop(guard);
        self.waiting.fetch_sub(1, SeqCst);
    }
}
