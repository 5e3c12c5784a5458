//! petgraph: its components and its breadth-first search, and PageRank as its users write it by hand.
//!
//! Its own `page_rank` compares each vertex with all others, in each iteration, and is not for graphs of this size.

use anyhow::{Result, anyhow};
use petgraph::csr::Csr;
use petgraph::graph::UnGraph;
use petgraph::visit::{Bfs, GraphRef, IntoEdgeReferences, IntoNeighbors, NodeCompactIndexable, Visitable};
use petgraph::{Directed, algo};
use upcall_graph::Graph;

/// Its version, as `Cargo.toml` pins it.
pub const VERSION: &str = "0.8.3";

/// Compressed rows, which cannot change: each edge is there in both directions.
pub type Rows = Csr<(), (), Directed, u32>;

/// What most of its users have: lists of edges, each of which is there once.
pub type Lists = UnGraph<(), (), u32>;

/// Makes compressed rows.
///
/// # Errors
/// It refuses the edges.
pub fn rows(graph: &Graph) -> Result<Rows> {
    let incoming = graph.incoming();
    let mut edges = Vec::with_capacity(graph.edges());
    for vertex in 0..graph.vertices() {
        edges.extend(incoming.of(vertex).map(|edge| (vertex as u32, incoming.neighbours.get(edge) as u32)));
    }
    let mut rows =
        Rows::from_sorted_edges(&edges).map_err(|error| anyhow!("making petgraph's Csr: {error:?}"))?;
    // It has as many as the largest name says.
    for _ in rows.node_count()..graph.vertices() {
        rows.add_node(());
    }
    Ok(rows)
}

/// Makes lists.
#[must_use]
pub fn lists(graph: &Graph) -> Lists {
    let incoming = graph.incoming();
    let mut lists = Lists::with_capacity(graph.vertices(), graph.edges() / 2);
    for _ in 0..graph.vertices() {
        lists.add_node(());
    }
    for vertex in 0..graph.vertices() {
        let from = incoming.of(vertex).map(|edge| incoming.neighbours.get(edge));
        for from in from.take_while(|from| *from <= vertex) {
            lists.add_edge((from as u32).into(), (vertex as u32).into(), ());
        }
    }
    lists
}

/// What both can do.
pub trait Whole: GraphRef + NodeCompactIndexable + IntoNeighbors + IntoEdgeReferences + Visitable {}

impl<G: GraphRef + NodeCompactIndexable + IntoNeighbors + IntoEdgeReferences + Visitable> Whole for G {}

/// Ranks in f32 after so many iterations, as [`plain::pagerank`](super::plain::pagerank) has them.
pub fn pagerank<G: Whole>(graph: G, iterations: u64) -> Vec<f32> {
    const DAMPING: f32 = 0.85;
    let vertices = graph.node_bound();
    let base = (1.0 - DAMPING) / vertices as f32;
    let degrees: Vec<f32> =
        (0..vertices).map(|vertex| graph.neighbors(graph.from_index(vertex)).count() as f32).collect();
    let mut ranks = vec![1.0 / vertices as f32; vertices];
    let mut shares = vec![0.0; vertices];
    for _ in 0..iterations {
        for ((share, rank), degree) in shares.iter_mut().zip(&ranks).zip(&degrees) {
            *share = rank / degree;
        }
        for (vertex, rank) in ranks.iter_mut().enumerate() {
            let neighbours = graph.neighbors(graph.from_index(vertex));
            let sum: f32 = neighbours.map(|from| shares[graph.to_index(from)]).sum();
            *rank = base + DAMPING * sum;
        }
    }
    ranks
}

/// How many components there are: by union and find.
pub fn components<G: Whole>(graph: G) -> usize {
    algo::connected_components(graph)
}

/// How many vertices are reached from one.
pub fn reached<G: Whole>(graph: G, from: usize) -> usize {
    let mut search = Bfs::new(graph, graph.from_index(from));
    let mut reached = 0;
    while search.next(graph).is_some() {
        reached += 1;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::{known::Known, kronecker, plain};
    use super::*;
    use upcall_graph::{Builder, Direction, Duplicates, Format, Loops, Source};

    #[test]
    fn the_version_is_the_pinned_one() {
        let pinned = format!("\npetgraph = {{ version = \"={VERSION}\"");
        assert!(include_str!("../../Cargo.toml").contains(&pinned), "{pinned}");
    }

    #[test]
    fn both_of_its_graphs_come_to_what_ours_comes_to() {
        let folder = tempfile::tempdir().unwrap();
        let list = kronecker::list(folder.path(), 8).unwrap();
        let place = folder.path().join("small.graph");
        Builder::new()
            .source(Source::file(&list).format(Format::of(&list)))
            .loops(Loops::Drop)
            .duplicates(Duplicates::First)
            .direction(Direction::Undirected)
            .build(&place)
            .unwrap();
        let graph = Graph::read(&place).unwrap();
        let known = Known::of(&graph).unwrap();
        let (rows, lists) = (rows(&graph).unwrap(), lists(&graph));
        assert_eq!((rows.edge_count(), 2 * lists.edge_count()), (graph.edges(), graph.edges()));
        for components in [components(&rows), components(&lists)] {
            known.check_components("petgraph", components).unwrap();
        }
        for reached in [reached(&rows, known.hub), reached(&lists, known.hub)] {
            known.check_reached("petgraph", reached).unwrap();
        }
        let plain = plain::pagerank(&graph, 10);
        assert_eq!(pagerank(&rows, 10), plain);
        let near = |(one, other): (&f32, &f32)| (one - other).abs() <= one * 1e-4;
        assert!(plain.iter().zip(&pagerank(&lists, 10)).all(near));
    }
}
