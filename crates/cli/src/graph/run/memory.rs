//! How much memory a run may take: what is left of `--memory` beside what the command has itself.

use super::changes::List;
use crate::arguments::GraphRun;
use crate::{exit, report};
use std::path::Path;
use upcall_graph::{Error, ErrorKind, Graph};

/// What comes beside a run: what is written at its end has a buffer, and so has what is printed; the stack of the first thread.
const BESIDE: u64 = 1 << 20;

/// What each vertex of `--top` takes at most, while those with the most are looked for.
const ROW: u64 = 32;

/// What a change takes at most: in the list, and while it is made. See [`Changes`](upcall_graph::Changes).
const CHANGE: u64 = 256;

/// What is left for a run, where `--memory` says how much there is. To be asked before a guest is started, whose memory is its own.
pub(super) fn left(asked: &GraphRun) -> anyhow::Result<Option<u64>> {
    let Some(memory) = asked.memory else { return Ok(None) };
    let has = (anonymous() + BESIDE).saturating_add(ROW.saturating_mul(asked.top as u64));
    match memory.checked_sub(has) {
        Some(left) => Ok(Some(left)),
        None => Err(exit::usage(format!(
            "run the program in --memory {}: the command itself, and --top, take {}: take more",
            report::bytes(memory),
            report::bytes(has)
        ))),
    }
}

/// The same beside a list of changes.
pub(super) fn beside_changes(left: Option<u64>, list: Option<&List<'_>>) -> anyhow::Result<Option<u64>> {
    let (Some(left), Some(list)) = (left, list) else { return Ok(left) };
    let changes = list.len() as u64 * CHANGE;
    left.checked_sub(changes).map(Some).ok_or_else(|| {
        exit::usage(format!(
            "run the program in --memory: {} are left of it, and {} changes take {}: take more, or fewer changes at a time",
            report::bytes(left),
            report::grouped(list.len() as u64),
            report::bytes(changes)
        ))
    })
}

/// Where values go that have no room: beside the graph, unless another folder is named.
pub(super) fn folder(asked: &GraphRun) -> Option<&Path> {
    let beside = || match asked.graph.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    asked.values_in.as_deref().or_else(|| asked.memory.map(|_| beside()))
}

/// Refuses a budget that has no room for a number for each vertex, by which groups are counted at the end.
pub(super) fn has_room_for_groups(asked: &GraphRun, graph: &Graph) -> anyhow::Result<()> {
    let counts = (graph.vertices() * size_of::<u64>()) as u64;
    match left(asked)?.filter(|left| *left < counts) {
        None => Ok(()),
        Some(left) => Err(exit::usage(format!(
            "run the program in --memory: {} are left of it, and to count communities takes {}: take more",
            report::bytes(left),
            report::bytes(counts)
        ))),
    }
}

/// Refuses a budget for what has no iterations over vertices.
pub(super) fn without(asked: &GraphRun) -> anyhow::Result<()> {
    match asked.memory {
        None => Ok(()),
        Some(_) => Err(exit::usage(
            "--memory is for programs that update one vertex after the other; this one has what it needs of all vertices in memory, \
             and has no files for it: leave --memory out",
        )),
    }
}

/// What a run has failed with, and what it had of `--memory`.
pub(super) fn failed(error: Error, left: Option<u64>) -> anyhow::Error {
    match left.filter(|_| error.kind() == ErrorKind::TooLarge) {
        Some(left) => {
            exit::usage(format!("{error} (of --memory, {} are left for the run)", report::bytes(left)))
        }
        None => crate::graph::failed(error),
    }
}

/// How much anonymous memory the command has. Where the system does not say it, as much as it has on Linux.
fn anonymous() -> u64 {
    const USUAL: u64 = 4 << 20;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map_or(USUAL, |kib| kib << 10)
}
