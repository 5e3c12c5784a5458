//! Vertex programs in Rust, for `upcall graph run`: each is the same program as those of the other languages beside it.

mod components;
mod labels;
mod pagerank;
mod paths;

pub use components::Components;
pub use labels::Labels;
pub use pagerank::{PageRank, PageRankGather};
pub use paths::ShortestPaths;

upcall::handlers! {
    "PageRank" => upcall::vertices(PageRank::default()),
    "PageRankGather" => upcall::vertices(PageRankGather::default()),
    "Components" => upcall::vertices(Components),
    "ShortestPaths" => upcall::vertices(ShortestPaths::default()),
    "Labels" => upcall::vertices(Labels::default()),
}
