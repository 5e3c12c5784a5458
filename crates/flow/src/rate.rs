//! How many items a handler may be handed over in a second, over all its workers.

use crate::spec::OnSpec;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Items that were not handed over in so many nanoseconds are made up for; older ones are not.
const MADE_UP: u64 = 10_000_000;

/// Items a second, evenly: the generic cell rate algorithm (ITU-T I.371), which keeps one time, that of the next item.
pub(crate) struct Rate {
    /// Nanoseconds from one item to the next.
    each: u64,
    /// Nanoseconds since the flow's start.
    next: AtomicU64,
}

impl Rate {
    pub(crate) fn of(spec: &OnSpec) -> Option<Rate> {
        let each = |rate: f64| Rate { each: ((1e9 / rate) as u64).max(1), next: AtomicU64::new(0) };
        spec.rate.map(each)
    }

    /// Items that may be handed over now.
    pub(crate) fn allows(&self, now: u64) -> usize {
        let from = self.from(now);
        if from > now { 0 } else { 1 + ((now - from) / self.each) as usize }
    }

    /// When one may be handed over again.
    pub(crate) fn next(&self) -> u64 {
        self.next.load(Relaxed)
    }

    /// So many are. Workers that do so at once may be a few too many, which the next wait for.
    pub(crate) fn spend(&self, items: usize, now: u64) {
        let _ = self.next.fetch_update(Relaxed, Relaxed, |next| {
            Some(next.max(now.saturating_sub(MADE_UP)).saturating_add(self.each.saturating_mul(items as u64)))
        });
    }

    fn from(&self, now: u64) -> u64 {
        self.next().max(now.saturating_sub(MADE_UP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(rate: f64) -> Rate {
        Rate::of(&OnSpec { rate: Some(rate), ..OnSpec::new("a", "/a") }).unwrap()
    }

    #[test]
    fn items_come_evenly_and_what_was_missed_is_made_up_for_a_moment_only() {
        let rate = rate(1000.0);
        let start = 1_000_000_000;
        assert_eq!(rate.allows(start), 11, "what 10 ms would have had, and one");
        rate.spend(11, start);
        assert_eq!((rate.allows(start), rate.next()), (0, start + 1_000_000));
        assert_eq!(rate.allows(start + 1_000_000), 1);
        assert_eq!(rate.allows(start + 3_500_000), 3);
        rate.spend(3, start + 3_500_000);
        assert_eq!(rate.allows(start + 3_999_999), 0);
        assert_eq!(rate.allows(start + 4_000_000), 1);
    }

    #[test]
    fn a_slow_rate_lets_one_go_at_a_time() {
        let rate = rate(0.5);
        assert_eq!(rate.allows(0), 1);
        rate.spend(1, 0);
        assert_eq!((rate.allows(1_999_999_999), rate.allows(2_000_000_000)), (0, 1));
        assert_eq!(rate.allows(60_000_000_000), 1, "a minute of nothing is no reason for a burst");
    }
}
