//! Vertex programs in Rust, for `upcall graph run`: each is the same program as those of the other languages beside it.

mod components;
mod edges;
mod labels;
mod pagerank;
mod paths;

pub use components::Components;
pub use edges::PageRankEdges;
pub use labels::Labels;
pub use pagerank::{PageRank, PageRankGather};
pub use paths::ShortestPaths;

upcall::handlers! {
    "PageRank" => upcall::vertices(PageRank::default()),
    "PageRankGather" => upcall::vertices(PageRankGather::default()),
    "PageRankEdges" => upcall::vertices(PageRankEdges::default()),
    "Components" => upcall::vertices(Components),
    "ShortestPaths" => upcall::vertices(ShortestPaths::default()),
    "Labels" => upcall::vertices(Labels::default()),
}
