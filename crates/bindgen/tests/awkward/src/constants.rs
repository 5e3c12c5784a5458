//! Constants and statics of every scalar type.

use crate::layouts::Point;
use std::ffi::CStr;
use std::sync::atomic::{AtomicU32, Ordering};

pub const BYTE: u8 = b'a';
pub const SMALL: i8 = -1 - 1;
pub const SHORT: i16 = i16::MIN;
pub const USHORT: u16 = 0xffff;
pub const INT: i32 = !7;
pub const ULONG: u64 = u64::MAX;
pub const SIZE: usize = size_of::<Point>();
pub const OFFSET: isize = -(SIZE as isize);
pub const NEGATIVE: i128 = i128::MIN;
pub const INFINITE: f64 = f64::NEG_INFINITY;
pub const SIGN: crate::enums::Signed = crate::enums::Signed::Below;
pub const YES: bool = true;
pub const LETTER: char = 'é';
pub const LEAST: i64 = i64::MIN;
pub const MOST: u128 = u128::MAX;
pub const BITS: u32 = 1 << 31 | super::enums::MASK as u32;
pub const PI: f64 = std::f64::consts::PI;
pub const NAN: f32 = f32::NAN;
pub const TITLE: &str = "awkward \"quoted\"\n";
pub const NATIVE: &CStr = c"native";

impl Point {
    /// How many coordinates.
    pub const COORDINATES: usize = 2;
}

/// Never changes.
#[unsafe(no_mangle)]
pub static VERSION: u32 = 7;

/// Under another name.
#[unsafe(export_name = "awkward_origin")]
pub static ORIGIN: Point = Point { x: 0.0, y: -1.0 };

#[unsafe(no_mangle)]
pub static TRUTH: bool = true;

#[unsafe(no_mangle)]
pub static TABLE: [u16; 4] = [1, 2, 3, 4];

#[unsafe(no_mangle)]
pub static NAME: &CStr = c"static";

/// May be written.
#[unsafe(no_mangle)]
pub static mut LAST: f64 = 0.5;

static COUNT: AtomicU32 = AtomicU32::new(0);

#[unsafe(no_mangle)]
pub extern "C" fn count_up() -> u32 {
    COUNT.fetch_add(1, Ordering::Relaxed) + 1
}
