//! C headers, read through libclang, as a [`crate::model::Api`].
