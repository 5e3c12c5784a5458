//! postcard, by serde.

use super::{BUFFER, Borrowing};
use crate::rounds::Cases;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::hint::black_box;

const NAME: &str = "postcard";

fn encoded<T: Serialize>(value: &T) -> &'static [u8] {
    postcard::to_allocvec(value).expect("every value can be encoded").leak()
}

pub fn add<'a, T: Serialize + DeserializeOwned + PartialEq>(cases: &mut Cases<'a>, value: &'a T) {
    let bytes = encoded(value);
    assert!(postcard::from_bytes::<T>(bytes).is_ok_and(|read| read == *value));
    cases.size(NAME, bytes.len());
    let mut buffer = vec![0; BUFFER];
    cases.add("write", NAME, move || {
        postcard::to_slice(black_box(value), black_box(&mut buffer)).map(|written| written.len())
    });
    cases.add("read", NAME, move || postcard::from_bytes::<T>(black_box(bytes)));
}

pub fn borrow<'a, B: Borrowing>(cases: &mut Cases<'a>, value: &'a B::Owned) {
    let bytes = encoded(value);
    assert!(postcard::from_bytes::<B::Borrowed<'_>>(bytes).is_ok());
    cases.add("borrow", NAME, move || postcard::from_bytes::<B::Borrowed<'_>>(black_box(bytes)));
}
