//! Gauss-Seidel's way: vertices see what those of earlier intervals show in the same iteration.

use crate::model::{Edges, any_edges};
use crate::ways::way;
use graph_programs as guest;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use upcall_graph::programs::{Breadth, Components, Cores, PageRank, ShortestPaths};
use upcall_graph::{Checkpoint, ErrorKind, Graph, Guest, GuestOutcome, Options, Outcome, Program, run};
use upcall_handler::vertices;
use upcall_host::in_process::{InProcess, module};

/// Vertices of an interval: one block, the least that there is.
const INTERVAL: usize = 1024;

fn options<'a>(threads: usize, iterations: u64) -> Options<'a> {
    in_intervals(Options { threads, ..Options::default() }, iterations)
}

fn in_intervals(options: Options<'_>, iterations: u64) -> Options<'_> {
    Options { iterations, gauss_seidel: Some(INTERVAL), ..options }
}

/// What a program comes to on one thread, and on several the same.
fn on_threads<P: Program + Clone>(graph: &Graph, program: P, iterations: u64) -> Outcome<P>
where
    P::Own: PartialEq + std::fmt::Debug,
    P::Shown: std::fmt::Debug,
{
    let on = |options| run(graph, program.clone(), options).unwrap();
    let (one, some) = (on(options(1, iterations)), on(in_intervals(way(graph.edges()), iterations)));
    assert_eq!((&one.own, &one.shown, one.iterations), (&some.own, &some.shown, some.iterations));
    one
}

fn in_guest<P>(graph: &Graph, program: P, iterations: u64) -> GuestOutcome
where
    P: upcall_handler::vertex::Program + Clone + Send + Sync + 'static,
{
    let module = module(move || vertices(program.clone()));
    let guest = Guest::of(Arc::new(InProcess), module, "tried".into(), "tried".into(), Vec::new()).unwrap();
    let one = guest.run(graph, options(1, iterations)).unwrap();
    assert_eq!(one, guest.run(graph, in_intervals(way(graph.edges()), iterations)).unwrap());
    one
}

/// Ranks by a plain loop over intervals.
fn ranks(edges: &Edges, iterations: u64) -> Vec<f64> {
    let (vertices, all) = (edges.vertices, edges.all());
    let mut degrees = vec![0.0; vertices];
    all.iter().for_each(|(from, ..)| degrees[*from] += 1.0);
    let mut ranks = vec![1.0 / vertices as f64; vertices];
    for _ in 0..iterations {
        let lost: f64 =
            (0..vertices).filter(|vertex| degrees[*vertex] == 0.0).map(|vertex| ranks[vertex]).sum();
        for first in (0..vertices).step_by(INTERVAL) {
            let interval = first..vertices.min(first + INTERVAL);
            let mut sums = vec![0.0; interval.len()];
            for (from, to, _) in all.iter().filter(|(_, to, _)| interval.contains(to)) {
                sums[to - first] += ranks[*from] / degrees[*from];
            }
            for (vertex, sum) in interval.zip(sums) {
                ranks[vertex] = (0.15 + 0.85 * lost) / vertices as f64 + 0.85 * sum;
            }
        }
    }
    ranks
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn ranks_are_those_of_a_plain_loop_over_intervals(edges in any_edges(), wide: bool, iterations in 0u64..9) {
        let (_folder, graph) = edges.graph(wide);
        let mut program = PageRank::<f64>::default();
        program.tolerance = -1.0;
        let found = on_threads(&graph, program, iterations);
        for (found, wanted) in found.own.iter().zip(&ranks(&edges, iterations)) {
            prop_assert!((found - wanted).abs() <= 1e-12 * wanted, "{} instead of {}", found, wanted);
        }
        if !wide {
            let program = guest::PageRank { damping: 0.85, tolerance: -1.0 };
            let bits = |of: &[f64]| of.iter().map(|rank| rank.to_bits()).collect::<Vec<_>>();
            for own in [in_guest(&graph, program, iterations).own, in_guest(&graph, guest::PageRankGather(program), iterations).own] {
                prop_assert_eq!(bits(own.slice().unwrap()), bits(&found.own));
            }
        }
    }

    #[test]
    fn what_has_one_result_comes_to_it(edges in any_edges()) {
        let (_folder, graph) = edges.graph(false);
        let jacobi = || Options::default();
        let wanted = run(&graph, Components, jacobi()).unwrap();
        let found = on_threads(&graph, Components, u64::MAX);
        prop_assert_eq!(&found.shown, &wanted.shown);
        prop_assert!(found.iterations <= wanted.iterations);
        let shown = in_guest(&graph, guest::Components, u64::MAX).shown;
        let shown = shown.slice::<u32>().unwrap();
        prop_assert!(shown.iter().zip(found.shown.iter()).all(|(one, other)| u64::from(*one) == *other));

        let paths = || ShortestPaths::<f64>::new(0, edges.vertices);
        let wanted = run(&graph, paths(), jacobi()).unwrap();
        prop_assert_eq!(&on_threads(&graph, paths(), u64::MAX).shown, &wanted.shown);
        prop_assert_eq!(&on_threads(&graph, Cores, u64::MAX).shown, &run(&graph, Cores, jacobi()).unwrap().shown);
    }
}

/// A way through all vertices of so many blocks, from each one's first vertex to the next one's.
fn between_blocks(blocks: usize) -> Edges {
    let list = (1..blocks).map(|block| (((block - 1) * INTERVAL, block * INTERVAL), 1.0));
    Edges { vertices: blocks * INTERVAL, directed: true, list: list.collect() }
}

#[test]
fn a_way_that_leads_through_all_intervals_is_gone_in_one_iteration() {
    let (_folder, graph) = between_blocks(20).graph(false);
    let paths = || ShortestPaths::<f64>::new(0, graph.vertices());
    let (jacobi, gauss_seidel) =
        (run(&graph, paths(), Options::default()).unwrap(), on_threads(&graph, paths(), u64::MAX));
    assert_eq!(gauss_seidel.shown[19 * INTERVAL], 19.0);
    assert_eq!(gauss_seidel.shown, jacobi.shown);
    assert_eq!((jacobi.iterations, gauss_seidel.iterations), (20, 1));
}

#[test]
fn one_interval_of_all_vertices_is_jacobis_way() {
    let (_folder, graph) = between_blocks(3).graph(false);
    let options = || Options { gauss_seidel: Some(usize::MAX), ..Options::default() };
    let found = run(&graph, PageRank::<f64>::default(), options()).unwrap();
    let wanted = run(&graph, PageRank::<f64>::default(), Options::default()).unwrap();
    assert_eq!((found.own, found.iterations), (wanted.own, wanted.iterations));
}

#[test]
fn what_counts_iterations_is_refused() {
    let (_folder, graph) = between_blocks(2).graph(false);
    let refused = run(&graph, Breadth { from: 0 }, options(1, 9)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
    assert!(refused.to_string().contains("run program breadth-first: vertices have to see"), "{refused}");
}

#[test]
fn a_run_of_one_kind_does_not_go_on_as_one_of_the_other() {
    let (folder, graph) = between_blocks(4).graph(false);
    let file = folder.path().join("run.kept");
    let checkpoint = Some(Checkpoint { file: &file, every: Duration::ZERO, stays: true });
    let mut program = PageRank::<f64>::default();
    program.tolerance = -1.0;
    // The last iteration is not kept.
    let kept = Options { checkpoint, ..options(1, 3) };
    run(&graph, program.clone(), kept).unwrap();
    assert!(file.exists());
    let jacobi = Options { checkpoint, iterations: 5, ..Options::default() };
    let refused = run(&graph, program.clone(), jacobi).unwrap_err().to_string();
    assert!(refused.contains("it has `Gauss-Seidel, 4 intervals`"), "{refused}");
    let found = run(&graph, program.clone(), Options { checkpoint, ..options(1, 5) }).unwrap();
    assert_eq!(found.own, on_threads(&graph, program, 5).own);
}
