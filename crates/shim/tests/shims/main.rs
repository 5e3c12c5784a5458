//! Shims, called as C calls them, and their descriptions.

mod callbacks;
mod describe;
mod handles;
mod library;
mod values;
