//! `upcall graph export`: a graph's edges as a list.

use super::{failed, stop};
use crate::arguments::GraphExport;
use crate::target::Places;
use crate::{output, target};
use anyhow::Context as _;
use std::io::{self, Write};
use upcall_graph::{Format, Graph};

pub(crate) fn export(asked: &GraphExport) -> anyhow::Result<u8> {
    // SAFETY: the help says that nobody may write it.
    let graph = unsafe { Graph::map(&asked.graph) }.map_err(failed)?;
    let named = || asked.output.as_deref().map_or(Format::Text, Format::of);
    let format = asked.format.clone().unwrap_or_else(named);
    stop::listen()?;
    let written = match &asked.output {
        Some(path) => {
            let place = || format!("write {}", path.display());
            Places::read([asked.graph.as_path()]).writes(path).with_context(place)?;
            target::write(path, |out| list(&graph, &format, out).with_context(place))
        }
        None => list(&graph, &format, &mut io::stdout().lock()).context("write to standard output"),
    };
    if stop::wanted() {
        output::error("stopped: the list is not whole");
        return Ok(stop::code());
    }
    written.map(|()| 0)
}

/// Writes the list. What `out` fails with is the error itself: a reader that has gone is none of the graph's.
fn list(graph: &Graph, format: &Format, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut out = Watched { out, failed: None };
    let exported = graph.export(format, &mut out);
    match (out.failed, exported) {
        (Some(error), _) => Err(error.into()),
        (None, exported) => exported.map_err(failed),
    }
}

/// Writes until a signal comes, and keeps what it failed with.
struct Watched<'o> {
    out: &'o mut dyn Write,
    failed: Option<io::Error>,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match stop::wanted() {
            true => Err(io::Error::other("it was stopped")),
            false => self.out.write(bytes),
        };
        written.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failed = Some(error);
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
