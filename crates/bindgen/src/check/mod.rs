//! Compiles the output with the real compilers and passes every type through it.
//!
//! The peer of every check program is a Rust library made from the model ([`Echo`]): for each type it has
//! one function that takes it by value between two scalars and returns another value, and one that does the
//! same by pointer. It compares every byte that counts with what it knows was sent, so that an error in one
//! direction cannot be undone by the same error in the other.
//!
//! | what a program does, per [`Probe`] | how |
//! | --- | --- |
//! | compare size, alignment, field offsets | with the numbers of the model, written into the program |
//! | write and read bitfields | by their names, into what is sent and from what came back |
//! | send by value | fill a value with [`Probe::sent`], call [`Probe::by_value`] with 7 before and 2.5 after it |
//! | send by pointer | the same through [`Probe::by_pointer`] |
//! | ask what the library saw | [`MISMATCH`] returns the first wrong byte of the last call, or -1 |
//! | compare what came back | with [`Probe::returned`], where [`Probe::mask`] has bits |
//!
//! A program prints one line for each error, `<type>: <what>: expected <x>, found <y>`, then
//! `checked N types`, and exits with 1 if there was any error.

mod echo;
mod image;
mod room;
mod run;
pub(crate) mod tools;

pub use echo::{AFTER, BEFORE, Echo, MISMATCH, Probe};
pub use image::Image;
pub(crate) use image::{bit_value, extended, unsigned};
pub use room::folder;
pub(crate) use room::{Room, beside, copy, library_file, said};
pub use run::{run, run_with};
pub(crate) use tools::host;
