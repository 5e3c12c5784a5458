//! What is passed to JavaScript in a way of its own.
#![allow(improper_ctypes_definitions, reason = "a value without bytes among them")]

mod names;

use upcall::Blit;
use upcall_abi::{Rel, Slice, SliceMut};

pub use names::*;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Nothing {}

#[unsafe(no_mangle)]
pub extern "C" fn around_nothing(call: extern "C" fn(i32, Nothing, i32) -> i32) -> i32 {
    call(3, Nothing {}, 4)
}

#[unsafe(no_mangle)]
pub extern "C" fn from_nothing(call: extern "C" fn(i32) -> Nothing) {
    call(5);
}

#[repr(C)]
#[derive(Clone, Copy, Blit)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "names of the module that is generated")]
pub extern "C" fn shadow(Point: Point, native: i32, addresses: i32, shadow: extern "C" fn(Point) -> Point) -> f32 {
    shadow(Point).x + (native + addresses) as f32
}

pub struct Counter {
    count: i64,
}

#[upcall::export]
impl Counter {
    pub fn new(counter_release: i64) -> Self {
        Counter { count: counter_release }
    }

    pub fn add(&mut self, counter_add: i64) -> i64 {
        self.count += counter_add;
        self.count
    }
}

/// Scales points in place.
#[upcall::export]
pub fn scale(points: &mut [Point], by: f32) {
    for point in points {
        point.x *= by;
        point.y *= by;
    }
}

#[upcall::export]
pub fn total(points: &[Point]) -> f32 {
    points.iter().map(|point| point.x + point.y).sum()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn invert_all(flags: SliceMut<bool>) {
    // SAFETY: the caller gives as many as it says.
    let flags = unsafe { std::slice::from_raw_parts_mut(flags.data, flags.len) };
    flags.iter_mut().for_each(|flag| *flag = !*flag);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn swap_rows(rows: SliceMut<[f32; 2]>) {
    // SAFETY: as above.
    let rows = unsafe { std::slice::from_raw_parts_mut(rows.data, rows.len) };
    rows.iter_mut().for_each(|row| row.swap(0, 1));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn first_row(rows: Slice<[f32; 2]>) -> f32 {
    // SAFETY: as above.
    let rows = unsafe { std::slice::from_raw_parts(rows.data, rows.len) };
    rows.first().map_or(0.0, |row| row[0] + row[1])
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn move_right(point: *mut Point) {
    // SAFETY: the caller's promise.
    unsafe { (*point).x += 1.0 };
}

#[repr(i16)]
#[derive(Clone, Copy)]
pub enum Color {
    Red = -1,
    Green = 8,
}

#[repr(u64)]
#[derive(Clone, Copy)]
pub enum Far {
    Near = 1,
    Away = 1 << 63,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pixel {
    pub color: Color,
    pub far: Far,
    pub others: [Color; 2],
}

#[repr(u8)]
#[derive(Clone, Copy)]
pub enum Shape {
    Empty,
    Circle(f64) = 4,
}

#[unsafe(no_mangle)]
pub extern "C" fn invert(color: Color) -> Color {
    match color {
        Color::Red => Color::Green,
        Color::Green => Color::Red,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn farther(far: Far) -> Far {
    match far {
        Far::Near => Far::Away,
        Far::Away => Far::Near,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn chosen(choose: extern "C" fn() -> Color) -> i16 {
    choose() as i16
}

/// How many are green.
#[unsafe(no_mangle)]
pub extern "C" fn four(colors: &[Color; 4]) -> i32 {
    colors.iter().map(|color| i32::from(matches!(color, Color::Green))).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn green_pixels(pixels: &[Pixel; 2]) -> i32 {
    pixels.iter().map(|pixel| i32::from(matches!(pixel.color, Color::Green))).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn trace(matrix: &[[f64; 3]; 3]) -> f64 {
    matrix[0][0] + matrix[1][1] + matrix[2][2]
}

#[unsafe(no_mangle)]
pub extern "C" fn clear(flags: &mut [bool; 2], grid: Option<&mut [u8; 3]>) {
    *flags = [false; 2];
    grid.into_iter().for_each(|grid| *grid = [0; 3]);
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Board {
    pub rows: [[f64; 3]; 3],
    pub colors: [Color; 4],
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_board(board: Board) -> Board {
    board
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_pixel(pixel: Pixel) -> Pixel {
    pixel
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_shape(shape: Shape) -> Shape {
    shape
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Header {
    pub points: Rel<Point>,
    pub weights: Rel<f32>,
}

#[unsafe(no_mangle)]
pub extern "C" fn header() -> Header {
    Header { points: Rel::new(8, 2), weights: Rel::new(24, 3) }
}

#[repr(C, packed)]
#[derive(Clone, Copy)]
pub struct Tight {
    pub small: u8,
    pub wide: [u32; 2],
    pub inner: Inner,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Inner {
    pub wide: [[f32; 2]; 2],
}

#[unsafe(no_mangle)]
pub extern "C" fn echo_tight(tight: Tight) -> Tight {
    tight
}
