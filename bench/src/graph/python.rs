//! Graph libraries of Python, in a process of their own: `peers/graph_peers.py`.

use crate::peers::Environment;
use crate::{book, command};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_graph::Graph;

use super::known::{First, ITERATIONS, Known};
use super::rows::{Row, Size};

/// Those that hold the whole graph.
pub const LARGE: [&str; 2] = ["igraph", "scikit-network"];

/// The one that has an object for each edge, and gets a sixteenth of the graph.
pub const SMALL: [&str; 1] = ["networkx"];

/// What programs are called here and in the script.
const PROGRAMS: [&str; 5] = ["build", "PageRank", CONVERGED, "components", "breadth-first"];

/// PageRank that goes on until ranks have converged.
pub const CONVERGED: &str = "PageRank to 1e-10";

/// How the name of a list of edges ends.
pub const PAIRS: &str = "pairs";

/// A graph's edges, each once, as pairs of little-endian u32.
///
/// # Errors
/// They cannot be written.
pub fn edges(graph: &Graph, place: &Path) -> Result<PathBuf> {
    let path = place.with_extension(PAIRS);
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&path)?);
        let incoming = graph.incoming();
        for to in 0..graph.vertices() {
            let from = incoming.of(to).map(|edge| incoming.neighbours.get(edge));
            for from in from.take_while(|from| *from < to) {
                out.write_all(&(from as u32).to_le_bytes())?;
                out.write_all(&(to as u32).to_le_bytes())?;
            }
        }
        out.flush()
    };
    write().with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// What the script says of a program.
#[derive(Debug, Deserialize)]
struct Said {
    what: String,
    who: String,
    seconds: f64,
    #[serde(default = "one")]
    iterations: u64,
    components: Option<usize>,
    reached: Option<usize>,
    top: Option<usize>,
    rank: Option<f64>,
}

fn one() -> u64 {
    1
}

/// Runs a library's programs over a list of edges, so many times each.
///
/// # Errors
/// It fails, or comes to something else than ours.
pub fn measure(
    environment: &Environment,
    library: &str,
    size: Size,
    edges: &Path,
    known: &Known,
    runs: usize,
) -> Result<Vec<Row>> {
    let said = command::run(&mut script(environment, library, size, edges, known.hub, runs))?;
    command::rows(&said)?.into_iter().map(|said: Said| said.row(size, known)).collect()
}

/// The script that does: all programs of a library, or those that are added to its arguments.
#[must_use]
pub fn script(
    environment: &Environment,
    library: &str,
    size: Size,
    edges: &Path,
    from: usize,
    runs: usize,
) -> Command {
    let mut script = Command::new(environment.python());
    script.arg(book::root().join("bench/peers/graph_peers.py"));
    script.args([library, &size.vertices.to_string()]).arg(edges);
    script.args([from.to_string(), ITERATIONS.to_string(), runs.to_string()]);
    // One thread, as ours that it is compared with.
    for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
        script.env(variable, "1");
    }
    script
}

/// What the script says of programs that come to ranks, if to anything.
///
/// # Errors
/// It says something else, or a library comes to another first vertex.
pub fn ranked(said: &str, size: Size, first: &First) -> Result<Vec<Row>> {
    command::rows(said)?.into_iter().map(|said: Said| said.ranked(size, first)).collect()
}

impl Said {
    fn row(self, size: Size, known: &Known) -> Result<Row> {
        if let Some(components) = self.components {
            known.check_components(&self.who, components)?;
        }
        if let Some(reached) = self.reached {
            known.check_reached(&self.who, reached)?;
        }
        self.ranked(size, &known.first)
    }

    fn ranked(self, size: Size, first: &First) -> Result<Row> {
        let Some(what) = PROGRAMS.iter().find(|what| **what == self.what) else {
            bail!("reading what {} has run: {:?} is none of {PROGRAMS:?}", self.who, self.what);
        };
        if let Some(top) = self.top {
            first.check(&self.who, top, self.rank, 1e-6)?;
        }
        Ok(size.row(what, self.who, 1, self.seconds, self.iterations))
    }
}

/// Removes a list of edges.
///
/// # Errors
/// It stays.
pub fn remove(edges: &Path) -> Result<()> {
    fs::remove_file(edges).with_context(|| format!("removing {}", edges.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_knows_every_library_and_every_program() {
        let script = include_str!("../../peers/graph_peers.py");
        for library in LARGE.iter().chain(&SMALL) {
            assert!(script.contains(&format!("    \"{library}\": (")), "{library}");
            assert!(include_str!("../../peers/graph.txt").contains(&format!("{library}==")), "{library}");
        }
        for what in PROGRAMS {
            assert!(script.contains(&format!("\"{what}\"")), "{what}");
        }
    }

    #[test]
    fn a_library_that_comes_to_something_else_is_an_error() {
        let first = First { vertex: 5, rank: 0.5 };
        let known = Known { hub: 0, components: 3, reached: 9, first };
        let size = Size { scale: 4, vertices: 16, edges: 100 };
        let row = |text: &str| serde_json::from_str::<Said>(text).unwrap().row(size, &known);
        let fine =
            row(r#"{"what": "PageRank", "who": "it 1.0", "seconds": 2.0, "iterations": 10, "top": 5}"#);
        assert_eq!(fine.unwrap().nanos_per_edge, 2e6);
        let said = |text| row(text).unwrap_err().to_string();
        assert!(
            said(r#"{"what": "components", "who": "it", "seconds": 1, "components": 4}"#)
                .contains("it has 4")
        );
        assert!(
            said(r#"{"what": "PageRank", "who": "it", "seconds": 1, "top": 5, "rank": 0.6}"#).contains("0.6")
        );
        assert!(said(r#"{"what": "nothing", "who": "it", "seconds": 1}"#).contains("nothing"));
    }
}
