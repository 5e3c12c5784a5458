//! Programs that come with the engine.

mod breadth;
mod clustering;
mod components;
mod connected;
mod cores;
mod factors;
mod labels;
mod louvain;
mod pagerank;
mod paths;
mod random;
mod strong;
mod walks;
mod weight;

pub use breadth::{Breadth, UNREACHED};
pub use clustering::{Clustering, clustering};
pub use components::Components;
pub use connected::weak_components;
pub use cores::Cores;
pub use factors::{Als, Factorisation, Sgd};
pub use labels::Labels;
pub use louvain::{Communities, Level, Louvain, louvain};
pub use pagerank::{PageRank, Real};
pub use paths::ShortestPaths;
pub use strong::strong_components;
pub use walks::{Visits, Walks, walks};
pub use weight::Weight;
