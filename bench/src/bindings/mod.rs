//! Calls and callbacks through the generated bindings, beside what people write by hand and with other tools.
//!
//! Each language has one program, in `bench/bindgen/LANGUAGE`, which times every variant in one process, in
//! turns. It prints a line for each: case, variant, nanoseconds per call in each round, between tabs.

pub mod csharp;
pub mod generation;
pub mod java;
pub mod node;
pub mod python;
pub mod targets;

use crate::book;
use crate::command::run;
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is called, in the order of the tables. `upcall` is one of a hundred callbacks in one call.
pub const CASES: [&str; 7] = ["add", "struct", "str", "slice", "callback", "upcall", "result"];

/// One variant of one case.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The language that calls.
    pub language: &'static str,
    /// What is called.
    pub case: String,
    /// Through what.
    pub variant: String,
    /// Nanoseconds of CPU per call, in the best round.
    pub least: f64,
    /// The same in the middle one.
    pub median: f64,
    /// All of them, as they were printed.
    pub rounds: String,
}

/// Runs a language's program and reads what it printed.
fn measure(language: &'static str, program: &mut Command) -> Result<Vec<Row>> {
    eprintln!("measuring: {language}");
    let said = run(program)?;
    let rows = said.lines().map(|line| row(language, line)).collect::<Result<Vec<_>>>()?;
    for case in CASES {
        ensure!(rows.iter().any(|row| row.case == case), "measuring {language}: {case} is missing");
    }
    Ok(rows)
}

fn row(language: &'static str, line: &str) -> Result<Row> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [case, variant, rounds] = fields[..] else {
        bail!("reading what the program in {language} printed: {line:?} is not case, variant and rounds");
    };
    let numbers = rounds.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
    let mut sorted =
        numbers.with_context(|| format!("reading the rounds of {case}, {variant}, in {language}"))?;
    sorted.sort_by(f64::total_cmp);
    Ok(Row {
        language,
        case: case.to_owned(),
        variant: variant.to_owned(),
        least: sorted[0],
        median: sorted[sorted.len() / 2],
        rounds: rounds.to_owned(),
    })
}

/// A table for a terminal: what each variant takes at best, by case.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut last = None;
    for first in rows {
        if last != Some(first.language) {
            text += &format!("\n{:<26}", first.language);
            text.extend(CASES.map(|case| format!("{case:>10}")));
            text += "\n";
            last = Some(first.language);
        }
        if first.case != CASES[0] {
            continue;
        }
        text += &format!("{:<26}", first.variant);
        text.extend(CASES.map(|case| match find(rows, first.language, case, &first.variant) {
            Some(row) => format!("{:>10.1}", row.least),
            None => format!("{:>10}", "-"),
        }));
        text += "\n";
    }
    text
}

/// How many times the least the median round is: in the middle of all rows, and at most.
pub fn spread(rows: &[Row]) -> (f64, f64) {
    let mut ratios: Vec<f64> = rows.iter().map(|row| row.median / row.least).collect();
    ratios.sort_by(f64::total_cmp);
    (ratios.get(ratios.len() / 2).copied().unwrap_or(1.0), ratios.last().copied().unwrap_or(1.0))
}

/// The row of a variant.
pub fn find<'a>(rows: &'a [Row], language: &str, case: &str, variant: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.language == language && row.case == case && row.variant == variant)
}

/// The folder of the programs.
fn sources() -> PathBuf {
    book::root().join("bench/bindgen")
}

/// The folder that bindings and what is compiled of them go to.
fn build() -> PathBuf {
    sources().join("build")
}

/// The library that all of them call: cargo puts it beside this program.
fn library() -> Result<PathBuf> {
    let program = std::env::current_exe().context("finding this program")?;
    let library = program.with_file_name(format!("{DLL_PREFIX}upcall_bench_api{DLL_SUFFIX}"));
    ensure!(library.is_file(), "looking for {}: run `cargo xtask bench bindgen`", library.display());
    Ok(library)
}

/// The glue crate in a folder, compiled; its library is below `target/release`.
fn cargo(folder: &Path) -> Result<PathBuf> {
    let target = folder.join("target");
    let manifest = folder.join("Cargo.toml");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--manifest-path"]).arg(manifest);
    run(cargo.arg("--target-dir").arg(&target))?;
    Ok(target.join("release"))
}

/// Compiles what somebody wrote in C into a module that is linked with the library.
fn compile(source: &Path, include: &[&Path], library: &Path, to: &Path) -> Result<()> {
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-shared", "-fPIC"]).arg(source).arg(library);
    for folder in include {
        cc.arg("-I").arg(folder);
    }
    if let Some(folder) = library.parent() {
        cc.arg(format!("-Wl,-rpath,{}", folder.display()));
    }
    run(cc.arg("-o").arg(to)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_case_variant_and_rounds() {
        let row = row("Python", "add\tours, extension\t3.5 1.25 2").unwrap();
        assert_eq!((row.least, row.median), (1.25, 2.0));
        assert_eq!(spread(&[row]), (1.6, 1.6));
        assert!(super::row("Python", "Traceback (most recent call last):").is_err());
        assert!(super::row("Python", "add\tours\tfast").is_err());
    }
}
