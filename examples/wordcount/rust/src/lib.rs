//! Counts the words of a text: one handler splits lines, one counts, one prints the most frequent, and one emits them
//! for another to print.

mod counter;
mod ranking;
mod reporter;
mod splitter;
mod top;

use counter::Counter;
use reporter::Reporter;
use splitter::Splitter;
use top::Top;

upcall::handlers! {
    "splitter" => Splitter::default(),
    "counter" => upcall::batch(Counter::default()),
    "reporter" => Reporter::default(),
    "top" => Top::default(),
}
