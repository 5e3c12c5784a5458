//! Which call a Python handler is in, as the driver knows it.
#![cfg(feature = "python")]

#[path = "../../../sdk/python/src/flow/moment.rs"]
mod moment;

use moment::Moments;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn a_panic_leaves_no_moment_open() {
    let moments = Moments::new();
    let mut opened = None;
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        moments.during(|| {
            opened = Some(moments.open());
            panic!("a bug of the driver");
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(moments.now(), None);
    assert!(!moments.is(opened.unwrap()));
}

#[test]
fn a_moment_is_no_other_one() {
    let moments = Moments::new();
    moments.during(|| {
        let first = moments.open();
        assert_eq!((moments.now(), moments.is(first)), (Some(first), true));
        moments.close();
        assert_eq!((moments.now(), moments.is(first)), (None, false));
        let second = moments.open();
        assert_eq!((moments.is(first), moments.is(second)), (false, true));
    });
    assert_eq!(moments.now(), None);
}
