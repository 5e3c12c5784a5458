//! Edges that come and go under programs that are called with frames.

use crate::changes::{Weighs, plain_shares, plain_talks, shared, stopped, summed, talking};
use crate::guest_edges::Talks;
use crate::guests::{bits, loaded, reals};
use crate::multigraph::{Asked, Multigraph, Story, any_story, are_same, with};
use crate::ways::way;
use graph_programs as guest;
use proptest::prelude::*;
use upcall_graph::programs::PageRank;
use upcall_graph::{Changes, Error, Graph, Guest, GuestOutcome, Numbers, Options, run};
use upcall_handler::Failure;
use upcall_handler::vertex::{Iteration, Program, Vertex, VertexValue};

/// As the program of this name in Rust; and counts the iterations that it is told of.
#[derive(Clone, Copy)]
struct Shares<E> {
    told: u64,
    of: std::marker::PhantomData<fn(E)>,
}

impl<E: VertexValue + Weighs> Program for Shares<E> {
    type Own = f64;
    type Shown = f64;
    type Edge = E;

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.keep(vertex.id() as f64);
        vertex.show(shared(0.0, vertex.out_degree()));
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        assert_eq!(self.told, vertex.iteration());
        let own =
            vertex.incoming().fold(vertex.own(), |own, shown, value: E| summed(own, shown, value.weight()));
        vertex.keep(own);
        vertex.show(shared(own, vertex.out_degree()));
        Ok(())
    }

    fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
        assert_eq!(self.told, done.number);
        self.told += 1;
        Ok(false)
    }
}

fn told(program: &Guest, graph: &Graph, story: &Story, options: Options<'_>) -> Result<GuestOutcome, Error> {
    let mut change = |done: &upcall_graph::Iteration, changes: &mut Changes<'_>| story.tell(done, changes);
    program.run(graph, with(options, &mut change))
}

/// On one thread and on several, and stopped again and again.
fn ways(program: &Guest, graph: &Graph, story: &Story, after: u64) -> GuestOutcome {
    let one = Options { threads: 1, iterations: 7, ..Options::default() };
    let one = told(program, graph, story, one).unwrap();
    let several = || Options { iterations: 7, ..way(graph.edges()) };
    let other = told(program, graph, story, several()).unwrap();
    assert_eq!(one, other);
    assert!(are_same(one.graph.as_deref(), other.graph.as_deref()));
    let folder = tempfile::tempdir().unwrap();
    let compressed = story.first.stored(folder.path(), true);
    assert_eq!(one, told(program, &compressed, story, several()).unwrap());
    let graph = if after.is_multiple_of(2) { graph } else { &compressed };
    let file = folder.path().join("run.kept");
    let went_on =
        stopped(after, |options| told(program, graph, story, Options { iterations: 7, ..options }), &file);
    assert_eq!(one, went_on);
    assert!(are_same(one.graph.as_deref(), went_on.graph.as_deref()));
    one
}

fn shares<E: VertexValue + Weighs>() -> Guest {
    loaded(|| Shares::<E> { told: 0, of: std::marker::PhantomData }).unwrap()
}

/// Guests take no wide vertices.
fn narrow(mut story: Story) -> Story {
    story.first.wide = false;
    story
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_guest_sees_what_changes(story in any_story().prop_map(narrow), after in 1u64..4) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let program = if story.first.valued { shares::<f64>() } else { shares::<()>() };
        let found = ways(&program, &graph, &story, after);
        prop_assert_eq!(bits(reals(&found.own)), bits(&plain_shares(&story, 7)));
        let wanted = story.after(7).graph(folder.path());
        prop_assert!(found.graph.as_deref().unwrap_or(&graph).has_the_columns_of(&wanted));
    }

    #[test]
    fn what_a_guest_has_set_stays_with_its_edges(story in talking().prop_map(narrow), after in 1u64..4) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let found = ways(&loaded(|| Talks).unwrap(), &graph, &story, after);
        let (own, values) = plain_talks(&story, 7);
        prop_assert_eq!(bits(reals(&found.own)), bits(&own));
        prop_assert_eq!(bits(reals(&found.edges)), bits(&values));
    }

    #[test]
    fn ranks_in_a_guest_are_the_engines_own(story in any_story().prop_map(narrow)) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let mut program = PageRank::<f64>::default();
        (program.damping, program.tolerance) = (0.85, -1.0);
        let mut change =
            |done: &upcall_graph::Iteration, changes: &mut Changes<'_>| story.tell(done, changes);
        let options = Options { iterations: 7, change: Some(&mut change), ..Options::default() };
        let wanted = run(&graph, program, options).unwrap();
        let program = loaded(|| guest::PageRankGather(guest::PageRank { damping: 0.85, tolerance: -1.0 }));
        let found = ways(&program.unwrap(), &graph, &story, 2);
        prop_assert_eq!(bits(reals(&found.own)), bits(&wanted.own));
    }
}

/// Of a selective program, over several chunks.
#[test]
fn both_ends_of_a_changed_edge_are_updated() {
    #[derive(Clone, Copy)]
    struct Counts;
    impl Program for Counts {
        type Own = u32;
        type Shown = u32;
        type Edge = ();

        const SELECTIVE: bool = true;

        fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
            if vertex.id() == 5 {
                vertex.schedule(5);
            }
            Ok(())
        }

        fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
            vertex.keep(vertex.own() + 1);
            Ok(())
        }
    }
    let vertices = 150_000;
    let list = vec![(7, 8, 1.0), (9, 140_000, 1.0)];
    let first = Multigraph { vertices, directed: true, valued: false, outgoing: true, wide: false, list };
    let change = |from, to, adds: bool| Asked { from, to, value: adds.then_some(1.0) };
    let batch = vec![change(1, 100_000, true), change(9, 140_000, false), change(20, 21, false)];
    let folder = tempfile::tempdir().unwrap();
    let graph = first.graph(folder.path());
    let story = Story { first, batches: vec![batch] };
    for (threads, graph) in [(1, &graph), (3, &graph), (3, &story.first.stored(folder.path(), true))] {
        let found =
            told(&loaded(|| Counts).unwrap(), graph, &story, Options { threads, ..Options::default() });
        let found = found.unwrap();
        let updated = [1, 5, 9, 100_000, 140_000];
        let wanted = (0..vertices).map(|vertex| u32::from(updated.contains(&vertex))).collect();
        assert_eq!((found.own.numbers(), found.iterations), (Numbers::U32(wanted), 2));
    }
}
