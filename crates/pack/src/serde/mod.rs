//! Types that implement serde's traits: the bytes are those that `#[derive(Pack)]` gives the same type.
//!
//! serde says too little of a type for that: of `None` not of what, of an array not that it is no tuple. So a
//! [`Shape`] is made first, from what the type's `Deserialize` asks for; values are written and read by it.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use upcall_pack::Pack;
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, Pack)]
//! #[pack(crate = upcall_pack)]
//! struct Person<'a> {
//!     age: i32,
//!     name: &'a str,
//!     friends: Option<Vec<u64>>,
//! }
//!
//! let person = Person { age: 40, name: "John", friends: None };
//! let bytes = upcall_pack::serde::to_vec(&person)?;
//! assert_eq!(bytes, upcall_pack::to_vec(&person)?);
//! assert_eq!(upcall_pack::serde::from_slice::<Person>(&bytes)?, person);
//! # Ok::<(), upcall_pack::Error>(())
//! ```
//!
//! The book says what each of serde's kinds becomes, and what has no form.

mod access;
mod error;
mod group;
mod known;
mod probe;
mod read;
mod shape;
mod tagged;
mod trace;
mod type_id;
mod write;

use crate::call::end;
use crate::prelude::*;
use crate::{Error, Reader, Writer};
use ::serde::{Deserialize, Serialize};
use alloc::sync::Arc;
use core::fmt;

/// What the bytes of a type are, as far as serde's traits tell.
///
/// It is made once and used for many values. With the feature `std` the functions of this module keep those that they
/// make, so that only a value whose type has no `Deserialize` needs one by name: it is written by the shape of a type
/// that has.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use upcall_pack::serde::Shape;
///
/// #[derive(Deserialize)]
/// struct Line { text: String, words: Vec<String> }
///
/// #[derive(Serialize)]
/// struct Borrowed<'a> { text: &'a str, words: &'a [&'a str] }
///
/// let line = Borrowed { text: "a b", words: &["a", "b"] };
/// let shape = Shape::of::<Line>()?;
/// let read: Line = shape.from_slice(&shape.to_vec(&line)?)?;
/// assert_eq!((&read.text[..], &read.words[1][..]), ("a b", "b"));
/// # Ok::<(), upcall_pack::Error>(())
/// ```
#[derive(Clone)]
pub struct Shape(Arc<shape::Nodes>);

impl Shape {
    /// The shape of a type, found by asking its `Deserialize` once for each of its parts.
    ///
    /// # Errors
    /// When the format cannot express a part of it; the error names it, and the types around it.
    pub fn of<'de, T: Deserialize<'de>>() -> Result<Shape, Error> {
        let nodes = trace::trace(&mut |path, seen| T::deserialize(probe::Probe::new(path, seen)).map(drop));
        match nodes {
            Ok(nodes) => Ok(Shape(Arc::new(nodes))),
            Err(error) => Err(error.placed(0)),
        }
    }

    /// The value's bytes.
    ///
    /// # Errors
    /// As [`write`](fn@write).
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.append(value, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends the value to `bytes`, and returns how many bytes it took. On an error `bytes` is as it was.
    ///
    /// # Errors
    /// As [`write`](fn@write).
    pub fn append<T: Serialize + ?Sized>(&self, value: &T, bytes: &mut Vec<u8>) -> Result<usize, Error> {
        let before = bytes.len();
        let mut writer = Writer::new(bytes);
        match self.write(value, &mut writer) {
            Ok(()) => Ok(writer.finish()),
            Err(error) => {
                bytes.truncate(before);
                Err(error)
            }
        }
    }

    /// Writes a value of this shape.
    ///
    /// # Errors
    /// As [`write`](fn@write), and when it is of another.
    pub fn write<T: Serialize + ?Sized>(&self, value: &T, writer: &mut Writer<'_>) -> Result<(), Error> {
        let written = write::Out::new(writer, &self.0).value(self.0.root, value);
        written.map_err(|error| error.placed(writer.position()))
    }

    /// The value that takes up all of the bytes.
    ///
    /// # Errors
    /// As [`from_slice`].
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T, Error> {
        let mut reader = Reader::new(bytes);
        let value = self.read(&mut reader)?;
        end(&reader)?;
        Ok(value)
    }

    /// Reads a value of this shape.
    ///
    /// # Errors
    /// As [`read`](fn@read), and when the type is of another.
    pub fn read<'de, T: Deserialize<'de>>(&self, reader: &mut Reader<'de>) -> Result<T, Error> {
        let node = &self.0[self.0.root];
        let mut from = read::In::new(reader, &self.0);
        T::deserialize(read::Get { from: &mut from, node, at: None })
            .map_err(|error| error.placed(reader.position()))
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shape").field("root", &self.0[self.0.root].title()).finish_non_exhaustive()
    }
}

/// The value's bytes.
///
/// # Errors
/// As [`write`](fn@write).
pub fn to_vec<'de, T: Serialize + Deserialize<'de>>(value: &T) -> Result<Vec<u8>, Error> {
    known::shape::<T>()?.to_vec(value)
}

/// Appends the value to `bytes`, and returns how many bytes it took. On an error `bytes` is as it was.
///
/// # Errors
/// As [`write`](fn@write).
pub fn append<'de, T: Serialize + Deserialize<'de>>(value: &T, bytes: &mut Vec<u8>) -> Result<usize, Error> {
    known::shape::<T>()?.append(value, bytes)
}

/// Writes a value, with the writer's options.
///
/// A type that has `Serialize` alone is written by a [`Shape`].
///
/// # Errors
/// When the format cannot express a part of its type, its `Serialize` and `Deserialize` do not agree, it is nested too
/// deeply, or there is no space left.
pub fn write<'de, T: Serialize + Deserialize<'de>>(value: &T, writer: &mut Writer<'_>) -> Result<(), Error> {
    known::shape::<T>()?.write(value, writer)
}

/// The value that takes up all of the bytes. `&str` and `&[u8]` borrow from them.
///
/// # Errors
/// As [`read`](fn@read), and when bytes follow.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    known::shape::<T>()?.from_slice(bytes)
}

/// Reads a value.
///
/// # Errors
/// When the format cannot express a part of its type, or the bytes are not a value of it, or end too early.
pub fn read<'de, T: Deserialize<'de>>(reader: &mut Reader<'de>) -> Result<T, Error> {
    known::shape::<T>()?.read(reader)
}
