//! Layouts and constants, measured by the compiler and never guessed.
//!
//! The probe is a constant table of sizes, offsets and values, compiled for the target beside the user's
//! own source (inside the defining modules, so that private fields count) and read from the object file.
//! None of it is ever run.
//!
//! | step | module |
//! | --- | --- |
//! | ask, as Rust text with one table per module | `sheet`, `deeper`, `ask` |
//! | mirror the user's package by links, with the tables in it | `scratch`, `mirror`, `manifest`, `lean` |
//! | compile, without the dependencies' code where possible | `compile`, `cargo`, `toolchain`, `messages` |
//! | read the answers and put them into the model | `table`, `fill`, `verify` |
//! | keep them, with a hash of everything they depend on, as expansions are | `cache`, `inputs`, `script`, `environment`, `expanded` |

mod ask;
mod cache;
mod cargo;
mod compile;
mod deeper;
mod environment;
mod expanded;
mod failure;
mod fill;
mod inputs;
mod lean;
mod manifest;
mod measure;
mod messages;
mod mirror;
mod options;
mod plan;
mod scratch;
mod script;
mod sheet;
mod table;
mod toolchain;
mod verify;

pub(crate) use cache::lock;
pub use cache::user_folder as folder;
pub(crate) use cargo::{Rustc, TARGET, crates, metadata};
pub(crate) use compile::{first_that_succeeds, scratch};
pub(crate) use expanded::Expanded;
pub(crate) use manifest::{Kept, text as manifest_text};
pub(crate) use measure::says_where;
pub use measure::{Unanswered, decide, measure, values};
pub(crate) use messages::said;
pub use options::Options;
pub use plan::{Generic, Plan, Source, Spot, Subject, Value};
pub use toolchain::{GUARD as NESTED, is_nested};
pub(crate) use toolchain::{command, compiler, tool, user_flags};
pub use verify::verify;
