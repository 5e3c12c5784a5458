//! A graph's file, made of a list of its edges.

use anyhow::Result;
use std::path::{Path, PathBuf};
use std::time::Instant;
use upcall_graph::{Builder, Direction, Duplicates, Format, Graph, Loops, Source};

use super::cached::threads;
use super::kronecker;
use super::rows::{Rows, Size};

/// Makes a graph's file in a folder, compressed or not.
///
/// # Errors
/// It cannot be written.
pub fn graph(rows: &mut Rows, folder: &Path, scale: u32, compress: bool) -> Result<PathBuf> {
    let list = kronecker::list(folder, scale)?;
    let (name, who) = match compress {
        false => ("kronecker", "Upcall, 1 GiB"),
        true => ("compressed", "Upcall, 1 GiB, compressed"),
    };
    let place = folder.join(format!("{name}-{scale}.graph"));
    let began = Instant::now();
    Builder::new()
        .source(Source::file(&list).format(Format::of(&list)))
        .loops(Loops::Drop)
        .duplicates(Duplicates::First)
        .direction(Direction::Undirected)
        .outgoing(false)
        .compress(compress)
        .build(&place)?;
    let seconds = began.elapsed().as_secs_f64();
    // SAFETY: nobody else writes to this folder.
    let size = Size::of(scale, &unsafe { Graph::map(&place) }?);
    rows.add(size.row("build", who, threads().last().map_or(1, |most| *most), seconds, 1));
    Ok(place)
}
