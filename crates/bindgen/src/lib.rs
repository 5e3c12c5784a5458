//! Reads an API written in Rust (`extern "C"` functions and the types they use, `#[upcall::export]`) or in
//! C headers, and writes its bindings for C#, TypeScript, Python, Java and C.
//!
//! It is a crate of its own, beside the `upcall bindgen` command, because a `build.rs` uses it too.
//!
//! | step | module | what it does |
//! | --- | --- | --- |
//! | read | [`rust`], [`c`] | source files become a [`model::Api`]: Rust without layouts, C with clang's |
//! | measure | [`probe`] | sizes, offsets and constants from the compiler's own object file, never guessed |
//! | plan | `plan` | what every language decides alike: kinds, handles, how each argument is taken |
//! | write | [`csharp`], [`python`], [`typescript`], [`java`], [`header`] | one pass each over the model |
//! | glue | [`glue`] | the Rust mirrors that extension modules are compiled from |
//! | check | [`check`] | compiles the output with the real compilers and passes every type through it |
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod backend;
mod build;
mod builder;
#[cfg(feature = "c")]
pub mod c;
mod case;
pub mod check;
mod config;
pub mod csharp;
mod diagnostics;
mod earlier;
mod generate;
mod glob;
pub mod glue;
pub mod header;
mod hex;
#[cfg(feature = "c")]
mod inline;
pub mod java;
pub mod model;
mod output;
mod plan;
pub mod probe;
pub mod python;
mod render;
pub mod rust;
mod section;
mod step;
mod symbols;
pub mod typescript;
mod write;

pub use build::build;
pub use builder::{Bindgen, Error};
pub use config::{Config, Output};
pub use diagnostics::{Diagnostic, Diagnostics, Severity};
pub use generate::{Generated, generate};
pub use step::{Outcome, Step, Stop};
pub use upcall_packers::File;
pub use write::{Written, write};
