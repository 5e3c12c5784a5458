//! Ours beside plain loops, GAP, petgraph and GraphChi, turn by turn, with the graph's file in the page cache.

use anyhow::{Context, Result};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use upcall_graph::programs::{Breadth, Components, weak_components};
use upcall_graph::{Graph, Iteration, Options, Program, run};

use super::edges::EdgeRanks;
use super::gap::{self, Gap};
use super::graphchi::{self, GraphChi, PROGRAMS, Shards};
use super::known::{CONVERGED, ITERATIONS, Known, rank, until};
use super::rows::{Rows, Size};
use super::{guests, petgraph, plain, python};

/// GraphChi takes its time: so often at most.
pub const GRAPHCHI_RUNS: usize = 2;

/// A graph, where it is, and what it comes to.
pub struct Over<'g> {
    /// The graph, whose file is mapped.
    pub graph: &'g Graph,
    /// Its file.
    pub place: &'g Path,
    /// How large it is.
    pub size: Size,
    /// What its programs come to.
    pub known: &'g Known,
}

/// One thread, and one per core if that is more.
#[must_use]
pub fn threads() -> Vec<usize> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores > 1 { vec![1, cores] } else { vec![1] }
}

/// How long a function takes, and what it returns.
fn timed<T>(function: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let result = black_box(function());
    (result, began.elapsed().as_secs_f64())
}

impl Over<'_> {
    /// Runs a program of ours, from its start to its last iteration.
    fn program<P: Program>(&self, graph: &Graph, threads: usize, program: P, iterations: u64) -> Result<f64> {
        let mut report = |_: &Iteration| ();
        let options = Options { threads, iterations, report: Some(&mut report), ..Options::default() };
        let (ended, seconds) = timed(|| run(graph, program, options));
        ended.with_context(|| format!("running {}", P::NAME))?;
        Ok(seconds)
    }

    /// Runs all programs of ours once.
    ///
    /// # Errors
    /// One fails.
    pub fn ours(&self, rows: &mut Rows, threads: usize) -> Result<()> {
        let Over { graph, size, .. } = *self;
        let mut add = |what, who, seconds, iterations| {
            rows.add(size.row(what, who, threads, seconds, iterations));
        };
        let seconds = self.program(graph, threads, rank::<f32>(), ITERATIONS)?;
        add("PageRank", "Upcall, f32", seconds, ITERATIONS);
        let seconds = self.program(graph, threads, rank::<f64>(), ITERATIONS)?;
        add("PageRank", "Upcall, f64", seconds, ITERATIONS);
        let seconds = self.program(graph, threads, EdgeRanks::default(), ITERATIONS)?;
        add("PageRank", EDGES, seconds, ITERATIONS);
        let (found, seconds) = timed(|| weak_components(graph, threads, None));
        found?;
        add("components", "Upcall", seconds, 1);
        let seconds = self.program(graph, threads, Components, u64::MAX)?;
        add("components", "Upcall, by vertex", seconds, 1);
        let seconds = self.program(graph, threads, Breadth { from: self.known.hub }, u64::MAX)?;
        add("breadth-first", "Upcall", seconds, 1);
        Ok(())
    }

    /// PageRank of ours until it has converged.
    ///
    /// # Errors
    /// It fails.
    pub fn converged(&self, rows: &mut Rows, threads: usize) -> Result<()> {
        let seconds = self.program(self.graph, threads, until::<f64>(CONVERGED), u64::MAX)?;
        rows.add(self.size.row(python::CONVERGED, "Upcall, f64", threads, seconds, 1));
        Ok(())
    }

    /// Runs the plain loop, over the mapped file and over a copy of it in memory, and ours over that copy.
    fn plain(&self, rows: &mut Rows, copy: &Graph) -> Result<()> {
        for (graph, who) in [(self.graph, "plain loop, f32"), (copy, "plain loop, f32, a copy in memory")] {
            let (_, seconds) = timed(|| plain::pagerank(graph, ITERATIONS as usize));
            rows.add(self.size.row("PageRank", who, 1, seconds, ITERATIONS));
        }
        for threads in threads() {
            let seconds = self.program(copy, threads, rank::<f32>(), ITERATIONS)?;
            rows.add(self.size.row("PageRank", COPY, threads, seconds, ITERATIONS));
        }
        Ok(())
    }

    fn gap(&self, rows: &mut Rows, gap: &Gap, own: &Path, threads: usize) -> Result<()> {
        let mut add =
            |what, who, seconds, iterations| rows.add(self.size.row(what, who, threads, seconds, iterations));
        let seconds = gap.seconds("pr", own, threads, &gap::TEN)?;
        add("PageRank", "GAP, f32", seconds, ITERATIONS);
        add("components", "GAP", gap.seconds("cc", own, threads, &["-n", "1"])?, 1);
        let from = self.known.hub.to_string();
        add("breadth-first", "GAP", gap.seconds("bfs", own, threads, &["-r", &from, "-n", "1"])?, 1);
        Ok(())
    }

    fn petgraph(&self, rows: &mut Rows, who: &str, graph: impl petgraph::Whole) -> Result<()> {
        let (_, seconds) = timed(|| petgraph::pagerank(graph, ITERATIONS));
        rows.add(self.size.row("PageRank", format!("{who}, f32"), 1, seconds, ITERATIONS));
        let (found, seconds) = timed(|| petgraph::components(graph));
        self.known.check_components(who, found)?;
        rows.add(self.size.row("components", who, 1, seconds, 1));
        let (reached, seconds) = timed(|| petgraph::reached(graph, self.known.hub));
        self.known.check_reached(who, reached)?;
        rows.add(self.size.row("breadth-first", who, 1, seconds, 1));
        Ok(())
    }

    fn graphchi(&self, rows: &mut Rows, chi: &GraphChi, shards: &Shards, threads: usize) -> Result<()> {
        for (program, who) in PROGRAMS {
            let seconds = chi.seconds(program, shards, threads, &self.known.first)?;
            rows.add(self.size.row("PageRank", who, threads, seconds, ITERATIONS));
        }
        Ok(())
    }

    /// Measures all of them, and ours over the same graph compressed. GAP and GraphChi, where they are given.
    ///
    /// # Errors
    /// One fails, or comes to something else than ours.
    pub fn measure(
        &self,
        rows: &mut Rows,
        runs: usize,
        compressed: &Graph,
        gap: Option<&Gap>,
        chi: Option<&GraphChi>,
    ) -> Result<()> {
        let own = gap.map(|gap| gap.graph(self.graph, self.place)).transpose()?;
        let shards = chi.map(|chi| chi.shards(self.graph, self.place)).transpose()?;
        if let Some(shards) = &shards {
            rows.add(self.size.row("build", graphchi::SHARDED, 1, shards.seconds, 1));
        }
        let [by_rows, by_lists] =
            ["Csr", "Graph"].map(|what| format!("petgraph {}, {what}", petgraph::VERSION));
        let (by_sources, seconds) = timed(|| petgraph::rows(self.graph));
        let by_sources = by_sources?;
        rows.add(self.size.row("build", &*by_rows, 1, seconds, 1));
        let (lists, seconds) = timed(|| petgraph::lists(self.graph));
        rows.add(self.size.row("build", &*by_lists, 1, seconds, 1));
        let copy = Graph::read(self.place)?;
        for turn in 0..runs {
            eprintln!("run {} of {runs}", turn + 1);
            for threads in threads() {
                self.ours(rows, threads)?;
                let seconds = self.program(compressed, threads, rank::<f32>(), ITERATIONS)?;
                rows.add(self.size.row("PageRank", COMPRESSED, threads, seconds, ITERATIONS));
                if let Some((gap, own)) = gap.zip(own.as_ref()) {
                    self.gap(rows, gap, own, threads)?;
                }
                if let Some((chi, shards)) = chi.zip(shards.as_ref()).filter(|_| turn < GRAPHCHI_RUNS) {
                    self.graphchi(rows, chi, shards, threads)?;
                }
            }
            self.plain(rows, &copy)?;
            self.petgraph(rows, &by_rows, &by_sources)?;
            self.petgraph(rows, &by_lists, &lists)?;
        }
        Ok(())
    }

    /// Measures programs of guests, and the engine's own as often.
    ///
    /// # Errors
    /// One fails.
    pub fn guests(&self, rows: &mut Rows, runs: usize) -> Result<()> {
        let programs = guests::programs()?;
        let mut add = |who: &str, threads, run: &dyn Fn(Options<'_>) -> Result<()>| -> Result<()> {
            let mut lasted = Lasted::default();
            let mut each = |done: &Iteration| lasted.add(done);
            run(Options { threads, iterations: ITERATIONS, report: Some(&mut each), ..Options::default() })?;
            // The start of an instance, or of its process, is no part of what ten iterations take.
            rows.add(self.size.row("PageRank", who, threads, lasted.seconds(ITERATIONS), ITERATIONS));
            Ok(())
        };
        for _ in 0..runs {
            for threads in threads() {
                let own = |options: Options<'_>| Ok(run(self.graph, rank::<f64>(), options).map(drop)?);
                add("Upcall, f64", threads, &own)?;
            }
            for guests::Program { label, threads: most, guest } in &programs {
                for threads in threads().into_iter().filter(|threads| threads <= most) {
                    add(label, threads, &|options| Ok(guest.run(self.graph, options).map(drop)?))?;
                }
            }
        }
        Ok(())
    }
}

/// Ours, by values that edges are set to.
pub const EDGES: &str = "Upcall, f32, edges' values";

/// Ours over a file whose neighbours are compressed.
pub const COMPRESSED: &str = "Upcall, f32, compressed";

/// Ours over a copy of the file in memory.
pub const COPY: &str = "Upcall, f32, a copy in memory";

/// How long iterations take, without the first, in which a guest's compiler is at work.
#[derive(Default)]
struct Lasted {
    seconds: f64,
    iterations: u64,
}

impl Lasted {
    fn add(&mut self, done: &Iteration) {
        if done.number > 0 {
            self.seconds += done.took.as_secs_f64();
            self.iterations += 1;
        }
    }

    /// Of so many.
    fn seconds(&self, iterations: u64) -> f64 {
        self.seconds / self.iterations.max(1) as f64 * iterations as f64
    }
}
