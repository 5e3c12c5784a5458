//! Ordinary functions, whose shims `#[upcall::export]` writes: every kind of parameter and result.

mod callbacks;
mod handles;
mod values;
