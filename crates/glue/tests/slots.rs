//! Slots of trampolines: each has one callback at a time, and a late call finds the last one's number.

use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use upcall_glue::slots::{Address, Pool, SLOTS, Signature};

type Reached = unsafe extern "C" fn() -> usize;

static POOL: Pool = Pool::new();

unsafe extern "C" fn trampoline<const SLOT: usize>() -> usize {
    POOL.number(SLOT)
}

#[test]
fn each_trampoline_knows_its_slot_and_a_late_call_the_last_number() {
    static ADDRESSES: [Address; SLOTS] = upcall_glue::addresses!(trampoline as Reached);
    static SIGNATURE: Signature = Signature::pooled("fn() -> usize", &POOL, &ADDRESSES);
    // SAFETY: the trampolines have that type.
    let call = |slot: usize| unsafe { SIGNATURE.at(slot).function::<Reached>()() };
    for number in 1..=SLOTS {
        let slot = SIGNATURE.take(number).unwrap();
        assert_eq!((call(slot), slot), (number, number - 1));
    }
    assert_eq!(SIGNATURE.take(1000), None);
    assert_eq!(
        SIGNATURE.exhausted(),
        "64 callbacks of fn() -> usize, which has no context parameter, are alive: release some"
    );
    SIGNATURE.release(7);
    assert_eq!(call(7), 8);
    assert_eq!(SIGNATURE.take(1000), Some(7));
    assert_eq!(call(7), 1000);
}

proptest! {
    #[test]
    fn a_slot_is_never_shared_and_used_again_only_when_all_others_were(steps in prop::collection::vec(0..100usize, 0..600)) {
        let pool = Pool::new();
        let mut live: Vec<(usize, usize)> = Vec::new();
        // When each slot was taken last, and released last.
        let (mut taken, mut released) = ([0; SLOTS], [0; SLOTS]);
        for (now, step) in steps.into_iter().enumerate().map(|(now, step)| (now + 1, step)) {
            if step < 60 {
                let found = pool.take(now);
                prop_assert_eq!(found.is_none(), live.len() == SLOTS);
                let Some(slot) = found else { continue };
                prop_assert!(live.iter().all(|(other, _)| *other != slot));
                for other in (0..SLOTS).filter(|other| *other != slot && taken[slot] > 0) {
                    let free = live.iter().all(|(live, _)| *live != other) && released[other] < taken[slot];
                    prop_assert!(!free || taken[other] > taken[slot], "{} before {}", slot, other);
                }
                taken[slot] = now;
                live.push((slot, now));
            } else if !live.is_empty() {
                let (slot, number) = live.swap_remove(step % live.len());
                pool.release(slot);
                released[slot] = now;
                prop_assert_eq!(pool.number(slot), number);
            }
            for (slot, number) in &live {
                prop_assert_eq!(pool.number(*slot), *number);
            }
        }
    }
}

#[test]
fn threads_never_get_the_same_slot() {
    const THREADS: usize = 8;
    static POOL: Pool = Pool::new();
    static OWNED: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];
    let exhausted = AtomicUsize::new(0);
    let start = std::sync::Barrier::new(THREADS);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (exhausted, start) = (&exhausted, &start);
            scope.spawn(move || {
                start.wait();
                let mut mine = Vec::new();
                for round in 0..2000 {
                    let number = (thread * 2000 + round) << 1;
                    match POOL.take(number) {
                        Some(slot) => {
                            assert!(!OWNED[slot].swap(true, SeqCst), "slot {slot} has two owners");
                            mine.push((slot, number));
                        }
                        None => _ = exhausted.fetch_add(1, SeqCst),
                    }
                    // So that together they want more than there is.
                    let keep = if round == 1999 { 0 } else { SLOTS / THREADS + round % 7 };
                    while mine.len() > keep {
                        let (slot, number) = mine.remove(0);
                        assert_eq!(POOL.number(slot), number);
                        OWNED[slot].store(false, SeqCst);
                        POOL.release(slot);
                    }
                }
            });
        }
    });
    let mut slots: Vec<usize> = (0..SLOTS).filter_map(|_| POOL.take(1)).collect();
    slots.sort_unstable();
    assert_eq!(slots, (0..SLOTS).collect::<Vec<_>>(), "all slots are free again");
    assert_eq!(POOL.take(1), None);
}
