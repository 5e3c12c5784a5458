//! The peers: a throw-away environment with other people's engines, each run in a process of its own.

use crate::book;
use crate::command::{built, run};
use crate::measure::Sample;
use crate::plain::{self, Counts};
use crate::results::Throughput;
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to count words: the name that its program knows, and the one that a chart shows.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// What the program calls it.
    pub name: &'static str,
    /// What a reader calls it.
    pub label: &'static str,
    /// Who counts.
    pub program: Program,
}

/// What counts words in a process of its own.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// `wordcount_peers.py`.
    Python,
    /// `peers/timely`, with so many workers.
    Timely(usize),
}

impl Variant {
    const fn python(name: &'static str, label: &'static str) -> Variant {
        Variant { name, label, program: Program::Python }
    }

    const fn timely(name: &'static str, workers: usize, label: &'static str) -> Variant {
        Variant { name, label, program: Program::Timely(workers) }
    }
}

/// Every variant in Python, plain Python first.
pub const WORDCOUNT: &[Variant] = &[
    Variant::python("counter-whole-text", "Python, Counter over the text"),
    Variant::python("counter-by-line", "Python, Counter by line"),
    Variant::python("bytewax-count-final", "bytewax, count_final"),
    Variant::python("bytewax-count-final-2", "bytewax, count_final, 2 workers"),
    Variant::python("bytewax-tutorial", "bytewax, as in its examples"),
    Variant::python("bytewax-stateful-map", "bytewax, stateful_map"),
    Variant::python("pathway-apply", "pathway, apply and flatten"),
    Variant::python("pathway-apply-2", "pathway, apply, 2 workers"),
    Variant::python("pathway-connector", "pathway, Python connector"),
];

/// Every variant on timely dataflow.
pub const TIMELY: &[Variant] = &[
    Variant::timely("strings", 1, "timely, String records"),
    Variant::timely("strings", 2, "timely, String records, 2 workers"),
    Variant::timely("borrowed", 1, "timely, borrowed words"),
    Variant::timely("borrowed", 2, "timely, borrowed words, 2 workers"),
];

/// Pythons that all peers have packages for, in the order in which they are tried.
const PYTHONS: &[&str] = &["python3.12", "python3.11", "python3"];

/// A virtual environment with the peers in it.
#[derive(Debug)]
pub struct Environment {
    python: PathBuf,
}

impl Environment {
    /// The environment of the engines.
    pub fn set_up() -> Result<Environment> {
        Environment::of("python", "bench/peers/requirements.txt")
    }

    /// An environment below `target/`, made and filled if it is missing or has other versions.
    pub fn of(name: &str, requirements: &str) -> Result<Environment> {
        let folder = book::scratch()?.join(name);
        let python = folder.join("bin/python");
        let requirements = book::root().join(requirements);
        let wanted = fs::read_to_string(&requirements)
            .with_context(|| format!("reading {}", requirements.display()))?;
        let installed = folder.join("installed.txt");
        if fs::read_to_string(&installed).is_ok_and(|there| there == wanted) {
            return Ok(Environment { python });
        }
        let maker = find_python(std::env::var("UPCALL_BENCH_PYTHON").ok())?;
        eprintln!("installing the peers into {} with {maker}", folder.display());
        run(Command::new(&maker).args(["-m", "venv", "--clear"]).arg(&folder))?;
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--requirement"])
            .arg(&requirements))?;
        fs::write(&installed, wanted).with_context(|| format!("writing {}", installed.display()))?;
        Ok(Environment { python })
    }

    /// The interpreter.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// Version of the interpreter.
    pub fn version(&self) -> Result<String> {
        Ok(run(Command::new(&self.python).arg("--version"))?.trim().to_owned())
    }

    /// Counts the words of `file` with a peer; the counts come back with the time.
    pub fn count(&self, variant: Variant, file: &Path) -> Result<(Outcome, Counts)> {
        let counts_file = book::scratch()?.join("counts.tsv");
        let mut program = match variant.program {
            Program::Python => {
                let mut python = Command::new(&self.python);
                python.arg(book::root().join("bench/peers/wordcount_peers.py")).arg(variant.name);
                python
            }
            Program::Timely(workers) => {
                let mut timely = Command::new(built("UPCALL_BENCH_TIMELY", "wordcount")?);
                timely.arg(variant.name).arg(workers.to_string());
                timely
            }
        };
        let said = run(program.arg(file).arg(&counts_file))?;
        let line = said.lines().last().unwrap_or_default();
        let outcome = serde_json::from_str(line)
            .with_context(|| format!("reading what the peer {} said: found {line:?}", variant.name))?;
        let text = fs::read_to_string(&counts_file)
            .with_context(|| format!("reading the counts of the peer {}", variant.name))?;
        let counts = plain::parse(&text).with_context(|| {
            format!("reading the counts of the peer {}: not lines of word and count", variant.name)
        })?;
        Ok((outcome, counts))
    }
}

/// What a peer says of one run.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Outcome {
    /// Threads that worked.
    pub workers: usize,
    /// How long it took.
    #[serde(flatten)]
    pub sample: Sample,
}

/// Measures `variants` on `text`, `runs` times each, in turn, so that a busy moment hits all alike. Each run's
/// counts must be those of the plain loop.
pub fn wordcount(
    environment: &Environment,
    variants: &[Variant],
    text: &[u8],
    runs: usize,
) -> Result<Vec<Throughput>> {
    let whole = book::write("input.txt", text)?;
    let line = book::write("line.txt", book::first_line(text))?;
    let expected = plain::count(text);
    let words = expected.values().sum();
    let mut samples = vec![(1, Vec::new(), Vec::new()); variants.len()];
    for round in 0..runs {
        for (variant, (workers, long, short)) in variants.iter().zip(&mut samples) {
            eprintln!("run {} of {runs}: {}", round + 1, variant.label);
            short.push(environment.count(*variant, &line)?.0.sample);
            let (outcome, counts) = environment.count(*variant, &whole)?;
            ensure!(
                counts == expected,
                "checking the counts of {}: they differ from the plain loop's ({} words of {})",
                variant.name,
                counts.values().sum::<u64>(),
                words
            );
            *workers = outcome.workers;
            long.push(outcome.sample);
        }
    }
    let rows = variants.iter().zip(samples);
    Ok(rows
        .map(|(v, (workers, long, short))| Throughput::new(v.label, workers, words, long, short))
        .collect())
}

/// The Python that the user chose, or the first that fits.
fn find_python(chosen: Option<String>) -> Result<String> {
    let candidates = chosen.as_deref().map_or(PYTHONS.to_vec(), |python| vec![python]);
    let fits = "import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))";
    let works = |python: &str| {
        let output = Command::new(python).args(["-c", fits]).output();
        output.is_ok_and(|output| output.status.success())
    };
    match candidates.iter().find(|python| works(python)) {
        Some(python) => Ok((*python).to_owned()),
        None => bail!(
            "looking for a Python 3.11 or 3.12 with `venv` for the peers: found none among {}; install one \
             (Debian: python3-venv) and name it in UPCALL_BENCH_PYTHON",
            candidates.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_python_that_is_not_there_is_named_with_what_to_do() {
        let error = find_python(Some("python0.1".into())).unwrap_err().to_string();
        assert!(error.contains("python0.1") && error.contains("UPCALL_BENCH_PYTHON"), "{error}");
    }

    #[test]
    fn the_script_knows_every_variant() {
        let script = include_str!("../peers/wordcount_peers.py");
        for variant in WORDCOUNT {
            assert!(script.contains(&format!("    \"{}\": (", variant.name)), "{variant:?}");
        }
    }
}
