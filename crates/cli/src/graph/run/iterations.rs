//! What iterations came to, drawn and written.

use crate::target;
use anyhow::Context as _;
use std::io::Write as _;
use std::path::Path;
use upcall_chart::{Line, Lines, Style};
use upcall_graph::Iteration;

/// Draws residuals, and how many vertices were updated, over iterations. What is 0 has no place on a logarithmic axis.
pub(super) fn chart(path: &Path, all: &[Iteration]) -> anyhow::Result<()> {
    let line = |label: &str, style, value: fn(&Iteration) -> f64| {
        let points = all.iter().map(|done| ((done.number + 1) as f64, value(done)));
        let points: Vec<(f64, f64)> = points.filter(|(_, value)| *value > 0.0 && value.is_finite()).collect();
        (!points.is_empty()).then(|| Line { label: label.to_owned(), style, points })
    };
    let lines = [
        line("residual", Style::Ours(0), |done| done.residual),
        line("vertices updated", Style::Other(0), |done| done.updated as f64),
    ];
    let chart = Lines {
        title: "Convergence".into(),
        across: "iteration".into(),
        up: "residual, vertices".into(),
        lines: lines.into_iter().flatten().collect(),
    };
    target::write(path, |out| Ok(out.write_all(chart.svg().as_bytes())?))
        .with_context(|| writing(CHART, path))
}

/// Writes a line for each iteration.
pub(super) fn history(path: &Path, all: &[Iteration]) -> anyhow::Result<()> {
    target::write(path, |out| {
        writeln!(out, "iteration,updated,edges,scheduled,residual,total,seconds")?;
        for Iteration { number, updated, edges, scheduled, residual, total, took } in all {
            let seconds = took.as_secs_f64();
            writeln!(out, "{number},{updated},{edges},{scheduled},{residual:e},{total:e},{seconds:.6}")?;
        }
        Ok(())
    })
    .with_context(|| writing(HISTORY, path))
}

pub(super) const CHART: &str = "chart";
pub(super) const HISTORY: &str = "history";

pub(super) fn writing(what: &str, path: &Path) -> String {
    format!("write the {what} {}", path.display())
}
