//! A graph sixteen times as large, made and run over within 64 bytes of memory per vertex: 1 GiB for 2^24 vertices.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_graph::Graph;

use super::cached::threads;
use super::group::Group;
use super::known::ITERATIONS;
use super::once::{self, Once, Who};
use super::rows::{Rows, Size};
use super::watch::{Watched, watch};
use super::{cold, disk, kronecker};

/// Sixteen times as many vertices.
pub const SCALES_MORE: u32 = 4;

/// Memory for each vertex.
const BYTES_PER_VERTEX: u64 = 64;

/// The least that is tried: the program itself takes some, whatever the graph.
const LEAST: u64 = 64 << 20;

/// Ten iterations within the budget.
pub const RANKED: &str = "PageRank, budget";

/// One of them behind the first.
pub const LATER: &str = "one iteration, budget";

/// The graph's file of a list, within the budget.
pub const BUILT: &str = "build, budget";

/// Measures it, with the command `upcall`, and says whether the kernel has seen to the limit. What it makes is removed.
///
/// # Errors
/// A process fails: one that took too much is killed.
pub fn measure(rows: &mut Rows, folder: &Path, scale: u32, upcall: &Path) -> Result<String> {
    let scale = scale + SCALES_MORE;
    let bytes = (BYTES_PER_VERTEX << scale).max(LEAST);
    let list = kronecker::list(folder, scale)?;
    let place = folder.join(format!("budget-{scale}.graph"));
    let measured = within(rows, scale, bytes, (&list, &place), upcall);
    for file in [&list, &place].into_iter().filter(|file| file.exists()) {
        fs::remove_file(file).with_context(|| format!("removing {}", file.display()))?;
    }
    measured
}

fn within(
    rows: &mut Rows,
    scale: u32,
    bytes: u64,
    (list, place): (&Path, &Path),
    upcall: &Path,
) -> Result<String> {
    let mib = bytes >> 20;
    let (group, note) = match Group::of(bytes) {
        Ok(group) => (Some(group), format!("a memory cgroup of {mib} MiB, page cache included")),
        Err(error) => (None, format!("no memory cgroup: {error:#}; what a process takes is only looked at")),
    };
    let run = |command: &mut Command| watch(command, group.as_ref());
    eprintln!("scale {scale} within {mib} MiB: {note}");
    let mut build = Command::new(upcall);
    build.args(["graph", "build"]).arg(list).arg("--output").arg(place);
    build.args(["--direction", "undirected", "--loops", "drop", "--duplicates", "first", "--no-outgoing"]);
    // The rest is for the program's own pages, the kernel's tables and what is on its way to the disk: the kernel counts them too.
    build.args(["--memory", &format!("{}MiB", mib / 8 * 7)]);
    let cold = disk::can_drop();
    if cold {
        disk::drop_cache(list)?;
    }
    let built = run(&mut build)?;
    let size = {
        // SAFETY: nobody else writes to this folder.
        let graph = unsafe { Graph::map(place) }?;
        Size::of(scale, &graph)
    };
    let length = place.metadata()?.len();
    let cores = threads().last().map_or(1, |most| *most);
    let mut add = |what, who: &str, threads, seconds, iterations, peak_mib| {
        let mut row = size.row(what, who, threads, seconds, iterations);
        row.peak_mib = peak_mib;
        rows.add(if what == LATER { row.reading(length, seconds) } else { row });
    };
    add(BUILT, &format!("upcall graph build, {mib} MiB"), cores, built.seconds, 1, Some(built.peak_mib));
    for threads in threads() {
        if cold {
            disk::drop_cache(place)?;
        }
        let Watched { said, peak_mib, .. } = run(&mut once::command(Who::Ours, place, threads, ITERATIONS)?)?;
        let once = Once::of(&said)?;
        add(RANKED, "Upcall, f32", threads, once.seconds, ITERATIONS, Some(peak_mib));
        add(LATER, "Upcall, f32", threads, once.later(), 1, None);
    }
    // What the kernel alone makes of a mapped file that is larger than what it may keep of it.
    if cold {
        disk::drop_cache(place)?;
    }
    let Watched { said, peak_mib, .. } = run(&mut once::command(Who::Plain, place, 1, ITERATIONS)?)?;
    add(RANKED, "plain loop, f32", 1, Once::of(&said)?.seconds, ITERATIONS, Some(peak_mib));
    // By the command, which has f64, and whose time is that of its process.
    let mut ranks = Command::new(upcall);
    ranks.args(["graph", "run"]).arg(place).args(["pagerank", "--tolerance", "-1", "--top", "1"]);
    ranks.args(["--iterations", &ITERATIONS.to_string(), "--threads", &cores.to_string()]);
    if cold {
        disk::drop_cache(place)?;
    }
    let ranked = run(&mut ranks)?;
    add(RANKED, "upcall graph run, f64", cores, ranked.seconds, ITERATIONS, Some(ranked.peak_mib));
    if cold {
        cold::read(rows, size, place)?;
    }
    Ok(note)
}
