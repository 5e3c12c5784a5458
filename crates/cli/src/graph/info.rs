//! `upcall graph info`: what a graph is like.

use super::failed;
use crate::arguments::GraphInfo;
use crate::{output, report};
use serde_json::{Value, json};
use upcall_graph::{Degrees, Graph, columns};

pub(crate) fn info(asked: &GraphInfo) -> anyhow::Result<u8> {
    // SAFETY: the help says that nobody may write it.
    let graph = unsafe { Graph::map(&asked.graph) }.map_err(failed)?;
    match asked.json {
        true => output::line(as_json(&graph))?,
        false => text(&graph)?,
    }
    Ok(0)
}

/// What vertices are called.
fn called(graph: &Graph) -> &'static str {
    let has = |column| graph.file().entry(column).is_some();
    match (has(columns::NUMBERS), has(columns::NAMES)) {
        (true, _) => "numbers",
        (_, true) => "names",
        _ => "places",
    }
}

fn values(graph: &Graph) -> Option<&str> {
    graph.file().entry(columns::VALUES).map(|entry| entry.element())
}

fn largest(degrees: &Degrees) -> u64 {
    degrees.keys().next_back().copied().unwrap_or_default()
}

fn mean(graph: &Graph) -> f64 {
    if graph.vertices() == 0 { 0.0 } else { graph.edges() as f64 / graph.vertices() as f64 }
}

fn text(graph: &Graph) -> anyhow::Result<()> {
    let summary = graph.summary();
    let row = |what: &str, text: String| output::line(format!("{what:<20} {text}"));
    let direction = if graph.is_directed() { "directed" } else { "undirected: each edge is there twice" };
    row(
        "vertices",
        format!("{}, called by their {}", report::grouped(graph.vertices() as u64), called(graph)),
    )?;
    row("edges", format!("{}, {direction}", report::grouped(graph.edges() as u64)))?;
    row("values", values(graph).unwrap_or("none").to_owned())?;
    row("degree, mean", format!("{:.2}", mean(graph)))?;
    row("incoming, at most", report::grouped(largest(&summary.incoming)))?;
    row("outgoing, at most", report::grouped(largest(&summary.outgoing)))?;
    row("isolated vertices", report::grouped(summary.isolated))?;
    row("loops", report::grouped(summary.loops))?;
    let mut all = 0;
    for entry in graph.file().entries() {
        let bytes = entry.rows() * entry.size() as u64;
        all += bytes;
        row(
            entry.name(),
            format!("{} of {}, {}", report::grouped(entry.rows()), entry.element(), report::bytes(bytes)),
        )?;
    }
    row("all columns", report::bytes(all))
}

fn as_json(graph: &Graph) -> Value {
    let summary = graph.summary();
    let degrees = |degrees: &Degrees| {
        let all: Vec<[u64; 2]> = degrees.iter().map(|(degree, vertices)| [*degree, *vertices]).collect();
        json!({ "largest": largest(degrees), "mean": mean(graph), "vertices": all })
    };
    let columns: Vec<Value> = graph
        .file()
        .entries()
        .iter()
        .map(|entry| {
            let bytes = entry.rows() * entry.size() as u64;
            json!({ "name": entry.name(), "type": entry.element(), "rows": entry.rows(), "bytes": bytes })
        })
        .collect();
    json!({
        "vertices": graph.vertices(),
        "edges": graph.edges(),
        "directed": graph.is_directed(),
        "values": values(graph),
        "called": called(graph),
        "isolated": summary.isolated,
        "loops": summary.loops,
        "degrees": { "in": degrees(&summary.incoming), "out": degrees(&summary.outgoing) },
        "columns": columns,
    })
}
