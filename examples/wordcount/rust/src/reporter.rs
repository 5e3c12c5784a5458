use crate::ranking::Ranking;
use std::io::Write;
use upcall::{Emit, Failure, Handler, Object, Open};

/// Prints the most frequent words when the input has ended.
#[derive(Default)]
pub struct Reporter(Ranking);

impl Handler for Reporter {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.0.open(open)
    }

    fn on_object(&mut self, word: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        self.0.take(word)
    }

    fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        for (count, word) in self.0.most_frequent() {
            writeln!(out, "{count:>7} {}", String::from_utf8_lossy(word))?;
        }
        Ok(out.flush()?)
    }
}
