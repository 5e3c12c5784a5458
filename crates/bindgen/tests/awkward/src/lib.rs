//! Every kind of type and function that a binding generator gets wrong, each with a body that can be called
//! and whose result can be foretold.

#![expect(clippy::missing_safety_doc, reason = "the callers are tests")]

pub mod callbacks;
pub mod constants;
pub mod enums;
mod exports;
pub mod files;
pub mod generics;
pub mod idioms;
pub mod layouts;
pub mod made;
pub mod pointers;
pub mod scalars;
pub mod twins;
