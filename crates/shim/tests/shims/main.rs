//! Shims, called as C calls them, and their descriptions.

mod callbacks;
mod describe;
mod handles;
mod kept;
mod library;
mod values;
