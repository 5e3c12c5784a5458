//! A bell, in every order in which those that ring it and its owner can be interleaved.
//!
//! `ringing.rs` is compiled a second time here, over loom's primitives.
#![cfg(target_os = "linux")]

use bell::{Place, WORDS};
use loom::sync::Arc;
use loom::thread;
use spin::Spin;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use upcall_segment::Waited;

/// Atomic integers, by loom. It takes sequentially consistent accesses for weaker than they are, but knows the fences: with
/// one before and one behind, each is what the standard library's is.
mod atomic {
    use std::sync::atomic::Ordering;

    macro_rules! atomics {
        ($($name:ident($value:ty): $($method:ident($($arg:ident),*)),*;)*) => {$(
            #[derive(Default)]
            pub(crate) struct $name(loom::sync::atomic::$name);

            impl $name {
                $(pub(crate) fn $method(&self, $($arg: $value,)* ordering: Ordering) -> $value {
                    loom::sync::atomic::fence(Ordering::SeqCst);
                    let back = self.0.$method($($arg,)* ordering);
                    loom::sync::atomic::fence(Ordering::SeqCst);
                    back
                })*
            }
        )*};
    }
    atomics! {
        AtomicU32(u32): load(), swap(to), fetch_add(by);
        AtomicU64(u64): load(), swap(to), fetch_add(by), fetch_or(bits);
    }
}

mod bell {
    use crate::atomic::{AtomicU32, AtomicU64};
    use crate::sleep::Word;

    /// Enough for lanes in different words.
    pub(crate) const WORDS: usize = 2;

    /// As it lies in the segment, but for the padding.
    #[derive(Default)]
    pub(crate) struct Place {
        pub(crate) counter: Word,
        pub(crate) sleeping: AtomicU32,
        pub(crate) lanes: [AtomicU64; WORDS],
    }
}

/// The kernel's part: whoever sleeps on a word compares it under a lock that whoever wakes has to take.
mod sleep {
    use crate::atomic::AtomicU32;
    use loom::sync::{Condvar, Mutex};
    use std::sync::atomic::Ordering::SeqCst;
    use std::time::Duration;

    #[derive(Default)]
    pub(crate) struct Word {
        value: AtomicU32,
        lock: Mutex<()>,
        woken: Condvar,
    }

    impl std::ops::Deref for Word {
        type Target = AtomicU32;

        fn deref(&self) -> &AtomicU32 {
            &self.value
        }
    }

    pub(crate) fn wake(word: &Word) {
        let _guard = word.lock.lock().unwrap();
        word.woken.notify_all();
    }

    /// Loom knows no time: where it is limited it is over at once.
    pub(crate) fn sleep(word: &Word, seen: u32, left: Option<Duration>) {
        let guard = word.lock.lock().unwrap();
        if word.load(SeqCst) == seen && left.is_none() {
            drop(word.woken.wait(guard).unwrap());
        }
    }
}

mod spin {
    use upcall_segment::Waited;

    /// One look: more are more of the same.
    #[derive(Default)]
    pub(crate) struct Spin;

    impl Spin {
        #[allow(clippy::unused_self, reason = "called as the crate's own is")]
        pub(crate) fn wait(&mut self, found: impl Fn() -> Option<Waited>) -> Option<Waited> {
            found()
        }

        #[allow(clippy::unused_self, reason = "called as the crate's own is")]
        pub(crate) fn slept(&mut self) {}
    }
}

/// As the crate's own, without a clock.
#[derive(Clone, Copy)]
enum Patience {
    Endless,
    /// Time is over while it sleeps.
    Short,
    /// Time is over before it sleeps.
    Over,
}

impl Patience {
    fn left(self) -> Result<Option<Duration>, Waited> {
        match self {
            Patience::Endless => Ok(None),
            Patience::Short => Ok(Some(Duration::ZERO)),
            Patience::Over => Err(Waited::TooLong),
        }
    }
}

#[path = "../src/ringing.rs"]
mod ringing;

/// A bell, and what is left at its lanes before they are rung.
#[derive(Default)]
struct Lanes {
    place: Place,
    left: [atomic::AtomicU64; 3],
    stopped: atomic::AtomicU32,
}

/// Two in the same word, and one in another.
const LANES: [u64; 3] = [1, 2, 64];

impl Lanes {
    fn leave(&self, lane: usize) {
        self.left[lane].fetch_add(1, SeqCst);
    }

    fn ring(&self, lane: usize) {
        self.leave(lane);
        self.place.ring(LANES[lane]);
    }

    /// How much was left at these lanes.
    fn at(&self, rung: [u64; WORDS]) -> u64 {
        let is_rung = |lane: u64| rung[(lane / 64) as usize] & 1 << (lane % 64) != 0;
        let lanes = LANES.iter().zip(&self.left).filter(|(lane, _)| is_rung(**lane));
        lanes.map(|(_, left)| left.swap(0, SeqCst)).sum()
    }
}

/// Who waits for a bell.
#[derive(Default)]
struct Owner {
    seen: u32,
    spin: Spin,
}

impl Owner {
    fn wait(&mut self, lanes: &Lanes, patience: Patience) -> u64 {
        lanes.at(lanes.place.wait(&mut self.seen, &mut self.spin, patience))
    }

    /// Waits until so much was left.
    fn wait_for(&mut self, lanes: &Lanes, enough: u64) {
        let mut found = 0;
        while found < enough {
            found += self.wait(lanes, Patience::Endless);
        }
        assert_eq!(found, enough);
        assert_eq!(lanes.place.sleeping.load(SeqCst), 0, "nobody is to wake it now");
    }
}

/// Every order in which threads are interrupted so many times at most, while these ring on threads of their own.
fn every_order<const N: usize>(most: usize, ringers: [fn(&Lanes); N], owner: fn(&Lanes)) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(most);
    builder.check(move || {
        let lanes = Arc::new(Lanes::default());
        let threads = ringers.map(|ring| {
            let lanes = lanes.clone();
            thread::spawn(move || ring(&lanes))
        });
        owner(&lanes);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn who_falls_asleep_or_wakes_up_misses_no_ring() {
    every_order(3, [|lanes| lanes.ring(0)], |lanes| {
        Owner::default().wait_for(lanes, 1);
        assert_eq!(lanes.place.take(), [0; WORDS], "what was found is rung for no longer");
    });
}

/// It has seen that the owner sleeps, and wakes it when the owner has gone on and falls asleep anew.
#[test]
fn who_wakes_late_does_not_keep_the_owner_asleep_at_the_next_ring() {
    let twice = |lanes: &Lanes| {
        lanes.ring(0);
        lanes.ring(2);
    };
    every_order(4, [twice], |lanes| Owner::default().wait_for(lanes, 2));
}

#[test]
fn of_two_that_ring_for_lanes_in_different_words_none_is_missed() {
    every_order(3, [|lanes| lanes.ring(0), |lanes| lanes.ring(2)], |lanes| {
        Owner::default().wait_for(lanes, 2)
    });
}

#[test]
fn of_two_that_ring_for_lanes_in_the_same_word_none_is_missed() {
    every_order(3, [|lanes| lanes.ring(0), |lanes| lanes.ring(1)], |lanes| {
        Owner::default().wait_for(lanes, 2)
    });
}

#[test]
fn of_two_that_ring_for_the_same_lane_none_is_missed() {
    every_order(3, [|lanes| lanes.ring(0), |lanes| lanes.ring(0)], |lanes| {
        Owner::default().wait_for(lanes, 2)
    });
}

#[test]
fn lanes_that_are_marked_one_after_the_other_are_all_found_after_one_stir() {
    let marks = |lanes: &Lanes| {
        lanes.leave(0);
        lanes.place.mark(LANES[0]);
        lanes.leave(2);
        lanes.place.mark(LANES[2]);
        lanes.place.stir();
    };
    every_order(3, [marks], |lanes| Owner::default().wait_for(lanes, 2));
}

/// As whoever closes the lanes, or finds that the process has ended.
#[test]
fn who_is_stirred_at_no_lane_looks_around_whoever_rings_meanwhile() {
    let stops = |lanes: &Lanes| {
        lanes.stopped.swap(1, SeqCst);
        lanes.place.stir();
    };
    every_order(3, [stops, |lanes| lanes.ring(0)], |lanes| {
        let mut owner = Owner::default();
        while lanes.stopped.load(SeqCst) == 0 {
            owner.wait(lanes, Patience::Endless);
        }
    });
}

#[test]
fn who_takes_between_two_waits_misses_no_ring() {
    let twice = |lanes: &Lanes| {
        lanes.ring(0);
        lanes.ring(2);
    };
    every_order(3, [twice], |lanes| {
        let (mut owner, mut found) = (Owner::default(), 0);
        while found < 2 {
            found += lanes.at(lanes.place.take());
            if found < 2 {
                found += owner.wait(lanes, Patience::Endless);
            }
        }
    });
}

#[test]
fn a_ring_while_time_is_over_is_found_by_the_next_wait() {
    every_order(3, [|lanes| lanes.ring(0)], |lanes| {
        let mut owner = Owner::default();
        let found: u64 = [Patience::Over, Patience::Short].map(|short| owner.wait(lanes, short)).iter().sum();
        owner.wait_for(lanes, 1 - found);
    });
}
