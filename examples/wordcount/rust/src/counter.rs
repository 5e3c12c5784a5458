use hashbrown::HashTable;
use upcall::{Batch, BatchHandler, Emit, Failure, Object};

/// Keeps a count per word and emits each word that changed, once a batch, with its count.
#[derive(Default)]
pub struct Counter {
    /// Indices of `counts`, by the hash that the flow has made of the word.
    index: HashTable<usize>,
    counts: Vec<Count>,
    batch: u64,
}

struct Count {
    word: Box<[u8]>,
    hash: u64,
    total: u64,
    /// The last batch with this word.
    batch: u64,
}

impl BatchHandler for Counter {
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.batch += 1;
        let mut changed = Vec::new();
        for word in batch.iter() {
            let index = self.index_of(word);
            let count = &mut self.counts[index];
            count.total += 1;
            if count.batch != self.batch {
                count.batch = self.batch;
                changed.push(index);
            }
        }
        for index in changed {
            let count = &self.counts[index];
            emit.put(&count.word, &count.total.to_le_bytes());
        }
        Ok(())
    }
}

impl Counter {
    fn index_of(&mut self, object: Object<'_>) -> usize {
        let (word, hash) = (object.key(), object.key_hash());
        let counts = &mut self.counts;
        let entry =
            self.index.entry(hash, |index| *counts[*index].word == *word, |index| counts[*index].hash);
        *entry
            .or_insert_with(|| {
                counts.push(Count { word: word.into(), hash, total: 0, batch: 0 });
                counts.len() - 1
            })
            .get()
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
