//! The functions of `libcoreclr` and of `Upcall.dll`, as types.

use std::ffi::{c_char, c_int, c_uint, c_void};
use upcall_abi::{Entry, ErrorSlot};

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

/// `Upcall.Hosting.Exports.Start`.
pub(super) type Start = unsafe extern "C" fn(table: *mut HostTable, size: u64);

/// `Upcall.Hosting.HostTable`. The first field is the same in every ABI.
#[repr(C)]
#[derive(Default, Debug)]
pub(super) struct HostTable {
    /// The number that `Upcall.dll` was built with.
    pub(super) abi: u64,
    /// Finds a handler's class.
    pub(super) load: Option<
        unsafe extern "C" fn(
            file: *const u8,
            file_len: u64,
            class: *const u8,
            class_len: u64,
            module: *mut isize,
            error: *mut ErrorSlot,
        ) -> c_int,
    >,
    /// Makes an instance of it.
    pub(super) instantiate:
        Option<unsafe extern "C" fn(module: isize, entry: *mut Entry, error: *mut ErrorSlot) -> c_int>,
    /// What `Upcall.dll` calls when an uncaught exception is about to end the process.
    pub(super) unhandled: Option<unsafe extern "C" fn()>,
}
