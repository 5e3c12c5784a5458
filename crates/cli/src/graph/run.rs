//! `upcall graph run`: a program that comes with the engine, or one of a guest's, over a graph's file.

mod changes;
mod communities;
mod factors;
mod guest;
mod iterations;
mod memory;
mod walks;

use super::{failed, stop};
use crate::arguments::{GraphProgram, GraphRun, KnownProgram};
use crate::progress::{self, Progress};
use crate::target::Places;
use crate::{exit, output, report, target};
use anyhow::Context as _;
use changes::List;
use std::cell::Cell;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use upcall_graph::programs::{
    Breadth, Cores, Labels, PageRank, ShortestPaths, UNREACHED, Weight, clustering, strong_components,
    weak_components,
};
use upcall_graph::{
    Change, ChangeLog, Changed, Changes, Checkpoint, Dump, Error, ErrorKind, Graph, Iteration, Options,
    Outcome, Program, Resume, columns, run as run_over,
};

/// How many intervals there are in Gauss-Seidel's way, unless it is said how many vertices each has: few, as threads wait for each other
/// at the end of each.
const INTERVALS: usize = 16;

pub(crate) fn run(asked: &GraphRun) -> anyhow::Result<u8> {
    // SAFETY: the help says that nobody may write it.
    let graph = unsafe { Graph::map(&asked.graph) }.map_err(failed)?;
    // Before a long run, not after it.
    let file = match &asked.program {
        GraphProgram::File(file) => Some(file),
        GraphProgram::Known(_) => None,
    };
    let read = [Some(&asked.graph), file, asked.changes.as_ref(), asked.checkpoint.as_ref()];
    let mut places = Places::read(read.into_iter().flatten().map(PathBuf::as_path));
    if let Some(path) = &asked.output {
        places.writes(path).with_context(|| writing(path))?;
    }
    if let Some(path) = &asked.edges {
        places.writes(path).with_context(|| guest::writing_edges(path))?;
    }
    for (path, what) in [(&asked.chart, iterations::CHART), (&asked.history, iterations::HISTORY)] {
        if let Some(path) = path {
            places.writes(path).with_context(|| iterations::writing(what, path))?;
        }
    }
    let outcome = match &asked.program {
        GraphProgram::Known(known) => {
            guest::without(asked)?;
            stop::listen()?;
            program(&graph, asked, *known)
        }
        GraphProgram::File(file) => guest::run(&graph, asked, file),
    };
    match outcome {
        Err(error) if interrupted(&error) => {
            progress::clear();
            output::error(match asked.checkpoint.as_ref().filter(|file| file.exists()) {
                Some(file) => format!("stopped; the same command goes on from {}", file.display()),
                None => "stopped before it had ended: there is no result".to_owned(),
            });
            Ok(stop::code())
        }
        outcome => outcome.map(|()| 0),
    }
}

/// Runs the program that was asked for, and tells what it has come to.
fn program(graph: &Graph, asked: &GraphRun, known: KnownProgram) -> anyhow::Result<()> {
    match known {
        KnownProgram::Pagerank => pagerank(graph, asked),
        KnownProgram::Components => {
            without_iterations(asked)?;
            let threads = asked.threads.map_or(0, |threads| threads as usize);
            let found = weak_components(graph, threads, Some(&stop::STOP)).map_err(failed)?;
            groups(graph, asked, "component", &found)
        }
        KnownProgram::StrongComponents => {
            without_iterations(asked)?;
            groups(graph, asked, "component", &strong_components(graph, Some(&stop::STOP)).map_err(failed)?)
        }
        KnownProgram::Labels => {
            memory::has_room_for_groups(asked, graph)?;
            groups(graph, asked, "community", &ended(graph, Labels, asked)?.shown)
        }
        KnownProgram::Louvain => communities::run(graph, asked),
        KnownProgram::Als => factors::run(graph, asked, factors::How::LeastSquares),
        KnownProgram::Sgd => factors::run(graph, asked, factors::How::Descent),
        KnownProgram::Walks => walks::run(graph, asked),
        KnownProgram::BreadthFirst => {
            let found = ended(graph, Breadth { from: from(graph, asked)? }, asked)?;
            let far = |vertex: usize| match found.shown[vertex] {
                UNREACHED => f64::INFINITY,
                edges => f64::from(edges),
            };
            distances(graph, asked, far)
        }
        KnownProgram::ShortestPaths => shortest(graph, asked),
        KnownProgram::Clustering => triangles(graph, asked),
        KnownProgram::Cores => {
            let found = ended(graph, Cores, asked)?;
            write(graph, asked, |vertex| found.shown[vertex])?;
            top(graph, asked, "core", |vertex| found.shown[vertex])
        }
    }
}

fn interrupted(error: &anyhow::Error) -> bool {
    error.downcast_ref::<upcall_graph::Error>().is_some_and(|error| error.kind() == ErrorKind::Interrupted)
}

/// Runs it to its end, and says how far it is meanwhile.
fn ended<P: Program>(graph: &Graph, program: P, asked: &GraphRun) -> anyhow::Result<Outcome<P>> {
    running(graph, asked, memory::left(asked)?, |options| {
        let outcome = run_over(graph, program, options)?;
        let Outcome { iterations, threads, changes, changed, .. } = outcome;
        Ok((outcome, Counts { iterations, threads, changes, changed }))
    })
}

/// How much a run has done, in what it has gone on from included.
struct Counts {
    iterations: u64,
    threads: usize,
    /// How many changes were made, and how many edges they have added and removed.
    changes: u64,
    changed: Changed,
}

/// What a run comes to that may take so much memory; says how far it is meanwhile.
fn running<T>(
    graph: &Graph,
    asked: &GraphRun,
    memory: Option<u64>,
    run: impl FnOnce(Options<'_>) -> Result<(T, Counts), Error>,
) -> anyhow::Result<T> {
    let list = asked.changes.as_deref().map(|file| List::read(file, graph)).transpose()?;
    let memory = memory::beside_changes(memory, list.as_ref())?;
    let began = Instant::now();
    let (mut progress, mut edges, mut all) = (Progress::new(None), 0, Vec::new());
    let mut dumped = asked.dump_interval.is_none();
    let changed = Cell::new(Changed::default());
    let mut report = |done: &Iteration| {
        edges += done.edges;
        dumped |= done.number == asked.dump_iteration;
        progress.going(|| line(done, changed.get()));
        if asked.chart.is_some() || asked.history.is_some() {
            all.push(*done);
        }
    };
    let mut change = list.as_ref().map(|list| {
        |done: &Iteration, changes: &mut Changes<'_>| {
            let (Changed { added, removed }, before) = (list.make(done, changes)?, changed.get());
            changed.set(Changed { added: before.added + added, removed: before.removed + removed });
            Ok(())
        }
    });
    let mut resume = asked.checkpoint.as_deref().map(|kept| {
        let list = list.as_ref();
        move |made: &ChangeLog| changes::goes_on(list, made, kept)
    });
    let unless = if asked.program == GraphProgram::Known(KnownProgram::Labels) { 10 } else { u64::MAX };
    let options = Options {
        threads: asked.threads.map_or(0, |threads| threads as usize),
        edges_at_once: asked.edges_at_once,
        iterations: asked.iterations.unwrap_or(unless),
        gauss_seidel: asked.gauss_seidel.map(|vertices| match vertices {
            0 => graph.vertices().div_ceil(INTERVALS),
            vertices => vertices,
        }),
        stop: Some(&stop::STOP),
        report: Some(&mut report),
        change: change.as_mut().map(|change| change as Change<'_>),
        resume: resume.as_mut().map(|resume| resume as Resume<'_>),
        folder: memory::folder(asked),
        memory,
        dump: asked.dump_interval.map(|interval| Dump {
            interval,
            iteration: asked.dump_iteration,
            file: asked.dump_to.clone(),
        }),
        checkpoint: asked.checkpoint.as_deref().map(|file| Checkpoint {
            file,
            every: asked.every,
            stays: true,
        }),
    };
    let (outcome, counts) = run(options).map_err(|error| memory::failed(error, memory))?;
    progress.end();
    if let Some(path) = &asked.chart {
        iterations::chart(path, &all)?;
    }
    if let Some(path) = &asked.history {
        iterations::history(path, &all)?;
    }
    let seconds = began.elapsed().as_secs_f64();
    output::error(format!(
        "{} iterations in {seconds:.3} s on {} {}, {} edges per second",
        report::grouped(counts.iterations),
        report::grouped(counts.threads as u64),
        if counts.threads == 1 { "thread" } else { "threads" },
        report::grouped((edges as f64 / seconds) as u64)
    ));
    if !dumped {
        output::error(format!("nothing was dumped: the run had no iteration {}", asked.dump_iteration));
    }
    if let Some(list) = list {
        output::error(list.told(counts.changes, counts.changed));
    }
    Ok(outcome)
}

/// How far a run is, and how many edges were added and removed so far, if any were.
fn line(done: &Iteration, changed: Changed) -> String {
    let changes = match changed == Changed::default() {
        true => String::new(),
        false => format!(", {}", changes::told(changed)),
    };
    let rate = done.edges as f64 / done.took.as_secs_f64().max(1e-9);
    format!(
        "iteration {}: {} vertices, {} edges per second, {} scheduled, residual {:.3e}{changes}",
        done.number,
        report::grouped(done.updated),
        report::grouped(rate as u64),
        report::grouped(done.scheduled),
        done.residual
    )
}

/// A vertex by its name.
fn called(graph: &Graph, name: &str) -> anyhow::Result<usize> {
    graph.vertex(name).ok_or_else(|| {
        exit::usage(format!(
            "the graph has no vertex {name}; it has {}",
            report::grouped(graph.vertices() as u64)
        ))
    })
}

fn from(graph: &Graph, asked: &GraphRun) -> anyhow::Result<usize> {
    match &*asked.from {
        [] => Err(exit::usage("--from says where it begins")),
        [name] => called(graph, name),
        _ => Err(exit::usage("this program begins at one vertex: give --from once")),
    }
}

fn pagerank(graph: &Graph, asked: &GraphRun) -> anyhow::Result<()> {
    let to = asked.to.iter().map(|name| called(graph, name)).collect::<Result<Vec<_>, _>>()?;
    let mut program = PageRank::<f64>::personal(to);
    (program.damping, program.tolerance) = (asked.damping, asked.tolerance);
    let found = ended(graph, program, asked)?;
    write(graph, asked, |vertex| found.own[vertex])?;
    top(graph, asked, "rank", |vertex| found.own[vertex])
}

fn shortest(graph: &Graph, asked: &GraphRun) -> anyhow::Result<()> {
    match graph.file().entry(columns::VALUES).map(|entry| entry.element()) {
        None => shortest_by::<()>(graph, asked),
        Some("f32") => shortest_by::<f32>(graph, asked),
        Some("f64") => shortest_by::<f64>(graph, asked),
        Some("i32") => shortest_by::<i32>(graph, asked),
        Some("i64") => shortest_by::<i64>(graph, asked),
        Some("u32") => shortest_by::<u32>(graph, asked),
        Some("u64") => shortest_by::<u64>(graph, asked),
        Some(other) => Err(exit::usage(format!("edges have values of {other}, which are no lengths"))),
    }
}

fn shortest_by<W: Weight>(graph: &Graph, asked: &GraphRun) -> anyhow::Result<()> {
    let program = ShortestPaths::<W>::new(from(graph, asked)?, graph.vertices());
    let found = ended(graph, program, asked)?;
    if found.program.has_negative_cycle {
        forget(asked);
        anyhow::bail!("the graph has a cycle of negative length: there are no shortest paths");
    }
    distances(graph, asked, |vertex| found.shown[vertex])
}

/// Refuses what is said of iterations where there are none.
fn without_iterations(asked: &GraphRun) -> anyhow::Result<()> {
    memory::without(asked)?;
    if asked.checkpoint.is_some()
        || asked.iterations.is_some()
        || asked.chart.is_some()
        || asked.history.is_some()
        || asked.gauss_seidel.is_some()
        || asked.changes.is_some()
        || asked.edges_at_once.is_some()
    {
        return Err(exit::usage(
            "this program has no iterations: leave --checkpoint, --iterations, --gauss-seidel, --changes, --edges-at-once, --chart and \
             --history out",
        ));
    }
    Ok(())
}

fn triangles(graph: &Graph, asked: &GraphRun) -> anyhow::Result<()> {
    without_iterations(asked)?;
    let found = clustering(graph, asked.threads.map_or(0, |threads| threads as usize), Some(&stop::STOP))
        .map_err(failed)?;
    write(graph, asked, |vertex| found.coefficients[vertex])?;
    output::line(format!("{} triangles", report::grouped(found.triangles)))?;
    top(graph, asked, "coefficient", |vertex| found.coefficients[vertex])
}

/// How far vertices are: written, and how many are reached.
fn distances(graph: &Graph, asked: &GraphRun, far: impl Fn(usize) -> f64) -> anyhow::Result<()> {
    write(graph, asked, &far)?;
    let reached = || (0..graph.vertices()).filter(|vertex| far(*vertex).is_finite());
    output::line(format!("{} vertices are reached", report::grouped(reached().count() as u64)))?;
    let furthest = first(reached(), asked.top, |vertex| far(*vertex));
    rows(asked, "distance", furthest.into_iter().map(|vertex| (graph.name(vertex).into_owned(), far(vertex))))
}

/// Groups of vertices that show the same: written, and the largest.
fn groups(graph: &Graph, asked: &GraphRun, what: &str, shown: &[u64]) -> anyhow::Result<()> {
    let name = |vertex: u64| graph.name(vertex as usize).into_owned();
    write(graph, asked, |vertex| name(shown[vertex]))?;
    // A group is called by one of its vertices.
    let mut sizes = vec![0_u64; graph.vertices()];
    shown.iter().for_each(|group| sizes[*group as usize] += 1);
    let of_size = |is: fn(u64) -> bool| sizes.iter().filter(|size| is(**size)).count() as u64;
    let (alone, all) = (of_size(|size| size == 1), of_size(|size| size > 0));
    let kind = if what == "community" { "communities" } else { "components" };
    output::line(format!(
        "{} {kind}, of which {} are one vertex",
        report::grouped(all),
        report::grouped(alone)
    ))?;
    let groups = (0..sizes.len()).filter(|group| sizes[*group] > 0);
    let largest = first(groups, asked.top, |group| sizes[*group]);
    rows(asked, "vertices", largest.into_iter().map(|group| (name(group as u64), sizes[group])))
}

/// The vertices with the largest values.
fn top<V: PartialOrd + Display + Copy>(
    graph: &Graph,
    asked: &GraphRun,
    what: &str,
    value: impl Fn(usize) -> V,
) -> anyhow::Result<()> {
    let vertices = first(0..graph.vertices(), asked.top, |vertex| value(*vertex));
    rows(asked, what, vertices.into_iter().map(|vertex| (graph.name(vertex).into_owned(), value(vertex))))
}

/// Those with the largest keys, the largest first; of equal ones the lesser. There may be more than memory has room for: of those
/// that were met it keeps a few.
fn first<K: PartialOrd>(
    vertices: impl Iterator<Item = usize>,
    count: usize,
    key: impl Fn(&usize) -> K,
) -> Vec<usize> {
    const FEW: usize = 1024;
    if count == 0 {
        return Vec::new();
    }
    let order = |one: &usize, other: &usize| {
        let by_key = key(other).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal);
        by_key.then(one.cmp(other))
    };
    let cut = |best: &mut Vec<usize>| {
        if count < best.len() {
            best.select_nth_unstable_by(count, order);
            best.truncate(count);
        }
    };
    let mut best = Vec::new();
    for vertex in vertices {
        best.push(vertex);
        if best.len() >= count.saturating_mul(2).max(FEW) {
            cut(&mut best);
        }
    }
    cut(&mut best);
    best.sort_unstable_by(order);
    best
}

fn rows<V: Display>(
    asked: &GraphRun,
    what: &str,
    rows: impl Iterator<Item = (String, V)>,
) -> anyhow::Result<()> {
    if asked.top == 0 {
        return Ok(());
    }
    output::line(format!("vertex\t{what}"))?;
    rows.into_iter()
        .try_for_each(|(name, value)| output::line(format!("{}\t{value}", output::escaped(&name))))
}

/// Writes each vertex's value to the file that was asked for. Only then is what was kept of the run of no use any more: a disk that
/// is full at its end does not cost all of it.
fn write<V: Display>(graph: &Graph, asked: &GraphRun, value: impl Fn(usize) -> V) -> anyhow::Result<()> {
    if let Some(path) = &asked.output {
        target::write(path, |out| {
            for vertex in 0..graph.vertices() {
                writeln!(out, "{}\t{}", graph.name(vertex), value(vertex))?;
            }
            Ok(())
        })
        .with_context(|| writing(path))?;
    }
    forget(asked);
    Ok(())
}

/// Removes what was kept of the run. Where it cannot be removed, nothing is left to be done from there on.
fn forget(asked: &GraphRun) {
    if let Some(file) = &asked.checkpoint {
        let _ = std::fs::remove_file(file);
    }
}

fn writing(path: &Path) -> String {
    format!("write the values to {}", path.display())
}
