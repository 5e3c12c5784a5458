//! Programs in files: of C#, Java, JavaScript, Python, WebAssembly, or a shared library.

use super::{Counts, first, memory, rows, running, write};
use crate::arguments::GraphRun;
use crate::graph::{failed, stop};
use crate::{exit, guests, target};
use anyhow::Context as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use upcall_graph::{Graph, Guest, GuestOutcome, KeptNumbers};
use upcall_host::{HandlerSpec, Host, Isolation};

/// Refuses what is said of a file's program where there is none.
pub(super) fn without(asked: &GraphRun) -> anyhow::Result<()> {
    let said = [
        asked.class.is_some(),
        !asked.settings.is_empty(),
        asked.isolate,
        asked.dump_interval.is_some(),
        asked.edges.is_some(),
    ];
    match said.contains(&true) {
        true => Err(exit::usage(
            "--class, --set, --isolate, --dump-interval and --edges are about a file's program: name the file",
        )),
        false => Ok(()),
    }
}

pub(super) fn run(graph: &Graph, asked: &GraphRun, file: &Path) -> anyhow::Result<()> {
    let shown = file.display();
    let (guest, path) = guests::of_file(file).map_err(|why| exit::usage(format!("run {shown}: {why}")))?;
    let Some(class) = &asked.class else {
        return Err(exit::usage(format!(
            "run {shown}: --class says which program of the file: {}, as in `--class {}`",
            guest.class, guest.example
        )));
    };
    let memory = memory::left(asked)?;
    let name = class.rsplit('.').next().unwrap_or(class);
    let mut spec = HandlerSpec::new(name, guest.name, path, class);
    let host: Arc<dyn Host> = if asked.isolate || guest.apart {
        spec.isolation = Some(Isolation::default());
        Arc::new(asked.guests.processes(&[guest.name])?)
    } else {
        guest.start(&asked.guests.options())?
    };
    let program = Guest::load(host, &spec, asked.settings.clone()).map_err(failed)?;
    if asked.edges.is_some() && !program.writes_edges() {
        return Err(exit::usage(format!(
            "run {shown}: program {name} sets no values of edges (it does not declare `writes`): leave --edges out"
        )));
    }
    // Whatever the guest has installed for signals is replaced.
    stop::listen()?;
    let found = running(graph, asked, memory, |options| {
        let found = program.run(graph, options)?;
        let GuestOutcome { iterations, threads, changes, changed, .. } = found;
        Ok((found, Counts { iterations, threads, changes, changed }))
    })?;
    if let Some(path) = &asked.edges {
        write_edges(found.graph.as_deref().unwrap_or(graph), &found.edges, path)?;
    }
    let (values, what) = match found.own.is_empty() {
        true => (found.shown, "shown"),
        false => (found.own, "own"),
    };
    write(graph, asked, |vertex| values.text(vertex))?;
    let vertices = first(0..graph.vertices(), asked.top, |vertex| values.number(*vertex));
    let named = vertices.into_iter().map(|vertex| (graph.name(vertex).into_owned(), values.text(vertex)));
    rows(asked, what, named).context("print the largest values")
}

/// By their destinations, then by their sources.
fn write_edges(graph: &Graph, values: &KeptNumbers, path: &Path) -> anyhow::Result<()> {
    let mut edges = graph.incoming_in_order();
    target::write(path, |out| {
        for to in 0..graph.vertices() {
            let name = graph.name(to);
            let (places, ids) = edges.of(to).map_err(failed)?;
            for (index, place) in places.enumerate() {
                let from = ids.get(index);
                anyhow::ensure!(
                    from < graph.vertices(),
                    "there is no vertex {from}: the graph's file is damaged"
                );
                writeln!(out, "{}\t{name}\t{}", graph.name(from), values.text(place))?;
            }
        }
        Ok(())
    })
    .with_context(|| writing_edges(path))
}

pub(super) fn writing_edges(path: &Path) -> String {
    format!("write the values of edges to {}", path.display())
}
