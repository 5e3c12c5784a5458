//! As timely's own example `wordcount` has it: lines and words are `String`s with a difference, counts are in the standard
//! library's `HashMap`, and each word is answered with its running count. What differs: a word is a run of letters, words
//! are distributed by a hash (the example takes their length, which would leave a worker idle), and lines come by the
//! thousand, not one per time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use timely::Config;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::vec::Map;
use timely::dataflow::operators::{Inspect, Operator, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::Counts;
use crate::letters::{folded, words};

/// Lines of each time.
const LINES: usize = 1000;

pub fn count(config: Config, text: Vec<u8>) -> Result<Counts, String> {
    let text = Arc::new(String::from_utf8(text).map_err(|error| error.to_string())?);
    let guards = timely::execute(config, move |worker| on_worker(worker, &text))?;
    let mut counts = Counts::new();
    for part in guards.join() {
        counts.extend(part?);
    }
    Ok(counts)
}

fn on_worker(worker: &mut Worker, text: &str) -> Counts {
    let mut input = InputHandle::new();
    let probe = ProbeHandle::new();
    let counts = Rc::new(RefCell::new(HashMap::new()));
    let counted = counts.clone();
    let exchange = Exchange::new(|record: &(String, i64)| {
        let mut hasher = DefaultHasher::new();
        record.0.hash(&mut hasher);
        hasher.finish()
    });

    worker.dataflow::<usize, _, _>(|scope| {
        input
            .to_stream(scope)
            .flat_map(|(line, difference): (String, i64)| {
                let line: Vec<u8> = line.bytes().map(folded).collect();
                words(&line)
                    .map(|word| (String::from_utf8_lossy(word).into_owned(), difference))
                    .collect::<Vec<_>>()
            })
            .unary_frontier(exchange, "WordCount", |_capability, _info| {
                #[expect(clippy::mutable_key_type, reason = "as in timely's example")]
                let mut queues = HashMap::new();
                move |(input, frontier), output| {
                    input.for_each_stamp(|capability, data| {
                        if let Some(capability) = capability.retain_least(output.output_index()) {
                            queues.entry(capability).or_insert(Vec::new()).extend(data.map(std::mem::take));
                        }
                    });
                    let mut counts = counted.borrow_mut();
                    for (capability, batches) in queues.iter_mut() {
                        if !frontier.less_equal(capability.time()) {
                            let mut session = output.session(capability);
                            for mut batch in batches.drain(..) {
                                for (word, difference) in batch.drain(..) {
                                    let entry = counts.entry(word.clone()).or_insert(0i64);
                                    *entry += difference;
                                    session.give((word, *entry));
                                }
                            }
                        }
                    }
                    queues.retain(|_capability, batches| !batches.is_empty());
                }
            })
            .container::<Vec<_>>()
            .inspect(|record: &(String, i64)| {
                std::hint::black_box(record);
            })
            .probe_with(&probe);
    });

    let (index, peers) = (worker.index(), worker.peers());
    let mut lines = text.lines().skip(index).step_by(peers).peekable();
    while lines.peek().is_some() {
        for line in lines.by_ref().take(LINES) {
            input.send((line.to_owned(), 1));
        }
        input.advance_to(input.time() + 1);
        while probe.less_than(input.time()) {
            // The example spins, which two workers that wait for each other pay for with CPU time.
            worker.step_or_park(None);
        }
    }
    drop(input);
    while !probe.done() {
        worker.step_or_park(None);
    }
    counts.take().into_iter().collect()
}
