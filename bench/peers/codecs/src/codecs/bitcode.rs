//! bitcode, by its own derive, with one buffer for all calls.

use super::Borrowing;
use crate::rounds::Cases;
use std::hint::black_box;

const NAME: &str = "bitcode";

pub trait Known: bitcode::Encode + bitcode::DecodeOwned {}
impl<T: bitcode::Encode + bitcode::DecodeOwned> Known for T {}

pub trait Borrowed<'a>: bitcode::Decode<'a> {}
impl<'a, T: bitcode::Decode<'a>> Borrowed<'a> for T {}

pub fn add<'a, T: Known + PartialEq>(cases: &mut Cases<'a>, value: &'a T) {
    let bytes: &'static [u8] = bitcode::encode(value).leak();
    assert!(bitcode::decode::<T>(bytes).is_ok_and(|read| read == *value));
    cases.size(NAME, bytes.len());
    let mut buffer = bitcode::Buffer::new();
    cases.add("write", NAME, move || black_box(buffer.encode(black_box(value))).len());
    let mut buffer = bitcode::Buffer::new();
    cases.add("read", NAME, move || buffer.decode::<T>(black_box(bytes)));
}

pub fn borrow<'a, B: Borrowing>(cases: &mut Cases<'a>, value: &'a B::Owned) {
    let bytes: &'static [u8] = bitcode::encode(value).leak();
    assert!(bitcode::decode::<B::Borrowed<'_>>(bytes).is_ok());
    let mut buffer = bitcode::Buffer::new();
    cases.add("borrow", NAME, move || drop(black_box(buffer.decode::<B::Borrowed<'_>>(black_box(bytes)))));
}
