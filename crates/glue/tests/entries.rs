//! The table of callbacks by number, beside a map that never forgets a number.

use proptest::prelude::*;
use std::collections::HashMap;
use upcall_glue::entries::{Entries, NoAddress, is_plain};
use upcall_glue::slots::{Address, Pool, SLOTS, Signature};

unsafe extern "C" fn trampoline<const SLOT: usize>() {}

proptest! {
    #[test]
    fn a_number_finds_its_callback_until_it_leaves_and_nothing_afterwards(
        tag in 0..1000usize,
        steps in prop::collection::vec((any::<bool>(), 0..50usize), 0..400),
    ) {
        let mut table = Entries::<usize, 16>::new(tag);
        let (mut live, mut gone) = (HashMap::new(), Vec::new());
        for (value, (plain, step)) in steps.into_iter().enumerate() {
            if step < 30 {
                let number = table.enter(value, plain).unwrap();
                prop_assert_eq!((is_plain(number), Entries::<usize, 16>::tag_of(number)), (plain, tag));
                prop_assert!(number != 0 && !gone.contains(&number));
                prop_assert!(live.insert(number, value).is_none());
            } else if let Some(number) = live.keys().copied().nth(step % live.len().max(1)) {
                prop_assert_eq!(table.leave(number), live.remove(&number));
                gone.push(number);
            }
            for (number, value) in &live {
                prop_assert_eq!(table.get(*number), Some(&mut value.clone()));
                // That of a callback of the other sort, or of another table.
                prop_assert_eq!(table.get(*number ^ 1), None);
                prop_assert_eq!(table.get(*number ^ 1 << 40), None);
            }
            for number in gone.iter().chain(&[0, usize::MAX]) {
                prop_assert_eq!(table.get(*number), None);
                prop_assert_eq!(table.leave(*number), None);
            }
        }
    }
}

#[test]
fn a_full_table_gives_the_callback_back() {
    let mut table = Entries::<usize, 16>::new(1);
    let numbers: Vec<usize> = (0..65536).map(|value| table.enter(value, false).unwrap()).collect();
    assert_eq!(table.enter(7, false), Err(7));
    assert_eq!(table.leave(numbers[40000]), Some(40000));
    let again = table.enter(7, false).unwrap();
    assert_eq!(table.get(again), Some(&mut 7));
    assert_eq!(table.get(numbers[40000]), None);
}

#[test]
fn a_place_is_used_again_as_late_as_possible_and_its_generations_never_make_0() {
    let mut table = Entries::<(), 2>::new(0);
    let numbers: Vec<usize> = (0..3).map(|_| table.enter((), false).unwrap()).collect();
    for number in &numbers {
        table.leave(*number);
    }
    let place = |number: usize| number >> 1 & 0xffff;
    for round in 0..30 {
        let number = table.enter((), false).unwrap();
        assert_eq!(place(number), round % 3);
        assert_ne!(number, 0);
        assert!(number >> 17 <= 3, "{number:x} has the tag of another table");
        table.leave(number);
    }
}

#[test]
fn a_callback_has_one_address_of_each_kind_and_its_slots_are_freed_with_it_or_the_table() {
    static POOL: Pool = Pool::new();
    static ADDRESSES: [Address; SLOTS] = upcall_glue::addresses!(trampoline as unsafe extern "C" fn());
    static POOLED: Signature = Signature::pooled("fn()", &POOL, &ADDRESSES);
    static SHARED: Signature = Signature::with_context("fn(*mut c_void)", ADDRESSES[0]);

    let mut table = Entries::<(), 47>::new(0);
    let first = table.enter((), false).unwrap();
    assert_eq!(table.address(first, &SHARED), Ok(ADDRESSES[0]));
    let address = table.address(first, &POOLED).unwrap();
    assert_eq!(table.address(first, &POOLED), Ok(address));
    assert_eq!(POOL.number(0), first);
    for _ in 1..SLOTS {
        let number = table.enter((), false).unwrap();
        assert_ne!(table.address(number, &POOLED).unwrap(), address);
    }
    let other = table.enter((), false).unwrap();
    assert_eq!(table.address(other, &POOLED), Err(NoAddress::Full));
    table.leave(first);
    assert_eq!(table.address(first, &POOLED), Err(NoAddress::Gone));
    assert_eq!(table.address(other, &POOLED), Ok(address));
    drop(table);
    assert_eq!((0..=SLOTS).filter_map(|_| POOL.take(1)).count(), SLOTS);
}
