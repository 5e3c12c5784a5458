//! Arguments and results: between JavaScript's values and the mirror's.

use std::ffi::{CString, c_char, c_void};
use std::ptr;

pub use napi_sys::*;

/// An exception is set in the environment.
pub struct Thrown;

/// What converts a value gives.
pub type Outcome<T> = Result<T, Thrown>;

/// The names of a function and of its arguments, for messages.
pub struct Info {
    pub name: &'static str,
    pub params: &'static [&'static str],
}

/// One argument of a function.
#[derive(Clone, Copy)]
pub struct At(pub &'static Info, pub usize);

impl At {
    fn subject(self) -> String {
        match self.0.params.get(self.1) {
            Some(param) => format!("{}: argument {param}", self.0.name),
            None => format!("{}: the result", self.0.name),
        }
    }

    /// A `TypeError` that says what the argument must be.
    #[cold]
    pub unsafe fn wrong_type(self, env: napi_env, wanted: &str) -> Thrown {
        // SAFETY: the caller's environment.
        unsafe { type_error(env, &format!("{} must be {wanted}", self.subject())) }
    }

    /// A `RangeError`.
    #[cold]
    pub unsafe fn out_of_range(self, env: napi_env, what: &str) -> Thrown {
        // SAFETY: the caller's environment.
        unsafe { range_error(env, &format!("{} {what}", self.subject())) }
    }
}

/// Sets a `TypeError`.
#[cold]
pub unsafe fn type_error(env: napi_env, message: &str) -> Thrown {
    let message = CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: the caller's environment.
    unsafe { napi_throw_type_error(env, ptr::null(), message.as_ptr()) };
    Thrown
}

/// Sets a `RangeError`.
#[cold]
pub unsafe fn range_error(env: napi_env, message: &str) -> Thrown {
    let message = CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: the caller's environment.
    unsafe { napi_throw_range_error(env, ptr::null(), message.as_ptr()) };
    Thrown
}

/// Sets an `Error`.
#[cold]
pub unsafe fn error(env: napi_env, message: &str) -> Thrown {
    let message = CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: the caller's environment.
    unsafe { napi_throw_error(env, ptr::null(), message.as_ptr()) };
    Thrown
}

/// Runs a function's body with its arguments; those that were not given are `undefined`.
#[inline(always)]
pub unsafe fn run<const N: usize>(
    env: napi_env,
    info: napi_callback_info,
    body: impl FnOnce([napi_value; N]) -> Outcome<napi_value>,
) -> napi_value {
    let mut given = [ptr::null_mut(); N];
    let mut count = N;
    // SAFETY: called by JavaScript with these.
    unsafe {
        if N > 0 {
            napi_get_cb_info(env, info, &mut count, given.as_mut_ptr(), ptr::null_mut(), ptr::null_mut());
        }
    }
    body(given).unwrap_or(ptr::null_mut())
}

/// An integer that every value of is a JavaScript number, and an argument as a plain number is.
pub trait Small: Copy {
    const RANGE: &'static str;
    fn from_number(number: f64) -> Self;
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

/// An integer of up to 32 bits.
#[inline(always)]
pub unsafe fn take_int<T: Small>(env: napi_env, value: napi_value, at: At) -> Outcome<T> {
    let mut number = 0.0;
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_double(env, value, &mut number) != 0 {
            return Err(at.wrong_type(env, "a number"));
        }
        let int = T::from_number(number);
        if int.number() != number {
            return Err(at.out_of_range(env, &format!("is {number}, which is no {}", T::RANGE)));
        }
        Ok(int)
    }
}

#[inline(always)]
pub unsafe fn take_f64(env: napi_env, value: napi_value, at: At) -> Outcome<f64> {
    let mut number = 0.0;
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_double(env, value, &mut number) != 0 {
            return Err(at.wrong_type(env, "a number"));
        }
    }
    Ok(number)
}

#[inline(always)]
pub unsafe fn take_f32(env: napi_env, value: napi_value, at: At) -> Outcome<f32> {
    // SAFETY: as above.
    unsafe { take_f64(env, value, at).map(|number| number as f32) }
}

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

/// The largest integer that a number holds exactly together with all below it.
const SAFE: f64 = 9007199254740991.0;

pub unsafe fn take_i64(env: napi_env, value: napi_value, at: At) -> Outcome<i64> {
    let (mut int, mut whole) = (0, false);
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_bigint_int64(env, value, &mut int, &mut whole) != 0 {
            return take_safe(env, value, at).map(|number| number as i64);
        }
        if whole { Ok(int) } else { Err(at.out_of_range(env, "is a bigint that is no i64")) }
    }
}

pub unsafe fn take_u64(env: napi_env, value: napi_value, at: At) -> Outcome<u64> {
    let (mut int, mut whole) = (0, false);
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_bigint_uint64(env, value, &mut int, &mut whole) != 0 {
            let number = take_safe(env, value, at)?;
            return if number < 0.0 { Err(at.out_of_range(env, "is negative")) } else { Ok(number as u64) };
        }
        if whole { Ok(int) } else { Err(at.out_of_range(env, "is a bigint that is no u64")) }
    }
}

unsafe fn take_safe(env: napi_env, value: napi_value, at: At) -> Outcome<f64> {
    let mut number = 0.0;
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_double(env, value, &mut number) != 0 {
            return Err(at.wrong_type(env, "a bigint"));
        }
        if number.fract() != 0.0 || !(-SAFE..=SAFE).contains(&number) {
            return Err(at.out_of_range(env, &format!("is {number}, which is no safe integer: give a bigint")));
        }
    }
    Ok(number)
}

/// A `usize`: a number.
#[inline(always)]
pub unsafe fn take_usize(env: napi_env, value: napi_value, at: At) -> Outcome<usize> {
    // SAFETY: a value of this environment.
    unsafe { take_u64_number(env, value, at).map(|int| int as usize) }
}

#[inline(always)]
unsafe fn take_u64_number(env: napi_env, value: napi_value, at: At) -> Outcome<u64> {
    let mut number = 0.0;
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_double(env, value, &mut number) != 0 {
            return take_u64(env, value, at);
        }
        let int = number as u64;
        if int as f64 != number || number > SAFE {
            return Err(at.out_of_range(env, &format!("is {number}, which is no usize")));
        }
        Ok(int)
    }
}

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

pub unsafe fn take_i128(env: napi_env, value: napi_value, at: At) -> Outcome<i128> {
    // SAFETY: a value of this environment.
    unsafe {
        let (negative, size) = take_words(env, value, at)?;
        if size > (i128::MAX as u128) + u128::from(negative) {
            return Err(at.out_of_range(env, "is a bigint that is no i128"));
        }
        Ok(if negative { (size as i128).wrapping_neg() } else { size as i128 })
    }
}

pub unsafe fn take_u128(env: napi_env, value: napi_value, at: At) -> Outcome<u128> {
    // SAFETY: a value of this environment.
    unsafe {
        let (negative, size) = take_words(env, value, at)?;
        if negative && size > 0 { Err(at.out_of_range(env, "is negative")) } else { Ok(size) }
    }
}

/// An address: a number. That of something released is NaN.
#[inline(always)]
pub unsafe fn take_address<T>(env: napi_env, value: napi_value, at: At) -> Outcome<*mut T> {
    let mut number = 0.0;
    // SAFETY: a value of this environment.
    unsafe {
        if napi_get_value_double(env, value, &mut number) != 0 {
            return Err(at.wrong_type(env, "an address"));
        }
        let int = number as u64;
        if int as f64 != number || number > SAFE {
            let what = if number.is_nan() { "was released".into() } else { format!("is {number}, which is no address") };
            return Err(at.out_of_range(env, &what));
        }
        Ok(int as usize as *mut T)
    }
}

/// A value at an address that index.js has made sure of.
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
        let status =
            napi_get_typedarray_info(env, value, &mut ty, &mut len, &mut data, ptr::null_mut(), ptr::null_mut());
        if status != 0 || ty != wanted {
            return Err(at.wrong_type(env, name));
        }
    }
    // Rust's slices are never null.
    Ok((if data.is_null() { ptr::dangling_mut() } else { data.cast() }, len))
}

/// Where a string's bytes are for the length of a call.
pub struct Room {
    stack: [std::mem::MaybeUninit<u8>; 512],
    heap: Vec<u8>,
}

impl Room {
    #[inline(always)]
    pub fn new() -> Room {
        Room { stack: [const { std::mem::MaybeUninit::uninit() }; 512], heap: Vec::new() }
    }
}

/// A string as UTF-8, and a zero behind it.
#[inline(always)]
pub unsafe fn take_str(env: napi_env, value: napi_value, at: At, room: &mut Room) -> Outcome<(*mut u8, usize)> {
    let mut len = 0;
    let stack = room.stack.as_mut_ptr().cast::<u8>();
    // SAFETY: no more is written than there is room for.
    unsafe {
        if napi_get_value_string_utf8(env, value, stack.cast(), room.stack.len(), &mut len) != 0 {
            return Err(at.wrong_type(env, "a string"));
        }
        // A character has up to four bytes: with fewer left it may have been cut.
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
            return Err(at.out_of_range(env, "has a zero character, where C would end it"));
        }
        Ok(text.cast())
    }
}

#[inline(always)]
pub unsafe fn nothing(_: napi_env) -> Outcome<napi_value> {
    Ok(ptr::null_mut())
}

#[inline(always)]
pub unsafe fn give_f64(env: napi_env, number: f64) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe { napi_create_double(env, number, &mut value) };
    Ok(value)
}

#[inline(always)]
pub unsafe fn give_i32(env: napi_env, number: i32) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe { napi_create_int32(env, number, &mut value) };
    Ok(value)
}

#[inline(always)]
pub unsafe fn give_u32(env: napi_env, number: u32) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe { napi_create_uint32(env, number, &mut value) };
    Ok(value)
}

/// Any byte but 0 is true.
#[inline(always)]
pub unsafe fn give_bool(env: napi_env, truth: u8) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe { napi_get_boolean(env, truth != 0, &mut value) };
    Ok(value)
}

pub unsafe fn give_i64(env: napi_env, int: i64) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe {
        if crate::NUMBERS && (int as f64).abs() <= SAFE {
            return give_f64(env, int as f64);
        }
        napi_create_bigint_int64(env, int, &mut value);
    }
    Ok(value)
}

pub unsafe fn give_u64(env: napi_env, int: u64) -> Outcome<napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: the caller's environment.
    unsafe {
        if crate::NUMBERS && int as f64 <= SAFE {
            return give_f64(env, int as f64);
        }
        napi_create_bigint_uint64(env, int, &mut value);
    }
    Ok(value)
}

#[inline(always)]
pub unsafe fn give_usize(env: napi_env, int: usize) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe {
        if int as f64 > SAFE {
            return Err(range_error(env, &format!("native code gave the usize {int}, which no number holds exactly")));
        }
        give_f64(env, int as f64)
    }
}

#[inline(always)]
pub unsafe fn give_isize(env: napi_env, int: isize) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe {
        if (int as f64).abs() > SAFE {
            return Err(range_error(env, &format!("native code gave the isize {int}, which no number holds exactly")));
        }
        give_f64(env, int as f64)
    }
}

pub unsafe fn give_u128(env: napi_env, int: u128) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe { give_words(env, false, int) }
}

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

#[inline(always)]
pub unsafe fn give_address<T>(env: napi_env, address: *const T) -> Outcome<napi_value> {
    // SAFETY: the caller's environment.
    unsafe { give_f64(env, address as usize as f64) }
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

/// Writes a result to the address that index.js has given.
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
