//! What the handlers of the benchmark `typed` take and emit, in every language.

use upcall::Blit;
use upcall::pack::Pack;

/// A blittable value of 16 bytes.
#[derive(Blit, Pack, Clone, Copy)]
#[pack(raw)]
#[repr(C)]
pub struct Reading {
    /// Who measured.
    pub sensor: u64,
    /// What was measured.
    pub celsius: f64,
}

/// A packed value: an object of an integer and a text, 27 bytes here.
#[derive(Pack)]
pub struct Label<'a> {
    /// A number.
    pub id: i32,
    /// A text.
    pub text: &'a str,
}
