//! Edges that come and go between iterations: programs see them as a plain loop over a plain graph does.

use crate::edge_values::{Talks, says};
use crate::multigraph::{Asked, Multigraph, Story, any_story, are_same, ask, with};
use crate::ways::way;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use upcall_graph::programs::{Components, ShortestPaths};
use upcall_graph::{
    Changes, Checkpoint, EdgeValue, Error, ErrorKind, Graph, Id, Iteration, Options, Outcome, Program, Start,
    Vertex, run,
};

/// A value of an edge, or 1 where a program does not look.
pub trait Weighs: EdgeValue {
    fn weight(self) -> f64;
}

impl Weighs for () {
    fn weight(self) -> f64 {
        1.0
    }
}

impl Weighs for f64 {
    fn weight(self) -> f64 {
        self
    }
}

/// Adds up what comes in, in an order that matters, and shares it among outgoing edges.
#[derive(Clone, Debug, Default)]
pub struct Shares<E>(std::marker::PhantomData<fn(E)>);

pub fn shared(own: f64, out_degree: u32) -> f64 {
    own / f64::from(out_degree.max(1)) + 1.0
}

pub fn summed(own: f64, shown: f64, weight: f64) -> f64 {
    (own * 0.5 + shown * weight) % 1000.0
}

impl<E: Weighs> Program for Shares<E> {
    type Own = f64;
    type Shown = f64;
    type Edge = E;
    type Scratch = ();

    const NAME: &'static str = "shares";
    const ANY_ORDER: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> (f64, f64) {
        (vertex.id() as f64, shared(0.0, vertex.out_degree()))
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let fold = |own, shown, value: E| summed(own, shown, value.weight());
        *vertex.own = vertex.incoming().fold(*vertex.own, fold);
        vertex.show(shared(*vertex.own, vertex.out_degree()));
        vertex.add_residual(*vertex.own);
    }
}

/// The same by a plain loop: what vertices keep.
pub fn plain_shares(story: &Story, iterations: u64) -> Vec<f64> {
    let mut graph = story.first.clone();
    let mut own: Vec<f64> = (0..graph.vertices).map(|vertex| vertex as f64).collect();
    let mut shown: Vec<f64> = graph.out_degrees().iter().map(|degree| shared(0.0, *degree)).collect();
    for iteration in 0..iterations {
        for ((to, from), values) in &graph.incoming() {
            for value in values {
                let weight = if graph.valued { *value } else { 1.0 };
                own[*to] = summed(own[*to], shown[*from], weight);
            }
        }
        shown = own.iter().zip(graph.out_degrees()).map(|(own, degree)| shared(*own, degree)).collect();
        graph.change(story.behind(iteration));
    }
    own
}

/// Runs a program while its graph changes.
fn told<P: Program>(
    graph: &Graph,
    program: P,
    story: &Story,
    options: Options<'_>,
) -> Result<Outcome<P>, Error> {
    let mut change = |done: &Iteration, changes: &mut Changes<'_>| story.tell(done, changes);
    run(graph, program, with(options, &mut change))
}

/// In every way of running it, to the same bits and the same graph, which is the one that is made of the list of its edges.
fn ways<P: Program<Own = f64> + Clone>(
    graph: &Graph,
    program: P,
    story: &Story,
    iterations: u64,
) -> Outcome<P> {
    let folder = tempfile::tempdir().unwrap();
    let one = Options { threads: 1, iterations, ..Options::default() };
    let one = told(graph, program.clone(), story, one).unwrap();
    let other = || Options { iterations, ..way(graph.edges()) };
    for other in [other(), Options { folder: Some(folder.path()), ..other() }] {
        let other = told(graph, program.clone(), story, other).unwrap();
        assert_eq!((&one.own, &one.edges), (&other.own, &other.edges));
        assert_eq!((one.changes, one.changed), (other.changes, other.changed));
        assert!(are_same(one.graph.as_deref(), other.graph.as_deref()));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
    let compressed = story.first.stored(folder.path(), true);
    for other in [other(), Options { folder: Some(folder.path()), threads: 1, ..other() }] {
        let other = told(&compressed, program.clone(), story, other).unwrap();
        assert_eq!((&one.own, &one.edges), (&other.own, &other.edges));
        assert!(are_same(one.graph.as_deref(), other.graph.as_deref()));
        assert!(other.graph.is_none_or(|changed| !changed.is_compressed()));
    }
    let wanted = story.after(iterations).graph(folder.path());
    if let Some(changed) = &one.graph {
        changed.check().unwrap();
    }
    assert!(one.graph.as_deref().unwrap_or(graph).has_the_columns_of(&wanted), "the graph is another one");
    one
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_changes_is_seen_in_the_next_iteration(story in any_story(), iterations in 0u64..7) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let own = match story.first.valued {
            true => ways(&graph, Shares::<f64>::default(), &story, iterations).own,
            false => ways(&graph, Shares::<()>::default(), &story, iterations).own,
        };
        prop_assert_eq!(own.to_vec(), plain_shares(&story, iterations));
    }

    #[test]
    fn a_run_that_was_stopped_comes_to_the_same_graph(
        story in any_story(), after in 1u64..4, intervals: bool, compress: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let gauss_seidel = intervals.then_some(1024);
        let whole = told(
            &graph,
            Shares::<()>::default(),
            &story,
            Options { iterations: 7, gauss_seidel, ..Options::default() },
        ).unwrap();
        let file = folder.path().join("run.kept");
        let graph = story.first.stored(folder.path(), compress);
        let found = stopped(after, |options| {
            told(&graph, Shares::<()>::default(), &story, Options { iterations: 7, gauss_seidel, ..options })
        }, &file);
        prop_assert_eq!(&found.own, &whole.own);
        prop_assert_eq!((found.changes, found.changed), (whole.changes, whole.changed));
        prop_assert!(are_same(found.graph.as_deref(), whole.graph.as_deref()));
    }
}

/// Keeps a run after each iteration and stops it after so many, again and again until it ends. Each time it goes on in another way.
pub fn stopped<T>(after: u64, run: impl Fn(Options<'_>) -> Result<T, Error>, file: &Path) -> T {
    for stops in 0..100 {
        let stop = AtomicBool::new(false);
        let mut ended = 0;
        let mut report = |_: &Iteration| {
            ended += 1;
            // What changes behind this iteration is not made: whoever goes on does that.
            stop.store(ended == after + 1, Ordering::Relaxed);
        };
        let options = Options {
            stop: Some(&stop),
            report: Some(&mut report),
            checkpoint: Some(Checkpoint { file, every: Duration::ZERO, stays: false }),
            ..way(stops)
        };
        match run(options) {
            Ok(found) => return found,
            Err(error) => assert_eq!(error.kind(), ErrorKind::Interrupted, "{error}"),
        }
    }
    panic!("it does not go on");
}

/// What [`Talks`] comes to, by a plain loop: what vertices keep, and the values of edges by destination and source.
pub fn plain_talks(story: &Story, iterations: u64) -> (Vec<f64>, Vec<f64>) {
    let first = &story.first;
    // The values of a graph whose edges have none are 0.
    let begins = |value: f64| if first.valued { value } else { 0.0 };
    let mut values: BTreeMap<(usize, usize), Vec<f64>> = first.incoming();
    values.values_mut().flatten().for_each(|value| *value = begins(*value));
    let mut own = vec![0.0; first.vertices];
    for iteration in 0..iterations {
        let before = values.clone();
        for (vertex, own) in own.iter_mut().enumerate() {
            for heard in before.range((vertex, 0)..(vertex + 1, 0)).flat_map(|(_, heard)| heard) {
                *own = (*own * 0.25 + heard) % 1000.0;
            }
            let outgoing = before.iter().filter(|((_, from), _)| *from == vertex);
            let all = outgoing.flat_map(|(ends, said)| (0..said.len()).map(move |nth| (*ends, nth)));
            for (index, (ends, nth)) in all.enumerate() {
                *own += before[&ends][nth] * 0.125;
                if let Some(value) = says(vertex, index, *own, iteration) {
                    values.get_mut(&ends).unwrap()[nth] = value;
                }
            }
        }
        if iteration + 1 < iterations {
            for Asked { from, to, value } in story.behind(iteration).iter().copied() {
                let mut directions = vec![(to, from)];
                if !first.directed && from != to {
                    directions.push((from, to));
                }
                for ends in directions {
                    match value {
                        Some(value) => values.entry(ends).or_default().push(begins(value)),
                        None => drop(values.remove(&ends)),
                    }
                }
            }
        }
    }
    (own, values.into_values().flatten().collect())
}

/// With few vertices, as the plain loop looks at all edges for each, and with outgoing edges.
pub fn talking() -> impl Strategy<Value = Story> {
    any_story().prop_map(|mut story| {
        story.first.outgoing = true;
        story
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_edges_were_set_to_stays_with_them(story in talking(), iterations in 0u64..7) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let found = ways(&graph, Talks, &story, iterations);
        let (own, values) = plain_talks(&story, iterations);
        prop_assert_eq!((found.own.to_vec(), found.edges.to_vec()), (own, values));
    }

    #[test]
    fn a_run_that_was_kept_goes_on_with_what_edges_were_set_to(story in talking(), after in 1u64..4, compress: bool) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.stored(folder.path(), compress);
        let file = folder.path().join("run.kept");
        let found = stopped(after, |options| {
            told(&graph, Talks, &story, Options { iterations: 7, ..options })
        }, &file);
        let (own, values) = plain_talks(&story, 7);
        prop_assert_eq!((found.own.to_vec(), found.edges.to_vec()), (own, values));
    }
}

/// The shortest ways from vertex 0.
fn distances(graph: &Multigraph) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; graph.vertices];
    distances[0] = 0.0;
    let edges = graph.incoming();
    loop {
        let before = distances.clone();
        for ((to, from), weights) in &edges {
            for weight in weights {
                distances[*to] = distances[*to].min(distances[*from] + weight);
            }
        }
        if before == distances {
            return distances;
        }
    }
}

/// The least vertex of each one's component.
fn components(graph: &Multigraph) -> Vec<u64> {
    let mut least: Vec<u64> = (0..graph.vertices as u64).collect();
    loop {
        let before = least.clone();
        for (from, to, _) in &graph.list {
            let both = least[*from].min(least[*to]);
            (least[*from], least[*to]) = (both, both);
        }
        if before == least {
            return least;
        }
    }
}

/// Only edges that are added: what was found stays right.
fn growing() -> impl Strategy<Value = Story> {
    any_story().prop_map(|mut story| {
        (story.first.outgoing, story.first.valued) = (true, true);
        let all = story.batches.iter_mut().flatten();
        all.for_each(|change| change.value = change.value.or(Some(7.0)));
        // One that changes nothing would end the run.
        story.batches.retain(|batch| !batch.is_empty());
        story
    })
}

/// Runs a selective program; the next batch comes in every second iteration, and when nothing is scheduled any more.
fn grown<P: Program>(graph: &Graph, program: P, story: &Story, options: Options<'_>) -> Outcome<P> {
    let mut next = 0;
    let mut change = |done: &Iteration, changes: &mut Changes<'_>| {
        let made: usize = story.batches[..next].iter().map(Vec::len).sum();
        assert_eq!(changes.made(), made as u64);
        if next < story.batches.len() && (done.number.is_multiple_of(2) || done.scheduled == 0) {
            ask(changes, &story.batches[next], true)?;
            next += 1;
        }
        Ok(())
    };
    let outcome = run(graph, program, with(options, &mut change)).unwrap();
    assert_eq!(next, story.batches.len());
    outcome
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_found_while_edges_come_is_what_is_found_with_all_of_them(
        story in growing(), intervals: bool, compress: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.stored(folder.path(), compress);
        let mut last = story.first.clone();
        story.batches.iter().for_each(|batch| last.change(batch));
        let gauss_seidel = intervals.then_some(1024);
        for options in [Options { threads: 1, ..Options::default() }, way(graph.edges())] {
            let Options { threads, edges_at_once, .. } = options;
            let options = || Options { threads, edges_at_once, gauss_seidel, ..Options::default() };
            let found = grown(&graph, ShortestPaths::<f64>::new(0, graph.vertices()), &story, options());
            prop_assert!(!found.program.has_negative_cycle);
            prop_assert_eq!(found.shown.to_vec(), distances(&last));
            let found = grown(&graph, Components, &story, options());
            prop_assert_eq!(found.shown.to_vec(), components(&last));
        }
    }

    /// Whatever is asked for in one batch or in several comes to the same graph.
    #[test]
    fn changes_count_in_the_order_in_which_they_are_asked_for(story in any_story()) {
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let together = Story { batches: vec![story.batches.concat()], ..story.clone() };
        let options = || Options { iterations: 8, ..Options::default() };
        let one = told(&graph, Shares::<()>::default(), &together, options()).unwrap();
        let each = told(&graph, Shares::<()>::default(), &story, options()).unwrap();
        let of = |found: Option<Arc<Graph>>| found.unwrap_or_else(|| Arc::new(story.first.graph(folder.path())));
        prop_assert!(of(one.graph).has_the_columns_of(&of(each.graph)));
    }
}

/// Each thread has chunks of its own.
#[test]
fn a_large_graph_changes_on_several_threads() {
    let vertices = 200_000;
    let list = (0..vertices).map(|vertex| (vertex, (vertex * 7 + 1) % vertices, 1.0)).collect();
    let first = Multigraph { vertices, directed: true, valued: true, outgoing: true, wide: false, list };
    let changes = |seed: usize| -> Vec<Asked> {
        let change = |at: usize| {
            let from = (at * 79_190 + seed) % vertices;
            let adds = !at.is_multiple_of(3);
            Asked { from, to: (from * 7 + 1) % vertices, value: adds.then_some(at as f64) }
        };
        (0..300).map(change).collect()
    };
    let story = Story { first, batches: vec![changes(1), Vec::new(), changes(2)] };
    let folder = tempfile::tempdir().unwrap();
    let graph = story.first.graph(folder.path());
    let found = ways(&graph, Shares::<f64>::default(), &story, 5);
    assert_eq!(found.own.to_vec(), plain_shares(&story, 5));
    ways(&graph, Talks, &story, 5);
}
