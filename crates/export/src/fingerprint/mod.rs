//! Whether a library is still the one that bindings were made from.
//!
//! For every exported function its library has a line in a section of its own: the symbol, a fingerprint of the
//! signature, and name and fingerprint of each type that a user has declared, separated by tabs. The compiler
//! makes it of the types as they are. A generator of bindings reads the lines in an object file and copies those of
//! the functions that it binds; what loads the library passes them to `upcall_changes`.

#[cfg(any(windows, all(unix, not(any(target_family = "wasm", target_os = "aix")))))]
mod changes;
mod line;
mod print;

pub use line::{Part, Signature};

/// Puts the line of a `Signature` into the section that all lines of a library are in, where there are sections.
///
/// Their ends are in `changes::system`; `upcall-bindgen` knows the names too.
#[doc(hidden)]
#[macro_export]
macro_rules! fingerprint {
    ($signature:expr) => {
        #[cfg(any(windows, all(unix, not(any(target_family = "wasm", target_os = "aix")))))]
        #[used]
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,upcall_exports"))]
        #[cfg_attr(windows, unsafe(link_section = "upcall$b"))]
        #[cfg_attr(not(any(target_vendor = "apple", windows)), unsafe(link_section = "upcall_exports"))]
        static LINE: [u8; $signature.len()] = $signature.line();
    };
}
