//! The model between the front ends and the back ends: one API as a list of types, functions, constants
//! and statics, with every size, alignment and offset measured.
//!
//! A front end fills it without layouts, the probe fills in the layouts and the values of constants, and
//! back ends only read it. Names are those of the source; each back end has its own case rules and keywords.

mod apart;
mod api;
mod bytes;
mod contexts;
mod declared;
mod function;
mod limits;
mod merge;
mod order;
mod packed;
mod query;
mod raw;
mod travel;
mod ty;
mod walk;
mod wire;

pub use api::{Api, Constant, Place, Static, Target, Value};
pub(crate) use bytes::padded;
pub use declared::{
    Bits, Body, Declared, Enum, Field, Flags, Idiom, Layout, Record, Tagged, TaggedShape, TaggedVariant,
    Variant,
};
pub use function::{Function, Linkage, Member, Param, Role, Signature};
pub(crate) use limits::Spelling;
pub use limits::{Limit, Rule};
pub use packed::{Case, Form, Object, Packed, PackedBody, PackedId, Raw, Slot};
pub use raw::{Absence, Piece, Placed, pieces, tuple_head};
pub(crate) use travel::default_variant;
pub use ty::{Float, Int, Pointer, Ty, TypeId};
pub use wire::{Encoding, Known, ListKind, Wire};
