//! Which vertices are updated together: all of them in Jacobi's way, those of an interval in Gauss-Seidel's.

use super::active::Wakes;
use super::kernel::Kernel;
use super::{BLOCK, EDGES, Running};
use crate::file::Id;
use crate::vertex::Context;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The intervals of a run, and the one that is at work.
pub(super) struct Intervals {
    /// The chunks of each, and the first vertex of the next one; behind the last there is none.
    all: Vec<(Range<usize>, usize)>,
    at: AtomicUsize,
    /// How often it was updated before in this iteration.
    pass: AtomicU64,
}

impl Intervals {
    /// Of so many blocks each, or one of all.
    pub(super) fn of(chunks: &[Range<usize>], blocks: Option<usize>) -> Intervals {
        let mut all: Vec<(Range<usize>, usize)> = Vec::new();
        for (index, chunk) in chunks.iter().enumerate() {
            let begins = blocks.is_some_and(|blocks| chunk.start.is_multiple_of(blocks));
            match all.last_mut().filter(|_| !begins) {
                Some((chunks, behind)) => (chunks.end, *behind) = (index + 1, chunk.end * BLOCK),
                None => all.push((index..index + 1, chunk.end * BLOCK)),
            }
        }
        if let Some((_, behind)) = all.last_mut() {
            *behind = usize::MAX;
        }
        Intervals { all, at: AtomicUsize::new(0), pass: AtomicU64::new(0) }
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// One is at work from now on; [`count`](Self::count) stands for all of them.
    pub(super) fn begin(&self, interval: usize) {
        self.at.store(interval, Ordering::Relaxed);
        self.pass.store(0, Ordering::Relaxed);
    }

    /// The same is at work once more.
    pub(super) fn again(&self) {
        self.pass.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn pass(&self) -> u64 {
        self.pass.load(Ordering::Relaxed)
    }

    pub(super) fn all(&self) {
        self.begin(self.count());
    }

    /// The chunks that are to be taken.
    pub(super) fn chunks(&self) -> Range<usize> {
        let every = 0..self.all.last().map_or(0, |(chunks, _)| chunks.end);
        self.all.get(self.at.load(Ordering::Relaxed)).map_or(every, |(chunks, _)| chunks.clone())
    }

    /// The blocks of these.
    pub(super) fn blocks(&self, chunks: &[Range<usize>]) -> Range<usize> {
        match &chunks[self.chunks()] {
            [] => 0..0,
            [first, rest @ ..] => first.start..rest.last().unwrap_or(first).end,
        }
    }

    /// The first vertex that is updated later in this iteration.
    fn behind(&self) -> usize {
        self.all.get(self.at.load(Ordering::Relaxed)).map_or(usize::MAX, |(_, behind)| *behind)
    }
}

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Where vertices are scheduled in an iteration: those of later intervals are updated in the same one.
    pub(super) fn wakes(&self, context: Context) -> Wakes<'_> {
        let (read, written) = self.now(context);
        Wakes { next: &self.active[written], now: &self.active[read], behind: self.intervals.behind() }
    }

    /// Vertices that are updated later in this iteration see what those of this block show now.
    pub(super) fn publish(&self, block: usize, context: Context) {
        let range = self.vertices_of(block);
        let (read, written) = self.now(context);
        // SAFETY: each block is in one chunk, each chunk is taken once, and nobody updates a vertex meanwhile.
        let (seen, shown, state) = unsafe {
            (
                self.shown[read].part(range.clone()),
                self.shown[written].part(range),
                &mut self.states.part(block..block + 1)[0],
            )
        };
        if !std::mem::replace(&mut state.same, true) {
            seen.copy_from_slice(shown);
        }
    }
}

/// How many edges a worker takes at once: `most`, but each worker some dozen times.
pub(super) fn at_once<'a>(sides: impl Iterator<Item = &'a [u64]>, workers: usize, most: u64) -> u64 {
    const TIMES: u64 = 24;
    let edges =
        sides.filter_map(|offsets| offsets.last()).fold(0_u64, |all, edges| all.saturating_add(*edges));
    (edges / (workers as u64).saturating_mul(TIMES).max(1)).clamp(EDGES, most)
}

/// Divides blocks among workers: as many as have `at_once` edges that the program looks at, and none over the end of an interval of
/// so many blocks.
pub(super) fn chunks<'a>(
    sides: impl Iterator<Item = &'a [u64]> + Clone,
    blocks: usize,
    interval: Option<usize>,
    at_once: u64,
) -> Vec<Range<usize>> {
    let edge = |block: usize| {
        let of = |offsets: &[u64]| offsets[(block * BLOCK).min(offsets.len() - 1)];
        sides.clone().map(of).fold(0, u64::saturating_add)
    };
    let (mut chunks, mut begin) = (Vec::new(), 0);
    for block in 1..=blocks {
        let (edges, vertices) = (edge(block).saturating_sub(edge(begin)), (block - begin) * BLOCK);
        let is_end = block == blocks || interval.is_some_and(|interval| block.is_multiple_of(interval));
        if edges >= at_once || vertices as u64 >= EDGES || is_end {
            chunks.push(begin..block);
            begin = block;
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, EDGES, Intervals, at_once, chunks};

    #[test]
    fn blocks_are_divided_by_the_edges_of_both_sides() {
        // Four blocks whose vertices have edges out only, and one with edges in.
        let offsets = |edges: [u64; 5]| -> Vec<u64> {
            let each = edges.into_iter().flat_map(|edges| [edges / BLOCK as u64; BLOCK]);
            std::iter::once(0)
                .chain(each.scan(0, |all, edges| {
                    *all += edges;
                    Some(*all)
                }))
                .collect()
        };
        let (incoming, outgoing) =
            (offsets([0, 0, 0, 0, 9 * EDGES]), offsets([EDGES, EDGES, EDGES / 2, EDGES / 2, 0]));
        let both = || [&*incoming, &*outgoing].into_iter();
        assert_eq!(chunks(both(), 5, None, EDGES), [0..1, 1..2, 2..4, 4..5]);
        assert_eq!(chunks(both(), 5, None, 2 * EDGES), [0..2, 2..5]);
        assert_eq!(chunks([&*incoming].into_iter(), 5, None, EDGES), vec![0..5; 1]);
        let cut = chunks([&*incoming].into_iter(), 5, Some(2), EDGES);
        assert_eq!(cut, [0..2, 2..4, 4..5]);
        assert_eq!(Intervals::of(&cut, Some(2)).count(), 3);
        assert_eq!(Intervals::of(&cut, None).count(), 1);
    }

    #[test]
    fn workers_take_more_at_once_where_there_is_enough_for_all() {
        let take = |edges: u64, workers, most| at_once([&[0, edges][..]].into_iter(), workers, most);
        assert_eq!(take(1000 * EDGES, 2, EDGES), EDGES);
        assert_eq!(take(1000 * EDGES, 2, 4 * EDGES), 4 * EDGES);
        assert_eq!(take(96 * EDGES, 2, 4 * EDGES), 2 * EDGES);
        assert_eq!(take(96 * EDGES, 64, 4 * EDGES), EDGES);
        assert_eq!(at_once([&[][..]].into_iter(), 0, 4 * EDGES), EDGES);
    }
}
