//! Calls of exported functions: the C function that `#[upcall::export]` makes.

use crate::callgrind::counted;
use std::hint::black_box;
use std::ptr;
use upcall::abi::{Failure, Slice, Str};

const CALLS: usize = 1000;

/// The bytes of a text: they are checked to be UTF-8.
#[upcall::export]
pub fn counted_length(text: &str) -> u32 {
    text.len() as u32
}

/// The first number of a slice.
#[upcall::export]
pub fn counted_first(values: &[f32]) -> Result<f32, String> {
    values.first().copied().ok_or_else(|| "there is none".to_owned())
}

type Length = unsafe extern "C" fn(Str, *mut *mut Failure) -> u32;
type First = unsafe extern "C" fn(Slice<f32>, *mut *mut Failure) -> f32;

mod c {
    use super::{Failure, Slice, Str};

    unsafe extern "C" {
        pub fn counted_length(text: Str, failure: *mut *mut Failure) -> u32;
        pub fn counted_first(values: Slice<f32>, failure: *mut *mut Failure) -> f32;
    }
}

pub fn count() {
    // As a guest has them: pointers, through which nothing is inlined.
    let (length, first) = (black_box(c::counted_length as Length), black_box(c::counted_first as First));
    let mut failure = ptr::null_mut();
    // On the heap, where it is aligned: how it is checked depends on that, and every build moves a literal.
    let text = String::from("fourteen bytes");
    counted("exported, &str", CALLS, || {
        for _ in 0..CALLS {
            // SAFETY: the text lives, and `failure` is a place for one failure.
            black_box(unsafe { length(Str::from(text.as_str()), &mut failure) });
        }
    });
    counted("exported, &[f32] to Result", CALLS, || {
        for _ in 0..CALLS {
            // SAFETY: likewise.
            black_box(unsafe { first(Slice::from(&[1.5, 2.5][..]), &mut failure) });
        }
    });
    assert!(failure.is_null(), "the functions that are counted do not fail");
}
