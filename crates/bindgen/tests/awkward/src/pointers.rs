//! Addresses: owned, borrowed, never null, and of what no stranger can look into.

use crate::layouts::Point;
use std::ptr::NonNull;

/// Known by its address only.
pub struct Handle {
    values: Vec<i32>,
}

#[unsafe(no_mangle)]
pub extern "C" fn handle_new() -> Box<Handle> {
    Box::new(Handle { values: Vec::new() })
}

/// How many there are now.
#[unsafe(no_mangle)]
pub extern "C" fn handle_push(handle: &mut Handle, value: i32) -> usize {
    handle.values.push(value);
    handle.values.len()
}

#[unsafe(no_mangle)]
pub extern "C" fn handle_sum(handle: Option<&Handle>) -> i32 {
    handle.map_or(0, |handle| handle.values.iter().sum())
}

#[unsafe(no_mangle)]
pub extern "C" fn handle_release(handle: Option<Box<Handle>>) {
    drop(handle);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn point_x(point: NonNull<Point>) -> f32 {
    // SAFETY: the caller gives the address of a point.
    unsafe { point.as_ref().x }
}

/// Names that are keywords in one language or another.
#[unsafe(no_mangle)]
pub extern "C" fn keywords(r#in: i32, class: i32, def: i32, function: i32, namespace: i32) -> i32 {
    r#in + class + def + function + namespace
}

/// Through two addresses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deep(value: *mut *mut *const i32) -> i32 {
    // SAFETY: the caller gives three addresses that lead to an integer.
    unsafe { ***value }
}

/// Null, or the address that came.
#[unsafe(no_mangle)]
pub extern "C" fn maybe_point(point: Option<NonNull<Point>>) -> Option<NonNull<Point>> {
    point
}

/// References, both kinds, with a lifetime between them.
#[unsafe(no_mangle)]
pub extern "C" fn point_copy<'a>(from: &Point, to: &'a mut Point) -> &'a mut Point {
    *to = *from;
    to
}

/// An address of addresses of arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grid_sum(grid: *const [[i16; 2]; 3], points: *const [*const Point; 2]) -> f32 {
    // SAFETY: the caller gives as many as the types say.
    let (grid, points) = unsafe { (*grid, (*points).map(|point| *point)) };
    points.iter().map(|point| point.x).sum::<f32>()
        + grid.iter().flatten().map(|value| f32::from(*value)).sum::<f32>()
}
