//! The sources of extension modules: mirrors of the types in Rust, and the table of functions.
//!
//! All of it is Rust text that needs `std` only. A back end writes it into a crate of its own, beside code
//! that knows the guest's runtime, so that the user's library imports none of the runtime's symbols.

mod layout;
mod mirror;
mod names;
mod runtime;
mod shim;
mod table;
mod trampoline;

pub use mirror::mirror;
pub(crate) use names::ascii;
pub use names::{callback_type, failure_type, field_name, function_type, ident, rust_type, type_name};
pub use runtime::{Source, runtime};
pub use shim::shim;
pub(crate) use shim::symbol as shim_symbol;
pub use table::table;
pub(crate) use table::variable;
pub(crate) use trampoline::{USES as TRAMPOLINE_USES, arrow, parameters, trampoline};

/// The first line of every generated Rust file.
pub const HEADER: &str = "// Made by upcall bindgen; do not edit.\n";

/// The manifest of a crate that is compiled into a shared library named `name`. `dependencies` are the lines
/// of that section. The crate is its own workspace, because it may lie anywhere in the user's sources.
#[must_use]
pub fn manifest(name: &str, dependencies: &str) -> String {
    format!(
        "# Made by upcall bindgen; do not edit.
[package]
name = \"{name}\"
version = \"0.0.0\"
edition = \"2024\"
publish = false

[lib]
crate-type = [\"cdylib\"]
test = false
doctest = false

[dependencies]
{dependencies}
[profile.release]
debug = false
strip = \"symbols\"

[workspace]
"
    )
}
