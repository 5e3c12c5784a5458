//! Functions of every kind that can be exported, called by `tests/calls.rs` as C would call them.

mod callbacks;
mod handles;
mod values;
