//! Constants and statics of every scalar type.

use crate::layouts::Point;
use std::ffi::CStr;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// May be written.
#[unsafe(no_mangle)]
pub static mut LAST: f64 = 0.5;

static COUNT: AtomicU32 = AtomicU32::new(0);

#[unsafe(no_mangle)]
pub extern "C" fn count_up() -> u32 {
    COUNT.fetch_add(1, Ordering::Relaxed) + 1
}
