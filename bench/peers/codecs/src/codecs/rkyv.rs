//! rkyv, always checked: bytes from elsewhere cannot be trusted with any of the codecs.

use super::BUFFER;
use crate::rounds::Cases;
use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator, to_bytes_in};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::Failure;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Serialize};
use std::hint::black_box;
use std::mem::take;

const NAME: &str = "rkyv";

pub trait Known:
    Sized
    + for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, Failure>>
    + Archive<
        Archived: for<'a> CheckBytes<HighValidator<'a, Failure>>
                      + Deserialize<Self, HighDeserializer<Failure>>,
    >
{
}

impl<T> Known for T
where
    T: for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, Failure>>,
    T::Archived: for<'a> CheckBytes<HighValidator<'a, Failure>> + Deserialize<T, HighDeserializer<Failure>>,
{
}

pub fn add<'a, T: Known + PartialEq + 'a>(cases: &mut Cases<'a>, value: &'a T) {
    let bytes =
        to_bytes_in::<_, Failure>(value, AlignedVec::<16>::new()).expect("every value can be encoded");
    let bytes: &'static AlignedVec = Box::leak(Box::new(bytes));
    assert!(rkyv::from_bytes::<T, Failure>(bytes).is_ok_and(|read| read == *value));
    cases.size(NAME, bytes.len());
    let mut buffer = AlignedVec::<16>::with_capacity(BUFFER);
    cases.add("write", NAME, move || {
        buffer.clear();
        let written = to_bytes_in::<_, Failure>(black_box(value), black_box(take(&mut buffer)));
        buffer = written.expect("the value was encoded before");
    });
    cases.add("read", NAME, move || rkyv::from_bytes::<T, Failure>(black_box(bytes)));
    cases.add("borrow", NAME, move || rkyv::access::<T::Archived, Failure>(black_box(bytes)).is_ok());
}
