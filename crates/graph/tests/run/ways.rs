//! How a run may be divided among threads, on which nothing that it comes to depends.

use upcall_graph::Options;

/// Threads, and how many edges each takes at once: a block, some blocks, or what the engine chooses.
pub const WAYS: [(usize, Option<u64>); 7] = [
    (2, Some(1)),
    (4, Some(1)),
    (1, Some(1)),
    (2, Some(3 * 1024)),
    (4, Some(3 * 1024)),
    (4, None),
    (2, Some(u64::MAX)),
];

/// One of them, for whoever has many graphs to run over: over each another one.
pub fn way<'a>(of: usize) -> Options<'a> {
    let (threads, edges_at_once) = WAYS[of % WAYS.len()];
    Options { threads, edges_at_once, ..Options::default() }
}
