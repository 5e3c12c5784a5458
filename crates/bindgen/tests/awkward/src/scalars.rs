//! Scalars that are not the same size everywhere, or not every bit pattern of which is valid.

use std::ffi::*;
use std::num::{NonZero, NonZeroU32};

/// Adds, and wraps around.
#[unsafe(no_mangle)]
pub extern "C" fn add(left: i32, right: i32) -> i32 {
    left.wrapping_add(right)
}

/// Replaced by [`add`].
#[deprecated(note = "use add")]
#[unsafe(export_name = "plus_one")]
pub extern "C" fn increment(value: c_int) -> c_int {
    value.wrapping_add(1)
}

#[unsafe(no_mangle)]
pub extern "C" fn long_sum(left: c_long, right: c_ulong) -> c_long {
    left.wrapping_add(right as c_long)
}

#[unsafe(no_mangle)]
pub extern "C" fn wide_negate(value: i128) -> i128 {
    value.wrapping_neg()
}

#[unsafe(no_mangle)]
pub extern "C" fn size_sum(left: usize, right: isize) -> usize {
    left.wrapping_add_signed(right)
}

/// The next character, or the same where there is none.
#[unsafe(no_mangle)]
#[expect(improper_ctypes_definitions, reason = "four bytes on both sides")]
pub extern "C" fn next_char(value: char) -> char {
    char::from_u32(value as u32 + 1).unwrap_or(value)
}

#[unsafe(no_mangle)]
pub extern "C" fn not(value: bool) -> bool {
    !value
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn first_char(text: *const c_char) -> c_char {
    // SAFETY: the caller gives the address of a character, or null.
    unsafe { text.as_ref() }.copied().unwrap_or(0)
}

#[unsafe(no_mangle)]
pub extern "C" fn non_zero(value: NonZeroU32) -> u32 {
    value.get()
}

/// None is 0.
#[unsafe(no_mangle)]
pub extern "C" fn maybe_non_zero(value: Option<NonZero<u64>>) -> Option<NonZero<u64>> {
    value.and_then(|value| value.checked_add(1))
}

/// An integer of each width, and all floats.
#[unsafe(no_mangle)]
pub extern "C" fn every(
    a: i8,
    b: u8,
    c: i16,
    d: u16,
    e: u32,
    f: i64,
    g: u64,
    h: u128,
    i: f32,
    j: f64,
) -> f64 {
    let whole = i128::from(a) + i128::from(b) + i128::from(c) + i128::from(d) + i128::from(e);
    (whole + i128::from(f) + i128::from(g) + h as i128) as f64 + f64::from(i) + j
}

/// A niche of a byte: `None` is 0.
#[unsafe(no_mangle)]
pub extern "C" fn small_non_zero(value: Option<NonZero<u8>>) -> u8 {
    value.map_or(255, NonZero::get)
}
