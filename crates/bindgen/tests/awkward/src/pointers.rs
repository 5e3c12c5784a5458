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
