//! Upcall's pack: MemoryPack's bytes, and the same with strings whose length in UTF-16 is left out.

use super::{BUFFER, Borrowing};
use crate::rounds::Cases;
use std::hint::black_box;
use upcall_pack::{Options, Pack, Text, Unpack};

const MODES: [(&str, Options); 2] = [
    ("upcall pack", Options::new()),
    ("upcall pack, UTF-8 only", Options::new().text(Text::Utf8WithoutLength)),
];

pub trait Known: Pack + for<'a> Unpack<'a> {}
impl<T: Pack + for<'a> Unpack<'a>> Known for T {}

pub trait Borrowed<'a>: Unpack<'a> {}
impl<'a, T: Unpack<'a>> Borrowed<'a> for T {}

/// What MemoryPack is given to read.
pub fn encoded<T: Known>(value: &T, options: Options) -> &'static [u8] {
    options.to_vec(value).expect("every value can be encoded").leak()
}

pub fn add<'a, T: Known + PartialEq + 'a>(cases: &mut Cases<'a>, value: &'a T) {
    cases.keep(encoded(value, Options::new()));
    for (name, options) in MODES {
        let bytes = encoded(value, options);
        let decoded = || options.from_slice::<T>(bytes).expect("what was written can be read");
        assert!(decoded() == *value);
        cases.size(name, bytes.len());
        let mut buffer = Vec::with_capacity(BUFFER);
        cases.add("write", name, move || {
            buffer.clear();
            options.append(black_box(value), black_box(&mut buffer))
        });
        cases.add("read", name, move || options.from_slice::<T>(black_box(bytes)));
        let mut target = decoded();
        cases.add("overwrite", name, move || options.overwrite(black_box(&mut target), black_box(bytes)));
    }
}

/// Adds borrowed reading of a shape that no other codec borrows.
pub fn borrow_as<'a, B: Unpack<'a> + 'a>(cases: &mut Cases<'a>, value: &'a impl Known) {
    let (name, options) = MODES[0];
    let bytes = encoded(value, options);
    assert!(options.from_slice::<B>(bytes).is_ok());
    cases.add("borrow", name, move || options.from_slice::<B>(black_box(bytes)));
}

pub fn borrow<'a, B: Borrowing>(cases: &mut Cases<'a>, value: &'a B::Owned) {
    for (name, options) in MODES {
        let bytes = encoded(value, options);
        assert!(options.from_slice::<B::Borrowed<'_>>(bytes).is_ok());
        cases.add("borrow", name, move || options.from_slice::<B::Borrowed<'_>>(black_box(bytes)));
    }
}
