//! Runtimes that somebody else has started in this process: of each there is one in a process, and who has started it knows
//! how it gets on with others. Mostly it is another copy of Upcall: a library that is loaded from two paths is there twice,
//! and neither knows what the other does.

use libloading::os::unix::{Library, RTLD_LAZY};
use std::ffi::{OsStr, c_void};
use std::path::PathBuf;

/// The libraries of runtimes, as the loader knows them.
pub(crate) const CLR: &str = "libcoreclr.so";
pub(crate) const JAVA: &str = "libjvm.so";

/// What each copy of `libupcall` exports.
const EXPORT: &[u8] = b"upcall_flow_builder_new\0";

/// Whether a library of this name is loaded.
pub(crate) fn is_loaded(library: &str) -> bool {
    open(OsStr::new(library)).is_some()
}

/// Who has started a runtime here, and what to do.
pub(crate) fn who_started_it() -> (String, &'static str) {
    match others().first() {
        Some(other) => (
            format!("started by another copy of Upcall, {}", other.display()),
            "load one copy into a process, or give the handlers `isolation = \"process\"`",
        ),
        None => ("and not by Upcall".into(), "give the handlers `isolation = \"process\"`"),
    }
}

/// Other copies of `libupcall` that are loaded.
fn others() -> Vec<PathBuf> {
    let own = crate::located::own_library();
    let mut names = loaded();
    let is_copy = |path: &PathBuf| {
        // SAFETY: only whether it is there is asked.
        open(path.as_os_str()).is_some_and(|library| unsafe { library.get::<*const c_void>(EXPORT).is_ok() })
    };
    names.retain(|path| path.canonicalize().ok() != own && is_copy(path));
    names
}

/// The files that are loaded into this process.
#[cfg(target_os = "linux")]
fn loaded() -> Vec<PathBuf> {
    use std::ffi::{CStr, c_int};
    use std::os::unix::ffi::OsStrExt as _;

    unsafe extern "C" fn name(info: *mut libc::dl_phdr_info, _: usize, names: *mut c_void) -> c_int {
        // SAFETY: the loader's own text, which ends with zero or is null, and the list that was given to it.
        unsafe {
            let name = (*info).dlpi_name;
            if !name.is_null() && *name != 0 {
                let path = OsStr::from_bytes(CStr::from_ptr(name).to_bytes());
                (*names.cast::<Vec<PathBuf>>()).push(path.into());
            }
        }
        0
    }
    let mut names: Vec<PathBuf> = Vec::new();
    // SAFETY: the function is called with what it is given here, until this returns.
    unsafe { libc::dl_iterate_phdr(Some(name), (&raw mut names).cast()) };
    names
}

#[cfg(not(target_os = "linux"))]
fn loaded() -> Vec<PathBuf> {
    Vec::new()
}

fn open(library: &OsStr) -> Option<Library> {
    // SAFETY: nothing is loaded, and so nothing of it is run.
    unsafe { Library::open(Some(library), RTLD_LAZY | libc::RTLD_NOLOAD) }.ok()
}
