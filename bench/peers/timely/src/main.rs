//! Counts the words of a file on timely dataflow, and tells how long it took.
//!
//! `upcall-bench-timely strings|borrowed WORKERS FILE COUNTS`: the counts go to the file COUNTS, one line per word: word,
//! tab, count; the time goes to standard output as one line of JSON. It runs from handing the text, which is in memory, to
//! timely until all its workers have ended. `cargo xtask bench wordcount` runs it.

mod borrowed;
mod clock;
#[path = "../../../src/letters.rs"]
mod letters;
mod strings;

use std::fmt::Write;
use std::fs;
use std::process::ExitCode;

use timely::Config;

/// Words and how often they occur.
type Counts = Vec<(String, i64)>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, workers, file, counts_file] = &arguments[..] else {
        eprintln!("usage: upcall-bench-timely strings|borrowed WORKERS FILE COUNTS");
        return ExitCode::FAILURE;
    };
    match run(variant, workers, file, counts_file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("counting the words of {file} with {variant}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(variant: &str, workers: &str, file: &str, counts_file: &str) -> Result<(), String> {
    let workers: usize = workers.parse().map_err(|error| format!("{workers:?} workers: {error}"))?;
    let count = match variant {
        "strings" => strings::count,
        "borrowed" => borrowed::count,
        _ => return Err("there are `strings` and `borrowed`".into()),
    };
    // One worker needs no channels between threads, and timely has none then.
    let config = if workers == 1 { Config::thread() } else { Config::process(workers) };
    let text = fs::read(file).map_err(|error| error.to_string())?;
    let (wall, cpu) = (clock::wall(), clock::cpu());
    let counts = count(config, text)?;
    let (wall, cpu) = (clock::wall() - wall, clock::cpu() - cpu);
    let mut lines = String::new();
    for (word, count) in counts {
        writeln!(lines, "{word}\t{count}").map_err(|error| error.to_string())?;
    }
    fs::write(counts_file, lines).map_err(|error| format!("writing {counts_file}: {error}"))?;
    let said = serde_json::json!({
        "variant": variant,
        "workers": workers,
        "wall_seconds": wall.as_secs_f64(),
        "cpu_seconds": cpu.as_secs_f64(),
    });
    println!("{said}");
    Ok(())
}
