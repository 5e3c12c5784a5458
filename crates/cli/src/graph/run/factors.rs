//! Matrices as products of narrow ones.

use super::{ended, forget, write};
use crate::arguments::GraphRun;
use crate::graph::failed;
use crate::{exit, output, report};
use std::fmt::{Display, Formatter};
use upcall_graph::programs::{Als, Factorisation, Sgd, Weight};
use upcall_graph::{Graph, Program, columns};

/// By which of the two.
#[derive(Clone, Copy)]
pub(super) enum How {
    LeastSquares,
    Descent,
}

pub(super) fn run(graph: &Graph, asked: &GraphRun, how: How) -> anyhow::Result<()> {
    if asked.changes.is_some() {
        return Err(exit::usage(
            "als and sgd see which vertices are rows and how many entries there are before they begin, and would be wrong once these \
             change: leave --changes out, and run them over a graph that is made of all entries",
        ));
    }
    match graph.file().entry(columns::VALUES).map(|entry| entry.element()) {
        Some("f32") => by_value::<f32>(graph, asked, how),
        Some("f64") => by_value::<f64>(graph, asked, how),
        found => {
            let has = found.map_or("none".to_owned(), |found| format!("values of {found}"));
            Err(exit::usage(format!(
                "a matrix needs edges with values of f32 or f64, and the graph's have {has}: make it again with --values f32"
            )))
        }
    }
}

fn by_value<W: Weight>(graph: &Graph, asked: &GraphRun, how: How) -> anyhow::Result<()> {
    match asked.rank {
        4 => by_rank::<W, 4>(graph, asked, how),
        8 => by_rank::<W, 8>(graph, asked, how),
        16 => by_rank::<W, 16>(graph, asked, how),
        32 => by_rank::<W, 32>(graph, asked, how),
        other => Err(exit::usage(format!("--rank is {other}, and there are 4, 8, 16 and 32"))),
    }
}

fn by_rank<W: Weight, const K: usize>(graph: &Graph, asked: &GraphRun, how: How) -> anyhow::Result<()> {
    let mut settings = Factorisation::of(graph).map_err(failed)?;
    (settings.lambda, settings.seed, settings.tolerance) = (asked.lambda, asked.seed, asked.tolerance);
    match how {
        How::LeastSquares => {
            let program = Als::<f32, W, K>::new(settings).map_err(failed)?;
            told(graph, asked, program, |program| program.rmse)
        }
        How::Descent => {
            let program = Sgd::<f32, W, K>::new(settings, asked.rate).map_err(failed)?;
            told(graph, asked, program, |program| program.rmse)
        }
    }
}

fn told<P: Program<Shown = [f32; K]>, const K: usize>(
    graph: &Graph,
    asked: &GraphRun,
    program: P,
    rmse: impl Fn(&P) -> Option<f64>,
) -> anyhow::Result<()> {
    let found = ended(graph, program, asked)?;
    let rmse = rmse(&found.program);
    if rmse.is_some_and(|rmse| !rmse.is_finite()) {
        forget(asked);
        anyhow::bail!("the error has grown without end: take a smaller --rate");
    }
    write(graph, asked, |vertex| Row(found.shown[vertex]))?;
    let rows = graph.out_degrees().iter().filter(|degree| **degree > 0).count();
    let columns = (0..graph.vertices()).filter(|vertex| graph.in_degree(*vertex) > 0).count();
    output::line(format!(
        "{} rows, {} columns, {} entries",
        report::grouped(rows as u64),
        report::grouped(columns as u64),
        report::grouped(graph.edges() as u64)
    ))?;
    rmse.map_or(Ok(()), |rmse| output::line(format!("root of the mean squared error {rmse}")))
}

/// Numbers between tabs.
struct Row<const K: usize>([f32; K]);

impl<const K: usize> Display for Row<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.iter().enumerate().try_for_each(|(at, number)| {
            let before = if at == 0 { "" } else { "\t" };
            write!(f, "{before}{number}")
        })
    }
}
