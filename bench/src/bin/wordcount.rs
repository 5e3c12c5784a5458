//! How fast are words counted by a flow in each language, beside plain loops, timely, bytewax and
//! pathway?
//!
//! `cargo xtask bench wordcount [TIMES [RUNS]]`: the book TIMES over (5 by default), RUNS runs each (5).

use anyhow::Result;
use upcall_bench::arguments::Numbers;
use upcall_bench::chart::Chart;
use upcall_bench::flows::{self, Guests, Variant};
use upcall_bench::machine::Machine;
use upcall_bench::measure::Sample;
use upcall_bench::peers::{self, Environment};
use upcall_bench::results::{Results, Throughput, table};
use upcall_bench::{apart, book, plain, wordcount};
use upcall_host::guests::Options;

const FLOWS: [Variant; 6] = [
    beside("Upcall, all Rust", "flow.rust.toml"),
    beside("Upcall, all C#", "flow.csharp.toml"),
    beside("Upcall, C# + Python + Rust", "flow.toml"),
    beside("Upcall, all Python", "flow.python.toml"),
    isolated(wordcount::ONE_PROCESS, 1),
    isolated(wordcount::TWO_PROCESSES, 2),
];

const fn beside(label: &'static str, file: &'static str) -> Variant {
    Variant { label, file, processes: None }
}

/// The Python flow, with so many processes that split.
const fn isolated(label: &'static str, processes: usize) -> Variant {
    Variant { label, file: "flow.python.toml", processes: Some(processes) }
}

fn main() -> Result<()> {
    if apart::is_guest() {
        return apart::serve(&Options::default());
    }
    let mut numbers = Numbers::of_this_program();
    let (times, runs) = (numbers.next("TIMES", 5)?, numbers.next("RUNS", 5)?);
    let machine = Machine::here();
    let text = book::text(times)?;
    let words = plain::split_only(&text);
    let expected = plain::count(&text);
    let environment = Environment::set_up()?;
    let guests = Guests::start()?;

    let plain_runs = (0..runs.max(10)).map(|_| Sample::of(|| std::hint::black_box(plain::count(&text))).0);
    let mut rows = vec![Throughput::new("Rust, plain loop", 1, words, plain_runs.collect(), Vec::new())];
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    // The peers have one and two.
    let mut workers_of_ours = vec![1, 2, cores];
    workers_of_ours.sort_unstable();
    workers_of_ours.dedup();
    for variant in FLOWS {
        // Of isolated ones the processes count, and they have workers of their own.
        let most = if variant.processes.is_some() { 1 } else { usize::MAX };
        for &workers in workers_of_ours.iter().filter(|workers| **workers <= most) {
            flows::wordcount(&guests, variant, workers, &text, Some(&expected))?;
            let timed = |text: &[u8]| -> Result<Sample> {
                let (sample, outcome) =
                    Sample::of(|| flows::wordcount(&guests, variant, workers, text, None));
                outcome.map(|()| sample)
            };
            let startups = (0..runs).map(|_| timed(book::first_line(&text))).collect::<Result<_>>()?;
            let runs = (0..runs).map(|_| timed(&text)).collect::<Result<_>>()?;
            let Variant { label, .. } = variant;
            let label = if workers == 1 { label.to_owned() } else { format!("{label}, {workers} workers") };
            rows.push(Throughput::new(label, workers, words, runs, startups).ours());
        }
    }
    rows.extend(peers::wordcount(&environment, &[peers::TIMELY, peers::WORDCOUNT].concat(), &text, runs)?);
    print!("{}", table(&rows));
    println!();
    for target in wordcount::targets(&rows) {
        println!("{}", target.line());
    }

    let chart = Chart::words_per_second("Counting the words of a book", &rows);
    println!("{}", chart.write("wordcount")?.display());
    let notes = vec![
        format!("The King James Version, {times} times over: {words} words."),
        format!("{runs} runs each; minima of wall and CPU time, less those of a run over one line."),
        "Every variant's counts equal the plain loop's, which are checked against tr, sort and uniq.".into(),
        "Ours read lines from memory, start and stop the flow in each run, and hold the counts in a pool."
            .into(),
        "Workers of ours: those that own keys; Python has one more, and whoever puts the lines is another."
            .into(),
        "Unfair to the peers: they bring keyed state that can be recovered, which nobody here uses.".into(),
        "timely's workers each bring their share of the lines; ours are put by one more thread, which the wall does not show: compare CPU time. Its text is in memory too.".into(),
        "timely's String records are answered with running counts, which go nowhere; its borrowed words only at the end.".into(),
        "bytewax's stateful_map emits running counts, as ours do; count_final emits once, at the end.".into(),
        environment.version()?,
        include_str!("../../peers/requirements.txt").trim().replace('\n', ", "),
    ];
    let results = Results {
        question: "How fast are words counted by a flow in each language?".into(),
        command: "cargo xtask bench wordcount".into(),
        notes,
        machine,
        rows,
    };
    println!("{}", results.write("wordcount")?.display());
    Ok(())
}
