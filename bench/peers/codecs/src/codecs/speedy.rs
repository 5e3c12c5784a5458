//! speedy, by its own derive.

use super::{BUFFER, Borrowing};
use crate::rounds::Cases;
use ::speedy::{LittleEndian, Readable, Writable};
use std::hint::black_box;

const NAME: &str = "speedy";

pub trait Known: Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian> {}
impl<T: Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian>> Known for T {}

pub trait Borrowed<'a>: Readable<'a, LittleEndian> {}
impl<'a, T: Readable<'a, LittleEndian>> Borrowed<'a> for T {}

fn encoded<T: Known>(value: &T) -> &'static [u8] {
    value.write_to_vec().expect("every value can be encoded").leak()
}

pub fn add<'a, T: Known + PartialEq>(cases: &mut Cases<'a>, value: &'a T) {
    let bytes = encoded(value);
    assert!(T::read_from_buffer(bytes).is_ok_and(|read| read == *value));
    cases.size(NAME, bytes.len());
    let mut buffer = vec![0; BUFFER];
    cases.add("write", NAME, move || black_box(value).write_to_buffer(black_box(&mut buffer)));
    cases.add("read", NAME, move || T::read_from_buffer(black_box(bytes)));
}

pub fn borrow<'a, B: Borrowing>(cases: &mut Cases<'a>, value: &'a B::Owned) {
    let bytes = encoded(value);
    assert!(B::Borrowed::read_from_buffer(bytes).is_ok());
    cases.add("borrow", NAME, move || B::Borrowed::read_from_buffer(black_box(bytes)));
}
