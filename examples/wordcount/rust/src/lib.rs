//! Counts the words of a text: one handler splits lines, one counts, one prints the most frequent.

mod counter;
mod reporter;
mod splitter;

use counter::Counter;
use reporter::Reporter;
use splitter::Splitter;

upcall::handlers! {
    "splitter" => Splitter::default(),
    "counter" => upcall::batch(Counter::default()),
    "reporter" => Reporter::default(),
}
