//! One type of each shape: compiled into the library, and into the tests, which take the layouts from here.

use std::marker::PhantomData;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

#[repr(C, packed(2))]
#[derive(Clone, Copy)]
pub struct Packed {
    pub small: u8,
    pub wide: u64,
    pub last: u16,
}

#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub struct Aligned {
    pub value: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Mixed {
    pub flag: bool,
    pub letter: char,
    pub color: Color,
    pub big: i128,
    pub points: [Point; 2],
    pub grid: [[u16; 3]; 2],
    pub next: *const Mixed,
    pub call: Option<extern "C" fn(i32) -> i32>,
    pub nested: Aligned,
    pub r#type: i8,
}

#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Meters(pub f64);

#[repr(C)]
#[derive(Clone, Copy)]
pub union Number {
    pub whole: u32,
    pub real: f64,
    pub bytes: [u8; 12],
}

#[repr(i16)]
#[derive(Clone, Copy)]
pub enum Color {
    Red = -1,
    Green = 1 << 3,
}

#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Access(pub u32);

#[repr(C, u8)]
#[derive(Clone, Copy)]
pub enum Shape {
    Empty,
    Circle(f64),
    Rect { corner: Point, width: u16 },
}

#[repr(u8)]
#[derive(Clone, Copy)]
pub enum Event {
    None,
    Key { code: u16 },
    Text(u8, u64),
}

/// What C sees of `struct { int a: 3; unsigned b: 7; char c; unsigned d: 20; }`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bitfields {
    pub low: [u8; 2],
    pub c: i8,
    pub gap: u8,
    pub d: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Nothing {}

pub struct Counter {
    pub count: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Slice<T> {
    pub data: *const T,
    pub len: usize,
    pub of: PhantomData<T>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct SliceMut<T> {
    pub data: *mut T,
    pub len: usize,
    pub of: PhantomData<T>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    pub data: *const u8,
    pub len: usize,
}

#[repr(C)]
pub struct Buffer<T> {
    pub data: *mut T,
    pub len: usize,
    pub capacity: usize,
    pub release: Option<unsafe extern "C" fn(*mut T, usize, usize)>,
}

pub type Text = Buffer<u8>;

#[repr(C)]
pub struct Failure {
    pub message: Text,
    pub code: i32,
}
