//! Values of edges that a program in a guest writes.

use super::rows::{Rows, Run, written};
use crate::guest::Bits;
use crate::run::Schedule;
use crate::run::room::Parts;
use crate::vertex::Context;
use upcall_abi::VertexFrame;

impl<O: Bits, S: Bits, E: Bits> Rows<O, S, E> {
    /// Lends the frame the values that its vertices' outgoing edges have next, which are what they have now: where they are, or copied side
    /// by side where the vertices lie apart.
    pub(super) fn lend_values(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        frame: &mut VertexFrame,
        context: Context,
    ) {
        let (Some(edges), Some(side)) = (&run.edges, &run.outgoing) else { return };
        let (read, next) = run.now(context);
        let Some(picked) = &self.picked else {
            // SAFETY: outgoing edges are in order, so that these are of this worker's vertices alone.
            let next = unsafe { edges.values[next].part(side.of_all(self.chunk.clone())) };
            frame.next_values = written(next);
            return;
        };
        // SAFETY: those of the last iteration are only read for as long as vertices are updated.
        let now = unsafe { edges.values[read].whole() };
        self.values.clear();
        for id in picked {
            self.values.extend_from_slice(&now[side.of(*id as usize)]);
        }
        frame.next_values = written(&mut self.values);
    }

    /// Takes them from there, and wakes those at the other ends that see a change.
    pub(super) fn take_values(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        parts: &Parts<'_, u32>,
        context: Context,
        schedule: Schedule<'_>,
    ) {
        let (Some(edges), Some(side)) = (&run.edges, &run.outgoing) else { return };
        if !run.needs.selective {
            return;
        }
        let (read, next) = run.now(context);
        // SAFETY: those of the last iteration are only read for as long as vertices are updated.
        let now = unsafe { edges.values[read].whole() };
        let mut copied = self.picked.as_ref().map(|_| &*self.values);
        for id in self.vertices() {
            let range = side.of(id);
            // SAFETY: as in `lend_values`.
            let next = unsafe { edges.values[next].part(range.clone()) };
            if let Some(copied) = &mut copied {
                let (these, behind) = copied.split_at(next.len());
                next.copy_from_slice(these);
                *copied = behind;
            }
            for ((to, now), next) in parts.outgoing.get(range.clone()).iter().zip(&now[range]).zip(next) {
                if now != next {
                    schedule.add(*to as usize);
                }
            }
        }
    }
}
