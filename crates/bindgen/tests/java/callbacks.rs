//! A library that calls back in every way: compiled alone by rustc.

use std::ffi::c_void;

#[repr(C)]
pub struct Str {
    data: *const u8,
    len: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Wide {
    a: f64,
    b: f64,
    c: f64,
}

#[repr(C)]
pub struct Table {
    double: Option<extern "C" fn(i32) -> i32>,
}

type Narrow = extern "C" fn(u8, u16, i8, bool, char, i16) -> u8;

/// Every bit of the result, as the compiler believes it to be: it trusts registers to be extended.
#[unsafe(no_mangle)]
pub extern "C" fn narrow(f: Narrow, value: u8) -> u32 {
    u32::from(f(value, 65535, -3, true, 'ß', -1))
}

/// Arguments beyond the registers.
#[unsafe(no_mangle)]
pub extern "C" fn many(a: u8, b: u16, c: u8, d: u16, e: u8, f: u16, g: u8, h: u16, i: i8) -> i64 {
    i64::from(a) + i64::from(b) + i64::from(c) + i64::from(d) + i64::from(e) + i64::from(f) + i64::from(g)
        + i64::from(h) + i64::from(i)
}

type Inner = extern "C" fn(i32, *mut c_void) -> i32;

extern "C" fn triple(value: i32, context: *mut c_void) -> i32 {
    value * 3 + context as i32
}

/// The callback is given a native callback to call.
#[unsafe(no_mangle)]
pub extern "C" fn nest(outer: extern "C" fn(Inner, *mut c_void, i32) -> i32, value: i32) -> i32 {
    outer(triple, 1 as *mut c_void, value)
}

#[unsafe(no_mangle)]
pub extern "C" fn name(f: extern "C" fn(Str) -> Wide) -> f64 {
    let text = "größer";
    let wide = f(Str { data: text.as_ptr(), len: text.len() });
    wide.a + wide.b + wide.c
}

#[unsafe(no_mangle)]
pub extern "C" fn twice(f: extern "C" fn(*const i32) -> *const i32) -> i32 {
    let value = 21;
    let found = f(&value);
    if found.is_null() { -1 } else { unsafe { *found * 2 } }
}

#[unsafe(no_mangle)]
pub extern "C" fn run_table(table: *const Table, value: i32) -> i32 {
    unsafe { (*table).double.map_or(-1, |double| double(value)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn tripler() -> Inner {
    triple
}
