//! One block of vertices in one iteration.

use super::active::{Schedule, each};
use super::{BLOCK, Running};
use crate::error::{Error, ErrorKind};
use crate::file::Id;
use crate::program::Program;
use crate::vertex::{Context, Neighbours, Vertex};

/// What the vertices of a block have added up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) residual: f64,
    pub(crate) total: f64,
    pub(crate) updated: u64,
    pub(crate) edges: u64,
}

impl Tally {
    pub(super) fn and(self, other: &Tally) -> Tally {
        Tally {
            residual: self.residual + other.residual,
            total: self.total + other.total,
            updated: self.updated + other.updated,
            edges: self.edges + other.edges,
        }
    }
}

/// What is known of a block from iteration to iteration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// Whether its edges were looked at, and all lead to a vertex.
    within: bool,
    /// Whether its vertices show in both arrays what they do in the one that is read.
    same: bool,
}

impl<P: Program, I: Id> Running<'_, P, I> {
    /// Updates those of its vertices that are scheduled.
    pub(super) fn update(
        &self,
        block: usize,
        context: Context,
        scratch: &mut P::Scratch,
    ) -> Result<(), Error> {
        let range = self.vertices_of(block);
        let scheduled = if P::SELECTIVE { self.active[0].take(block) } else { [u64::MAX; BLOCK / 64] };
        // SAFETY: each block is in one chunk, and each chunk is taken once per iteration; what vertices showed is only read.
        let (own, next, shown, tally, state) = unsafe {
            (
                self.own.part(range.clone()),
                self.shown[1].part(range.clone()),
                self.shown[0].whole(),
                &mut self.tallies.part(block..block + 1)[0],
                &mut self.states.part(block..block + 1)[0],
            )
        };
        *tally = Tally::default();
        let idle = scheduled == [0; BLOCK / 64];
        if idle && state.same {
            return Ok(());
        }
        next.copy_from_slice(&shown[range.clone()]);
        state.same = idle;
        if idle {
            return Ok(());
        }
        if !state.within {
            let sides = [Some(&self.incoming), self.outgoing.as_ref()];
            if !sides.into_iter().flatten().all(|side| side.are_within(range.clone(), context.vertices)) {
                let why = format!(
                    "run the program: the edges of vertices {} to {} lead to none, or are not in order: the graph's file is \
                     damaged, `upcall graph check` says where",
                    range.start,
                    range.end - 1
                );
                return Err(Error::new(ErrorKind::Format, why));
            }
            state.within = true;
        }
        let degrees = self.graph.out_degrees();
        let mut one = |at: usize| {
            let id = range.start + at;
            let (Some(own), Some(next)) = (own.get_mut(at), next.get_mut(at)) else { return };
            let edges = self.incoming.of(id);
            // SAFETY: all edges of the block were looked at.
            let incoming = unsafe {
                let ids = self.incoming.ids.get_unchecked(edges.clone());
                Neighbours::new(ids, shown, self.incoming.values(edges))
            };
            let out = self.outgoing.as_ref().map_or(0..0, |side| side.of(id));
            let outgoing = self.outgoing.as_ref().filter(|_| P::OUTGOING).map_or(
                // SAFETY: no id is outside.
                unsafe { Neighbours::new(&[], shown, crate::vertex::Values::None) },
                // SAFETY: as above.
                |side| unsafe { Neighbours::new(&side.ids[out.clone()], shown, side.values(out.clone())) },
            );
            tally.updated += 1;
            tally.edges += (incoming.len() + outgoing.len()) as u64;
            let schedule = Schedule(P::SELECTIVE.then_some(&self.active[1]));
            let mut vertex: Vertex<'_, P, I> = Vertex {
                own,
                id,
                shown: shown[id],
                next,
                incoming,
                outgoing,
                out_degree: degrees[id],
                directed: self.graph.is_directed(),
                tally,
                schedule,
                context,
            };
            self.program.update(&mut vertex, scratch);
            if P::SELECTIVE && *vertex.next != shown[id] {
                // Whoever sees it: by its incoming edges, and by its outgoing ones if the program looks at these.
                let seen = self.outgoing.as_ref().map_or(&[][..], |side| &side.ids[out]);
                seen.iter().for_each(|to| schedule.add(to.vertex()));
                if P::OUTGOING && self.graph.is_directed() {
                    self.incoming.ids[self.incoming.of(id)]
                        .iter()
                        .for_each(|from| schedule.add(from.vertex()));
                }
            }
        };
        if P::SELECTIVE {
            each(&scheduled, one);
        } else {
            (0..range.len()).for_each(&mut one);
        }
        Ok(())
    }
}
