//! Slices, text and what is owned, as `upcall-abi` has them.

use crate::layouts::Point;
use upcall_abi::{Buffer, Rel, Slice, SliceMut, Str, Text};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn floats_sum(values: Slice<f32>) -> f32 {
    if values.len == 0 {
        return 0.0;
    }
    // SAFETY: the caller gives as many floats as it says.
    unsafe { std::slice::from_raw_parts(values.data, values.len) }.iter().sum()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn points_scale(points: SliceMut<Point>, by: f32) {
    if points.len == 0 {
        return;
    }
    // SAFETY: the caller gives as many points as it says, for this call alone.
    for point in unsafe { std::slice::from_raw_parts_mut(points.data, points.len) } {
        point.x *= by;
        point.y *= by;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn text_bytes(text: Str) -> usize {
    text.len
}

/// From 0 on.
#[unsafe(no_mangle)]
pub extern "C" fn numbers(count: u32) -> Buffer<u32> {
    (0..count).collect::<Vec<u32>>().into()
}

#[unsafe(no_mangle)]
pub extern "C" fn greeting() -> Text {
    String::from("grüezi").into()
}

/// Points that lie behind their header.
#[repr(C)]
pub struct Header {
    pub kind: u32,
    pub points: Rel<Point>,
}

/// Where they end, counted from the header's base.
#[unsafe(no_mangle)]
pub extern "C" fn header_end(header: &Header) -> u64 {
    header.points.offset + header.points.len * size_of::<Point>() as u64
}
