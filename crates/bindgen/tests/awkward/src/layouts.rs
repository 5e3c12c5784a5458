//! Structs and unions whose bytes do not follow from their fields' types alone.

use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

/// No padding at all.
#[repr(C, packed)]
#[derive(Clone, Copy)]
pub struct Packed {
    pub tag: u8,
    pub value: u32,
    pub wide: u64,
}

#[repr(C, packed(2))]
#[derive(Clone, Copy)]
pub struct PackedByTwo {
    pub tag: u8,
    pub value: u64,
}

#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub struct Aligned {
    pub value: f32,
}

#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Meters(pub f64);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair(pub u8, pub u32);

const SIDE: usize = 1 << 1;

/// Arrays of structs, of pointers and of arrays, one length an expression.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Arrays {
    pub points: [Point; 3],
    pub addresses: [*const Point; 2],
    pub rows: [[i16; SIDE + 1]; SIDE],
    pub bytes: [u8; 5],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union Number {
    pub int: u64,
    pub float: f64,
    pub bytes: [u8; 8],
}

/// What a field's wrapper adds to its bytes: nothing.
#[repr(C)]
pub struct Wrapped {
    pub unset: MaybeUninit<u32>,
    pub kept: ManuallyDrop<Point>,
    pub cell: Cell<u16>,
    inner: UnsafeCell<u8>,
    marker: PhantomData<*const Point>,
    last: u8,
}

/// Nothing to pass.
#[repr(C)]
pub struct Empty;

#[unsafe(no_mangle)]
pub extern "C" fn point_sum(left: Point, right: Point) -> Point {
    Point { x: left.x + right.x, y: left.y + right.y }
}

#[unsafe(no_mangle)]
pub extern "C" fn packed_sum(packed: Packed) -> u64 {
    let (value, wide) = (packed.value, packed.wide);
    u64::from(packed.tag).wrapping_add(u64::from(value)).wrapping_add(wide)
}

#[unsafe(no_mangle)]
pub extern "C" fn packed_by_two(tag: u8, value: u64) -> PackedByTwo {
    PackedByTwo { tag, value }
}

#[unsafe(no_mangle)]
pub extern "C" fn aligned_double(aligned: Aligned) -> Aligned {
    Aligned { value: aligned.value * 2.0 }
}

#[unsafe(no_mangle)]
pub extern "C" fn meters_half(meters: Meters) -> Meters {
    Meters(meters.0 / 2.0)
}

#[unsafe(no_mangle)]
pub extern "C" fn pair_swap(pair: Pair) -> Pair {
    Pair(pair.1 as u8, u32::from(pair.0))
}

/// The sum of everything in it but the addresses.
#[unsafe(no_mangle)]
pub extern "C" fn arrays_sum(arrays: &Arrays) -> f64 {
    let points: f32 = arrays.points.iter().map(|point| point.x + point.y).sum();
    let rows: i64 = arrays.rows.iter().flatten().map(|value| i64::from(*value)).sum();
    let bytes: u64 = arrays.bytes.iter().map(|byte| u64::from(*byte)).sum();
    f64::from(points) + rows as f64 + bytes as f64
}

#[unsafe(no_mangle)]
pub extern "C" fn number_of(float: f64) -> Number {
    Number { float }
}

#[unsafe(no_mangle)]
pub extern "C" fn wrapped_set(wrapped: &mut Wrapped, value: u8) -> u8 {
    wrapped.unset = MaybeUninit::new(u32::from(value));
    wrapped.cell.set(u16::from(value));
    *wrapped.inner.get_mut() = value;
    wrapped.last = value;
    value
}

#[unsafe(no_mangle)]
pub extern "C" fn empty_address(empty: *const Empty) -> bool {
    empty.is_null()
}

/// An array is a pointer to it in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn triple_sum(triple: *const [f32; 3]) -> f32 {
    // SAFETY: the caller gives three floats.
    unsafe { (*triple).iter().sum() }
}

/// Aligned within, so packed it cannot be.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Outer {
    pub before: u8,
    pub aligned: Aligned,
    pub packed: [Packed; 2],
    pub number: Number,
    pub letter: char,
    pub wide: u128,
    pub yes: bool,
}

/// Larger than its fields.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub union Line {
    pub bytes: [u8; 3],
    pub point: Point,
}

#[unsafe(no_mangle)]
#[expect(improper_ctypes_definitions, reason = "four bytes on both sides")]
pub extern "C" fn outer_make(before: u8, letter: char) -> Outer {
    let packed = Packed { tag: before, value: 7, wide: 8 };
    Outer {
        before,
        aligned: Aligned { value: 1.5 },
        packed: [packed; 2],
        number: Number { int: u64::from(before) },
        letter,
        wide: u128::MAX,
        yes: true,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn line_first(line: &Line) -> u8 {
    // SAFETY: any byte is an integer.
    unsafe { line.bytes[0] }
}
