//! Kronecker graphs as Graph500 specifies them, which are those of GAP: skewed, with vertices of no edge.

use std::collections::BTreeSet;

/// Edges per vertex, before loops and duplicates are left out.
const EDGE_FACTOR: usize = 16;

/// Edges of 2^scale vertices in ascending order, each once.
pub fn edges(scale: u32) -> BTreeSet<(usize, usize)> {
    let (vertices, mut random) = (1 << scale, random(u64::from(scale)));
    let mut names: Vec<usize> = (0..vertices).collect();
    // So that degrees do not fall with numbers.
    for at in (1..vertices).rev() {
        names.swap(at, (random() * (at + 1) as f64) as usize);
    }
    let mut edge = || {
        let (mut source, mut destination) = (0, 0);
        for _ in 0..scale {
            let (one, other) = match random() {
                chance if chance < 0.57 => (0, 0),
                chance if chance < 0.76 => (0, 1),
                chance if chance < 0.95 => (1, 0),
                _ => (1, 1),
            };
            (source, destination) = (source << 1 | one, destination << 1 | other);
        }
        (names[source], names[destination])
    };
    (0..EDGE_FACTOR << scale).map(|_| edge()).filter(|(source, destination)| source != destination).collect()
}

/// Numbers from 0 to less than 1 (SplitMix64: Steele, Lea, Flood 2014).
fn random(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }
}
