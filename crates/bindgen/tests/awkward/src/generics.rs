//! One definition for each use of a generic struct, private fields included.

use crate::layouts::Point;

/// Borrowed elements, and how many.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct View<T> {
    first: *const T,
    count: u32,
}

/// A length that is a parameter too.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Fixed<T: Copy, const N: usize> {
    pub values: [T; N],
    pub used: u8,
}

static POINTS: [Point; 2] = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];

#[unsafe(no_mangle)]
pub extern "C" fn view_points() -> View<Point> {
    View { first: POINTS.as_ptr(), count: POINTS.len() as u32 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn view_points_sum(view: View<Point>) -> f32 {
    // SAFETY: the caller gives what `view_points` gave.
    let points = unsafe { std::slice::from_raw_parts(view.first, view.count as usize) };
    points.iter().map(|point| point.x + point.y).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn view_bytes_count(view: View<u8>) -> u32 {
    view.count
}

#[unsafe(no_mangle)]
pub extern "C" fn fixed_fill(value: u16) -> Fixed<u16, 3> {
    Fixed { values: [value; 3], used: 3 }
}

/// One generic struct within another, behind an alias.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Both<A, B = A> {
    pub left: A,
    pub right: B,
}

/// Lengths that are the same number, however they are written.
pub const LENGTH: usize = 4 - 2;

/// All are `Fixed<u8, 2>`.
#[repr(C)]
pub struct Written {
    pub plain: Fixed<u8, 2>,
    pub hexadecimal: Fixed<u8, 0x2_usize>,
    pub computed: Fixed<u8, { 1 + 1 }>,
    pub named: Fixed<u8, LENGTH>,
    pub measured: Fixed<u8, { size_of::<u16>() }>,
}

/// A module's own constant counts within a generic type that others use.
mod inner {
    const LENGTH: usize = 5;

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Holds<T: Copy> {
        pub fixed: super::Fixed<T, LENGTH>,
        pub array: [T; LENGTH],
        pub sign: super::Tagged<{ -1 }, true, 'x'>,
        pub other: super::Tagged<{ 2 - 1 }, { 1 > 2 }, { 'y' }>,
    }
}

/// Arguments that are not lengths.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tagged<const SIGN: i8, const ON: bool, const LETTER: char> {
    pub tag: u8,
}

/// Elements that are arrays: their length is a part of the type too.
#[repr(C)]
pub struct Rows {
    pub plain: Both<[u8; 2], u8>,
    pub named: Both<[u8; LENGTH], u8>,
}

#[unsafe(no_mangle)]
pub extern "C" fn written_used(written: &Written, holds: &inner::Holds<u16>, rows: &Rows) -> u32 {
    let both = u32::from(rows.plain.right) + u32::from(rows.named.right);
    u32::from(written.plain.used) + u32::from(holds.fixed.used) + both
}

pub type Nested = Both<Fixed<u8, { 1 + 1 }>, View<Both<f32>>>;

#[unsafe(no_mangle)]
pub extern "C" fn both_swap(both: Both<u8, f64>) -> Both<f64, u8> {
    Both { left: both.right, right: both.left }
}

#[unsafe(no_mangle)]
pub extern "C" fn nested_count(nested: &Nested) -> u32 {
    nested.right.count + u32::from(nested.left.used)
}
