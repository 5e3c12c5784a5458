//! Random walks visit what a plain simulation visits, walk by walk.

use crate::model::{Edges, any_edges};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use upcall_graph::ErrorKind;
use upcall_graph::programs::{Visits, Walks, walks};

/// A step of Vigna's splitmix64.c from a state.
fn splitmix(state: u64) -> u64 {
    let mut mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// One walk after the other.
fn simulated(edges: &Edges, asked: &Walks) -> Visits {
    let mut ways = vec![Vec::new(); edges.vertices];
    edges.all().iter().for_each(|(from, to, _)| ways[*from].push(*to));
    ways.iter_mut().for_each(|ways| ways.sort_unstable());
    let mut found = Visits { visits: vec![0; edges.vertices], steps: 0, ended: 0 };
    let mut number = 0u64;
    for from in &asked.from {
        for _ in 0..asked.walks {
            let mut at = *from;
            for step in 0..asked.length {
                if ways[at].is_empty() {
                    found.ended += 1;
                    break;
                }
                let mixed = splitmix(splitmix(splitmix(asked.seed).wrapping_add(number)).wrapping_add(step));
                let way = (u128::from(mixed) * ways[at].len() as u128) >> 64;
                at = ways[at][way as usize];
                found.visits[at] += 1;
                found.steps += 1;
            }
            number += 1;
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn visits_are_those_of_a_plain_simulation(
        edges in any_edges(),
        wide: bool,
        from in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        (walked, length, seed) in (0u64..30, 0u64..12, any::<u64>()),
    ) {
        let (_folder, graph) = edges.graph(wide);
        let from = from.iter().map(|from| from.index(edges.vertices)).collect();
        let asked = Walks { from, walks: walked, length, seed };
        let found = walks(&graph, &asked, 1, None).unwrap();
        prop_assert_eq!(&found, &walks(&graph, &asked, 3, None).unwrap());
        prop_assert_eq!(found, simulated(&edges, &asked));
    }
}

#[test]
fn batches_on_several_threads_come_to_the_same() {
    // A ring with chords, and a vertex that leads nowhere.
    let list = (0..500).flat_map(|at| {
        [((at, (at + 1) % 500), 1.0), ((at, if at % 9 == 0 { 500 } else { at * 7 % 500 }), 1.0)]
    });
    let edges = Edges { vertices: 501, directed: true, list: list.collect() };
    let (_folder, graph) = edges.graph(false);
    let asked = Walks { from: vec![0, 250, 250], walks: 200_000, length: 5, seed: 1 };
    let found = walks(&graph, &asked, 3, None).unwrap();
    assert_eq!(found, simulated(&edges, &asked));
    assert!(found.ended > 0 && found.visits.iter().sum::<u64>() == found.steps);
}

#[test]
fn what_it_cannot_do_is_told() {
    let edges = Edges { vertices: 2, directed: true, list: [((0, 1), 1.0)].into() };
    let (_folder, graph) = edges.graph(false);
    let stop = AtomicBool::new(true);
    for (from, count, kind, wanted) in [
        (2, 1, ErrorKind::Usage, "walk at random: it begins at vertex 2, and the graph has 2"),
        (0, u64::MAX, ErrorKind::TooLarge, "there are more than 2^64 steps"),
        (0, 1, ErrorKind::Interrupted, "it was told to stop"),
    ] {
        let asked = Walks { from: vec![from], walks: count, length: 2, seed: 0 };
        let error = walks(&graph, &asked, 1, Some(&stop)).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().contains(wanted), "{error}");
    }
}
