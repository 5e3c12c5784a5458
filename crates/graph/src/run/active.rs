//! Which vertices are scheduled.

use super::BLOCK;
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

/// Where a program schedules vertices for the next iteration.
#[derive(Clone, Copy)]
pub(crate) struct Schedule<'a>(pub(super) Option<&'a Active>);

impl Schedule<'_> {
    #[inline]
    pub(crate) fn add(self, vertex: usize) {
        if let Some(active) = self.0 {
            active.add(vertex);
        }
    }
}
