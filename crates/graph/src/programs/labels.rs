//! Communities by label propagation (Raghavan, Albert, Kumara 2007), synchronous and without chance, as Graphalytics has it (CDLP).

use crate::file::Id;
use crate::program::{Control, Iteration, Program};
use crate::vertex::{Start, Vertex};

/// Each vertex shows its label: at first its own number, then the one that most of its neighbours show, of several the least. Each
/// edge counts, in both directions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labels;

impl Program for Labels {
    type Own = [u8; 0];
    type Shown = u64;
    type Edge = ();
    type Scratch = Vec<u64>;

    const NAME: &'static str = "labels";
    const OUTGOING: bool = true;

    /// While the list grows there may be two of it.
    fn scratch(edges: u64) -> u64 {
        2 * size_of::<u64>() as u64 * edges
    }

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], u64) {
        ([], vertex.id() as u64)
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, labels: &mut Vec<u64>) {
        labels.clear();
        vertex.incoming().fold((), |(), label, ()| labels.push(label));
        if vertex.is_directed() {
            vertex.outgoing().fold((), |(), label, ()| labels.push(label));
        }
        labels.sort_unstable();
        let mut most = (0, vertex.shown());
        for same in labels.chunk_by(|one, other| one == other) {
            if same.len() > most.0 {
                most = (same.len(), same[0]);
            }
        }
        if most.1 != vertex.shown() {
            vertex.add_residual(1.0);
            vertex.show(most.1);
        }
    }

    fn after_iteration(&mut self, done: &Iteration) -> Control {
        if done.residual == 0.0 { Control::Stop } else { Control::Continue }
    }
}
