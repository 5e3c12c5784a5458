//! PageRank in a process of its own, by ours, the plain loop or petgraph: with nothing in the page cache, within limits, or to see how
//! much memory it takes.

use crate::command;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::env;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use upcall_graph::programs::{PageRank, Real};
use upcall_graph::{Graph, Iteration, Options, run};

use super::known::{CONVERGED, First, rank, until};
use super::{petgraph, plain};

/// The word by which this program knows that it is one.
const WORD: &str = "pagerank-once";

/// Who runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Ours, in f32.
    Ours,
    /// Ours, in f64, until ranks have converged, however many iterations that takes.
    Converged,
    /// The plain loop over the mapped file, on one thread.
    Plain,
    /// The loop over petgraph's `Csr`, which is made first, on one thread.
    Petgraph,
}

/// All of them, as the command line names them.
const ALL: [(&str, Who); 4] =
    [("ours", Who::Ours), ("converged", Who::Converged), ("plain", Who::Plain), ("petgraph", Who::Petgraph)];

/// What it came to.
#[derive(Debug, Serialize, Deserialize)]
pub struct Once {
    /// From before the file was mapped to the end of the last iteration; of petgraph, which takes no file, the iterations.
    pub seconds: f64,
    /// How long it took to make what it runs over, where that is not the file.
    pub making: f64,
    /// Each iteration of ours.
    pub iterations: Vec<f64>,
    /// The vertex with the highest rank.
    pub vertex: usize,
    /// Its rank, where ranks add up to 1 and have converged.
    pub rank: Option<f64>,
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

/// This program, to run PageRank.
///
/// # Errors
/// It cannot be found.
pub fn command(who: Who, graph: &Path, threads: usize, iterations: u64) -> Result<Command> {
    let mut command = Command::new(env::current_exe().context("looking for this program")?);
    let name = ALL.iter().find(|(_, other)| *other == who).map_or("", |(name, _)| name);
    command.args([WORD, name]).arg(graph).args([threads.to_string(), iterations.to_string()]);
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
    let [name, place, threads, iterations] = &arguments[..] else {
        bail!("running {WORD}: found {arguments:?} instead of who runs it, a graph, threads and iterations");
    };
    let Some((_, who)) = ALL.iter().find(|(known, _)| known == name) else {
        bail!("running {WORD}: {name:?} is none of {ALL:?}");
    };
    let once = once(*who, Path::new(place), threads.parse()?, iterations.parse()?)?;
    println!("{}", serde_json::to_string(&once)?);
    Ok(())
}

fn once(who: Who, place: &Path, threads: usize, iterations: u64) -> Result<Once> {
    match who {
        // After a fixed number of iterations the rank depends on the precision.
        Who::Ours => Ok(Once { rank: None, ..ours(rank::<f32>(), place, threads, iterations)? }),
        Who::Converged => ours(until::<f64>(CONVERGED), place, threads, u64::MAX),
        Who::Plain => {
            let began = Instant::now();
            let ranks = plain::pagerank(&map(place)?, iterations as usize);
            Ok(by_hand(ranks, began.elapsed().as_secs_f64(), 0.0))
        }
        Who::Petgraph => {
            let began = Instant::now();
            let rows = petgraph::rows(&map(place)?)?;
            let making = began.elapsed().as_secs_f64();
            let began = Instant::now();
            let ranks = petgraph::pagerank(&rows, iterations);
            Ok(by_hand(ranks, began.elapsed().as_secs_f64(), making))
        }
    }
}

fn map(place: &Path) -> Result<Graph> {
    // SAFETY: the benchmark, which has made the file, does not write it as long as this process runs.
    Ok(unsafe { Graph::map(place) }?)
}

fn ours<R: Real>(program: PageRank<R>, place: &Path, threads: usize, iterations: u64) -> Result<Once> {
    let mut each = Vec::new();
    let mut report = |done: &Iteration| each.push(done.took.as_secs_f64());
    let began = Instant::now();
    let graph = map(place)?;
    let options = Options { threads, iterations, report: Some(&mut report), ..Options::default() };
    let ranks = black_box(run(&graph, program, options)?).own;
    let seconds = began.elapsed().as_secs_f64();
    let First { vertex, rank } = First::of(ranks.iter().map(|rank| rank.number()));
    Ok(Once { seconds, making: 0.0, iterations: each, vertex, rank: Some(rank) })
}

fn by_hand(ranks: Vec<f32>, seconds: f64, making: f64) -> Once {
    Once { seconds, making, iterations: Vec::new(), vertex: First::of(ranks).vertex, rank: None }
}

#[cfg(test)]
mod tests {
    use super::super::known::{ITERATIONS, Known};
    use super::super::{made, rows::Rows};
    use super::*;

    #[test]
    fn the_first_iteration_is_not_one_of_the_later() {
        let said = "{\"seconds\": 9.0, \"making\": 0.0, \"iterations\": [5.0, 1.0, 3.0], \"vertex\": 1}\n";
        let once = Once::of(said).unwrap();
        assert_eq!((once.seconds, once.later()), (9.0, 2.0));
        assert!(Once::of("").is_err());
    }

    #[test]
    fn all_have_the_same_vertex_first() {
        let folder = tempfile::tempdir().unwrap();
        let place = made::graph(&mut Rows::default(), folder.path(), 8, false).unwrap();
        let known = Known::of(&map(&place).unwrap()).unwrap();
        for (name, who) in ALL {
            let once = once(who, &place, 1, ITERATIONS).unwrap();
            known.first.check(name, once.vertex, once.rank, 1e-6).unwrap();
            assert_eq!(once.rank.is_some(), who == Who::Converged, "{name}");
            assert_eq!(once.making > 0.0, who == Who::Petgraph, "{name}");
        }
    }
}
