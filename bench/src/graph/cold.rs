//! Ours and GraphChi with nothing in the page cache, and how fast the disk reads the same file.

use anyhow::Result;
use std::path::Path;

use super::cached::{GRAPHCHI_RUNS, threads};
use super::disk;
use super::graphchi::{GraphChi, PROGRAMS, Shards};
use super::known::{ITERATIONS, Known};
use super::once::{self, Once, Who};
use super::rows::{Rows, Size};
use crate::command;

/// One iteration, which reads the file once: what is compared with the disk.
pub const ONE: &str = "one iteration, cold";

/// All iterations, the first of which reads the file.
pub const ALL: &str = "PageRank, cold";

/// The disk alone.
pub const DISK: &str = "reading the file, cold";

/// Who reads it.
pub const READ: &str = "read, 8 MiB at a time";

/// Measures ours over a graph's file, which nobody may have mapped.
///
/// # Errors
/// The page cache cannot be dropped, or a run fails.
pub fn measure(rows: &mut Rows, size: Size, place: &Path, runs: usize) -> Result<()> {
    let bytes = place.metadata()?.len();
    for turn in 0..runs {
        eprintln!("cold run {} of {runs}", turn + 1);
        read(rows, size, place)?;
        for threads in threads() {
            for (what, iterations) in [(ONE, 1), (ALL, ITERATIONS)] {
                disk::drop_cache(place)?;
                let said = command::run(&mut once::command(Who::Ours, place, threads, iterations)?)?;
                let seconds = Once::of(&said)?.seconds;
                let row = size.row(what, "Upcall, f32", threads, seconds, iterations);
                rows.add(if iterations == 1 { row.reading(bytes, seconds) } else { row });
            }
        }
    }
    Ok(())
}

/// Measures reading a file from front to back.
///
/// # Errors
/// The page cache cannot be dropped, or the file not be read.
pub fn read(rows: &mut Rows, size: Size, place: &Path) -> Result<()> {
    disk::drop_cache(place)?;
    let seconds = disk::read_through(place)?;
    rows.add(size.row(DISK, READ, 1, seconds, 1).reading(place.metadata()?.len(), seconds));
    Ok(())
}

/// Measures GraphChi.
///
/// # Errors
/// The page cache cannot be dropped, or a run fails.
pub fn graphchi(
    rows: &mut Rows,
    size: Size,
    place: &Path,
    (chi, shards, known): (&GraphChi, &Shards, &Known),
    runs: usize,
) -> Result<()> {
    for _ in 0..runs.min(GRAPHCHI_RUNS) {
        for threads in threads() {
            for (program, who) in PROGRAMS {
                disk::drop_cache(place)?;
                let seconds = chi.seconds(program, shards, threads, &known.first)?;
                rows.add(size.row(ALL, who, threads, seconds, ITERATIONS));
            }
        }
    }
    Ok(())
}
