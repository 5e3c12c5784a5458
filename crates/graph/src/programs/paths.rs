//! Shortest paths (Bellman 1958, Ford 1956).

use super::Weight;
use crate::file::Id;
use crate::program::{Control, Iteration, Program};
use crate::vertex::{Context, Start, Vertex};
use std::marker::PhantomData;

/// How far each vertex is from one of them: the least sum of weights on a way there, infinite where there is none. It is what
/// vertices show.
///
/// Weights may be negative. If a cycle of negative length can be reached no distance is the least; the program then stops after as
/// many iterations as there are vertices, and [`has_negative_cycle`](Self::has_negative_cycle) is true.
#[derive(Clone, Copy, Debug)]
pub struct ShortestPaths<W> {
    /// Where paths begin.
    pub from: usize,
    /// Whether the graph has a cycle of negative length that can be reached.
    pub has_negative_cycle: bool,
    vertices: usize,
    /// The iteration before which edges were changed last.
    since: u64,
    of: PhantomData<fn(W)>,
}

impl<W: Weight> ShortestPaths<W> {
    /// From a vertex of a graph with so many.
    #[must_use]
    pub fn new(from: usize, vertices: usize) -> ShortestPaths<W> {
        ShortestPaths { from, has_negative_cycle: false, vertices, since: 0, of: PhantomData }
    }
}

impl<W: Weight> Program for ShortestPaths<W> {
    type Own = [u8; 0];
    type Shown = f64;
    type Edge = W;
    type Scratch = ();

    const NAME: &'static str = "shortest-paths";
    const ANY_ORDER: bool = true;
    const SELECTIVE: bool = true;

    fn settings(&self) -> String {
        format!("from {}, weights {}", self.from, W::ELEMENT.unwrap_or("1"))
    }

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], f64) {
        if vertex.id() == self.from {
            vertex.schedule();
        }
        ([], f64::INFINITY)
    }

    #[inline]
    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let known = if vertex.id() == self.from { vertex.shown().min(0.0) } else { vertex.shown() };
        let shortest =
            vertex.incoming().fold(known, |shortest, other, weight| shortest.min(other + weight.weight()));
        if shortest < vertex.shown() {
            vertex.show(shortest);
        }
    }

    fn after_change(&mut self, context: Context) {
        self.since = context.iteration;
    }

    fn before_iteration(&mut self, context: Context) {
        // It may have been used in another run.
        if context.iteration < self.since {
            self.since = 0;
        }
    }

    fn after_iteration(&mut self, done: &Iteration) -> Control {
        // The longest path without a cycle has one edge less than there are vertices, and the first iteration looks at none.
        self.has_negative_cycle = done.number - self.since > self.vertices as u64 && done.scheduled > 0;
        if self.has_negative_cycle { Control::Stop } else { Control::Continue }
    }
}
