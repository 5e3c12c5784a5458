//! Programs come to the same bits over a graph whose neighbours are compressed, of which a worker takes several chunks.

use crate::guest_edges::{Talks, Tells};
use crate::guests::loaded;
use crate::model::Edges;
use graph_programs as guest;
use std::collections::BTreeMap;
use std::fmt::Debug;
use upcall_graph::programs::{
    Als, Breadth, Components, Cores, Factorisation, Labels, Louvain, PageRank, ShortestPaths, Walks,
    clustering, louvain, strong_components, walks, weak_components,
};
use upcall_graph::{Graph, Options, Program, run};
use upcall_handler::Failure;
use upcall_handler::vertex::{Program as GuestProgram, Vertex};

/// Vertices with edges at random, a few hubs, and blocks without any edges: more than threads take at once.
fn large(directed: bool) -> Edges {
    const VERTICES: u64 = 9000;
    let mut random = 1u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((random >> 33) % below) as usize
    };
    let mut list = BTreeMap::new();
    while list.len() < 100_000 {
        let from = if next(8) == 0 { next(3) } else { next(VERTICES - 3000) };
        let to = if next(8) == 0 { 5000 + next(2) } else { next(VERTICES - 3000) };
        if directed || from < to {
            list.insert((from, to), 1.0 + next(50) as f64);
        }
    }
    Edges { vertices: VERTICES as usize, directed, list }
}

/// A graph, and the same compressed.
fn both(edges: &Edges, each: impl Fn([&Graph; 2])) {
    let files = [false, true].map(|compress| edges.stored(false, compress));
    // SAFETY: nobody else knows the files.
    let [plain, compressed] = files.each_ref().map(|(_, path)| unsafe { Graph::map(path) }.unwrap());
    assert!(compressed.is_compressed() && !plain.is_compressed());
    compressed.check().unwrap();
    each([&plain, &compressed]);
}

fn options<'a>(threads: usize, iterations: u64, gauss_seidel: bool) -> Options<'a> {
    Options { threads, iterations, gauss_seidel: gauss_seidel.then_some(1024), ..Options::default() }
}

fn same<P: Program + Clone>(graphs: [&Graph; 2], program: P, gauss_seidel: bool)
where
    P::Own: PartialEq + Debug,
    P::Shown: Debug,
{
    let [wanted, found] = graphs.map(|graph| {
        let one = run(graph, program.clone(), options(1, 5, gauss_seidel)).unwrap();
        let three = run(graph, program.clone(), options(3, 5, gauss_seidel)).unwrap();
        assert_eq!((&one.own, &one.shown, &one.edges), (&three.own, &three.shown, &three.edges));
        one
    });
    assert!(wanted.own == found.own && wanted.shown == found.shown, "{}", P::NAME);
    assert_eq!((wanted.iterations, wanted.edges), (found.iterations, found.edges), "{}", P::NAME);
}

#[test]
fn programs_in_rust_do() {
    for directed in [true, false] {
        both(&large(directed), |graphs| {
            same(graphs, PageRank::<f64>::default(), false);
            same(graphs, PageRank::<f32>::default(), true);
            same(graphs, Components, false);
            same(graphs, Labels, false);
            same(graphs, Cores, true);
            same(graphs, Breadth { from: 7 }, false);
            same(graphs, ShortestPaths::<f64>::new(0, graphs[0].vertices()), false);
            same(graphs, ShortestPaths::<f64>::new(0, graphs[0].vertices()), true);
        });
    }
}

/// What is read into memory is not asked for ahead, nor lent.
#[test]
fn programs_over_a_copy_in_memory_do() {
    let edges = large(true);
    let [(_plain, plain), (_compressed, compressed)] =
        [false, true].map(|compress| edges.stored(false, compress));
    let [plain, compressed] = [plain, compressed].map(|path| Graph::read(path).unwrap());
    same([&plain, &compressed], PageRank::<f64>::default(), false);
    guests([&plain, &compressed], guest::Components, false);
}

#[test]
fn what_is_no_vertex_program_does() {
    for directed in [true, false] {
        both(&large(directed), |[plain, compressed]| {
            let weak = |graph| weak_components(graph, 3, None).unwrap();
            assert_eq!(weak(plain), weak(compressed));
            let strong = |graph| strong_components(graph, None).unwrap();
            assert_eq!(strong(plain), strong(compressed));
            let triangles = |graph| clustering(graph, 3, None).unwrap();
            assert_eq!(triangles(plain), triangles(compressed));
            let communities = |graph| louvain::<f64>(graph, Louvain::default(), None).unwrap().of;
            assert_eq!(communities(plain), communities(compressed));
            let asked = Walks { from: vec![3, 5000], walks: 100, length: 20, seed: 4 };
            let visits = |graph| walks(graph, &asked, 3, None).unwrap();
            assert_eq!(visits(plain), visits(compressed));
            assert_eq!(plain.summary(), compressed.summary());
            let list = |graph: &Graph| {
                let mut list = Vec::new();
                graph.export(&"text".parse().unwrap(), &mut list).unwrap();
                list
            };
            assert!(list(plain) == list(compressed));
        });
    }
}

#[test]
fn matrices_are_the_same_product() {
    let mut edges = large(true);
    edges.list = edges.list.into_iter().filter(|((from, to), _)| from % 2 == 0 && to % 2 == 1).collect();
    both(&edges, |[plain, compressed]| {
        let product = |graph| {
            let als = Als::<f32, f64, 4>::new(Factorisation::of(graph).unwrap()).unwrap();
            run(graph, als, options(2, 4, false)).unwrap().shown
        };
        assert!(product(plain) == product(compressed));
    });
}

/// Adds up the values of its edges, with the numbers of the vertices at their other ends.
#[derive(Clone, Copy)]
struct Looks;

impl GuestProgram for Looks {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;

    const OUTGOING: bool = true;

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let mut own = vertex.own();
        for side in [vertex.incoming(), vertex.outgoing()] {
            for index in 0..side.len() {
                own = own * 0.5 + side.value(index) * side.id(index) as f64;
            }
        }
        vertex.keep(own);
        Ok(())
    }
}

fn guests<P: GuestProgram + Clone + Send + Sync>(graphs: [&Graph; 2], program: P, gauss_seidel: bool) {
    let guest = loaded(move || program.clone()).unwrap();
    let [wanted, found] = graphs.map(|graph| {
        let [one, three] = [1, 3].map(|threads| guest.run(graph, options(threads, 5, gauss_seidel)).unwrap());
        assert!(one == three);
        one
    });
    assert!(wanted == found);
}

#[test]
fn programs_that_are_called_with_frames_do() {
    for directed in [true, false] {
        both(&large(directed), |graphs| {
            let ranks = guest::PageRank { damping: 0.85, tolerance: -1.0 };
            guests(graphs, ranks, false);
            guests(graphs, guest::PageRankGather(ranks), true);
            guests(graphs, guest::PageRankEdges(ranks), false);
            guests(graphs, guest::Components, false);
            guests(graphs, guest::Labels::default(), false);
            guests(graphs, guest::ShortestPaths::default(), false);
            guests(graphs, Talks, false);
            guests(graphs, Tells, false);
            guests(graphs, Looks, false);
        });
    }
}

#[test]
fn an_interval_that_is_dumped_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    both(&large(true), |graphs| {
        let ranks = guest::PageRank { damping: 0.85, tolerance: -1.0 };
        let guest = loaded(move || guest::PageRankEdges(ranks)).unwrap();
        let [wanted, found] = graphs.map(|graph| {
            let file = folder.path().join("interval.json");
            let dump = upcall_graph::Dump { interval: 4, iteration: 2, file: file.clone() };
            guest.run(graph, Options { dump: Some(dump), ..options(1, 4, false) }).unwrap();
            std::fs::read_to_string(file).unwrap()
        });
        assert!(wanted == found && wanted.contains("\"outgoing\""));
    });
}
