//! What the glue of Python adds to `upcall-glue`: values, classes, calls and callbacks over CPython's stable ABI.
//!
//! It is a crate of its own so that it is compiled and linted as itself; nothing links it. `upcall bindgen` copies its
//! modules ([`SOURCES`]) beside those of `upcall-glue`, which therefore are siblings here too. The driver of
//! handlers in `sdk/python` shares [`supported`].
//!
//! | module | its part |
//! | --- | --- |
//! | `ffi`, `class` | CPython's C API, exceptions, classes |
//! | `supported`, `module` | which interpreters it fits, and what they find in it |
//! | `call` | what every function does around the native call |
//! | `number`, `kind`, `limits` | numbers, and values in memory |
//! | `object`, `array`, `out` | structs, arrays, and places that native code writes to |
//! | `view`, `owned` | memory of Python's for native code, and the other way |
//! | `handle` | objects that the library made and takes back |
//! | `callback`, `explicit`, `kept` | Python's functions that native code calls |
//!
//! All functions are for generated code, and need the GIL and objects that are alive; a pointer that one takes besides
//! is what the library promises or what its user vouches for.
#![cfg_attr(feature = "code", expect(clippy::missing_safety_doc, reason = "said once, above"))]

#[cfg(feature = "code")]
pub mod array;
#[cfg(feature = "code")]
pub mod call;
#[cfg(feature = "code")]
pub mod callback;
#[cfg(feature = "code")]
pub mod class;
#[cfg(feature = "code")]
pub mod explicit;
#[cfg(feature = "code")]
pub mod ffi;
#[cfg(feature = "code")]
pub mod handle;
#[cfg(feature = "code")]
pub mod kept;
#[cfg(feature = "code")]
pub mod kind;
#[cfg(feature = "code")]
pub mod limits;
#[cfg(feature = "code")]
pub mod module;
#[cfg(feature = "code")]
pub mod number;
#[cfg(feature = "code")]
pub mod object;
#[cfg(feature = "code")]
pub mod out;
#[cfg(feature = "code")]
pub mod owned;
pub mod supported;
#[cfg(feature = "code")]
pub mod view;

#[cfg(feature = "code")]
pub use upcall_glue::{entries, misuse, slots, stand_in};

/// The modules, by name, as they are written into generated crates.
pub const SOURCES: &[(&str, &str)] = &[
    ("array", include_str!("array.rs")),
    ("call", include_str!("call.rs")),
    ("callback", include_str!("callback.rs")),
    ("class", include_str!("class.rs")),
    ("explicit", include_str!("explicit.rs")),
    ("ffi", include_str!("ffi.rs")),
    ("handle", include_str!("handle.rs")),
    ("kept", include_str!("kept.rs")),
    ("kind", include_str!("kind.rs")),
    ("limits", include_str!("limits.rs")),
    ("module", include_str!("module.rs")),
    ("number", include_str!("number.rs")),
    ("object", include_str!("object.rs")),
    ("out", include_str!("out.rs")),
    ("owned", include_str!("owned.rs")),
    ("supported", include_str!("supported.rs")),
    ("view", include_str!("view.rs")),
];
