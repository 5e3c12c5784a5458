//! Which published tables are older than what they measured: `bench/results` and the tables in README and docs.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command;
use crate::report::Outcome;
use crate::workspace::{Workspace, files_below};

const RUST: [&str; 3] = ["crates/abi/src", "crates/host/src", "crates/handler/src"];
const GUESTS: [&str; 2] = ["sdk/python/src", "sdk/csharp/Upcall"];
const FLOW: &str = "crates/flow/src";

/// Changes of lines that are comments, and nothing else, change no measurement.
const COMMENT: &str = "-I^[[:space:]]*(//|#[^[!])";

/// What a table in `bench/results` measures. A benchmark without a row here is measured by all that is built.
const MEASURED: [(&str, &[&[&str]]); 12] = [
    (
        "boundary",
        &[
            &RUST,
            &GUESTS,
            &[
                "crates/measure/src",
                "bench/peers/udf",
                "bench/peers/duckdb_functions.py",
                "bench/peers/grpc",
                "bench/peers/napi",
            ],
        ],
    ),
    ("handlers", &[&RUST, &GUESTS, &["examples/console-printer", "examples/wordcount"]]),
    (
        "later",
        &[&RUST, &GUESTS, &[FLOW, "crates/apart/src", "sdk/node/src", "examples/later", "bench/peers/later"]],
    ),
    ("typed", &[&RUST, &GUESTS, &["crates/pack/src", "bench/typed"]]),
    ("put", &[&RUST, &[FLOW]]),
    ("wordcount", &[&RUST, &GUESTS, &[FLOW, "examples/wordcount", "bench/peers/timely"]]),
    ("peers", &[&["bench/peers/wordcount_peers.py", "bench/peers/requirements.txt"]]),
    (
        "bindgen",
        &[&[
            "crates/abi/src", "crates/shim/src", "crates/bindgen/src", "crates/packers/src",
            "crates/glue/src", "crates/glue-jni/src", "crates/glue-node/src", "crates/glue-python/src",
            "bench/bindgen",
        ]],
    ),
    (
        "graph",
        &[
            &RUST,
            &GUESTS,
            &[
                "crates/graph/src",
                "crates/soa/src/file",
                "crates/crossing/src/vertex.rs",
                "sdk/node/src/graph",
                "sdk/java/src/upcall",
                "examples/graph",
                "bench/src/graph",
                "bench/peers/graph_peers.py",
                "bench/peers/graph.txt",
            ],
        ],
    ),
    (
        "mpi",
        &[&[
            "crates/abi/src",
            "crates/mpi/src",
            "crates/mpi/shim",
            "crates/pack/src",
            "bench/mpi",
            "bench/peers/rsmpi",
            "bench/peers/mpi4py_messages.py",
            "bench/peers/mpi.txt",
        ]],
    ),
    ("soa", &[&["crates/soa/src", "crates/ffi/src", "sdk/csharp/Upcall/Simd", "bench/peers/columns"]]),
    ("pack", &[&["crates/pack/src", "crates/derive/src", "bench/peers/codecs", "bench/peers/memorypack"]]),
];

/// Names every table whose code has changed since, and every one that does not say what it measured. Warns only:
/// measuring again takes a quiet machine.
pub fn check(ws: &Workspace) -> Result<Outcome> {
    let git = |arguments: &[&str]| command::output(ws.command("git").args(arguments));
    if git(&["rev-parse", "--git-dir"]).is_err() {
        return Ok(Outcome::Skipped("no git, or no repository: what has changed since is not known".into()));
    }
    let published = published(ws)?;
    let mut old = Vec::new();
    for file in files_below(&ws.root.join("bench/results"), "json")? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some((commit, cpu)) = measured(&file)? else {
            println!("{name:<10} does not say which commit and which CPU it measured");
            old.push(name);
            continue;
        };
        let known = git(&["cat-file", "-e", &format!("{commit}^{{commit}}")]).is_ok();
        let paths: Vec<&str> = paths(&name);
        let said = if !known {
            format!(
                "measured at {commit}, which this clone does not have: it is shallow, or history was rewritten"
            )
        } else if let Some(changed) = changed(ws, &commit, &paths)? {
            format!("measured at {commit} on {cpu}; files changed since: {changed}")
        } else if shown(&published, &name) && !published.contains(&commit) {
            format!(
                "measured at {commit}, which neither README.md nor docs/ names: their table is from another run"
            )
        } else {
            continue;
        };
        println!("{name:<10} {said}");
        old.push(name);
    }
    Ok(if old.is_empty() {
        Outcome::Done
    } else {
        Outcome::Warned(format!("measure again: {}", old.join(", ")))
    })
}

/// The commit and the CPU that the results name.
fn measured(file: &Path) -> Result<Option<(String, String)>> {
    let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let results: Value =
        serde_json::from_str(&text).with_context(|| format!("reading {} as JSON", file.display()))?;
    let of = |name: &str| results["machine"][name].as_str().filter(|said| *said != "unknown");
    let (Some(commit), Some(cpu)) = (of("commit"), of("cpu")) else { return Ok(None) };
    // What was not committed yet is in the next commit.
    let commit = commit.split(['-', ' ']).next().unwrap_or(commit);
    Ok(Some((commit.to_owned(), cpu.to_owned())))
}

/// The sources of a table.
fn paths(name: &str) -> Vec<&'static str> {
    let row = MEASURED.iter().find(|(table, _)| *table == name);
    row.map_or_else(|| vec!["crates", "sdk", "bench/src"], |(_, paths)| paths.concat())
}

/// The folders in which code is not as it was at `commit`, with what is not committed yet.
fn changed(ws: &Workspace, commit: &str, paths: &[&str]) -> Result<Option<String>> {
    let mut changed = Vec::new();
    for path in paths {
        let mut diff: Command = ws.command("git");
        diff.args(["diff", "--numstat", "--ignore-blank-lines", COMMENT, commit, "--", path]);
        // A file with other comments only has no lines added and none deleted.
        let lines = command::output(&mut diff)?;
        let files = lines.lines().filter(|line| !line.starts_with("0\t0\t")).count();
        if files > 0 {
            changed.push(format!("{path} ({files})"));
        }
    }
    Ok((!changed.is_empty()).then(|| changed.join(", ")))
}

/// Whether README or docs have a table of this benchmark.
fn shown(published: &str, name: &str) -> bool {
    [format!("(`{name}`"), format!("`cargo xtask bench {name}`")]
        .iter()
        .any(|mention| published.contains(mention))
}

/// README and docs.
fn published(ws: &Workspace) -> Result<String> {
    let mut files = files_below(&ws.root.join("docs"), "md")?;
    files.push(ws.root.join("README.md"));
    let mut text = String::new();
    for file in files {
        text += &fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_names_sources_that_are_there() {
        let ws = Workspace::find().unwrap();
        for (name, _) in MEASURED {
            assert!(ws.root.join(format!("bench/results/{name}.json")).is_file(), "no results of {name}");
            for path in paths(name) {
                assert!(ws.root.join(path).exists(), "{name} measures {path}, which is not there");
            }
        }
    }
}
