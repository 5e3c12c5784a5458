//! Closures, clones and drops that panic: nothing is dropped twice, and what can be kept is kept.

mod counted;

use counted::{Counted, FUSE, live};
use std::panic::{AssertUnwindSafe, catch_unwind};
use upcall_derive::Soa;

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
enum Kind {
    Owned(Counted),
    Plain(u8),
}

#[derive(Clone, Debug, PartialEq, Soa)]
#[soa(crate = upcall_soa)]
struct Pair {
    a: Counted,
    number: u32,
    b: Counted,
    #[soa(flatten)]
    kind: Kind,
}

fn pair(number: u32) -> Pair {
    let kind = if number.is_multiple_of(2) { Kind::Owned(Counted::new(number)) } else { Kind::Plain(1) };
    Pair { a: Counted::new(number), number, b: Counted::new(number), kind }
}

fn pairs() -> PairSoaVec {
    (0..20).map(pair).collect()
}

/// Whether it panicked.
fn panics(what: impl FnOnce()) -> bool {
    let panicked = catch_unwind(AssertUnwindSafe(what)).is_err();
    FUSE.set(None);
    panicked
}

#[test]
fn a_clone_that_panics_anywhere_leaves_nothing_behind() {
    let before = live();
    let rows = pairs();
    let owned = live();
    // 20 + 20 + 10 elements.
    for others in 0..50 {
        FUSE.set(Some(others));
        assert!(panics(|| drop(rows.clone())));
        assert_eq!(live(), owned);
        let mut more = pairs();
        FUSE.set(Some(others));
        assert!(panics(|| more.extend_from_rows(&rows)));
        assert_eq!(more, rows);
    }
    drop(rows);
    assert_eq!(live(), before);
}

#[test]
fn a_drop_that_panics_does_not_keep_the_others_from_being_dropped() {
    for others in 0..50 {
        let before = live();
        let rows = pairs();
        FUSE.set(Some(others));
        assert!(panics(|| drop(rows)));
        assert_eq!(live(), before);

        let mut rows = pairs();
        FUSE.set(Some(others));
        assert!(panics(|| rows.clear()));
        assert!(rows.is_empty());
        assert_eq!(live(), before);

        let rows = pairs();
        FUSE.set(Some(others));
        assert!(panics(|| drop(rows.into_iter())));
        assert_eq!(live(), before);
    }
}

#[test]
fn a_drained_row_whose_drop_panics_loses_no_other_row() {
    // 10 rows, half of them with three.
    for others in 0..25 {
        let before = live();
        let mut rows = pairs();
        FUSE.set(Some(others));
        assert!(panics(|| drop(rows.drain(5..15))));
        assert_eq!(rows.number(), [0, 1, 2, 3, 4, 15, 16, 17, 18, 19]);
        drop(rows);
        assert_eq!(live(), before);
    }
}

/// Owns no memory, so that a sanitizer has nothing to say about a leak.
#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Plain {
    number: u32,
}

#[test]
fn a_drain_that_is_leaked_leaks_and_no_more() {
    let mut rows: PlainSoaVec = (0..20).map(|number| Plain { number }).collect();
    std::mem::forget(rows.drain(3..5));
    assert_eq!(rows.number(), [0, 1, 2]);
    rows.push(Plain { number: 9 });
    assert_eq!(rows.number(), [0, 1, 2, 9]);
}

#[test]
fn rows_that_a_panicking_retain_did_not_look_at_are_kept() {
    let before = live();
    for at in 0..20 {
        let mut rows = pairs();
        let kept = panics(|| {
            rows.retain(|row| {
                assert_ne!(*row.number, at);
                row.number % 3 == 0
            });
        });
        assert!(kept);
        let expected: Vec<u32> = (0..20).filter(|number| *number >= at || number % 3 == 0).collect();
        assert_eq!(rows.number(), expected);
        assert!(rows.iter().all(|row| *row.a.0 == *row.number && *row.b.0 == *row.number));
    }
    for others in 0..30 {
        let mut rows = pairs();
        FUSE.set(Some(others));
        assert!(panics(|| rows.retain(|row| row.number % 3 == 0)));
        assert!(rows.iter().all(|row| *row.a.0 == *row.number && *row.b.0 == *row.number));
    }
    assert_eq!(live(), before);
}

#[test]
fn a_comparison_that_panics_moves_nothing() {
    let before = live();
    let mut rows = pairs();
    for after in 0..19 {
        let mut left = after;
        assert!(panics(|| rows.sort_by(|a, b| {
            assert_ne!(left, 0);
            left -= 1;
            b.number.cmp(a.number)
        })));
        assert!(panics(|| rows.sort_by_key(|row| {
            assert_ne!(*row.number, after);
            20 - row.number
        })));
        assert_eq!(rows, pairs());
    }
    drop(rows);
    assert_eq!(live(), before);
}

#[test]
fn an_iterator_that_panics_leaves_what_it_gave() {
    let before = live();
    let mut rows = pairs();
    assert!(panics(|| rows.extend((20..60).map(|number| if number < 40 { pair(number) } else { panic!() }))));
    assert_eq!(rows.len(), 40);
    drop(rows);
    assert_eq!(live(), before);
}

#[test]
fn indices_beyond_the_end_are_panics_that_change_nothing() {
    let mut rows = pairs();
    let mut messages = Vec::new();
    let mut refused = |what: &mut dyn FnMut()| {
        let error = catch_unwind(AssertUnwindSafe(what)).expect_err("there is no such row");
        messages.push(error.downcast_ref::<String>().expect("a message").clone());
    };
    refused(&mut || drop(rows.remove(20)));
    refused(&mut || drop(rows.swap_remove(20)));
    refused(&mut || rows.insert(21, pair(0)));
    refused(&mut || drop(rows.split_off(21)));
    refused(&mut || _ = rows.row(20));
    refused(&mut || _ = rows.slice(3..21));
    #[allow(clippy::reversed_empty_ranges)]
    refused(&mut || drop(rows.drain(5..4)));
    refused(&mut || _ = rows.split_at(21));
    refused(&mut || rows.swap(0, 20));
    assert_eq!(rows, pairs());
    assert_eq!(messages[0], "row 20 of 20");
    assert_eq!(messages[5], "rows 3..21 of 20");
}

#[test]
fn more_rows_than_memory_has_room_for_are_a_panic() {
    for rows in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 8] {
        assert!(panics(|| drop(PairSoaVec::with_capacity(rows))));
        assert!(panics(|| pairs().reserve(rows)));
    }
}
