//! What lies at offsets from a base.

use upcall_abi::Rel;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Point {
    pub x: f32,
    pub y: f32,
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

#[unsafe(no_mangle)]
pub unsafe extern "C" fn move_right(point: *mut Point) {
    // SAFETY: the caller's promise.
    unsafe { (*point).x += 1.0 };
}
