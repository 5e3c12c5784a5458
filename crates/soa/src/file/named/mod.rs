//! Columns that are named in the file, each with rows and an element type of its own: what is known of them only when a program
//! runs, or is not of one length, as a graph's vertices and edges.
//!
//! It is version 3 of the format. The [`Header`](super::Header) says how many columns there are and a hash of their names and
//! types; its number of rows is 0. After it comes an [`Entry`] for each column, and a checksum of all before it, as u32. Then come the
//! columns as in version 2: each at the next multiple of 64, zeroes between them, and nothing behind the last.

mod entry;
mod read;
mod write;

pub use entry::Entry;
pub use read::Named;
pub use write::{ColumnWriter, NamedWriter, save, write_to};

/// The version of a file whose columns have names.
pub const NAMED_VERSION: u32 = 3;
