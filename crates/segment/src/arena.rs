use crate::Segment;
use std::ops::Range;

/// Gives out places in a part of a segment, one behind the other, until all are taken back at once.
///
/// Only the side that holds it knows what it has given out.
#[derive(Debug)]
pub struct Arena {
    from: u64,
    at: u64,
    end: u64,
}

/// What is given out begins at a multiple of this.
const ALIGN: u64 = 16;

/// Memory that is kept for the next time; what was used beyond goes back to the system.
const KEEP: u64 = 8 << 20;

impl Arena {
    /// One over these offsets of a segment.
    #[must_use]
    pub fn new(range: Range<u64>) -> Arena {
        let from = range.start.next_multiple_of(ALIGN);
        Arena { from, at: from, end: range.end.max(from) }
    }

    /// The offset of so many bytes, at a multiple of 16. `None` where there is no room for them.
    #[must_use]
    pub fn give(&mut self, bytes: u64) -> Option<u64> {
        let at = self.at;
        let next = at.checked_add(bytes)?.checked_next_multiple_of(ALIGN)?;
        if next > self.end {
            return None;
        }
        self.at = next;
        Some(at)
    }

    /// Takes back what lies behind this offset, a multiple of 16 of what was given last.
    pub fn give_back(&mut self, from: u64) {
        self.at = self.at.min(from.max(self.from));
    }

    /// Gives out nothing behind this offset from now on.
    pub fn end_at(&mut self, end: u64) {
        self.end = self.end.min(end);
    }

    /// The offset at which what was given out ends.
    #[must_use]
    pub fn given(&self) -> u64 {
        self.at
    }

    /// Takes everything back. Of memory that was used, no more than a few MiB is kept.
    pub fn reset(&mut self, segment: &Segment) {
        let keep = self.from + KEEP;
        if self.at > keep {
            // Where it cannot be given back it is kept, and used again.
            let _ = segment.forget(keep..self.at);
        }
        self.at = self.from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_aligned_apart_and_inside() {
        let mut arena = Arena::new(4097..4097 + 64);
        assert_eq!(arena.give(1), Some(4112));
        assert_eq!(arena.give(17), Some(4128));
        assert_eq!(arena.give(1), None);
        assert_eq!(arena.give(u64::MAX), None);
        assert_eq!(arena.give(0), Some(4160));
        arena.give_back(4128);
        assert_eq!(arena.give(1), Some(4128));
    }
}
