//! The graphs that the engine's own programs are compared with NetworkX on, and what these come to.

use super::{example, root};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;
use upcall_graph::programs::{Components, Labels, PageRank, ShortestPaths};
use upcall_graph::{Graph, Options, Program, run};

#[path = "../../../graph/tests/references/lists.rs"]
mod lists;

/// The programs that examples have in each language.
pub const PROGRAMS: [&str; 6] =
    ["PageRank", "PageRankGather", "PageRankEdges", "Components", "ShortestPaths", "Labels"];

/// As many iterations as Graphalytics has for its labels.
const LABELS: u64 = 10;

/// A graph, and the list of its edges.
pub struct Reference {
    pub name: String,
    pub list: PathBuf,
    pub directed: bool,
    pub vertices: usize,
    pub graph: Graph,
}

/// A folder of lists and graphs, and these; graph-tool's collection, which is not everywhere, among them.
pub fn references() -> (TempDir, Vec<Reference>) {
    let folder = tempfile::tempdir().unwrap();
    let script = root().join("crates/graph/tests/references/references.py");
    let write = |more: &[&str]| {
        let mut python = Command::new(root().join(".setup/venv/bin/python"));
        let made = python.arg("-B").arg(&script).arg(folder.path()).arg("--edges-only").args(more).output();
        let made = made.unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    write(&[]);
    let collection = root().join(".setup/graphs");
    if collection.is_dir() {
        write(&["--collection", collection.to_str().unwrap()]);
    }
    let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let mut lists: Vec<PathBuf> = files.collect();
    lists.sort();
    let all: Vec<Reference> = lists.into_iter().map(Reference::new).collect();
    assert!(all.len() == 10 || all.len() == 29, "{} graphs", all.len());
    (folder, all)
}

impl Reference {
    fn new(list: PathBuf) -> Reference {
        let graph = lists::graph(&list);
        let (directed, vertices) = (graph.is_directed(), graph.vertices());
        let name = list.file_stem().unwrap().to_str().unwrap().to_owned();
        Reference { name, list, directed, vertices, graph }
    }

    /// What the engine's own programs come to after at most so many iterations, by the names of the examples.
    pub fn own(&self, iterations: u64) -> BTreeMap<&'static str, Vec<f64>> {
        let ranks = |iterations| self.ran(PageRank::<f64>::default(), iterations).own.to_vec();
        let all = ranks(iterations);
        let whole = |shown: &[u64]| shown.iter().map(|id| *id as f64).collect();
        let [components, labels] = [
            whole(&self.ran(Components, iterations).shown),
            whole(&self.ran(Labels, iterations_of("Labels", iterations)).shown),
        ];
        let paths = self.ran(ShortestPaths::<f64>::new(0, self.vertices), iterations).shown.to_vec();
        // Its ranks are those of an iteration before.
        let edges = if iterations == u64::MAX { all.clone() } else { ranks(iterations - 1) };
        [all.clone(), all, edges, components, paths, labels]
            .into_iter()
            .zip(PROGRAMS)
            .map(|(found, program)| (program, found))
            .collect()
    }

    fn ran<P: Program>(&self, program: P, iterations: u64) -> upcall_graph::Outcome<P> {
        run(&self.graph, program, Options { iterations, ..Options::default() }).unwrap()
    }
}

/// How many iterations a program has at most: labels may change for ever.
pub fn iterations_of(program: &str, iterations: u64) -> u64 {
    if program == "Labels" { iterations.min(LABELS) } else { iterations }
}

/// The same bits for each vertex.
#[track_caller]
pub fn same(what: &str, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (vertex, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        assert!(found.to_bits() == wanted.to_bits(), "{what}, vertex {vertex}: {found} instead of {wanted}");
    }
}

/// The file of a program in Python, whose examples have several.
pub fn in_python(program: &str) -> PathBuf {
    example(match program {
        "Components" => "graph/python/components.py",
        "ShortestPaths" => "graph/python/paths.py",
        "Labels" => "graph/python/labels.py",
        _ => "graph/python/pagerank.py",
    })
}
