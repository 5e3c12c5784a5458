//! Functions of every kind that can be exported, called by `tests/calls.rs` as C would call them.

mod callbacks;
mod handles;
mod values;

/// Where a crate has `upcall` that does not depend on it by this name.
mod elsewhere {
    pub use upcall::{abi, shim};
}
