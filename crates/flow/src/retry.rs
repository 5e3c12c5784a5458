//! Items that are tried again, each after a wait that doubles with every failure.

use crate::parcel::Delivery;
use std::collections::BTreeMap;
use std::time::Duration;
use upcall_abi::Item;

/// No wait is longer, unless `retry_delay` itself is.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

/// An item that is tried again.
pub(crate) struct Retry {
    /// One item, with memory of its own.
    pub(crate) delivery: Delivery,
    pub(crate) failures: u32,
    /// How often the guest has died that had this item alone.
    pub(crate) losses: u32,
    /// Whether the guest has died that had this item, among others.
    pub(crate) suspect: bool,
}

impl Retry {
    /// An item that has not been tried, or whose first try says nothing of it.
    pub(crate) fn new(delivery: Delivery) -> Retry {
        Retry { delivery, failures: 0, losses: 0, suspect: false }
    }

    pub(crate) fn item(&self) -> &Item {
        &self.delivery.items[0]
    }

    /// How often it has been tried in vain.
    pub(crate) fn tries(&self) -> u32 {
        self.failures + self.losses
    }
}

/// The retries of one handler on one worker, in order of when they are due.
#[derive(Default)]
pub(crate) struct Retries {
    /// By when they are due, in nanoseconds since the flow's start, and by when they came.
    waiting: BTreeMap<(u64, u64), Retry>,
    came: u64,
}

impl Retries {
    pub(crate) fn push(&mut self, due: u64, retry: Retry) {
        self.came += 1;
        self.waiting.insert((due, self.came), retry);
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// When the first one is due.
    pub(crate) fn due(&self) -> Option<u64> {
        self.waiting.first_key_value().map(|((due, _), _)| *due)
    }

    /// The first one, if it is due.
    pub(crate) fn pop(&mut self, now: u64) -> Option<Retry> {
        let first = self.waiting.first_entry().filter(|first| first.key().0 <= now)?;
        Some(first.remove())
    }
}

/// How long an item waits after so many failures, in nanoseconds: `delay`, then twice as long each time, up to
/// [`LONGEST`]. Of that, what `seed` says between a half and all, so that what failed together does not come
/// back together.
pub(crate) fn wait(delay: Duration, failures: u32, seed: u64) -> u64 {
    let doubled = delay.saturating_mul(1 << failures.saturating_sub(1).min(31));
    let whole = doubled.min(LONGEST.max(delay)).as_nanos().min(u64::MAX.into()) as u64;
    // Fibonacci hashing: the high bits of the product depend on all bits of the seed.
    let share = (seed ^ u64::from(failures)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    whole / 2 + ((u128::from(whole / 2) * u128::from(share)) >> 32) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_doubles_up_to_the_longest_and_is_shortened_by_no_more_than_half() {
        let delay = Duration::from_millis(100);
        for seed in 0..1000 {
            for (failures, whole) in
                [(1, 100), (2, 200), (5, 1600), (10, 51_200), (11, 60_000), (1000, 60_000)]
            {
                let millis = wait(delay, failures, seed) / 1_000_000;
                assert!((whole / 2 - 1..=whole).contains(&millis), "{failures}: {millis}");
            }
        }
        assert!(wait(Duration::from_secs(300), 9, 7) >= 150_000_000_000, "a longer delay is kept");
        assert_eq!(wait(Duration::ZERO, 9, 7), 0);
    }

    #[test]
    fn waits_of_items_that_failed_together_differ() {
        let mut waits: Vec<u64> = (0..100).map(|seed| wait(Duration::from_secs(1), 1, seed)).collect();
        waits.sort_unstable();
        waits.dedup();
        assert!(waits.len() > 90, "{waits:?}");
    }
}
