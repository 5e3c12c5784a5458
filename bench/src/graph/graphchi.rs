//! GraphChi (Kyrola, Blelloch, Guestrin 2012), in its authors' C++, which is built elsewhere.

use crate::command;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_graph::Graph;

use super::known::{ITERATIONS, Known};

/// Its programs below `bin/example_apps`, and what the tables call them.
pub const PROGRAMS: [(&str, &str); 2] =
    [("pagerank", "GraphChi, vertices in memory"), ("pagerank_ooc", "GraphChi, edges' values")];

/// In how many shards edges are.
const SHARDS: &str = "4";

/// How much memory it is told to take.
const MEMORY_MIB: &str = "256";

/// A folder with its sources and programs.
#[derive(Debug)]
pub struct GraphChi {
    root: PathBuf,
}

/// A graph in its shards. The list stays beside them: they are made again when it is newer, or gone.
#[derive(Debug)]
pub struct Shards {
    folder: PathBuf,
    /// How long it took to make them of a list that was there.
    pub seconds: f64,
}

/// What its list of edges is called, and its shards after it.
const NAME: &str = "edges";

impl GraphChi {
    /// That of `UPCALL_BENCH_GRAPHCHI`, if there is one.
    #[must_use]
    pub fn given() -> Option<GraphChi> {
        std::env::var_os("UPCALL_BENCH_GRAPHCHI").map(|root| GraphChi { root: root.into() })
    }

    /// Writes a list of a graph's edges and makes shards of it, in place of those that are there.
    ///
    /// # Errors
    /// Files cannot be written, or its converter fails.
    pub fn shards(&self, graph: &Graph, place: &Path) -> Result<Shards> {
        let folder = place.with_extension("graphchi");
        let list = folder.join(NAME);
        let write = || -> std::io::Result<()> {
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
            fs::create_dir_all(&folder)?;
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&list)?);
            let incoming = graph.incoming();
            for to in 0..graph.vertices() {
                for from in incoming.of(to).map(|edge| incoming.neighbours.get(edge)) {
                    writeln!(out, "{from} {to}")?;
                }
            }
            out.flush()
        };
        write().with_context(|| format!("writing {}", list.display()))?;
        let said = command::run(&mut self.command("pagerank", &folder, 1, 1))?;
        let of = |what| timing(&said, what).with_context(|| format!("looking for {what} in:\n{said}"));
        let seconds = of("preprocessing")? + of("execute_sharding")?;
        Ok(Shards { folder, seconds })
    }

    /// How long a program of it says that it has run. Its first vertex must be ours.
    ///
    /// # Errors
    /// It fails, says no time, or comes to something else.
    pub fn seconds(&self, program: &str, shards: &Shards, threads: usize, known: &Known) -> Result<f64> {
        let said = command::run(&mut self.command(program, &shards.folder, threads, ITERATIONS))?;
        let top = top(&said).with_context(|| format!("looking for ranks in what {program} says:\n{said}"))?;
        known.check_top(&format!("GraphChi's {program}"), top, None, 0.0)?;
        timing(&said, "runtime")
            .with_context(|| format!("looking for a time in what {program} says:\n{said}"))
    }

    fn command(&self, program: &str, folder: &Path, threads: usize, iterations: u64) -> Command {
        let mut command = Command::new(self.root.join("bin/example_apps").join(program));
        command
            .current_dir(folder)
            .env("GRAPHCHI_ROOT", &self.root)
            .args(["file", NAME, "filetype", "edgelist", "nshards", SHARDS, "membudget_mb", MEMORY_MIB])
            .args(["niters", &iterations.to_string(), "execthreads", &threads.to_string()]);
        command
    }
}

/// Seconds of a line `NAME:  1.5 s` or `NAME:  1.5s  (count: …`.
fn timing(said: &str, name: &str) -> Option<f64> {
    let line = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().split('s').next()?.trim().parse().ok()
}

/// The vertex of the line `1. VERTEX  RANK`.
fn top(said: &str) -> Option<usize> {
    said.lines().find_map(|line| line.strip_prefix("1. ")?.split_whitespace().next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_the_first_vertex_are_found_in_what_it_says() {
        let said = "Print top 20 vertices:\n1. 17\t28.8527\n2. 1\t12.1541\n\n === REPORT FOR pagerank() ===\n\
                    execute-updates:\t\t0.057538s\t (count: 40)\nruntime:\t\t0.120936 s\n";
        assert_eq!(timing(said, "runtime"), Some(0.120_936));
        assert_eq!(timing(said, "execute-updates"), Some(0.057_538));
        assert_eq!((timing(said, "time"), top(said)), (None, Some(17)));
        assert_eq!(top("Segmentation fault"), None);
    }
}
