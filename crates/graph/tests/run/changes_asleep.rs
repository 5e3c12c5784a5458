//! Edges that come and go while nearly all vertices sleep: what edges were set to stays with them, whoever has set it when.

use crate::guests::{bits, loaded, reals};
use crate::multigraph::{Asked, Multigraph, Story, with};
use std::collections::{BTreeMap, BTreeSet};
use upcall_graph::{Changes, Id, Iteration, Options, Program, Start, Vertex, run};
use upcall_handler::{Failure, vertex as guest};

/// Hears how far a message may still go, and passes it on.
#[derive(Clone, Copy)]
struct Relays;

const BLOCKS: usize = 200;

/// What is passed on by the outgoing edge of this index, if anything is.
fn passed(most: f64, index: usize) -> Option<f64> {
    let left = most - 1.0 - (index % 2) as f64;
    (left > 0.0).then_some(left)
}

/// What a vertex keeps, and the most that it has heard. It is told at the start by nobody.
fn heard(own: f64, iteration: u64, incoming: impl Iterator<Item = f64>) -> (f64, f64) {
    let begin = (own * 0.5 + 1.0, if iteration == 0 { 14.0 } else { 0.0 });
    incoming.fold(begin, |(own, most), value| (own + value, most.max(value)))
}

impl Program for Relays {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;
    type Scratch = Vec<f64>;

    const NAME: &'static str = "relays";
    const SELECTIVE: bool = true;
    const WRITES: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> (f64, u32) {
        if vertex.id() == 0 {
            vertex.schedule();
        }
        (0.0, 0)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, all: &mut Vec<f64>) {
        all.clear();
        vertex.incoming().fold((), |(), _, value| all.push(value));
        let (own, most) = heard(*vertex.own, vertex.context().iteration, all.iter().copied());
        *vertex.own = own;
        for index in 0..vertex.outgoing().len() {
            if let Some(value) = passed(most, index) {
                vertex.set_value(index, value);
            }
        }
    }
}

impl guest::Program for Relays {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;

    const SELECTIVE: bool = true;
    const WRITES: bool = true;

    fn start(&mut self, vertex: &mut guest::Vertex<'_, Self>) -> Result<(), Failure> {
        if vertex.id() == 0 {
            vertex.schedule(0);
        }
        Ok(())
    }

    fn update(&mut self, vertex: &mut guest::Vertex<'_, Self>) -> Result<(), Failure> {
        let mut all = Vec::new();
        vertex.incoming().fold((), |(), _, value| all.push(value));
        let (own, most) = heard(vertex.own(), vertex.iteration(), all.into_iter());
        vertex.keep(own);
        for index in 0..vertex.outgoing().len() {
            if let Some(value) = passed(most, index) {
                vertex.set_value(index, value);
            }
        }
        Ok(())
    }
}

/// What vertices keep, the values of edges by destination and source, how many iterations there were, and in how many blocks
/// vertices were updated at most.
fn plainly(story: &Story) -> (Vec<f64>, Vec<f64>, u64, usize) {
    let first = &story.first;
    let mut values: BTreeMap<(usize, usize), Vec<f64>> = first.incoming();
    values.values_mut().flatten().for_each(|value| *value = 0.0);
    let (mut own, mut active) = (vec![0.0; first.vertices], BTreeSet::from([0]));
    let (mut iteration, mut most_blocks) = (0, 0);
    while !active.is_empty() {
        let (before, mut next) = (values.clone(), BTreeSet::new());
        let blocks: BTreeSet<usize> = active.iter().map(|vertex| vertex / 1024).collect();
        most_blocks = most_blocks.max(blocks.len());
        for vertex in active {
            let incoming = before.range((vertex, 0)..(vertex + 1, 0)).flat_map(|(_, all)| all).copied();
            let (kept, most) = heard(own[vertex], iteration, incoming);
            own[vertex] = kept;
            let outgoing = before.iter().filter(|((_, from), _)| *from == vertex);
            let all = outgoing.flat_map(|(ends, all)| (0..all.len()).map(move |nth| (*ends, nth)));
            for (index, (ends, nth)) in all.enumerate() {
                let Some(value) = passed(most, index) else { continue };
                values.get_mut(&ends).unwrap()[nth] = value;
                if before[&ends][nth] != value {
                    next.insert(ends.0);
                }
            }
        }
        for Asked { from, to, value } in story.behind(iteration).iter().copied() {
            next.extend([from, to]);
            let directions = if first.directed { vec![(to, from)] } else { vec![(to, from), (from, to)] };
            for ends in directions {
                match value {
                    Some(_) => values.entry(ends).or_default().push(0.0),
                    None => assert!(values.remove(&ends).is_some(), "the story says what is there"),
                }
            }
        }
        (active, iteration) = (next, iteration + 1);
    }
    (own, values.into_values().flatten().collect(), iteration, most_blocks)
}

/// A way through the first vertices of many blocks, with some beside, of which edges come and go.
fn story(directed: bool) -> Story {
    let block = 1024;
    let on = (0..BLOCKS - 1).map(|at| (at * block, (at + 1) * block, 0.0));
    let beside = (0..BLOCKS).flat_map(|at| (1..5).map(move |to| (at * block, at * block + to * 7, 0.0)));
    let list = on.chain(beside).collect();
    let first =
        Multigraph { vertices: BLOCKS * block, directed, valued: false, outgoing: true, wide: false, list };
    let add = |from: usize, to: usize| Asked { from: from * block, to: to * block, value: Some(1.0) };
    let remove = |from: usize, to: usize| Asked { value: None, ..add(from, to) };
    let batches = vec![
        Vec::new(),
        // Of those that sleep, and of those that were updated just now.
        vec![add(30, 33), remove(0, 1), add(1, 35)],
        Vec::new(),
        Vec::new(),
        vec![remove(20, 21), add(2, 3), add(0, 3)],
        vec![add(35, 38)],
        Vec::new(),
        vec![remove(1, 2)],
    ];
    Story { first, batches }
}

#[test]
fn what_edges_were_set_to_stays_while_others_sleep_and_edges_change() {
    for directed in [true, false] {
        let story = story(directed);
        let folder = tempfile::tempdir().unwrap();
        let graph = story.first.graph(folder.path());
        let (own, edges, iterations, most_blocks) = plainly(&story);
        // Less than an eighth of all blocks is at work: only what was set is carried on, but right behind a change.
        assert!(iterations >= 9 && most_blocks * 8 < BLOCKS, "{iterations} iterations, {most_blocks} blocks");
        let guest = loaded(|| Relays).unwrap();
        for (threads, edges_at_once, folder) in [(1, None, None), (3, Some(1), Some(folder.path()))] {
            let options = || Options { threads, edges_at_once, folder, ..Options::default() };
            let mut change = |done: &Iteration, changes: &mut Changes<'_>| story.tell(done, changes);
            let found = run(&graph, Relays, with(options(), &mut change)).unwrap();
            assert_eq!(found.iterations, iterations);
            assert_eq!((found.own.to_vec(), found.edges.to_vec()), (own.clone(), edges.clone()));
            let found = guest.run(&graph, with(options(), &mut change)).unwrap();
            assert_eq!(found.iterations, iterations);
            assert_eq!(bits(reals(&found.own)), bits(&own));
            assert_eq!(bits(reals(&found.edges)), bits(&edges));
        }
    }
}
