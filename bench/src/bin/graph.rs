//! How fast do programs run over graphs, in each language, beside plain loops and other libraries and engines?
//!
//! `cargo xtask bench graph [SCALE [RUNS]] [PART...]`: a Kronecker graph of 2^SCALE vertices (20 by default), RUNS runs each (5),
//! and all parts, or those that are named: `cached`, `guests`, `python`, `cold`, `budget`, `scales`. Of `scales` it is the largest.

use anyhow::{Context, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use upcall_bench::command::built;
use upcall_bench::graph::asked::{Asked, Part};
use upcall_bench::graph::cached::{COPY, EDGES, Over, threads};
use upcall_bench::graph::gap::Gap;
use upcall_bench::graph::graphchi::{GraphChi, PROGRAMS};
use upcall_bench::graph::known::Known;
use upcall_bench::graph::rows::{self, Rows, Size};
use upcall_bench::graph::{budget, cold, disk, made, once, python, scales, tables};
use upcall_bench::peers::Environment;
use upcall_bench::results::Results;
use upcall_bench::{apart, book};
use upcall_graph::Graph;
use upcall_host::guests::Options as HostOptions;

/// NetworkX has a graph that is sixteen times smaller.
const SCALES_LESS: u32 = 4;

fn main() -> Result<()> {
    if apart::is_guest() {
        return apart::serve(&HostOptions::default());
    }
    if once::is_it() {
        return once::serve();
    }
    let asked = Asked::of(std::env::args().skip(1))?;
    let machine = rows::machine();
    let folder = book::scratch()?;
    let mut found = Found { rows: Rows::default(), notes: notes(), missing: Vec::new() };
    found.measure(&asked, &folder, Gap::given().as_ref(), GraphChi::given().as_ref())?;
    let Found { rows, notes, missing } = found;

    if !missing.is_empty() {
        println!("{}: no results are written", missing.join("; "));
        return Ok(());
    }
    let there = match asked.all() {
        true => Value::Null,
        false => {
            let there = book::root().join("bench/results/graph.json");
            rows::there(&std::fs::read_to_string(there).unwrap_or_default(), &machine.commit)
        }
    };
    let results = Results {
        question: "How fast do programs run over graphs, in each language, beside plain loops and other libraries and engines?".into(),
        command: rows::command_beside(&asked.command(), &there),
        notes: rows::notes_beside(notes, &there),
        machine,
        rows: rows.beside(&there)?,
    };
    println!("{}", results.write("graph")?.display());
    Ok(())
}

fn notes() -> Vec<String> {
    [
        "A Kronecker graph as Graph500 has it, edge factor 16, undirected, without loops and duplicates; peers have the same edges. Edges are counted in both directions.",
        "The file is in the page cache unless a row says that it is cold. Least wall time of all runs in a part, without opening the graph; GAP's own trial times, GraphChi's own runtime.",
        "PageRank has 10 iterations. Ours adds in f64 and gives dangling vertices' ranks to all, as NetworkX and igraph do (by edges' values in f32 it does as GraphChi); scikit-network, in f64, has jumps lead to them more often; GAP, GraphChi, petgraph by hand and the plain loop add in f32 and do not. GraphChi's first iteration only fills in what the others begin with, as does ours by edges' values.",
        "PageRank to 1e-10 goes on until it has converged: igraph cannot be told how many iterations. PRPACK's sweeps are Gauss-Seidel's.",
        "Programs of guests, and the engine's own beside them: ten times the mean of an iteration behind the first; of JavaScript each thread is a process. Ours in other parts: all of ten iterations and the start.",
        "Components: ours and GAP's are Afforest, ours as a vertex program passes the least vertex on, petgraph's are union and find. Breadth-first search is from the vertex with most edges; GAP's changes direction; petgraph's and igraph's order vertices and keep no distances.",
        "Part scales: one thread, all of ten iterations; what is cold has the page cache dropped. Ours and the plain loop from before the file is mapped; peak MiB are the most of RssAnon, resident MiB that of VmHWM, which counts what is mapped; both of the whole process, its graph's making included.",
        "Cold: the page cache was dropped, and a new process runs; MiB/s are the file's length over the time of one iteration with start and end. Budget: the page cache counts towards the limit; peak MiB are RssAnon.",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// What was measured, and what is to be known of it.
struct Found {
    rows: Rows,
    notes: Vec<String>,
    /// What was not there: without it no results are written.
    missing: Vec<String>,
}

impl Found {
    /// Measures the parts that are asked for.
    fn measure(
        &mut self,
        asked: &Asked,
        folder: &Path,
        gap: Option<&Gap>,
        chi: Option<&GraphChi>,
    ) -> Result<()> {
        let one = [Part::Cached, Part::Guests, Part::Python, Part::Cold];
        if one.iter().any(|part| asked.has(*part)) {
            self.one_graph(asked, folder, gap, chi)?;
        }
        if asked.has(Part::Budget) {
            self.rows.begin(Part::Budget);
            let upcall = PathBuf::from(built("UPCALL_BENCH_UPCALL", "graph")?);
            let note = budget::measure(&mut self.rows, folder, asked.scale, &upcall)?;
            self.notes.push(format!("Budget: {note}."));
        }
        let mut summary = String::new();
        if asked.has(Part::Scales) {
            self.rows.begin(Part::Scales);
            let environment = python()?;
            let limits = scales::limits()?;
            let mut peers = scales::peers(gap, chi, &environment);
            scales::measure(&mut self.rows, folder, (asked.scale, asked.runs), limits, &mut peers)?;
            self.notes.extend(scales::notes(limits, &peers));
            summary += &tables::of_scales(&self.rows, asked.scale, &peers);
            summary += &tables::beside(&self.rows, &peers);
        }
        self.rows.print();
        compare(&self.rows, asked.scale);
        if asked.has(Part::Budget) {
            summary += &tables::of_budget(&self.rows, asked.scale + budget::SCALES_MORE);
        }
        print!("{summary}");

        let any = |parts: &[Part]| parts.iter().any(|part| asked.has(*part));
        if any(&[Part::Cold, Part::Scales]) && !disk::can_drop() {
            self.missing.push("the page cache cannot be dropped, which takes root".to_owned());
        }
        if any(&[Part::Cached, Part::Scales]) && gap.is_none() {
            self.missing.push("UPCALL_BENCH_GAP names no folder with GAP's programs".to_owned());
        }
        if any(&[Part::Cached, Part::Cold, Part::Scales]) && chi.is_none() {
            self.missing.push("UPCALL_BENCH_GRAPHCHI names no folder with GraphChi".to_owned());
        }
        Ok(())
    }

    /// The parts that have one graph, and NetworkX's a smaller one.
    fn one_graph(
        &mut self,
        asked: &Asked,
        folder: &Path,
        gap: Option<&Gap>,
        chi: Option<&GraphChi>,
    ) -> Result<()> {
        let rows = &mut self.rows;
        let place = made::graph(rows, folder, asked.scale, false)?;
        let (size, known) = within(&place, asked.scale, |over| {
            println!("scale {}: {} vertices, {} edges", asked.scale, over.size.vertices, over.size.edges);
            if asked.has(Part::Cached) {
                rows.begin(Part::Cached);
                let place = made::graph(rows, folder, asked.scale, true)?;
                // SAFETY: nobody else writes to this folder.
                let compressed = unsafe { Graph::map(&place) }?;
                over.measure(rows, asked.runs, &compressed, gap, chi)?;
            }
            if asked.has(Part::Guests) {
                rows.begin(Part::Guests);
                over.guests(rows, asked.runs)?;
            }
            if asked.has(Part::Python) {
                rows.begin(Part::Python);
                libraries(rows, over, &python::LARGE, asked.runs)?;
            }
            Ok(())
        })?;
        if asked.has(Part::Python) {
            let scale = asked.scale - SCALES_LESS;
            let place = made::graph(rows, folder, scale, false)?;
            within(&place, scale, |over| libraries(rows, over, &python::SMALL, asked.runs))?;
        }
        // From here on the graph is not mapped, so that its file can leave the page cache.
        if asked.has(Part::Cold) && disk::can_drop() {
            rows.begin(Part::Cold);
            cold::measure(rows, size, &place, asked.runs)?;
            if let Some(chi) = chi {
                // SAFETY: nobody else writes to this folder.
                let shards = chi.shards(&unsafe { Graph::map(&place) }?, &place)?;
                cold::graphchi(rows, size, &place, (chi, &shards, &known), asked.runs)?;
            }
        }
        Ok(())
    }
}

/// What libraries of Python are in.
fn python() -> Result<Environment> {
    Environment::of("graph-python", "bench/peers/graph.txt")
}

/// Does something with a graph as long as it is mapped.
fn within(place: &Path, scale: u32, act: impl FnOnce(&Over<'_>) -> Result<()>) -> Result<(Size, Known)> {
    // SAFETY: nobody else writes to this folder.
    let graph = unsafe { Graph::map(place) }?;
    let (size, known) = (Size::of(scale, &graph), Known::of(&graph)?);
    act(&Over { graph: &graph, place, size, known: &known })?;
    Ok((size, known))
}

/// Libraries of Python, and ours before and after each.
fn libraries(rows: &mut Rows, over: &Over<'_>, names: &[&str], runs: usize) -> Result<()> {
    let environment = python()?;
    let edges = python::edges(over.graph, over.place)?;
    for name in names {
        eprintln!("{name}");
        over.ours(rows, 1)?;
        over.converged(rows, 1)?;
        let found = python::measure(&environment, name, over.size, &edges, over.known, runs)
            .with_context(|| format!("measuring {name}"))?;
        found.into_iter().for_each(|row| rows.add(row));
        over.ours(rows, 1)?;
        over.converged(rows, 1)?;
    }
    python::remove(&edges)
}

/// What was wanted, as far as it was measured.
fn compare(rows: &Rows, scale: u32) {
    let larger = scale + budget::SCALES_MORE;
    for threads in threads() {
        let cached = |what, who| rows.seconds(Part::Cached, scale, what, who, threads);
        let cold = |what, who| rows.seconds(Part::Cold, scale, what, who, threads);
        let disk = |part, scale| rows.seconds(part, scale, cold::DISK, cold::READ, 1);
        let within = rows.seconds(Part::Budget, larger, budget::LATER, "Upcall, f32", threads);
        if let Some((disk, run)) = disk(Part::Budget, larger).zip(within) {
            println!("{threads} threads: one iteration, budget, {:.2} of the disk's speed", disk / run);
        }
        let mapped = cached("PageRank", "Upcall, f32");
        if let Some((copy, mapped)) = cached("PageRank", COPY).zip(mapped) {
            println!("{threads} threads: mapped and cached {:.2} of the speed in memory", copy / mapped);
        }
        if let Some((theirs, ours)) = cached("PageRank", "GAP, f32").zip(mapped) {
            println!("{threads} threads: {:.2} times as fast as GAP", theirs / ours);
        }
        if let Some((disk, run)) = disk(Part::Cold, scale).zip(cold(cold::ONE, "Upcall, f32")) {
            println!("{threads} threads: one iteration, cold, {:.2} of the disk's speed", disk / run);
        }
        for (_, who) in PROGRAMS {
            if let Some((theirs, ours)) = cached("PageRank", who).zip(mapped) {
                println!("{threads} threads: PageRank: {:.1} times as fast as {who}", theirs / ours);
            }
            if let Some((theirs, ours)) = cold(cold::ALL, who).zip(cold(cold::ALL, "Upcall, f32")) {
                println!("{threads} threads: {}: {:.1} times as fast as {who}", cold::ALL, theirs / ours);
            }
        }
        let (_, theirs) = PROGRAMS[1];
        if let Some((theirs, ours)) = cached("PageRank", theirs).zip(cached("PageRank", EDGES)) {
            println!("{threads} threads: edges' values: {:.1} times as fast as GraphChi's", theirs / ours);
        }
    }
    for (who, threads) in rows.who(Part::Guests, "PageRank") {
        let seconds = |who| rows.seconds(Part::Guests, scale, "PageRank", who, threads);
        if let Some((theirs, ours)) = seconds(who).zip(seconds("Upcall, f64")) {
            println!("{threads} threads: {who}: {:.2} times what the engine's own takes", theirs / ours);
        }
    }
}
