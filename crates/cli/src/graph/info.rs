//! `upcall graph info`: what a graph is like.

use super::failed;
use crate::arguments::GraphInfo;
use crate::target::Places;
use crate::{output, report, target};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use upcall_chart::{Line, Lines, Style};
use upcall_graph::{Degrees, Graph, Summary, columns};

pub(crate) fn info(asked: &GraphInfo) -> anyhow::Result<u8> {
    // SAFETY: the help says that nobody may write it.
    let graph = unsafe { Graph::map(&asked.graph) }.map_err(failed)?;
    let drawing = |path: &Path| format!("write the chart {}", path.display());
    if let Some(path) = &asked.chart {
        Places::read([asked.graph.as_path()]).writes(path).with_context(|| drawing(path))?;
    }
    let summary = graph.summary();
    match asked.json {
        true => output::line(as_json(&graph, &summary))?,
        false => text(&graph, &summary)?,
    }
    if let Some(path) = &asked.chart {
        let chart = chart(&graph, &summary, &asked.graph).svg();
        target::write(path, |out| Ok(out.write_all(chart.as_bytes())?)).with_context(|| drawing(path))?;
    }
    Ok(0)
}

/// How many vertices have at least so many edges: what has a heavy tail is a straight line there.
fn chart(graph: &Graph, summary: &Summary, path: &Path) -> Lines {
    let line = |label: &str, style, degrees: &Degrees| {
        let mut vertices = 0;
        let at_least = degrees.iter().rev().filter(|(degree, _)| **degree > 0).map(|(degree, more)| {
            vertices += more;
            (*degree as f64, vertices as f64)
        });
        let mut points: Vec<(f64, f64)> = at_least.collect();
        points.reverse();
        Line { label: label.to_owned(), style, points }
    };
    let lines = match graph.is_directed() {
        true => vec![
            line("incoming", Style::Ours(0), &summary.incoming),
            line("outgoing", Style::Other(0), &summary.outgoing),
        ],
        false => vec![line("edges", Style::Ours(0), &summary.incoming)],
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Lines {
        title: format!("Degrees of {name}"),
        across: "edges of a vertex, at least".into(),
        up: "vertices".into(),
        lines,
    }
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

/// Bytes per neighbour, in the directions that there are, if they are compressed.
fn compressed(graph: &Graph) -> Option<f64> {
    let all = [columns::IN_NEIGHBOURS, columns::IN_BLOCKS, columns::OUT_NEIGHBOURS, columns::OUT_BLOCKS];
    let of = |column: &&str| graph.file().entry(column).map(|entry| entry.rows() * entry.size() as u64);
    let bytes: u64 = all.iter().filter_map(of).sum();
    let directions = if graph.file().entry(columns::OUT_NEIGHBOURS).is_some() { 2 } else { 1 };
    graph.is_compressed().then(|| bytes as f64 / (graph.edges() * directions).max(1) as f64)
}

fn largest(degrees: &Degrees) -> u64 {
    degrees.keys().next_back().copied().unwrap_or_default()
}

fn mean(graph: &Graph) -> f64 {
    if graph.vertices() == 0 { 0.0 } else { graph.edges() as f64 / graph.vertices() as f64 }
}

fn text(graph: &Graph, summary: &Summary) -> anyhow::Result<()> {
    let row = |what: &str, text: String| output::line(format!("{what:<20} {text}"));
    let direction = if graph.is_directed() { "directed" } else { "undirected: each edge is there twice" };
    row(
        "vertices",
        format!("{}, called by their {}", report::grouped(graph.vertices() as u64), called(graph)),
    )?;
    row("edges", format!("{}, {direction}", report::grouped(graph.edges() as u64)))?;
    if let Some(bytes) = compressed(graph) {
        row("neighbours", format!("compressed, {bytes:.2} bytes each instead of 4"))?;
    }
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

fn as_json(graph: &Graph, summary: &Summary) -> Value {
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
        "compressed": compressed(graph).map(|bytes| json!({ "bytes_per_neighbour": bytes })),
        "values": values(graph),
        "called": called(graph),
        "isolated": summary.isolated,
        "loops": summary.loops,
        "degrees": { "in": degrees(&summary.incoming), "out": degrees(&summary.outgoing) },
        "columns": columns,
    })
}
