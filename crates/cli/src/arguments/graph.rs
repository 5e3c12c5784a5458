//! Of the commands for graphs.

mod run;

pub(crate) use run::{GraphProgram, GraphRun};

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Graph {
    /// Run a program over a graph.
    Run(Box<GraphRun>),
}
