//! `upcall graph`: graphs' files, and programs over them.

mod build;
mod check;
mod export;
mod info;
mod run;
mod stdin;
mod stop;

pub(crate) use build::build;
pub(crate) use check::check;
pub(crate) use export::export;
pub(crate) use info::info;
pub(crate) use run::run;

use crate::exit::usage;
use upcall_graph::{Error, ErrorKind};

/// The error of a graph as the command's: what was asked for that cannot be is a mistake of the command line.
fn failed(error: Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::Usage => usage(error.to_string()),
        _ => error.into(),
    }
}
