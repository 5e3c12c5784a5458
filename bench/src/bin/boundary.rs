//! What does it cost to cross? Rust, C# and Python handlers beside a plain call through a function pointer,
//! arrow-udf's runtimes, Extism, JNI by hand and DuckDB's Python functions, and gRPC for handlers in another process.
//!
//! `cargo xtask bench boundary`. `upcall bench boundary` prints the same table without the peers.

use anyhow::{Context, Result};
use std::process::Command;
use upcall_bench::apart::{self, Peers};
use upcall_bench::chart::{Bar, Chart};
use upcall_bench::embed;
use upcall_bench::functions::{self, Programs, ROWS, Row};
use upcall_bench::machine::Machine;
use upcall_bench::results::Results;
use upcall_host::guests::Options;
use upcall_measure::{self as measure, Boundary, Guest, Probe, VALUES};

fn main() -> Result<()> {
    let options = Options::default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, guest] = &arguments[..]
        && flag == "--start"
    {
        let guest = Guest::named(guest).with_context(|| format!("starting {guest}: no such guest"))?;
        println!("{}", measure::start(guest, &options)?);
        return Ok(());
    }
    if apart::is_guest() {
        return apart::serve(&options);
    }
    let machine = Machine::here();
    let (mut programs, mut peers) = (Programs::find()?, Peers::find()?);
    let program = std::env::current_exe().context("finding this program")?;
    let boundary = measure::boundary(
        &options,
        |guest| {
            let mut command = Command::new(&program);
            command.args(["--start", guest.name()]);
            command
        },
        &apart::processes()?,
        &Guest::ISOLATED,
    )?;
    let (functions, mut apart) = (programs.measure()?, peers.measure()?);
    apart.splice(0..0, apart::ours(&boundary));
    let mut embedded = embed::measure()?;
    embedded.extend(embed::napi(&apart));
    let tables = [
        measure::table(&boundary),
        functions::table(&boundary, &functions),
        apart::table(&apart),
        embed::table(&embedded),
    ];
    print!("{}", tables.join("\n"));

    println!("{}", chart(&boundary, &functions).write("boundary")?.display());
    let notes = vec![
        "Nanoseconds are the least mean of windows of 40 us, 40 ms per number; starts the least of 7 processes.".into(),
        "Handlers are driven with frames made by hand: nothing of an engine is measured.".into(),
        "Keys have 10 bytes and come again with each batch; values overlap, so the memory is always in cache.".into(),
        "To read is to take length and first byte of key and value; in Python to make the objects of both.".into(),
        "Starts begin before the runtime is looked for and end with the first emission; exec is not in them.".into(),
        "Rust handlers are part of the program: nothing is loaded for them; the compiler removes the loop over an empty one."
            .into(),
        "functions: a row is a 64-bit integer and a text of 10 bytes, the answer their sum, the text taken as its length; CPU time, the least mean of windows in 5 processes of 400 ms per number, in DuckDB of 15 queries over 200 batches less the same without the function.".into(),
        "another process: items have a key of 10 bytes and a value of 64, answers 16 bytes; gRPC over a Unix socket, wall clock, the least round trip and the best window of 100 ms, in 5 processes of 600 ms per number; N-API: the least of 400 ms in 5 processes.".into(),
        "embedded: an object has a key of 10 bytes and a value of 64, both are read; the least mean of windows of 40 us in 5 processes of 40 ms per number.".into(),
        [include_str!("../../peers/udf.txt"), include_str!("../../peers/grpc.txt")].concat().trim().replace('\n', ", "),
    ];
    let results = Results {
        question: "What does it cost to cross the boundary?".into(),
        command: "cargo xtask bench boundary".into(),
        notes,
        machine,
        rows: vec![
            serde_json::json!({ "boundary": boundary, "targets": measure::targets(&boundary), "functions": functions, "apart": apart, "embedded": embedded }),
        ],
    };
    println!("{}", results.write("boundary")?.display());
    Ok(())
}

fn chart(boundary: &Boundary, functions: &[Row]) -> Chart {
    let mut bars =
        vec![Bar { label: "Rust, function pointer, a call".into(), value: boundary.plain_call, ours: false }];
    for costs in &boundary.guests {
        let name = costs.guest.name();
        if let Some(bare) = costs.bare {
            let label = format!("{name}, bare [UnmanagedCallersOnly], a call");
            bars.push(Bar { label, value: bare.nanos, ours: false });
        }
        for (probe, batch) in
            [(Probe::Reading, 1), (Probe::Empty, 1024), (Probe::Reading, 1024), (Probe::Emitting, 1024)]
        {
            let items = if batch == 1 { "a single call".into() } else { format!("batches of {batch}") };
            let value = costs.nanos(probe, batch, VALUES[0]).unwrap_or(f64::NAN);
            bars.push(Bar { label: format!("{name}, {}, {items}", probe.label()), value, ours: true });
        }
    }
    for row in functions {
        bars.push(Bar { label: format!("{}, batches of {ROWS}", row.who), value: row.nanos, ours: false });
    }
    Chart { title: "An item through the boundary".into(), unit: "ns".into(), logarithmic: true, bars }
}
