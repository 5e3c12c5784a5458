//! Values of edges that programs set: whoever is at the other end sees them in the next iteration.

use crate::model::{Edges, any_edges};
use crate::ways::way;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use upcall_graph::{
    Builder, Checkpoint, Direction, Duplicates, ErrorKind, Format, Graph, Head, Id, Loops, Options, Outcome,
    Program, Source, Start, ValueType, Vertex, Vertices, columns, run,
};
use upcall_soa::file::save;

/// Hears what its edges say, and says something else to some of its neighbours.
#[derive(Clone, Debug)]
pub struct Talks;

/// What a vertex says to its neighbour of this index; nothing to some.
pub fn says(from: usize, index: usize, heard: f64, iteration: u64) -> Option<f64> {
    let silent = (from + index + iteration as usize).is_multiple_of(3);
    (!silent).then(|| (heard * 0.5 + from as f64 + index as f64 * 100.0) % 1000.0)
}

impl Program for Talks {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;
    type Scratch = ();

    const NAME: &'static str = "talks";
    const WRITES: bool = true;

    fn start(&self, _: &mut Start<'_>) -> (f64, u32) {
        (0.0, 0)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        *vertex.own = vertex.incoming().fold(*vertex.own, |all, _, heard| (all * 0.25 + heard) % 1000.0);
        let (outgoing, iteration) = (vertex.outgoing(), vertex.context().iteration);
        assert_eq!(outgoing.len(), vertex.out_degree() as usize);
        for index in 0..outgoing.len() {
            // What it said last.
            *vertex.own += outgoing.value(index) * 0.125;
            if let Some(value) = says(vertex.id(), index, *vertex.own, iteration) {
                vertex.set_value(index, value);
            }
        }
    }
}

/// The same by a plain loop: what vertices keep, and the values of edges by destination and source.
fn talked(edges: &Edges, iterations: u64) -> (Vec<f64>, Vec<f64>) {
    let mut values: BTreeMap<(usize, usize), f64> =
        edges.all().into_iter().map(|(from, to, value)| ((to, from), value)).collect();
    let mut outgoing = vec![Vec::new(); edges.vertices];
    values.keys().for_each(|(to, from)| outgoing[*from].push(*to));
    outgoing.iter_mut().for_each(|all| all.sort_unstable());
    let mut own = vec![0.0; edges.vertices];
    for iteration in 0..iterations {
        let before = values.clone();
        for (vertex, own) in own.iter_mut().enumerate() {
            for (_, heard) in before.range((vertex, 0)..(vertex + 1, 0)) {
                *own = (*own * 0.25 + heard) % 1000.0;
            }
            for (index, to) in outgoing[vertex].iter().enumerate() {
                *own += before[&(*to, vertex)] * 0.125;
                if let Some(value) = says(vertex, index, *own, iteration) {
                    values.insert((*to, vertex), value);
                }
            }
        }
    }
    (own, values.into_values().collect())
}

/// Every way of running it, to the same bits.
fn ways<P: Program<Own = f64, Edge = f64> + Clone>(graph: &Graph, program: P, iterations: u64) -> Outcome<P> {
    let folder = tempfile::tempdir().unwrap();
    let one = Options { threads: 1, iterations, ..Options::default() };
    let one = run(graph, program.clone(), one).unwrap();
    let other = || Options { iterations, ..way(graph.edges()) };
    for other in [other(), Options { folder: Some(folder.path()), ..other() }] {
        let other = run(graph, program.clone(), other).unwrap();
        assert_eq!((&one.own, &one.edges), (&other.own, &other.edges));
    }
    one
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_said_is_heard_one_iteration_later(edges in any_edges(), wide: bool, iterations in 0u64..7) {
        let (_folder, graph) = edges.graph(wide);
        let found = ways(&graph, Talks, iterations);
        let (own, values) = talked(&edges, iterations);
        prop_assert_eq!((found.own.to_vec(), found.edges.to_vec()), (own, values));
    }

    #[test]
    fn a_run_that_was_kept_goes_on_with_its_edges(edges in any_edges(), first in 1u64..4, more in 1u64..4) {
        let (folder, graph) = edges.graph(false);
        let file = folder.path().join("run.kept");
        let checkpoint = Some(Checkpoint { file: &file, every: Duration::ZERO, stays: true });
        let kept = |iterations| Options { iterations, checkpoint, ..Options::default() };
        // The last iteration is not kept.
        run(&graph, Talks, kept(first + 1)).unwrap();
        let found = run(&graph, Talks, kept(first + more)).unwrap();
        let (own, values) = talked(&edges, first + more);
        prop_assert_eq!((found.own.to_vec(), found.edges.to_vec()), (own, values));
    }
}

/// Threads write the values of their own vertices' edges, of which two have the same where edges are not in order.
#[test]
fn edges_that_two_vertices_would_set() {
    const VERTICES: usize = 4096;
    let folder = tempfile::tempdir().unwrap();
    let run_with = |offsets: &[u64]| {
        let path = folder.path().join("damaged.graph");
        let edges = VERTICES as u64;
        let neighbours: Vec<u32> = (0..VERTICES as u32).collect();
        save(&path, 4, |file| {
            file.column(columns::HEAD, &[Head { vertices: edges, edges, directed: 0, version: 1 }])?;
            file.column(columns::IN_OFFSETS, offsets)?;
            file.column(columns::IN_NEIGHBOURS, &neighbours)?;
            file.column(columns::OUT_DEGREES, &[1u32; VERTICES])
        })
        .unwrap();
        run(&Graph::read(&path).unwrap(), Talks, Options { iterations: 2, threads: 2, ..Options::default() })
    };
    let mut offsets: Vec<u64> = (0..=VERTICES as u64).collect();
    assert_eq!(run_with(&offsets).unwrap().edges.len(), VERTICES);
    // Each block for itself is in order but the second.
    offsets[1024..2048].fill(3000);
    let error = run_with(&offsets).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Format);
    let wanted = "run the program: the edges of vertices are not in order: the graph's file is damaged, `upcall graph check` says where";
    assert_eq!(error.to_string(), wanted);
}

/// Distances that edges carry: whoever hears of a shorter one tells it on.
#[derive(Clone, Debug)]
pub struct Tells;

impl Program for Tells {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;
    type Scratch = ();

    const NAME: &'static str = "tells";
    const WRITES: bool = true;
    const SELECTIVE: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> (f64, u32) {
        if vertex.id() == 0 {
            vertex.schedule();
        }
        (f64::INFINITY, 0)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        // Nobody has told it anything where an edge has 0.
        let heard = vertex.incoming().fold(f64::INFINITY, |least, _, told| match told {
            0.0 => least,
            told => least.min(told),
        });
        let nearest = if vertex.id() == 0 { 0.0 } else { heard };
        if nearest < *vertex.own {
            *vertex.own = nearest;
            for index in 0..vertex.outgoing().len() {
                vertex.set_value(index, nearest + 1.0);
            }
        }
    }
}

/// The edges' own values are all 0.
pub fn untold(mut edges: Edges) -> Edges {
    edges.list.values_mut().for_each(|value| *value = 0.0);
    edges
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_value_that_changes_wakes_who_hears_it(edges in any_edges().prop_map(untold)) {
        let (_folder, graph) = edges.graph(false);
        let found = ways(&graph, Tells, u64::MAX);
        let wanted = edges.distances(0, |_| 1.0);
        prop_assert_eq!(found.own.to_vec(), wanted);
    }
}

/// Where few of many blocks have a vertex that is updated, only what these have set is carried on.
#[test]
fn what_was_set_stays_while_others_are_silent() {
    let (vertices, block) = (20 * 1024, 1024);
    for directed in [true, false] {
        let on = (0..19).map(|at| (at * block, (at + 1) * block));
        // Sideways, to vertices that tell nobody else, and one that is never told of.
        let sideways = (0..20).flat_map(|at| (1..9).map(move |to| (at * block, at * block + to * 7)));
        let alone = [(3, 5), (5 * block + 1, 5 * block + 2)];
        let list = on.chain(sideways).chain(alone).map(|edge| (edge, 0.0)).collect();
        let edges = Edges { vertices, directed, list };
        let (_folder, graph) = edges.graph(false);
        let found = ways(&graph, Tells, u64::MAX);
        let distances = edges.distances(0, |_| 1.0);
        assert_eq!(found.own.to_vec(), distances);
        assert!(found.iterations >= 20);
        for vertex in 0..vertices {
            for place in graph.incoming().of(vertex) {
                let told = distances[graph.incoming().neighbours.get(place)] + 1.0;
                assert_eq!(found.edges[place], if told.is_finite() { told } else { 0.0 });
            }
        }
    }
}

/// A graph with edges that are there twice, and from vertices to themselves.
pub fn twice(direction: Direction, values: bool) -> (tempfile::TempDir, Graph) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twice.graph");
    let list = match values {
        true => "0 1 5\n0 1 6\n1 1 7\n1 0 8\n2 0 9\n1 2 3\n1 1 4\n",
        false => "0 1\n0 1\n1 1\n1 0\n2 0\n1 2\n1 1\n",
    };
    let mut builder = Builder::new()
        .source(Source::reader("edges", list.as_bytes(), Format::Text))
        .vertices(Vertices::Count(4))
        .direction(direction)
        .duplicates(Duplicates::Keep)
        .loops(Loops::Keep);
    if values {
        builder = builder.values(ValueType::F64);
    }
    builder.build(&path).unwrap();
    // SAFETY: nobody else knows the file.
    (folder, unsafe { Graph::map(path) }.unwrap())
}

/// Says its own number and the edge's index, also of some edges that are not there.
#[derive(Clone, Debug)]
pub struct Names {
    pub beyond: usize,
}

impl Program for Names {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;
    type Scratch = ();

    const NAME: &'static str = "names";
    const WRITES: bool = true;

    fn start(&self, _: &mut Start<'_>) -> (f64, u32) {
        (0.0, 0)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        for index in 0..vertex.outgoing().len() + self.beyond {
            vertex.set_value(index, (10 * vertex.id() + index) as f64);
        }
    }
}

#[test]
fn edges_that_are_there_twice_each_have_their_own_value() {
    for (direction, values) in
        [(Direction::Directed, true), (Direction::Directed, false), (Direction::Undirected, false)]
    {
        let (_folder, graph) = twice(direction, values);
        let found = ways(&graph, Names { beyond: 0 }, 1);
        let mut all = found.edges.to_vec();
        // Each of a vertex's incoming edges comes from the vertex that has said its number.
        for vertex in 0..4 {
            for place in graph.incoming().of(vertex) {
                let said = found.edges[place] as usize;
                assert_eq!(said / 10, graph.incoming().neighbours.get(place), "{direction:?}, {vertex}");
            }
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        assert_eq!(all.len(), graph.edges(), "{direction:?}: no two edges were given one value");
    }
}

#[test]
fn values_begin_as_the_files_or_at_0_and_the_file_stays_as_it_is() {
    let (folder, graph) = twice(Direction::Directed, true);
    let before = std::fs::read(folder.path().join("twice.graph")).unwrap();
    assert_eq!(ways(&graph, Names { beyond: 0 }, 0).edges.iter().sum::<f64>(), 42.0);
    ways(&graph, Names { beyond: 0 }, 3);
    assert!(std::fs::read(folder.path().join("twice.graph")).unwrap() == before);
    let (_folder, graph) = twice(Direction::Directed, false);
    assert!(ways(&graph, Names { beyond: 0 }, 0).edges.iter().all(|value| *value == 0.0));
}

#[test]
fn what_is_set_where_no_edge_is_names_the_vertex() {
    let (_folder, graph) = twice(Direction::Directed, true);
    let error = run(&graph, Names { beyond: 1 }, Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Program);
    assert!(error.to_string().contains("outgoing edges, and"), "{error}");
    let gauss_seidel = Options { gauss_seidel: Some(1024), ..Options::default() };
    assert_eq!(run(&graph, Names { beyond: 0 }, gauss_seidel).unwrap_err().kind(), ErrorKind::Usage);
}
