//! Numbers, functions and errors of JavaScript.

use napi_sys::*;
use std::ffi::CStr;
use std::ptr;

/// The arguments of a call; what was left out is `undefined`.
///
/// # Safety
/// During a call, with what Node has passed to it.
pub(crate) unsafe fn arguments<const N: usize>(env: napi_env, info: napi_callback_info) -> [napi_value; N] {
    let mut given = [ptr::null_mut(); N];
    let mut count = N;
    // SAFETY: the caller's promise; there is room for `count` arguments.
    unsafe {
        napi_get_cb_info(env, info, &mut count, given.as_mut_ptr(), ptr::null_mut(), ptr::null_mut());
    }
    given
}

/// The whole number that a value is; 0 for any other.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn number(env: napi_env, value: napi_value) -> u64 {
    let mut number = 0.0;
    // SAFETY: the caller's promise.
    unsafe { napi_get_value_double(env, value, &mut number) };
    number as u64
}

/// A number of JavaScript.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn number_of(env: napi_env, number: f64) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe { napi_create_double(env, number, &mut made) };
    made
}

/// `undefined`.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn undefined(env: napi_env) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe { napi_get_undefined(env, &mut made) };
    made
}

/// `null`.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn null(env: napi_env) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe { napi_get_null(env, &mut made) };
    made
}

/// A string of JavaScript.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn string_of(env: napi_env, text: &str) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise; the text is as long as is said.
    unsafe { napi_create_string_utf8(env, text.as_ptr().cast(), text.len() as isize, &mut made) };
    made
}

/// The bytes of a `Uint8Array`, or a string's UTF-8; none of any other value.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn bytes_of(env: napi_env, value: napi_value) -> Vec<u8> {
    let (mut kind, mut len, mut data) = (-1, 0, ptr::null_mut());
    let none = ptr::null_mut::<u8>();
    // SAFETY: the caller's promise. There are as many bytes as is said, and of a string no more are written than there is room
    // for, with a zero at their end.
    unsafe {
        if napi_get_value_string_utf8(env, value, none.cast(), 0, &mut len) == Status::napi_ok {
            let mut text = vec![0u8; len + 1];
            napi_get_value_string_utf8(env, value, text.as_mut_ptr().cast(), text.len(), &mut len);
            text.truncate(len);
            return text;
        }
        let found =
            napi_get_typedarray_info(env, value, &mut kind, &mut len, &mut data, none.cast(), none.cast());
        let bytes = found == Status::napi_ok && kind == TypedarrayType::uint8_array && len > 0;
        if bytes { std::slice::from_raw_parts(data.cast::<u8>(), len).to_vec() } else { Vec::new() }
    }
}

/// The truth value that a value is; `false` for any other.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn truth_of(env: napi_env, value: napi_value) -> bool {
    let mut truth = false;
    // SAFETY: the caller's promise.
    unsafe { napi_get_value_bool(env, value, &mut truth) };
    truth
}

/// A truth value.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn truth(env: napi_env, is: bool) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe { napi_get_boolean(env, is, &mut made) };
    made
}

/// Throws an error once the call returns, which returns nothing.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn throw(env: napi_env, what: &str) -> napi_value {
    let mut text = ptr::null_mut();
    let mut error = ptr::null_mut();
    // SAFETY: the caller's promise; the text is as long as is said.
    unsafe {
        napi_create_string_utf8(env, what.as_ptr().cast(), what.len() as isize, &mut text);
        napi_create_error(env, ptr::null_mut(), text, &mut error);
        napi_throw(env, error);
    }
    ptr::null_mut()
}

/// Sets a property of an object to a function.
///
/// # Safety
/// As [`arguments`]; `name` must be one of its own.
pub(crate) unsafe fn give(env: napi_env, object: napi_value, name: &'static CStr, call: crate::Function) {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe {
        let len = name.count_bytes() as isize;
        napi_create_function(env, name.as_ptr(), len, Some(call), ptr::null_mut(), &mut made);
        property(env, object, name, made);
    }
}

/// Sets a property of an object.
///
/// # Safety
/// As [`arguments`]; `name` must be one of its own.
pub(crate) unsafe fn property(env: napi_env, object: napi_value, name: &'static CStr, value: napi_value) {
    // SAFETY: the caller's promise.
    unsafe { napi_set_named_property(env, object, name.as_ptr(), value) };
}
