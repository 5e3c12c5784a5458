//! Of `graph run`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub(crate) struct GraphRun {
    /// The graph's file, as `graph build` makes it. Nobody may write it meanwhile.
    #[arg(value_name = "GRAPH")]
    pub(crate) graph: PathBuf,
    /// What is run over it.
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: GraphProgram,
    /// The vertex that breadth-first and shortest-paths begin at, by its name in the lists of edges.
    #[arg(long, value_name = "VERTEX", required_if_eq_any([("program", "breadth-first"), ("program", "shortest-paths")]))]
    pub(crate) from: Option<String>,
    /// Vertices that pagerank's jumps lead to; any vertex otherwise.
    #[arg(long, value_name = "VERTEX,…", value_delimiter = ',')]
    pub(crate) to: Vec<String>,
    /// How likely pagerank follows an edge.
    #[arg(long, value_name = "SHARE", default_value_t = 0.85, value_parser = share)]
    pub(crate) damping: f64,
    /// Pagerank has ended when all ranks together change by no more than this in one iteration; less than 0 for never.
    #[arg(long, value_name = "CHANGE", default_value_t = 1e-6, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,
    /// The most iterations; labels has 10 unless it is told, and the others as many as they need.
    #[arg(short, long, value_name = "N")]
    pub(crate) iterations: Option<u64>,
    /// How many threads; one per core otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,
    /// Write each vertex's name and value to this file, a line for each, with a tab between.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Keep the run in this file, and go on from it if it is there; it is removed when the run has ended.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How many seconds pass from one time that the run is kept to the next.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, requires = "checkpoint", allow_negative_numbers = true)]
    pub(crate) every: Duration,
    /// How many vertices, or groups of them, are printed.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
}

/// A program that comes with the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GraphProgram {
    /// The share of time that somebody spends at each vertex who follows edges at random.
    Pagerank,
    /// Which vertices are connected, whatever the direction of edges.
    Components,
    /// Which vertices reach each other, along the direction of edges.
    StrongComponents,
    /// How many edges each vertex is away from one of them.
    BreadthFirst,
    /// How far each vertex is from one of them, by the edges' values.
    ShortestPaths,
    /// Communities: the label that most neighbours have.
    Labels,
    /// How many of the possible edges among a vertex's neighbours are there, and how many triangles there are.
    Clustering,
    /// The largest k such that a vertex belongs to vertices with k neighbours among themselves.
    Cores,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().map_err(|error| error.to_string())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("a share is from 0 to 1".to_owned()) }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map_err(|error| error.to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "seconds are 0 or more".to_owned())
}

const HELP: &str = "\
Examples:
  upcall graph build links.txt -o links.graph
  upcall graph run links.graph pagerank --top 20
  upcall graph run links.graph pagerank --to 17,23 -o ranks.tsv
  upcall graph run links.graph breadth-first --from 17

Results are the same bits whatever the number of threads. Ctrl-C ends it with exit code 130.";
