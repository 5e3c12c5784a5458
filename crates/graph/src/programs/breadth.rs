//! Breadth-first search.

use crate::file::Id;
use crate::program::Program;
use crate::vertex::{Start, Vertex};

/// The distance of what cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

/// How many edges lead from one vertex to each other: what they show.
#[derive(Clone, Copy, Debug)]
pub struct Breadth {
    /// Where it begins.
    pub from: usize,
}

impl Program for Breadth {
    type Own = [u8; 0];
    type Shown = u32;
    type Edge = ();
    type Scratch = ();

    const NAME: &'static str = "breadth-first";
    const SELECTIVE: bool = true;

    fn settings(&self) -> String {
        format!("from {}", self.from)
    }

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], u32) {
        if vertex.id() == self.from {
            vertex.schedule();
        }
        ([], UNREACHED)
    }

    #[inline]
    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        if vertex.id() == self.from {
            vertex.show(0);
        } else if vertex.shown() == UNREACHED {
            let nearest = vertex.incoming().fold(UNREACHED, |nearest, other, ()| nearest.min(other));
            vertex.show(nearest.saturating_add(1));
        }
    }
}
