use crate::Segment;
use rustix::fs::Timespec;
use rustix::io::Errno;
use rustix::thread::futex::{self, Flags};
use std::hint::spin_loop;
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
pub(crate) struct Word {
    turn: AtomicU32,
    /// By side: each clears its own only.
    sleeps: [AtomicU32; 2],
}

/// How long a side waits for its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// As long as it takes.
    Endless,
    /// Until then.
    Until(Instant),
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
        let word = &segment.head().word;
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
            let left = match patience {
                Patience::Endless => None,
                Patience::Until(end) => match end.checked_duration_since(Instant::now()) {
                    Some(left) => Some(left),
                    None => break Waited::TooLong,
                },
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

fn wake(word: &AtomicU32) {
    // It fails for no address that is mapped.
    let _ = futex::wake(word, Flags::empty(), ALL);
}

/// As many as may sleep: the kernel takes it for signed.
const ALL: u32 = i32::MAX as u32;

fn sleep(word: &AtomicU32, seen: u32, left: Option<Duration>) {
    let left = left.map(|left| Timespec {
        tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    });
    match futex::wait(word, Flags::empty(), seen, left.as_ref()) {
        Ok(()) | Err(Errno::AGAIN | Errno::INTR | Errno::TIMEDOUT) => {}
        // A system that has no such call lets the other side run.
        Err(_) => std::thread::sleep(Duration::from_micros(50)),
    }
}

/// How long to spin before sleeping: as long as answers have come within it.
///
/// A wake-up by the kernel costs 5 to 50 us, a spin that ends in time 0.1. But where the two share a core the other side
/// does not run while this one spins, so a spin that was in vain is not repeated for a while.
#[derive(Debug)]
struct Spin {
    /// With one core nobody else runs while we spin.
    alone: bool,
    /// Waits that are left before the next spin, and how many a spin in vain leads to.
    rest: u32,
    penalty: u32,
    /// Whether the last wait has spun, in vain so far.
    spun: bool,
}

/// A spin at most: longer than a core takes to wake up, or two sides that have both slept would never meet.
const SPIN: Duration = Duration::from_micros(60);
/// Looks between two at the clock.
const LOOKS: u32 = 64;
/// Waits without a spin after many that were in vain.
const MOST: u32 = 256;

impl Spin {
    fn new() -> Spin {
        let alone = std::thread::available_parallelism().map_or(1, |cores| cores.get()) == 1;
        Spin { alone, rest: 0, penalty: 1, spun: false }
    }

    fn wait(&mut self, found: impl Fn() -> Option<Waited>) -> Option<Waited> {
        self.spun = false;
        if let Some(waited) = found() {
            return Some(waited);
        }
        if self.alone || self.rest > 0 {
            self.rest = self.rest.saturating_sub(1);
            return None;
        }
        self.spun = true;
        let mut end = None;
        loop {
            for _ in 0..LOOKS {
                spin_loop();
                if let Some(waited) = found() {
                    self.penalty = 1;
                    return Some(waited);
                }
            }
            let now = Instant::now();
            if now >= *end.get_or_insert(now + SPIN) {
                return None;
            }
        }
    }

    /// The wait has ended otherwise.
    fn slept(&mut self) {
        if self.spun {
            self.rest = self.penalty;
            self.penalty = (self.penalty * 2).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HEAD, Message};
    use std::cell::Cell;

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
    fn a_spin_in_vain_is_repeated_later_and_later_and_one_that_pays_off_at_once() {
        let mut spin = Spin { alone: false, ..Spin::new() };
        let mut spun = Vec::new();
        for wait in 0..100 {
            assert_eq!(spin.wait(|| None), None);
            if spin.spun {
                spun.push(wait);
            }
            spin.slept();
        }
        assert_eq!(spun, [0, 2, 5, 10, 19, 36, 69]);
        while !spin.spun {
            spin.wait(|| None);
        }
        let looks = Cell::new(0);
        let late = || (looks.replace(looks.get() + 1) > 3).then_some(Waited::Mine);
        assert_eq!(spin.wait(late), Some(Waited::Mine));
        assert_eq!((spin.rest, spin.penalty), (0, 1));
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
