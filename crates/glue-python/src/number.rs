//! Numbers, `bool`, `char` and enums, in both directions.

use super::ffi::*;
use super::kind::EnumType;
use std::ffi::{CStr, c_long, c_longlong, c_ulonglong};

/// An integer that goes through a C `long long` or `unsigned long long`.
pub trait Integer: Copy + std::fmt::Display {
    /// Its name, for messages.
    const NAME: &'static CStr;
    /// The value of an `int`; none where it does not fit or an exception is set.
    unsafe fn take(object: Obj) -> Option<Self>;
    /// As an `int`.
    unsafe fn give(self) -> Obj;
}

macro_rules! integers {
    ($take:ident, $again:expr, $give:ident: $($ty:ty, $name:literal;)*) => {$(
        impl Integer for $ty {
            const NAME: &'static CStr = $name;
            #[inline(always)]
            unsafe fn take(object: Obj) -> Option<$ty> {
                // SAFETY: the object is alive.
                unsafe {
                    let value = $take(object);
                    if value == !0 && failed() {
                        return ($again)(object).and_then(|value| <$ty>::try_from(value).ok());
                    }
                    <$ty>::try_from(value).ok()
                }
            }
            #[inline(always)]
            unsafe fn give(self) -> Obj {
                // SAFETY: no preconditions.
                unsafe { $give(self as _) }
            }
        }
    )*};
}

integers! {
    PyLong_AsLongLong, |_| None::<c_longlong>, give_signed:
    i8, c"i8"; i16, c"i16"; i32, c"i32"; i64, c"i64"; isize, c"isize"; u8, c"u8"; u16, c"u16"; u32, c"u32";
}
integers! {
    PyLong_AsUnsignedLongLong, unsigned_index, PyLong_FromUnsignedLongLong: u64, c"u64"; usize, c"usize";
}

#[inline(always)]
unsafe fn give_signed(value: c_longlong) -> Obj {
    // SAFETY: no preconditions.
    unsafe {
        if size_of::<c_long>() == size_of::<c_longlong>() {
            PyLong_FromLong(value as c_long)
        } else {
            PyLong_FromLongLong(value)
        }
    }
}

#[cold]
unsafe fn failed() -> bool {
    // SAFETY: the GIL is held.
    unsafe { !PyErr_Occurred().is_null() }
}

/// `PyLong_AsUnsignedLongLong` does not call `__index__`. A `TypeError` is set before.
#[cold]
unsafe fn unsigned_index(object: Obj) -> Option<c_ulonglong> {
    // SAFETY: the object is alive.
    unsafe {
        if PyErr_ExceptionMatches(PyExc_TypeError) == 0 {
            return None;
        }
        PyErr_Clear();
        let index = Ref::new(PyNumber_Index(object)).ok()?;
        let value = PyLong_AsUnsignedLongLong(index.0);
        (value != c_ulonglong::MAX || !failed()).then_some(value)
    }
}

/// An `int` within the range of `T`.
#[inline(always)]
pub unsafe fn take_int<T: Integer>(object: Obj, at: &'static At) -> Outcome<T> {
    // SAFETY: the object is alive.
    unsafe { T::take(object).ok_or_else(|| no_int(object, T::NAME, at)) }
}

#[cold]
unsafe fn no_int(object: Obj, name: &CStr, at: &At) -> Raised {
    // SAFETY: the object is alive.
    unsafe {
        let raised = PyErr_Occurred();
        if raised.is_null() || PyErr_ExceptionMatches(PyExc_OverflowError) != 0 {
            return at.out_of_range(object, name);
        }
        if PyErr_ExceptionMatches(PyExc_TypeError) != 0 { at.wrong_type(c"an int", object) } else { Raised }
    }
}

/// An `int`.
#[inline(always)]
pub unsafe fn give_int<T: Integer>(value: T) -> Outcome<Obj> {
    // SAFETY: the GIL is held.
    owned(unsafe { value.give() })
}

/// An `int` of 128 bits, in two halves.
pub unsafe fn take_wide(object: Obj, signed: bool, at: &'static At) -> Outcome<u128> {
    // SAFETY: the object is alive; each step's failure is looked at.
    unsafe {
        let index = Ref::new(PyNumber_Index(object)).map_err(|_| at.wrong_type(c"an int", object))?;
        let low = PyLong_AsUnsignedLongLongMask(index.0);
        let bits = Ref::new(PyLong_FromLong(64))?;
        let rest = Ref::new(PyNumber_Rshift(index.0, bits.0))?;
        let high = if signed { PyLong_AsLongLong(rest.0) as u64 } else { PyLong_AsUnsignedLongLong(rest.0) };
        if high == u64::MAX && failed() {
            return Err(at.out_of_range(object, if signed { c"i128" } else { c"u128" }));
        }
        Ok(u128::from(high) << 64 | u128::from(low))
    }
}

/// As an `int`.
pub unsafe fn give_wide(value: u128, signed: bool) -> Outcome<Obj> {
    // SAFETY: the GIL is held; each step's failure is looked at.
    unsafe {
        let high = (value >> 64) as u64;
        let high = if signed { (high as i64).give() } else { high.give() };
        let (high, bits) = (Ref::new(high)?, Ref::new(PyLong_FromLong(64))?);
        let shifted = Ref::new(PyNumber_Lshift(high.0, bits.0))?;
        let low = Ref::new((value as u64).give())?;
        owned(PyNumber_Or(shifted.0, low.0))
    }
}

/// A `float`, or what converts to one.
#[inline(always)]
pub unsafe fn take_f64(object: Obj, at: &'static At) -> Outcome<f64> {
    // SAFETY: the object is alive.
    unsafe {
        let value = PyFloat_AsDouble(object);
        if value == -1.0 && failed() {
            return Err(no_float(object, at));
        }
        Ok(value)
    }
}

#[cold]
unsafe fn no_float(object: Obj, at: &At) -> Raised {
    // SAFETY: the object is alive.
    unsafe {
        if PyErr_ExceptionMatches(PyExc_TypeError) != 0 {
            return at.wrong_type(c"a float", object);
        }
        if PyErr_ExceptionMatches(PyExc_OverflowError) != 0 {
            at.out_of_range(object, c"f64")
        } else {
            Raised
        }
    }
}

/// A `float` rounded to 32 bits.
#[inline(always)]
pub unsafe fn take_f32(object: Obj, at: &'static At) -> Outcome<f32> {
    // SAFETY: the object is alive.
    unsafe {
        let wide = take_f64(object, at)?;
        let value = wide as f32;
        if value.is_infinite() && wide.is_finite() {
            return Err(at.out_of_range(object, c"f32"));
        }
        Ok(value)
    }
}

/// A `float`.
#[inline(always)]
pub unsafe fn give_float(value: f64) -> Outcome<Obj> {
    // SAFETY: the GIL is held.
    owned(unsafe { PyFloat_FromDouble(value) })
}

/// A `bool`, as a byte.
#[inline(always)]
pub unsafe fn take_bool(object: Obj, at: &'static At) -> Outcome<u8> {
    // SAFETY: the object is alive.
    unsafe {
        if object == Py_True() {
            Ok(1)
        } else if object == Py_False() {
            Ok(0)
        } else {
            Err(at.wrong_type(c"a bool", object))
        }
    }
}

/// A `bool`: any byte but 0 is true.
#[inline(always)]
pub unsafe fn give_bool(value: u8) -> Outcome<Obj> {
    // SAFETY: the GIL is held.
    owned(unsafe { PyBool_FromLong((value != 0).into()) })
}

/// A `str` of one character that is not a surrogate.
pub unsafe fn take_char(object: Obj, at: &'static At) -> Outcome<u32> {
    // SAFETY: the object is alive.
    unsafe {
        if PyUnicode_Check(object) == 0 || PyUnicode_GetLength(object) != 1 {
            return Err(at.wrong_type(c"a str of one character", object));
        }
        let value = PyUnicode_ReadChar(object, 0);
        if char::from_u32(value).is_none() {
            return Err(at.invalid("is not a Unicode scalar value"));
        }
        Ok(value)
    }
}

/// A `str` of one character; what is not a character is U+FFFD.
pub unsafe fn give_char(value: u32) -> Outcome<Obj> {
    let mut bytes = [0; 4];
    let text = char::from_u32(value).unwrap_or('\u{fffd}').encode_utf8(&mut bytes);
    // SAFETY: UTF-8 of this length.
    owned(unsafe { PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as isize) })
}

/// A member of an enum, or an `int` that is one's value; any `int` in range if the enum is open.
pub unsafe fn take_enum<T: Integer>(object: Obj, of: &'static EnumType, at: &'static At) -> Outcome<T> {
    // SAFETY: the object is alive, the members are a dict.
    unsafe {
        let value = take_int::<T>(object, at)?;
        if of.strict && !of.class.is_of(object) {
            let key = Ref::new(value.give())?;
            if PyDict_Contains(of.members.get(), key.0) != 1 {
                let name = of.name.to_string_lossy();
                return Err(at.invalid(&format!("is {value}, which is not a value of {name}")));
            }
        }
        Ok(value)
    }
}

/// The enum's member, or an `int` if it has none of this value.
pub unsafe fn give_enum<T: Integer>(value: T, of: &'static EnumType) -> Outcome<Obj> {
    // SAFETY: the members are a dict; the class is a class.
    unsafe {
        let key = Ref::new(value.give())?;
        let member = PyDict_GetItemWithError(of.members.get(), key.0);
        if !member.is_null() {
            return Ok(Ref::to(member).give());
        }
        if of.flags
            && let Ok(member) = owned(vectorcall(of.class.get(), &[key.0]))
        {
            return Ok(member);
        }
        PyErr_Clear();
        Ok(key.give())
    }
}
