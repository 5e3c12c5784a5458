//! Weakly connected components, by the least vertex that is heard of.

use crate::file::Id;
use crate::program::Program;
use crate::vertex::{Start, Vertex};

/// Which vertices are connected, whatever the direction of edges: each shows the least one of its component. What
/// [`weak_components`](super::weak_components) finds sooner, as a vertex program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Components;

impl Program for Components {
    type Own = [u8; 0];
    type Shown = u64;
    type Edge = ();
    type Scratch = ();

    const NAME: &'static str = "components";
    const ANY_ORDER: bool = true;
    const OUTGOING: bool = true;
    const SELECTIVE: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], u64) {
        vertex.schedule();
        ([], vertex.id() as u64)
    }

    #[inline]
    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let least = vertex.incoming().fold(vertex.shown(), |least, other, ()| least.min(other));
        let least = match vertex.is_directed() {
            true => vertex.outgoing().fold(least, |least, other, ()| least.min(other)),
            false => least,
        };
        vertex.show(least);
    }
}
