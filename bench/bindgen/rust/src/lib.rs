//! What `cargo xtask bench bindgen` calls: six functions that do next to nothing, one for each way to cross.

use std::ffi::c_void;
use std::num::TryFromIntError;
use upcall::Blit;
use upcall::abi::Slice;

/// Where something is and how it moves: 48 bytes.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct Body {
    /// Place.
    pub x: f64,
    /// Place.
    pub y: f64,
    /// Place.
    pub z: f64,
    /// Speed.
    pub dx: f64,
    /// Speed.
    pub dy: f64,
    /// Speed.
    pub dz: f64,
}

/// Two numbers in, one out.
#[unsafe(no_mangle)]
pub extern "C" fn add(a: i32, b: i32) -> i32 {
    a.wrapping_add(b)
}

/// A struct of 48 bytes by value, in and out.
#[unsafe(no_mangle)]
pub extern "C" fn moved(body: Body) -> Body {
    Body { x: body.x + body.dx, y: body.y + body.dy, z: body.z + body.dz, ..body }
}

/// Text in: its bytes in UTF-8 are counted.
#[upcall::export]
pub fn length(text: &str) -> u32 {
    text.len() as u32
}

/// Numbers in, which are not copied; NaN for an invalid slice.
///
/// # Safety
///
/// The slice points to as many numbers as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sum(values: Slice<f32>) -> f32 {
    // SAFETY: the caller vouches for it.
    unsafe { values.get() }.map_or(f32::NAN, |values| values.iter().sum())
}

/// Calls back once.
///
/// # Safety
///
/// The callback may be called with this context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apply(
    value: i32,
    callback: unsafe extern "C" fn(context: *mut c_void, value: i32) -> i32,
    context: *mut c_void,
) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { callback(context, value) }
}

/// Calls back this many times, and adds up the results: what a callback costs without the call.
///
/// # Safety
///
/// The callback may be called with this context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repeat(
    times: i32,
    callback: unsafe extern "C" fn(context: *mut c_void, value: i32) -> i32,
    context: *mut c_void,
) -> i32 {
    // SAFETY: the caller vouches for it.
    (0..times).fold(0, |sum, value| sum.wrapping_add(unsafe { callback(context, value) }))
}

/// A `Result`, which is an error if the number is negative.
#[upcall::export]
pub fn checked(value: i32) -> Result<u32, TryFromIntError> {
    u32::try_from(value)
}
