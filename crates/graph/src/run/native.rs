//! Programs in Rust, vertex by vertex.

use super::active::{Schedule, each};
use super::block::Tally;
use super::budget::Most;
use super::kernel::{Kernel, Needs};
use super::room::Room;
use super::{BLOCK, EDGES, Running};
use crate::error::Error;
use crate::file::{Graph, Id};
use crate::program::{Control, EdgeValue, Interval, Iteration, Program};
use crate::vertex::{Context, Neighbours, Start, Values, Vertex};
use std::ops::Range;
use std::sync::{PoisonError, RwLock};
use upcall_abi::{ahead, dense};
use upcall_host::Lent;

/// Written while no vertex is updated only.
pub(super) struct Native<P>(RwLock<P>);

impl<P> Native<P> {
    pub(super) fn new(program: P) -> Native<P> {
        Native(RwLock::new(program))
    }

    pub(super) fn into_inner(self) -> P {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Program, I: Id> Kernel<I> for Native<P> {
    type Own = P::Own;
    type Shown = P::Shown;
    type Edge = P::Edge;
    type Worker = P::Scratch;

    const EDGES: u64 = EDGES;
    const ALL_ARE_TOLD: bool = false;

    fn identity(&self) -> (String, String) {
        (P::NAME.to_owned(), self.0.read().unwrap_or_else(PoisonError::into_inner).settings())
    }

    fn needs(&self) -> Needs {
        Needs { outgoing: P::OUTGOING, selective: P::SELECTIVE, writes: P::WRITES }
    }

    fn workers(&self, asked: usize) -> usize {
        asked
    }

    fn room(&self, _: &Graph, most: &Most) -> u64 {
        P::scratch(most.vertex)
    }

    fn work(
        &self,
        _: usize,
        _: usize,
        _: &[Lent],
        body: &mut dyn FnMut(&mut P::Scratch),
    ) -> Result<(), Error> {
        body(&mut P::Scratch::default());
        Ok(())
    }

    fn start(
        &self,
        run: &Running<'_, Self, I>,
        _: &mut P::Scratch,
        blocks: Range<usize>,
    ) -> Result<(), Error> {
        let program = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let degrees = run.graph.out_degrees();
        for block in blocks {
            let range = run.vertices_of(block);
            // SAFETY: each block is in one chunk, and each chunk is taken once.
            let (own, shown, tally) = unsafe {
                let tally = &mut run.tallies.part(block..block + 1)[0];
                (run.own.part(range.clone()), run.shown[0].part(range.clone()), tally)
            };
            for (at, id) in range.enumerate() {
                let in_degree = run.incoming.of(id).len() as u64;
                let (out_degree, vertices) = (degrees[id], degrees.len());
                let mut vertex = Start { id, vertices, out_degree, in_degree, tally, scheduled: false };
                let begins = program.start(&mut vertex);
                if vertex.scheduled {
                    run.active[0].add(id);
                }
                (own[at], shown[at]) = begins;
            }
        }
        Ok(())
    }

    fn update(
        &self,
        run: &Running<'_, Self, I>,
        scratch: &mut P::Scratch,
        room: &mut Room<I>,
        mut blocks: Range<usize>,
        context: Context,
    ) -> Result<(), Error> {
        let program = &*self.0.read().unwrap_or_else(PoisonError::into_inner);
        blocks.try_for_each(|block| update(program, run, (scratch, room), block, context))
    }

    fn changed(&self, context: Context) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).after_change(context);
    }

    fn before(&self, context: Context) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).before_iteration(context);
    }

    fn before_interval(&self, interval: &Interval) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).before_interval(interval);
    }

    fn after_interval(
        &self,
        _: &Running<'_, Self, I>,
        _: &mut P::Scratch,
        interval: &Interval,
    ) -> Result<bool, Error> {
        let mut program = self.0.write().unwrap_or_else(PoisonError::into_inner);
        program.after_interval(interval);
        Ok(program.repeat_updates(interval))
    }

    fn after(
        &self,
        _: &Running<'_, Self, I>,
        _: &mut P::Scratch,
        done: &Iteration,
    ) -> Result<Control, Error> {
        Ok(self.0.write().unwrap_or_else(PoisonError::into_inner).after_iteration(done))
    }
}

/// Updates those vertices of a block that are scheduled.
fn update<P: Program, I: Id>(
    program: &P,
    run: &Running<'_, Native<P>, I>,
    (scratch, room): (&mut P::Scratch, &mut Room<I>),
    block: usize,
    context: Context,
) -> Result<(), Error> {
    // What is decoded stays in the processor's cache until it was looked at.
    run.begin(room, &(block..block + 1));
    let Some(scheduled) = run.prepare(block, context, room)? else { return Ok(()) };
    let parts = run.at_hand(room);
    let range = run.vertices_of(block);
    let (read, written) = run.now(context);
    // SAFETY: each block is in one chunk, and each chunk is taken once per job; what vertices showed is only read meanwhile.
    let (own, next, shown, sums) = unsafe {
        (
            run.own.part(range.clone()),
            run.shown[written].part(range.clone()),
            run.shown[read].whole(),
            &mut run.tallies.part(block..block + 1)[0],
        )
    };
    // Of this thread alone until the block is done, so that sums stay in registers.
    let mut tally = Tally::default();
    // Each has as many elements as the block has vertices, which is compared here and not for each vertex.
    let count = range.len();
    let (own, next, before) = (&mut own[..count], &mut next[..count], &shown[range.clone()][..count]);
    let out_degrees = &run.graph.out_degrees()[range.clone()][..count];
    let sides = (run.incoming.row(&range), run.outgoing.as_ref().filter(|_| P::OUTGOING || P::WRITES));
    let (incoming, outgoing) = (sides.0, sides.1.map(|side| (side, side.row(&range))));
    let wakes = run.wakes(context);
    let schedule = Schedule(P::SELECTIVE.then_some(&wakes));
    // Where most vertices of the block are updated, what those behind a vertex see is asked for while it is.
    let updated = scheduled.iter().map(|some| some.count_ones() as usize).sum();
    let end = if dense(updated, BLOCK) { incoming.of(0..count).end } else { 0 };
    let mut one = |at: usize| {
        let edges = incoming.of(at..at + 1);
        let out = outgoing.map(|(side, row)| (side, row.of(at..at + 1)));
        let seen = match &out {
            Some((_, out)) if P::WRITES => {
                let incoming = (edges.clone(), end.max(edges.end));
                // SAFETY: each block is in one chunk, and each chunk is taken once per job; vertices are seen one after the other.
                unsafe { run.seen(context, incoming, out.clone()) }
            }
            _ => None,
        };
        let (values, out_values, next_values) = match seen {
            Some(seen) => (seen.incoming, seen.outgoing, seen.next),
            None if P::Edge::ELEMENT.is_none() => (Values::None, Values::None, &mut [][..]),
            None => {
                let out_values = out.as_ref().map_or(Values::None, |(side, out)| side.values(out.clone()));
                (run.incoming.values(edges.clone()), out_values, &mut [][..])
            }
        };
        // Who sets values of edges looks at these, and not at what others show.
        let to = if P::WRITES { 0 } else { end.max(edges.end) };
        // SAFETY: all edges of the block were looked at, and are at hand: where they are decoded, by these offsets, and each time from
        // the same bytes.
        let (ids, ahead) = unsafe {
            (parts.incoming.get_unchecked(edges.clone()), parts.incoming.get_unchecked(ahead(edges, to)))
        };
        // SAFETY: as above.
        let incoming = unsafe { Neighbours::new((ids, ahead), shown, values) };
        let out_ids = out.map_or(&[][..], |(_, out)| parts.outgoing.get(out));
        // SAFETY: as above.
        let outgoing = unsafe { Neighbours::new((out_ids, &[]), shown, out_values) };
        tally.updated += 1;
        tally.edges += (incoming.len() + outgoing.len()) as u64;
        let mut vertex: Vertex<'_, P, I> = Vertex {
            own: &mut own[at],
            id: range.start + at,
            shown: before[at],
            next: &mut next[at],
            incoming,
            outgoing,
            out_degree: out_degrees[at],
            directed: run.graph.is_directed(),
            next_values,
            tally: &mut tally,
            schedule,
            context,
        };
        program.update(&mut vertex, scratch);
        if P::SELECTIVE && next[at] != before[at] {
            run.wake(range.start + at, P::OUTGOING, &parts, schedule);
        }
    };
    if P::SELECTIVE {
        each(&scheduled, |at| {
            if at < count {
                one(at)
            }
        });
    } else {
        (0..count).for_each(&mut one);
    }
    *sums = tally;
    Ok(())
}
