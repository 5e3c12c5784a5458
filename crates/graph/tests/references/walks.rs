//! How often random walks come to each vertex, against what the powers of the matrix of transitions expect.

use crate::answers::Said;
use upcall_graph::Graph;
use upcall_graph::programs::{Visits, Walks, walks};

/// What scipy has an expectation of, by where walks begin and how many edges they have followed: which share of them is at each
/// vertex.
pub const PROGRAMS: [[&str; 3]; 2] = [
    ["walks-from-first-1", "walks-from-first-2", "walks-from-first-3"],
    ["walks-from-all-1", "walks-from-all-2", "walks-from-all-3"],
];

/// About how many walks there are: from one vertex, enough for an error of 3 in 100 in what is most likely to be seen.
const FROM_FIRST: u64 = 50_000;
const FROM_ALL: u64 = 20_000;

/// A right program is further off at one vertex with a chance of 2 exp(-this): of 3 million numbers to compare, at any of them with
/// less than 1 in 10^6. The seed is fixed, and so are all graphs but that of Debian's packages.
const CHANCE: f64 = 30.0;

/// How many walks from the first vertex, or from all, there are, and how many of them are at each vertex after one edge, after two, and
/// so on. A walk's way depends on the seed and on its number only, so that one that is an edge longer comes by the same way: the
/// difference is how many came by the last edge, of walks that know nothing of each other.
pub fn steps(graph: &Graph, from_all: bool) -> (u64, Vec<Vec<u64>>) {
    let from: Vec<usize> = if from_all { (0..graph.vertices()).collect() } else { vec![0] };
    let count = if from_all { FROM_ALL } else { FROM_FIRST };
    let each = count.div_ceil(from.len() as u64);
    let mut before = Visits { visits: vec![0; graph.vertices()], steps: 0, ended: 0 };
    let step = |length| {
        let asked = Walks { from: from.clone(), walks: each, length, seed: 17 };
        let all = walks(graph, &asked, 2, None).unwrap();
        let came: Vec<u64> =
            all.visits.iter().zip(&before.visits).map(|(all, before)| all - before).collect();
        assert_eq!(came.iter().sum::<u64>(), all.steps - before.steps);
        before = all;
        came
    };
    (from.len() as u64 * each, (1..=PROGRAMS[0].len() as u64).map(step).collect())
}

/// Compares how many of so many walks are at each vertex.
pub fn compare(what: &str, came: &[u64], count: u64, from_all: bool, said: &Said) {
    let shares = (0..came.len()).map(|vertex| said.of(vertex).unwrap_or(0.0));
    let expected: Vec<f64> = shares.map(|share| share * count as f64).collect();
    for (vertex, (found, wanted)) in came.iter().zip(&expected).enumerate() {
        let near = (*found as f64 - wanted).abs() <= bound(*wanted) && (*wanted > 0.0 || *found == 0);
        assert!(near, "{what}: {found} walks are at vertex {vertex}, and {} expects {wanted}", said.whose);
    }
    // From one vertex, each walk is like any other.
    if !from_all {
        fits(what, came, &expected, count as f64);
    }
}

/// How far from their expectation independent events may be whose variance is no more than that, by Bernstein's inequality.
fn bound(expected: f64) -> f64 {
    CHANCE / 3.0 + (CHANCE * CHANCE / 9.0 + 2.0 * expected * CHANCE).sqrt()
}

/// Pearson's test: all vertices together are as far from what is expected as chance would have it, no more and no less.
fn fits(what: &str, came: &[u64], expected: &[f64], count: f64) {
    // Those of few walks are one cell, with walks that have ended.
    const FEW: f64 = 5.0;
    let (mut freedom, mut statistic) = (-1.0f64, 0.0);
    let (mut left, mut left_expected) = (count, count);
    let mut cell = |found: f64, expected: f64| {
        freedom += 1.0;
        statistic += (found - expected).powi(2) / expected;
    };
    for (found, expected) in came.iter().zip(expected).filter(|(_, expected)| **expected >= FEW) {
        cell(*found as f64, *expected);
        (left, left_expected) = (left - *found as f64, left_expected - expected);
    }
    if left_expected >= FEW {
        cell(left, left_expected);
    }
    if freedom < 1.0 {
        return;
    }
    // By Wilson and Hilferty the statistic's cube root is about normal; 5 standard deviations are 3 in 10^7.
    let [least, most] = [-5.0, 5.0].map(|deviations: f64| {
        let (mean, deviation) = (1.0 - 2.0 / (9.0 * freedom), (2.0 / (9.0 * freedom)).sqrt());
        freedom * (mean + deviations * deviation).max(0.0).powi(3)
    });
    assert!((least..=most).contains(&statistic), "{what}: χ² is {statistic}, not {least} to {most}");
}
