//! The C# back end: one file a person can read.
//!
//! The plain functions (`NativeMethods`) are blittable `DllImport`s, as cheap as the best handwritten ones.
//! Beside them stands the idiomatic class: spans, strings, exceptions, delegates and handles.
//!
//! The file needs C# 9 and .NET 5; with 128-bit integers .NET 7, with [`Options::c_long`] (if the API
//! has a C `long`) .NET 6, and the C# version of [`Options::language`].
//!
//! Types that derive `Pack` have a file of their own beside it, which needs no native library.

mod backend;
mod changes;
pub mod check;
mod clr;
mod constants;
mod cx;
mod enums;
mod fields;
mod file;
mod functions;
mod grouped;
mod idiomatic;
mod idioms;
mod library;
mod names;
mod options;
mod structs;
mod tagged;
mod text;
mod types;

pub use file::generate;
pub use options::{Compatible, Grouped, Options};
