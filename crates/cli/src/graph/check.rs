//! `upcall graph check`: whether all that a graph's file says is so.

use super::failed;
use crate::arguments::GraphCheck;
use crate::{output, report};
use anyhow::Context as _;
use upcall_graph::Graph;

pub(crate) fn check(asked: &GraphCheck) -> anyhow::Result<u8> {
    // SAFETY: the help says that nobody may write it.
    let graph = unsafe { Graph::map(&asked.graph) }.map_err(failed)?;
    graph.check().map_err(failed).with_context(|| asked.graph.display().to_string())?;
    output::line(format!(
        "{}: {} vertices, {} edges: all is as it should be",
        asked.graph.display(),
        report::grouped(graph.vertices() as u64),
        report::grouped(graph.edges() as u64)
    ))?;
    Ok(0)
}
