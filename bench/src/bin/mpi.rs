//! What do messages cost, beside C on the same MPI, in the same process? From Rust, C# and Python; and rsmpi's and mpi4py's?
//!
//! `cargo xtask bench mpi [--quick] [--json] [WORD...]`. A WORD is an MPI (`openmpi`, `mpich`), a transport
//! (`shared-memory`, `tcp`), a program (`Upcall`, `C#`, `Python`, `rsmpi`, `mpi4py`) or a case; with any of them, or `--quick`, only those are
//! measured and no results are written.

use anyhow::{Context, Result};
use serde::Serialize;
use std::env;
use std::path::{Path, PathBuf};
use upcall_bench::book;
use upcall_bench::command::built;
use upcall_bench::machine::Machine;
use upcall_bench::mpi::launch::{Chosen, Mpi, Program, Run, Transport};
use upcall_bench::mpi::rows::{Row, Rows};
use upcall_bench::mpi::targets::{Target, targets};
use upcall_bench::mpi::{charts, rank};
use upcall_bench::peers::Environment;
use upcall_bench::results::{Results, write_to};
use upcall_chart::Lines;

/// What the process of a rank is told first.
const RANK: &str = "rank";

const PING_PONG: &str = "ping-pong";
const VALUES: &str = "values";
const UNKNOWN: &str = "unknown-size";
const STRUCTS: &str = "padded-structs";
const RECORDS: &str = "records";
const ALL_REDUCE: &str = "all-reduce";
const HANDLERS: &str = "handlers";
// The last starts the guests' runtimes, whose threads the others do not have.
const CASES: [&str; 7] = [PING_PONG, VALUES, UNKNOWN, STRUCTS, RECORDS, ALL_REDUCE, HANDLERS];
/// What is between ranks is of no matter for the others.
const OVER_TCP: [&str; 3] = [PING_PONG, VALUES, ALL_REDUCE];

const UPCALL: &str = "Upcall";
const RSMPI: &str = "rsmpi";
const MPI4PY: &str = "mpi4py";
const CSHARP: &str = "C#";
const PYTHON: &str = "Python";
const PROGRAMS: [&str; 5] = [UPCALL, CSHARP, PYTHON, RSMPI, MPI4PY];

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Row(Row),
    Target(Target),
}

fn main() -> Result<()> {
    let mut words: Vec<String> = env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == RANK) {
        return rank::run(&words[1..]);
    }
    let mut flag = |name: &str| {
        let before = words.len();
        words.retain(|word| word != name);
        words.len() < before
    };
    let (quick, json) = (flag("--quick"), flag("--json"));
    let known = [&["openmpi", "mpich", "shared-memory", "tcp"], &PROGRAMS[..], &CASES[..]].concat();
    let chosen = Chosen::of(words, &known)?;
    // So many turns of all programs, as a busy minute hits one of them only; seconds for each way in a turn.
    let (turns, seconds) = if quick { (1, 0.02) } else { (2, 0.1) };
    let machine = Machine::here();
    let (rows, versions) = measure(&chosen, turns, seconds)?;
    let targets = targets(&rows);
    if json {
        println!(
            "{}",
            serde_json::to_string_pretty(&serde_json::json!({ "measured": rows.0, "targets": targets }))?
        );
    } else {
        println!("microseconds, and times C in the same process\n\n{}", rows.table());
        targets.iter().for_each(|target| println!("{}", target.line()));
    }
    if quick || !chosen.is_all() {
        eprintln!("bench: not all was measured, or not long enough: no results are written");
        return Ok(());
    }
    for version in &versions {
        let word = version.to_lowercase();
        let word: String = word.chars().filter(char::is_ascii_alphabetic).collect();
        for transport in Transport::ALL {
            let name = format!("mpi-{word}-{}", transport.word());
            draw(&name, &charts::ping_pong(&rows, version, transport))?;
            let name = format!("mpi-all-reduce-{word}-{}", transport.word());
            draw(&name, &charts::all_reduce(&rows, version, transport))?;
        }
    }
    let results = Results {
        question: "What do messages cost, beside C on the same MPI?".into(),
        command: "cargo xtask bench mpi".into(),
        notes: notes(turns, seconds, &versions),
        machine,
        rows: rows.0.into_iter().map(Found::Row).chain(targets.into_iter().map(Found::Target)).collect(),
    };
    eprintln!("{}", results.write_by_line("mpi")?.display());
    Ok(())
}

fn notes(turns: usize, seconds: f64, versions: &[String]) -> Vec<String> {
    vec![
        format!("{}; two ranks on one machine, each bound to a core, waiting by spinning.", versions.join(", ")),
        format!("Nanoseconds of a message (half a ping-pong) or a reduction: the least mean of batches of 100 us, of all ways in turn for {turns} times {seconds} s each. The first of each batch is not counted. `more` is what a way takes more than the first, by the mean of the least tenth of its batches."),
        "C is compiled by each MPI's own mpicc with -O3 and loaded into the process of each program: what is compared with C is compared within one process, on the same memory where the elements are the same.".into(),
        "Buffers are malloc's, touched before.".into(),
        "padded structs: a float, 4 bytes of padding, a double. C describes the fields to MPI (MPI_Type_create_struct, resized) or sends the bytes with whatever is in the padding; ours zeroes the padding in a copy.".into(),
        "unknown size: who receives makes room for what has arrived, and frees it; in C by MPI_Mprobe or by MPI_Probe.".into(),
        "records: a number, a short text and a double each, in a list; mpi4py's are dicts or dataclasses. Packing or pickling, sending, receiving and making the objects again are all in the time.".into(),
        "C#: spans of a pinned array, which C has too; a function of spans adds by vectors, one of elements is a lambda of two numbers. Python: numpy arrays; a function of numpy adds into the second. handler: of kind COMBINE in C# and in Python, called from Rust once per chunk.".into(),
        format!("mpi4py: {}.", include_str!("../../peers/mpi.txt").trim().replace('\n', ", ")),
    ]
}

/// What the programs measure, and the versions of the MPIs.
fn measure(chosen: &Chosen, turns: usize, seconds: f64) -> Result<(Rows, Vec<String>)> {
    let mpis = chosen.among(&Mpi::ALL, Mpi::word);
    let transports = chosen.among(&Transport::ALL, Transport::word);
    let cases = chosen.among(&CASES, |case| case);
    let mut ready = Vec::new();
    for mpi in mpis {
        let (version, library) = (mpi.name()?, mpi.compile()?);
        let programs = chosen_programs(chosen, mpi, &library)?;
        ready.push((mpi, version, library, programs));
    }
    let mut rows = Rows::default();
    for turn in 1..=turns {
        for (mpi, version, library, programs) in &ready {
            for &transport in &transports {
                for program in programs {
                    let is_had = |case: &&str| {
                        program.cases.contains(case)
                            && (transport == Transport::SharedMemory || OVER_TCP.contains(case))
                    };
                    let cases: Vec<&str> = cases.iter().copied().filter(is_had).collect();
                    if cases.is_empty() {
                        continue;
                    }
                    eprintln!("turn {turn} of {turns}: {version}, {}, {}", transport.name(), program.name);
                    let run = Run { mpi: *mpi, version, transport, library, seconds };
                    run.rows(program, &cases, |row| {
                        progress(&row);
                        rows.add(row);
                    })?;
                }
            }
        }
    }
    Ok((rows, ready.into_iter().map(|(_, version, ..)| version).collect()))
}

/// A line for who waits.
fn progress(row: &Row) {
    let found = &row.measured;
    eprintln!("  {} {}: {} {}, {:.3} us", found.case, found.count, found.who, found.how, found.nanos / 1e3);
}

fn chosen_programs(chosen: &Chosen, mpi: Mpi, library: &Path) -> Result<Vec<Program>> {
    let names = chosen.among(&PROGRAMS, |name| name);
    names.into_iter().map(|name| program(name, mpi, library)).collect()
}

// Open MPI gives ranks a terminal, which .NET would set up by words in what is printed: `TERM` is "dumb" where it runs.
fn program(name: &'static str, mpi: Mpi, library: &Path) -> Result<Program> {
    Ok(match name {
        RSMPI => Program {
            name,
            command: vec![built(&format!("UPCALL_BENCH_RSMPI_{}", mpi.word().to_uppercase()), "mpi")?.into()],
            variables: Vec::new(),
            cases: &[PING_PONG, STRUCTS, ALL_REDUCE],
        },
        MPI4PY => {
            let environment = Environment::of("mpi-python", "bench/peers/mpi.txt")?;
            Program {
                name,
                command: vec![
                    environment.python().to_owned(),
                    book::root().join("bench/peers/mpi4py_messages.py"),
                ],
                // Its wheel has a module for each.
                variables: vec![
                    ("MPI4PY_MPIABI", mpi.word().into()),
                    ("LD_LIBRARY_PATH", mpi.folder_of_names(library)?.into()),
                ],
                cases: &[PING_PONG, RECORDS, ALL_REDUCE],
            }
        }
        CSHARP => Program {
            name,
            command: vec![
                built("UPCALL_BENCH_DOTNET", "mpi")?.into(),
                "exec".into(),
                built("UPCALL_BENCH_MPI_CSHARP", "mpi")?.into(),
            ],
            variables: vec![
                ("UPCALL_HOME", book::root().into()),
                ("TERM", "dumb".into()),
                // Bound to one core, .NET would compile methods well a second after it has seen the last new one.
                ("DOTNET_TC_DelaySingleProcMultiplier", "1".into()),
            ],
            cases: &[PING_PONG, RECORDS, ALL_REDUCE],
        },
        PYTHON => Program {
            name,
            command: vec![
                Environment::of("mpi-python", "bench/peers/mpi.txt")?.python().to_owned(),
                book::root().join("bench/mpi/upcall_messages.py"),
            ],
            variables: vec![("UPCALL_HOME", book::root().into())],
            cases: &[PING_PONG, RECORDS, ALL_REDUCE],
        },
        _ => Program {
            name,
            command: vec![env::current_exe().context("looking for this program")?, PathBuf::from(RANK)],
            variables: vec![("TERM", "dumb".into())],
            cases: &CASES,
        },
    })
}

/// Writes a chart, and says where.
fn draw(name: &str, chart: &Lines) -> Result<()> {
    eprintln!("{}", write_to("charts", &format!("{name}.svg"), &chart.svg())?.display());
    Ok(())
}
