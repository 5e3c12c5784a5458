use crate::spin::Spin;
use crate::{HEAD, Patience, Segment, Side};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// The offset of the guest's bell in a segment.
pub const GUEST_BELL: u64 = 1024;

/// The offset of the host's.
pub const HOST_BELL: u64 = 2048;

/// Where in a bell the lanes are that it was rung for.
pub const RUNG: u64 = offset_of!(Place, lanes) as u64;

pub(crate) const WORDS: usize = 16;

/// A bell, as it lies in the segment.
#[repr(C, align(64))]
pub(crate) struct Place {
    /// Changes with each ring; its owner sleeps on it.
    pub(crate) counter: AtomicU32,
    /// Not 0 while its owner sleeps, or is about to.
    pub(crate) sleeping: AtomicU32,
    reserved: [AtomicU64; 7],
    /// Lane k is bit k % 64 of word k / 64.
    pub(crate) lanes: [AtomicU64; WORDS],
}

const _: () = {
    assert!(size_of::<Place>() == 192 && RUNG == 64);
    assert!(HOST_BELL + size_of::<Place>() as u64 <= HEAD);
};

impl Segment {
    fn bell(&self, side: Side) -> &Place {
        let offset = match side {
            Side::Host => HOST_BELL,
            Side::Guest => GUEST_BELL,
        };
        // SAFETY: in the first page, which is mapped and aligned, zero at first, and made of atomic integers.
        unsafe { &*self.first_page().byte_add(offset as usize).cast::<Place>().as_ptr() }
    }

    /// Tells a side that it has something to do at this lane, which is less than 1024.
    pub fn ring(&self, side: Side, lane: u64) {
        self.bell(side).ring(lane);
    }

    /// As [`Segment::ring`], and wakes nobody: whoever does this for several lanes stirs once.
    pub fn mark(&self, side: Side, lane: u64) {
        self.bell(side).mark(lane);
    }

    /// Wakes a side that waits for its bell, at no lane.
    pub fn stir(&self, side: Side) {
        self.bell(side).stir();
    }
}

/// Lanes that a bell was rung for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rung([u64; WORDS]);

impl Rung {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Adds those of another ring.
    pub fn add(&mut self, other: &Rung) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= *more);
    }

    /// Takes one out; whether it was there.
    pub fn remove(&mut self, lane: u64) -> bool {
        let Some(word) = self.0.get_mut((lane / 64) as usize) else { return false };
        let before = *word;
        *word &= !(1 << (lane % 64));
        *word != before
    }
}

/// Takes out one after the other.
impl Iterator for Rung {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let (index, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        Some(index as u64 * 64 + u64::from(bit))
    }
}

/// Waits for one side's bell, spinning for a while where that has paid off.
#[derive(Debug)]
pub struct Bell {
    side: Side,
    spin: Spin,
    /// The counter when the last wait ended.
    seen: u32,
}

impl Bell {
    /// That of a side, which waits on one thread only.
    #[must_use]
    pub fn new(side: Side) -> Bell {
        Bell { side, spin: Spin::new(), seen: 0 }
    }

    /// The lanes that it was rung for, which it is rung for no longer.
    #[must_use]
    pub fn take(&self, segment: &Segment) -> Rung {
        Rung(segment.bell(self.side).take())
    }

    /// As [`Bell::take`], and waits until it is rung or stirred, if it was not since the last wait. There may be none all the
    /// same: where it was stirred, took too long, or they were taken before.
    pub fn wait(&mut self, segment: &Segment, patience: Patience) -> Rung {
        Rung(segment.bell(self.side).wait(&mut self.seen, &mut self.spin, patience))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lane, Message, Waited};
    use std::sync::atomic::Ordering::SeqCst;
    use std::time::{Duration, Instant};

    fn segment() -> (Segment, Segment) {
        let mine = Segment::create("test", 64 * HEAD).unwrap();
        let theirs = Segment::open(mine.file().try_clone_to_owned().unwrap()).unwrap();
        (mine, theirs)
    }

    fn lane(segment: &Segment, number: u64) -> Lane<'_> {
        segment.lane(HEAD + number * 256).unwrap()
    }

    #[test]
    fn what_was_rung_is_taken_once_and_one_after_the_other() {
        let (mine, theirs) = segment();
        let bell = Bell::new(Side::Guest);
        [0, 63, 64, 700, 1023].into_iter().for_each(|lane| mine.ring(Side::Guest, lane));
        [64, 900].into_iter().for_each(|lane| mine.mark(Side::Guest, lane));
        let mut rung = bell.take(&theirs);
        assert!(rung.remove(64) && !rung.remove(64) && !rung.remove(5000));
        rung.add(&Rung([0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!(rung.collect::<Vec<_>>(), [0, 63, 128, 700, 900, 1023]);
        assert!(bell.take(&theirs).is_empty());
        assert!(Bell::new(Side::Host).take(&theirs).is_empty());
    }

    #[test]
    fn a_wait_ends_when_it_is_stirred_and_when_it_takes_too_long() {
        let (mine, theirs) = segment();
        let mut bell = Bell::new(Side::Host);
        let end = Instant::now() + Duration::from_millis(10);
        assert!(bell.wait(&mine, Patience::Until(end)).is_empty());
        assert!(Instant::now() >= end);
        let stirs = std::thread::spawn(move || {
            while mine.bell(Side::Host).sleeping.load(SeqCst) == 0 {}
            mine.stir(Side::Host);
        });
        assert!(bell.wait(&theirs, Patience::Endless).is_empty());
        stirs.join().unwrap();
    }

    #[test]
    fn what_several_threads_pass_arrives_each_time() {
        const ROUNDS: u64 = 5_000;
        const THREADS: u64 = 4;
        let (mine, theirs) = segment();
        std::thread::scope(|scope| {
            for number in 1..=THREADS {
                let theirs = &theirs;
                scope.spawn(move || {
                    let (lane, mut turn) = (lane(theirs, number), crate::Turn::new(Side::Guest));
                    for round in 0..ROUNDS {
                        lane.leave(Message { what: round, ..Message::default() });
                        lane.give(Side::Host);
                        theirs.ring(Side::Host, number);
                        assert_eq!(turn.wait_at(lane, Patience::Endless), Waited::Mine);
                        assert_eq!(lane.message().what, round + 1);
                    }
                });
            }
            let (mut bell, mut answered) = (Bell::new(Side::Host), [0; THREADS as usize + 1]);
            while answered.iter().sum::<u64>() < ROUNDS * THREADS {
                for number in bell.wait(&mine, Patience::Endless) {
                    let lane = lane(&mine, number);
                    assert!(lane.is_turn_of(Side::Host));
                    let Message { what, .. } = lane.message();
                    assert_eq!(what, answered[number as usize]);
                    answered[number as usize] += 1;
                    lane.leave(Message { what: what + 1, ..Message::default() });
                    lane.give(Side::Guest);
                }
            }
        });
    }
}
