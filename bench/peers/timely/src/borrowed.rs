//! As well as one can: the text is folded where it lies, words are borrowed from it and hashed once, for distribution and
//! counting both, and nothing is answered before the end.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Mutex;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::{Exchange, Pipeline};
use timely::dataflow::operators::{Operator, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;
use timely::{CommunicationConfig, Config};

use crate::Counts;
use crate::letters::{folded, words};

/// Bytes of a block, which ends with a line.
const BLOCK: usize = 64 << 10;

/// Blocks by which a worker may be ahead of what has been counted, so that it need not wait for the other's each time.
const AHEAD: usize = 4;

/// A word of the text. Between threads of one process, records are moved: it is never serialized, though timely wants it
/// to be serializable.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Word {
    hash: u64,
    #[serde(skip)]
    letters: &'static [u8],
}

/// A word and how often it has been seen.
type Counted = (Word, i64);

pub fn count(config: Config, text: Vec<u8>) -> Result<Counts, String> {
    let workers = match &config.communication {
        CommunicationConfig::Process(workers) => *workers,
        _ => 1,
    };
    let mut parts: Vec<Vec<&'static mut [u8]>> = (0..workers).map(|_| Vec::new()).collect();
    // The text lives as long as the program.
    for (index, block) in blocks(text.leak()).into_iter().enumerate() {
        parts[index % workers].push(block);
    }
    let parts = Mutex::new(parts);
    let guards = timely::execute(config, move |worker| {
        let mine = parts.lock().map(|mut parts| std::mem::take(&mut parts[worker.index()]));
        on_worker(worker, mine.unwrap_or_default())
    })?;
    let mut counts = Counts::new();
    for part in guards.join() {
        let part = part?.into_iter();
        counts.extend(part.map(|(word, n)| (String::from_utf8_lossy(word.letters).into_owned(), n)));
    }
    Ok(counts)
}

/// The text in blocks of whole lines.
fn blocks(mut text: &'static mut [u8]) -> Vec<&'static mut [u8]> {
    let mut blocks = Vec::new();
    while text.len() > BLOCK {
        let end = text[BLOCK..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| BLOCK + at);
        let (block, rest) = text.split_at_mut(end);
        blocks.push(block);
        text = rest;
    }
    blocks.push(text);
    blocks
}

fn on_worker(worker: &mut Worker, blocks: Vec<&'static mut [u8]>) -> Vec<Counted> {
    let mut input = InputHandle::new();
    let probe = ProbeHandle::new();
    let counts = Rc::new(RefCell::new(HashTable::<Counted>::new()));
    let counted = counts.clone();
    // The low bits choose a place in the table.
    let exchange = Exchange::new(|word: &Word| word.hash >> 32);

    worker.dataflow::<usize, _, _>(|scope| {
        input
            .to_stream(scope)
            .container::<Vec<&'static [u8]>>()
            .unary(Pipeline, "Split", |_capability, _info| {
                let hasher = FixedState::default();
                move |input, output| {
                    input.for_each_stamp(|capability, data| {
                        let mut session = output.session(&capability);
                        for block in data.flat_map(|blocks| blocks.drain(..)) {
                            for letters in words(block) {
                                session.give(Word { hash: hasher.hash_one(letters), letters });
                            }
                        }
                    });
                }
            })
            .container::<Vec<Word>>()
            .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                exchange,
                "WordCount",
                |_capability, _info| {
                    move |input, _output| {
                        input.for_each_stamp(|_capability, data| {
                            let mut counts = counted.borrow_mut();
                            for word in data.flat_map(|words| words.drain(..)) {
                                counts
                                    .entry(
                                        word.hash,
                                        |(known, _)| known.letters == word.letters,
                                        |(known, _)| known.hash,
                                    )
                                    .and_modify(|(_, count)| *count += 1)
                                    .or_insert((word, 1));
                            }
                        });
                    }
                },
            )
            .probe_with(&probe);
    });

    for block in blocks {
        block.iter_mut().for_each(|byte| *byte = folded(*byte));
        input.send(&*block);
        input.advance_to(input.time() + 1);
        worker.step();
        while probe.less_than(&input.time().saturating_sub(AHEAD)) {
            worker.step_or_park(None);
        }
    }
    drop(input);
    while !probe.done() {
        worker.step_or_park(None);
    }
    counts.take().into_iter().collect()
}
