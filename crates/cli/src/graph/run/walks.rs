//! Random walks.

use super::{called, top, without_iterations, write};
use crate::arguments::GraphRun;
use crate::graph::{failed, stop};
use crate::{output, report};
use upcall_graph::Graph;
use upcall_graph::programs::{Walks, walks};

pub(super) fn run(graph: &Graph, asked: &GraphRun) -> anyhow::Result<()> {
    without_iterations(asked)?;
    let from = match &*asked.from {
        [] => (0..graph.vertices()).collect(),
        names => names.iter().map(|name| called(graph, name)).collect::<Result<Vec<_>, _>>()?,
    };
    let wanted = Walks { from, walks: asked.walks, length: asked.length, seed: asked.seed };
    let threads = asked.threads.map_or(0, |threads| threads as usize);
    let found = walks(graph, &wanted, threads, Some(&stop::STOP)).map_err(failed)?;
    write(graph, asked, |vertex| found.visits[vertex])?;
    output::line(format!(
        "{} steps; {} walks have ended where no edge goes on",
        report::grouped(found.steps),
        report::grouped(found.ended)
    ))?;
    top(graph, asked, "visits", |vertex| found.visits[vertex])
}
