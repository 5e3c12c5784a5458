//! Packers in other languages: classes and functions that write and read values in pack's wire form, printed from a
//! [`Plan`] that says everything about the wire which is the same in every language.
//!
//! It is a crate of its own because nothing of it depends on where the plan comes from: `upcall-bindgen` lowers
//! Rust sources into one, and knows how each language spells names, comments and text ([`Spelling`]).
//!
//! | what | where |
//! | --- | --- |
//! | kinds of values, layouts, parts and their order, heads, absence, defaults, fewest bytes | `plan` |
//! | functions that are written once for a type without a name | `functions` |
//! | text of blocks, templates | `code` |
//! | statements that TypeScript and Python write alike | `lines` |
//! | the printers, each with its rows of one-call values, its templates and its run time | [`csharp`], [`java`], [`python`], [`typescript`] |
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod code;
pub mod csharp;
mod file;
mod functions;
pub mod java;
mod lines;
mod plan;
pub mod python;
mod refusal;
mod scope;
mod spelling;
pub mod typescript;

pub use code::{fill, repeated};
pub use file::File;
pub use plan::{
    Absence, Case, Encoding, Enum, Float, Form, Int, Known, Layout, ListKind, Object, Packed, PackedBody,
    PackedId, Piece, Place, Placed, Plan, Raw, Slot, Variant, Wire, tuple_head,
};
pub use scope::{Report, Scope};
pub use spelling::{Comment, Spelling};
