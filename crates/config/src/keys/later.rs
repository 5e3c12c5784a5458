//! The keys that limit how a handler is called: how many items it is at, how many a second, and for how long.

use super::LeftOut::Means;
use super::{Key, Section, Takes};
use upcall_flow::MOST_IN_FLIGHT;

pub(super) const ROWS: &[Key] = &[
    Key {
        section: Section::Handler,
        name: "in_flight",
        takes: Takes::Count { least: 1, most: MOST_IN_FLIGHT as u64, unit: "items" },
        left_out: Means("100"),
        doc: "how many items a handler that answers later may have open at a time",
        more: "Of an `async` handler, which waits without holding a worker (`docs/later.md`), over all its workers; 1,000 at most \
               where it runs in processes of its own. Items of one key come one after another all the same. A handler that \
               answers at once has one item for each worker, and refuses the key at the start.",
        example: "in_flight = 20",
    },
    Key {
        section: Section::Handler,
        name: "rate",
        takes: Takes::Rate,
        left_out: Means("as many as it takes"),
        doc: "how many items a second a handler gets at most",
        more: "Over all its workers, retries included, and evenly: what it could have had in the last 10 ms it may have at once, \
               what it has missed before that is gone. A plain number is items a second; `\"600 / min\"` and `\"1000 / h\"` are \
               slower ones.",
        example: "rate = \"600 / min\"",
    },
    Key {
        section: Section::Handler,
        name: "deadline",
        takes: Takes::Deadline,
        left_out: Means("as long as it likes; 30 s in WebAssembly"),
        doc: "how long a handler may take",
        more: "For a handler that answers later, each item has this time from its hand-over; then it is cancelled, in the \
               handler by what its language has for that, and has failed with the cause `timed out`.\n\nFor one that answers \
               at once, only a process of its own can be stopped, so `isolation = \"process\"` is needed. A batch has this time \
               from its hand-over; then the process is killed and started again, and each item that was not finished is \
               delivered alone, with this time for itself.\n\nIn WebAssembly it is the time for an item, or for a report of a batch handler, \
               without a process: then the item has failed with the cause `timed out`, and the handler's instance is \
               made again.",
        example: "isolation = \"process\"\ndeadline = \"5 s\"",
    },
];
