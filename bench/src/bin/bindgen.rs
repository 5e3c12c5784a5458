//! What does a call cost through the generated bindings, and what through those that people write?
//!
//! `cargo xtask bench bindgen [LANGUAGE...]`: all of `csharp`, `python`, `node`, `java` and `physx` (which writes PhysX's bindings) if none is named; only a run of all
//! is written to `results/bindgen.json`.

use anyhow::{Result, bail};
use serde::Serialize;
use upcall_bench::bindings::generation::{self, Generation};
use upcall_bench::bindings::targets::{self, Verdict, verdicts};
use upcall_bench::bindings::{Row, csharp, java, node, python, spread, table};
use upcall_bench::machine::Machine;
use upcall_bench::results::Results;

/// The name of PhysX among them.
const PHYSX: &str = "physx";

type Measure = fn() -> Result<Vec<Row>>;

/// The languages by their names on the command line.
const LANGUAGES: [(&str, Measure); 4] =
    [("csharp", csharp::rows), ("python", python::rows), ("node", node::rows), ("java", java::rows)];

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Call(Row),
    Target(Verdict),
    Generation(Generation),
}

fn main() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let known = |name: &&String| *name == PHYSX || LANGUAGES.iter().any(|(known, _)| known == name);
    if let Some(unknown) = wanted.iter().find(|name| !known(name)) {
        bail!("measuring {unknown}: there are {} and {PHYSX}", LANGUAGES.map(|(name, _)| name).join(", "));
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let machine = Machine::here();
    let mut rows = Vec::new();
    for (name, measure) in LANGUAGES {
        if is_wanted(name) {
            rows.extend(measure()?);
        }
    }
    let generated = if is_wanted(PHYSX) { generation::measure(7)? } else { Vec::new() };
    let verdicts = verdicts(&rows);
    print!("{}{}", table(&rows), targets::table(&verdicts));
    if !generated.is_empty() {
        print!("{}", generation::table(&generated));
    }
    if !wanted.is_empty() {
        return Ok(());
    }
    let (middle, most) = spread(&rows);
    let found = rows.into_iter().map(Found::Call).chain(verdicts.into_iter().map(Found::Target));
    let results = Results {
        question: "What does a call cost through the generated bindings?".into(),
        command: "cargo xtask bench bindgen".into(),
        notes: vec![
            "Nanoseconds of the calling thread's CPU per call: the least of 25 rounds of 20 ms, the variants in turns in one process.".into(),
            format!("The median round is {middle:.2} times the least in the middle of all rows, {most:.2} at most; targets are met with {:.2}.", targets::SPREAD),
            "All variants call the same library and look at its failure pointers. By hand means for these seven functions only: what can be left out of a library for all is left out.".into(),
            "The callback is a function that returns its argument. ctypes, cffi, koffi and FFM by hand get one made once; ours, and the other hands, a plain function each time.".into(),
            "An upcall is one of a hundred in one call. A struct goes into a fresh object in Python, a fresh array or view in Node, and in Java to where the last one lay.".into(),
            "Once a program has made a callback, C#'s Api watches for exceptions in every call: a row of its own.".into(),
            "PhysX: 1,927 functions of physx-sys 0.11.5; nothing of it is built. Targets are for CPU seconds.".into(),
        ],
        machine,
        rows: found.chain(generated.into_iter().map(Found::Generation)).collect(),
    };
    println!("{}", results.write("bindgen")?.display());
    Ok(())
}
