//! 120 kB of three-float vectors, beside what memory allows: a copy over a buffer, and a copy into a new one.

use crate::codecs::upcall;
use crate::rounds::Cases;
use crate::shapes::mesh::Vector3;
use std::hint::black_box;
use upcall_pack::{Items, Options};

const NAME: &str = "memcpy";

/// Adds the codecs and the copies.
pub fn all<'a>(cases: &mut Cases<'a>, value: &'a Vec<Vector3>) {
    crate::codecs::all(cases, value);
    upcall::borrow_as::<Items<'_, Vector3>>(cases, value);

    // The same bytes as our pack reads and writes, behind their count: how copies lie to each other matters.
    let bytes = &upcall::encoded(value, Options::new())[4..];
    cases.size(NAME, bytes.len());
    let mut buffer = vec![0; bytes.len()];
    cases.add("write", NAME, move || black_box(&mut buffer[..]).copy_from_slice(black_box(bytes)));
    let mut target = bytes.to_vec();
    cases.add("overwrite", NAME, move || black_box(&mut target[..]).copy_from_slice(black_box(bytes)));
    cases.add("read", NAME, move || black_box(bytes).to_vec());
}
