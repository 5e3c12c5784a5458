use hashbrown::HashMap;
use std::cmp::Reverse;
use upcall::{Failure, Object, Open};

/// The newest count per word, of which the highest are asked for.
#[derive(Default)]
pub struct Ranking {
    counts: HashMap<Box<[u8]>, u64>,
    top: usize,
}

impl Ranking {
    /// As the settings say.
    pub fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.top = open.setting("top").unwrap_or("10").parse()?;
        Ok(())
    }

    pub fn take(&mut self, word: Object<'_>) -> Result<(), Failure> {
        let count = u64::from_le_bytes(word.value().try_into()?);
        match self.counts.get_mut(word.key()) {
            Some(newest) => *newest = count,
            None => drop(self.counts.insert(word.key().into(), count)),
        }
        Ok(())
    }

    pub fn most_frequent(&self) -> Vec<(u64, &[u8])> {
        let mut words: Vec<(u64, &[u8])> =
            self.counts.iter().map(|(word, count)| (*count, &**word)).collect();
        words.sort_unstable_by_key(|(count, word)| (Reverse(*count), *word));
        words.truncate(self.top);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_words_come_first_and_equals_by_name() {
        let counts = [("the", 3u64), ("god", 1), ("and", 3), ("a", 1)];
        let counts = counts.into_iter().map(|(word, count)| (word.as_bytes().into(), count)).collect();
        let ranking = Ranking { counts, top: 3 };
        assert_eq!(ranking.most_frequent(), [(3, &b"and"[..]), (3, b"the"), (1, b"a")]);
    }
}
