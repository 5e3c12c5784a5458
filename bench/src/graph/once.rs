//! PageRank in a process of its own, which maps a graph's file and runs once: with nothing in the page cache, or within limits.

use crate::command;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use upcall_graph::{Graph, Iteration, Options, run};

use super::known::rank;

/// The word by which this program knows that it is one.
const WORD: &str = "pagerank-once";

/// How long it took.
#[derive(Debug, Serialize, Deserialize)]
pub struct Once {
    /// From before the file was mapped to the end of the last iteration.
    pub seconds: f64,
    /// Each iteration.
    pub iterations: Vec<f64>,
}

impl Once {
    /// Reads what the process said.
    ///
    /// # Errors
    /// It is no such thing.
    pub fn of(said: &str) -> Result<Once> {
        let mut rows = command::rows(said)?;
        rows.pop().context("reading what the process that runs PageRank said: found nothing")
    }

    /// The mean of an iteration behind the first.
    #[must_use]
    pub fn later(&self) -> f64 {
        let later = self.iterations.get(1..).unwrap_or_default();
        later.iter().sum::<f64>() / later.len().max(1) as f64
    }
}

/// This program, to run PageRank in f32.
///
/// # Errors
/// It cannot be found.
pub fn command(graph: &Path, threads: usize, iterations: u64) -> Result<Command> {
    let mut command = Command::new(env::current_exe().context("looking for this program")?);
    command.arg(WORD).arg(graph).args([threads.to_string(), iterations.to_string()]);
    Ok(command)
}

/// Whether this process is one.
#[must_use]
pub fn is_it() -> bool {
    env::args_os().nth(1).is_some_and(|word| word == WORD)
}

/// Is one.
///
/// # Errors
/// The arguments are not those of [`command()`], or the graph is none.
pub fn serve() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(2).collect();
    let [place, threads, iterations] = &arguments[..] else {
        anyhow::bail!("running {WORD}: found {arguments:?} instead of a graph, threads and iterations");
    };
    let (threads, iterations) = (threads.parse()?, iterations.parse()?);
    let mut each = Vec::new();
    let mut report = |done: &Iteration| each.push(done.took.as_secs_f64());
    let began = Instant::now();
    // SAFETY: the benchmark, which has made the file, does not write it as long as this process runs.
    let graph = unsafe { Graph::map(place) }?;
    let options = Options { threads, iterations, report: Some(&mut report), ..Options::default() };
    std::hint::black_box(run(&graph, rank::<f32>(), options)?);
    let seconds = began.elapsed().as_secs_f64();
    println!("{}", serde_json::to_string(&Once { seconds, iterations: each })?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_iteration_is_not_one_of_the_later() {
        let once = Once::of("{\"seconds\": 9.0, \"iterations\": [5.0, 1.0, 3.0]}\n").unwrap();
        assert_eq!((once.seconds, once.later()), (9.0, 2.0));
        assert!(Once::of("").is_err());
    }
}
