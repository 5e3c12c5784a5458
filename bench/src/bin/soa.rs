//! How fast are reductions of slices and columns? Ours beside iterators, polars' kernels, soa_derive, soa-rs, numpy.
//!
//! `cargo xtask bench soa`. The Rust peers are in a package of their own, `peers/columns`, which this builds.

use anyhow::Result;
use std::process::Command;
use upcall_bench::bindings::run;
use upcall_bench::book;
use upcall_bench::columns::{self, Row};
use upcall_bench::machine::Machine;
use upcall_bench::peers::Environment;
use upcall_bench::results::Results;

/// Elements that fit the first two levels of cache; the number.
const SMALL: usize = 10_000;

fn main() -> Result<()> {
    let machine = Machine::here();
    let mut rows = rust()?;
    rows.extend(python()?);
    print!("{}", columns::table(&rows));
    let targets = columns::targets(&rows, SMALL);
    println!();
    for target in &targets {
        println!("{}", target.line());
    }
    let notes = vec![
        "Nanoseconds are the least mean, by the thread's CPU time, of windows of 50 us in turns; of 15 calls at 100 MB.".into(),
        "All Rust is built for plain x86-64; we choose our instructions at run time, the others do not.".into(),
        "polars' kernels without its nightly feature `simd`; its greatest value passes over NaN, its sum is made in blocks.".into(),
        "`contains` looks for what is not there; all slices of `equal` are equal.".into(),
        "Vectors are aligned as malloc aligns them; the column of points to 64 bytes.".into(),
        "The read limit is the best of four loops over the same 100 MB by one thread.".into(),
        "numpy's calls and ours from Python include Python's own call.".into(),
    ];
    let results = Results {
        question: "How fast are reductions of slices and columns?".into(),
        command: "cargo xtask bench soa".into(),
        notes,
        machine,
        rows: vec![serde_json::json!({ "measured": rows, "targets": targets })],
    };
    println!("{}", results.write("soa")?.display());
    Ok(())
}

fn rust() -> Result<Vec<Row>> {
    let manifest = book::root().join("bench/peers/columns/Cargo.toml");
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--release", "--quiet", "--manifest-path"]).arg(manifest);
    cargo.env("CARGO_TARGET_DIR", book::scratch()?.join("columns"));
    columns::parse(&run(&mut cargo)?)
}

fn python() -> Result<Vec<Row>> {
    let environment = Environment::of("columns-python", "bench/peers/columns.txt")?;
    let mut python = Command::new(environment.python());
    python.arg(book::root().join("bench/peers/numpy_columns.py")).arg(SMALL.to_string());
    python.env("UPCALL_HOME", book::root()).env("PYTHONPATH", book::root().join("sdk/python"));
    columns::parse(&run(&mut python)?)
}
