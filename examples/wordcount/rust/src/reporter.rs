use hashbrown::HashMap;
use std::cmp::Reverse;
use std::io::Write;
use upcall::{Emit, Failure, Handler, Object, Open};

/// Keeps the newest count per word and prints the most frequent words when the input has ended.
#[derive(Default)]
pub struct Reporter {
    counts: HashMap<Box<[u8]>, u64>,
    top: usize,
}

impl Handler for Reporter {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.top = open.setting("top").unwrap_or("10").parse()?;
        Ok(())
    }

    fn on_object(&mut self, word: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        let count = u64::from_le_bytes(word.value().try_into()?);
        match self.counts.get_mut(word.key()) {
            Some(newest) => *newest = count,
            None => drop(self.counts.insert(word.key().into(), count)),
        }
        Ok(())
    }

    fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        for (count, word) in self.most_frequent() {
            writeln!(out, "{count:>7} {}", String::from_utf8_lossy(word))?;
        }
        Ok(out.flush()?)
    }
}

impl Reporter {
    fn most_frequent(&self) -> Vec<(u64, &[u8])> {
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
        let reporter = Reporter { counts, top: 3 };
        assert_eq!(reporter.most_frequent(), [(3, &b"and"[..]), (3, b"the"), (1, b"a")]);
    }
}
