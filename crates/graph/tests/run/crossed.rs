//! Every program comes to the same bits on any number of threads, whatever each of these takes at once: over a graph of some dozen
//! blocks, so that there are many chunks of a block, a few of some blocks, and one of all.

use crate::edge_values::Talks;
use crate::guests::loaded;
use crate::model::Edges;
use crate::ways::WAYS;
use graph_programs as guest;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{ThreadId, current};
use std::time::Duration;
use upcall_graph::programs::{Breadth, Components, Cores, Labels, PageRank, ShortestPaths};
use upcall_graph::{Graph, GuestOutcome, Id, Options, Program, Start, Vertex, run};
use upcall_handler::vertex::{self, Program as GuestProgram};
use upcall_handler::{Context, Failure};

const BLOCKS: usize = 24;
const VERTICES: usize = BLOCKS * 1024 - 300;

/// As many as the engine has taken at once, also where they are looked at in both directions.
const EDGES: usize = 30_000;

/// A long way, edges that are short but some, a few hubs, and blocks without an edge.
fn edges(directed: bool) -> Edges {
    let mut random = 7u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let some = VERTICES - 3 * 1024;
    let mut list: BTreeMap<_, _> = (0..300).map(|at| ((at, at + 1), 1.0)).collect();
    while list.len() < EDGES {
        let from = if next(50) == 0 { 9 } else { next(some) };
        let to = match next(20) {
            0 => next(3),
            1 => next(some),
            _ => (from + next(61)).saturating_sub(30),
        };
        if directed || from < to {
            list.insert((from, to), 1.0 + next(50) as f64);
        }
    }
    Edges { vertices: VERTICES, directed, list }
}

/// With directions, and without them and compressed.
fn both(each: impl Fn(&Graph)) {
    for directed in [true, false] {
        let (_folder, path) = edges(directed).stored(false, !directed);
        // SAFETY: nobody else knows the file.
        each(&unsafe { Graph::map(path) }.unwrap());
    }
}

/// How many threads have something to do: as many as there are chunks, of which an interval's blocks are in some.
fn at_work(threads: usize, edges_at_once: Option<u64>, interval: Option<usize>) -> usize {
    let most = match edges_at_once {
        Some(1 | 3072) => usize::MAX,
        _ => interval.map_or(1, |vertices| VERTICES.div_ceil(vertices)),
    };
    threads.min(most)
}

/// In every way what it comes to in one.
fn crosses<T: PartialEq>(name: &str, gauss_seidel: Option<usize>, run: impl Fn(Options<'_>) -> (T, usize)) {
    let (wanted, threads) = run(Options { threads: 1, gauss_seidel, ..Options::default() });
    assert_eq!(threads, 1);
    for (threads, edges_at_once) in WAYS {
        let (found, were) = run(Options { threads, edges_at_once, gauss_seidel, ..Options::default() });
        assert!(found == wanted, "{name} on {threads} threads, of {edges_at_once:?} edges at once");
        assert_eq!(were, at_work(threads, edges_at_once, gauss_seidel), "{name}, {edges_at_once:?}");
    }
}

fn native<P: Program + Clone>(graph: &Graph, program: P, iterations: u64, gauss_seidel: Option<usize>)
where
    P::Own: PartialEq + Debug,
    P::Shown: PartialEq + Debug,
{
    crosses(P::NAME, gauss_seidel, |options| {
        let found = run(graph, program.clone(), Options { iterations, ..options }).unwrap();
        ((found.own, found.shown, found.edges, found.iterations), found.threads)
    });
}

#[test]
fn programs_in_rust_do() {
    both(|graph| {
        native(graph, PageRank::<f64>::default(), 6, None);
        native(graph, Components, u64::MAX, None);
        native(graph, Labels, 4, None);
        native(graph, ShortestPaths::<f64>::new(0, VERTICES), 20, None);
        native(graph, Breadth { from: 9 }, u64::MAX, None);
        native(graph, Talks, 4, None);
    });
}

/// Three intervals of eight blocks.
const INTERVAL: Option<usize> = Some(8 * 1024);

#[test]
fn programs_in_rust_do_in_gauss_seidels_way() {
    both(|graph| {
        native(graph, PageRank::<f64>::default(), 5, INTERVAL);
        native(graph, ShortestPaths::<f64>::new(0, VERTICES), 20, INTERVAL);
        native(graph, Cores, 6, INTERVAL);
    });
}

/// As the engine's own program has it, where it has one.
fn framed<P: GuestProgram + Clone + Send + Sync>(
    graph: &Graph,
    program: P,
    gauss_seidel: Option<usize>,
) -> GuestOutcome {
    let guest = loaded(move || program.clone()).unwrap();
    let run = |options: Options<'_>| guest.run(graph, Options { iterations: 5, ..options }).unwrap();
    crosses(std::any::type_name::<P>(), gauss_seidel, |options| {
        let found = run(options);
        let threads = found.threads;
        (found, threads)
    });
    run(Options { gauss_seidel, ..Options::default() })
}

#[test]
fn programs_that_are_called_with_frames_do() {
    both(|graph| {
        let ranks = guest::PageRank { damping: 0.85, tolerance: -1.0 };
        let one = framed(graph, ranks, None);
        assert!(one.own == framed(graph, guest::PageRankGather(ranks), None).own);
        framed(graph, guest::PageRankEdges(ranks), None);
        framed(graph, guest::Components, None);
        framed(graph, guest::ShortestPaths::default(), None);
        framed(graph, guest::Labels::default(), None);
    });
}

#[test]
fn programs_that_are_called_with_frames_do_in_gauss_seidels_way() {
    both(|graph| {
        let ranks = guest::PageRank { damping: 0.85, tolerance: -1.0 };
        let one = framed(graph, ranks, INTERVAL);
        assert!(one.own == framed(graph, guest::PageRankGather(ranks), INTERVAL).own);
        framed(graph, guest::ShortestPaths::default(), INTERVAL);
    });
}

/// Where threads wait for each other.
#[derive(Clone, Debug)]
struct Meeting {
    threads: usize,
    met: Arc<(Mutex<HashSet<ThreadId>>, Condvar)>,
}

impl Meeting {
    fn of(threads: usize) -> Meeting {
        Meeting { threads, met: Arc::default() }
    }

    /// Goes on when all are here.
    fn come(&self) {
        let (met, changed) = &*self.met;
        let mut here = met.lock().unwrap();
        if here.insert(current().id()) {
            changed.notify_all();
        }
        let long = Duration::from_secs(60);
        let (here, waited) =
            changed.wait_timeout_while(here, long, |here| here.len() < self.threads).unwrap();
        assert!(!waited.timed_out(), "{} of {} threads have vertices to update", here.len(), self.threads);
    }
}

impl Program for Meeting {
    type Own = u32;
    type Shown = u32;
    type Edge = ();
    type Scratch = ();

    const NAME: &'static str = "meeting";

    fn start(&self, _: &mut Start<'_>) -> (u32, u32) {
        (0, 0)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        self.come();
        *vertex.own += 1;
    }
}

impl GuestProgram for Meeting {
    type Own = u32;
    type Shown = u32;
    type Edge = ();

    fn open(&mut self, context: &Context<'_>, _: &vertex::Graph) -> Result<(), Failure> {
        let (worker, workers) = context.worker();
        assert!(worker < workers && workers as usize == self.threads);
        Ok(())
    }

    fn update(&mut self, vertex: &mut vertex::Vertex<'_, Self>) -> Result<(), Failure> {
        self.come();
        vertex.keep(vertex.own() + 1);
        Ok(())
    }
}

/// All are at vertices of theirs at the same time.
#[test]
fn as_many_threads_are_at_work_as_were_asked_for() {
    let (_folder, graph) = edges(true).graph(false);
    for threads in [2, 4] {
        let options = || Options { threads, edges_at_once: Some(1), iterations: 2, ..Options::default() };
        let found = run(&graph, Meeting::of(threads), options()).unwrap();
        assert_eq!((found.threads, &*found.own), (threads, &[2; VERTICES][..]));
        let meeting = Meeting::of(threads);
        let found = loaded(move || meeting.clone()).unwrap().run(&graph, options()).unwrap();
        assert_eq!(found.threads, threads);
        assert_eq!(found.own.slice::<u32>(), Some(&[2; VERTICES][..]));
    }
}
