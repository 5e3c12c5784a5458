//! Every program equals a plain algorithm, and on any number of threads itself, to the bit.

use crate::model::{Edges, any_edges};
use crate::ways::way;
use proptest::prelude::*;
use upcall_graph::programs::{
    Breadth, Components, Cores, Labels, PageRank, ShortestPaths, UNREACHED, clustering, strong_components,
    weak_components,
};
use upcall_graph::{Graph, Options, Outcome, Program, run};

/// What a program comes to on one thread, and on several the same.
pub fn on_threads<P: Program + Clone>(graph: &Graph, program: P, iterations: u64) -> Outcome<P>
where
    P::Own: PartialEq + std::fmt::Debug,
    P::Shown: std::fmt::Debug,
{
    let on = |options| run(graph, program.clone(), Options { iterations, ..options }).unwrap();
    let (one, some) = (on(Options { threads: 1, ..Options::default() }), on(way(graph.edges())));
    assert_eq!((&one.own, &one.shown, one.iterations), (&some.own, &some.shown, some.iterations));
    one
}

fn same(found: &[f64], wanted: &[f64]) -> Result<(), TestCaseError> {
    for (found, wanted) in found.iter().zip(wanted) {
        prop_assert!((found - wanted).abs() <= 1e-12 * wanted, "{} instead of {}", found, wanted);
    }
    Ok(())
}

/// Of a directed graph without edges in both directions, which counts neighbours once.
fn simple(mut edges: Edges) -> Edges {
    let twice: Vec<_> = edges
        .list
        .keys()
        .filter(|(from, to)| from < to && edges.list.contains_key(&(*to, *from)))
        .copied()
        .collect();
    edges.list.retain(|edge, _| !twice.contains(edge));
    edges
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ranks_are_those_of_power_iteration(edges in any_edges(), wide: bool, iterations in 0u64..12) {
        let (_folder, graph) = edges.graph(wide);
        let mut program = PageRank::<f64>::default();
        program.tolerance = -1.0;
        let found = on_threads(&graph, program, iterations);
        prop_assert_eq!(found.iterations, iterations);
        let everywhere: Vec<usize> = (0..edges.vertices).collect();
        same(&found.own, &edges.ranks(0.85, &everywhere, iterations))?;
        let to = vec![edges.vertices / 2, edges.vertices - 1];
        let mut program = PageRank::<f64>::personal(to.iter().rev().chain(&to).copied().collect());
        program.tolerance = -1.0;
        let to = if to[0] == to[1] { &to[..1] } else { &to };
        same(&on_threads(&graph, program, iterations).own, &edges.ranks(0.85, to, iterations))?;
    }

    #[test]
    fn ranks_converge_and_add_up_to_1(edges in any_edges()) {
        let (_folder, graph) = edges.graph(false);
        let found = on_threads(&graph, PageRank::<f64>::default(), u64::MAX);
        prop_assert!((found.own.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let narrow = on_threads(&graph, PageRank::<f32>::default(), 200);
        for (one, other) in found.own.iter().zip(&narrow.own) {
            prop_assert!((one - f64::from(*other)).abs() < 1e-5);
        }
    }

    #[test]
    fn components_are_those_that_a_walk_finds(edges in any_edges(), wide: bool) {
        let (_folder, graph) = edges.graph(wide);
        prop_assert_eq!(on_threads(&graph, Components, u64::MAX).shown, edges.components());
        for threads in [1, 3] {
            prop_assert_eq!(weak_components(&graph, threads, None).unwrap(), edges.components());
        }
    }

    #[test]
    fn breadth_first_search_counts_edges(edges in any_edges(), wide: bool, from: prop::sample::Index) {
        let from = from.index(edges.vertices);
        let (_folder, graph) = edges.graph(wide);
        let found = on_threads(&graph, Breadth { from }, u64::MAX).shown;
        let found: Vec<f64> =
            found.iter().map(|far| if *far == UNREACHED { f64::INFINITY } else { f64::from(*far) }).collect();
        prop_assert_eq!(found, edges.distances(from, |_| 1.0));
    }

    #[test]
    fn paths_are_the_shortest(edges in any_edges(), wide: bool, from: prop::sample::Index) {
        let from = from.index(edges.vertices);
        let (_folder, graph) = edges.graph(wide);
        let weighted = on_threads(&graph, ShortestPaths::<f64>::new(from, edges.vertices), u64::MAX);
        prop_assert!(!weighted.program.has_negative_cycle);
        prop_assert_eq!(weighted.shown, edges.distances(from, |weight| weight));
        let plain = on_threads(&graph, ShortestPaths::<()>::new(from, edges.vertices), u64::MAX);
        prop_assert_eq!(plain.shown, edges.distances(from, |_| 1.0));
    }

    #[test]
    fn labels_are_those_of_most_neighbours(edges in any_edges(), wide: bool, iterations in 0u64..6) {
        let (_folder, graph) = edges.graph(wide);
        prop_assert_eq!(on_threads(&graph, Labels, iterations).shown, edges.labels(iterations));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn coefficients_count_edges_among_neighbours(edges in any_edges(), wide: bool) {
        let (_folder, graph) = edges.graph(wide);
        let found = clustering(&graph, 1, None).unwrap();
        prop_assert_eq!(&found, &clustering(&graph, 3, None).unwrap());
        let (coefficients, triangles) = edges.clustering();
        prop_assert_eq!(found.triangles, triangles);
        prop_assert_eq!(found.coefficients, coefficients);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn strong_components_reach_each_other(edges in any_edges(), wide: bool) {
        let (_folder, graph) = edges.graph(wide);
        let found = strong_components(&graph, None).unwrap();
        let from = |vertex: usize| edges.distances(vertex, |_| 1.0);
        let some: Vec<usize> = (0..edges.vertices).step_by(edges.vertices.div_ceil(20)).collect();
        let reach: Vec<Vec<f64>> = some.iter().map(|vertex| from(*vertex)).collect();
        for (at, one) in some.iter().enumerate() {
            for (other_at, other) in some.iter().enumerate() {
                let both = reach[at][*other].is_finite() && reach[other_at][*one].is_finite();
                prop_assert_eq!(found[*one] == found[*other], both);
            }
            prop_assert!(found[*one] <= *one as u64 && found[found[*one] as usize] == found[*one]);
        }
    }
}

proptest! {
    // The plain algorithm takes long.
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn cores_are_what_is_left_when_others_are_taken_away(edges in any_edges(), wide: bool) {
        let edges = simple(edges);
        let (_folder, graph) = edges.graph(wide);
        prop_assert_eq!(on_threads(&graph, Cores, u64::MAX).shown, edges.cores());
    }
}

#[test]
fn a_cycle_of_negative_length_is_told() {
    let list = [((0, 1), 1.0), ((1, 2), -3.0), ((2, 1), 2.0), ((2, 3), 1.0)].into();
    let edges = Edges { vertices: 5, directed: true, list };
    let (_folder, graph) = edges.graph(false);
    let found = run(&graph, ShortestPaths::<f64>::new(0, 5), Options::default()).unwrap();
    assert!(found.program.has_negative_cycle);
    // From where it cannot be reached, distances are the shortest.
    let found = run(&graph, ShortestPaths::<f64>::new(3, 5), Options::default()).unwrap();
    assert!(!found.program.has_negative_cycle && found.shown[3] == 0.0 && found.shown[4] == f64::INFINITY);
}

#[test]
fn the_report_counts_what_was_updated() {
    // A path of 2,000 vertices: breadth-first search updates one, and then at most two, per iteration.
    let list = (0..1999).map(|at| ((at, at + 1), 1.0)).collect();
    let edges = Edges { vertices: 2000, directed: true, list };
    let (_folder, graph) = edges.graph(false);
    let mut said = Vec::new();
    let mut report = |done: &upcall_graph::Iteration| said.push((done.number, done.updated, done.scheduled));
    let options = Options { report: Some(&mut report), ..Options::default() };
    let found = run(&graph, Breadth { from: 0 }, options).unwrap();
    assert_eq!((found.iterations, found.shown[1999]), (2000, 1999));
    assert_eq!(said[0], (0, 1, 1));
    assert_eq!(said[1999], (1999, 1, 0));
    assert!(said.iter().all(|(_, updated, _)| *updated == 1));
}
