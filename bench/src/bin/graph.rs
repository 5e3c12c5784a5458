//! How fast do programs run over graphs, in each language, beside a plain loop and GAP?
//!
//! `cargo xtask bench graph [SCALE [RUNS]]`: a Kronecker graph of 2^SCALE vertices (20 by default), RUNS runs each (5).

use anyhow::{Context, Result};
use serde::Serialize;
use std::time::Instant;
use upcall_bench::arguments::Numbers;
use upcall_bench::graph::{gap::Gap, guests, kronecker, plain};
use upcall_bench::machine::Machine;
use upcall_bench::results::Results;
use upcall_bench::{apart, book};
use upcall_graph::programs::{Breadth, Components, PageRank, Real, weak_components};
use upcall_graph::{
    Builder, Direction, Duplicates, Format, Graph, Iteration, Loops, Options, Program, Source, run,
};
use upcall_host::guests::Options as HostOptions;

/// Iterations of PageRank.
const ITERATIONS: u64 = 10;

#[derive(Clone, Serialize)]
struct Row {
    scale: u32,
    vertices: usize,
    edges: usize,
    what: &'static str,
    who: String,
    threads: usize,
    /// The least of all runs.
    seconds: f64,
    /// Of an edge, in one iteration where there are so many.
    nanos_per_edge: f64,
}

fn main() -> Result<()> {
    if apart::is_guest() {
        return apart::serve(&HostOptions::default());
    }
    let mut numbers = Numbers::of_this_program();
    let (scale, runs) = (numbers.next("SCALE", 20)? as u32, numbers.next("RUNS", 5)?);
    let machine = Machine::here();
    let folder = book::scratch()?;
    let list = kronecker::list(&folder, scale)?;
    let place = folder.join(format!("kronecker-{scale}.graph"));
    let began = Instant::now();
    Builder::new()
        .source(Source::file(&list).format(Format::of(&list)))
        .loops(Loops::Drop)
        .duplicates(Duplicates::First)
        .direction(Direction::Undirected)
        .outgoing(false)
        .build(&place)?;
    let built = began.elapsed().as_secs_f64();
    // SAFETY: nobody else writes to this folder.
    let graph = unsafe { Graph::map(&place) }?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Measured { scale, graph: &graph, rows: Vec::new() };
    all.add("build", "Upcall, 1 GiB", cores, built, 1);
    println!("scale {scale}: {} vertices, {} edges", graph.vertices(), graph.edges());

    let gap = Gap::given();
    let own = gap.as_ref().map(|gap| gap.graph(&graph, &place)).transpose()?;
    let threads = if cores > 1 { vec![1, cores] } else { vec![1] };
    let programs = guests::programs()?;
    for _ in 0..runs {
        for threads in &threads {
            all.program("PageRank", "Upcall, f32", *threads, rank::<f32>(), ITERATIONS)?;
            all.program("PageRank", "Upcall, f64", *threads, rank::<f64>(), ITERATIONS)?;
            let began = Instant::now();
            std::hint::black_box(weak_components(&graph, *threads, None)?);
            all.add("components", "Upcall", *threads, began.elapsed().as_secs_f64(), 1);
            all.program("components", "Upcall, by vertex", *threads, Components, u64::MAX)?;
            all.program("breadth-first", "Upcall", *threads, Breadth { from: hub(&graph) }, u64::MAX)?;
            if let Some((gap, own)) = gap.as_ref().zip(own.as_ref()) {
                let seconds = gap.seconds("pr", own, *threads, &["-i", "10", "-t", "0", "-n", "1"])?;
                all.add("PageRank", "GAP, f32", *threads, seconds, ITERATIONS);
                all.add("components", "GAP", *threads, gap.seconds("cc", own, *threads, &["-n", "1"])?, 1);
                let from = hub(&graph).to_string();
                let seconds = gap.seconds("bfs", own, *threads, &["-r", &from, "-n", "1"])?;
                all.add("breadth-first", "GAP", *threads, seconds, 1);
            }
        }
        for guests::Program { label, threads: most, guest } in &programs {
            for threads in threads.iter().filter(|threads| *threads <= most) {
                let options = Options { threads: *threads, iterations: ITERATIONS, ..Options::default() };
                let mut report = Lasted::default();
                guest.run(&graph, Options { report: Some(&mut |done| report.add(done)), ..options })?;
                // The start of an instance, or of its process, is no part of what ten iterations take.
                all.add("PageRank", label, *threads, report.seconds(ITERATIONS), ITERATIONS);
            }
        }
        let began = Instant::now();
        std::hint::black_box(plain::pagerank(&graph, ITERATIONS as usize));
        all.add("PageRank", "plain loop, f32", 1, began.elapsed().as_secs_f64(), ITERATIONS);
    }
    all.print();
    if gap.is_none() {
        println!("UPCALL_BENCH_GAP names no folder with GAP's programs: no results are written");
        return Ok(());
    }
    let results = Results {
        question: "How fast do programs run over graphs, in each language, beside a plain loop and GAP?".into(),
        command: format!("cargo xtask bench graph {scale}"),
        notes: vec![
            "A Kronecker graph as Graph500 has it, edge factor 16, undirected, without loops and duplicates; GAP has the same edges.".into(),
            "The file is in the page cache. Least wall time of all runs, without opening the graph; GAP's own trial times.".into(),
            "PageRank has 10 iterations. Ours adds in f64 and gives dangling vertices' ranks to all, GAP adds in f32 and does not.".into(),
            "Programs of guests: ten times the mean of an iteration behind the first; of JavaScript each thread is a process. Ours in Rust: all of ten iterations and the start.".into(),
            "Components: ours and GAP's are Afforest, ours as a vertex program passes the least vertex on. Breadth-first search is from the vertex with most edges; GAP's changes direction.".into(),
        ],
        machine,
        rows: all.rows,
    };
    println!("{}", results.write("graph")?.display());
    Ok(())
}

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

/// PageRank that does not converge.
fn rank<R: Real>() -> PageRank<R> {
    let mut program = PageRank::default();
    program.tolerance = -1.0;
    program
}

/// The vertex with most edges.
fn hub(graph: &Graph) -> usize {
    let degrees = graph.out_degrees().iter().enumerate();
    degrees.max_by_key(|(vertex, degree)| (**degree, usize::MAX - vertex)).map_or(0, |(vertex, _)| vertex)
}

struct Measured<'g> {
    scale: u32,
    graph: &'g Graph,
    rows: Vec<Row>,
}

impl Measured<'_> {
    /// Runs a program of ours, from its start to its last iteration.
    fn program<P: Program>(
        &mut self,
        what: &'static str,
        who: &str,
        threads: usize,
        program: P,
        iterations: u64,
    ) -> Result<()> {
        let mut report = |_: &Iteration| ();
        let began = Instant::now();
        let options = Options { threads, iterations, report: Some(&mut report), ..Options::default() };
        run(self.graph, program, options).with_context(|| format!("running {what}"))?;
        let seconds = began.elapsed().as_secs_f64();
        self.add(what, who, threads, seconds, if iterations == ITERATIONS { iterations } else { 1 });
        Ok(())
    }

    fn add(&mut self, what: &'static str, who: &str, threads: usize, seconds: f64, iterations: u64) {
        let (vertices, edges) = (self.graph.vertices(), self.graph.edges());
        let nanos_per_edge = seconds * 1e9 / edges as f64 / iterations as f64;
        let row = Row {
            scale: self.scale,
            vertices,
            edges,
            what,
            who: who.into(),
            threads,
            seconds,
            nanos_per_edge,
        };
        let same = |known: &&mut Row| (known.what, &known.who, known.threads) == (what, &row.who, threads);
        match self.rows.iter_mut().find(same) {
            Some(known) if known.seconds <= seconds => {}
            Some(known) => *known = row,
            None => self.rows.push(row),
        }
    }

    fn print(&mut self) {
        self.rows.sort_by(|one, other| (one.what, one.threads).cmp(&(other.what, other.threads)));
        println!("{:<14} {:<24} {:>7} {:>10} {:>12}", "program", "who", "threads", "seconds", "ns an edge");
        for Row { what, who, threads, seconds, nanos_per_edge, .. } in &self.rows {
            println!("{what:<14} {who:<24} {threads:>7} {seconds:>10.4} {nanos_per_edge:>12.3}");
        }
    }
}
