//! What a graph is like: its degrees, its loops.

use crate::file::{Graph, Ids, places};
use std::collections::BTreeMap;

/// How often a degree is met: the degree, and how many vertices have it.
pub type Degrees = BTreeMap<u64, u64>;

/// What a graph is like.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// How many edges come into vertices.
    pub incoming: Degrees,
    /// How many edges go out of them.
    pub outgoing: Degrees,
    /// How many vertices have no edges, but perhaps loops.
    pub isolated: u64,
    /// How many edges are loops.
    pub loops: u64,
}

impl Graph {
    /// What the graph is like. It reads the offsets and degrees, and of neighbours what it takes to find each vertex among its own: all
    /// where they are compressed.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let (mut edges, offsets) = (self.incoming_in_order(), self.in_offsets());
        let mut summary =
            Summary { incoming: Degrees::new(), outgoing: Degrees::new(), isolated: 0, loops: 0 };
        for (vertex, out) in self.out_degrees().iter().enumerate() {
            let (into, out) = (places(offsets, vertex, self.edges()).len() as u64, u64::from(*out));
            *summary.incoming.entry(into).or_default() += 1;
            *summary.outgoing.entry(out).or_default() += 1;
            // Loops of vertices whose edges are damaged are not counted.
            let loops = edges.of(vertex).map_or(0, |(_, ids)| first(&ids, vertex + 1) - first(&ids, vertex));
            let loops = loops as u64;
            summary.loops += loops;
            summary.isolated += u64::from(into == loops && out == loops);
        }
        summary
    }
}

/// Where the first neighbour is that is no less than this.
pub(crate) fn first(neighbours: &Ids<'_>, vertex: usize) -> usize {
    let (mut begin, mut end) = (0, neighbours.len());
    while begin < end {
        let middle = begin.midpoint(end);
        match neighbours.get(middle) < vertex {
            true => begin = middle + 1,
            false => end = middle,
        }
    }
    begin
}
