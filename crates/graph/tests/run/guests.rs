//! Programs that are called with frames come to the same bits as the engine's own, on any number of threads.

use crate::model::{Edges, any_edges};
use crate::ways::way;
use graph_programs as guest;
use proptest::prelude::*;
use std::fmt::Debug;
use std::sync::Arc;
use upcall_graph::programs::{Components, Labels, PageRank, ShortestPaths};
use upcall_graph::{
    Checkpoint, Dump, Error, ErrorKind, Graph, Guest, GuestOutcome, KeptNumbers, Numbers, Options, run,
};
use upcall_handler::vertex::{Gather, Iteration, Program, Vertex, VertexValue};
use upcall_handler::{Failure, vertices};
use upcall_host::in_process::{InProcess, module};

pub fn loaded<P: Program>(program: impl Fn() -> P + Send + Sync + 'static) -> Result<Guest, Error> {
    let module = module(move || vertices(program()));
    Guest::of(Arc::new(InProcess), module, "tried".to_owned(), "tried".to_owned(), Vec::new())
}

/// What it comes to on one thread, and on several the same.
pub fn on_threads<P: Program + Clone + Send + Sync>(
    graph: &Graph,
    program: P,
    iterations: u64,
) -> GuestOutcome {
    let guest = loaded(move || program.clone()).unwrap();
    let on = |options| guest.run(graph, Options { iterations, ..options }).unwrap();
    let one = on(Options { threads: 1, ..Options::default() });
    assert_eq!(one, on(way(graph.edges())));
    one
}

pub fn bits(of: &[f64]) -> Vec<u64> {
    of.iter().map(|number| number.to_bits()).collect()
}

pub fn reals(of: &KeptNumbers) -> &[f64] {
    of.slice().unwrap()
}

fn wide(of: &KeptNumbers) -> Vec<u64> {
    of.slice::<u32>().unwrap().iter().map(|id| u64::from(*id)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn each_program_is_the_engines_own(edges in any_edges(), iterations in 0u64..12) {
        let (_folder, graph) = edges.graph(false);
        let options = || Options { iterations, ..Options::default() };
        let mut program = PageRank::<f64>::default();
        (program.damping, program.tolerance) = (0.85, -1.0);
        let wanted = run(&graph, program, options()).unwrap();
        let program = guest::PageRank { damping: 0.85, tolerance: -1.0 };
        let found = on_threads(&graph, program, iterations);
        prop_assert_eq!(bits(reals(&found.own)), bits(&wanted.own));
        prop_assert_eq!(bits(reals(&found.shown)), bits(&wanted.shown));
        prop_assert_eq!(found.iterations, wanted.iterations);
        let gathered = on_threads(&graph, guest::PageRankGather(program), iterations);
        prop_assert_eq!(bits(reals(&gathered.own)), bits(&wanted.own));

        let wanted = run(&graph, Components, options()).unwrap();
        let found = on_threads(&graph, guest::Components, iterations);
        prop_assert_eq!((wide(&found.shown), found.iterations), (wanted.shown.to_vec(), wanted.iterations));
        let wanted = run(&graph, Labels, options()).unwrap();
        let found = on_threads(&graph, guest::Labels::default(), iterations);
        prop_assert_eq!((wide(&found.shown), found.iterations), (wanted.shown.to_vec(), wanted.iterations));
    }

    #[test]
    fn paths_are_the_engines_own(edges in any_edges(), iterations in 0u64..20) {
        let (_folder, graph) = edges.graph(false);
        let options = Options { iterations, ..Options::default() };
        let wanted = run(&graph, ShortestPaths::<f64>::new(0, edges.vertices), options).unwrap();
        let found = on_threads(&graph, guest::ShortestPaths::default(), iterations);
        prop_assert_eq!(bits(reals(&found.shown)), bits(&wanted.shown));
    }

    #[test]
    fn neighbours_are_gathered_by_what_the_program_says(edges in any_edges()) {
        let (_folder, graph) = edges.graph(false);
        let infinite = (f64::NEG_INFINITY, f64::INFINITY);
        gathers(&graph, |id| id as f64 * 0.5 - 3.0, infinite, |one| one, Numbers::F64);
        let infinite = (f32::NEG_INFINITY, f32::INFINITY);
        gathers(&graph, |id| id as f32 * 0.5 - 3.0, infinite, f64::from, Numbers::F32);
        gathers(&graph, |id| id as i32 - 7, (i32::MIN, i32::MAX), f64::from, Numbers::I32);
        gathers(&graph, |id| id as u32 + (u32::MAX >> 1), (0, u32::MAX), f64::from, Numbers::U32);
        gathers(&graph, |id| id as i64 - 7, (i64::MIN, i64::MAX), |one| one as f64, Numbers::I64);
        gathers(&graph, |id| id + (u64::MAX >> 1), (0, u64::MAX), |one| one as f64, Numbers::U64);
    }
}

/// Keeps what its neighbours come to as a number of `T`, by the `BY`th way.
#[derive(Clone)]
struct Bounded<T, const BY: usize>(fn(u64) -> T);

/// As [`Bounded`], as an `f64`.
#[derive(Clone)]
struct Added<T, const BY: usize>(fn(u64) -> T);

const BY: [Gather; 4] = [Gather::Min, Gather::Max, Gather::Sum, Gather::Count];

impl<T: VertexValue, const WAY: usize> Program for Bounded<T, WAY> {
    type Own = T;
    type Shown = T;
    type Edge = ();

    const GATHER: Option<Gather> = Some(BY[WAY]);

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.show(self.0(vertex.id()));
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.keep(vertex.gathered_shown());
        Ok(())
    }
}

impl<T: VertexValue, const WAY: usize> Program for Added<T, WAY> {
    type Own = f64;
    type Shown = T;
    type Edge = ();

    const GATHER: Option<Gather> = Some(BY[WAY]);

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.show(self.0(vertex.id()));
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.keep(vertex.gathered());
        Ok(())
    }
}

/// Gathers what vertices show by `show`, in all ways; `least` and `most` are what no neighbours come to.
fn gathers<T: VertexValue + PartialOrd + Send + Sync + Debug>(
    graph: &Graph,
    show: fn(u64) -> T,
    (least, most): (T, T),
    as_f64: fn(T) -> f64,
    numbers: fn(Vec<T>) -> Numbers,
) {
    let ids = graph.incoming();
    let all = |id: usize| ids.of(id).map(|edge| show(ids.neighbours.get(edge) as u64));
    let less = |one: T, other: T| if other < one { other } else { one };
    let more = |one: T, other: T| if other > one { other } else { one };
    let every = || 0..graph.vertices();
    let own = |found: GuestOutcome| found.own;
    let wanted = numbers(every().map(|id| all(id).fold(most, less)).collect());
    assert_eq!(own(on_threads(graph, Bounded::<T, 0>(show), 1)), wanted);
    let wanted = numbers(every().map(|id| all(id).fold(least, more)).collect());
    assert_eq!(own(on_threads(graph, Bounded::<T, 1>(show), 1)), wanted);
    let wanted = Numbers::F64(every().map(|id| all(id).fold(0.0, |sum, one| sum + as_f64(one))).collect());
    assert_eq!(own(on_threads(graph, Added::<T, 2>(show), 1)), wanted);
    let wanted = Numbers::F64(every().map(|id| all(id).count() as f64).collect());
    assert_eq!(own(on_threads(graph, Added::<T, 3>(show), 1)), wanted);
}

/// Fails, or misbehaves, at a vertex.
#[derive(Clone, Copy)]
struct Wrong {
    at: u64,
    how: &'static str,
}

impl Program for Wrong {
    type Own = u32;
    type Shown = u64;
    type Edge = ();

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        match self.how {
            "start" if vertex.id() == self.at => Err(Failure::new("not today")),
            _ => Ok(()),
        }
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        match self.how {
            "update" if vertex.id() == self.at => Err(Failure::new("not today")),
            "panic" if vertex.id() == self.at => panic!("not today"),
            "beyond" if vertex.id() == self.at => {
                vertex.keep(vertex.incoming().shown(vertex.incoming().len()) as u32);
                Ok(())
            }
            "schedule" if vertex.id() == self.at => {
                vertex.schedule(vertex.graph().vertices);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn after_iteration(&mut self, _: &Iteration) -> Result<bool, Failure> {
        if self.how == "after" { Err(Failure::new("not today")) } else { Ok(true) }
    }
}

pub fn path(vertices: usize) -> Edges {
    let list = (1..vertices).map(|to| ((to - 1, to), 1.0)).collect();
    Edges { vertices, directed: true, list }
}

#[test]
fn what_a_program_fails_with_names_iteration_and_vertex() {
    let (_folder, graph) = path(3000).graph(false);
    for (how, said) in [
        ("start", "at the start, vertex 1234: failure: not today"),
        ("update", "iteration 0, vertex 1234: failure: not today"),
        ("panic", "iteration 0, vertex 1234: panic: not today"),
        ("beyond", "iteration 0, vertex 1234: panic: index out of bounds: the len is 1 but the index is 1"),
        ("schedule", "iteration 0, vertex 1234: failure: vertex 3000 is scheduled, and the graph has 3000"),
        ("after", "iteration 0: failure: not today"),
    ] {
        let guest = loaded(move || Wrong { at: 1234, how }).unwrap();
        let error = guest.run(&graph, Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Program);
        let wanted = format!("run program tried: {said}");
        assert!(error.to_string().starts_with(&wanted), "{error}\ninstead of\n{wanted}");
    }
    let guest = loaded(|| Wrong { at: u64::MAX, how: "" }).unwrap();
    assert_eq!(guest.run(&graph, Options::default()).unwrap().iterations, 1);
}

#[test]
fn what_the_graph_lacks_is_said() {
    let (_folder, graph) = path(10).graph(true);
    let guest = loaded(guest::PageRank::default).unwrap();
    let error = guest.run(&graph, Options::default()).unwrap_err();
    assert!(error.to_string().contains("40 bits"), "{error}");
    #[derive(Clone, Copy)]
    struct Weighed;
    impl Program for Weighed {
        type Own = ();
        type Shown = f32;
        type Edge = f32;

        fn update(&mut self, _: &mut Vertex<'_, Self>) -> Result<(), Failure> {
            Ok(())
        }
    }
    let (_folder, graph) = path(10).graph(false);
    let error = loaded(|| Weighed).unwrap().run(&graph, Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let said = "run program tried: it looks at edges' values of f32, and the graph's have f64: make it again with `--values f32`";
    assert_eq!(error.to_string(), said);
}

/// Schedules itself again and again, ten times.
#[derive(Clone, Copy)]
struct Again;

impl Program for Again {
    type Own = u32;
    type Shown = u32;
    type Edge = ();

    const SELECTIVE: bool = true;

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        (0..9).for_each(|_| vertex.schedule(vertex.id()));
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.keep(vertex.own() + 1);
        if vertex.own() < 10 {
            (0..9).for_each(|_| vertex.schedule(vertex.id()));
        }
        Ok(())
    }
}

#[test]
fn whoever_is_scheduled_more_than_once_is_updated_once() {
    let (_folder, graph) = Edges { vertices: 1500, directed: true, list: Default::default() }.graph(false);
    let found = on_threads(&graph, Again, u64::MAX);
    assert_eq!((found.own.numbers(), found.iterations), (Numbers::U32(vec![10; 1500]), 10));
}

/// Counts the iterations that it is told of, which every instance is.
#[derive(Clone, Copy, Default)]
struct Counts(u64);

impl Program for Counts {
    type Own = u64;
    type Shown = u32;
    type Edge = ();

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        assert_eq!(self.0, vertex.iteration());
        vertex.keep(vertex.own() + self.0);
        Ok(())
    }

    fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
        assert_eq!(done.number, self.0);
        self.0 += 1;
        Ok(self.0 == 20)
    }
}

#[test]
fn every_instance_is_told_of_every_iteration_also_after_a_crash() {
    let (_folder, graph) = path(200_000).graph(false);
    let whole = on_threads(&graph, Counts::default(), u64::MAX);
    assert_eq!(whole.own, Numbers::U64(vec![(0..20).sum(); 200_000]));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    let guest = loaded(Counts::default).unwrap();
    for threads in [1, 3] {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let mut report = |done: &upcall_graph::Iteration| {
            stop.store(done.number == 7, std::sync::atomic::Ordering::Relaxed);
        };
        let every = std::time::Duration::ZERO;
        let options = Options {
            threads,
            stop: Some(&stop),
            report: Some(&mut report),
            checkpoint: Some(Checkpoint { file: &file, every, stays: false }),
            ..Options::default()
        };
        assert_eq!(guest.run(&graph, options).unwrap_err().kind(), ErrorKind::Interrupted);
        let checkpoint = Some(Checkpoint { file: &file, every, stays: false });
        let found = guest.run(&graph, Options { threads, checkpoint, ..Options::default() }).unwrap();
        assert_eq!(found, whole);
    }
}

#[test]
fn an_interval_is_dumped_with_what_its_vertices_see_and_become() {
    let (_folder, graph) = path(3000).graph(false);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("interval.json");
    let dump =
        |interval, file: &std::path::Path| Some(Dump { interval, iteration: 2, file: file.to_owned() });
    let guest = loaded(guest::ShortestPaths::default).unwrap();
    guest.run(&graph, Options { dump: dump(0, &file), ..Options::default() }).unwrap();
    let dumped: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(
        (&dumped["iteration"], &dumped["shown"], &dumped["edge"]),
        (&2.into(), &"f64".into(), &"f64".into())
    );
    let rows = dumped["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "only one vertex sees a change: {dumped}");
    assert_eq!(
        (&rows[0]["id"], &rows[0]["shown"], &rows[0]["shows"]),
        (&2.into(), &"inf".into(), &2.0.into())
    );
    let incoming = serde_json::json!({ "ids": [1], "shown": [1.0], "values": [1.0] });
    assert_eq!(rows[0]["incoming"], incoming);
    let error = guest.run(&graph, Options { dump: dump(3, &file), ..Options::default() }).unwrap_err();
    assert_eq!(error.to_string(), "dump interval 3: the graph has 3 intervals of 1024 vertices, from 0 on");
    let missing = folder.path().join("none/interval.json");
    let error = guest.run(&graph, Options { dump: dump(0, &missing), ..Options::default() }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
}

/// Adds up for each vertex what its instance was told before the iterations in which it was updated.
#[derive(Clone, Default)]
struct Told(Option<(u64, f64)>);

impl Program for Told {
    type Own = f64;
    type Shown = u64;
    type Edge = ();

    fn before_iteration(&mut self, iteration: u64, total: f64) -> Result<(), Failure> {
        if iteration == 3 || self.0.is_some_and(|(last, _)| last >= iteration) {
            return Err(Failure::new(format!("{:?}, and now {iteration}", self.0)));
        }
        self.0 = Some((iteration, total));
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let (iteration, total) = self.0.ok_or_else(|| Failure::new("it was told nothing"))?;
        vertex.keep(vertex.own() + total + iteration as f64);
        vertex.add_total(1.0);
        Ok(())
    }
}

#[test]
fn a_program_is_told_once_of_an_iteration_that_begins() {
    let list = (1..5000).map(|vertex| ((0, vertex), 1.0)).collect();
    let (_folder, graph) = Edges { vertices: 5000, directed: true, list }.graph(false);
    let found = on_threads(&graph, Told::default(), 3);
    // Before the iterations 0, 1 and 2; in the last two after each vertex has added 1.
    assert_eq!(reals(&found.own), vec![10003.0; 5000]);
    let guest = loaded(Told::default).unwrap();
    let refused = guest.run(&graph, Options { iterations: 4, ..Options::default() }).unwrap_err();
    assert!(refused.to_string().contains("and now 3"), "{refused}");
}
