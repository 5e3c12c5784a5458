//! GraphChi (Kyrola, Blelloch, Guestrin 2012), in its authors' C++, which is built elsewhere.

use crate::command;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_graph::Graph;

use super::known::{First, ITERATIONS};

/// Its programs below `bin/example_apps`, and what the tables call them.
pub const PROGRAMS: [(&str, &str); 2] =
    [("pagerank", "GraphChi, vertices in memory"), ("pagerank_ooc", "GraphChi, edges' values")];

/// What the tables call the making of its shards.
pub const SHARDED: &str = "GraphChi, shards of a text";

/// In how many shards edges are.
const SHARDS: &str = "4";

/// How much memory it is told to take: so much for each vertex, as ours has for a large graph, and no less than this.
const BYTES_PER_VERTEX: usize = 64;
const MEMORY_MIB: usize = 256;

/// A folder with its sources and programs.
#[derive(Debug)]
pub struct GraphChi {
    root: PathBuf,
}

/// A list of a graph's edges, in a folder of its own, and how much memory is taken for the graph.
#[derive(Debug)]
pub struct List {
    /// The folder.
    pub folder: PathBuf,
    memory_mib: usize,
}

/// A graph in its shards. The list stays beside them: they are made again when it is newer, or gone.
#[derive(Debug)]
pub struct Shards {
    list: List,
    /// How long it took to make them of a list that was there.
    pub seconds: f64,
}

impl Shards {
    /// Of a list, when [`GraphChi::sharding`] has said this.
    ///
    /// # Errors
    /// It has said no times.
    pub fn of(list: List, said: &str) -> Result<Shards> {
        let of = |what| timing(said, what).with_context(|| format!("looking for {what} in:\n{said}"));
        let seconds = of("preprocessing")? + of("execute_sharding")?;
        Ok(Shards { list, seconds })
    }
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
        let list = Self::list(graph, place)?;
        let said = command::run(&mut self.sharding(&list))?;
        Shards::of(list, &said)
    }

    /// Writes a list of a graph's edges, in place of what is there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn list(graph: &Graph, place: &Path) -> Result<List> {
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
                let end = format!(" {to}\n");
                for from in incoming.of(to).map(|edge| incoming.neighbours.get(edge)) {
                    write!(out, "{from}")?;
                    out.write_all(end.as_bytes())?;
                }
            }
            out.flush()
        };
        write().with_context(|| format!("writing {}", list.display()))?;
        let memory_mib = ((graph.vertices() * BYTES_PER_VERTEX) >> 20).max(MEMORY_MIB);
        Ok(List { folder, memory_mib })
    }

    /// What makes shards of a list: one iteration, before which they are made.
    #[must_use]
    pub fn sharding(&self, list: &List) -> Command {
        self.command("pagerank", list, 1, 1)
    }

    /// A program of it over a graph's shards.
    #[must_use]
    pub fn running(&self, program: &str, shards: &Shards, threads: usize) -> Command {
        self.command(program, &shards.list, threads, ITERATIONS)
    }

    /// How long a program of it says that it has run. Its first vertex must be ours.
    ///
    /// # Errors
    /// It fails, says no time, or comes to something else.
    pub fn seconds(&self, program: &str, shards: &Shards, threads: usize, first: &First) -> Result<f64> {
        runtime(&command::run(&mut self.running(program, shards, threads))?, first)
    }

    fn command(&self, program: &str, list: &List, threads: usize, iterations: u64) -> Command {
        let mut command = Command::new(self.root.join("bin/example_apps").join(program));
        command
            .current_dir(&list.folder)
            .env("GRAPHCHI_ROOT", &self.root)
            .args(["file", NAME, "filetype", "edgelist", "nshards", SHARDS])
            .args(["membudget_mb", &list.memory_mib.to_string()])
            .args(["niters", &iterations.to_string(), "execthreads", &threads.to_string()]);
        command
    }
}

/// How long a program says that it has run, whose first vertex must be ours.
///
/// # Errors
/// It says no time, or came to something else.
pub fn runtime(said: &str, first: &First) -> Result<f64> {
    let vertex = top(said).with_context(|| format!("looking for ranks in what GraphChi says:\n{said}"))?;
    first.check("GraphChi", vertex, None, 0.0)?;
    timing(said, "runtime").with_context(|| format!("looking for a time in what GraphChi says:\n{said}"))
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
        let first = |vertex| First { vertex, rank: 0.5 };
        assert_eq!(runtime(said, &first(17)).unwrap(), 0.120_936);
        assert!(runtime(said, &first(1)).unwrap_err().to_string().contains("vertex 17"));
    }
}
