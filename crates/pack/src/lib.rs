//! Values that travel: MemoryPack's wire format in Rust, and from there everywhere.
//!
//! It is a crate of its own so that a program that only packs values depends on no boundary and no engine.
//!
//! ```
//! use upcall_pack::Pack;
//!
//! #[derive(Debug, PartialEq, Pack)]
//! #[pack(crate = upcall_pack)]
//! struct Person {
//!     age: i32,
//!     name: Option<String>,
//! }
//!
//! let person = Person { age: 40, name: Some("John".into()) };
//! let bytes = upcall_pack::to_vec(&person)?;
//! assert_eq!(bytes, b"\x02\x28\0\0\0\xFB\xFF\xFF\xFF\x04\0\0\0John");
//! assert_eq!(upcall_pack::from_slice::<Person>(&bytes)?, person);
//! # Ok::<(), upcall_pack::Error>(())
//! ```
//!
//! What C# has in place of a Rust type is its [`Form`]; how the bytes of an unmanaged one are arranged is its
//! [`Layout`].
//!
//! Without its feature `std` it needs `alloc` only; hashed collections and the system's time are then missing.
#![no_std]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

extern crate alloc;
extern crate self as upcall_pack;
#[cfg(any(feature = "std", test))]
extern crate std;

mod ascii;
mod borrow;
#[cfg(feature = "brotli")]
mod brotli;
mod call;
mod collections;
#[cfg(feature = "soa")]
mod columns;
mod depth;
mod error;
mod form;
pub mod frame;
mod graph;
mod header;
mod invalid;
mod items;
mod layout;
#[doc(hidden)]
pub mod members;
mod option;
mod options;
mod pointer;
mod prelude;
mod primitive;
mod reader;
mod schema;
mod sequence;
#[cfg(feature = "serde")]
pub mod serde;
mod sink;
#[doc(hidden)]
pub mod slots;
pub mod stream;
mod tag;
mod text;
mod traits;
mod types;
mod utf16;
mod utf16_char;
mod varint;
pub mod with;
mod writer;

pub use call::{
    append, from_parts, from_prefix, from_slice, overwrite, overwrite_keeping, overwrite_parts, packed_len,
    to_slice, to_vec,
};
pub use collections::{
    Array2, Array3, Array4, ArrayN, Grouping, KeyValue, Lookup, PriorityQueue, Stack, Tuple,
};
#[cfg(feature = "soa")]
pub use columns::{PackColumns, UnpackColumns};
pub use error::{Error, ErrorKind};
pub use form::{Form, Raw};
pub use graph::{Arena, Circular, Graph, Ref};
pub use invalid::Invalid;
pub use items::{Items, ItemsIter};
pub use layout::{Kind, Layout};
pub use options::{Options, Text};
pub use reader::Reader;
pub use schema::{Describe, Describes, Schema};
pub use sink::{Fixed, Sink};
pub use traits::{Pack, Unpack};
pub use types::{
    BigInteger, BitArray, Complex, DateOnly, DateTime, DateTimeKind, DateTimeOffset, Decimal, Guid,
    GuidTextError, Half, Index, Lazy, Range, StringBuilder, TimeOnly, TimeSpan, Uri, Version,
};
pub use upcall_derive::Pack;
pub use utf16_char::Utf16Char;
pub use writer::Writer;

/// The book's chapter, whose snippets are tested like this crate's.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/pack.md")]
mod book {}
