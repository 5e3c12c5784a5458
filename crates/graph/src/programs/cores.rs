//! The k-core decomposition, by h-indices (Lü, Zhou, Zhang, Stanley 2016).

use crate::file::Id;
use crate::program::Program;
use crate::vertex::{Start, Vertex};

/// In which core each vertex is: the largest `k` such that it belongs to a subgraph in which all have `k` neighbours. Each vertex shows
/// it at the end.
///
/// The graph is taken as undirected. An edge that is there several times counts as often, and edges in both directions of a directed
/// graph count as two, as they do for NetworkX's `core_number`. Edges from a vertex to itself do not count.
///
/// A vertex shows how many neighbours it has at first, and then the largest `h` such that `h` of them show `h` or more, which
/// falls until it is its core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cores;

impl Program for Cores {
    type Own = [u8; 0];
    type Shown = u32;
    type Edge = ();
    type Scratch = Vec<u32>;

    const NAME: &'static str = "cores";
    const ANY_ORDER: bool = true;
    const OUTGOING: bool = true;
    const SELECTIVE: bool = true;

    /// While the list grows there may be two of it.
    fn scratch(edges: u64) -> u64 {
        2 * size_of::<u32>() as u64 * edges
    }

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], u32) {
        vertex.schedule();
        // More than any of them has, so that the first update makes it the number of its neighbours.
        ([], u32::MAX)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, counts: &mut Vec<u32>) {
        let sides = [Some(vertex.incoming()), vertex.is_directed().then(|| vertex.outgoing())];
        let all: usize = sides.iter().flatten().map(|side| side.len()).sum();
        let most = (vertex.shown() as usize).min(all);
        counts.clear();
        counts.resize(most + 1, 0);
        for side in sides.into_iter().flatten() {
            for index in (0..side.len()).filter(|index| side.id(*index) != vertex.id()) {
                counts[(side.shown(index) as usize).min(most)] += 1;
            }
        }
        let (mut core, mut above) = (most, 0);
        while core > 0 {
            above += counts[core] as usize;
            if above >= core {
                break;
            }
            core -= 1;
        }
        // Each is less than what u32 counts, as is what it showed.
        vertex.show(core as u32);
    }
}
