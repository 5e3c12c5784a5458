//! C#'s `nint` and `nuint`, which are 8 bytes on the wire whatever they are in memory.

use crate::primitive::raw;
use crate::{Invalid, Layout};

const LAYOUT: Layout = match size_of::<usize>() {
    8 => Layout::primitive(8),
    _ => Layout::primitive(8).elsewhere(),
};

raw!(isize, LAYOUT, |value, to| to.cast::<[u8; 8]>().write((value as i64).to_le_bytes()), |from| {
    let number = i64::from_le_bytes(from.cast::<[u8; 8]>().read());
    isize::try_from(number).map_err(|_| Invalid::new(number.into(), "this machine's nint has fewer bits"))
});

raw!(usize, LAYOUT, |value, to| to.cast::<[u8; 8]>().write((value as u64).to_le_bytes()), |from| {
    let number = u64::from_le_bytes(from.cast::<[u8; 8]>().read());
    usize::try_from(number).map_err(|_| Invalid::new(number.into(), "this machine's nuint has fewer bits"))
});
