//! How Windows opens a library and finds a symbol.

#![cfg(windows)]

use super::library::Found;
use std::ffi::{CStr, OsString, c_char, c_void};
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

#[link(name = "kernel32")]
unsafe extern "system" {
    fn LoadLibraryW(file: *const u16) -> *mut c_void;
    fn GetProcAddress(library: *mut c_void, symbol: *const c_char) -> *mut c_void;
    fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
    fn GetModuleFileNameW(module: *mut c_void, file: *mut u16, room: u32) -> u32;
}

/// GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS and _UNCHANGED_REFCOUNT.
const FROM_ADDRESS: u32 = 4 | 2;

/// The folder of the module that this is compiled into.
pub fn folder() -> Option<PathBuf> {
    let mut module = std::ptr::null_mut();
    let mut file = [0u16; 32768];
    // SAFETY: the address is in this module; no more than the room is written.
    let len = unsafe {
        if GetModuleHandleExW(FROM_ADDRESS, folder as *const c_void, &mut module) == 0 {
            return None;
        }
        GetModuleFileNameW(module, file.as_mut_ptr(), file.len() as u32)
    };
    Path::new(&OsString::from_wide(&file[..len as usize])).parent().map(Path::to_owned)
}

/// Opens the library of a file.
///
/// # Errors
/// The system's reason.
pub fn open(path: &Path) -> Result<Found, String> {
    let file: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    // SAFETY: ends with a zero.
    let library = unsafe { LoadLibraryW(file.as_ptr()) };
    if library.is_null() { Err(std::io::Error::last_os_error().to_string()) } else { Ok(library) }
}

/// The address of a symbol of a library of [`open`]; null where there is none.
///
/// # Safety
/// The library is one of [`open`], and none is ever closed.
pub unsafe fn symbol(library: Found, name: &CStr) -> Found {
    // SAFETY: the caller's promise; a C string.
    unsafe { GetProcAddress(library, name.as_ptr()) }
}
