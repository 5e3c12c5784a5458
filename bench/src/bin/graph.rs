//! How fast do programs run over graphs, in each language, beside plain loops and other libraries and engines?
//!
//! `cargo xtask bench graph [SCALE [RUNS]] [PART...]`: a Kronecker graph of 2^SCALE vertices (20 by default), RUNS runs each (5),
//! and all parts, or those that are named: `cached`, `guests`, `python`, `cold`, `budget`.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::time::Instant;
use upcall_bench::command::built;
use upcall_bench::graph::asked::{Asked, Part};
use upcall_bench::graph::cached::{COPY, EDGES, Over, threads};
use upcall_bench::graph::gap::Gap;
use upcall_bench::graph::graphchi::{GraphChi, PROGRAMS};
use upcall_bench::graph::known::Known;
use upcall_bench::graph::rows::{self, Rows, Size};
use upcall_bench::graph::{budget, cold, disk, kronecker, once, python};
use upcall_bench::peers::Environment;
use upcall_bench::results::Results;
use upcall_bench::{apart, book};
use upcall_graph::{Builder, Direction, Duplicates, Format, Graph, Loops, Source};
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
    let (gap, chi) = (Gap::given(), GraphChi::given());
    let mut rows = Rows::default();
    let mut notes = notes();
    let mut missing = Vec::new();

    let place = graph(&mut rows, &folder, asked.scale, false)?;
    let (size, known) = within(&place, asked.scale, |over| {
        println!("scale {}: {} vertices, {} edges", asked.scale, over.size.vertices, over.size.edges);
        if asked.has(Part::Cached) {
            rows.begin(Part::Cached);
            let place = graph(&mut rows, &folder, asked.scale, true)?;
            // SAFETY: nobody else writes to this folder.
            let compressed = unsafe { Graph::map(&place) }?;
            over.measure(&mut rows, asked.runs, &compressed, gap.as_ref(), chi.as_ref())?;
        }
        if asked.has(Part::Guests) {
            rows.begin(Part::Guests);
            over.guests(&mut rows, asked.runs)?;
        }
        if asked.has(Part::Python) {
            rows.begin(Part::Python);
            libraries(&mut rows, over, &python::LARGE, asked.runs)?;
        }
        Ok(())
    })?;
    if asked.has(Part::Python) {
        let scale = asked.scale - SCALES_LESS;
        let place = graph(&mut rows, &folder, scale, false)?;
        within(&place, scale, |over| libraries(&mut rows, over, &python::SMALL, asked.runs))?;
    }
    // From here on the graph is not mapped, so that its file can leave the page cache.
    if asked.has(Part::Cold) && !disk::can_drop() {
        missing.push("the page cache cannot be dropped, which takes root".to_owned());
    } else if asked.has(Part::Cold) {
        rows.begin(Part::Cold);
        cold::measure(&mut rows, size, &place, asked.runs)?;
        if let Some(chi) = &chi {
            // SAFETY: nobody else writes to this folder.
            let shards = chi.shards(&unsafe { Graph::map(&place) }?, &place)?;
            cold::graphchi(&mut rows, size, &place, (chi, &shards, &known), asked.runs)?;
        }
    }
    if asked.has(Part::Budget) {
        rows.begin(Part::Budget);
        let upcall = PathBuf::from(built("UPCALL_BENCH_UPCALL", "graph")?);
        notes.push(format!("Budget: {}.", budget::measure(&mut rows, &folder, asked.scale, &upcall)?));
    }
    rows.print();
    compare(&rows, size);

    if asked.has(Part::Cached) && gap.is_none() {
        missing.push("UPCALL_BENCH_GAP names no folder with GAP's programs".to_owned());
    }
    if (asked.has(Part::Cached) || asked.has(Part::Cold)) && chi.is_none() {
        missing.push("UPCALL_BENCH_GRAPHCHI names no folder with GraphChi".to_owned());
    }
    if !missing.is_empty() {
        println!("{}: no results are written", missing.join("; "));
        return Ok(());
    }
    let rows = if asked.all() {
        rows.values()?
    } else {
        let there = book::root().join("bench/results/graph.json");
        rows.beside(&std::fs::read_to_string(there).unwrap_or_default(), &machine.commit)?
    };
    let results = Results {
        question: "How fast do programs run over graphs, in each language, beside plain loops and other libraries and engines?".into(),
        command: format!("cargo xtask bench graph {} {}", asked.scale, asked.runs),
        notes,
        machine,
        rows,
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
        "Cold: the page cache was dropped, and a new process runs; MiB/s are the file's length over the time of one iteration with start and end. Budget: the page cache counts towards the limit; peak MiB are RssAnon.",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Makes a graph's file, compressed or not.
fn graph(rows: &mut Rows, folder: &Path, scale: u32, compress: bool) -> Result<PathBuf> {
    let list = kronecker::list(folder, scale)?;
    let (name, who) = match compress {
        false => ("kronecker", "Upcall, 1 GiB"),
        true => ("compressed", "Upcall, 1 GiB, compressed"),
    };
    let place = folder.join(format!("{name}-{scale}.graph"));
    let began = Instant::now();
    Builder::new()
        .source(Source::file(&list).format(Format::of(&list)))
        .loops(Loops::Drop)
        .duplicates(Duplicates::First)
        .direction(Direction::Undirected)
        .outgoing(false)
        .compress(compress)
        .build(&place)?;
    let seconds = began.elapsed().as_secs_f64();
    // SAFETY: nobody else writes to this folder.
    let size = Size::of(scale, &unsafe { Graph::map(&place) }?);
    rows.add(size.row("build", who, threads().last().map_or(1, |most| *most), seconds, 1));
    Ok(place)
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
    let environment = Environment::of("graph-python", "bench/peers/graph.txt")?;
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
fn compare(rows: &Rows, size: Size) {
    let larger = Size { scale: size.scale + budget::SCALES_MORE, ..size };
    for threads in threads() {
        let cached = |what, who| rows.seconds(Part::Cached, size, what, who, threads);
        let cold = |what, who| rows.seconds(Part::Cold, size, what, who, threads);
        let disk = |part, size| rows.seconds(part, size, cold::DISK, cold::READ, 1);
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
        if let Some((disk, run)) = disk(Part::Cold, size).zip(cold(cold::ONE, "Upcall, f32")) {
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
        let seconds = |who| rows.seconds(Part::Guests, size, "PageRank", who, threads);
        if let Some((theirs, ours)) = seconds(who).zip(seconds("Upcall, f64")) {
            println!("{threads} threads: {who}: {:.2} times what the engine's own takes", theirs / ours);
        }
    }
}
