//! Upcall's pack beside other codecs, on the shapes of the public Rust serialization benchmark.
//!
//! Two programs measure: `bench/peers/codecs`, with all that is written in Rust, and `bench/peers/memorypack`, with
//! MemoryPack itself. Both print a line for each case: shape, operation, codec, numbers, between tabs. They take
//! turns.

pub mod targets;

use crate::chart::{Bar, Chart};
use crate::command::run;
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The shapes, in the order of the tables.
pub const SHAPES: [&str; 5] = ["log", "mesh", "minecraft", "mk48", "vectors"];

/// What is done with a shape, in the order of the tables. `size` is in bytes, the others are in nanoseconds.
pub const OPERATIONS: [&str; 5] = ["size", "write", "read", "borrow", "overwrite"];

/// One operation of one codec.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is written or read.
    pub shape: String,
    /// How.
    pub operation: String,
    /// By whom.
    pub codec: String,
    /// Nanoseconds of CPU per call in the best round; bytes.
    pub least: f64,
    /// The same in the middle one.
    pub median: f64,
    /// All of them.
    pub rounds: Vec<f64>,
}

/// The programs that measure.
pub struct Programs {
    codecs: PathBuf,
    memorypack: Option<[PathBuf; 2]>,
}

impl Programs {
    /// Those that `cargo xtask bench pack` has built.
    pub fn find() -> Result<Programs> {
        let path = |name| std::env::var_os(name).map(PathBuf::from);
        let codecs = path("UPCALL_BENCH_CODECS").context(
            "looking for the codecs: UPCALL_BENCH_CODECS is not set; run `cargo xtask bench pack`",
        )?;
        let memorypack = path("UPCALL_BENCH_DOTNET").zip(path("UPCALL_BENCH_MEMORYPACK"));
        Ok(Programs { codecs, memorypack: memorypack.map(<[PathBuf; 2]>::from) })
    }

    /// Whether MemoryPack itself is measured too.
    pub fn have_memorypack(&self) -> bool {
        self.memorypack.is_some()
    }

    /// Lets the programs measure in turn, some rounds each.
    pub fn measure(&self, turns: usize, rounds: usize) -> Result<Vec<Row>> {
        let folder = std::env::temp_dir().join(format!("upcall-bench-pack-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let rows = self.measure_in(&folder, turns, rounds);
        std::fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
        rows
    }

    /// As [`Programs::measure`]; what our pack makes of the shapes, which MemoryPack reads, lies in `folder`.
    fn measure_in(&self, folder: &Path, turns: usize, rounds: usize) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for turn in 1..=turns {
            eprintln!("measuring: turn {turn} of {turns}");
            let mut codecs = Command::new(&self.codecs);
            add(&mut rows, &run(codecs.arg(folder).arg(rounds.to_string()))?)?;
            let Some([dotnet, program]) = &self.memorypack else { continue };
            for (name, environment) in targets::RUNTIMES {
                let mut memorypack = Command::new(dotnet);
                // The thread whose time is taken collects the garbage.
                memorypack.env("DOTNET_gcConcurrent", "0").envs(environment.iter().copied());
                memorypack.arg(program).arg(folder).args([&rounds.to_string(), *name]);
                add(&mut rows, &run(&mut memorypack)?)?;
            }
        }
        for row in &mut rows {
            let mut sorted = row.rounds.clone();
            sorted.sort_by(f64::total_cmp);
            (row.least, row.median) = (sorted[0], sorted[sorted.len() / 2]);
        }
        for shape in SHAPES {
            ensure!(rows.iter().any(|row| row.shape == shape), "measuring the codecs: {shape} is missing");
        }
        Ok(rows)
    }
}

/// Adds the rounds that a program printed to those of earlier turns.
fn add(rows: &mut Vec<Row>, said: &str) -> Result<()> {
    for line in said.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [shape, operation, codec, numbers] = fields[..] else {
            bail!(
                "reading what a codec's program printed: {line:?} is not shape, operation, codec and numbers"
            );
        };
        let numbers = numbers.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
        let numbers = numbers.with_context(|| format!("reading the numbers of {line:?}"))?;
        match rows.iter_mut().find(|row| row.is(shape, operation, codec)) {
            Some(row) => row.rounds.extend(numbers),
            None => rows.push(Row {
                shape: shape.to_owned(),
                operation: operation.to_owned(),
                codec: codec.to_owned(),
                least: f64::NAN,
                median: f64::NAN,
                rounds: numbers,
            }),
        }
    }
    Ok(())
}

impl Row {
    fn is(&self, shape: &str, operation: &str, codec: &str) -> bool {
        self.shape == shape && self.operation == operation && self.codec == codec
    }
}

/// What a codec takes at best.
pub fn least(rows: &[Row], shape: &str, operation: &str, codec: &str) -> Option<f64> {
    rows.iter().find(|row| row.is(shape, operation, codec)).map(|row| row.least)
}

/// A table for a terminal: bytes, and microseconds at best, by shape.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    for shape in SHAPES {
        text += &format!("\n{shape:<30}");
        text.extend(OPERATIONS.map(|operation| format!("{operation:>12}")));
        text += "\n";
        let mut codecs: Vec<&str> = Vec::new();
        for row in rows.iter().filter(|row| row.shape == shape) {
            if !codecs.contains(&row.codec.as_str()) {
                codecs.push(&row.codec);
            }
        }
        for codec in codecs {
            text += &format!("{codec:<30}");
            text.extend(OPERATIONS.map(|operation| match least(rows, shape, operation, codec) {
                Some(bytes) if operation == "size" => format!("{bytes:>12}"),
                Some(nanos) => format!("{:>12.1}", nanos / 1e3),
                None => format!("{:>12}", "-"),
            }));
            text += "\n";
        }
    }
    text
}

/// What the codecs take for one shape, each in its first mode: written, and read in the ways but the owned one.
pub fn chart(rows: &[Row], shape: &str, title: &str) -> Chart {
    let mut bars = Vec::new();
    for operation in ["write", "borrow", "overwrite"] {
        let first =
            |row: &&Row| row.shape == shape && row.operation == operation && !row.codec.contains(", ");
        let mut found: Vec<&Row> = rows.iter().filter(first).collect();
        found.sort_by(|a, b| a.least.total_cmp(&b.least));
        bars.extend(found.into_iter().map(|row| Bar {
            label: format!("{operation}: {}", row.codec),
            value: row.least / 1e3,
            ours: row.codec == targets::OURS,
        }));
    }
    Chart { title: title.to_owned(), unit: "us".into(), logarithmic: false, bars }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shape_operation_codec_and_numbers() {
        let mut rows = Vec::new();
        add(&mut rows, "log\twrite\tours\t3.5 1.25\nlog\tsize\tours\t7").unwrap();
        add(&mut rows, "log\twrite\tours\t2").unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].rounds, [3.5, 1.25, 2.0]);
        assert!(add(&mut rows, "log\twrite\tours").is_err());
        assert!(add(&mut rows, "log\twrite\tours\tfast").is_err());
    }
}
