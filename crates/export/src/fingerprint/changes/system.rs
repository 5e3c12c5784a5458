//! This library's section of fingerprints, and its file.

use std::slice::from_raw_parts;

// A linker that finds nothing in a section does not know its ends: these are there always.
#[cfg(all(unix, not(target_vendor = "apple")))]
mod ends {
    #[used]
    #[unsafe(link_section = "upcall_exports")]
    static NONE: [u8; 0] = [];

    unsafe extern "C" {
        #[link_name = "__start_upcall_exports"]
        pub static START: u8;
        #[link_name = "__stop_upcall_exports"]
        pub static END: u8;
    }
}

#[cfg(target_vendor = "apple")]
mod ends {
    #[used]
    #[unsafe(link_section = "__DATA,upcall_exports")]
    static NONE: [u8; 0] = [];

    unsafe extern "C" {
        #[link_name = "\x01section$start$__DATA$upcall_exports"]
        pub static START: u8;
        #[link_name = "\x01section$end$__DATA$upcall_exports"]
        pub static END: u8;
    }
}

/// The linker sorts them by what follows the `$`.
#[cfg(windows)]
mod ends {
    #[unsafe(link_section = "upcall$a")]
    pub static START: u8 = 0;
    #[unsafe(link_section = "upcall$c")]
    pub static END: u8 = 0;
}

/// All lines, with zeroes between some.
pub(super) fn lines() -> &'static [u8] {
    // SAFETY: both are addresses of one section, which is loaded and never written.
    unsafe {
        let (start, end) = (&raw const ends::START, &raw const ends::END);
        from_raw_parts(start, end.addr().saturating_sub(start.addr()))
    }
}

/// The file that this code was loaded from.
#[cfg(unix)]
pub(super) fn file() -> Option<String> {
    use std::ffi::{CStr, c_char, c_int, c_void};
    use std::mem::offset_of;

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
        fn dladdr(address: *const c_void, place: *mut Place) -> c_int;
    }

    let mut place = std::mem::MaybeUninit::<Place>::zeroed();
    // SAFETY: the address is in this library, and the place is filled when the result is not 0.
    unsafe {
        if dladdr(file as *const c_void, place.as_mut_ptr()) == 0 {
            return None;
        }
        let file = place.assume_init().file;
        (!file.is_null()).then(|| CStr::from_ptr(file).to_string_lossy().into_owned())
    }
}

/// The file that this code was loaded from.
#[cfg(windows)]
pub(super) fn file() -> Option<String> {
    use std::ffi::c_void;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
        fn GetModuleFileNameW(module: *mut c_void, file: *mut u16, room: u32) -> u32;
    }

    /// GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS and _UNCHANGED_REFCOUNT.
    const FROM_ADDRESS: u32 = 4 | 2;

    let mut module = std::ptr::null_mut();
    let mut name = vec![0u16; 32768];
    // SAFETY: the address is in this library; no more than the room is written.
    let len = unsafe {
        if GetModuleHandleExW(FROM_ADDRESS, file as *const c_void, &mut module) == 0 {
            return None;
        }
        GetModuleFileNameW(module, name.as_mut_ptr(), name.len() as u32)
    };
    Some(String::from_utf16_lossy(&name[..len as usize]))
}
