//! Graphs to measure programs over: Kronecker's, as Graph500 has them, the plain loops that bound what can be reached, and peers.

pub mod asked;
pub mod budget;
pub mod cached;
pub mod cold;
pub mod disk;
pub mod edges;
pub mod gap;
pub mod graphchi;
pub mod group;
pub mod guests;
pub mod known;
pub mod kronecker;
pub mod made;
pub mod once;
pub mod petgraph;
pub mod plain;
pub mod python;
pub mod rows;
pub mod scales;
pub mod tables;
pub mod watch;
