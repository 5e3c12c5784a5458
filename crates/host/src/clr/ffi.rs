//! The functions of `libcoreclr`, and the one of `Upcall.dll` that is found by name, as types.

use std::ffi::{c_char, c_int, c_uint, c_void};
use upcall_abi::GuestTable;

/// `coreclr_initialize` of `coreclrhost.h`.
pub(super) type Initialize = unsafe extern "C" fn(
    exe_path: *const c_char,
    domain_name: *const c_char,
    property_count: c_int,
    keys: *const *const c_char,
    values: *const *const c_char,
    host: *mut *mut c_void,
    domain: *mut c_uint,
) -> c_int;

/// `coreclr_create_delegate` of `coreclrhost.h`.
pub(super) type CreateDelegate = unsafe extern "C" fn(
    host: *mut c_void,
    domain: c_uint,
    assembly: *const c_char,
    class: *const c_char,
    method: *const c_char,
    function: *mut *mut c_void,
) -> c_int;

/// `Upcall.Hosting.Exports.Table`.
pub(super) type Table = unsafe extern "C" fn() -> *const GuestTable;
