use hashbrown::HashMap;
use upcall::{Batch, BatchHandler, Emit, Failure};

/// Keeps a count per word and emits each word that changed, once a batch, with its count.
#[derive(Default)]
pub struct Counter {
    index: HashMap<Box<[u8]>, usize>,
    counts: Vec<Count>,
    batch: u64,
}

#[derive(Default)]
struct Count {
    total: u64,
    /// The last batch with this word.
    batch: u64,
}

impl BatchHandler for Counter {
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.batch += 1;
        let mut changed = Vec::new();
        for object in batch.iter() {
            let word = object.key();
            let index = self.index_of(word);
            let count = &mut self.counts[index];
            count.total += 1;
            if count.batch != self.batch {
                count.batch = self.batch;
                changed.push((word, index));
            }
        }
        for (word, index) in changed {
            emit.put(word, &self.counts[index].total.to_le_bytes());
        }
        Ok(())
    }
}

impl Counter {
    fn index_of(&mut self, word: &[u8]) -> usize {
        if let Some(index) = self.index.get(word) {
            return *index;
        }
        let index = self.counts.len();
        self.counts.push(Count::default());
        self.index.insert(word.into(), index);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcall::Harness;

    #[test]
    fn a_word_that_changed_is_emitted_once_a_batch() {
        let mut harness = Harness::new(upcall::batch(Counter::default())).emits(&["/counts"]);
        harness.batch(&[(b"the", b""), (b"god", b""), (b"the", b"")]).unwrap();
        harness.batch(&[(b"the", b"")]).unwrap();
        let counts: Vec<(&[u8], u64)> = harness
            .emitted()
            .iter()
            .map(|emitted| (&*emitted.key, u64::from_le_bytes(emitted.value[..].try_into().unwrap())))
            .collect();
        assert_eq!(counts, [(&b"the"[..], 2), (b"god", 1), (b"the", 3)]);
    }
}
