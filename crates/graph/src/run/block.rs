//! What is known of blocks of vertices, and what is done with each before its vertices are updated.

use super::active::Schedule;
use super::kernel::Kernel;
use super::room::{Parts, Room};
use super::{BLOCK, Running};
use crate::error::{Error, ErrorKind};
use crate::file::Id;
use crate::vertex::Context;

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
    pub(super) same: bool,
    /// Whether none of its vertices was updated in the last iteration, so that its outgoing edges have in both arrays what they do in
    /// the one that is read.
    pub(super) silent: bool,
}

/// A bit for each vertex of a block.
pub(super) type Scheduled = [u64; BLOCK / 64];

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Has the vertices of a block show what they did, and their edges go on with their values, and says which of the vertices are
    /// scheduled; nothing if none is. Their neighbours are at hand then, in a room that is for this block.
    pub(super) fn prepare(
        &self,
        block: usize,
        context: Context,
        room: &mut Room<I>,
    ) -> Result<Option<Scheduled>, Error> {
        let range = self.vertices_of(block);
        let (read, written) = self.now(context);
        let scheduled =
            if self.needs.selective { self.active[read].take(block) } else { [u64::MAX; BLOCK / 64] };
        // SAFETY: each block is in one chunk, and each chunk is taken once per job; what vertices showed is only read meanwhile.
        let (next, shown, tally, state) = unsafe {
            (
                self.shown[written].part(range.clone()),
                self.shown[read].whole(),
                &mut self.tallies.part(block..block + 1)[0],
                &mut self.states.part(block..block + 1)[0],
            )
        };
        *tally = Tally::default();
        let idle = scheduled == [0; BLOCK / 64];
        let was_silent = std::mem::replace(&mut state.silent, idle);
        if !(idle && was_silent) {
            self.carry(block, context);
        }
        if idle && state.same {
            return Ok(None);
        }
        next.copy_from_slice(&shown[range.clone()]);
        state.same = idle;
        if idle {
            return Ok(None);
        }
        self.expects_neighbours(block);
        if self.graph.is_compressed() {
            self.decode(room, block)?;
        }
        if !state.within {
            let Parts { incoming, outgoing } = self.at_hand(room);
            let sides =
                [Some((&self.incoming, incoming)), self.outgoing.as_ref().map(|side| (side, outgoing))];
            let mut sides = sides.into_iter().flatten();
            if !sides.all(|(side, ids)| side.are_within(ids, range.clone(), context.vertices)) {
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
        Ok(Some(scheduled))
    }

    /// Schedules whoever sees what this vertex shows: by its incoming edges, and by its outgoing ones if the program looks at these.
    #[inline]
    pub(super) fn wake(&self, id: usize, outgoing: bool, parts: &Parts<'_, I>, schedule: Schedule<'_>) {
        let seen = self.outgoing.as_ref().map_or(&[][..], |side| parts.outgoing.get(side.of(id)));
        schedule.all(seen);
        if outgoing && self.graph.is_directed() {
            schedule.all(parts.incoming.get(self.incoming.of(id)));
        }
    }
}
