//! Counts the words of a text on several ranks: each has a part of the text and a flow of its own, and their counts are combined.
//!
//! `mpi-wordcount TEXT [COUNTS]`: it prints the ten most frequent words, and writes all counts to a file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::{env, fs};
use upcall::flow::{self, Flow, Pool};
use upcall::mpi::{Communicator, Environment, Threads};

type Counts = BTreeMap<String, u64>;

fn main() -> Result<(), Box<dyn Error>> {
    let mpi = Environment::start(Threads::Funneled)?;
    if let Err(why) = run(mpi.world()) {
        // A rank that cannot go on ends the job: the others would wait for it.
        eprintln!("error: rank {}: {why}", mpi.world().rank());
        mpi.world().abort(1);
    }
    Ok(mpi.finish()?)
}

fn run(world: &Communicator) -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().ok_or("name a text: mpi-wordcount TEXT [COUNTS]")?;
    // Only the first rank has the text.
    let text =
        if world.rank() == 0 { fs::read(&file).map_err(|why| format!("{file}: {why}"))? } else { Vec::new() };
    let lengths = if world.rank() == 0 { shares(&text, world.size()) } else { Vec::new() };
    let part = world.scatter_parts(&text, &lengths, 0)?;

    let counts = counted(&part)?;
    let words = world.gather(&[counts.values().sum::<u64>()], 0)?;
    let all = world.reduce_object(&counts, combined, 0)?;

    if let (Some(words), Some(all)) = (words, all) {
        for (rank, words) in words.iter().enumerate() {
            println!("rank {rank} counted {words:>6} words");
        }
        print(&all);
        if let Some(file) = arguments.next() {
            let lines: String = all.iter().map(|(word, count)| format!("{word}\t{count}\n")).collect();
            fs::write(&file, lines).map_err(|why| format!("{file}: {why}"))?;
        }
    }
    Ok(())
}

/// How many bytes each rank gets: about as many, and whole lines.
fn shares(text: &[u8], ranks: usize) -> Vec<usize> {
    let mut begin = 0;
    let shares = (1..=ranks).map(|rank| {
        let even = (text.len() * rank / ranks).max(begin);
        let end =
            text[even..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |line| even + line + 1);
        let end = if rank == ranks { text.len() } else { end };
        let share = end - begin;
        begin = end;
        share
    });
    shares.collect()
}

/// Counts the words of a part by a flow, as `examples/wordcount` does: lines, words, counts.
fn counted(part: &[u8]) -> Result<Counts, flow::Error> {
    let mut totals = HashMap::<Vec<u8>, u64>::new();
    let flow = Flow::builder()
        .name("wordcount")
        // The ranks of one machine share its cores.
        .workers(1)
        .pool(Pool::trigger("/lines"))
        .pool(Pool::trigger("/words"))
        .pool(Pool::of::<u64>("/counts"))
        .on("/lines", "/words", |line, out| {
            let line = line.value().to_ascii_lowercase();
            let words = line.split(|letter| !letter.is_ascii_lowercase()).filter(|word| !word.is_empty());
            words.into_iter().try_for_each(|word| out.put(word, b""))
        })
        .on("/words", "/counts", move |word, out| {
            let total = totals.entry(word.key().to_vec()).or_default();
            *total += 1;
            out.put(word.key(), total)
        })
        .start()?;
    let lines = flow.pool("/lines")?;
    for (number, line) in (1u64..).zip(part.split(|byte| *byte == b'\n')) {
        lines.put_and_forget(number.to_string(), line)?;
    }
    flow.drain()?;
    let counts = flow.pool("/counts")?.of::<u64>()?.entries()?.into_iter().collect();
    flow.stop()?;
    Ok(counts)
}

/// The counts of two parts.
fn combined(mut one: Counts, other: Counts) -> Counts {
    for (word, count) in other {
        *one.entry(word).or_default() += count;
    }
    one
}

/// Prints the most frequent words, equals by name.
fn print(counts: &Counts) {
    let mut words: Vec<_> = counts.iter().map(|(word, count)| (Reverse(count), word)).collect();
    words.sort();
    for (Reverse(count), word) in words.into_iter().take(10) {
        println!("{count:>7} {word}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_gets_whole_lines_and_together_they_get_all() {
        let text = b"a\nlong line of the text\n\nb";
        for ranks in 1..9 {
            let shares = shares(text, ranks);
            assert_eq!((shares.len(), shares.iter().sum::<usize>()), (ranks, text.len()));
            let mut begin = 0;
            for share in shares {
                begin += share;
                assert!(begin == 0 || begin == text.len() || text[begin - 1] == b'\n', "{ranks} ranks");
            }
        }
        assert_eq!(shares(b"", 3), [0; 3]);
    }

    #[test]
    fn the_counts_of_the_parts_are_those_of_the_whole() {
        let text = "In the beginning God\ncreated the heaven, and the earth.\nAnd the earth was\n".as_bytes();
        let whole = counted(text).unwrap();
        assert_eq!((whole["the"], whole["and"], whole.len()), (4, 2, 9));
        let (one, other) = text.split_at(shares(text, 2)[0]);
        assert_eq!(combined(counted(one).unwrap(), counted(other).unwrap()), whole);
    }
}
