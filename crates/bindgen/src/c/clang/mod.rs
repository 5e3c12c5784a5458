//! libclang behind safe types: a [`Unit`] is one parsed file with all that it includes, a [`Cursor`] one
//! declaration in it, a [`Type`] what clang knows about a type on the target.
//!
//! libclang is opened at run time, so a program that never reads C can be built without it.

mod cursor;
mod ty;
mod unit;

pub use clang_sys as raw;
pub use cursor::{Cursor, Evaluated};
use std::path::PathBuf;
pub use ty::Type;
pub use unit::Unit;

/// Calls a libclang function.
macro_rules! clang {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: `open` has loaded the library on this thread, and raw cursors and types, which are not
        // `Send`, come from a `Unit` that their lifetime keeps alive; out-pointers are to locals.
        unsafe { clang_sys::$name($($argument),*) }
    }};
}
use clang;

/// Finds and opens libclang for this thread: only in `LIBCLANG_PATH` if that is set, otherwise where systems
/// and LLVM's packages keep it.
pub fn open() -> Result<(), String> {
    if clang_sys::is_loaded() { Ok(()) } else { clang_sys::load() }
}

/// Where the compiler's own headers (`stddef.h`) of libclang's version are. libclang looks beside its own file
/// with all links followed, where Debian does not put them.
pub fn resources() -> Option<PathBuf> {
    let library = clang_sys::get_library()?;
    let version = text(clang!(clang_getClangVersion()));
    let version = version.split("version ").nth(1)?.split(['.', ' ']).next()?;
    let beside = library.path().parent()?.join("clang");
    let packaged = format!("/usr/lib/llvm-{version}/lib/clang");
    let folders = [beside, packaged.into(), "/usr/lib/clang".into(), "/usr/lib64/clang".into()];
    let versions = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut found = versions.map(|entry| entry.path()).filter(|path| {
        let own = path.file_name().map(|name| name.to_string_lossy());
        own.is_some_and(|own| own.split('.').next() == Some(version))
            && path.join("include/stddef.h").is_file()
    });
    found.next()
}

/// The text of a libclang string, which is disposed of; empty for null.
fn text(string: clang_sys::CXString) -> String {
    let pointer = clang!(clang_getCString(string));
    let text = if pointer.is_null() {
        String::new()
    } else {
        // SAFETY: not null, zero-terminated, and alive until it is disposed of below.
        unsafe { std::ffi::CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
    };
    clang!(clang_disposeString(string));
    text
}
