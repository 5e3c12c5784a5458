//! The word count as a plain Rust loop: what any engine costs is measured against this.

use crate::letters;
use hashbrown::HashMap;

/// How often each word occurs.
pub type Counts = HashMap<Box<[u8]>, u64, foldhash::fast::FixedState>;

/// Counts runs of ASCII letters, lower-cased, line by line.
pub fn count(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut folded = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        folded.clear();
        folded.extend(line.iter().map(|byte| letters::folded(*byte)));
        for word in letters::words(&folded) {
            match counts.get_mut(word) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(word.into(), 1);
                }
            }
        }
    }
    counts
}

/// Splits as [`count`] does, and counts no more than how many words there are: what splitting alone costs.
pub fn split_only(text: &[u8]) -> u64 {
    let mut words = 0;
    let mut folded = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        folded.clear();
        folded.extend(line.iter().map(|byte| letters::folded(*byte)));
        words += letters::words(&folded).count() as u64;
    }
    words
}

/// Reads back the counts that a peer wrote: a word, a tab and its count on each line.
pub fn parse(text: &str) -> Option<Counts> {
    text.lines()
        .map(|line| {
            let (word, count) = line.split_once('\t')?;
            Some((word.as_bytes().into(), count.parse().ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book;
    use std::process::Command;

    #[test]
    fn counts_equal_those_of_tr_sort_and_uniq_on_the_whole_book() {
        let pipeline = "tr -cs 'A-Za-z' '\\n' < \"$0\" | tr 'A-Z' 'a-z' | grep . | LC_ALL=C sort | uniq -c";
        let output = Command::new("sh").args(["-c", pipeline]).arg(book::path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let expected: Counts = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| line.trim_start().split_once(' ').unwrap())
            .map(|(count, word)| (word.as_bytes().into(), count.parse().unwrap()))
            .collect();
        assert!(expected.len() > 10_000);
        let text = book::text(1).unwrap();
        assert_eq!(count(&text), expected);
        assert_eq!(split_only(&text), expected.values().sum::<u64>());
    }

    #[test]
    fn words_end_at_anything_that_is_no_ascii_letter() {
        let counts = count("A1b\tan'a \u{e9}t\u{e9} a".as_bytes());
        assert_eq!(counts.len(), 4);
        assert_eq!(counts[&b"a"[..]], 3);
        assert_eq!((counts[&b"b"[..]], counts[&b"an"[..]], counts[&b"t"[..]]), (1, 1, 1));
    }

    #[test]
    fn counts_are_read_back_or_refused() {
        assert_eq!(parse("the\t2\nend\t1\n").unwrap(), count(b"the end the"));
        assert_eq!(parse("the 2\n"), None);
    }
}
