//! What the C functions that `#[upcall::export]` writes are made of.
//!
//! It is a crate of its own so that a library that exports functions takes neither handlers nor an engine. Only
//! generated code uses it, as `upcall::shim`, and it may change with every version; [`Code`] alone is for users.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod argument;
mod call;
mod code;
mod coded;
mod extent;
mod fingerprint;
mod handle;
mod marks;
mod owned;
mod returned;

pub use argument::{Referenced, Scope, lend, lend_mut, returned};
pub use call::{Fault, call};
pub use code::Code;
pub use coded::{Coded, WithCode, WithNumber, WithoutCode};
pub use extent::Extent;
pub use fingerprint::{Part, Signature};
pub use handle::{Exclusive, Handle, Kept, Marked, Shared, own, release};
pub use owned::{Owned, Release};
pub use returned::{Returned, buffer};
