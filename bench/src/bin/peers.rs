//! How fast do others count words? Plain Rust, plain Python, bytewax and pathway on the same book.
//!
//! `cargo xtask bench peers [TIMES [RUNS]]`: the book TIMES over (2 by default), RUNS runs each (5).

use anyhow::Result;
use upcall_bench::arguments::Numbers;
use upcall_bench::chart::Chart;
use upcall_bench::machine::Machine;
use upcall_bench::measure::Sample;
use upcall_bench::peers::{self, Environment};
use upcall_bench::results::{Results, Throughput, table};
use upcall_bench::{book, plain};

fn main() -> Result<()> {
    let mut numbers = Numbers::of_this_program();
    let (times, runs) = (numbers.next("TIMES", 2)?, numbers.next("RUNS", 5)?);
    let machine = Machine::here();
    let text = book::text(times)?;
    let environment = Environment::set_up()?;

    let words = plain::split_only(&text);
    let plain_runs = (0..runs.max(10)).map(|_| Sample::of(|| std::hint::black_box(plain::count(&text))).0);
    let mut rows = vec![Throughput::new("Rust, plain loop", 1, words, plain_runs.collect(), Vec::new())];
    rows.extend(peers::wordcount(&environment, peers::WORDCOUNT, &text, runs)?);
    print!("{}", table(&rows));

    let chart = Chart::words_per_second("Counting the words of a book", &rows);
    println!("{}", chart.write("peers")?.display());
    let notes = vec![
        format!("The King James Version, {times} times over: {words} words."),
        format!("{runs} runs each, in turns, each in a process of its own; minima of wall and CPU time."),
        "Start-up is not in it: imports are not timed, and the least run over one line is subtracted.".into(),
        "Every run's counts equal the plain loop's, which are checked against tr, sort and uniq.".into(),
        "Unfair to the peers: they bring keyed state that can be recovered, which nobody here uses.".into(),
        "Unfair to us: the plain loops have no engine around them; Rust reads from memory, the others a file.".into(),
        "In favour of pathway with 2 workers: half a second that it waits at the start is subtracted.".into(),
        environment.version()?,
        include_str!("../../peers/requirements.txt").trim().replace('\n', ", "),
    ];
    let results = Results {
        question: "How fast do others count words?".into(),
        command: "cargo xtask bench peers".into(),
        notes,
        machine,
        rows,
    };
    println!("{}", results.write("peers")?.display());
    Ok(())
}
