//! Weakly connected components, by the least vertex that is heard of.

use crate::file::Id;
use crate::program::{Control, Iteration, Program};
use crate::vertex::{Start, Vertex};

/// Which vertices are connected, whatever the direction of edges: each shows the least one of its component.
#[derive(Clone, Copy, Debug, Default)]
pub struct Components;

impl Program for Components {
    type Own = [u8; 0];
    type Shown = u64;
    type Edge = ();
    type Scratch = ();

    const OUTGOING: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], u64) {
        ([], vertex.id() as u64)
    }

    #[inline]
    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let least = vertex.incoming().fold(vertex.shown(), |least, other, ()| least.min(other));
        let least = vertex.outgoing().fold(least, |least, other, ()| least.min(other));
        if least != vertex.shown() {
            vertex.add_residual(1.0);
            vertex.show(least);
        }
    }

    fn after_iteration(&mut self, done: &Iteration) -> Control {
        if done.residual == 0.0 { Control::Stop } else { Control::Continue }
    }
}
