//! How much slower is a handler in C# or Python than in Rust, at its first object and when it is warm?
//!
//! `cargo xtask bench handlers [RUNS]`: RUNS fresh processes each (7 by default).
//!
//! The two charts that the report on C# handlers in Cascade has: there a C# handler took about 1,000 times as
//! long as one in C++ at its first object, and up to 3 times when it was warm.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use upcall_bench::book;
use upcall_bench::chart::{Bar, Chart};
use upcall_bench::machine::Machine;
use upcall_bench::results::Results;
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::native::Native;
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host};
use upcall_measure::{Driven, Objects, nanos};

const GUESTS: [&str; 3] = ["native", "csharp", "python"];

/// An example that is measured: its folder, and what handles one object in each guest.
struct Task {
    label: &'static str,
    example: &'static str,
    python: &'static str,
    /// By guest.
    classes: [&'static str; 3],
}

const TASKS: [Task; 2] = [
    Task {
        label: "console printer",
        example: "console-printer",
        python: "printer.py",
        classes: ["printer", "Printer", "Printer"],
    },
    Task {
        label: "word count, the mapper",
        example: "wordcount",
        python: "wordcount.py",
        classes: ["splitter", "WordCount.Splitter", "Splitter"],
    },
];

/// One fresh process.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Run {
    /// From before the runtime is looked for to the end of the first object, in milliseconds.
    start_ms: f64,
    /// The first object, in microseconds.
    first_us: f64,
    /// An object when it is warm, alone in its batch, in nanoseconds.
    warm_ns: f64,
}

#[derive(Debug, Serialize)]
struct Row {
    task: &'static str,
    guest: &'static str,
    /// The least of each.
    least: Run,
    /// `first_us` and `warm_ns` as multiples of the native ones.
    first_ratio: f64,
    warm_ratio: f64,
    runs: Vec<Run>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [flag, task, guest] if flag == "--fresh" => fresh(task.parse()?, guest.parse()?),
        [] => parent(7),
        [runs] => parent(runs.parse().with_context(|| format!("reading RUNS: {runs:?} is not a number"))?),
        other => bail!("reading the arguments: {other:?}; give none, or how many RUNS"),
    }
}

fn parent(runs: usize) -> Result<()> {
    let machine = Machine::here();
    let mut rows: Vec<Row> = Vec::new();
    println!(
        "{:<24} {:<8} {:>9} {:>10} {:>9} {:>10} {:>7}",
        "", "", "start, ms", "first, us", "/ native", "warm, ns", "/ native"
    );
    for (task, Task { label, .. }) in TASKS.iter().enumerate() {
        let mut native = None;
        for (guest, name) in GUESTS.into_iter().enumerate() {
            let runs = (0..runs).map(|_| run(task, guest)).collect::<Result<Vec<_>>>()?;
            let least = |of: fn(&Run) -> f64| runs.iter().map(of).fold(f64::INFINITY, f64::min);
            let least = Run {
                start_ms: least(|r| r.start_ms),
                first_us: least(|r| r.first_us),
                warm_ns: least(|r| r.warm_ns),
            };
            let base = *native.get_or_insert(least);
            let (first_ratio, warm_ratio) = (least.first_us / base.first_us, least.warm_ns / base.warm_ns);
            println!(
                "{label:<24} {name:<8} {:>9.1} {:>10.1} {first_ratio:>9.1} {:>10.1} {warm_ratio:>7.2}",
                least.start_ms, least.first_us, least.warm_ns
            );
            rows.push(Row { task: label, guest: name, least, first_ratio, warm_ratio, runs });
        }
    }
    println!("{}", chart(&rows, "first object", |run| run.first_us * 1e3).write("handlers-first")?.display());
    println!("{}", chart(&rows, "an object when warm", |run| run.warm_ns).write("handlers-warm")?.display());
    let results = Results {
        question: "How much slower is a handler in C# or Python than in Rust?".into(),
        command: "cargo xtask bench handlers".into(),
        notes: vec![
            format!("The least of {runs} fresh processes; the handlers are those of the examples."),
            "One object per batch, driven with frames made by hand: the worst case for a boundary.".into(),
            "The mapper gets one verse and emits its words; the printer's standard output is /dev/null."
                .into(),
            "First: the runtime runs and the handler is open. Start: from before the runtime is looked for."
                .into(),
            "Unfair to the printers in Rust and C#: they write each line at once, Python's gathers lines."
                .into(),
            "In the report on C# in Cascade: first about 1,000 times, warm up to 3 times the native time."
                .into(),
        ],
        machine,
        rows,
    };
    println!("{}", results.write("handlers")?.display());
    Ok(())
}

fn chart(rows: &[Row], title: &str, value: fn(&Run) -> f64) -> Chart {
    let bar = |row: &Row| Bar {
        label: format!("{}, {}", row.task, row.guest),
        value: value(&row.least),
        ours: row.guest != "native",
    };
    Chart {
        title: format!("Handlers: {title}"),
        unit: "ns".into(),
        logarithmic: true,
        bars: rows.iter().map(bar).collect(),
    }
}

/// Measures in a fresh process. What handlers print goes nowhere, so the process answers on standard error.
fn run(task: usize, guest: usize) -> Result<Run> {
    let mut command = Command::new(std::env::current_exe().context("finding this program")?);
    command.args(["--fresh", &task.to_string(), &guest.to_string()]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let output = command.output().with_context(|| format!("running {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().last().unwrap_or_default();
    serde_json::from_str(line).with_context(|| format!("running {command:?}: {}: {said}", output.status))
}

/// In the fresh process: the first object, then many.
fn fresh(task: usize, guest: usize) -> Result<()> {
    let began = Instant::now();
    let task = &TASKS[task];
    let home = || Some(book::root().to_owned());
    let host: Arc<dyn Host> = match GUESTS[guest] {
        "native" => Arc::new(Native),
        "csharp" => Arc::new(Clr::start(&ClrOptions { home: home(), ..ClrOptions::default() })?),
        _ => Arc::new(Python::start(&PythonOptions { home: home(), ..PythonOptions::default() })?),
    };
    let example = task.example;
    let file: PathBuf = match GUESTS[guest] {
        "native" => format!("build/{DLL_PREFIX}{example}{DLL_SUFFIX}").into(),
        "csharp" => format!("build/{example}.dll").into(),
        _ => task.python.into(),
    };
    let file = book::root().join("examples").join(example).join(file);
    let module = host.load(&HandlerSpec::new(example, GUESTS[guest], file, task.classes[guest]))?;
    let text = book::text(1)?;
    let objects = Objects::one("1", book::first_line(&text).trim_ascii_end());
    let mut outcome = None;
    host.worker(&mut || {
        outcome = Some((|| -> Result<Run> {
            let mut driven = Driven::open(module.instantiate()?)?;
            let start = Instant::now();
            driven.checked(&objects)?;
            let (first_us, start_ms) =
                (start.elapsed().as_secs_f64() * 1e6, began.elapsed().as_secs_f64() * 1e3);
            // Longer than one number takes to measure: what is compiled while it runs is given time.
            let warm_ns = (0..10).map(|_| nanos(|| _ = driven.call(&objects))).fold(f64::INFINITY, f64::min);
            driven.checked(&objects)?;
            Ok(Run { start_ms, first_us, warm_ns })
        })());
    });
    let run = outcome.context("running the worker")??;
    eprintln!("{}", serde_json::to_string(&run)?);
    Ok(())
}
