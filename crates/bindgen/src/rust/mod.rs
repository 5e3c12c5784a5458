//! Rust sources as a [`crate::model::Api`].

mod input;
mod source;

pub use input::Input;
