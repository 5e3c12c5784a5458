//! What is in flight: counted over all that an object leads to, waited for at ingress only. `tests/loom.rs`
//! runs it through every order of events.
//!
//! How much may be in flight follows the handlers. By Little's law what is in flight is the rate at which it
//! is handled times how long it waits, so a bound on the wait is a bound on what is in flight, in whatever the
//! handlers do meanwhile. As in TCP Vegas (Brakmo and Peterson 1995) the delay is the signal, and as in CoDel
//! (RFC 8289) it is measured on what comes out of a queue: the time from when a parcel was begun until its
//! batch was handled. A wait beyond the target takes the limit down, to the share of it that would have waited
//! for as long as the target: of the limit under which the objects were sent, as it takes a wait until a change
//! can be seen. While waits are less than half the target and the limit is in the way it doubles, from few
//! objects on.

use crate::spec::Credit;
use crate::sync::{AtomicU64, Ordering::SeqCst};
use crate::waiters::Waiters;

/// Objects that may be in flight when nothing is known of the handlers.
const FIRST: u64 = 256;

/// Objects for each worker that may always be in flight: with fewer some of the workers would have nothing to
/// do, as keys are not spread evenly.
const LEAST: u64 = 8;

/// Objects from outside, and their bytes, that are counted together where the credit is not small: most puts do without
/// the two locked additions, each of which takes as long as all that a put looks at.
const UNCOUNTED: (u64, u64) = (32, 4096);

/// On cache lines of its own, as every put changes it.
#[repr(align(128))]
pub(crate) struct InFlight {
    bytes: AtomicU64,
    items: AtomicU64,
    /// Of the items, those that keep no worker busy: they wait for a retry or an answer, their own or that of one before them
    /// with the same key.
    aside: AtomicU64,
    peak: AtomicU64,
    /// What may be in flight, however quick the handlers are.
    most: Credit,
    /// Objects that may be in flight now.
    limit: AtomicU64,
    least: u64,
    /// Bits of the number of workers, each of which may leave some uncounted.
    inboxes: u32,
    /// How long an object may wait for one handler, in nanoseconds; 0 for as long as it likes.
    target: u64,
    /// When it began to change, and what it was before; from when on it may grow. In nanoseconds since the flow's
    /// start.
    changed: AtomicU64,
    before: AtomicU64,
    calm_from: AtomicU64,
    /// Those who wait for credit, or for an idle flow.
    pub(crate) waiters: Waiters,
}

impl InFlight {
    pub(crate) fn new(most: Credit, target: u64, workers: usize) -> InFlight {
        let least = (LEAST * workers as u64).min(most.items);
        let first = if target == 0 { most.items } else { FIRST.clamp(least, most.items) };
        InFlight {
            bytes: AtomicU64::new(0),
            items: AtomicU64::new(0),
            aside: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            most,
            limit: AtomicU64::new(first),
            least,
            inboxes: workers.next_power_of_two().ilog2(),
            target,
            changed: AtomicU64::new(0),
            before: AtomicU64::new(first),
            calm_from: AtomicU64::new(0),
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

    /// Objects that may be in flight now.
    #[inline]
    pub(crate) fn limit(&self) -> u64 {
        self.limit.load(SeqCst)
    }

    /// Whether one more object may come in from outside.
    #[inline]
    pub(crate) fn open(&self) -> bool {
        let items = self.items.load(SeqCst);
        (items < self.limit() || items < self.limit_beside()) && self.bytes.load(SeqCst) < self.most.bytes
    }

    /// The limit for all items: those that wait for a retry keep no handler busy, and none of the others up.
    fn limit_beside(&self) -> u64 {
        (self.limit() + self.aside.load(SeqCst)).min(self.most.items)
    }

    /// So many items begin to wait for a retry.
    pub(crate) fn set_aside(&self, items: usize) {
        self.aside.fetch_add(items as u64, SeqCst);
        if self.waiters.any() && self.open() {
            self.waiters.wake();
        }
    }

    /// So many items wait for a retry no longer.
    pub(crate) fn take_up(&self, items: usize) {
        self.aside.fetch_sub(items as u64, SeqCst);
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

    /// How many objects and bytes from outside one inbox may leave uncounted: few beside the credit.
    #[inline]
    pub(crate) fn uncounted(&self) -> (u64, u64) {
        let (items, bytes) = UNCOUNTED;
        ((self.limit() >> (7 + self.inboxes)).min(items), (self.most.bytes >> (10 + self.inboxes)).min(bytes))
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

    /// A batch is handled, from `begun` to `ended`, whose first object was sent at `sent`. Called before the batch
    /// is counted out. `short` says whether all that is queued now will be handled before long: what has come out of
    /// one queue says nothing of the others.
    pub(crate) fn waited(&self, sent: u64, begun: u64, ended: u64, short: impl FnOnce(u64) -> bool) {
        let (target, delay, limit) = (self.target, ended.saturating_sub(sent), self.limit());
        if target == 0 {
            return;
        }
        let news = sent > self.changed.load(SeqCst);
        if delay > target / 2 {
            // Other workers may be quick meanwhile: nothing grows before this one can have been heard again.
            self.calm_from.fetch_max(ended + 4 * target + 2 * (ended - begun), SeqCst);
            let then = if news { limit } else { self.before.load(SeqCst) };
            let to = ((then as f64 * (target as f64 / delay as f64)) as u64).max(self.least);
            if to < limit {
                self.limit.swap(to, SeqCst);
                if news {
                    self.begin(limit, ended);
                }
            }
        } else if news
            && limit < self.most.items
            && self.items() >= limit / 2
            && ended > self.calm_from.load(SeqCst)
            && short(target / 2)
        {
            self.limit.swap((2 * limit).min(self.most.items), SeqCst);
            self.begin(limit, ended);
            self.waiters.wake();
        }
    }

    /// What is sent from now on is sent under another limit. Two workers may change it at once: one of the two
    /// changes is as good as the other.
    fn begin(&self, before: u64, now: u64) {
        self.before.swap(before, SeqCst);
        self.changed.swap(now, SeqCst);
    }
}
