//! `libupcall`: the C ABI over the engines; every SDK stands on it.
//!
//! It is a crate of its own because a shared library is: nothing in Rust depends on it. Its bindings for C#,
//! Java, Python and TypeScript are what `upcall bindgen` makes of this source.

mod flow;
mod graph;
mod mpi;
mod reductions;
