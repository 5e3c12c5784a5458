//! The call plan between the model and the back ends: what every language decides alike is decided here, once.
//!
//! | module | what it decides |
//! | --- | --- |
//! | [`kind`] | what a type is to a caller: a number, text, memory, a function ... |
//! | [`handle`] | which types are shown as objects, with which members, and what releases them |
//! | [`call`] | how each argument of a function is taken, what its result is, what nobody takes when a call fails |
//! | [`crossing`] | which functions and callbacks no language can call |
//! | [`signatures`] | the kinds of functions that native code calls, each once |
//! | `errors` | what functions fail with, and what that is called |
//!
//! A back end prints what the plan says, in its language's words.

mod call;
mod crossing;
mod errors;
mod handle;
mod kind;
mod signatures;

pub(crate) use call::{Arg, Call, Take, Unwanted, is_letter, is_text, take};
pub(crate) use crossing::crossing;
pub(crate) use handle::{Given, Handle, Handles};
pub(crate) use kind::{Callable, Kind, Number};
pub(crate) use signatures::Signatures;
