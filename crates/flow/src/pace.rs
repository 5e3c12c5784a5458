//! How large a batch may be: learned from what the last ones took and emitted, so that one batch neither
//! holds its worker up for long nor emits more than a share of the memory.

/// A batch takes this long at most, in nanoseconds, where that can be known: what arrives meanwhile waits.
const TURN: f64 = 20e6;

/// What a batch emits should still be in the cache when the handlers behind it read it: half of a common L2, in the
/// weight of [`crate::parcel::weight`]. Words that are counted take 8 ns of 60 less than in batches four times as large.
const CACHE: u64 = 512 << 10;

/// Items in the first batch, of which nothing is known. The next may have four times as many.
const FIRST: usize = 16;

/// What a handler takes and emits for an item, on one worker.
pub(crate) struct Pace {
    most: usize,
    /// As many as it has been let have.
    allowed: usize,
    /// For an item: of two batches, the older one counts half.
    nanos: f64,
    emitted: f64,
}

impl Pace {
    /// `most`: items in a batch, whatever is learned.
    pub(crate) fn new(most: usize) -> Pace {
        Pace { most, allowed: FIRST.min(most), nanos: 0.0, emitted: 0.0 }
    }

    /// How many items the next batch may have, if it may emit `room` bytes.
    pub(crate) fn limit(&self, room: u64) -> usize {
        // A quotient of nothing is infinite, and becomes the largest number.
        let (turn, room) = ((TURN / self.nanos) as usize, (room.min(CACHE) as f64 / self.emitted) as usize);
        self.allowed.min(turn).min(room).max(1)
    }

    /// Nanoseconds of an item, 1 at least; 0 when nothing is known.
    pub(crate) fn nanos(&self) -> u64 {
        self.nanos.ceil() as u64
    }

    /// A batch of so many items has taken and emitted so much.
    pub(crate) fn learn(&mut self, items: usize, nanos: u64, emitted: u64) {
        if items == 0 {
            return;
        }
        let half = |old: f64, new: u64| {
            let new = new as f64 / items as f64;
            if old == 0.0 { new } else { (old + new) / 2.0 }
        };
        (self.nanos, self.emitted) = (half(self.nanos, nanos), half(self.emitted, emitted));
        if items >= self.allowed {
            self.allowed = self.allowed.saturating_mul(4).min(self.most);
        }
    }

    /// So many items together have emitted more than there is memory.
    pub(crate) fn too_many(&mut self, items: usize) {
        self.allowed = (items / 2).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: u64 = CACHE;

    #[test]
    fn batches_of_quick_items_grow_to_the_most() {
        let mut pace = Pace::new(1000);
        let mut sizes = Vec::new();
        for _ in 0..5 {
            let items = pace.limit(ROOM);
            sizes.push(items);
            pace.learn(items, 100 * items as u64, 0);
        }
        assert_eq!(sizes, [16, 64, 256, 1000, 1000]);
    }

    #[test]
    fn batches_that_are_not_full_do_not_grow() {
        let mut pace = Pace::new(1000);
        pace.learn(3, 100, 0);
        assert_eq!(pace.limit(ROOM), 16);
    }

    #[test]
    fn a_batch_of_slow_items_takes_no_longer_than_its_turn() {
        let mut pace = Pace::new(4096);
        (0..10).for_each(|_| pace.learn(4096, 4096 * 1_000_000, 0));
        assert_eq!(pace.limit(ROOM), 20);
        pace.learn(1, 1_000_000_000, 0);
        assert_eq!(pace.limit(ROOM), 1);
        (0..20).for_each(|_| pace.learn(4096, 4096 * 100, 0));
        assert_eq!(pace.limit(ROOM), 4096);
    }

    #[test]
    fn a_batch_emits_no_more_than_its_share() {
        let mut pace = Pace::new(4096);
        (0..10).for_each(|_| pace.learn(4096, 0, 4096 * 50_000));
        assert_eq!((pace.limit(ROOM), pace.limit(2 * ROOM)), (10, 10));
        assert_eq!(pace.limit(1), 1);
    }

    #[test]
    fn a_batch_that_was_too_many_is_halved() {
        let mut pace = Pace::new(4096);
        pace.too_many(9);
        assert_eq!(pace.limit(ROOM), 4);
        pace.too_many(1);
        assert_eq!(pace.limit(ROOM), 1);
    }
}
