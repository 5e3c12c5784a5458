//! What is in flight: counted over all that an object leads to, waited for at ingress only. `tests/loom.rs`
//! runs it through every order of events.

use crate::spec::Credit;
use crate::sync::{AtomicU64, Ordering::SeqCst};
use crate::waiters::Waiters;

pub(crate) struct InFlight {
    bytes: AtomicU64,
    items: AtomicU64,
    peak: AtomicU64,
    limit: Credit,
    /// Those who wait for credit, or for an idle flow.
    pub(crate) waiters: Waiters,
}

impl InFlight {
    pub(crate) fn new(limit: Credit) -> InFlight {
        InFlight {
            bytes: AtomicU64::new(0),
            items: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            limit,
            waiters: Waiters::new(),
        }
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

    /// Counts objects in.
    #[inline]
    pub(crate) fn add(&self, items: u64, bytes: u64) {
        self.items.fetch_add(items, SeqCst);
        let now = self.bytes.fetch_add(bytes, SeqCst) + bytes;
        if now > self.peak.load(SeqCst) {
            self.peak.fetch_max(now, SeqCst);
        }
    }

    /// Counts objects out. What they led to has been counted in before.
    #[inline]
    pub(crate) fn sub(&self, items: u64, bytes: u64) {
        self.bytes.fetch_sub(bytes, SeqCst);
        self.items.fetch_sub(items, SeqCst);
        if self.waiters.any() && (self.idle() || self.open()) {
            self.waiters.wake();
        }
    }
}
