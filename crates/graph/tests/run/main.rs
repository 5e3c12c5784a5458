//! Programs over small graphs of every shape, against plain algorithms; what goes wrong is told.

mod changes;
mod changes_asked;
mod changes_asleep;
mod changes_in_guests;
mod checkpoints;
mod compressed;
mod crossed;
mod edge_values;
mod factors;
mod gauss_seidel;
mod graphalytics;
mod guest_edges;
mod guests;
mod intervals;
mod louvain;
mod memory;
mod model;
mod multigraph;
mod programs;
mod walks;
mod ways;
mod wrong;
