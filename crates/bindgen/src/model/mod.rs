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
mod members;
mod merge;
mod order;
mod query;
mod ty;
mod walk;

pub use api::{Api, Constant, Static, Target, Value};
pub(crate) use bytes::padded;
pub use declared::{Bits, Body, Declared, Field, Flags, Idiom, Record, Tagged, TaggedShape, TaggedVariant};
pub use function::{Function, Linkage, Member, Param, Role, Signature};
pub(crate) use limits::Spelling;
pub use limits::{Limit, Rule};
pub(crate) use ty::stdint;
pub use ty::{Pointer, Ty, TypeId};
pub use upcall_packers::{
    Absence, Case, Encoding, Enum, Float, Form, Int, Known, Layout, ListKind, Object, Packed, PackedBody,
    PackedId, Place, Placed, Plan, Raw, Slot, Variant, Wire,
};
