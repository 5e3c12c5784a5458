//! The vertices of a frame, and a worker's room for what a frame says of them.

use super::super::Running;
use super::Frames;
use crate::error::Error;
use crate::file::Graph;
use crate::guest::{Bits, Gather, Guest, Shape};
use crate::run::active::each;
use crate::run::block::Tally;
use crate::run::budget::Most;
use crate::run::room::{Parts, Room};
use crate::run::{BLOCK, Schedule};
use crate::value::ValueType;
use crate::vertex::Context;
use std::ops::Range;
use upcall_abi::{Rel, VertexFrame, VertexTally, ahead, dense};

pub(super) type Run<'a, 'g, 'p, 'f, O, S, E> = &'a Running<'g, Frames<'p, 'f, O, S, E>, u32>;

/// Which vertices of a chunk are in a frame: all, or some that lie apart and whose values are copied side by side.
pub(super) struct Rows<O, S, E> {
    pub(super) chunk: Range<usize>,
    /// The vertices that are scheduled, where not all are.
    pub(super) picked: Option<Vec<u32>>,
    own: Vec<O>,
    before: Vec<S>,
    next: Vec<S>,
    degrees: Vec<u32>,
    /// Of incoming edges and of outgoing ones.
    begins: [Vec<u64>; 2],
    ends: [Vec<u64>; 2],
    gathered: Vec<u64>,
    narrow: Vec<u32>,
    tallies: Vec<VertexTally>,
    woken: Vec<u32>,
    /// Of the outgoing edges of those that were picked.
    pub(super) values: Vec<E>,
}

impl<O, S, E> Default for Rows<O, S, E> {
    fn default() -> Self {
        Rows {
            chunk: 0..0,
            picked: None,
            own: Vec::new(),
            before: Vec::new(),
            next: Vec::new(),
            degrees: Vec::new(),
            begins: [Vec::new(), Vec::new()],
            ends: [Vec::new(), Vec::new()],
            gathered: Vec::new(),
            narrow: Vec::new(),
            tallies: Vec::new(),
            woken: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// What a frame says of memory that its handler writes.
pub(super) fn written<T>(elements: &mut [T]) -> Rel<u8> {
    Rel::new(elements.as_mut_ptr().expose_provenance() as u64, size_of_val(elements) as u64)
}

/// What a frame says of memory that is only read.
pub(super) fn bytes<T>(elements: &[T]) -> Rel<u8> {
    Rel::new(elements.as_ptr().expose_provenance() as u64, size_of_val(elements) as u64)
}

/// As many elements of which all bytes are 0.
fn zeroes<T: Clone + Default>(elements: &mut Vec<T>, count: usize) -> &mut [T] {
    elements.clear();
    elements.resize(count, T::default());
    elements
}

/// What is lent to Node ends there in the memory that it sees; what has no room is copied.
const LENT: u64 = 3 << 30;

/// How many bytes a worker takes for its frames, in this process: for what they say, and for what of them crosses into memory that it
/// shares with another process. What crosses into a module's memory is the module's.
pub(super) fn room<O: Bits, S: Bits, E: Bits>(guest: &Guest, graph: &Graph, most: &Most) -> u64 {
    let Shape { selective, writes, gather, edge, .. } = &guest.shape;
    let [own, shown, set] = [size_of::<O>(), size_of::<S>(), size_of::<E>()].map(|size| size as u64);
    let (edges, if_so) = (most.incoming + most.outgoing, |so: bool, bytes: u64| if so { bytes } else { 0 });
    let offsets = 2 * 2 * size_of::<u64>() as u64;
    let picked = own + 2 * shown + 2 * size_of::<u32>() as u64;
    let tallies = most.vertices.div_ceil(BLOCK as u64) * size_of::<VertexTally>() as u64;
    let woken = if_so(*selective, (most.vertices + edges) * size_of::<u32>() as u64);
    let sets = if_so(*writes, most.outgoing * set);
    let narrow = gather.is_some_and(Gather::keeps_type) && size_of::<S>() == size_of::<u32>();
    let gathered = if_so(gather.is_some(), size_of::<u64>() as u64) + if_so(narrow, size_of::<u32>() as u64);
    let vertex = offsets + gathered + if_so(*selective, picked);
    // While a list grows there may be two of it.
    let here = most.vertices * vertex + tallies + woken + 2 * if_so(*selective, sets);
    if !guest.host.capabilities().maps_lent {
        return here;
    }
    let vertex = own + 2 * shown + offsets + gathered + 2 * size_of::<u32>() as u64;
    let file: u64 = graph.file().entries().iter().map(|entry| entry.rows() * entry.size() as u64).sum();
    let values = graph.vertices() as u64 * 2 * shown + if_so(*writes, graph.edges() as u64 * (2 * set + 8));
    // What each neighbour shows and its edge has, side by side, and where.
    let value = edge.map_or(0, |of| of.size() as u64);
    let beside = if_so(file + values > LENT, edges * (shown + value + 2 * size_of::<u32>() as u64));
    here + most.vertices * vertex + tallies + woken + sets + beside
}

impl<O: Bits, S: Bits, E: Bits> Rows<O, S, E> {
    /// All vertices of a chunk.
    pub(super) fn all(&mut self, chunk: Range<usize>) {
        (self.chunk, self.picked) = (chunk, None);
    }

    /// Those vertices of a chunk's blocks that are scheduled: how many there are.
    pub(super) fn scheduled(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        blocks: Range<usize>,
        context: Context,
        room: &mut Room<u32>,
    ) -> Result<usize, Error> {
        let mut picked = self.picked.take().unwrap_or_default();
        picked.clear();
        self.chunk = run.vertices_in(&blocks);
        run.begin(room, &blocks);
        for block in blocks {
            if let Some(scheduled) = run.prepare(block, context, room)?
                && run.needs.selective
            {
                each(&scheduled, |at| picked.push((block * BLOCK + at) as u32));
            }
        }
        let count = if run.needs.selective { picked.len() } else { self.chunk.len() };
        self.picked = (count < self.chunk.len()).then_some(picked);
        Ok(count)
    }

    /// The vertices, in ascending order.
    pub(super) fn vertices(&self) -> impl Iterator<Item = usize> {
        let picked = self.picked.iter().flatten().map(|id| *id as usize);
        let chunk = if self.picked.is_some() { 0..0 } else { self.chunk.clone() };
        chunk.chain(picked)
    }

    /// Has the frame say what these vertices are, and where their values and edges are. Arrays of edges begin with the `first` of each
    /// side.
    pub(super) fn show(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        frame: &mut VertexFrame,
        (own, next, shown): (&mut [O], &mut [S], &[S]),
        first: [usize; 2],
    ) {
        let degrees = run.graph.out_degrees();
        let sides = [Some(&run.incoming), run.outgoing.as_ref().filter(|_| run.needs.sees_outgoing())];
        frame.first = self.chunk.start as u64;
        let Some(picked) = &self.picked else {
            let chunk = self.chunk.clone();
            frame.count = chunk.len() as u64;
            (frame.own, frame.next) = (written(own), written(next));
            frame.out_degrees = Rel::of(&degrees[chunk.clone()]);
            frame.before = bytes(shown.get(chunk.clone()).unwrap_or_default());
            let edges = [&mut frame.incoming, &mut frame.outgoing].into_iter().zip(first);
            for (((edges, first), side), moved) in edges.zip(sides).zip(&mut self.begins) {
                let Some(side) = side else { continue };
                let mut offsets = &side.offsets[chunk.start..=chunk.end];
                if first > 0 {
                    moved.clear();
                    moved.extend(offsets.iter().map(|offset| offset.saturating_sub(first as u64)));
                    offsets = moved;
                }
                edges.begins = Rel::of(&offsets[..chunk.len()]);
                edges.ends = Rel::of(&offsets[1..]);
            }
            return;
        };
        let all = || picked.iter().map(|id| *id as usize);
        let start = self.chunk.start;
        self.own.clear();
        self.own.extend(all().map(|id| own[id - start]));
        self.before.clear();
        self.before.extend(all().map(|id| shown[id]));
        self.next.clone_from(&self.before);
        self.degrees.clear();
        self.degrees.extend(all().map(|id| degrees[id]));
        frame.count = picked.len() as u64;
        frame.ids = Rel::of(picked);
        (frame.own, frame.next) = (written(&mut self.own), written(&mut self.next));
        (frame.before, frame.out_degrees) = (bytes(&self.before), Rel::of(&self.degrees));
        let places = self.begins.iter_mut().zip(&mut self.ends);
        let edges = [&mut frame.incoming, &mut frame.outgoing].into_iter().zip(first);
        for (((edges, first), side), (begins, ends)) in edges.zip(sides).zip(places) {
            let Some(side) = side else { continue };
            let place = |vertex: usize| side.offsets[vertex] - first as u64;
            begins.clear();
            begins.extend(all().map(place));
            ends.clear();
            ends.extend(all().map(|id| place(id + 1)));
            (edges.begins, edges.ends) = (Rel::of(begins), Rel::of(ends));
        }
    }

    /// Puts together what the incoming neighbours of each come to.
    pub(super) fn gather(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        frame: &mut VertexFrame,
        (by, of): (Gather, ValueType),
        (parts, shown): (&Parts<'_, u32>, &[S]),
    ) {
        let (mut gathered, mut narrow) =
            (std::mem::take(&mut self.gathered), std::mem::take(&mut self.narrow));
        gathered.clear();
        narrow.clear();
        let updated = self.picked.as_ref().map_or(self.chunk.len(), Vec::len);
        // As much as `room` says.
        gathered.reserve_exact(updated);
        let row = run.incoming.row(&self.chunk);
        // A damaged file says of blocks that nobody has looked at that they have more edges than are at hand.
        let last = run.incoming.of_all(self.chunk.clone()).end.min(parts.incoming.places().end);
        let end = if dense(updated, self.chunk.len()) { last } else { 0 };
        let edges = |at: usize| {
            let edges = row.of(at..at + 1);
            let ahead = ahead(edges.clone(), end.max(edges.end));
            // SAFETY: all edges of these vertices' blocks were looked at, here and below; those ahead are at hand.
            unsafe { (parts.incoming.get_unchecked(edges), parts.incoming.get_unchecked(ahead)) }
        };
        let start = self.chunk.start;
        let take = |bits| gathered.push(bits);
        // SAFETY: as above.
        unsafe {
            match &self.picked {
                Some(picked) => {
                    by.all(of, shown, picked.iter().map(|id| edges(*id as usize - start)), take);
                }
                None => by.all(of, shown, (0..self.chunk.len()).map(edges), take),
            }
        }
        frame.gathered = bytes(&gathered);
        if by.keeps_type() && size_of::<S>() == size_of::<u32>() {
            narrow.extend(gathered.iter().map(|bits| *bits as u32));
            frame.gathered = bytes(&narrow);
        }
        (self.gathered, self.narrow) = (gathered, narrow);
    }

    /// Lends the frame room for what vertices add up, and for those that they wake.
    pub(super) fn lend(&mut self, run: Run<'_, '_, '_, '_, O, S, E>, frame: &mut VertexFrame, wakes: bool) {
        let tallies = zeroes(&mut self.tallies, self.chunk.len().div_ceil(BLOCK));
        frame.tallies = Rel::new(tallies.as_mut_ptr().expose_provenance() as u64, tallies.len() as u64);
        let edges =
            |id: usize| run.incoming.of(id).len() + run.outgoing.as_ref().map_or(0, |side| side.of(id).len());
        let room = if wakes { self.vertices().map(|id| 1 + edges(id)).sum() } else { 0 };
        let woken = zeroes(&mut self.woken, room);
        frame.woken = Rel::new(woken.as_mut_ptr().expose_provenance() as u64, woken.len() as u64);
    }

    /// Takes what has come of the frame: what vertices have added up, and whom they have woken.
    pub(super) fn take(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        frame: &VertexFrame,
        blocks: Range<usize>,
        schedule: Schedule<'_>,
    ) {
        // SAFETY: each block is in one chunk, and each chunk is taken once.
        let tallies = unsafe { run.tallies.part(blocks) };
        for (tally, VertexTally { residual, total }) in tallies.iter_mut().zip(&self.tallies) {
            *tally = Tally { residual: *residual, total: *total, ..Tally::default() };
        }
        let wakes = usize::try_from(frame.wakes).unwrap_or(usize::MAX).min(self.woken.len());
        self.woken[..wakes].iter().for_each(|id| schedule.add(*id as usize));
    }

    /// Counts what was updated, and wakes those that see a change.
    pub(super) fn updated(
        &mut self,
        run: Run<'_, '_, '_, '_, O, S, E>,
        parts: &Parts<'_, u32>,
        (own, next, shown): (&mut [O], &mut [S], &[S]),
        schedule: Schedule<'_>,
    ) {
        let first = self.chunk.start;
        for (index, id) in self.picked.iter().flatten().enumerate() {
            let at = *id as usize - first;
            (own[at], next[at]) = (self.own[index], self.next[index]);
        }
        let (outgoing, sees) = (run.needs.outgoing, run.needs.sees_outgoing());
        let blocks = first / BLOCK..self.chunk.end.div_ceil(BLOCK);
        // SAFETY: as in `take`.
        let tallies = unsafe { run.tallies.part(blocks.clone()) };
        if self.picked.is_none() && !run.needs.selective {
            for (tally, block) in tallies.iter_mut().zip(blocks) {
                let vertices = run.vertices_of(block);
                tally.updated = vertices.len() as u64;
                tally.edges = run.incoming.of_all(vertices.clone()).len() as u64;
                if let Some(side) = run.outgoing.as_ref().filter(|_| sees) {
                    tally.edges += side.of_all(vertices).len() as u64;
                }
            }
            return;
        }
        for id in self.vertices() {
            let tally = &mut tallies[(id - first) / BLOCK];
            tally.updated += 1;
            tally.edges += run.incoming.of(id).len() as u64;
            if let Some(side) = run.outgoing.as_ref().filter(|_| sees) {
                tally.edges += side.of(id).len() as u64;
            }
            if run.needs.selective && next[id - first] != shown[id] {
                run.wake(id, outgoing, parts, schedule);
            }
        }
    }
}
