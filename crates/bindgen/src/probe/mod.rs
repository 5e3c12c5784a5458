//! Layouts and constants, measured by the compiler and never guessed.
//!
//! The probe is a constant table of sizes, offsets and values, compiled for the target beside the user's
//! own source (inside the defining modules, so that private fields count) and read from the object file.
//! Nothing of it is ever run.

mod header;
mod plan;

pub use header::{HeaderPlan, HeaderType};
pub use plan::{Generic, Plan, Source, Spot, Subject};
