//! The number types that a pool's values may be declared as, to and from Python's `int` and `float`.

use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use std::ffi::CStr;
use std::fmt::Debug;

/// A number type, little endian in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// `u8` to `u64`, by their bytes.
    Unsigned(u8),
    /// `i8` to `i64`, by their bytes.
    Signed(u8),
    /// `f32` and `f64`, by their bytes.
    Float(u8),
}

/// Every type by its name in a flow's file.
const NAMES: [(&str, Number); 10] = [
    ("u8", Number::Unsigned(1)),
    ("u16", Number::Unsigned(2)),
    ("u32", Number::Unsigned(4)),
    ("u64", Number::Unsigned(8)),
    ("i8", Number::Signed(1)),
    ("i16", Number::Signed(2)),
    ("i32", Number::Signed(4)),
    ("i64", Number::Signed(8)),
    ("f32", Number::Float(4)),
    ("f64", Number::Float(8)),
];

impl Number {
    /// The type of this name; `None` for text, bytes and structs.
    pub fn named(name: &str) -> Option<Number> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, number)| *number == self).map_or("?", |(name, _)| name)
    }

    /// Its letter in the format of a buffer.
    pub fn format(self) -> &'static CStr {
        match self {
            Number::Unsigned(1) => c"B",
            Number::Unsigned(2) => c"H",
            Number::Unsigned(4) => c"I",
            Number::Unsigned(_) => c"Q",
            Number::Signed(1) => c"b",
            Number::Signed(2) => c"h",
            Number::Signed(4) => c"i",
            Number::Signed(_) => c"q",
            Number::Float(4) => c"f",
            Number::Float(_) => c"d",
        }
    }

    /// Its bytes.
    #[inline]
    pub fn size(self) -> usize {
        let (Number::Unsigned(size) | Number::Signed(size) | Number::Float(size)) = self;
        size as usize
    }

    /// The bytes of an `int`, a `float` or what has `__index__` or `__float__`, the first [`Number::size`] of them.
    ///
    /// # Safety
    /// The object must be alive.
    #[inline]
    pub unsafe fn bytes_of(self, object: *mut PyObject) -> Outcome<[u8; 8]> {
        // SAFETY: the caller's promise.
        unsafe { self.bytes_for(object, "the pool's") }
    }

    /// The same, of a number that is to fit `whose` type.
    ///
    /// # Safety
    /// The object must be alive.
    #[inline]
    pub unsafe fn bytes_for(self, object: *mut PyObject, whose: &str) -> Outcome<[u8; 8]> {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Number::Unsigned(size) => {
                    let number = if ffi::Py_TYPE(object) == &raw mut ffi::PyLong_Type {
                        ffi::PyLong_AsUnsignedLongLong(object)
                    } else {
                        // Unlike its signed counterpart it does not ask for the `__index__` of what is no `int`.
                        let index = Ref::steal(ffi::PyNumber_Index(object))?;
                        ffi::PyLong_AsUnsignedLongLong(index.as_ptr())
                    };
                    if number == u64::MAX {
                        raised()?;
                    }
                    if size < 8 && number >> (8 * size) != 0 {
                        return Err(self.too_big(number, whose));
                    }
                    Ok(number.to_le_bytes())
                }
                Number::Signed(size) => {
                    let number = ffi::PyLong_AsLongLong(object);
                    if number == -1 {
                        raised()?;
                    }
                    let unused = 64 - 8 * u32::from(size);
                    if (number << unused) >> unused != number {
                        return Err(self.too_big(number, whose));
                    }
                    Ok(number.to_le_bytes())
                }
                Number::Float(size) => {
                    let number = ffi::PyFloat_AsDouble(object);
                    if number == -1.0 {
                        raised()?;
                    }
                    if size == 8 {
                        return Ok(number.to_le_bytes());
                    }
                    let nearest = number as f32;
                    if nearest.is_infinite() && number.is_finite() {
                        return Err(self.too_big(number, whose));
                    }
                    let mut bytes = [0; 8];
                    bytes[..4].copy_from_slice(&nearest.to_le_bytes());
                    Ok(bytes)
                }
            }
        }
    }

    /// The number in a value of `len` bytes, which starts with those of `word`.
    pub fn read(self, word: [u8; 8], len: usize) -> Outcome<Ref> {
        let size = self.size();
        if len != size {
            let message = format!("a value of {len} bytes is no {}, which has {size}", self.name());
            return Err(py::raise(Kind::Value, message));
        }
        self.object(u64::from_le_bytes(word))
    }

    /// The number of these bytes, the low [`Number::size`] of them.
    #[inline]
    pub fn object(self, word: u64) -> Outcome<Ref> {
        let unused = 64 - 8 * self.size() as u32;
        // SAFETY: no pointer is passed.
        unsafe {
            Ref::steal(match self {
                Number::Unsigned(_) => ffi::PyLong_FromUnsignedLongLong((word << unused) >> unused),
                Number::Signed(_) => ffi::PyLong_FromLongLong(((word << unused) as i64) >> unused),
                Number::Float(4) => ffi::PyFloat_FromDouble(f64::from(f32::from_bits(word as u32))),
                Number::Float(_) => ffi::PyFloat_FromDouble(f64::from_bits(word)),
            })
        }
    }

    #[cold]
    fn too_big(self, number: impl Debug, whose: &str) -> Raised {
        py::raise(Kind::Overflow, format!("{number:?} does not fit {whose} {}", self.name()))
    }
}

/// Whether the number that C uses for a failure was one.
#[cold]
fn raised() -> Outcome<()> {
    // SAFETY: this thread is attached.
    if unsafe { ffi::PyErr_Occurred() }.is_null() { Ok(()) } else { Err(Raised) }
}
