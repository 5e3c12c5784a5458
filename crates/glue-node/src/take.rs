//! Arguments: the mirror's values for those of JavaScript.

use super::settings::MARKED_SIZES;
use super::value::*;
use std::ffi::{c_char, c_void};
use std::ptr;

/// An integer type whose values are all JavaScript numbers and which is passed as a plain number.
pub trait Small: Copy {
    /// Its name, for messages.
    const RANGE: &'static str;
    /// The nearest one.
    fn from_number(number: f64) -> Self;
    /// As a number.
    fn number(self) -> f64;
}

macro_rules! small {
    ($($int:ident)*) => {$(
        impl Small for $int {
            const RANGE: &'static str = stringify!($int);
            #[inline(always)]
            fn from_number(number: f64) -> $int {
                number as $int
            }
            #[inline(always)]
            fn number(self) -> f64 {
                self.into()
            }
        }
    )*};
}

small!(i8 i16 i32 u8 u16 u32);

/// A number, where the argument must be what `wanted` says.
#[inline(always)]
unsafe fn take_number(env: napi_env, value: napi_value, at: At, wanted: &str) -> Outcome<f64> {
    let mut number = 0.0;
    // SAFETY: a value of this environment.
    match unsafe { napi_get_value_double(env, value, &mut number) } {
        0 => Ok(number),
        // SAFETY: as above.
        _ => Err(unsafe { at.wrong_type(env, wanted) }),
    }
}

/// An integer of up to 32 bits.
#[inline(always)]
pub unsafe fn take_int<T: Small>(env: napi_env, value: napi_value, at: At) -> Outcome<T> {
    // SAFETY: a value of this environment.
    unsafe {
        let number = take_number(env, value, at, "a number")?;
        let int = T::from_number(number);
        if int.number() != number {
            return Err(at.out_of_range(env, &format!("is {number}, which does not fit into {}", T::RANGE)));
        }
        Ok(int)
    }
}

/// A number.
#[inline(always)]
pub unsafe fn take_f64(env: napi_env, value: napi_value, at: At) -> Outcome<f64> {
    // SAFETY: a value of this environment.
    unsafe { take_number(env, value, at, "a number") }
}

/// A number rounded to 32 bits.
#[inline(always)]
pub unsafe fn take_f32(env: napi_env, value: napi_value, at: At) -> Outcome<f32> {
    // SAFETY: as above.
    unsafe {
        let wide = take_f64(env, value, at)?;
        let number = wide as f32;
        if number.is_infinite() && wide.is_finite() {
            return Err(at.out_of_range(env, &format!("is {wide:e}, which is not an f32")));
        }
        Ok(number)
    }
}

/// A boolean, as a byte.
#[inline(always)]
pub unsafe fn take_bool(env: napi_env, value: napi_value, at: At) -> Outcome<u8> {
    let mut truth = false;
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_bool(env, value, &mut truth) != 0 {
            return Err(at.wrong_type(env, "a boolean"));
        }
    }
    Ok(truth.into())
}

/// A bigint, or a number that is exact.
pub unsafe fn take_i64(env: napi_env, value: napi_value, at: At) -> Outcome<i64> {
    let (mut int, mut whole) = (0, false);
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_bigint_int64(env, value, &mut int, &mut whole) != 0 {
            return take_safe(env, value, at).map(|number| number as i64);
        }
        if whole { Ok(int) } else { Err(at.out_of_range(env, "is a bigint that is not an i64")) }
    }
}

/// The same of an unsigned integer.
pub unsafe fn take_u64(env: napi_env, value: napi_value, at: At) -> Outcome<u64> {
    let (mut int, mut whole) = (0, false);
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_bigint_uint64(env, value, &mut int, &mut whole) != 0 {
            let number = take_safe(env, value, at)?;
            return if number < 0.0 { Err(at.out_of_range(env, "is negative")) } else { Ok(number as u64) };
        }
        if whole { Ok(int) } else { Err(at.out_of_range(env, "is a bigint that is not a u64")) }
    }
}

unsafe fn take_safe(env: napi_env, value: napi_value, at: At) -> Outcome<f64> {
    // SAFETY: a value of this environment.
    unsafe {
        let number = take_number(env, value, at, "a bigint")?;
        if number.fract() != 0.0 || !(-SAFE..=SAFE).contains(&number) {
            return Err(
                at.out_of_range(env, &format!("is {number}, which is not a safe integer: give a bigint"))
            );
        }
        Ok(number)
    }
}

/// A `usize`: a number.
#[inline(always)]
pub unsafe fn take_usize(env: napi_env, value: napi_value, at: At) -> Outcome<usize> {
    let mut number = 0.0;
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_double(env, value, &mut number) != 0 {
            return take_u64(env, value, at).map(|int| int as usize);
        }
        let int = number as usize;
        if int as f64 != number || number > SAFE {
            if MARKED_SIZES && number < 0.0 && number > -MARKS && number.fract() == 0.0 {
                return Ok(number as i64 as usize);
            }
            return Err(at.out_of_range(env, &format!("is {number}, which is not a usize")));
        }
        Ok(int)
    }
}

/// The same of a signed size.
pub unsafe fn take_isize(env: napi_env, value: napi_value, at: At) -> Outcome<isize> {
    // SAFETY: a value of this environment.
    unsafe { take_i64(env, value, at).map(|int| int as isize) }
}

unsafe fn take_words(env: napi_env, value: napi_value, at: At) -> Outcome<(bool, u128)> {
    let (mut sign, mut count, mut words) = (0, 2, [0u64; 2]);
    // SAFETY: a value of this environment; no more than two words are written.
    unsafe {
        if napi_get_value_bigint_words(env, value, &mut sign, &mut count, words.as_mut_ptr()) != 0 {
            let number = take_safe(env, value, at)?;
            return Ok((number < 0.0, number.abs() as u128));
        }
        if count > 2 {
            return Err(at.out_of_range(env, "is a bigint of more than 128 bits"));
        }
    }
    Ok((sign != 0, u128::from(words[0]) | u128::from(words[1]) << 64))
}

/// The same of 128 bits.
pub unsafe fn take_i128(env: napi_env, value: napi_value, at: At) -> Outcome<i128> {
    // SAFETY: a value of this environment.
    unsafe {
        let (negative, size) = take_words(env, value, at)?;
        if size > (i128::MAX as u128) + u128::from(negative) {
            return Err(at.out_of_range(env, "is a bigint that is not an i128"));
        }
        Ok(if negative { (size as i128).wrapping_neg() } else { size as i128 })
    }
}

/// The same of 128 bits, unsigned.
pub unsafe fn take_u128(env: napi_env, value: napi_value, at: At) -> Outcome<u128> {
    // SAFETY: a value of this environment.
    unsafe {
        let (negative, size) = take_words(env, value, at)?;
        if negative && size > 0 { Err(at.out_of_range(env, "is negative")) } else { Ok(size) }
    }
}

/// How many addresses, the last ones that there are, are negative numbers: C has them for marks, as in `(void *)-1`.
/// The same of a C library's sizes: `(size_t)-1`.
pub const MARKS: f64 = 4096.0;

/// An address: a number. The address of something released is NaN.
#[inline(always)]
pub unsafe fn take_address<T>(env: napi_env, value: napi_value, at: At) -> Outcome<*mut T> {
    // SAFETY: a value of this environment.
    unsafe {
        let number = take_number(env, value, at, "an address")?;
        let int = number as i64;
        if int as f64 != number || number > SAFE || number <= -MARKS {
            let what = if number.is_nan() {
                "was released".into()
            } else {
                format!("is {number}, which is not an address")
            };
            return Err(at.out_of_range(env, &what));
        }
        Ok(int as usize as *mut T)
    }
}

/// A value at an address that index.js has verified.
#[inline(always)]
pub unsafe fn take_record<T: Copy>(env: napi_env, value: napi_value, at: At) -> Outcome<T> {
    // SAFETY: the address is that of a whole view.
    unsafe {
        let place = take_address::<T>(env, value, at)?;
        if place.is_null() {
            return Err(at.wrong_type(env, "a value, not null"));
        }
        Ok(place.read_unaligned())
    }
}

/// The memory of a typed array of this type.
#[inline(always)]
pub unsafe fn take_typed<T>(
    env: napi_env,
    value: napi_value,
    wanted: napi_typedarray_type,
    name: &str,
    at: At,
) -> Outcome<(*mut T, usize)> {
    let (mut ty, mut len, mut data) = (-1, 0, ptr::null_mut());
    // SAFETY: a value of this environment.
    unsafe {
        let status = napi_get_typedarray_info(
            env,
            value,
            &mut ty,
            &mut len,
            &mut data,
            ptr::null_mut(),
            ptr::null_mut(),
        );
        if status != 0 || ty != wanted {
            return Err(at.wrong_type(env, name));
        }
        if len == 0 && detached(env, value) {
            return Err(at.wrong_type(env, "live memory: it was released or transferred"));
        }
    }
    // Rust's slices are never null.
    Ok((if data.is_null() { ptr::dangling_mut() } else { data.cast() }, len))
}

/// Whether a buffer, or that of a typed array, has lost its memory.
#[cold]
pub unsafe fn detached(env: napi_env, value: napi_value) -> bool {
    let (mut ty, mut len, mut at, mut data) = (0, 0, 0, ptr::null_mut());
    let (mut buffer, mut gone) = (value, false);
    // SAFETY: a value of this environment; what is not a typed array leaves the buffer as it is.
    unsafe {
        napi_get_typedarray_info(env, value, &mut ty, &mut len, &mut data, &mut buffer, &mut at);
        napi_is_detached_arraybuffer(env, buffer, &mut gone);
    }
    gone
}

/// Where a string's bytes are for the length of a call.
pub struct Room {
    stack: [std::mem::MaybeUninit<u8>; 512],
    heap: Vec<u8>,
}

impl Room {
    /// Nothing is in it.
    #[inline(always)]
    pub fn new() -> Room {
        Room { stack: [const { std::mem::MaybeUninit::uninit() }; 512], heap: Vec::new() }
    }
}

impl Default for Room {
    fn default() -> Room {
        Room::new()
    }
}

/// A string as UTF-8, followed by a zero.
#[inline(always)]
pub unsafe fn take_str(
    env: napi_env,
    value: napi_value,
    at: At,
    room: &mut Room,
) -> Outcome<(*mut u8, usize)> {
    let mut len = 0;
    let stack = room.stack.as_mut_ptr().cast::<u8>();
    // SAFETY: no more is written than there is room for.
    unsafe {
        if napi_get_value_string_utf8(env, value, stack.cast(), room.stack.len(), &mut len) != 0 {
            return Err(at.wrong_type(env, "a string"));
        }
        // A character has up to four bytes: if fewer are left, it may have been cut.
        if len + 5 > room.stack.len() {
            napi_get_value_string_utf8(env, value, ptr::null_mut(), 0, &mut len);
            room.heap = vec![0; len + 1];
            let heap = room.heap.as_mut_ptr();
            napi_get_value_string_utf8(env, value, heap.cast(), len + 1, &mut len);
            return Ok((heap, len));
        }
    }
    Ok((stack, len))
}

/// A copy of a string.
pub unsafe fn take_string(env: napi_env, value: napi_value, at: At) -> Outcome<String> {
    let mut room = Room::new();
    // SAFETY: a value of this environment; the room has `len` bytes.
    unsafe {
        let (text, len) = take_str(env, value, at, &mut room)?;
        Ok(String::from_utf8_lossy(std::slice::from_raw_parts(text, len)).into_owned())
    }
}

/// A string that C reads up to its zero, or an address.
pub unsafe fn take_c_text(env: napi_env, value: napi_value, at: At, room: &mut Room) -> Outcome<*mut c_char> {
    let mut ty = 0;
    // SAFETY: a value of this environment; the room has `len` bytes.
    unsafe {
        napi_typeof(env, value, &mut ty);
        if ty != ValueType::napi_string {
            return take_address(env, value, at);
        }
        let (text, len) = take_str(env, value, at, room)?;
        if std::slice::from_raw_parts(text, len).contains(&0) {
            return Err(at.out_of_range(env, "has a zero character, which would end it in C"));
        }
        Ok(text.cast())
    }
}

/// The result of a callback that is a function's address.
pub unsafe fn take_function<T: Copy>(env: napi_env, value: napi_value, at: At) -> Outcome<T> {
    const { assert!(size_of::<T>() == size_of::<usize>(), "the address of a function") };
    // SAFETY: the callback's own promise.
    unsafe { take_address::<c_void>(env, value, at).map(|address| std::mem::transmute_copy(&address)) }
}

/// A value of an enum, if it is one.
#[inline(always)]
pub unsafe fn known<T: std::fmt::Display>(env: napi_env, value: T, is: bool, at: At, of: &str) -> Outcome<T> {
    if !is {
        // SAFETY: the caller's environment.
        return Err(unsafe { at.out_of_range(env, &format!("is {value}, which is not a value of {of}")) });
    }
    Ok(value)
}
