//! Random walks, many at a time, vertex by vertex (Kyrola 2013, DrunkardMob; the random walks of GraphChi's examples).

use super::random::{below, random};
use crate::error::{Error, ErrorKind};
use crate::file::Graph;
use crate::run::parallel;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Walks that a thread takes at once, of 16 bytes each.
const BATCH: u64 = 1 << 18;

/// Which walks there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walks {
    /// Where they begin; a vertex that is there twice has twice as many.
    pub from: Vec<usize>,
    /// How many begin at each.
    pub walks: u64,
    /// How many edges each of them follows; one that comes to a vertex without outgoing edges ends there.
    pub length: u64,
    /// Each walk's way depends on this, on its own number, and on the graph.
    pub seed: u64,
}

/// Where walks have been.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visits {
    /// How often walks came to each vertex. Where they begin does not count.
    pub visits: Vec<u64>,
    /// How many edges were followed in all.
    pub steps: u64,
    /// How many walks have ended too soon.
    pub ended: u64,
}

/// Walks along outgoing edges, each of a vertex's as likely as another, and counts visits.
///
/// All walks of a batch take a step together, in the order of the vertices that they are at, so that a file is read from front to back. What
/// a walk does in a step depends on the seed, its number and the step's only: results are the same on any number of
/// threads. 8 bytes per vertex are in memory, and 4 MiB per thread.
///
/// # Errors
/// [`Usage`](ErrorKind::Usage): the file of a directed graph has no outgoing edges, or a walk begins at no vertex;
/// [`TooLarge`](ErrorKind::TooLarge): there are more than 2^64 steps; [`Format`](ErrorKind::Format): an edge leads to no vertex;
/// [`Interrupted`](ErrorKind::Interrupted).
pub fn walks(
    graph: &Graph,
    asked: &Walks,
    threads: usize,
    stop: Option<&AtomicBool>,
) -> Result<Visits, Error> {
    let wrong = |kind, what: String| Error::new(kind, format!("walk at random: {what}"));
    let vertices = graph.vertices();
    graph.decode()?;
    let outgoing = graph.outgoing().ok_or_else(|| {
        let why = "the graph's file was made without outgoing edges: make it again with them";
        wrong(ErrorKind::Usage, why.to_owned())
    })?;
    if let Some(from) = asked.from.iter().find(|from| **from >= vertices) {
        let why = format!("it begins at vertex {from}, and the graph has {vertices}");
        return Err(wrong(ErrorKind::Usage, why));
    }
    let count = (asked.from.len() as u64).checked_mul(asked.walks);
    let count = count.filter(|count| count.checked_mul(asked.length).is_some()).ok_or_else(|| {
        wrong(ErrorKind::TooLarge, "there are more than 2^64 steps: take fewer or shorter walks".to_owned())
    })?;
    let batches = usize::try_from(count.div_ceil(BATCH))
        .map_err(|_| wrong(ErrorKind::TooLarge, "there are too many walks".to_owned()))?;

    let visits: Vec<AtomicU64> = (0..vertices).map(|_| AtomicU64::new(0)).collect();
    let (steps, ended) = (AtomicU64::new(0), AtomicU64::new(0));
    parallel(threads, batches, stop, |walking: &mut Vec<(usize, u64)>, batch| {
        let first = batch as u64 * BATCH;
        walking.clear();
        let numbers = first..count.min(first + BATCH);
        walking.extend(numbers.map(|walk| (asked.from[(walk / asked.walks) as usize], walk)));
        for step in 0..asked.length {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(wrong(ErrorKind::Interrupted, "it was told to stop".to_owned()));
            }
            walking.sort_unstable();
            let before = walking.len() as u64;
            let mut nowhere = None;
            walking.retain_mut(|(at, walk)| {
                let edges = outgoing.of(*at);
                if edges.is_empty() {
                    return false;
                }
                let edge = below(random(asked.seed, *walk, step), edges.len() as u64);
                let to = outgoing.neighbours.get(edges.start + edge as usize);
                match visits.get(to) {
                    Some(visits) => _ = visits.fetch_add(1, Ordering::Relaxed),
                    None => nowhere = Some((*at, to)),
                }
                *at = to;
                nowhere.is_none()
            });
            if let Some((at, to)) = nowhere {
                let why =
                    format!("an edge of vertex {at} leads to {to}, and there is none: the file is damaged");
                return Err(wrong(ErrorKind::Format, why));
            }
            steps.fetch_add(walking.len() as u64, Ordering::Relaxed);
            ended.fetch_add(before - walking.len() as u64, Ordering::Relaxed);
            if walking.is_empty() {
                break;
            }
        }
        Ok(())
    })?;
    let visits = visits.into_iter().map(AtomicU64::into_inner).collect();
    Ok(Visits { visits, steps: steps.into_inner(), ended: ended.into_inner() })
}
