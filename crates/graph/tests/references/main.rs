//! Programs come to what NetworkX and scikit-network do, and where these have none, to what their definitions do in numpy and
//! scipy: on graphs that NetworkX brings, on that of Debian's packages, and on the real ones of graph-tool's collection. Their
//! results hold by the rules of GAP's verifiers, too.

mod answers;
mod compare;
mod factors;
mod kronecker;
mod lists;
mod verifiers;
mod verify;
mod walks;

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What `cargo xtask setup` makes.
fn setup() -> Option<PathBuf> {
    let mut roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    roots.find_map(|root| Some(root.join(".setup")).filter(|setup| setup.is_dir()))
}

/// The interpreter in it, with NetworkX, scikit-network, numpy and scipy.
fn python() -> PathBuf {
    let given = std::env::var_os("UPCALL_PYTHON").map(PathBuf::from);
    let made = || setup().map(|setup| setup.join("venv/bin/python")).filter(|python| python.exists());
    given.or_else(made).expect("run cargo xtask setup: .setup/venv has the Python of the tests")
}

/// A folder with what one of the scripts here writes.
fn written(script: &str, more: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/references").join(script);
    let mut python = Command::new(python());
    let made = python.arg("-B").arg(script).arg(folder.path()).args(more).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    folder
}

/// The files of a folder that end like this, by their names.
fn files(folder: &TempDir, extension: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<_> = all.filter(|file| file.extension().is_some_and(|end| end == extension)).collect();
    found.sort();
    found
}

#[test]
fn programs_come_to_what_networkx_and_scikit_network_do() {
    let (graphs, answers) = compared(&[]);
    // Of NetworkX 8 to 11 per graph, of scikit-network 4 to 6, by definition 7 or 8.
    assert!(graphs == 10 && answers > 220, "{graphs} graphs, {answers} answers");
}

/// `cargo xtask test` says so where there is none: apt has it on Debian, but not on Ubuntu.
#[test]
fn programs_come_to_the_same_on_graph_tools_collection() {
    let collection = setup().map(|setup| setup.join("graphs"));
    if let Some(collection) = collection.filter(|folder| folder.is_dir()) {
        let (graphs, answers) = compared(&["--collection", collection.to_str().unwrap()]);
        assert!(graphs == 19 && answers > 19 * graphs, "{graphs} graphs, {answers} answers");
    }
}

/// How many graphs there are, and answers to compare with.
fn compared(collection: &[&str]) -> (usize, usize) {
    let folder = written("references.py", collection);
    let graphs = files(&folder, "edges");
    (graphs.len(), graphs.iter().map(|edges| compare::compare(edges)).sum())
}
