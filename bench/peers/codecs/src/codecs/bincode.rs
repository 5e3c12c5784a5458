//! bincode 2 with integers of fixed length, which is the faster of its two ways.

use super::{BUFFER, Borrowing};
use crate::rounds::Cases;
use bincode::config::{Configuration, Fixint, LittleEndian};
use std::hint::black_box;

const NAME: &str = "bincode";
const CONFIG: Configuration<LittleEndian, Fixint> = bincode::config::standard().with_fixed_int_encoding();

pub trait Known: bincode::Encode + bincode::Decode<()> {}
impl<T: bincode::Encode + bincode::Decode<()>> Known for T {}

pub trait Borrowed<'a>: bincode::BorrowDecode<'a, ()> {}
impl<'a, T: bincode::BorrowDecode<'a, ()>> Borrowed<'a> for T {}

fn encoded<T: Known>(value: &T) -> &'static [u8] {
    bincode::encode_to_vec(value, CONFIG).expect("every value can be encoded").leak()
}

pub fn add<'a, T: Known + PartialEq>(cases: &mut Cases<'a>, value: &'a T) {
    let bytes = encoded(value);
    assert!(bincode::decode_from_slice::<T, _>(bytes, CONFIG).is_ok_and(|(read, _)| read == *value));
    cases.size(NAME, bytes.len());
    let mut buffer = vec![0; BUFFER];
    cases.add("write", NAME, move || {
        bincode::encode_into_slice(black_box(value), black_box(&mut buffer), CONFIG)
    });
    cases.add("read", NAME, move || bincode::decode_from_slice::<T, _>(black_box(bytes), CONFIG));
}

pub fn borrow<'a, B: Borrowing>(cases: &mut Cases<'a>, value: &'a B::Owned) {
    let bytes = encoded(value);
    assert!(bincode::borrow_decode_from_slice::<B::Borrowed<'_>, _>(bytes, CONFIG).is_ok());
    cases.add("borrow", NAME, move || {
        bincode::borrow_decode_from_slice::<B::Borrowed<'_>, _>(black_box(bytes), CONFIG)
    });
}
