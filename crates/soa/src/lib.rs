//! Structs of arrays: one allocation, many columns, each a slice that starts on a cache line.
//!
//! It is a crate of its own because columns are what engines, files and other languages share, and none of
//! them needs anything of ours but the boundary.
//!
//! `#[derive(Soa)]` (of `upcall-derive`; `upcall::Soa`) on a struct `Point { x, y }` gives:
//!
//! | name | is | as |
//! | --- | --- | --- |
//! | `PointSoaVec` | [`SoaVec<Point>`](SoaVec) | `Vec<Point>` |
//! | `PointSoa` | [`SoaBox<Point>`](SoaBox) | `Box<[Point]>` |
//! | `PointSlice<'a>` | [`SoaSlice<'a, Point>`](SoaSlice) | `&'a [Point]` |
//! | `PointSliceMut<'a>` | [`SoaSliceMut<'a, Point>`](SoaSliceMut) | `&'a mut [Point]` |
//! | `PointRef<'a>` | struct of `&'a` fields | `&'a Point` |
//! | `PointRefMut<'a>` | struct of `&'a mut` fields | `&'a mut Point` |
//! | `PointColumns<'a>` | struct of `&'a` slices | |
//! | `PointColumnsMut<'a>` | struct of `&'a mut` slices | |
//!
//! An enum is split into tags and payloads. [`mod@file`] writes columns to files and maps them,
//! [`arrow`] lends them to whatever speaks Arrow.
//!
//! All containers dereference to [`Rows`], which has what they share, and through it to the columns'
//! own methods, `x()` and `x_mut()`.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

pub mod arrow;
mod block;
mod chunks;
mod collect;
mod columns;
mod drain;
mod edit;
mod error;
pub mod file;
mod fixed;
mod into_iter;
mod iter;
mod nested;
pub mod reduce;
mod retain;
mod rows;
mod same;
mod slice;
mod slice_mut;
mod soa;
mod sort;
mod span;
mod tagged;
mod tuple;
mod vec;
mod visit;
mod zip;

pub use chunks::{Chunks, ChunksMut};
pub use columns::{COLUMN_ALIGN, Column, Columns, Visit};
pub use drain::Drain;
pub use error::{Error, ErrorKind};
pub use fixed::SoaBox;
pub use into_iter::IntoIter;
pub use iter::{Iter, IterMut};
pub use nested::Nested;
pub use rows::Rows;
pub use same::{CloneColumns, EqColumns, ToValue};
pub use slice::SoaSlice;
pub use slice_mut::SoaSliceMut;
pub use soa::{Field, Row, Soa};
pub use span::span;
pub use tagged::{Split, Tagged};
pub use vec::SoaVec;
pub use zip::{Zip, zip};

#[doc(hidden)]
pub use upcall_abi as abi;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/soa.md")]
struct Book;
