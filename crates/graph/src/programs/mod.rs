//! Programs that come with the engine.

mod breadth;
mod components;
mod pagerank;

pub use breadth::{Breadth, UNREACHED};
pub use components::Components;
pub use pagerank::{PageRank, Rank, Real};
