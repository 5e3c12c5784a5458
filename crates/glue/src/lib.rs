//! What the glue of every language shares: the Rust between a library and Python, Node or Java.
//!
//! It is a crate of its own so that it is compiled, linted and tested as itself; nothing links it. `upcall bindgen`
//! copies its modules ([`LIBRARY`], [`CALLBACKS`]) into each crate of glue that it writes, which depends on nothing of ours. So
//! a module uses `std` and its siblings only, and calls these `super::…`, which is right in both places. The crates
//! `upcall-glue-node`, `upcall-glue-python` and `upcall-glue-jni` add what one runtime needs.
//!
//! | module | its part |
//! | --- | --- |
//! | [`slots`] | what native code calls: trampolines, and slots of those that have no context |
//! | [`entries`] | what a trampoline finds: callbacks by number, so that a late call finds nothing |
//! | [`misuse`] | callbacks that are called where they cannot be |
//! | [`stand_in`] | what native code is given where a callback has failed |
//! | [`library`] | the library: found, opened, compared with what the bindings were made from |
//! | `unix`, `windows` | what the system does for that |

pub mod entries;
pub mod library;
pub mod misuse;
pub mod slots;
pub mod stand_in;
#[cfg(unix)]
pub mod unix;
#[cfg(windows)]
pub mod windows;

/// The modules that open the library, by name, as they are written into generated crates.
pub const LIBRARY: &[(&str, &str)] = &[
    ("library", include_str!("library.rs")),
    ("unix", include_str!("unix.rs")),
    ("windows", include_str!("windows.rs")),
];

/// Those that have to do with callbacks.
pub const CALLBACKS: &[(&str, &str)] = &[
    ("entries", include_str!("entries.rs")),
    ("misuse", include_str!("misuse.rs")),
    ("slots", include_str!("slots.rs")),
    ("stand_in", include_str!("stand_in.rs")),
];
