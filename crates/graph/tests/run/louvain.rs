//! Communities: their modularity is what a plain computation makes of them, and nobody gains by leaving.

use crate::model::{Edges, any_edges};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use upcall_graph::programs::{Louvain, louvain};
use upcall_graph::{Builder, ErrorKind, Format, Graph, Source, ValueType, Vertices};

/// As it is defined, from all pairs of vertices with an edge.
fn modularity(edges: &Edges, communities: &[u64], resolution: f64, weigh: impl Fn(f64) -> f64) -> f64 {
    let (mut inside, mut degrees, mut all) = (0.0, BTreeMap::new(), 0.0);
    for ((from, to), weight) in &edges.list {
        let weight = weigh(*weight);
        all += 2.0 * weight;
        inside += if communities[*from] == communities[*to] { 2.0 * weight } else { 0.0 };
        for vertex in [from, to] {
            *degrees.entry(communities[*vertex]).or_insert(0.0) += weight;
        }
    }
    let chance: f64 = degrees.values().map(|degree| (degree / all).powi(2)).sum();
    if all == 0.0 { 0.0 } else { inside / all - resolution * chance }
}

fn alone(vertices: usize) -> Vec<u64> {
    (0..vertices as u64).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn modularity_is_that_of_a_plain_computation(edges in any_edges(), wide: bool, resolution in 0.2f64..3.0) {
        let (_folder, graph) = edges.graph(wide);
        for settings in [Louvain::default(), Louvain { resolution, tolerance: 0.0, rounds: 2 }] {
            for weighted in [false, true] {
                let weigh = |weight: f64| if weighted { weight } else { 1.0 };
                let plain = |communities: &[u64]| modularity(&edges, communities, settings.resolution, weigh);
                let found = match weighted {
                    true => louvain::<f64>(&graph, settings, None).unwrap(),
                    false => louvain::<()>(&graph, settings, None).unwrap(),
                };
                prop_assert!((found.modularity - plain(&found.of)).abs() < 1e-9);
                let mut before = plain(&alone(edges.vertices));
                prop_assert!(found.modularity >= before - 1e-9);
                for level in &found.levels {
                    let communities = level.of();
                    let count = communities.iter().collect::<BTreeSet<_>>().len();
                    prop_assert_eq!(level.communities, count);
                    prop_assert!((level.modularity - plain(&communities)).abs() < 1e-9);
                    prop_assert!(level.modularity >= before - 1e-9);
                    before = level.modularity;
                }
                let last = found.levels.last().map_or(alone(edges.vertices), |level| level.of());
                prop_assert_eq!(last, found.of.clone());
                for (vertex, least) in found.of.iter().enumerate() {
                    prop_assert!(*least <= vertex as u64 && found.of[*least as usize] == *least);
                }
            }
        }
    }
}

/// A ring of cliques of five, tied by single edges: the cliques are what everybody finds (Fortunato, Barthélemy 2007).
#[test]
fn cliques_are_communities() {
    let mut list = BTreeMap::new();
    for clique in 0..8 {
        let first = clique * 5;
        for one in first..first + 5 {
            list.extend((one + 1..first + 5).map(|other| ((one, other), 1.0)));
        }
        let next = (first + 5) % 40;
        list.insert((first.min(next), first.max(next)), 1.0);
    }
    for directed in [false, true] {
        let edges = Edges { vertices: 40, directed, list: list.clone() };
        let (_folder, graph) = edges.graph(false);
        let found = louvain::<()>(&graph, Louvain::default(), None).unwrap();
        assert_eq!(found.of, (0..40).map(|vertex| vertex / 5 * 5).collect::<Vec<u64>>());
    }
}

fn of(lines: &str, values: Option<ValueType>) -> (tempfile::TempDir, Graph) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.graph");
    let source = Source::reader("edges", lines.as_bytes().to_vec().leak() as &[u8], Format::Text);
    Builder::new().source(source).vertices(Vertices::Keep).values(values).build(&path).unwrap();
    // SAFETY: nobody else knows the file.
    let graph = unsafe { Graph::map(path) }.unwrap();
    (folder, graph)
}

#[test]
fn graphs_without_edges_or_weight_have_no_communities() {
    for lines in ["", "0 1 0\n1 2 0\n"] {
        let (_folder, graph) = of(lines, Some(ValueType::U32));
        let found = louvain::<u32>(&graph, Louvain::default(), None).unwrap();
        assert_eq!((&found.of, found.modularity), (&alone(graph.vertices()), 0.0));
        assert!(found.levels.is_empty());
    }
}

#[test]
fn what_it_cannot_do_is_told() {
    let told = |lines: &str, settings: Louvain| {
        let (_folder, graph) = of(lines, Some(ValueType::F32));
        louvain::<f32>(&graph, settings, None).unwrap_err()
    };
    let error = told("0 1 2\n1 2 -1\n", Louvain::default());
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert_eq!(
        error.to_string(),
        "find communities: the edge from vertex 1 to 2 weighs -1, and 0 is the least"
    );
    assert!(told("0 1 inf\n", Louvain::default()).to_string().contains("weighs inf"));
    let error = told("0 1 2\n", Louvain { resolution: f64::NAN, ..Louvain::default() });
    assert_eq!(error.to_string(), "find communities: the resolution is NaN, and 0 is the least");

    let (_folder, graph) = of("0 1 2\n", Some(ValueType::F32));
    let error = louvain::<f64>(&graph, Louvain::default(), None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error.to_string().contains("it needs edges with values of f64, and the graph's have values of f32")
    );
    let stop = AtomicBool::new(true);
    let error = louvain::<()>(&graph, Louvain::default(), Some(&stop)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}
