//! What each codec does with a shape. All write over the same buffer, which is large enough; what is read is compared
//! with the value once, before anything is measured.

mod bincode;
mod bitcode;
mod postcard;
pub mod prost;
mod rkyv;
mod rmp;
mod speedy;
pub mod upcall;

use crate::rounds::Cases;
use std::fmt::Debug;

/// The buffers that are written into, in bytes; the mesh needs six million.
pub const BUFFER: usize = 10_000_000;

/// A shape that every codec knows.
pub trait Shape:
    bincode::Known
    + bitcode::Known
    + rkyv::Known
    + serde::Serialize
    + serde::de::DeserializeOwned
    + speedy::Known
    + upcall::Known
    + PartialEq
    + Debug
    + 'static
{
}

impl<T> Shape for T where
    T: bincode::Known
        + bitcode::Known
        + rkyv::Known
        + serde::Serialize
        + serde::de::DeserializeOwned
        + speedy::Known
        + upcall::Known
        + PartialEq
        + Debug
        + 'static
{
}

/// A shape with a twin whose text is borrowed from what is read.
pub trait Borrowing {
    /// The shape.
    type Owned: Shape;
    /// Its twin.
    type Borrowed<'a>: bincode::Borrowed<'a>
        + bitcode::Borrowed<'a>
        + serde::Deserialize<'a>
        + speedy::Borrowed<'a>
        + upcall::Borrowed<'a>;
}

/// Adds writing and reading by every codec.
pub fn all<'a, T: Shape>(cases: &mut Cases<'a>, value: &'a T) {
    bincode::add(cases, value);
    bitcode::add(cases, value);
    postcard::add(cases, value);
    rkyv::add(cases, value);
    rmp::add(cases, value);
    speedy::add(cases, value);
    upcall::add(cases, value);
}

/// Adds borrowed reading by every codec that has it. rkyv's is its checked access, which [`all`] adds.
pub fn all_borrowed<'a, B: Borrowing + 'a>(cases: &mut Cases<'a>, value: &'a B::Owned) {
    bincode::borrow::<B>(cases, value);
    bitcode::borrow::<B>(cases, value);
    postcard::borrow::<B>(cases, value);
    rmp::borrow::<B>(cases, value);
    speedy::borrow::<B>(cases, value);
    upcall::borrow::<B>(cases, value);
}
