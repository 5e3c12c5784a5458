//! What a program is told of intervals, and intervals that are updated again.

use crate::guests::loaded;
use crate::model::{Edges, any_edges};
use crate::ways::way;
use proptest::prelude::*;
use upcall_graph::{
    Control, ErrorKind, Id, Interval, Iteration, Numbers, Options, Outcome, Program, Start, Vertex, run,
};
use upcall_handler::{Failure, vertex as guests};

/// Vertices of an interval: one block, the least that there is.
const INTERVAL: usize = 1024;

/// Mixes what neighbours show, so that it matters in which order; each interval is updated so many times.
#[derive(Clone, Debug, Default)]
struct Mixes {
    times: u64,
    told: Vec<(&'static str, Interval)>,
    ended: Vec<Iteration>,
}

fn mixed(shown: u64, incoming: impl Iterator<Item = u64>) -> u64 {
    incoming.fold(shown, |all, one| all.wrapping_mul(31).wrapping_add(one) % 1_000_003)
}

impl Program for Mixes {
    type Own = u32;
    type Shown = u64;
    type Edge = ();
    type Scratch = ();

    const NAME: &'static str = "mixes";
    const ANY_ORDER: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> (u32, u64) {
        (0, vertex.id() as u64)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let incoming = vertex.incoming();
        *vertex.own += 1;
        vertex.add_residual(1.0);
        vertex.add_total(vertex.id() as f64);
        vertex.show(mixed(vertex.shown(), (0..incoming.len()).map(|index| incoming.shown(index))));
    }

    fn before_interval(&mut self, interval: &Interval) {
        self.told.push(("before", interval.clone()));
    }

    fn after_interval(&mut self, interval: &Interval) {
        self.told.push(("after", interval.clone()));
    }

    fn repeat_updates(&mut self, interval: &Interval) -> bool {
        interval.pass + 1 < self.times
    }

    fn after_iteration(&mut self, done: &Iteration) -> Control {
        self.ended.push(*done);
        Control::Continue
    }
}

/// The same by a plain loop over intervals of so many vertices.
fn plainly(edges: &Edges, size: usize, times: u64, iterations: u64) -> Vec<u64> {
    let mut incoming = vec![Vec::new(); edges.vertices];
    edges.all().iter().for_each(|(from, to, _)| incoming[*to].push(*from));
    incoming.iter_mut().for_each(|all| all.sort_unstable());
    let mut shown: Vec<u64> = (0..edges.vertices as u64).collect();
    for _ in 0..iterations {
        // Vertices of later intervals show what they did.
        for first in (0..edges.vertices).step_by(size) {
            for _ in 0..times {
                let interval = first..edges.vertices.min(first + size);
                let next: Vec<u64> = interval
                    .clone()
                    .map(|vertex| mixed(shown[vertex], incoming[vertex].iter().map(|from| shown[*from])))
                    .collect();
                shown[interval].copy_from_slice(&next);
            }
        }
    }
    shown
}

fn ran(edges: &Edges, times: u64, gauss_seidel: Option<usize>, iterations: u64) -> Outcome<Mixes> {
    let (_folder, graph) = edges.graph(false);
    let on = |options| {
        let program = Mixes { times, ..Mixes::default() };
        run(&graph, program, Options { iterations, gauss_seidel, ..options }).unwrap()
    };
    let (one, some) = (on(Options { threads: 1, ..Options::default() }), on(way(graph.edges())));
    assert_eq!((&one.own, &one.shown, &one.program.told), (&some.own, &some.shown, &some.program.told));
    one
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn intervals_that_are_updated_again_are_a_plain_loop(edges in any_edges(), times in 1u64..4, iterations in 0u64..4) {
        let found = ran(&edges, times, None, iterations);
        prop_assert_eq!(found.shown.to_vec(), plainly(&edges, usize::MAX / 2, times, iterations));
        prop_assert!(found.own.iter().all(|updates| u64::from(*updates) == times * iterations));
        let found = ran(&edges, times, Some(INTERVAL), iterations);
        prop_assert_eq!(found.shown.to_vec(), plainly(&edges, INTERVAL, times, iterations));
    }
}

/// Some chunks in each interval.
#[test]
fn several_workers_update_an_interval_again() {
    let list = (0..200_000usize).map(|to| ((to * 7919 % 200_000, to), 1.0)).collect();
    let edges = Edges { vertices: 200_000, directed: true, list };
    for (gauss_seidel, size) in [(None, usize::MAX / 2), (Some(150 * INTERVAL), 150 * INTERVAL)] {
        let found = ran(&edges, 2, gauss_seidel, 2);
        assert!(*found.shown == *plainly(&edges, size, 2, 2));
        let (_folder, graph) = edges.graph(false);
        let guest = loaded(|| Guest { times: 2, told: None }).unwrap();
        let options = Options { threads: 3, iterations: 2, gauss_seidel, ..Options::default() };
        assert!(guest.run(&graph, options).unwrap().shown.slice() == Some(&*found.shown));
    }
}

#[test]
fn a_program_is_told_of_each_interval_before_and_after_it() {
    let edges = Edges { vertices: 2500, directed: true, list: Default::default() };
    let Mixes { told, ended, .. } = ran(&edges, 2, Some(INTERVAL), 2).program;
    let mut wanted = Vec::new();
    for iteration in 0..2 {
        for vertices in [0..1024, 1024..2048, 2048..2500] {
            let (count, total) = (vertices.len(), vertices.clone().sum::<usize>());
            for pass in 0..2 {
                let vertices = vertices.clone();
                let before = Interval { iteration, vertices, pass, ..Interval::default() };
                wanted.push(("before", before.clone()));
                let (residual, total) = (count as f64, total as f64);
                wanted.push(("after", Interval { updated: count as u64, residual, total, ..before }));
            }
        }
    }
    assert_eq!(told, wanted);
    // Each vertex is counted as often as it was updated, and adds once.
    let sums = ended.iter().map(|done| (done.updated, done.residual, done.total)).collect::<Vec<_>>();
    assert_eq!(sums, [(5000, 2500.0, (2500 * 2499 / 2) as f64); 2]);
}

/// The number of edges to each vertex from the first, all found before the first iteration ends.
#[derive(Clone, Debug)]
struct AtOnce;

impl Program for AtOnce {
    type Own = u32;
    type Shown = u32;
    type Edge = ();
    type Scratch = ();

    const NAME: &'static str = "at once";
    const SELECTIVE: bool = true;
    const ANY_ORDER: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> (u32, u32) {
        if vertex.id() == 0 {
            vertex.schedule();
        }
        (0, u32::MAX)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        *vertex.own += 1;
        let nearest = vertex.incoming().fold(u32::MAX, |least, far, ()| least.min(far.saturating_add(1)));
        vertex.show(if vertex.id() == 0 { 0 } else { nearest.min(vertex.shown()) });
    }

    fn repeat_updates(&mut self, _: &Interval) -> bool {
        true
    }
}

#[test]
fn a_selective_program_is_updated_again_until_none_of_the_interval_sees_a_change() {
    // Through all intervals and back.
    let list = (0..2499).map(|vertex| ((vertex, vertex + 1), 1.0)).chain([((2499, 1), 1.0)]).collect();
    let edges = Edges { vertices: 2500, directed: true, list };
    let (_folder, graph) = edges.graph(false);
    for gauss_seidel in [None, Some(INTERVAL)] {
        for threads in [1, 3] {
            let options = Options { threads, edges_at_once: Some(1), gauss_seidel, ..Options::default() };
            let found = run(&graph, AtOnce, options).unwrap();
            assert_eq!(found.shown.to_vec(), (0..2500).collect::<Vec<u32>>());
            // The way back is seen by an interval that has been.
            assert_eq!(found.iterations, if gauss_seidel.is_some() { 2 } else { 1 });
        }
    }
}

/// As [`AtOnce`], in a guest.
#[derive(Clone, Copy)]
struct GuestAtOnce;

impl guests::Program for GuestAtOnce {
    type Own = u32;
    type Shown = u32;
    type Edge = ();

    const SELECTIVE: bool = true;

    fn start(&mut self, vertex: &mut guests::Vertex<'_, Self>) -> Result<(), Failure> {
        if vertex.id() == 0 {
            vertex.schedule(0);
        }
        vertex.show(u32::MAX);
        Ok(())
    }

    fn update(&mut self, vertex: &mut guests::Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.keep(vertex.own() + 1);
        let nearest = vertex.incoming().fold(u32::MAX, |least, far, ()| least.min(far.saturating_add(1)));
        vertex.show(if vertex.id() == 0 { 0 } else { nearest.min(vertex.shown()) });
        Ok(())
    }

    fn repeat_updates(&mut self, _: &guests::Interval) -> Result<bool, Failure> {
        Ok(true)
    }
}

#[test]
fn a_selective_guest_is_updated_as_often_as_the_engines_own_program() {
    // None, and some of which few are scheduled at a time.
    for vertices in [0, 5000] {
        let list = (1..vertices).map(|to| ((to * 31 % to.clamp(1, 97), to), 1.0)).collect();
        let edges = Edges { vertices, directed: true, list };
        let (_folder, graph) = edges.graph(false);
        for gauss_seidel in [None, Some(INTERVAL)] {
            let one = || Options { threads: 1, gauss_seidel, ..Options::default() };
            let wanted = run(&graph, AtOnce, one()).unwrap();
            for options in [one(), Options { threads: 3, edges_at_once: Some(1), ..one() }] {
                let found = loaded(|| GuestAtOnce).unwrap().run(&graph, options).unwrap();
                assert_eq!(found.shown, Numbers::U32(wanted.shown.to_vec()));
                assert_eq!(
                    (found.own.numbers(), found.iterations),
                    (Numbers::U32(wanted.own.to_vec()), wanted.iterations)
                );
            }
        }
    }
}

/// Sets values of edges, and wants it done again.
#[derive(Debug)]
struct Writes;

impl Program for Writes {
    type Own = u32;
    type Shown = u32;
    type Edge = f64;
    type Scratch = ();

    const NAME: &'static str = "writes";
    const WRITES: bool = true;

    fn start(&self, _: &mut Start<'_>) -> (u32, u32) {
        (0, 0)
    }

    fn update<I: Id>(&self, _: &mut Vertex<'_, Self, I>, (): &mut ()) {}

    fn repeat_updates(&mut self, _: &Interval) -> bool {
        true
    }
}

#[test]
fn what_is_set_on_edges_is_not_set_twice_in_an_iteration() {
    let edges = Edges { vertices: 3, directed: true, list: [((0, 1), 1.0)].into_iter().collect() };
    let (_folder, graph) = edges.graph(false);
    let refused = run(&graph, Writes, Options::default()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
    assert!(refused.to_string().contains("its updates are not repeated"), "{refused}");
}

/// As [`Mixes`], in a guest: keeps what its instance was told before the intervals of its vertices.
#[derive(Clone, Default)]
struct Guest {
    times: u64,
    told: Option<guests::Interval>,
}

impl guests::Program for Guest {
    type Own = u64;
    type Shown = u64;
    type Edge = ();

    fn start(&mut self, vertex: &mut guests::Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.show(vertex.id());
        Ok(())
    }

    fn before_interval(&mut self, interval: &guests::Interval) -> Result<(), Failure> {
        assert_eq!((interval.updated, interval.residual, interval.total), (0, 0.0, 0.0));
        assert_ne!(self.told.replace(*interval), Some(*interval), "it is told once");
        Ok(())
    }

    fn update(&mut self, vertex: &mut guests::Vertex<'_, Self>) -> Result<(), Failure> {
        let told = self.told.unwrap();
        assert!((told.first..told.end).contains(&vertex.id()) && told.iteration == vertex.iteration());
        let incoming = vertex.incoming();
        vertex.keep(vertex.own() * 10 + told.pass + 1);
        vertex.add_residual(1.0);
        vertex.add_total(vertex.id() as f64);
        vertex.show(mixed(vertex.shown(), (0..incoming.len()).map(|index| incoming.shown(index))));
        Ok(())
    }

    fn after_interval(&mut self, interval: &guests::Interval) -> Result<(), Failure> {
        let vertices = interval.first..interval.end;
        assert_eq!(
            (interval.updated, interval.residual),
            (interval.end - interval.first, interval.updated as f64)
        );
        assert_eq!(interval.total, vertices.sum::<u64>() as f64);
        Ok(())
    }

    fn repeat_updates(&mut self, interval: &guests::Interval) -> Result<bool, Failure> {
        Ok(interval.pass + 1 < self.times)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_guest_is_told_of_intervals_and_has_them_updated_again(edges in any_edges(), times in 1u64..4, iterations in 0u64..4) {
        let (_folder, graph) = edges.graph(false);
        let guest = loaded(move || Guest { times, told: None }).unwrap();
        for (gauss_seidel, size) in [(None, usize::MAX / 2), (Some(INTERVAL), INTERVAL)] {
            for options in [Options { threads: 1, ..Options::default() }, way(graph.edges())] {
                let options = Options { iterations, gauss_seidel, ..options };
                let found = guest.run(&graph, options).unwrap();
                prop_assert_eq!(found.shown, Numbers::U64(plainly(&edges, size, times, iterations)));
                // Each pass has left its number.
                let passes = (0..iterations).flat_map(|_| 1..=times).fold(0, |all, pass| all * 10 + pass);
                prop_assert_eq!(found.own, Numbers::U64(vec![passes; edges.vertices]));
            }
        }
    }
}

#[test]
fn a_guest_that_fails_in_a_hook_says_in_which_iteration() {
    #[derive(Clone, Copy)]
    struct Fails(bool);
    impl guests::Program for Fails {
        type Own = ();
        type Shown = u32;
        type Edge = ();

        fn update(&mut self, _: &mut guests::Vertex<'_, Self>) -> Result<(), Failure> {
            Ok(())
        }

        fn before_interval(&mut self, interval: &guests::Interval) -> Result<(), Failure> {
            if self.0 && interval.iteration == 2 { Err(Failure::new("not today")) } else { Ok(()) }
        }

        fn after_interval(&mut self, interval: &guests::Interval) -> Result<(), Failure> {
            if interval.iteration == 2 { Err(Failure::new("nor now")) } else { Ok(()) }
        }
    }
    let edges = Edges { vertices: 3, directed: true, list: Default::default() };
    let (_folder, graph) = edges.graph(false);
    for (before, why) in [(true, "not today"), (false, "nor now")] {
        let error = loaded(move || Fails(before)).unwrap().run(&graph, Options::default()).unwrap_err();
        let place = if before { "iteration 2" } else { "iteration 2, after vertices 0..3 were updated" };
        assert_eq!(error.to_string(), format!("run program tried: {place}: failure: {why}"));
    }
}
