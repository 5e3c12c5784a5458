//! What the file of layouts is tested with.
//!
//! The test compiles it too, and writes values as it lays them out.

/// A point.
///
/// More of it.
#[repr(C)]
pub struct Point {
    /// To the right.
    pub x: f32,
    pub y: f32,
}

/// A struct within a struct, and an array.
#[repr(C)]
pub struct Shape {
    pub kind_of: Kind,
    pub corners: [Point; 3],
    pub reserved_1: u32,
    pub label: Tag<u8>,
    pub count: u64,
    hidden: u64,
    pub next: *const Shape,
}

#[repr(C, packed)]
pub struct Packed {
    pub small: u8,
    pub large: u64,
}

#[repr(C)]
pub union Either {
    pub whole: u64,
    pub halves: [u32; 2],
}

/// Where something is.
#[repr(C)]
pub struct Tag<T> {
    pub offset: u64,
    pub len: u64,
    of: core::marker::PhantomData<T>,
}

#[repr(C)]
pub struct Tags {
    pub points: Tag<Point>,
    pub pair: (),
    pub last: Newtype,
}

#[repr(C)]
pub struct Newtype(pub i16, pub bool);

impl Packed {
    /// Bytes.
    pub const MOST: u32 = 9;
}

/// What it is.
#[repr(i16)]
#[derive(Clone, Copy)]
pub enum Kind {
    None = -1,
    /// Three corners.
    Triangle = 3,
}

#[repr(u64)]
pub enum Wide {
    Low = 1,
    High = 1 << 60,
}

#[repr(C, u8)]
pub enum Event {
    /// Nothing comes with it.
    Quit,
    Moved {
        to: Point,
    },
    Typed(char) = 7,
}

/// Of no module.
pub const VERSION: u16 = 3;

pub mod limits_of_all {
    /// A number still.
    pub const EXACT: u64 = (1 << 53) - 1;
    pub const BEYOND: u64 = 1 << 53;
    /// Below what a number holds.
    pub const LOWEST: i64 = i64::MIN;
    pub const BELOW: i32 = -5;
    pub const HALF: f64 = 0.5;
    pub const NEVER: f32 = f32::NAN;
    pub const NAME: &str = "a \"name\"";
    pub const LETTER: char = 'é';
    pub const ON: bool = true;
    pub const RAW: &core::ffi::CStr = c"raw\xff";
    pub const TEXT: &core::ffi::CStr = c"text";
    pub const HUGE: u128 = u128::MAX;
    pub const SECRET_KEY: u32 = 4;
}
