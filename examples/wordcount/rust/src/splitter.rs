use upcall::{Emit, Failure, Handler, Object};

/// Emits each word of a line: the word is the key, the value is empty.
#[derive(Default)]
pub struct Splitter {
    line: Vec<u8>,
}

impl Handler for Splitter {
    fn on_object(&mut self, line: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        // The whole line at once: the compiler makes that 16 letters at a time.
        self.line.clear();
        self.line.extend_from_slice(line.value());
        self.line.make_ascii_lowercase();
        for word in self.line.split(|letter| !letter.is_ascii_lowercase()) {
            if !word.is_empty() {
                emit.put(word, b"");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcall::Harness;

    #[test]
    fn a_word_is_a_run_of_ascii_letters_in_lower_case() {
        let mut harness = Harness::new(Splitter::default()).emits(&["/words"]);
        harness.put(b"1", "1:1 In the Beginning, God's caf\u{e9}".as_bytes()).unwrap();
        harness.put(b"2", b"").unwrap();
        let words: Vec<&[u8]> = harness.emitted().iter().map(|word| word.key.as_slice()).collect();
        assert_eq!(words, ["in", "the", "beginning", "god", "s", "caf"].map(str::as_bytes));
    }
}
