//! Columns in a file, read where they lie.
//!
//! All numbers are little-endian. The file begins with a [`Header`]; after it come the offset of each column in
//! bytes from the file's start, as u64; a checksum of each column, as u32; and one of all before it. Then come the
//! columns, each at the next multiple of 64, with zeroes between them, and the file ends with the last one. The
//! columns are the leaves of [`Soa::FIELDS`](crate::Soa::FIELDS) in order.
//!
//! A checksum is a CRC-32 (that of zlib, gzip and PNG), by the crate `crc32fast`: what damages files is found by it,
//! every language has it at hand, and it is nearly as fast as memory. Opening a file compares that of the head, some
//! hundred bytes, so that a mapped file stays unread until it is looked at; [`verify`] and `Mapped::verify` compare
//! those of the columns.
//!
//! That is version 2. Files whose columns have names, and lengths of their own, are version 3: [`Named`] and [`save`].

mod columns;
mod head;
mod header;
#[cfg(feature = "map")]
mod mapped;
mod named;
mod replace;
mod schema;
mod view;
mod write;

pub use columns::BlitColumns;
pub use header::{HEADER_MAGIC, HEADER_VERSION, Header};
#[cfg(feature = "map")]
pub use mapped::Mapped;
pub use named::{ColumnWriter, Entry, NAMED_VERSION, Named, NamedWriter, save, write_to};
pub use replace::settle;
pub use schema::schema;
pub use view::{verify, view};
