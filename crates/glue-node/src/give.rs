//! Results: JavaScript values for those of the mirror.

use super::settings::{MARKED_SIZES, NUMBERS};
use super::value::*;
use std::ffi::c_void;
use std::ptr;

/// `undefined`, as the result of a function.
#[inline(always)]
pub unsafe fn nothing(_: napi_env) -> Outcome<napi_value> {
    Ok(ptr::null_mut())
}

/// Functions that make a value of what they are given, which Node-API cannot refuse.
macro_rules! makers {
    ($($(#[$docs:meta])* $name:ident($($given:ident: $ty:ty)?) = $make:ident($($part:expr)?);)*) => {$(
        $(#[$docs])*
        #[inline(always)]
        pub unsafe fn $name(env: napi_env, $($given: $ty)?) -> Outcome<napi_value> {
            let mut value = ptr::null_mut();
            // SAFETY: the caller's environment.
            unsafe { $make(env, $($part,)? &mut value) };
            Ok(value)
        }
    )*};
}

makers! {
    /// A value without bytes.
    give_undefined() = napi_get_undefined();
    /// A number.
    give_f64(number: f64) = napi_create_double(number);
    /// A number.
    give_i32(number: i32) = napi_create_int32(number);
    /// A number.
    give_u32(number: u32) = napi_create_uint32(number);
    /// Any byte but 0 is true.
    give_bool(truth: u8) = napi_get_boolean(truth != 0);
}

/// A bigint, or a number where that is chosen and exact.
pub unsafe fn give_i64(env: napi_env, int: i64) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe {
        if NUMBERS && (int as f64).abs() <= SAFE {
            return give_f64(env, int as f64);
        }
        napi_create_bigint_int64(env, int, &mut value);
    }
    Ok(value)
}

/// The same of an unsigned integer.
pub unsafe fn give_u64(env: napi_env, int: u64) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe {
        if NUMBERS && int as f64 <= SAFE {
            return give_f64(env, int as f64);
        }
        napi_create_bigint_uint64(env, int, &mut value);
    }
    Ok(value)
}

/// A number; a `RangeError` where none holds it exactly.
#[inline(always)]
pub unsafe fn give_usize(env: napi_env, int: usize) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe {
        if int as f64 > SAFE {
            if MARKED_SIZES && -(int as isize as f64) < MARKS && (int as isize) < 0 {
                return give_f64(env, int as isize as f64);
            }
            return Err(range_error(
                env,
                &format!("native code gave the usize {int}, which no number holds exactly"),
            ));
        }
        give_f64(env, int as f64)
    }
}

/// The same of a signed size.
#[inline(always)]
pub unsafe fn give_isize(env: napi_env, int: isize) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe {
        if (int as f64).abs() > SAFE {
            return Err(range_error(
                env,
                &format!("native code gave the isize {int}, which no number holds exactly"),
            ));
        }
        give_f64(env, int as f64)
    }
}

/// A bigint.
pub unsafe fn give_u128(env: napi_env, int: u128) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe { give_words(env, false, int) }
}

/// A bigint.
pub unsafe fn give_i128(env: napi_env, int: i128) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe { give_words(env, int < 0, int.unsigned_abs()) }
}

unsafe fn give_words(env: napi_env, negative: bool, size: u128) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    let words = [size as u64, (size >> 64) as u64];
    // SAFETY: two words.
    unsafe { napi_create_bigint_words(env, negative.into(), 2, words.as_ptr(), &mut value) };
    Ok(value)
}

/// A number.
#[inline(always)]
pub unsafe fn give_address<T>(env: napi_env, address: *const T) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe { give_f64(env, address as isize as f64) }
}

/// The address of a function, which may be null.
#[inline(always)]
pub unsafe fn give_function<T: Copy>(env: napi_env, function: T) -> Outcome<napi_value> {
    const { assert!(size_of::<T>() == size_of::<usize>(), "the address of a function") };
    // SAFETY: of the same size; null is 0.
    unsafe { give_address(env, std::mem::transmute_copy::<T, *const c_void>(&function)) }
}

/// Borrowed UTF-8.
pub unsafe fn give_str(env: napi_env, data: *const u8, len: usize) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    let data = if len == 0 { c"".as_ptr() } else { data.cast() };
    // SAFETY: the library's promise: so many bytes.
    unsafe {
        if napi_create_string_utf8(env, data, len as isize, &mut value) != 0 {
            return Err(error(env, &format!("a text of {len} bytes is too long for a string")));
        }
    }
    Ok(value)
}

/// Owned UTF-8, which is released.
pub unsafe fn give_text(
    env: napi_env,
    data: *mut u8,
    len: usize,
    capacity: usize,
    release: Option<unsafe extern "C" fn(*mut u8, usize, usize)>,
) -> Outcome<napi_value> {
    // SAFETY: the library's promise.
    unsafe {
        let text = give_str(env, data, len);
        if let Some(release) = release {
            release(data, len, capacity);
        }
        text
    }
}

/// Writes a result to the address given by index.js.
#[inline(always)]
pub unsafe fn give_record<T>(env: napi_env, to: napi_value, value: T) -> Outcome<napi_value> {
    let mut number = 0.0;
    // SAFETY: the address is that of a whole view.
    unsafe {
        napi_get_value_double(env, to, &mut number);
        (number as usize as *mut T).write_unaligned(value);
    }
    Ok(ptr::null_mut())
}
