//! What does a call cost through the generated bindings, and what through those that people write?
//!
//! `cargo xtask bench bindgen [LANGUAGE...]`: all of `csharp`, `python` and `node` if none is named; only a run of all
//! is written to `results/bindgen.json`.

use anyhow::{Result, bail};
use serde::Serialize;
use upcall_bench::bindings::targets::{self, Verdict, verdicts};
use upcall_bench::bindings::{Row, csharp, node, python, table};
use upcall_bench::machine::Machine;
use upcall_bench::results::Results;

type Measure = fn() -> Result<Vec<Row>>;

/// The languages by their names on the command line.
const LANGUAGES: [(&str, Measure); 3] =
    [("csharp", csharp::rows), ("python", python::rows), ("node", node::rows)];

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Call(Row),
    Target(Verdict),
}

fn main() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|name| !LANGUAGES.iter().any(|(known, _)| known == name)) {
        bail!("measuring {unknown}: there are {}", LANGUAGES.map(|(name, _)| name).join(", "));
    }
    let machine = Machine::here();
    let mut rows = Vec::new();
    for (name, measure) in LANGUAGES {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            rows.extend(measure()?);
        }
    }
    let verdicts = verdicts(&rows);
    print!("{}{}", table(&rows), targets::table(&verdicts));
    if !wanted.is_empty() {
        return Ok(());
    }
    let results = Results {
        question: "What does a call cost through the generated bindings?".into(),
        command: "cargo xtask bench bindgen".into(),
        notes: vec![
            "Nanoseconds of the calling thread's CPU a call: the least of 25 rounds of 20 ms, the variants in turns in one process.".into(),
            "All variants call the same library, and look at the same failure pointers.".into(),
        ],
        machine,
        rows: rows.into_iter().map(Found::Call).chain(verdicts.into_iter().map(Found::Target)).collect(),
    };
    println!("{}", results.write("bindgen")?.display());
    Ok(())
}
