//! Names that are Python's own, of every sort of item: what is generated means Python's all the same.
#![allow(non_camel_case_types, non_upper_case_globals)]

use std::ffi::c_char;
use std::fmt;

#[derive(Clone, Copy)]
#[repr(u8)]
pub enum int {
    One = 1,
    Two = 2,
}

#[derive(Clone, Copy)]
#[repr(u8)]
pub enum bytes {
    Zero,
}

#[derive(Clone, Copy)]
#[repr(u8)]
pub enum r#type {
    Plain,
}

#[derive(Clone, Copy)]
#[repr(u8)]
pub enum r#enum {
    First,
}

#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Exception {
    Odd,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct dict {
    pub list: i32,
    pub of: int,
    pub bytes: bytes,
    pub plain: r#type,
    pub first: r#enum,
    pub odd: Exception,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct object {
    pub list: dict,
}

pub const list: i32 = 1;
pub const float: f64 = f64::NAN;
pub const tuple: f64 = f64::NEG_INFINITY;
pub const bool: bool = true;
pub const hasattr: i32 = 2;
pub const format: i32 = 3;
pub const globals: i32 = 4;
pub const vars: i32 = 5;
pub const getattr: i32 = 6;
pub const os: i32 = 7;
pub const sys: i32 = 8;
pub const pathlib: i32 = 9;
pub const warnings: i32 = 10;
pub const property: i32 = 11;
pub const ValueError: i32 = 12;

#[unsafe(no_mangle)]
pub extern "C" fn classmethod(of: object) -> int {
    of.list.of
}

#[unsafe(no_mangle)]
pub extern "C" fn staticmethod() -> *const c_char {
    c"said".as_ptr()
}

#[derive(Debug)]
pub struct Wrong;

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wrong")
    }
}

impl std::error::Error for Wrong {}

pub struct Held(i32);

#[upcall::export]
impl Held {
    pub fn new(value: i32) -> Result<Self, Wrong> {
        if value > 0 { Ok(Held(value)) } else { Err(Wrong) }
    }

    pub fn classmethod() -> Self {
        Held(7)
    }

    pub fn second() -> Self {
        Held(8)
    }

    pub fn staticmethod() -> i32 {
        9
    }

    pub fn last() -> i32 {
        10
    }

    pub fn get(&self) -> i32 {
        self.0
    }
}
