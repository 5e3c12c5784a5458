//! The GAP benchmark suite's programs (Beamer, Asanović, Patterson 2015), which are built elsewhere.

use crate::command;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_graph::Graph;

/// What has PageRank run ten iterations, once.
pub const TEN: [&str; 6] = ["-i", "10", "-t", "0", "-n", "1"];

/// A folder with its programs.
pub struct Gap {
    folder: PathBuf,
}

impl Gap {
    /// That of `UPCALL_BENCH_GAP`, if there is one.
    pub fn given() -> Option<Gap> {
        std::env::var_os("UPCALL_BENCH_GAP").map(|folder| Gap { folder: folder.into() })
    }

    /// An undirected graph in its own format, made if it is not there: the bytes that its converter makes of a text of the edges,
    /// without the minutes that it takes to read a large one.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn graph(&self, graph: &Graph, place: &Path) -> Result<PathBuf> {
        let own = place.with_extension("sg");
        if own.exists() {
            return Ok(own);
        }
        let half = place.with_extension("half.sg");
        let write = || -> std::io::Result<()> {
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&half)?);
            write(graph, &mut out)?;
            out.flush()?;
            fs::rename(&half, &own)
        };
        write().with_context(|| format!("writing {}", own.display()))?;
        Ok(own)
    }

    /// One of its programs over a graph.
    #[must_use]
    pub fn command(&self, program: &str, graph: &Path, threads: usize, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.folder.join(program));
        command.env("OMP_NUM_THREADS", threads.to_string()).arg("-f").arg(graph).args(arguments);
        command
    }

    /// The least seconds that a program of it takes over a graph.
    ///
    /// # Errors
    /// It fails, or says no times.
    pub fn seconds(&self, program: &str, graph: &Path, threads: usize, arguments: &[&str]) -> Result<f64> {
        least(&command::run(&mut self.command(program, graph, threads, arguments))?)
    }
}

/// The least of the times that a program of it says.
///
/// # Errors
/// It says none.
pub fn least(said: &str) -> Result<f64> {
    let times = said.lines().filter_map(|line| line.strip_prefix("Trial Time:")?.trim().parse::<f64>().ok());
    times.reduce(f64::min).with_context(|| format!("looking for times in what GAP says:\n{said}"))
}

/// Writes a graph as its `WriterBase` does: whether it is directed, how many edges and vertices, where each vertex's edges begin, and
/// neighbours.
fn write(graph: &Graph, out: &mut impl Write) -> std::io::Result<()> {
    let incoming = graph.incoming();
    out.write_all(&[0])?;
    for number in [graph.edges() as u64, graph.vertices() as u64] {
        out.write_all(&number.to_le_bytes())?;
    }
    for offset in incoming.offsets {
        out.write_all(&offset.to_le_bytes())?;
    }
    for edge in 0..graph.edges() {
        out.write_all(&(incoming.neighbours.get(edge) as u32).to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcall_graph::{Builder, Direction, Source};

    #[test]
    fn a_graph_is_written_as_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (list, place) = (folder.path().join("edges.txt"), folder.path().join("edges.graph"));
        fs::write(&list, "0 1\n1 2\n").unwrap();
        Builder::new().source(Source::file(&list)).direction(Direction::Undirected).build(&place).unwrap();
        let gap = Gap { folder: "/nowhere".into() };
        let own = gap.graph(&Graph::read(&place).unwrap(), &place).unwrap();
        let bytes = fs::read(own).unwrap();
        let words: Vec<u64> =
            bytes[1..49].as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let ids: Vec<u32> = bytes[49..].as_chunks().0.iter().map(|id| u32::from_le_bytes(*id)).collect();
        assert_eq!((bytes[0], &words[..], &ids[..]), (0, &[4, 3, 0, 1, 3, 4][..], &[1, 0, 2, 1][..]));
    }

    #[test]
    fn the_least_time_is_found() {
        assert_eq!(least("Read Time: 0.1\nTrial Time:  0.5\nTrial Time: 0.25\n").unwrap(), 0.25);
        assert!(least("Segmentation fault").is_err());
    }
}
