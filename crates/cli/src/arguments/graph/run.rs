//! Of `graph run`.

use crate::arguments::Guests;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use upcall_host::nearest;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub(crate) struct GraphRun {
    /// The graph's file, as `graph build` makes it. Nobody may write it meanwhile.
    #[arg(value_name = "GRAPH")]
    pub(crate) graph: PathBuf,
    /// What is run over it: one of the programs below, or a file with one (.py, .mjs, .dll, .jar, .wasm, a shared library).
    #[arg(value_name = "PROGRAM", value_parser = program)]
    pub(crate) program: GraphProgram,
    /// Which program of the file, as a flow's file names a handler: its class, or the name that a library exports it by.
    #[arg(long, value_name = "NAME")]
    pub(crate) class: Option<String>,
    /// A setting of the file's program.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<(String, String)>,
    /// Run the file's program in processes of its own, one for each thread, as all programs in JavaScript do.
    #[arg(long)]
    pub(crate) isolate: bool,
    #[command(flatten)]
    pub(crate) guests: Guests,
    /// The vertex that breadth-first and shortest-paths begin at, by its name in the lists of edges. Walks begin at each that is
    /// given, or at all.
    #[arg(long, value_name = "VERTEX", required_if_eq_any([("program", "breadth-first"), ("program", "shortest-paths")]))]
    pub(crate) from: Vec<String>,
    /// Vertices that pagerank's jumps lead to; any vertex otherwise.
    #[arg(long, value_name = "VERTEX,…", value_delimiter = ',')]
    pub(crate) to: Vec<String>,
    /// How likely pagerank follows an edge.
    #[arg(long, value_name = "SHARE", default_value_t = 0.85, value_parser = share)]
    pub(crate) damping: f64,
    /// Pagerank has ended when all ranks together change by no more than this in one iteration, and als and sgd when the root of
    /// the mean squared error does; less than 0 for never.
    #[arg(long, value_name = "CHANGE", default_value_t = 1e-6, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,
    /// How much chance weighs against edges in louvain's communities: the larger, the smaller they are.
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) resolution: f64,
    /// How many numbers als and sgd have for each row and column: 4, 8, 16 or 32.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) rank: u32,
    /// How much large numbers cost als and sgd.
    #[arg(long, value_name = "COST", default_value_t = 0.05, allow_negative_numbers = true)]
    pub(crate) lambda: f64,
    /// How far sgd goes for each entry.
    #[arg(long, value_name = "STEP", default_value_t = 0.01, allow_negative_numbers = true)]
    pub(crate) rate: f64,
    /// How many walks begin at each vertex.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) walks: u64,
    /// How many edges a walk follows.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) length: u64,
    /// What als and sgd begin with, and where walks go, is by chance: another number is another chance.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The most iterations; labels has 10 unless it is told, and the others as many as they need.
    #[arg(short, long, value_name = "N")]
    pub(crate) iterations: Option<u64>,
    /// Update vertices in intervals of so many, one after the other, by their numbers: they see what those of earlier intervals show in
    /// the same iteration (Gauss-Seidel), so that news travels faster. In sixteen intervals without a number. For pagerank,
    /// shortest-paths, cores, and a file's program that sets no values of edges.
    #[arg(long, value_name = "VERTICES", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub(crate) gauss_seidel: Option<usize>,
    /// Add and remove edges between iterations, as this file says: a change on each line, `ITERATION + FROM TO [VALUE]` or
    /// `ITERATION - FROM TO`, made after the iteration of this number, from 0 on. Not for programs without iterations, nor for als and
    /// sgd. The changed graph is a copy of the whole one: in memory, unless --values-in names a folder. See below.
    #[arg(long, value_name = "FILE")]
    pub(crate) changes: Option<PathBuf>,
    /// How many threads; one per core otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,
    /// How many edges a thread takes at once, in blocks of 1,024 vertices, one at least; the engine chooses otherwise, from 65,536 on.
    /// With fewer, more threads are at work on a small graph; with more, a file's program is called less often. Results do not depend
    /// on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) edges_at_once: Option<u64>,
    /// Write what the vertices of an interval (1,024 of them, from 0 on) see in an iteration, and what becomes of them, as JSON, to
    /// replay it in a simulator.
    #[arg(long, value_name = "INTERVAL")]
    pub(crate) dump_interval: Option<u64>,
    /// In which iteration, from 0 on.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "dump_interval")]
    pub(crate) dump_iteration: u64,
    /// Where it is written to.
    #[arg(long, value_name = "FILE.json", default_value = "interval.json", requires = "dump_interval")]
    pub(crate) dump_to: PathBuf,
    /// Keep vertices' values, and those of edges that a program sets, in nameless files in this folder, mapped, so that there may be
    /// more than memory has room for; with --changes the changed graph, too, which is a copy of the whole one, and is there twice
    /// while the next one is made.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) values_in: Option<PathBuf>,
    /// The most memory that the command takes: its own, and pages of values that are not on the disk yet. What fits stays in memory;
    /// what does not is in nameless files, in the folder of --values-in, or beside the graph, which has to be on a disk, and is written
    /// there as the run goes on. What a guest has to itself comes beside it, and so does what the system keeps of files to be faster.
    /// For programs that update vertex after vertex; without it all is in memory, or in --values-in. See below.
    #[arg(long, value_name = "BYTES", value_parser = upcall_config::bytes)]
    pub(crate) memory: Option<u64>,
    /// Write what each iteration came to in this file, as CSV: vertices updated and scheduled, edges, residual, total, seconds.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) history: Option<PathBuf>,
    /// Draw how the program converged in this file, as SVG: its residual, and how many vertices were updated.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
    /// Write each vertex's name and value to this file, a line for each, with a tab between.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write each edge's source, destination and value to this file, of a program that sets values of edges: a line for each, with tabs
    /// between; an edge without a direction has two.
    #[arg(long, value_name = "FILE")]
    pub(crate) edges: Option<PathBuf>,
    /// Keep the run in this file, and go on from it if it is there; it is removed when the run has ended and what was asked for is written.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How many seconds pass from one time that the run is kept to the next.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, requires = "checkpoint", allow_negative_numbers = true)]
    pub(crate) every: Duration,
    /// How many vertices, or groups of them, are printed.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
}

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GraphProgram {
    /// One that comes with the engine.
    Known(KnownProgram),
    /// The one in a file.
    File(PathBuf),
}

/// A program that comes with the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum KnownProgram {
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
    /// Communities with many edges inside and few between them.
    Louvain,
    /// How many of the possible edges among a vertex's neighbours are there, and how many triangles there are.
    Clustering,
    /// A matrix as the product of two narrow ones, by alternating least squares.
    Als,
    /// The same by stochastic gradient descent.
    Sgd,
    /// How often random walks come to each vertex.
    Walks,
    /// The largest k such that a vertex belongs to vertices with k neighbours among themselves.
    Cores,
}

/// A program by its name, or a file: what has a folder or an extension.
fn program(text: &str) -> Result<GraphProgram, String> {
    if let Ok(known) = KnownProgram::from_str(text, false) {
        return Ok(GraphProgram::Known(known));
    }
    let file = PathBuf::from(text);
    if file.extension().is_some() || text.contains('/') {
        return Ok(GraphProgram::File(file));
    }
    let names = KnownProgram::value_variants().iter().filter_map(KnownProgram::to_possible_value);
    let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
    let meant = nearest(text, names.iter().map(String::as_str));
    let meant = meant.map_or(String::new(), |meant| format!(" (`{meant}`?)"));
    Err(format!("there is no such program{meant}; there are {}, or name a file with one", names.join(", ")))
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a setting is NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
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
Programs:
  pagerank           the share of time that somebody spends at each vertex who follows edges at random
  components         which vertices are connected, whatever the direction of edges
  strong-components  which vertices reach each other, along the direction of edges
  breadth-first      how many edges each vertex is away from one of them
  shortest-paths     how far each vertex is from one of them, by the edges' values
  labels             communities: the label that most neighbours have
  louvain            communities with many edges inside and few between them, by modularity
  clustering         how many of the possible edges among a vertex's neighbours are there; triangles
  cores              the largest k such that a vertex belongs to vertices with k neighbours among themselves
  als                a matrix as the product of two narrow ones, by alternating least squares; edges lead from rows to columns
  sgd                the same by stochastic gradient descent
  walks              how often random walks come to each vertex

A file of changes:
  # After iteration 3 an edge from 17 to 23 comes, and all edges from 4 to 5 go.
  3 + 17 23
  3 - 4 5
  # Where edges have values, one that is added has one, too.
  8 + 17 4 0.5
Vertices are called as in the lists of edges. With a tab in a line, all of its parts stand between tabs, so that names may have
spaces; otherwise they stand between spaces. Lines are in any order; those of one iteration are made one after the other. In a graph without directions an edge comes and goes in both. Where only some vertices are updated
(breadth-first, shortest-paths, cores, a file's program that says `selective`), so are both ends of a changed edge; and where nothing
is left to be updated, the next changes are made at once. The graph's file stays as it is. A run that goes on from a checkpoint has
its changes, and needs the same file, which may have got lines for later iterations; another one is refused.

Memory:
What a run takes is added up before it begins, and what has no room goes to files: values of edges that a program sets, then what
vertices keep, then what they show. Threads take fewer edges at once where there is little memory. 16 MiB do for ten million vertices
and two threads. Some things are in memory in any case: bits for each vertex, and for each thread what it is at, of 1,024 vertices at
least: all their edges where these are compressed, set by the program, or woken by a file's program that says `selective`. Where that
is more, the run is refused, with how much it would take. Each line of --changes counts 256 bytes.
Not for components, strong-components, louvain, clustering and walks.

Examples:
  upcall graph build links.txt -o links.graph
  upcall graph run links.graph pagerank --top 20
  upcall graph run links.graph pagerank --to 17,23 -o ranks.tsv
  upcall graph run links.graph cores --gauss-seidel
  upcall graph run links.graph breadth-first --from 17
  upcall graph run links.graph walks --from 17 --walks 10000
  upcall graph run ratings.graph als --rank 16 --lambda 0.1 -o factors.tsv
  upcall graph run links.graph pagerank --changes changes.txt
  upcall graph run links.graph pagerank --memory 256MiB --values-in /var/tmp
  upcall graph run links.graph pagerank.py --class PageRank --set damping=0.9
  upcall graph run links.graph build/programs.dll --class Programs.PageRank --chart converged.svg

Results are the same bits whatever the number of threads, and of edges that each takes at once. Of a file's program the value of a
vertex is what it keeps to itself, or what it shows where it keeps nothing. Ctrl-C ends it with exit code 130.";
