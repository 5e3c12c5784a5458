use crate::ranking::Ranking;
use upcall::{Emit, Failure, Handler, Object, Open};

/// Emits the most frequent words when the input has ended, the first of them first.
#[derive(Default)]
pub struct Top(Ranking);

impl Handler for Top {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.0.open(open)
    }

    fn on_object(&mut self, word: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        self.0.take(word)
    }

    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        for (count, word) in self.0.most_frequent() {
            emit.put(word, &count.to_le_bytes());
        }
        Ok(())
    }
}
