use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds since the Unix epoch.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// Gives a pool's versions and times: versions without a gap from 1 on, times never backward.
#[derive(Default)]
pub(crate) struct Versions(Mutex<(u64, u64)>);

impl Versions {
    /// The first of `count` versions, and their time: `now`, or the last time given where the machine's
    /// clock was put back.
    pub(crate) fn take(&self, count: u64, now: u64) -> (u64, u64) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = last.0 + 1;
        last.0 += count;
        last.1 = last.1.max(now);
        (first, last.1)
    }
}
