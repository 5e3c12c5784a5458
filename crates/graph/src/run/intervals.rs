//! Which vertices are updated together: all of them in Jacobi's way, those of an interval in Gauss-Seidel's.

use super::active::Wakes;
use super::kernel::Kernel;
use super::{BLOCK, Running};
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
