use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use upcall::{Batch, BatchHandler, Emit, Failure, Object};

/// Keeps a count per word and emits each word that changed, once a batch, with its count.
#[derive(Default)]
pub struct Counter {
    /// By the hash that the flow has made of the word.
    counts: HashTable<Count>,
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
            if self.count(word) {
                changed.push(word);
            }
        }
        for word in changed {
            let count = self.counts.find(word.key_hash(), |count| *count.word == *word.key());
            emit.put(word.key(), &count.map_or(0, |count| count.total).to_le_bytes());
        }
        Ok(())
    }
}

impl Counter {
    /// Counts a word; whether it is the first time in this batch.
    fn count(&mut self, object: Object<'_>) -> bool {
        let (word, hash, batch) = (object.key(), object.key_hash(), self.batch);
        match self.counts.entry(hash, |count| *count.word == *word, |count| count.hash) {
            Entry::Occupied(mut there) => {
                let count = there.get_mut();
                count.total += 1;
                std::mem::replace(&mut count.batch, batch) != batch
            }
            Entry::Vacant(place) => {
                place.insert(Count { word: word.into(), hash, total: 1, batch });
                true
            }
        }
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
