//! Communities by modularity.

use super::{groups, without_iterations};
use crate::arguments::GraphRun;
use crate::graph::{failed, stop};
use crate::{exit, output, report};
use upcall_graph::programs::{Louvain, louvain};
use upcall_graph::{Graph, columns};

pub(super) fn run(graph: &Graph, asked: &GraphRun) -> anyhow::Result<()> {
    without_iterations(asked)?;
    let settings = Louvain { resolution: asked.resolution, ..Louvain::default() };
    let stop = Some(&stop::STOP);
    let found = match graph.file().entry(columns::VALUES).map(|entry| entry.element()) {
        None => louvain::<()>(graph, settings, stop),
        Some("f32") => louvain::<f32>(graph, settings, stop),
        Some("f64") => louvain::<f64>(graph, settings, stop),
        Some("i32") => louvain::<i32>(graph, settings, stop),
        Some("i64") => louvain::<i64>(graph, settings, stop),
        Some("u32") => louvain::<u32>(graph, settings, stop),
        Some("u64") => louvain::<u64>(graph, settings, stop),
        Some(other) => {
            return Err(exit::usage(format!("edges have values of {other}, which are no weights")));
        }
    };
    let found = found.map_err(failed)?;
    for (at, level) in found.levels.iter().enumerate() {
        let communities = report::grouped(level.communities as u64);
        output::error(format!("level {at}: {communities} communities, modularity {}", level.modularity));
    }
    output::line(format!("modularity {}", found.modularity))?;
    groups(graph, asked, "community", &found.of)
}
