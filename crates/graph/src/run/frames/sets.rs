//! Values of edges that a program in a guest writes: side by side in a frame, and from there to the places of the edges.

use super::rows::{Rows, Run, written};
use crate::guest::Bits;
use crate::run::Schedule;
use crate::run::room::Parts;
use crate::vertex::Context;
use upcall_abi::VertexFrame;

impl<O: Bits, S: Bits, E: Bits> Rows<O, S, E> {
    /// Lends the frame room for the values that its vertices' outgoing edges have next: what they have now.
    pub(super) fn lend_values(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        frame: &mut VertexFrame,
        context: Context,
    ) {
        let (Some(edges), Some(side)) = (&run.edges, &run.outgoing) else { return };
        // SAFETY: those of the last iteration are only read for as long as vertices are updated.
        let now = unsafe { edges.values[run.now(context).0].whole() };
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        for id in self.vertices() {
            values.extend(edges.places()[side.of(id)].iter().map(|place| now[*place as usize]));
        }
        frame.next_values = written(&mut values);
        self.values = values;
    }

    /// The vertices, if the program writes values of edges, and those that their outgoing edges have next.
    pub(super) fn sets(&self, run: Run<'_, '_, '_, '_, O, S, E>) -> impl Iterator<Item = (usize, &[E])> {
        let side = run.outgoing.as_ref().filter(|_| run.needs.writes);
        let mut behind = &*self.values;
        side.into_iter().flat_map(|side| self.vertices().map(|id| (id, side.of(id).len()))).map_while(
            move |(id, degree)| {
                let (set, rest) = behind.split_at_checked(degree)?;
                behind = rest;
                Some((id, set))
            },
        )
    }

    /// Takes them from there, and wakes those at the other ends that see a change.
    pub(super) fn set_values(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        parts: &Parts<'_, u32>,
        context: Context,
        schedule: Schedule<'_>,
    ) {
        let (Some(edges), Some(side)) = (&run.edges, &run.outgoing) else { return };
        let (read, written) = run.now(context);
        for (id, set) in self.sets(run) {
            let range = side.of(id);
            let places = edges.places()[range.clone()].iter();
            for ((place, to), value) in places.zip(parts.outgoing.get(range)).zip(set) {
                let place = *place as usize;
                // SAFETY: those of this iteration are only written for as long as vertices are updated.
                unsafe { edges.values[written].set(place, *value) };
                // SAFETY: those of the last one are only read.
                if run.needs.selective && unsafe { edges.values[read].whole() }[place] != *value {
                    schedule.add(*to as usize);
                }
            }
        }
    }
}
