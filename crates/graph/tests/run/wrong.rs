//! What goes wrong is told: by whom, where, and what to do.

use crate::model::Edges;
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_graph::programs::{Breadth, PageRank, ShortestPaths};
use upcall_graph::{ErrorKind, Graph, Head, Id, Iteration, Options, Program, Start, Vertex, columns, run};
use upcall_soa::file::save;

fn square() -> Edges {
    let list = [((0, 1), 1.0), ((1, 2), 1.0), ((2, 3), 1.0), ((3, 0), 1.0)].into();
    Edges { vertices: 4, directed: true, list }
}

#[test]
fn edges_without_the_values_that_a_program_needs() {
    let (_folder, graph) = square().graph(false);
    let error = run(&graph, ShortestPaths::<f32>::new(0, 4), Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let wanted = "run the program: it needs edges with values of f32, and the graph's have values of f64: make it again with these";
    assert_eq!(error.to_string(), wanted);
}

/// Two vertices with an edge each, of which one leads to `to`.
fn damaged(to: u32, offsets: &[u64]) -> (tempfile::TempDir, Result<Graph, upcall_graph::Error>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.graph");
    save(&path, 4, |file| {
        file.column(columns::HEAD, &[Head { vertices: 2, edges: 2, directed: 1, version: 1 }])?;
        file.column(columns::IN_OFFSETS, offsets)?;
        file.column(columns::IN_NEIGHBOURS, &[1, to])?;
        file.column(columns::OUT_DEGREES, &[1u32, 1])
    })
    .unwrap();
    let graph = Graph::read(path);
    (folder, graph)
}

#[test]
fn edges_that_lead_nowhere() {
    let (_folder, graph) = damaged(1, &[0, 1, 2]);
    let mut program = PageRank::<f64>::default();
    program.tolerance = -1.0;
    let iterations = Options { iterations: 3, ..Options::default() };
    assert_eq!(run(&graph.unwrap(), program, iterations).unwrap().iterations, 3);
    for (to, offsets) in [(2, [0, 1, 2]), (u32::MAX, [0, 1, 2]), (1, [0, u64::MAX, 2])] {
        let (_folder, graph) = damaged(to, &offsets);
        let error = run(&graph.unwrap(), PageRank::<f64>::default(), Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Format, "{to} {offsets:?}");
        let wanted = "run the program: the edges of vertices 0 to 1 lead to none, or are not in order: the graph's file is damaged, \
                      `upcall graph check` says where";
        assert_eq!(error.to_string(), wanted);
    }
    let (_folder, graph) = damaged(1, &[0, 1, 3]);
    let error = graph.unwrap_err().to_string();
    assert!(error.ends_with("its edges begin and end at Some((0, 3)) instead of 0 and 2"), "{error}");
}

#[test]
fn outgoing_edges_that_the_file_does_not_have() {
    let (_folder, graph) = damaged(1, &[0, 1, 2]);
    let error = run(&graph.unwrap(), Breadth { from: 0 }, Options::default()).unwrap_err();
    let wanted = "run the program: it needs outgoing edges, which the graph's file was made without: make it again with them";
    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Usage, wanted));
}

#[derive(Debug)]
struct Panics;

impl Program for Panics {
    type Own = u8;
    type Shown = u8;
    type Edge = ();
    type Scratch = ();

    const NAME: &'static str = "panics";

    fn start(&self, _: &mut Start<'_>) -> (u8, u8) {
        (0, 0)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        assert!(vertex.id() < 3, "vertex {} is one too many", vertex.id());
    }
}

#[test]
fn an_update_that_panics_is_an_error() {
    let (_folder, graph) = square().graph(true);
    let error = run(&graph, Panics, Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Program);
    assert_eq!(error.to_string(), "run the program: it panicked: vertex 3 is one too many");
}

#[test]
fn somebody_who_stops_it_is_heard() {
    let (_folder, graph) = square().graph(false);
    let stop = AtomicBool::new(false);
    let mut report = |done: &Iteration| stop.store(done.number == 6, Ordering::Relaxed);
    let mut program = PageRank::<f64>::default();
    program.tolerance = -1.0;
    let options = Options { stop: Some(&stop), report: Some(&mut report), ..Options::default() };
    assert_eq!(run(&graph, program, options).unwrap_err().kind(), ErrorKind::Interrupted);
}

#[test]
fn a_graph_without_vertices_is_run() {
    let edges = Edges { vertices: 0, directed: true, list: [].into() };
    let (_folder, graph) = edges.graph(false);
    let found =
        run(&graph, PageRank::<f64>::default(), Options { iterations: 2, ..Options::default() }).unwrap();
    assert!(found.own.is_empty());
}

#[test]
fn a_run_over_no_vertices_that_is_stopped_is_heard() {
    let edges = Edges { vertices: 0, directed: true, list: [].into() };
    let (_folder, graph) = edges.graph(false);
    let stop = AtomicBool::new(false);
    let mut report = |done: &Iteration| stop.store(done.number == 6, Ordering::Relaxed);
    let mut program = PageRank::<f64>::default();
    program.tolerance = -1.0;
    let options =
        Options { stop: Some(&stop), report: Some(&mut report), iterations: 1_000, ..Options::default() };
    assert_eq!(run(&graph, program, options).unwrap_err().kind(), ErrorKind::Interrupted);
}

#[test]
fn values_in_a_file_are_those_in_memory_and_a_folder_that_is_missing_is_named() {
    let (_folder, graph) = square().graph(false);
    let kept = tempfile::tempdir().unwrap();
    let folder = Some(kept.path());
    let in_memory = run(&graph, PageRank::<f64>::default(), Options::default()).unwrap();
    let in_file = run(&graph, PageRank::<f64>::default(), Options { folder, ..Options::default() }).unwrap();
    assert_eq!((in_file.own, in_file.shown), (in_memory.own, in_memory.shown));
    assert_eq!(std::fs::read_dir(kept.path()).unwrap().count(), 0);
    let folder = kept.path().join("none");
    let options = Options { folder: Some(&folder), ..Options::default() };
    let error = run(&graph, PageRank::<f64>::default(), options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    let said = format!("keep the run's values in {}: ", folder.display());
    assert!(error.to_string().starts_with(&said), "{error}");
}

/// What is read ahead is looked at before it is known to be in order.
#[test]
fn chunks_in_any_order_are_an_error_of_a_mapped_graph_too() {
    const CHUNK: usize = 1 << 16;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.graph");
    let (vertices, edges) = (20 * CHUNK, 100u64);
    let offset = |vertex| if vertex == vertices || (vertex / CHUNK) % 2 == 1 { edges } else { 0 };
    let offsets: Vec<u64> = (0..=vertices).map(offset).collect();
    save(&path, 4, |file| {
        file.column(columns::HEAD, &[Head { vertices: vertices as u64, edges, directed: 1, version: 1 }])?;
        file.column(columns::IN_OFFSETS, &offsets)?;
        file.column(columns::IN_NEIGHBOURS, &vec![1u32; 100])?;
        file.column(columns::OUT_DEGREES, &vec![1u32; vertices])
    })
    .unwrap();
    for _ in 0..20 {
        // SAFETY: nobody writes the file.
        let graph = unsafe { Graph::map(&path) }.unwrap();
        let error = run(&graph, PageRank::<f64>::default(), Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Format, "{error}");
    }
}
