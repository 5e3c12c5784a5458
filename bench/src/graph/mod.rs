//! Graphs to measure programs over: Kronecker's, as Graph500 has them, the plain loops that bound what can be reached, and GAP.

pub mod gap;
pub mod guests;
pub mod kronecker;
pub mod plain;
