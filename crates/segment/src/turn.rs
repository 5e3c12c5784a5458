use crate::sleep::{sleep, wake};
use crate::spin::Spin;
use crate::{Lane, Segment};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// One of the two that share a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Who made it.
    Host,
    /// Who was given it.
    Guest,
}

const HOST: u32 = 0;
const GUEST: u32 = 1;
/// There is no other side any more.
const NOBODY: u32 = 2;

impl Side {
    const fn number(self) -> u32 {
        match self {
            Side::Host => HOST,
            Side::Guest => GUEST,
        }
    }
}

/// Whose turn it is, and which side sleeps until it is theirs. The host's first: a segment begins as zeroes.
#[repr(C, align(128))]
#[derive(Debug)]
pub(crate) struct Word {
    turn: AtomicU32,
    /// By side: each clears its own only.
    sleeps: [AtomicU32; 2],
}

impl Word {
    pub(crate) fn is_turn_of(&self, side: Side) -> bool {
        self.turn.load(SeqCst) == side.number()
    }

    pub(crate) fn give(&self, side: Side) {
        self.turn.swap(side.number(), SeqCst);
        if self.sleeps[side.number() as usize].load(SeqCst) != 0 {
            wake(&self.turn);
        }
    }
}

/// How long a side waits for its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// As long as it takes.
    Endless,
    /// Until then.
    Until(Instant),
}

impl Patience {
    /// How long is left; `None` for ever. An error when it is over.
    pub(crate) fn left(self) -> Result<Option<Duration>, Waited> {
        match self {
            Patience::Endless => Ok(None),
            Patience::Until(end) => {
                end.checked_duration_since(Instant::now()).map(Some).ok_or(Waited::TooLong)
            }
        }
    }
}

/// How a wait for one's turn has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// It is this side's turn.
    Mine,
    /// It took too long.
    TooLong,
    /// The other side will never pass it: [`Turn::nobody`] was called.
    Never,
}

/// One side's part in taking turns: passes the turn and waits for it, spinning for a while where that has paid off.
#[derive(Debug)]
pub struct Turn {
    side: Side,
    spin: Spin,
}

impl Turn {
    /// That of a side. There must be one for each, and the host has the first turn.
    #[must_use]
    pub fn new(side: Side) -> Turn {
        Turn { side, spin: Spin::new() }
    }

    /// Gives the turn to the other side. Only who has it may.
    pub fn pass(&self, segment: &Segment) {
        let word = &segment.head().word;
        let (mine, other) = (self.side.number(), 1 - self.side.number());
        // Where there is nobody on the other side any more, this one is to find that out. Who falls asleep meanwhile has
        // announced it before it looked.
        let _ = word.turn.compare_exchange(mine, other, SeqCst, SeqCst);
        if word.sleeps[other as usize].load(SeqCst) != 0 {
            wake(&word.turn);
        }
    }

    /// Waits until it is this side's turn.
    pub fn wait(&mut self, segment: &Segment, patience: Patience) -> Waited {
        self.wait_at(segment.first(), patience)
    }

    /// As [`Turn::wait`], at another place than the first.
    pub fn wait_at(&mut self, lane: Lane<'_>, patience: Patience) -> Waited {
        let word = lane.word();
        let mine = self.side.number();
        let found = || match word.turn.load(SeqCst) {
            turn if turn == mine => Some(Waited::Mine),
            NOBODY => Some(Waited::Never),
            _ => None,
        };
        if let Some(waited) = self.spin.wait(found) {
            return waited;
        }
        word.sleeps[mine as usize].swap(1, SeqCst);
        let waited = loop {
            let turn = word.turn.load(SeqCst);
            if let Some(waited) = found() {
                break waited;
            }
            let left = match patience.left() {
                Ok(left) => left,
                Err(over) => break over,
            };
            // Woken, interrupted, or because the turn has changed: it looks again.
            sleep(&word.turn, turn, left);
        };
        word.sleeps[mine as usize].swap(0, SeqCst);
        self.spin.slept();
        waited
    }

    /// Tells whoever waits that the other side has ended. It may be called on any thread, out of turn.
    pub fn nobody(segment: &Segment) {
        let word = &segment.head().word;
        word.turn.swap(NOBODY, SeqCst);
        wake(&word.turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HEAD, Message};

    fn segment() -> (Segment, Segment) {
        let mine = Segment::create("test", HEAD).unwrap();
        let theirs = Segment::open(mine.file().try_clone_to_owned().unwrap()).unwrap();
        (mine, theirs)
    }

    #[test]
    fn each_side_sees_what_the_other_has_left() {
        let (mine, theirs) = segment();
        let guest = std::thread::spawn(move || {
            let mut turn = Turn::new(Side::Guest);
            for round in 0..20_000 {
                assert_eq!(turn.wait(&theirs, Patience::Endless), Waited::Mine);
                let Message { what, with } = theirs.message();
                assert_eq!((what, with[4]), (round, 7 * round));
                theirs.leave(Message { what: what + 1, ..Message::default() });
                turn.pass(&theirs);
            }
        });
        let mut turn = Turn::new(Side::Host);
        for round in 0..20_000 {
            mine.leave(Message { what: round, with: [0, 0, 0, 0, 7 * round] });
            turn.pass(&mine);
            assert_eq!(turn.wait(&mine, Patience::Endless), Waited::Mine);
            assert_eq!(mine.message().what, round + 1);
        }
        guest.join().unwrap();
    }

    #[test]
    fn who_passes_the_turn_to_nobody_finds_that_out() {
        let (mine, _) = segment();
        let mut turn = Turn::new(Side::Host);
        Turn::nobody(&mine);
        turn.pass(&mine);
        assert_eq!(turn.wait(&mine, Patience::Endless), Waited::Never);
    }

    #[test]
    fn a_wait_ends_when_it_takes_too_long_and_when_the_other_side_has_ended() {
        let (mine, theirs) = segment();
        let mut turn = Turn::new(Side::Host);
        turn.pass(&mine);
        let end = Instant::now() + Duration::from_millis(10);
        assert_eq!(turn.wait(&mine, Patience::Until(end)), Waited::TooLong);
        assert!(Instant::now() >= end);
        let ended = std::thread::spawn(move || Turn::nobody(&theirs));
        assert_eq!(turn.wait(&mine, Patience::Endless), Waited::Never);
        ended.join().unwrap();
    }
}
