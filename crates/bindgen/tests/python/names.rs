//! Docs that begin or end with what ends a docstring, and names that Python has too.

use std::fmt;

/// Says "hello"
pub const GREETING: &str = "x";
/// "two"
pub const TWO: i32 = 2;
/// one\
pub const ONE: i32 = 1;

/// The mode "fast"
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Mode {
    /// "slow"
    Slow,
    /// as """fast"""
    Fast,
}

/// A "struct"
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Fields {
    /// A field "event"
    pub event: i32,
    pub mode: Mode,
}

/// The "sum"
#[unsafe(no_mangle)]
pub extern "C" fn sum(fields: Fields) -> i32 {
    fields.event + fields.mode as i32
}

/// A "static"
#[unsafe(no_mangle)]
pub static mut LEVEL: i32 = 4;

#[derive(Debug)]
pub struct TypeError;

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("odd")
    }
}

impl std::error::Error for TypeError {}

/// Halves.
#[upcall::export]
pub fn half(value: i32) -> Result<i32, TypeError> {
    if value % 2 == 0 { Ok(value / 2) } else { Err(TypeError) }
}

pub struct Held(i32);

#[upcall::export]
impl Held {
    pub fn new(value: i32) -> Self {
        Held(value)
    }

    pub fn get(&self) -> i32 {
        self.0
    }
}
