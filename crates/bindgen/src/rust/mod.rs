//! Rust sources as a [`crate::model::Api`].
