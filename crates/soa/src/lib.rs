//! Structs of arrays: one allocation, many columns, each a slice that starts on a cache line.
//!
//! It is a crate of its own because columns are what engines, files and other languages share, and neither
//! needs anything else of ours than the boundary.
