use std::sync::atomic::{AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds since the Unix epoch.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// Gives a pool's versions and times: versions without a gap from 1 on, times never backward.
pub(crate) struct Versions {
    last: Mutex<(u64, u64)>,
    /// By owner of keys: the first version of the batch that it is storing, 0 for none.
    storing: Box<[AtomicU64]>,
}

impl Versions {
    /// `owners` of keys may each store one batch at a time.
    pub(crate) fn new(owners: usize) -> Versions {
        Versions { last: Mutex::default(), storing: (0..owners).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The first of `count` versions, and their time: `now`, or the last time given where the machine's
    /// clock was put back.
    ///
    /// Whoever stores them without the lock of their key begins a batch first.
    pub(crate) fn take(&self, count: u64, now: u64) -> (u64, u64) {
        self.take_then(count, now, |_| ())
    }

    /// As [`Versions::take`], for a batch that is stored until what is returned is dropped.
    pub(crate) fn begin(&self, owner: usize, count: u64, now: u64) -> (u64, u64, Storing<'_>) {
        let storing = &self.storing[owner];
        // Before anybody can take a later version, and so before anybody can see one.
        let (first, time) = self.take_then(count, now, |first| storing.store(first, Relaxed));
        (first, time, Storing(storing))
    }

    #[inline]
    fn take_then(&self, count: u64, now: u64, then: impl FnOnce(u64)) -> (u64, u64) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let first = last.0 + 1;
        last.0 += count;
        last.1 = last.1.max(now);
        then(first);
        (first, last.1)
    }

    /// Waits until every version up to one that somebody has seen is stored. Storing waits for no handler.
    pub(crate) fn wait_until_stored(&self, seen: u64) {
        for storing in &self.storing {
            let first = storing.load(Acquire);
            while first != 0 && first <= seen && storing.load(Acquire) == first {
                std::thread::yield_now();
            }
        }
    }
}

/// A batch of versions that are given and not all stored yet.
pub(crate) struct Storing<'a>(&'a AtomicU64);

impl Drop for Storing<'_> {
    fn drop(&mut self) {
        self.0.store(0, Release);
    }
}
