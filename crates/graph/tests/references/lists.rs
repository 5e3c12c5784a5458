//! Graphs of the lists of edges that the scripts here write.

use std::path::Path;
use upcall_graph::{Builder, Direction, Graph, Source, ValueType, Vertices};

/// Makes a graph beside its list, of which the first line says whether edges have directions and how many vertices there are: the last
/// ones may have no edges.
pub fn graph(edges: &Path) -> Graph {
    let text = std::fs::read_to_string(edges).unwrap();
    let (directed, count) = head(&text);
    let place = edges.with_extension("graph");
    let direction = if directed { Direction::Directed } else { Direction::Undirected };
    let built = Builder::new()
        .source(Source::file(edges))
        .direction(direction)
        .vertices(Vertices::Count(count as u64))
        .values(ValueType::F64)
        .build(&place);
    built.unwrap();
    // SAFETY: nobody else knows the file.
    let graph = unsafe { Graph::map(&place) }.unwrap();
    assert_eq!((graph.vertices(), graph.is_directed()), (count, directed), "{}", edges.display());
    graph
}

/// Whether edges have directions, and how many vertices there are.
pub fn head(text: &str) -> (bool, usize) {
    let head = text.lines().next().unwrap();
    (head.starts_with("# directed"), head.rsplit(' ').next().unwrap().parse().unwrap())
}
