//! Which vertices are scheduled.

use super::BLOCK;
use crate::file::Id;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const BITS: usize = u64::BITS as usize;
const _: () = assert!(BLOCK.is_multiple_of(BITS));

/// One bit per vertex.
pub(super) struct Active {
    words: Vec<AtomicU64>,
    vertices: usize,
}

impl Active {
    pub(super) fn none(vertices: usize) -> Active {
        Active { words: (0..vertices.div_ceil(BITS)).map(|_| AtomicU64::new(0)).collect(), vertices }
    }

    #[inline]
    pub(super) fn add(&self, vertex: usize) {
        if vertex < self.vertices {
            let (word, bit) = (&self.words[vertex / BITS], 1 << (vertex % BITS));
            // Most are there already, and a look costs no exclusive access to the line.
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    /// Takes those of a block out; each has its number within the block.
    pub(super) fn take(&self, block: usize) -> [u64; BLOCK / BITS] {
        let mut taken = [0; BLOCK / BITS];
        let first = block * (BLOCK / BITS);
        let words = self.words[first.min(self.words.len())..].iter();
        for (taken, word) in taken.iter_mut().zip(words) {
            if word.load(Ordering::Relaxed) != 0 {
                *taken = word.swap(0, Ordering::Relaxed);
            }
        }
        taken
    }

    /// Whether there are any in these blocks.
    pub(super) fn any(&self, blocks: &Range<usize>) -> bool {
        let words = |block: usize| (block * (BLOCK / BITS)).min(self.words.len());
        self.words[words(blocks.start)..words(blocks.end)]
            .iter()
            .any(|word| word.load(Ordering::Relaxed) != 0)
    }

    /// Takes those of a block out and adds them there. False where there are none.
    pub(super) fn hand_over(&self, block: usize, to: &Active) -> bool {
        let taken = self.take(block);
        let words = to.words[(block * (BLOCK / BITS)).min(to.words.len())..].iter();
        for (word, taken) in words.zip(taken) {
            word.fetch_or(taken, Ordering::Relaxed);
        }
        taken != [0; BLOCK / BITS]
    }

    pub(super) fn words(&self) -> Vec<u64> {
        self.words.iter().map(|word| word.load(Ordering::Relaxed)).collect()
    }

    /// Whether there are as many words, which it has then.
    pub(super) fn set(&self, words: &[u64]) -> bool {
        self.words.iter().zip(words).for_each(|(word, set)| word.store(*set, Ordering::Relaxed));
        self.words.len() == words.len()
    }

    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }
}

/// Calls for each bit that is set, in ascending order.
pub(super) fn each(words: &[u64], mut call: impl FnMut(usize)) {
    for (index, word) in words.iter().enumerate() {
        let mut word = *word;
        while word != 0 {
            call(index * BITS + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// Where vertices are scheduled: for the next iteration, or for this one from the vertex on that is `behind` those at work.
pub(crate) struct Wakes<'a> {
    pub(super) next: &'a Active,
    pub(super) now: &'a Active,
    pub(super) behind: usize,
}

/// How a program schedules vertices; it does nothing where all are updated anyway.
#[derive(Clone, Copy)]
pub(crate) struct Schedule<'a>(pub(super) Option<&'a Wakes<'a>>);

impl Schedule<'_> {
    #[inline]
    pub(crate) fn add(self, vertex: usize) {
        if let Some(wakes) = self.0 {
            let to = if vertex < wakes.behind { wakes.next } else { wakes.now };
            to.add(vertex);
        }
    }

    /// The same for the other ends of edges.
    #[inline]
    pub(super) fn all<I: Id>(self, vertices: &[I]) {
        let Some(wakes) = self.0 else { return };
        let of = vertices.iter().map(|id| id.vertex());
        match wakes.behind {
            // In Jacobi's way nothing is to be decided for each.
            usize::MAX => of.for_each(|vertex| wakes.next.add(vertex)),
            _ => of.for_each(|vertex| self.add(vertex)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Active, BLOCK};

    #[test]
    fn there_are_some_in_the_blocks_of_those_that_were_added() {
        let active = Active::none(3 * BLOCK + 5);
        assert!(!active.any(&(0..4)));
        active.add(BLOCK + 1023);
        active.add(3 * BLOCK + 4);
        let found = [0..1, 1..2, 2..3, 3..4, 0..4, 2..2].map(|blocks| active.any(&blocks));
        assert_eq!(found, [false, true, false, true, true, false]);
    }
}
