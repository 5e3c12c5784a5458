//! PageRank at one scale after another, on one thread, by ours and by each peer up to the largest that it holds: each in a process of
//! its own, which is ended when it takes too much.

use anyhow::{Context, Result};
use std::cell::OnceCell;
use std::env;
use std::fs;
use std::path::Path;
use upcall_graph::Graph;

use super::asked::Part;
use super::gap::{self, Gap};
use super::graphchi::{self, GraphChi, PROGRAMS, Shards};
use super::known::{First, ITERATIONS};
use super::once::{self, Once, Who};
use super::rows::{Row, Rows, Size};
use super::watch::{Limits, Over, guard};
use super::{cold, disk, made, petgraph, python};
use crate::peers::Environment;

/// The least scale, and that of those who ask for less than it.
const LEAST: u32 = 16;
const LEAST_OF_SMALL: u32 = 12;

/// From this scale on all run once.
const ONCE: u32 = 22;

/// Memory that nobody gets: for the system, and for what a process takes between two looks at it.
const RESERVE_MIB: f64 = 2048.0;

/// How long a process may take, from its start.
const SECONDS: f64 = 600.0;

/// Ten iterations, on one thread.
pub const RANKED: &str = "PageRank";

/// Every second scale up to the largest.
#[must_use]
pub fn scales(largest: u32) -> Vec<u32> {
    let least = if largest < LEAST { LEAST_OF_SMALL.min(largest) } else { LEAST };
    (least..=largest).step_by(2).collect()
}

/// What a process may take on this machine: what is free now less a reserve, or what the environment says.
///
/// # Errors
/// It cannot be found out how much is free.
pub fn limits() -> Result<Limits> {
    let said = |name: &str| -> Result<Option<f64>> {
        let Some(number) = env::var_os(name) else { return Ok(None) };
        let number = number.to_string_lossy().into_owned();
        Ok(Some(number.parse().with_context(|| format!("reading {name}: {number:?} is no number"))?))
    };
    let free = || -> Result<f64> {
        let known = fs::read_to_string("/proc/meminfo").context("reading /proc/meminfo")?;
        let line = known.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        Ok(kib.context("looking for MemAvailable in /proc/meminfo")? / 1024.0 - RESERVE_MIB)
    };
    let mib = said("UPCALL_BENCH_MIB")?.map_or_else(free, Ok)?;
    Ok(Limits { mib, seconds: said("UPCALL_BENCH_SECONDS")?.unwrap_or(SECONDS) })
}

/// Who runs PageRank.
#[derive(Clone, Copy)]
enum Kind<'p> {
    Once(Who),
    /// The same, with nothing in the page cache.
    Cold(Who),
    Gap(&'p Gap),
    GraphChi(&'p GraphChi),
    Library(&'static str, &'p Environment),
}

impl Kind<'_> {
    /// Whether it is fast enough to take turns with others; those that are not run as often, but one after another.
    fn takes_turns(self) -> bool {
        matches!(self, Kind::Once(Who::Ours | Who::Plain | Who::Petgraph) | Kind::Cold(_) | Kind::Gap(_))
    }
}

/// One of those who run PageRank, and how far it has come.
pub struct Peer<'p> {
    kind: Kind<'p>,
    /// What it runs.
    pub what: &'static str,
    /// What it is called: with its version, once it has said so.
    pub who: String,
    /// The largest scale that it holds.
    pub largest: Option<u32>,
    /// At which scale it was ended, and why.
    pub ended: Option<(u32, Over)>,
}

impl<'p> Peer<'p> {
    fn of(kind: Kind<'p>, what: &'static str, who: &str) -> Peer<'p> {
        Peer { kind, what, who: who.to_owned(), largest: None, ended: None }
    }

    /// Why it was not asked for more, in a word or some.
    #[must_use]
    pub fn why(&self) -> String {
        let asked = || "the largest that was asked for".to_owned();
        self.ended.as_ref().map_or_else(asked, |(_, over)| over.why.to_string())
    }
}

/// All of them; GAP and GraphChi where they are given, and cold runs where the page cache can be dropped.
#[must_use]
pub fn peers<'p>(
    gap: Option<&'p Gap>,
    chi: Option<&'p GraphChi>,
    environment: &'p Environment,
) -> Vec<Peer<'p>> {
    let by_rows = format!("petgraph {}, Csr, f32", petgraph::VERSION);
    let mut peers = vec![
        // First, as it says which vertex has to be first elsewhere; and it takes the file into the page cache.
        Peer::of(Kind::Once(Who::Converged), python::CONVERGED, "Upcall, f64"),
        Peer::of(Kind::Once(Who::Ours), RANKED, "Upcall, f32"),
    ];
    peers.extend(gap.map(|gap| Peer::of(Kind::Gap(gap), RANKED, "GAP, f32")));
    peers.push(Peer::of(Kind::Once(Who::Plain), RANKED, "plain loop, f32"));
    peers.push(Peer::of(Kind::Once(Who::Petgraph), RANKED, &by_rows));
    if disk::can_drop() {
        peers.push(Peer::of(Kind::Cold(Who::Ours), cold::ALL, "Upcall, f32"));
        peers.push(Peer::of(Kind::Cold(Who::Plain), cold::ALL, "plain loop, f32"));
    }
    peers.extend(chi.map(|chi| Peer::of(Kind::GraphChi(chi), RANKED, PROGRAMS[0].1)));
    let library = |name, what| Peer::of(Kind::Library(name, environment), what, name);
    peers.extend([
        library("igraph", python::CONVERGED),
        library("scikit-network", RANKED),
        library("networkx", RANKED),
    ]);
    peers
}

/// Measures all of them, the smallest scale first. What it makes is removed.
///
/// # Errors
/// A peer comes to something else than ours. That one fails is no error: it is not asked for more, and nobody is when it is ours that
/// others are compared with.
pub fn measure(
    rows: &mut Rows,
    folder: &Path,
    (largest, runs): (u32, usize),
    limits: Limits,
    peers: &mut [Peer<'_>],
) -> Result<()> {
    for scale in scales(largest) {
        let folder = tempfile::Builder::new()
            .prefix("scales-")
            .tempdir_in(folder)
            .with_context(|| format!("making a folder in {}", folder.display()))?;
        let place = made::graph(rows, folder.path(), scale, false)?;
        let size = Size::of(scale, &map(&place)?);
        let runs = if scale < ONCE { runs } else { 1 };
        let at = At { size, place: &place, limits, runs, first: OnceCell::new() };
        for turn in 0..runs {
            let turns = |peer: &&mut Peer<'_>| turn == 0 || peer.kind.takes_turns();
            for peer in peers.iter_mut().filter(turns) {
                at.ask(rows, peer)?;
            }
        }
    }
    for peer in peers {
        if let Some(scale) = peer.largest {
            rows.end(Part::Scales, scale, (peer.what, &peer.who), peer.why());
        }
    }
    Ok(())
}

/// What is to be known of the results.
#[must_use]
pub fn notes(limits: Limits, peers: &[Peer<'_>]) -> Vec<String> {
    let Limits { mib, seconds } = limits;
    let mut notes = vec![format!(
        "Scales: a process may have {mib:.0} MiB of memory of its own and {seconds:.0} s from its start, making its graph included; what takes more is ended, and is not asked for a larger scale."
    )];
    for Peer { what, who, largest, ended, .. } in peers {
        let Some((scale, over)) = ended else { continue };
        let held = largest.map_or("none".to_owned(), |largest| format!("2^{largest}"));
        let over = over.to_string();
        let mut lines = over.lines();
        let (first, last) = (lines.next().unwrap_or_default(), lines.last());
        let last = last.map(|last| format!(", {last}")).unwrap_or_default();
        notes.push(format!("Scales, {what}, {who}: the largest that it holds is {held}; it was ended at 2^{scale} by {first}{last}."));
    }
    notes
}

fn map(place: &Path) -> Result<Graph> {
    // SAFETY: nobody else writes to this folder.
    Ok(unsafe { Graph::map(place) }?)
}

/// A graph of one scale.
struct At<'a> {
    size: Size,
    place: &'a Path,
    limits: Limits,
    runs: usize,
    /// The vertex with the highest rank, when ours has converged.
    first: OnceCell<First>,
}

impl At<'_> {
    /// Runs a peer that was not ended before, if there is something to compare it with.
    fn ask(&self, rows: &mut Rows, peer: &mut Peer<'_>) -> Result<()> {
        let comparable = matches!(peer.kind, Kind::Once(Who::Converged)) || self.first.get().is_some();
        if peer.ended.is_some() || !comparable {
            return Ok(());
        }
        let scale = self.size.scale;
        match self.run(peer) {
            Ok(found) => {
                for row in found {
                    if row.what == peer.what {
                        peer.who.clone_from(&row.who);
                    }
                    rows.add(row);
                }
                peer.largest = Some(scale);
            }
            Err(error) => {
                let over: Over = error.downcast()?;
                eprintln!("scale {scale}, {}, {}: ended by {over}", peer.what, peer.who);
                peer.ended = Some((scale, over));
            }
        }
        Ok(())
    }

    fn run(&self, peer: &Peer<'_>) -> Result<Vec<Row>> {
        match peer.kind {
            Kind::Once(who) => self.once(who, peer),
            Kind::Cold(who) => {
                disk::drop_cache(self.place)?;
                self.once(who, peer)
            }
            Kind::Gap(gap) => self.gap(gap, peer),
            Kind::GraphChi(chi) => self.graphchi(chi, peer),
            Kind::Library(name, environment) => self.library(name, environment, peer.what),
        }
    }

    fn first(&self) -> Result<&First> {
        self.first.get().context("looking for the first vertex by rank: ours has not converged")
    }

    fn once(&self, who: Who, peer: &Peer<'_>) -> Result<Vec<Row>> {
        let watched = guard(&mut once::command(who, self.place, 1, ITERATIONS)?, self.limits)?;
        let Once { seconds, making, vertex, rank, .. } = Once::of(&watched.said)?;
        let iterations = match rank {
            Some(rank) => {
                // Another turn comes to the same.
                let _ = self.first.set(First { vertex, rank });
                1
            }
            None => ITERATIONS,
        };
        self.first()?.check(&peer.who, vertex, rank, 0.0)?;
        let row =
            |what, seconds, iterations| self.size.row(what, &*peer.who, 1, seconds, iterations).of(&watched);
        let ranked = row(peer.what, seconds, iterations);
        Ok(if making > 0.0 { vec![row("build", making, 1), ranked] } else { vec![ranked] })
    }

    fn gap(&self, gap: &Gap, peer: &Peer<'_>) -> Result<Vec<Row>> {
        let own = gap.graph(&map(self.place)?, self.place)?;
        let watched = guard(&mut gap.command("pr", &own, 1, &gap::TEN), self.limits)?;
        let seconds = gap::least(&watched.said)?;
        Ok(vec![self.size.row(peer.what, &*peer.who, 1, seconds, ITERATIONS).of(&watched)])
    }

    /// Its list and shards are large, and are removed.
    fn graphchi(&self, chi: &GraphChi, peer: &Peer<'_>) -> Result<Vec<Row>> {
        let list = GraphChi::list(&map(self.place)?, self.place)?;
        let folder = list.folder.clone();
        let watched = guard(&mut chi.sharding(&list), self.limits)?;
        let shards = Shards::of(list, &watched.said)?;
        let mut found = vec![self.size.row("build", graphchi::SHARDED, 1, shards.seconds, 1).of(&watched)];
        for _ in 0..self.runs {
            let watched = guard(&mut chi.running(PROGRAMS[0].0, &shards, 1), self.limits)?;
            let seconds = graphchi::runtime(&watched.said, self.first()?)?;
            found.push(self.size.row(peer.what, &*peer.who, 1, seconds, ITERATIONS).of(&watched));
        }
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
        Ok(found)
    }

    fn library(&self, name: &str, environment: &Environment, what: &str) -> Result<Vec<Row>> {
        // One list for all of them.
        let edges = match self.place.with_extension(python::PAIRS) {
            there if there.exists() => there,
            _ => python::edges(&map(self.place)?, self.place)?,
        };
        let mut script = python::script(environment, name, self.size, &edges, 0, self.runs);
        let watched = guard(script.arg(what), self.limits)?;
        let found = python::ranked(&watched.said, self.size, self.first()?)?;
        Ok(found.into_iter().map(|row| row.of(&watched)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::watch::Why;
    use super::*;

    #[test]
    fn every_second_scale_is_asked_for() {
        assert_eq!(scales(24), [16, 18, 20, 22, 24]);
        assert_eq!((scales(17), scales(14), scales(8)), (vec![16], vec![12, 14], vec![8]));
    }

    #[test]
    fn a_peer_that_was_ended_is_not_asked_again_and_what_it_held_is_told() {
        let mut rows = Rows::default();
        rows.begin(Part::Scales);
        let size = Size { scale: 4, vertices: 16, edges: 100 };
        rows.add(size.row(RANKED, "it 1.0", 1, 2.0, ITERATIONS));
        let over =
            Over { why: Why::Memory, seconds: 3.2, peak_mib: 99.6, complaint: "signal: 9\nno\nmore".into() };
        let mut peer = Peer::of(Kind::Once(Who::Ours), RANKED, "it 1.0");
        assert_eq!(peer.why(), "the largest that was asked for");
        peer.largest = Some(4);
        peer.ended = Some((6, over));
        let at =
            At { size, place: Path::new("/nowhere"), limits: Limits::NONE, runs: 1, first: OnceCell::new() };
        at.ask(&mut rows, &mut peer).unwrap();
        let notes = notes(Limits { mib: 80.0, seconds: 600.0 }, &[peer]);
        assert_eq!(
            notes[1],
            "Scales, PageRank, it 1.0: the largest that it holds is 2^4; \
             it was ended at 2^6 by memory, with 100 MiB after 3 s: signal: 9, more."
        );
        assert!(notes[0].contains("80 MiB") && notes[0].contains("600 s"));
    }
}
