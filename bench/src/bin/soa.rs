//! How fast are reductions of slices and columns? Ours beside iterators, polars' kernels, soa_derive, soa-rs, numpy, LINQ.
//!
//! `cargo xtask bench soa`. The peers are programs of their own: `peers/columns`, `peers/linq` and
//! `peers/numpy_columns.py`.

use anyhow::Result;
use std::process::Command;
use upcall_bench::book;
use upcall_bench::columns::{self, Row};
use upcall_bench::command::{self, built, run};
use upcall_bench::machine::Machine;
use upcall_bench::peers::Environment;
use upcall_bench::results::Results;

/// Elements that fit the first two levels of cache.
const SMALL: usize = 10_000;
/// Bytes that no cache holds.
const LARGE: usize = 100_000_000;

fn main() -> Result<()> {
    let machine = Machine::here();
    let mut rows = rust()?;
    rows.extend(python()?);
    rows.extend(csharp()?);
    columns::sort(&mut rows);
    print!("{}", columns::table(&rows));
    let targets = columns::targets(&rows, SMALL);
    println!();
    for target in &targets {
        println!("{}", target.line());
    }
    let notes = vec![
        "Nanoseconds are the least mean, by the thread's CPU time, of windows of 50 us in turns; of 60 calls at 100 MB.".into(),
        "All Rust is built for plain x86-64; we choose our instructions at run time, the others do not.".into(),
        "polars' kernels without its nightly feature `simd`; its greatest value passes over NaN, its sum is made in blocks.".into(),
        "`contains` looks for what is not there; all slices of `equal` are equal.".into(),
        "Vectors are aligned as malloc aligns them; the column of points to 64 bytes.".into(),
        "The read limit is the best of loops that only read the same 100 MB by one thread, in turns with the reduction.".into(),
        "numpy's calls and ours from Python include Python's own call; ours from C# the call into the library.".into(),
        "numpy's mean of f32 is gathered in f32, ours in f64; its `contains` and `count_equal` make an array of booleans.".into(),
    ];
    let chart = columns::chart(&rows, SMALL);
    let results = Results {
        question: "How fast are reductions of slices and columns?".into(),
        command: "cargo xtask bench soa".into(),
        notes,
        machine,
        rows: vec![serde_json::json!({ "measured": rows, "targets": targets })],
    };
    println!("{}", chart.write("soa")?.display());
    println!("{}", results.write("soa")?.display());
    Ok(())
}

fn rust() -> Result<Vec<Row>> {
    command::rows(&run(&mut Command::new(built("UPCALL_BENCH_COLUMNS", "soa")?))?)
}

fn csharp() -> Result<Vec<Row>> {
    let mut dotnet = Command::new(built("UPCALL_BENCH_DOTNET", "soa")?);
    dotnet.arg("exec").arg(built("UPCALL_BENCH_LINQ", "soa")?).arg(SMALL.to_string());
    command::rows(&run(dotnet.env("UPCALL_HOME", book::root()))?)
}

fn python() -> Result<Vec<Row>> {
    let environment = Environment::of("columns-python", "bench/peers/columns.txt")?;
    let mut python = Command::new(environment.python());
    python.arg(book::root().join("bench/peers/numpy_columns.py")).args([SMALL, LARGE].map(|n| n.to_string()));
    python.env("UPCALL_HOME", book::root()).env("PYTHONPATH", book::root().join("sdk/python"));
    command::rows(&run(&mut python)?)
}
