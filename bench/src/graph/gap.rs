//! The GAP benchmark suite's programs (Beamer, Asanović, Patterson 2015), which are built elsewhere.

use crate::command;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_graph::Graph;

/// A folder with its programs.
pub struct Gap {
    folder: PathBuf,
}

impl Gap {
    /// That of `UPCALL_BENCH_GAP`, if there is one.
    pub fn given() -> Option<Gap> {
        std::env::var_os("UPCALL_BENCH_GAP").map(|folder| Gap { folder: folder.into() })
    }

    /// An undirected graph in its own format, made if it is not there.
    ///
    /// # Errors
    /// It cannot be written, or its converter fails.
    pub fn graph(&self, graph: &Graph, place: &Path) -> Result<PathBuf> {
        let own = place.with_extension("sg");
        if own.exists() {
            return Ok(own);
        }
        let text = place.with_extension("el");
        let write = || -> std::io::Result<()> {
            let mut out = std::io::BufWriter::new(std::fs::File::create(&text)?);
            let incoming = graph.incoming();
            for to in 0..graph.vertices() {
                // Each edge is there in both directions, and it wants one of them.
                let from = incoming.of(to).map(|edge| incoming.neighbours.get(edge));
                for from in from.take_while(|from| *from < to) {
                    writeln!(out, "{from} {to}")?;
                }
            }
            out.flush()
        };
        write().with_context(|| format!("writing {}", text.display()))?;
        let mut converter = Command::new(self.folder.join("converter"));
        command::run(converter.arg("-s").arg("-f").arg(&text).arg("-b").arg(&own))?;
        std::fs::remove_file(&text).with_context(|| format!("removing {}", text.display()))?;
        Ok(own)
    }

    /// The least seconds that a program of it takes over a graph.
    ///
    /// # Errors
    /// It fails, or says no times.
    pub fn seconds(&self, program: &str, graph: &Path, threads: usize, arguments: &[&str]) -> Result<f64> {
        let mut command = Command::new(self.folder.join(program));
        command.env("OMP_NUM_THREADS", threads.to_string()).arg("-f").arg(graph).args(arguments);
        let said = command::run(&mut command)?;
        let times =
            said.lines().filter_map(|line| line.strip_prefix("Trial Time:")?.trim().parse::<f64>().ok());
        times.reduce(f64::min).with_context(|| format!("looking for times in what {program} says:\n{said}"))
    }
}
