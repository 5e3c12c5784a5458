//! One function for each way in which the extension holds objects.

use std::ffi::{c_char, c_void};
use std::fmt;

#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Color {
    Red = 1,
    Green = 2,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pixel {
    pub color: Color,
    pub colors: [Color; 2],
    pub wide: u128,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Frame {
    pub pixels: [Pixel; 2],
    pub heard: Option<extern "C" fn(i32) -> i32>,
    pub text: *const c_char,
}

#[derive(Clone, Copy)]
#[repr(C, u8)]
pub enum Shape {
    Disc { radius: f32 },
    Colored(Color),
}

#[unsafe(no_mangle)]
pub extern "C" fn brightest(frame: Frame) -> Pixel {
    frame.pixels[1]
}

#[unsafe(no_mangle)]
pub extern "C" fn grow(shape: Shape) -> Shape {
    match shape {
        Shape::Disc { radius } => Shape::Disc { radius: radius + 1.0 },
        other => other,
    }
}

/// # Safety
/// `to` is a pixel's place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fetch_pixel(to: *mut Pixel, number: *mut i64) {
    unsafe {
        *to = Pixel { color: Color::Green, colors: [Color::Red; 2], wide: 7 };
        *number = 1 << 40;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn asks(ask: extern "C" fn(Pixel, *mut c_void) -> Pixel, context: *mut c_void) -> u128 {
    ask(Pixel { color: Color::Red, colors: [Color::Green; 2], wide: 1 << 100 }, context).wide
}

#[unsafe(no_mangle)]
pub extern "C" fn said() -> *const c_char {
    c"said".as_ptr()
}

#[derive(Debug)]
pub struct Wrong;

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wrong")
    }
}

impl std::error::Error for Wrong {}

#[upcall::export]
pub fn half(value: i32) -> Result<i32, Wrong> {
    if value % 2 == 0 { Ok(value / 2) } else { Err(Wrong) }
}

#[upcall::export]
pub fn shout(text: &str) -> String {
    text.to_uppercase()
}

#[upcall::export]
pub fn floats(count: u64) -> Vec<f32> {
    (0..count).map(|value| value as f32).collect()
}

#[upcall::export]
pub fn show(f: &dyn Fn(&[f32]) -> i32) -> i32 {
    f(&[1.0, 2.0])
}

pub struct Held(i32);

#[upcall::export]
impl Held {
    pub fn new(value: i32) -> Result<Self, Wrong> {
        if value > 0 { Ok(Held(value)) } else { Err(Wrong) }
    }

    pub fn get(&self, f: &dyn Fn(i32) -> i32) -> i32 {
        f(self.0)
    }
}
