//! Columns in a file, read where they lie.
//!
//! All numbers are little-endian. The file begins with a [`Header`]; after it comes the offset of each column in
//! bytes from the file's start, as u64, a multiple of 64; then the columns, with zeroes between them. The
//! columns are the leaves of [`Soa::FIELDS`](crate::Soa::FIELDS) in order.

mod columns;
mod header;
#[cfg(feature = "map")]
mod mapped;
mod replace;
mod schema;
mod view;
mod write;

pub use columns::BlitColumns;
pub use header::{HEADER_MAGIC, HEADER_VERSION, Header};
#[cfg(feature = "map")]
pub use mapped::Mapped;
pub use schema::schema;
pub use view::view;
