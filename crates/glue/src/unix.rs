//! How Unix opens a library and finds a symbol.

#![cfg(unix)]

use super::library::Found;
use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::mem::offset_of;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

#[repr(C)]
struct Place {
    file: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

const _: () = {
    const WORD: usize = size_of::<usize>();
    assert!(size_of::<Place>() == 4 * WORD && align_of::<Place>() == WORD);
    assert!(offset_of!(Place, file) == 0);
    assert!(offset_of!(Place, base) == WORD);
    assert!(offset_of!(Place, symbol) == 2 * WORD);
    assert!(offset_of!(Place, address) == 3 * WORD);
};

unsafe extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, symbol: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
    fn dladdr(address: *const c_void, place: *mut Place) -> c_int;
}

/// The same number on Linux, the BSDs and macOS.
const RTLD_NOW: c_int = 2;
/// A library calls its own functions, not those of the same name that the program exports: Node brings zlib, OpenSSL
/// and others along, in other versions.
const RTLD_DEEPBIND: c_int = if cfg!(all(target_os = "linux", target_env = "gnu")) { 8 } else { 0 };

/// The folder of the module that this is compiled into.
pub fn folder() -> Option<PathBuf> {
    let mut place = std::mem::MaybeUninit::<Place>::zeroed();
    // SAFETY: the address is in this module, and the place is filled when the result is not 0.
    let file = unsafe {
        if dladdr(folder as *const c_void, place.as_mut_ptr()) == 0 {
            return None;
        }
        let file = place.assume_init().file;
        (!file.is_null()).then(|| CStr::from_ptr(file))?
    };
    Path::new(OsStr::from_bytes(file.to_bytes())).parent().map(Path::to_owned)
}

/// Opens the library of a file.
///
/// # Errors
/// The system's reason.
pub fn open(path: &Path) -> Result<Found, String> {
    let file = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    // SAFETY: a C string; what dlerror returns is one until the next call.
    unsafe {
        let library = dlopen(file.as_ptr(), RTLD_NOW | RTLD_DEEPBIND);
        if !library.is_null() {
            return Ok(library);
        }
        let reason = dlerror();
        if reason.is_null() {
            return Err("no reason given".into());
        }
        Err(CStr::from_ptr(reason).to_string_lossy().into_owned())
    }
}

/// The address of a symbol of a library of [`open`]; null where there is none.
///
/// # Safety
/// The library is one of [`open`], and none is ever closed.
pub unsafe fn symbol(library: Found, name: &CStr) -> Found {
    // SAFETY: the caller's promise; a C string.
    unsafe { dlsym(library, name.as_ptr()) }
}
