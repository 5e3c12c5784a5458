//! MessagePack, by serde (rmp-serde).

use super::{BUFFER, Borrowing};
use crate::rounds::Cases;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::hint::black_box;

const NAME: &str = "rmp-serde";

fn encoded<T: Serialize>(value: &T) -> &'static [u8] {
    rmp_serde::to_vec(value).expect("every value can be encoded").leak()
}

pub fn add<'a, T: Serialize + DeserializeOwned + PartialEq>(cases: &mut Cases<'a>, value: &'a T) {
    let bytes = encoded(value);
    assert!(rmp_serde::from_slice::<T>(bytes).is_ok_and(|read| read == *value));
    cases.size(NAME, bytes.len());
    let mut buffer = vec![0; BUFFER];
    cases.add("write", NAME, move || {
        rmp_serde::encode::write(&mut black_box(&mut buffer[..]), black_box(value))
    });
    cases.add("read", NAME, move || rmp_serde::from_slice::<T>(black_box(bytes)));
}

pub fn borrow<'a, B: Borrowing>(cases: &mut Cases<'a>, value: &'a B::Owned) {
    let bytes = encoded(value);
    assert!(rmp_serde::from_slice::<B::Borrowed<'_>>(bytes).is_ok());
    cases.add("borrow", NAME, move || rmp_serde::from_slice::<B::Borrowed<'_>>(black_box(bytes)));
}
