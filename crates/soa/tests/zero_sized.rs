//! Rows without a size need no memory, and are counted and dropped all the same.

use std::cell::Cell;
use upcall_derive::Soa;

thread_local! {
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

#[derive(Clone)]
struct Bell;

impl Drop for Bell {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

#[derive(Clone, Soa)]
#[soa(crate = upcall_soa)]
struct Nothing {
    unit: (),
    bell: Bell,
    none: [u64; 0],
}

fn nothing() -> Nothing {
    Nothing { unit: (), bell: Bell, none: [] }
}

#[test]
fn rows_of_no_bytes_are_counted_and_dropped() {
    let mut rows = NothingSoaVec::new();
    assert_eq!(rows.capacity(), usize::MAX);
    for _ in 0..1000 {
        rows.push(nothing());
    }
    assert_eq!((rows.len(), rows.bell().len(), rows.none().len()), (1000, 1000, 1000));
    drop(rows.remove(3));
    drop(rows.swap_remove(0));
    rows.truncate(500);
    rows.retain(|_| true);
    drop(rows.drain(..100));
    rows.sort_by_key(|_| 0);
    let rest = rows.split_off(100);
    assert_eq!((rows.len(), rest.len()), (100, 300));
    rows.shrink_to_fit();
    assert_eq!(DROPPED.get(), 600);
    drop(rest.clone());
    assert_eq!(DROPPED.get(), 900);
    assert_eq!(rest.into_iter().count(), 300);
    drop(rows);
    assert_eq!(DROPPED.get(), 1300);
}
