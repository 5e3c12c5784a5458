//! What the glue of Java adds to `upcall-glue` where JNI calls it: the virtual machine, and calls into it from any
//! thread.
//!
//! It is a crate of its own so that it is compiled and linted as itself; nothing links it. `upcall bindgen` copies its
//! modules ([`SOURCES`]) beside those of `upcall-glue`, which therefore are siblings here too.
//!
//! | module | its part |
//! | --- | --- |
//! | `machine` | the virtual machine, the environment of each thread, exceptions |
//! | `callback` | trampolines that call a static method of Java |
//! | `natives` | what the class `NativeLibrary` calls |
//!
//! All functions are for generated code: each takes the environment of its thread, and references that this thread
//! may use.
#![cfg_attr(feature = "code", expect(clippy::missing_safety_doc, reason = "said once, above"))]

#[cfg(feature = "code")]
pub mod callback;
#[cfg(feature = "code")]
pub mod machine;
#[cfg(feature = "code")]
pub mod natives;

#[cfg(feature = "code")]
pub use upcall_glue::slots;

/// The modules, by name, as they are written into generated crates.
pub const SOURCES: &[(&str, &str)] = &[
    ("callback", include_str!("callback.rs")),
    ("machine", include_str!("machine.rs")),
    ("natives", include_str!("natives.rs")),
];
