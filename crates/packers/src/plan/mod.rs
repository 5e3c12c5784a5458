//! The wire plan: what travels, and all that is the same about it in every language.

mod number;
mod packed;
mod parts;
mod place;
mod raw;
mod travel;
mod wire;

pub use number::{Enum, Float, Int, Variant};
pub use packed::{Case, Form, Object, Packed, PackedBody, PackedId, Plan, Raw, Slot};
pub(crate) use parts::{One, Parts, Step};
pub use place::{Layout, Place};
pub(crate) use raw::pieces;
pub use raw::{Absence, Piece, Placed, tuple_head};
pub use wire::{Encoding, Known, ListKind, Wire};
