//! Of the commands for graphs.

mod build;
mod look;
mod run;

pub(crate) use build::GraphBuild;
pub(crate) use look::{GraphCheck, GraphExport, GraphInfo};
pub(crate) use run::{GraphProgram, GraphRun, KnownProgram};

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Graph {
    /// Make a graph's file of lists of edges.
    Build(Box<GraphBuild>),
    /// Say what a graph is like: its size, its columns, its degrees.
    Info(GraphInfo),
    /// Look whether all that a graph's file says is so.
    Check(GraphCheck),
    /// Write a graph's edges as a list.
    Export(GraphExport),
    /// Run a program over a graph.
    Run(Box<GraphRun>),
}
